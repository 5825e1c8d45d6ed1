/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts allocations on their nodes.
 *
 * Thread: scheduling thread only.
 * Source: docs/design.md, Invariants 2.
 */
#ifndef YK_PARTITION_NODE_ACCOUNTING_H
#define YK_PARTITION_NODE_ACCOUNTING_H

#include "state/partition.h"

/* Counts `ask`, of an application or foreign, on `node`, which becomes `ask->node`. The ask is on no node and
 * is not among the pending asks of its group (yk_accounting_sub_pending() was called). Updates the node
 * order, calls yk_preempt_node_changed(), and records an event. Does not check the capacity, and changes no
 * amounts of queues or applications: for an allocation that starts, call yk_accounting_add_allocation(),
 * which calls this function. After a foreign allocation was counted, the caller calls
 * yk_reservations_node_changed(). */
void yk_node_book(struct yk_partition *partition, struct yk_node *node, struct yk_ask *ask);
/* Takes back what yk_node_book() did, on the node of the ask, and wakes asks that may fit there now
 * (yk_wake_for_node()). Records an event. `ask->node` is NULL afterwards; the caller frees the ask or counts
 * it elsewhere. Changes no amounts of queues or applications, so it is not enough for an allocation that
 * ends. */
void yk_node_unbook(struct yk_partition *partition, struct yk_ask *ask);

#endif
