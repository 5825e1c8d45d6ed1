/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which node an ask may go to: its class, what is free, and what the resource manager says.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.6.
 */
#ifndef YK_STATE_NODE_SEARCH_H
#define YK_STATE_NODE_SEARCH_H

#include "state/partition.h"

/* Computes which nodes pass the fixed constraints of the ask's class (`feasible`), unless that is known. Call
 * it before yk_class_fits_there(). O(nodes) the first time for a class. */
void yk_node_search_prepare(struct yk_partition *partition, const struct yk_ask *ask);
/* The node is new or changed: asks the resource manager about it for each class whose `feasible` is computed.
 * O(classes). */
void yk_node_search_update(struct yk_partition *partition, const struct yk_node *node);
/* The node leaves: no class may use its index. O(classes). */
void yk_node_search_forget(struct yk_partition *partition, const struct yk_node *node);
/* Whether any node may pass the class now (class_fits_now() without a node). False: no search and no
 * preemption can help. `class_` NULL: true. */
bool yk_class_has_a_chance(const struct yk_partition *partition, const struct yk_class *class_);
/* Whether asks of the class, whose `feasible` is computed, could run on the node if it had free capacity.
 * `class_` NULL: true. */
bool yk_class_fits_there(const struct yk_partition *partition, const struct yk_class *class_,
                         const struct yk_node *node);
/* The node that takes the ask, borrowed, or NULL: the first one in order (policies/node_order.h), among those
 * that its class prefers if the class has preferences. A drained node only if the class tolerates that.
 * yk_node_search_prepare() is not needed before. Reserves and changes nothing. */
struct yk_node *yk_node_for(struct yk_partition *partition, const struct yk_ask *ask);
/* Whether the node passes the fixed constraints of the ask. Capacity and the allocations there are not
 * checked. */
bool yk_node_allows(const struct yk_partition *partition, const struct yk_ask *ask,
                    const struct yk_node *node);
/* Whether the ask passes the constraints of the placeholder's node once the placeholder has ended. Capacity
 * is not checked. */
bool yk_node_may_take_over(const struct yk_partition *partition, const struct yk_ask *ask,
                           const struct yk_ask *placeholder);
/* Whether the ask passes the constraints of the node once `gone` (struct yk_ask, on that node) have ended.
 * Capacity is not checked. */
bool yk_node_allows_without(const struct yk_partition *partition, const struct yk_ask *ask,
                            const struct yk_node *node, const struct yk_vec *gone);
/* Whether the ask may reserve the node: it passes all constraints that cannot change while the ask waits for
 * capacity there (YK_SI_TO_RESERVE). Capacity is not checked. */
bool yk_node_may_be_reserved(const struct yk_partition *partition, const struct yk_ask *ask,
                             const struct yk_node *node);
/* Whether the node has free capacity for the ask and passes all its constraints now. The node need not be in
 * the node order. */
bool yk_node_takes(const struct yk_partition *partition, const struct yk_ask *ask,
                   const struct yk_node *node);

#endif
