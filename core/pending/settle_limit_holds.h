/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the next holder of a limit after a hold has ended (pending/limit_hold.h).
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md 8.5.
 */
#ifndef YK_PENDING_SETTLE_LIMIT_HOLDS_H
#define YK_PENDING_SETTLE_LIMIT_HOLDS_H

#include "state/partition.h"

/* Call it at the beginning of a turn that decides. For each limit whose hold has ended or was configured: the
 * first group in order that waits for the limit, and may hold it, becomes the holder, and the next turns look
 * again at what waits for the limit. Of each leaf, at most 128 groups are considered. A limit that got
 * another holder meanwhile, or whose queue is not configured for holds, gets no holder here. No effect if no
 * hold has ended or was configured. O(leaves where something waits for the limit). */
void yk_settle_limit_holds(struct yk_partition *partition);

#endif
