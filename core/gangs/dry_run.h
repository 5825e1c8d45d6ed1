/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dry runs: what nodes, queues, users and groups would have if some allocations ended and some asks had their
 * nodes. Each step changes the amounts that decisions read, and is recorded; undoing the steps in reverse
 * restores every amount exactly. Nothing is reported, counted, woken or sent while a dry run lasts, and
 * nothing else may happen on the scheduling thread before it is undone.
 *
 * While an allocation is taken, it is marked so that no preemption plan chooses it as a victim.
 *
 * Owns:   the list of steps. Asks and nodes are borrowed until yk_dry_run_done().
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.6.
 */
#ifndef YK_GANGS_DRY_RUN_H
#define YK_GANGS_DRY_RUN_H

#include "state/partition.h"

struct yk_dry_run {
    struct yk_partition *partition;
    struct yk_vec asks;  /* struct yk_ask, one for each step */
    struct yk_vec nodes; /* struct yk_node of the same step; NULL: the step took the ask from its node */
    struct yk_vec over;  /* struct yk_ask: taken from where more was in use than node or limits allow */
};

/* Begins a dry run without steps. There is one at a time for a partition. End it with yk_dry_run_done(). */
void yk_dry_run_begin(struct yk_dry_run *run, struct yk_partition *partition);
/* Counts the pending ask as if it were allocated on `node`, until the dry run ends. Does not check the
 * capacity. O(depth + log nodes). */
void yk_dry_run_put(struct yk_dry_run *run, struct yk_ask *ask, struct yk_node *node);
/* Counts the allocation as if it had ended, until the dry run ends. O(depth + log nodes). */
void yk_dry_run_take(struct yk_dry_run *run, struct yk_ask *allocation);
/* Whether queues, user and group of the ask have headroom for it. */
bool yk_dry_run_has_headroom(const struct yk_ask *ask);
/*
 * Gives the allocation of step `step` (from yk_dry_run_take()) back to its node if what was put does not need
 * its end: node, queues, user and group still have capacity for both. Where more was in use than allowed
 * before the dry run, only what was put has to fit. False: nothing has changed. The step counts as undone
 * afterwards. O(depth + log nodes), and for such an allocation O(steps) times that.
 */
bool yk_dry_run_give_back(struct yk_dry_run *run, size_t step);
/* Undoes all steps and frees the list. */
void yk_dry_run_done(struct yk_dry_run *run);

#endif
