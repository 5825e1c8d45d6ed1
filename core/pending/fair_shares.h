/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Updates fair shares after the capacity of the nodes changed.
 *
 * A node that comes, goes or changes its capacity changes the fair maximum of every queue. The next turns
 * recompute the shares in a pass over the tree, 64 queues in a step, and decide nothing before the pass has
 * ended. All queues of a pass see the capacity at its beginning. A change during a pass begins another one
 * after the next turn, so nodes that change all the time do not stop decisions. The event itself costs O(1).
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.3.
 */
#ifndef YK_PENDING_FAIR_SHARES_H
#define YK_PENDING_FAIR_SHARES_H

#include "state/partition.h"

/* The capacity of the nodes has changed. */
void yk_fair_shares_note(struct yk_partition *partition);
/* Call before `queue`, which has no children, is freed. */
void yk_fair_shares_forget(struct yk_partition *partition, const struct yk_queue *queue);
/* Takes a step of the pass. True: the pass has not ended, and nothing may be decided yet. */
bool yk_fair_shares_step(struct yk_partition *partition);
/* Whether all shares were computed with the capacity that the nodes have now. */
bool yk_fair_shares_are_fresh(const struct yk_partition *partition);

#endif
