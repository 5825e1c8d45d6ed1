/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dry runs: what nodes, queues, users and groups would have if some allocations ended and some asks got
 * nodes. Each step changes the amounts that decisions read, and is recorded. When all steps have been undone,
 * every amount is exactly what it was. A dry run reports, wakes and sends nothing, and nothing else may
 * happen on the scheduling thread before it is undone.
 *
 * An allocation that is taken is marked (YK_ASK_REPLACING), so that no preemption plan chooses it as a
 * victim.
 *
 * Owns:   the list of steps. Asks and nodes are borrowed until yk_dry_run_done().
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.6.
 */
#ifndef YK_GANGS_DRY_RUN_H
#define YK_GANGS_DRY_RUN_H

#include "state/partition.h"

/* A dry run and its steps. The caller does not write its fields. */
struct yk_dry_run {
    struct yk_partition *partition; /* borrowed */
    struct yk_vec asks;             /* struct yk_ask, one for each step */
    /* The struct yk_node of the step with the same index; NULL: the step took the allocation. */
    struct yk_vec nodes;
    /* struct yk_ask: allocations that, right after they were taken, would not have fitted again: too much was
     * in use on the node or below a limit */
    struct yk_vec over;
};

/* Begins a dry run without steps; `run` may be uninitialised. A partition has at most one at a time. End it
 * with yk_dry_run_done(). */
void yk_dry_run_begin(struct yk_dry_run *run, struct yk_partition *partition);
/* Adds a step: counts the pending ask as if it were allocated on `node`. The ask itself does not change: it
 * stays pending. Does not check capacity or limits: the caller does (yk_node_takes(),
 * yk_dry_run_has_headroom()). O(depth + log nodes). */
void yk_dry_run_put(struct yk_dry_run *run, struct yk_ask *ask, struct yk_node *node);
/* Adds a step: counts the allocation, which was not taken before, as if it had ended. O(depth + log
 * nodes). */
void yk_dry_run_take(struct yk_dry_run *run, struct yk_ask *allocation);
/* Whether the queues, the user and the group of the ask have headroom for it now, in the dry run or outside
 * of one. Before the group of users is chosen (yk_usage_choose_group()), its limits do not count. Amounts
 * that are nominated for the user or group do not count as used: for an ask that preempts, the caller also
 * checks yk_nomination_could_start(). */
bool yk_dry_run_has_headroom(const struct yk_ask *ask);
/*
 * Undoes the step with index `step` (in `run->asks`), which took an allocation (yk_dry_run_take()), if the
 * asks that were put do not need the end of the allocation: its node, queues, user and group have capacity
 * for it beside these asks. For an allocation in `run->over`, only the asks that were put have to fit. True:
 * the step is removed, and the indexes of later steps are smaller by one. False: nothing has changed.
 * O(steps + depth + log nodes), for an allocation in `run->over` O(steps * (depth + log nodes)).
 */
bool yk_dry_run_give_back(struct yk_dry_run *run, size_t step);
/* Undoes all steps and frees the lists. */
void yk_dry_run_done(struct yk_dry_run *run);

#endif
