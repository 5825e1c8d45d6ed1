/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dry runs: what queues, nodes, users and groups would have if some allocations ended and some asks got
 * nodes. Each step changes the amounts that decisions read, and is recorded. When all steps have been undone,
 * every amount is exactly what it was. A dry run reports, wakes and sends nothing, and nothing else may
 * happen on the scheduling thread before it is undone, except another dry run that is undone first.
 *
 * Owns:   the list of steps. Asks and nodes are borrowed until their steps are undone.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.6; 6.1 steps 6 and 8.
 */
#ifndef YK_PREEMPTION_DRY_RUN_H
#define YK_PREEMPTION_DRY_RUN_H

#include "objects/app.h"

struct yk_node_order;

enum yk_dry_kind {
    YK_DRY_PUT, /* counts the ask, which stays pending, as if it were allocated on the node */
    /* Counts the allocation on the node as if it had ended, and marks it (YK_ASK_REPLACING), so that no
     * preemption plan chooses it. */
    YK_DRY_END,
    YK_DRY_END_VICTIM, /* the same, and counts it as a victim in the budgets of its queues */
    /* Counts the allocation as a victim that will end: in `preempting` and the budgets of its queues, and its
     * size in `nominated` of the queues of the ask. Amounts of the node do not change. */
    YK_DRY_VICTIM,
};

struct yk_dry_step {
    enum yk_dry_kind kind;
    struct yk_ask *ask;   /* or allocation */
    struct yk_node *node; /* where it is put, or allocated */
};

/* Zeroed before its first use. End it with yk_dry_run_done(). */
struct yk_dry_run {
    /* Set by the caller before the first step. */
    int64_t now_mono_ns;   /* when victims count in budgets */
    struct yk_queue *leaf; /* of the ask for which victims (YK_DRY_VICTIM) end; NULL: they end for no ask */
    /* For steps that change amounts of nodes: their order, borrowed, and yk_preempt_node_tried(). */
    struct yk_node_order *node_order;
    void (*node_tried)(struct yk_partition *partition, const struct yk_node *node);
    /* The steps. The caller only reads them. */
    struct yk_dry_step *steps; /* owned; as many as `asks` */
    struct yk_vec asks;        /* struct yk_ask: that of the step with the same index */
    size_t capacity;           /* of `steps` */
    struct yk_resvec booked;   /* what the steps have added to `nominated` of the leaf */
};

/* Adds a step. Checks nothing: neither capacity and limits, nor guarantees. O(depth), if amounts of the node
 * change O(depth + log nodes). */
void yk_dry_run_add(struct yk_dry_run *run, enum yk_dry_kind kind, struct yk_ask *ask, struct yk_node *node);
/* Undoes the step with that index, which is returned. The order of the others stays the same. O(steps), in
 * addition to the cost of yk_dry_run_add(). */
struct yk_dry_step yk_dry_run_remove(struct yk_dry_run *run, size_t index);
/* Does a step again that yk_dry_run_remove() has removed from `index`. O(steps), likewise. */
void yk_dry_run_insert(struct yk_dry_run *run, size_t index, const struct yk_dry_step *step);
/* Undoes the steps from index `count` on, the last one first. */
void yk_dry_run_undo(struct yk_dry_run *run, size_t count);
/* Undoes all steps and frees the memory. */
void yk_dry_run_done(struct yk_dry_run *run);

#endif
