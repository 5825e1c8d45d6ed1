/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs that can never start, however much ends: larger than the nodes, the queue, the user's or the group's
 * limit allow as they are now.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.8.
 */
#ifndef YK_GANGS_GANG_FIT_H
#define YK_GANGS_GANG_FIT_H

#include "state/partition.h"

/* Returns why the gang can never start, a static sentence without a subject, or NULL. `*ret_exceeds_limit`: more
 * nodes would not help. Chooses the group that the application counts for if it has none yet (L9). O(nodes * its task groups) if it hardly fits, less else. */
const char *yk_gang_check_fit(struct yk_gang *gang, bool *ret_exceeds_limit);

#endif
