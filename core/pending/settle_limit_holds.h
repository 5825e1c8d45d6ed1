/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the next holder after a hold of a limit has ended (pending/limit_hold.h).
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md 8.5.
 */
#ifndef YK_PENDING_SETTLE_LIMIT_HOLDS_H
#define YK_PENDING_SETTLE_LIMIT_HOLDS_H

#include "state/partition.h"

/* For each limit whose hold has ended or was configured: the first group in order that waits for it becomes
 * the holder, and what waited for the hold is tried. O(leaves where something waits for the limit). */
void yk_settle_limit_holds(struct yk_partition *partition);

#endif
