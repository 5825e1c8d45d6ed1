/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index for equal asks: the nodes where victims are, ordered by a lower bound of the number of victims
 * that are needed. The bound ignores guarantees, so it stays true while the node does not change. Plans look
 * at the first few nodes closely and correct their bounds.
 *
 * Built once in O(nodes + allocations); brought up to date in O(nodes that changed * log nodes), and a look
 * at one number per node. After a node left, all nodes are put in order again.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_PREEMPTION_VICTIM_INDEX_H
#define YK_PREEMPTION_VICTIM_INDEX_H

#include "preemption/all_candidates.h"

/* The state that a plan reads. All pointers are borrowed while the plan is made. */
struct yk_plan_view {
    struct yk_queue *root;
    void *const *nodes; /* struct yk_node by index; NULL: none */
    uint32_t node_count;
    const uint64_t *changed; /* by node index: `change` when it changed last */
    uint64_t change;         /* grows with each change that could help an ask */
    uint64_t all_changed;    /* the same of what concerns all nodes */
    uint64_t last_left;      /* the same of the node that left last; 0: none has */
    struct yk_victim_ranking ranking;
    int64_t now_wall_ns, now_mono_ns;
    /* Whether the node is free for the ask, apart from capacity: no other ask has reserved it for good. */
    bool (*is_free)(void *context, const struct yk_node *node, const struct yk_ask *ask);
    /* Whether another ask has reserved the node, which is free for this one all the same. */
    bool (*displaces)(void *context, const struct yk_node *node, const struct yk_ask *ask);
    void *context;
};

struct yk_victim_index {
    uint64_t key, seen, last_use; /* `seen`: the view's `change` */
    uint64_t compared;            /* pairs of nodes so far */
    uint32_t *least, *place,
        *heap; /* by node index: bound, 1 + place in the heap, or KEPT; node indices. Owned */
    uint32_t capacity, count;
    uint32_t kept;    /* nodes that yk_victim_index_keep() took out and that have not changed since */
    uint32_t *failed; /* node indices: looked at without success, to be tried again after any change. Owned */
    uint32_t failed_count;
    struct yk_all_candidates candidates; /* victims on any node */
};
void yk_victim_index_done(struct yk_victim_index *victim_index);
/* Empties the index and makes it that of asks with `key` (yk_plan_key()). */
void yk_victim_index_reset(struct yk_victim_index *victim_index, uint64_t key);
/* Brings the index up to the state that `view` shows, for an ask of the size of `ask`. O(nodes) to find
 * the changed ones, and the allocations of those. */
void yk_victim_index_update(struct yk_victim_index *victim_index, const struct yk_plan_view *view,
                            const struct yk_scope *scope, const struct yk_ask *ask);
/* Removes the node that needs the fewest victims, and returns it; NULL: none is left. The caller then calls
 * one of the next three functions for it. */
struct yk_node *yk_victim_index_take(struct yk_victim_index *victim_index, const struct yk_plan_view *view);
/* Puts a node back that was taken out, with the new bound `least`. */
void yk_victim_index_put(struct yk_victim_index *victim_index, const struct yk_plan_view *view,
                         const struct yk_node *node, uint32_t least);
/* The node, which was taken out, could not be used: it comes back after the next change of any node. */
void yk_victim_index_put_aside(struct yk_victim_index *victim_index, const struct yk_node *node);
/* The node, which was taken out, is reserved for another ask: it comes back when it changes. */
void yk_victim_index_keep(struct yk_victim_index *victim_index, const struct yk_node *node);
#endif
