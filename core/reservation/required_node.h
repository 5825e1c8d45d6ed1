/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks that may run on one node only: the pods of daemon sets.
 *
 * The node need not be schedulable. If it has no room it is reserved at once, in place of other asks, and
 * what runs there with no higher priority is preempted once.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.7, 6.2.
 */
#ifndef YK_RESERVATION_REQUIRED_NODE_H
#define YK_RESERVATION_REQUIRED_NODE_H

#include "reservation/reservations.h"
#include "state/partition.h"
#include "state/turn.h"

/* Tries the first ask of the group, which requires a node and fits in its queues. */
enum yk_turn yk_required_node_try(struct yk_partition *partition, struct yk_group *group);
/*
 * Whether room on its node, or its turn there, is all that the ask waits for. Else a reservation would keep
 * everybody away from the node and be of no use: its class is woken when that changes.
 */
bool yk_required_node_waits_for_capacity(const struct yk_partition *partition, const struct yk_ask *ask,
                                         const struct yk_node *node);
/* The node came or changed: who could not even reserve it is tried again. O(who waits so for it). */
void yk_required_node_wake(struct yk_partition *partition, const struct yk_node *node);
/* The node of the reservation has no room: makes some, unless that has been tried or does not help. */
void yk_required_node_preempt(struct yk_partition *partition, struct yk_reservation *reservation);

#endif
