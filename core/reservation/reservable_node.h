/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the node to reserve for an ask that fits on no node.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_RESERVABLE_NODE_H
#define YK_RESERVATION_RESERVABLE_NODE_H

#include "state/partition.h"

/*
 * The unreserved schedulable node that could serve the pending ask (yk_node_could_serve()) and where
 * yk_node_lacks() is smallest; NULL: there is none. Among equal nodes it is the one where an allocation ended
 * last, then the first in node order; of many equal nodes, some may be left out. Prefers nodes where an
 * allocation began within the last yk_reservation_look_patience_ns(), if they would have capacity for the ask
 * after all allocations of other groups had ended. Nodes with free capacity for the ask are left out:
 * something else refuses the ask there. Borrowed from the partition. yk_node_search_prepare() is not needed
 * before. Reserves nothing: the caller calls yk_reserve(). At most O(nodes).
 */
struct yk_node *yk_reservable_node(struct yk_partition *partition, const struct yk_ask *ask);

/* How much of `size` the node lacks: the sum of the missing parts of its amounts. Each part is from 0 to 1.
 * 0: `size` fits into the free capacity. */
double yk_node_lacks(const struct yk_node *node, const struct yk_resvec *size);

#endif
