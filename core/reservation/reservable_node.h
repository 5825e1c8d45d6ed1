/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which node to reserve for an ask that fits on none: the one that lacks least of it.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_RESERVABLE_NODE_H
#define YK_RESERVATION_RESERVABLE_NODE_H

#include "state/partition.h"

/*
 * The unreserved schedulable node that could serve the ask and where the part of the ask that does not fit is
 * smallest (the sum over types of the missing share of the ask). Of equal ones, the node where something
 * ended last, then in node order; 64 equal ones are compared at most. Nodes on which something was placed at
 * or after `active_since_mono_ns`, and where others have enough for the ask, go first. NULL: no node could
 * serve the ask, or it is not capacity that it lacks. Branches of the node order that lack more are passed
 * by.
 */
struct yk_node *yk_reservable_node(struct yk_partition *partition, const struct yk_ask *ask,
                                   int64_t active_since_mono_ns);

/* How much of `size` the free capacity of the node lacks: the sum over types of the missing part of the
 * amount, each from 0 to 1. 0: it fits. */
double yk_node_lacks(const struct yk_node *node, const struct yk_resvec *size);

#endif
