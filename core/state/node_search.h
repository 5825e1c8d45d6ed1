/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds nodes for asks, by the scheduling class, free capacity, and the answers of the resource manager
 * (si.h).
 *
 * `ask` is in a group (`ask->group`); it may be pending or not. The functions change nothing but
 * yk_class.feasible and yk_class.filled; yk_node_for() also changes data that the node order keeps for fast
 * searches. Only yk_node_for() leaves out nodes that are not schedulable, and reserved nodes. For the
 * functions about one node, the caller checks `schedulable`, `draining`, `leaving` and `reservations` of the
 * node if they matter.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.6.
 */
#ifndef YK_STATE_NODE_SEARCH_H
#define YK_STATE_NODE_SEARCH_H

#include "state/partition.h"

/* Computes which nodes pass the fixed constraints of the ask's class (yk_class.feasible), unless they were
 * computed before (yk_class.filled). Call it before yk_class_fits_there() and before a plan of
 * core/preemption is made. O(nodes) the first time for a class, or O(signatures). */
void yk_node_search_prepare(struct yk_partition *partition, const struct yk_ask *ask);
/* Call it after the node was added (`node->index` is set) or its constraints have changed: asks the resource
 * manager about the node again, for each class whose `feasible` is computed. The caller then calls
 * yk_wake_for_node(), so that waiting groups try the node. O(classes). */
void yk_node_search_update(struct yk_partition *partition, const struct yk_node *node);
/* Call it when the node is removed, before its index is used again: clears its bit in `feasible` of each
 * class. O(classes). */
void yk_node_search_forget(struct yk_partition *partition, const struct yk_node *node);
/* Whether the resource manager says that some node may pass the constraints of the class now
 * (class_fits_now() without a node). True does not mean that a node takes asks of the class; false: neither a
 * search nor preemption can help. `class_` NULL (an ask without constraints): true. */
bool yk_class_has_a_chance(const struct yk_partition *partition, const struct yk_class *class_);
/* Whether asks of the class pass all constraints of the node now. Capacity is not checked. `feasible` of the
 * class must be computed, by yk_node_search_prepare() or yk_node_for() for an ask of the class; otherwise the
 * answer is false. `class_` NULL: true. */
bool yk_class_fits_there(const struct yk_partition *partition, const struct yk_class *class_,
                         const struct yk_node *node);
/* The best node that has free capacity for the ask and passes all its constraints now; NULL: there is none.
 * It is the first node in order (policies/node_order.h), or, if the class has preferences, the first among
 * the nodes with the highest score. A node that drains is chosen last, and only if the class tolerates
 * draining nodes. Other nodes that are not schedulable, and reserved ones, are left out. Limits and
 * `required_node` are not checked. yk_node_search_prepare() is not needed before. Borrowed until the node is
 * removed. */
struct yk_node *yk_node_for(struct yk_partition *partition, const struct yk_ask *ask);
/* Whether the node passes the fixed constraints of the class (NULL: true). Capacity and constraints that depend on the
 * allocations there are not checked. yk_node_search_prepare() is not needed before. */
bool yk_node_allows_class(const struct yk_partition *partition, const struct yk_class *class_,
                          const struct yk_node *node);
/* The same for the class of an ask. */
bool yk_node_allows(const struct yk_partition *partition, const struct yk_ask *ask,
                    const struct yk_node *node);
/* Whether the ask could run in place of `placeholder`, an allocation: whether the ask passes the constraints
 * of the node of the placeholder after the placeholder has ended. Sizes and capacity are not checked. */
bool yk_node_may_take_over(const struct yk_partition *partition, const struct yk_ask *ask,
                           const struct yk_ask *placeholder);
/* Whether the ask passes the constraints of the node if the allocations `gone` (struct yk_ask, all on
 * that node; may be empty) have ended. Capacity is not checked. */
bool yk_node_allows_without(const struct yk_partition *partition, const struct yk_ask *ask,
                            const struct yk_node *node, const struct yk_vec *gone);
/* Whether the ask may reserve the node: it passes all constraints that cannot change while the ask waits for
 * capacity there (YK_SI_TO_RESERVE). Capacity is not checked. */
bool yk_node_may_be_reserved(const struct yk_partition *partition, const struct yk_ask *ask,
                             const struct yk_node *node);
/* Whether the node has free capacity for the ask and passes all its constraints now. Reservations of the
 * node, limits and whether the node is schedulable are not checked. yk_node_search_prepare() is not needed
 * before. */
bool yk_node_takes(const struct yk_partition *partition, const struct yk_ask *ask,
                   const struct yk_node *node);

#endif
