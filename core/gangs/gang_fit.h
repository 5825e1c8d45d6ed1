/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds gangs that could not start even if all allocations ended that may end: they are larger than what the
 * present nodes offer, or than a limit of the queue, user or group.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.8.
 */
#ifndef YK_GANGS_GANG_FIT_H
#define YK_GANGS_GANG_FIT_H

#include "state/partition.h"

/* Returns why the gang, whose application has a leaf, can never start: a static sentence without its subject,
 * such as "is larger than the maximum of its queue"; NULL: no reason was found. Sets `*ret_exceeds_limit` to
 * whether a limit is the reason, so that more nodes would not help; valid if the result is not NULL. Chooses
 * the group of users that the application counts for if no choice was made yet (docs/reference/queues.md,
 * L8). If the result has changed, the caller stores it in the gang, reports it, and calls
 * yk_gang_wait_update_held(). O(pending groups of the gang * (nodes + foreign allocations)) at most. */
const char *yk_gang_check_fit(struct yk_gang *gang, bool *ret_exceeds_limit);

#endif
