/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans: a node for each missing placeholder of a gang, or for one ask that is no placeholder, and the
 * allocations that have to end for them. Making a plan changes nothing.
 *
 * A plan uses free capacity first, then placeholders of incomplete gangs, then, if `may_preempt`, other
 * allocations that preemption may end (scheduling.md 6.1). It has a node for every ask. Allocations that the
 * asks do not need are left out in the end.
 *
 * Call yk_gang_plan_begin(), yk_gang_plan_make() and yk_gang_plan_done(), in this order.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.6, 5.7, 5.9.
 */
#ifndef YK_GANGS_GANG_PLAN_H
#define YK_GANGS_GANG_PLAN_H

#include "gangs/gang_order.h"
#include "preemption/dry_run.h"

struct yk_gang_plan {
    /* Set by the caller; all other fields are zero at first. */
    struct yk_partition *partition;
    /* The gang that is to start; NULL: the plan is for an ask that is no placeholder. */
    struct yk_gang *gang;
    struct yk_claim claim; /* of the asks */
    bool may_preempt;      /* if need be, allocations that preemption may end are victims, too */
    struct yk_vec asks;    /* struct yk_ask: pending asks of one application */
    /* Set by yk_gang_plan_begin(). */
    struct yk_bitset useful; /* indexes of nodes where the end of placeholders could help */
    bool any_is_useful;      /* true: the end of any placeholder could help, and `useful` is not used */
    /* The plan, set by yk_gang_plan_make(). */
    struct yk_vec nodes;   /* struct yk_node: that of the ask with the same index */
    struct yk_vec victims; /* struct yk_ask: allocations that have to end */
    /* Used while the plan is made. */
    struct yk_dry_run run;
    const struct yk_vec *givers; /* struct yk_gang: their placeholders may be given up, in this order */
    size_t givers_used;          /* number of givers whose placeholders are in `pool`, the first ones */
    struct yk_vec pool;          /* struct yk_ask: the useful placeholders of these givers */
    size_t pool_used;            /* number of placeholders of `pool` that were taken, the first ones */
    /* struct yk_ask: allocations that, right after they were taken, would not have fitted again: too much was
     * in use on the node or below a limit */
    struct yk_vec over;
};

/* Appends the pending placeholders of the gang (struct yk_ask, borrowed) to `ret_asks`, in the order of the
 * cycle. */
void yk_gang_plan_list_missing(const struct yk_gang *gang, struct yk_vec *ret_asks);
/* Whether preemption could help the application at all: preemption is enabled in the partition, and the leaf
 * of the application or a queue above has a guarantee. O(depth). */
bool yk_gang_plan_could_preempt(const struct yk_app *app);
/* Whether the queues, the user and the group of the ask have headroom for it now, in the dry run of a plan or
 * outside of one. Before the group of users is chosen (yk_usage_choose_group()), its limits do not count.
 * Amounts that are nominated for the user or group do not count as used: for an ask that preempts, the caller
 * also checks yk_nomination_could_start(). */
bool yk_gang_plan_has_headroom(const struct yk_ask *ask);
/* Finds the nodes where the end of placeholders could help. Call it in a look, after the counts of
 * yk_gang_order_count() and yk_gang_supply_count(). O(asks + their shapes * allocations on nodes with
 * placeholders of incomplete gangs). */
void yk_gang_plan_begin(struct yk_gang_plan *plan);
/*
 * Makes the plan. `givers` (struct yk_gang): incomplete gangs that may give way (yk_gang_supply_may_give());
 * the first one gives up placeholders first; borrowed until yk_gang_plan_done(). False: there is no plan, and
 * `nodes` and `victims` must not be used. Costs a few searches for a node per ask, some steps of the dry run
 * per placeholder of the givers (preemption/dry_run.h), and plans of preemption.
 */
bool yk_gang_plan_make(struct yk_gang_plan *plan, const struct yk_vec *givers);
/* Frees the vectors of the plan, `asks` included. Call it also if there is no plan. */
void yk_gang_plan_done(struct yk_gang_plan *plan);

#endif
