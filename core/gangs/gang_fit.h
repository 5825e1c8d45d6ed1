/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds gangs that can never start, even if all other allocations ended: they are larger than the present
 * nodes, or than a limit of the queue, user or group.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.8.
 */
#ifndef YK_GANGS_GANG_FIT_H
#define YK_GANGS_GANG_FIT_H

#include "state/partition.h"

/* Returns why the gang, whose application has a leaf, can never start: a static sentence without its subject,
 * such as "is larger than the maximum of its queue"; NULL: it may start. Sets `*ret_exceeds_limit` to whether
 * a limit is the reason, so that more nodes would not help; valid if the result is not NULL. Chooses the
 * group that the application counts for if it has none yet (L9). The caller keeps the result in the gang,
 * reports it, and calls yk_gang_wait_update_held() if it has changed (gangs/gang_wait.c, the only caller).
 * O(nodes * its task groups) at most. */
const char *yk_gang_check_fit(struct yk_gang *gang, bool *ret_exceeds_limit);

#endif
