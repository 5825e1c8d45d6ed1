/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Updates fair shares after the capacity of the nodes changed.
 *
 * A node that is added, removed or changes its capacity may change the fair maximum of every queue. The next
 * turns recompute the shares in a pass over the tree of queues, 64 queues per turn. Nothing is decided before
 * the pass has ended. After a change during a pass, another pass begins, but at least one turn in between may
 * decide, so nodes that change all the time do not stop decisions. To note the change of a node costs O(1).
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.3.
 */
#ifndef YK_PENDING_FAIR_SHARES_H
#define YK_PENDING_FAIR_SHARES_H

#include "state/partition.h"

/* Call it after a change of the capacity of the nodes, which is the maximum of the root queue: a pass begins
 * in the next turn or, if one is under way, after that. O(1). */
void yk_fair_shares_note(struct yk_partition *partition);
/* Call it before `queue`, which has no children and is still in the tree, is freed: a pass that would
 * continue with `queue` continues with the queue after it. */
void yk_fair_shares_forget(struct yk_partition *partition, const struct yk_queue *queue);
/* Takes one step of a pass, if one is under way or due, and calls yk_turn_note_step(). Call it at the
 * beginning of each turn. True: the pass has not ended, nothing may be decided in this turn (YK_TURN_PARKED),
 * and the next turn calls this function again. False: the turn may decide, because the pass has ended or none
 * was due; a change during the pass may make the next one due (yk_fair_shares_are_fresh() is then false). */
bool yk_fair_shares_step(struct yk_partition *partition);
/* Whether all shares were computed with the capacity that the nodes have now: no pass is under way or due. */
bool yk_fair_shares_are_fresh(const struct yk_partition *partition);

#endif
