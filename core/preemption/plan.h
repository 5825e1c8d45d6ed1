/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan: on which node an ask could run if which allocations ended. Making one changes nothing.
 *
 * A plan is worth carrying out as a whole only: with all its victims gone the ask fits on the node, within
 * all maxima above it and within what is guaranteed to its leaf; without any one of them it would not. A plan
 * without victims gives the ask a node that another has reserved and that has capacity for it.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 steps 3 to 9, D16.
 */
#ifndef YK_PREEMPTION_PLAN_H
#define YK_PREEMPTION_PLAN_H

#include "preemption/victim_index.h"

enum { YK_VICTIM_INDEXES = 4 }; /* kinds of asks that are remembered */

struct yk_planner {
    struct yk_scope scope;
    struct yk_trial trial;
    struct yk_node_chooser chooser;
    struct yk_victim_index victim_indexes[YK_VICTIM_INDEXES];
    uint64_t uses;
    struct yk_vec looked_at; /* struct yk_node: out of the market while the plan is made */
    struct yk_vec later;     /* struct yk_ask: candidates that share a disruption budget with victims */
    /* The last plan. */
    struct yk_node *node;
    struct yk_vec victims; /* struct yk_ask, in order of choice */
};
void yk_planner_done(struct yk_planner *planner);

enum yk_plan {
    YK_PLAN_FOUND,
    YK_PLAN_NO_HELP,    /* no victims anywhere would let it run */
    YK_PLAN_KEPT,       /* the same, but some nodes were not considered: they are kept for others */
    YK_PLAN_GUARANTEES, /* it would be above what is guaranteed to its leaf */
    YK_PLAN_SHORT,      /* there are victims, not enough for its queues */
};
/* A hash of what a plan depends on: leaf, shape and priority of the ask. Asks with the same key share plans;
 * collisions of the 64 bits are accepted. */
uint64_t yk_plan_key(const struct yk_ask *ask);
/*
 * Looks for a node and victims for the pending `ask`. YK_PLAN_FOUND: they are in `planner->node` and
 * `planner->victims`, valid until the next call. Changes no other state. `planner` is zeroed before its first
 * use, and freed with yk_planner_done(). Costs O(depth * victims there) for each of about ten nodes, and the
 * update of the victim index (preemption/victim_index.h).
 */
enum yk_plan yk_plan_make(struct yk_planner *planner, const struct yk_plan_view *view, struct yk_ask *ask);

#endif
