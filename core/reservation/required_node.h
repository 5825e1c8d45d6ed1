/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks that may run on one node only, such as those of daemons.
 *
 * The node need not be schedulable. Reservations of the node for asks that may run elsewhere are dropped. If
 * the ask then lacks only capacity, it reserves the node at once, behind earlier asks that require the node,
 * and allocations there whose priority is not higher are preempted until it fits.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.7, 6.2.
 */
#ifndef YK_RESERVATION_REQUIRED_NODE_H
#define YK_RESERVATION_REQUIRED_NODE_H

#include "reservation/reservations.h"
#include "state/partition.h"
#include "state/turn.h"

/* Tries the first ask of the group, which has a required node. The caller has checked that the application
 * may start and that its queues, user and group have headroom for the ask. If the node is there and passes
 * the fixed constraints of the ask, drops reservations of the node for asks that may run elsewhere.
 * YK_TURN_DECIDED: the ask is an allocation now; YK_TURN_PARKED: the group waits (YK_WAIT_REQUIRED_NODE),
 * with a reservation if only capacity is missing. Preemption is left to yk_use_reservation_turn(). */
enum yk_turn yk_required_node_try(struct yk_partition *partition, struct yk_group *group);
/*
 * Whether the ask waits only for capacity on `node`, its required node, or for earlier asks there. If not, a
 * reservation would be useless and keep all other asks from the node. If nodes refuse the class of the ask
 * now, the resource manager reports when a node may accept it again (scheduler/wake_class.h).
 */
bool yk_required_node_waits_for_capacity(const struct yk_partition *partition, const struct yk_ask *ask,
                                         const struct yk_node *node);
/* Call it after the node was added or changed, or when what never ends there becomes less
 * (yk_node_could_serve()): yk_make_reservation_turn() looks for nodes again, and groups that require the node
 * and have no reservation there no longer wait, so that later turns try them again. O(groups that wait for
 * required nodes with the same hash). */
void yk_required_node_note_candidate(struct yk_partition *partition, const struct yk_node *node);
/* Preempts allocations on the node of the reservation, so that the ask of the reservation fits. The
 * reservation is of the kind YK_RESERVE_REQUIRED. Call it only if the node did not take the ask, its limits
 * have headroom, and yk_required_node_waits_for_capacity() is true. Calls yk_preemption_note() and
 * yk_victims_take(); the ask gets no nomination. No effect if the node has capacity for the ask already, or
 * if victims, of any ask, end there already. If preemption cannot help, reports that; the reservation
 * stays. */
void yk_required_node_preempt(struct yk_partition *partition, struct yk_reservation *reservation);

#endif
