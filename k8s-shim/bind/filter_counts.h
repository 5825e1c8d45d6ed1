/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many pods that no node takes are kept from nodes by which filter. A filter has the name of the plugin of
 * kube-scheduler that does the same.
 *
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md 10.4.
 */
#ifndef YK_BIND_FILTER_COUNTS_H
#define YK_BIND_FILTER_COUNTS_H

#include "si.h"

enum { YK_FILTERS = 12 };

struct yk_filter_counts {
    uint64_t pods[YK_FILTERS];
};

/* "NodeAffinity"; static. `filter`: 0 to YK_FILTERS - 1. */
const char *yk_filter_name(int filter);
/* Adds the bit of the obstacle to `context`, a uint32_t. For yk_si_obstacle_sink. */
void yk_filter_take_obstacle(void *context, const struct yk_si_node_obstacle *obstacle);
/* The bit for a reason that concerns all nodes alike. */
uint32_t yk_filter_bit_of_reason(enum yk_si_reason reason);
/* Counts `pods` pods more (or fewer) for each filter whose bit is set. */
void yk_filter_counts_add(struct yk_filter_counts *counts, uint32_t bits, int64_t pods);

#endif
