/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans for gangs: a node for each missing placeholder of a gang (or for one ask of another application), and
 * the allocations that have to end for it. Making one changes nothing.
 *
 * A plan uses what is free first, then what incomplete gangs hold, then, if that is allowed, what preemption
 * may take (scheduling.md 6.1). It is whole or there is none; of its victims none could be left out.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.6, 5.7, 5.9.
 */
#ifndef YK_GANGS_GANG_PLAN_H
#define YK_GANGS_GANG_PLAN_H

#include "gangs/dry_run.h"
#include "gangs/gang_order.h"

struct yk_gang_plan {
    /* Set by the caller. */
    struct yk_partition *partition;
    struct yk_gang *gang; /* for which it is; NULL: for an ask of an application that is no gang */
    struct yk_claim claim;
    bool may_preempt;
    struct yk_vec asks; /* struct yk_ask: pending */
    /* Set by yk_gang_plan_begin(). */
    struct yk_bitset useful; /* nodes whose placeholders could help, if no limit refuses the asks ... */
    bool any_is_useful;      /* ... or else those on all nodes */
    /* The plan. */
    struct yk_vec nodes;   /* struct yk_node, one for each ask */
    struct yk_vec victims; /* struct yk_ask: allocations that are to end */
    /* While it is made. */
    struct yk_dry_run run;
    const struct yk_vec *givers; /* struct yk_gang: their placeholders may be given up, in that order */
    size_t givers_used;
    struct yk_vec pool; /* struct yk_ask: the placeholders of the givers so far */
    size_t pool_used;
};

/* Appends the pending placeholders of the gang (struct yk_ask, borrowed) to `ret_asks`, in order. */
void yk_gang_plan_list_missing(const struct yk_gang *gang, struct yk_vec *ret_asks);
/* Whether preemption could help the application at all: it is on, and something is guaranteed to it. */
bool yk_gang_plan_could_preempt(const struct yk_app *app);
/* Finds the nodes whose placeholders could help: to be called before the givers are listed.
 * O(asks + nodes with placeholders of incomplete gangs). */
void yk_gang_plan_begin(struct yk_gang_plan *plan);
/*
 * Makes the plan. `givers` (struct yk_gang): incomplete gangs that may give way, in that order. False: there
 * is none. O(asks * search for a node + placeholders of the givers * asks), and plans of preemption.
 */
bool yk_gang_plan_make(struct yk_gang_plan *plan, const struct yk_vec *givers);
void yk_gang_plan_done(struct yk_gang_plan *plan);

#endif
