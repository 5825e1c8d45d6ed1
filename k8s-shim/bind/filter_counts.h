/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For each node filter, the number of unschedulable pods for which the filter refuses at least one node. Each
 * filter has the name of the plugin of kube-scheduler that does the same, except "Reserved" (the node is
 * reserved for another ask) and "Other" (all other reasons).
 *
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md 10.4.
 */
#ifndef YK_BIND_FILTER_COUNTS_H
#define YK_BIND_FILTER_COUNTS_H

#include "si.h"

enum { YK_FILTERS = 15 };

struct yk_filter_counts {
    uint64_t pods[YK_FILTERS]; /* the index is the number of the filter */
};

/* The name of a filter, such as "NodeAffinity"; static. `filter`: 0 to YK_FILTERS - 1. */
const char *yk_filter_name(int filter);
/* Sets the bit of the filter that `obstacle` names; a yk_si_obstacle_sink. `context`: a uint32_t, in which
 * bit i stands for filter i. */
void yk_filter_take_obstacle(void *context, const struct yk_si_node_obstacle *obstacle);
/* The bit of the filter for a reason that is the same for all nodes: NodeResourcesFit, VolumeBinding or
 * Other. Call it only if no nodes were counted (yk_explained.are_nodes_counted, predicates/explain.h):
 * otherwise the bits are those that yk_filter_take_obstacle() has set. */
uint32_t yk_filter_bit_of_reason(enum yk_si_reason reason);
/* Adds `pods`, which may be negative, to the number of each filter whose bit is set. */
void yk_filter_counts_add(struct yk_filter_counts *counts, uint32_t bits, int64_t pods);

#endif
