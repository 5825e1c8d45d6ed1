/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index of nodes, for equal asks: nodes where the end of victims may let such an ask run, ordered by a
 * lower bound of the number of victims that it needs there (yk_node_least_victims()). The bound does not
 * depend on guarantees, so it stays valid while the node does not change. A plan looks at the first few nodes
 * closely, and stores the numbers of victims that it finds in place of their bounds.
 *
 * The index is built in steps if the caller limits the work of a call. An update costs O(log nodes +
 * allocations there) for each node that changed, O(log nodes) for each node that was put aside, and O(1) for
 * each other node. After a node left, all nodes are put in order again.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_PREEMPTION_VICTIM_INDEX_H
#define YK_PREEMPTION_VICTIM_INDEX_H

#include "preemption/all_candidates.h"

/* Zeroed before its first use. */
struct yk_victim_index {
    uint64_t key; /* argument of the last yk_victim_index_reset() */
    struct yk_plan_pass pass;
    uint64_t last_use; /* set by the holder, which reuses the index with the smallest value; 0: never used */
    uint64_t compared; /* comparisons of two nodes so far; for tests */
    uint32_t *least;   /* owned; by node index: lower bound of the victims, or YK_NODE_NEVER */
    /* owned; by node index: 1 + place in `heap`; 0: not in `heap`; or KEPT (victim_index.c) */
    uint32_t *place;
    uint32_t *heap;    /* owned: `count` node indices, the smallest bound first */
    uint32_t *failed;  /* owned: indices of nodes that were put aside until any node changes */
    uint32_t capacity; /* of these four arrays */
    uint32_t count;    /* of `heap` */
    uint32_t kept;     /* nodes that yk_victim_index_keep() put aside and that have not changed since */
    uint32_t failed_count;
    struct yk_all_candidates candidates; /* victims on all nodes */
};
void yk_victim_index_done(struct yk_victim_index *victim_index);
/* Empties the index. From now on it is for asks that have `key`, a hash of all that the bounds depend on. */
void yk_victim_index_reset(struct yk_victim_index *victim_index, uint64_t key);
/* Brings the index up to date with `view`, for asks equal to `ask`, for which the index was reset. Call it
 * before the first yk_victim_index_take() of each plan. `scope` is set for the ask, and the caller has called
 * yk_node_search_prepare() for it. False: `*work` (yk_plan_pass_next()) was not enough. The index must not be
 * used then; the next call, with a new view, goes on. */
YK_NODISCARD bool yk_victim_index_update(struct yk_victim_index *victim_index,
                                         const struct yk_plan_view *view, const struct yk_scope *scope,
                                         const struct yk_ask *ask, uint32_t *work);
/* Removes the node with the smallest bound, and returns it, borrowed from the partition; NULL: none is left.
 * The caller checks the reservations of the node (yk_plan_view.is_free). Before the plan ends, the caller
 * calls one of the next three functions for the node. `view`: as in yk_victim_index_update(). */
struct yk_node *yk_victim_index_take(struct yk_victim_index *victim_index, const struct yk_plan_view *view);
/* Puts back a node that was taken out, with the new bound `least`. */
void yk_victim_index_put(struct yk_victim_index *victim_index, const struct yk_plan_view *view,
                         const struct yk_node *node, uint32_t least);
/* Puts aside a node that was taken out and could not be used: the first update after a change of any node
 * puts it back. */
void yk_victim_index_put_aside(struct yk_victim_index *victim_index, const struct yk_node *node);
/* Puts aside a node that was taken out and is reserved for another ask: the first update after a change of
 * this node puts it back. */
void yk_victim_index_keep(struct yk_victim_index *victim_index, const struct yk_node *node);

#endif
