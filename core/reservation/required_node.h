/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks that may run on one node only, such as those of daemons.
 *
 * The node need not be schedulable. If the ask does not fit, the node is reserved for it at once, in place of
 * other asks, and allocations there whose priority is not higher are preempted once.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.7, 6.2.
 */
#ifndef YK_RESERVATION_REQUIRED_NODE_H
#define YK_RESERVATION_REQUIRED_NODE_H

#include "reservation/reservations.h"
#include "state/partition.h"
#include "state/turn.h"

/* Tries the first ask of the group, which requires a node and is within the limits of its queues, user and
 * group. YK_TURN_DECIDED: it is an allocation now; YK_TURN_PARKED: the group waits for its node. */
enum yk_turn yk_required_node_try(struct yk_partition *partition, struct yk_group *group);
/*
 * Whether the ask waits only for capacity on its node, or for its turn there. If not, a reservation would
 * keep all others from the node and be of no use; the ask's class is woken when the answer changes.
 */
bool yk_required_node_waits_for_capacity(const struct yk_partition *partition, const struct yk_ask *ask,
                                         const struct yk_node *node);
/* The node is new or changed: groups that could not even reserve it are tried again. O(such groups). */
void yk_required_node_wake(struct yk_partition *partition, const struct yk_node *node);
/* Ends allocations on the node of the reservation so that its ask fits, unless allocations end there already
 * or that would not help. */
void yk_required_node_preempt(struct yk_partition *partition, struct yk_reservation *reservation);

#endif
