/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan: a node for an ask, and the victims, which are the allocations that have to end so that the ask can
 * run there. Making a plan changes no queue and no node.
 *
 * A plan is useful only as a whole. After all its victims have ended, the ask fits on the node, below the
 * maxima of its queues and within the guarantee of its leaf. If one victim were left out, it would not fit. A
 * plan without victims gives the ask a node that has, or will have, capacity for it but is reserved for
 * another ask.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 steps 3 to 9, D16.
 */
#ifndef YK_PREEMPTION_PLAN_H
#define YK_PREEMPTION_PLAN_H

#include "preemption/victim_index.h"

enum { YK_VICTIM_INDEXES = 4 }; /* victim indexes that are kept: one for each of the last kinds of asks */

/* What the planner keeps between plans, and its last plan. Zeroed before its first use. */
struct yk_planner {
    struct yk_scope scope;
    struct yk_trial trial;
    struct yk_node_chooser chooser;
    struct yk_victim_index victim_indexes[YK_VICTIM_INDEXES];
    uint64_t uses;           /* how often victim indexes were used so far */
    struct yk_vec looked_at; /* struct yk_node: taken out of the victim index while the plan is made */
    struct yk_vec later;     /* struct yk_ask: candidates that share a disruption budget with victims */
    /* The last plan, valid after YK_PLAN_FOUND. */
    struct yk_node *node;  /* borrowed */
    struct yk_vec victims; /* struct yk_ask, borrowed, in order of choice; may be empty */
};
void yk_planner_done(struct yk_planner *planner);

enum yk_plan {
    YK_PLAN_FOUND,
    /* There is no node where the end of victims would let the ask run, or the ask will fit without
     * victims. */
    YK_PLAN_NO_HELP,
    YK_PLAN_KEPT, /* as YK_PLAN_NO_HELP, but reserved nodes were left out */
    /* nothing is guaranteed for the ask, it exceeds the guarantee, or no victim may be taken */
    YK_PLAN_GUARANTEES,
    YK_PLAN_SHORT,      /* all victims together are not enough for the headroom of its queues */
    YK_PLAN_UNFINISHED, /* the index needs more work than `work_max` of the view; call again to go on */
};
/* A hash of what a plan depends on: the path of the leaf, the shape and the priority of the ask, which is in
 * a leaf. Asks with the same key get the same plan, as long as nothing changes, except that nodes may be
 * reserved for one of them. Collisions of the 64-bit hash are accepted. */
uint64_t yk_plan_key(const struct yk_ask *ask);
/*
 * Looks for a node and victims for the pending `ask`. YK_PLAN_FOUND: they are in `planner->node` and
 * `planner->victims`, valid until the next call, or until one of them ends. To carry the plan out, the caller
 * reserves the node (yk_reserve() with YK_RESERVE_PREEMPTION; if that fails, it stops here), and calls
 * yk_nomination_make(), yk_preemption_note(), yk_victims_take() and, for the node, yk_preempt_node_tried(),
 * in this order. YK_PLAN_UNFINISHED: call it again, for an equal ask, to go on. A step of yk_preempt_try()
 * and yk_preempt_plan(), which other modules call.
 *
 * Before the call, the caller has called yk_node_search_prepare() for the ask, and has checked what this
 * function does not: that preemption is enabled; that the ask may preempt (YK_ASK_PREEMPT_OTHER), has no
 * nomination and no required node, and is old enough; and that its application may start within the limits of
 * its user and group.
 *
 * Changes no state but the planner: what the dry run counts in the queues is undone before the function
 * returns. Afterwards, `planner->trial.victim_limits.wait_ns` says whether limits of victims refused an
 * allocation (preemption/victim_limits.h). Cost: calls yk_node_choose() for one node after the other, until
 * ten nodes would do, or up to 1,000 while each needs victims with a rank above 0; and updates the victim
 * index (preemption/victim_index.h).
 */
enum yk_plan yk_plan_make(struct yk_planner *planner, const struct yk_plan_view *view, struct yk_ask *ask);

#endif
