/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much can be in use at most while the shares of the queues are fair, for any scheduler.
 *
 * Jain's index of the ratios x = used / owed of n queues is J or more only if no ratio is below r times the
 * mean of the others, with r from (n - 1 + r)^2 = J n (n - 1 + r^2). That is one linear inequality for each
 * queue. For any price >= 0 of an inequality, the sum over the nodes of the most valuable packing, where a
 * pod is worth its size and its part in the inequality times the price, is an upper bound of what is in use
 * (weak duality). It needs no knowledge of any scheduler: pods may be moved at any time and at no cost, and
 * demand has no end.
 *
 * Thread: any.
 * Source: docs/reference/simulate.md, "Bound of use".
 */
#ifndef YK_CMD_FAIR_USE_H
#define YK_CMD_FAIR_USE_H

#include "resources/resvec.h"

struct yk_fair_leaf {
    int type;           /* in which use and debt are compared */
    double least, most; /* owed: any amount between them is right; `least` 0: the queue may have nothing */
    double half_pod;    /* use this far from what is owed is right, too */
};

struct yk_fair_pod {
    const struct yk_resvec *size; /* borrowed; some type is not 0 */
    size_t leaf;                  /* index; SIZE_MAX: of a queue that is not compared */
};

struct yk_fair_node {
    struct yk_resvec capacity;
    size_t count;   /* nodes that are equal */
    uint64_t *pods; /* borrowed: bit per pod that may run there */
};

struct yk_fair_use {
    int type; /* whose use is bounded */
    const struct yk_fair_leaf *leaves;
    size_t leaf_count;
    const struct yk_fair_pod *pods;
    size_t pod_count;
    const struct yk_fair_node *nodes;
    size_t node_count;
};

/* An upper bound of what is in use of `in->type` while Jain's index is `jain` (0 to 1) or more. HUGE_VAL: fair
 * shares bound nothing. O(leaves * nodes * packing). */
double yk_fair_use_bound(const struct yk_fair_use *in, double jain);

#endif
