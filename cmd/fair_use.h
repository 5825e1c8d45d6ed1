/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An upper bound of what any scheduler can have in use while the shares of the queues are fair.
 *
 * Jain's index of the ratios x = used / owed of n queues is J or more only if no ratio is below r times the
 * mean of the others, with r from (n - 1 + r)^2 = J n (n - 1 + r^2). That is one linear inequality for each
 * queue. For any price >= 0 of an inequality, a pod is worth its size plus the price times its part in the
 * inequality. The sum over the nodes of the most valuable packing, plus the price times what the half pods
 * (`half_pod`) have in the inequality, is then an upper bound of what is in use (weak duality). The bound
 * holds for every scheduler: it assumes that pods can be moved at any time without cost, and that there are
 * always enough pods.
 *
 * Thread: any.
 * Source: docs/reference/simulate.md, "Bound of use".
 */
#ifndef YK_CMD_FAIR_USE_H
#define YK_CMD_FAIR_USE_H

#include "resources/resvec.h"

/* A leaf queue. Amounts in base units. */
struct yk_fair_leaf {
    /* The resource type in which its use is compared with what it is owed. Only leaves with another type than
     * that of struct yk_fair_use, and with `least` above 0, can lower the bound. */
    int type;
    double least, most; /* each amount from `least` to `most` counts as what it is owed */
    /* Its use may differ by this amount from what it is owed, and still counts as equal. */
    double half_pod;
};

/* Pods of one size in one leaf. The bound assumes that there are always enough of them. */
struct yk_fair_pod {
    const struct yk_resvec *size; /* borrowed; the amount of at least one type is not 0 */
    size_t leaf;                  /* index in `leaves`; SIZE_MAX: its queue is not among them */
};

/* Equal nodes. */
struct yk_fair_node {
    struct yk_resvec capacity; /* of each node */
    size_t count;              /* number of nodes */
    uint64_t *pods;            /* borrowed: bit i % 64 of word i / 64 is set if pod i may run there */
};

/* The input; all arrays are borrowed. */
struct yk_fair_use {
    int type; /* the resource type whose use is bounded */
    const struct yk_fair_leaf *leaves;
    size_t leaf_count;
    const struct yk_fair_pod *pods;
    size_t pod_count;
    const struct yk_fair_node *nodes;
    size_t node_count;
};

/* An upper bound of the amount of `in->type` in use, in base units, while Jain's index is `jain` (0 to 1) or
 * more. HUGE_VAL: the condition sets no bound, because no leaf lowers it (struct yk_fair_leaf), or because
 * `jain` is (n - 1) / n or less for n leaves, or n is 0 or 1. O(pods^2 + leaves * nodes * cost of
 * yk_packing_bound()). */
double yk_fair_use_bound(const struct yk_fair_use *in, double jain);

#endif
