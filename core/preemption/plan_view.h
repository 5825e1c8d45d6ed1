/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state that a plan reads, and passes over the nodes that have changed. A pass may take several steps. If
 * nodes change between these steps, another pass over these nodes follows.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_PREEMPTION_PLAN_VIEW_H
#define YK_PREEMPTION_PLAN_VIEW_H

#include "preemption/node_choice.h"

/* The state that a plan reads. All pointers are borrowed while the plan is made. Written by: the caller. */
struct yk_plan_view {
    struct yk_queue *root;
    void *const *nodes; /* struct yk_node by index; NULL: none has that index */
    uint32_t node_count;
    uint64_t change;         /* a counter that grows with each change that could help an ask; at least 1 */
    const uint64_t *changed; /* by node index: value of `change` when the node changed last */
    uint64_t all_changed;    /* value of `change` when something changed that concerns all nodes; 0: never */
    uint64_t last_left;      /* value of `change` when a node left last; 0: never */
    /* Nodes and allocations that one call looks at to update its index and lists; UINT32_MAX: all. */
    uint32_t work_max;
    struct yk_victim_ranking ranking;
    int64_t now_wall_ns, now_mono_ns;
    /* Whether the ask may use the node as far as reservations are concerned: other asks have not reserved it,
     * or give way to this one. Capacity does not matter. */
    bool (*is_free)(void *context, const struct yk_node *node, const struct yk_ask *ask);
    /* Whether the node, for which is_free() is true, is reserved for another ask, which gives way. */
    bool (*displaces)(void *context, const struct yk_node *node, const struct yk_ask *ask);
    void *context; /* the first argument of both functions; may be NULL */
};

/* How far the results that were computed from the nodes are up to date. Zeroed: nothing was computed.
 * Written by: its functions. */
struct yk_plan_pass {
    uint64_t seen;  /* `change` of the view at the begin of the last pass that has ended; 0: none has ended */
    uint64_t begun; /* `change` of the view at the begin of the pass that is under way; 0: there is none */
    uint32_t next;  /* index of the node where the pass under way goes on */
};
/* Whether a pass is under way. */
static inline bool yk_plan_pass_is_under_way(const struct yk_plan_pass *pass)
{
    return pass->begun != 0;
}
/* Begins a pass over the nodes that have changed since the beginning of the last pass that has ended; after a
 * change that concerns all nodes, over all nodes. A pass that is under way is given up.
 *
 * The results are up to date only when `pass->seen` is `view->change`. Until then, the caller goes on with
 * the pass that is under way. It begins one if none is under way, and also if `view->all_changed` is above
 * `pass->begun`. A caller that stores pointers to nodes also begins one if `view->last_left` is above
 * `pass->begun`. */
void yk_plan_pass_begin(struct yk_plan_pass *pass, const struct yk_plan_view *view);
/* Sets `*ret_index` to the index of the next node of the pass; yk_plan_view.nodes may be NULL there. Lowers
 * `*work` by the cost of a look at the node, but not below 0. The cost is 1 plus the number of allocations on
 * the node. False: no node is left, or nothing was left of `*work`; yk_plan_pass_end() says which. */
bool yk_plan_pass_next(struct yk_plan_pass *pass, const struct yk_plan_view *view, uint32_t *work,
                       uint32_t *ret_index);
/* Call it after yk_plan_pass_next() has returned false. True: the pass has ended; if nodes have changed since
 * it began, the caller begins another one (yk_plan_pass_begin()). False: `*work` is used up, and the pass
 * goes on with the next call of yk_plan_pass_next(), which may be given a later view. */
bool yk_plan_pass_end(struct yk_plan_pass *pass, const struct yk_plan_view *view);

#endif
