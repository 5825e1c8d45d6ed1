/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes whose free capacity has not been offered to waiting asks yet, such as nodes where an allocation
 * ended, and nodes that are new, schedulable again or larger.
 *
 * In the regular walk, yk_freed_search_first_group() (reservation/freed_search.h) finds the first waiting
 * group, in the order of the cycle, that fits on one of them. The same function removes a node from the list
 * if no waiting group fits on it. So the cost of an allocation that ends depends on how many asks can start
 * because of it, not on how many wait.
 *
 * Invariant: a parked shape that is not to be tried again (yk_freed_nodes_retry()) fits on no unreserved node
 * outside this list (docs/design.md, Invariants 5).
 * Thread: scheduling thread only.
 */
#ifndef YK_PENDING_FREED_NODES_H
#define YK_PENDING_FREED_NODES_H

#include "state/partition.h"

/* Initialises the lists of `partition->pending`. Call it once per partition, before any other function of
 * core/pending. */
void yk_freed_nodes_init(struct yk_partition *partition);
/* Adds the node to the list; no effect if the node is in the list or is being removed (`leaving`). Call it if
 * the node is unchanged, but a waiting ask may use it now: a search has found the node for this ask, or the
 * node is reserved and an ask may use it in spite of this. After a change of the node, call
 * yk_wake_for_node() instead, which also looks at nominated asks, gangs and the reservations of the node.
 * O(1). */
void yk_freed_nodes_add(struct yk_partition *partition, struct yk_node *node);
/* Removes the node from the list; no effect if it is not there. Call it before the node leaves the
 * partition. */
void yk_freed_nodes_remove(struct yk_node *node);
/* Call it if some node may take asks of `shape` now, but it is not known which node: the next turns search a
 * node for these asks (reservation/freed_search.h). No effect if the shape is not parked. When nodes may pass
 * a class now, yk_wake_class() calls it for all shapes of the class, and wakes what else waits. O(1). */
void yk_freed_nodes_retry(struct yk_partition *partition, struct yk_shape *shape);
/* Ends what yk_freed_nodes_retry() began; call it after no node was found for the shape, or no group could be
 * placed on the node. The shape stays parked. No effect if the shape is not to be tried again. O(1). */
void yk_freed_nodes_end_retry(struct yk_shape *shape);
/* Call it if no node was found after all for the group that yk_freed_search_first_group() returned, the group
 * waits for nodes again (YK_WAIT_NODES), and the attempt made no reservation (`sequence` of
 * yk_partition.reservation is the same; otherwise the reserved node may have been the one that fits): removes
 * all nodes from the list, and ends the retries of shapes for which a node has been searched since the last
 * decision, so that the same group is not returned again. O(both). */
void yk_freed_nodes_refused(struct yk_partition *partition);
/* Whether there is a node to be looked at, or a shape to be tried again. O(1). */
bool yk_freed_nodes_has_work(const struct yk_partition *partition);

#endif
