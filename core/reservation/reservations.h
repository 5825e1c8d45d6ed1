/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reservations: a node whose free capacity is kept for an ask until the ask fits.
 *
 * An ask has at most one. A node has one for an ask that waits, or any number if all are for asks that may
 * run nowhere else, or all are for asks for which others were preempted: their victims free enough for all of
 * them. A node with reservations is not in the node order; what runs there stays. Reservations are derived
 * from what waits: a restart begins without them.
 *
 * Three kinds (enum yk_reserve_why). For an ask that waits and was overtaken: made by
 * reservation/make_reservation.h, and reservation/reserved_capacity.h says who may use the node meanwhile.
 * For an ask that may run on this node only (reservation/required_node.h), and for an ask for which others
 * were preempted (reservation/nomination.h): the node takes nothing else, and reservation/use_reservation.h
 * places the ask.
 *
 * Owns:   the reservations of a partition. Before an ask or a node goes, it must be unreserved.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_RESERVATIONS_H
#define YK_RESERVATION_RESERVATIONS_H

#include "objects/reservation.h"
#include "state/partition.h"

/* Longest time, from its creation, that a reservation stays while a queue or user has no headroom for its
 * ask. */
#define YK_RESERVATION_WAIT_NS (60 * 60 * YK_NS_PER_S)

/*
 * Reserves the node for the ask, which is pending, and drops another reservation of the ask. False, and
 * nothing changed: the ask is not pending or larger than the node, or the node leaves or is reserved for
 * another ask. O(log nodes).
 */
bool yk_reserve(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node,
                enum yk_reserve_why why);
/* Drops the reservation of the ask, if any. Nothing is tried before the next turn, so that this may be called
 * in the middle of a change. */
void yk_unreserve(struct yk_partition *partition, struct yk_ask *ask);
/* Ends the reservation of the ask, if any, because the ask is being placed: it was of use. */
void yk_reservation_used(struct yk_partition *partition, struct yk_ask *ask);

/* Drops the reservations of all asks of the group. */
void yk_unreserve_group(struct yk_group *group);
/* Sets `blocked`: whether a queue, user or group had no headroom for the ask at the last look. */
void yk_reservation_set_blocked(struct yk_reservation *reservation, bool blocked);
/* Drops the reservations of the node but those of kind YK_RESERVE_REQUIRED; all of them if the node
 * leaves. */
void yk_unreserve_node(struct yk_partition *partition, struct yk_node *node);
/* The node has changed: drops its reservations for asks that it could never serve. O(its reservations). */
void yk_reservations_node_changed(struct yk_partition *partition, struct yk_node *node);
/* Whether the node could take the ask if every allocation that may end had ended: checks the constraints, and
 * the capacity without allocations that never end. */
bool yk_node_could_serve(const struct yk_partition *partition, const struct yk_node *node,
                         const struct yk_ask *ask);
/* Like yk_node_could_serve() for a reservation's node and ask. Also false if no node can pass the ask's class
 * now. */
bool yk_reservation_may_serve(const struct yk_partition *partition, const struct yk_reservation *reservation);
/* Whether the ask's queue stays within its guarantee with the ask, in each type that is guaranteed. False if
 * nothing is guaranteed. */
bool yk_ask_is_guaranteed(const struct yk_ask *ask);
/*
 * 6.1 step 4: a preemptor may have the node. Reservations of asks with victims are no obstacle, for their
 * sizes are counted (yk_node_nominate()). All others must allow to be cancelled: the ask is not bound to the
 * node, and is either above what is guaranteed to its queue, or of lower priority and waiting for longer than
 * YK_RESERVATION_WAIT_NS.
 */
bool yk_reservations_may_yield(const struct yk_partition *partition, const struct yk_node *node,
                               const struct yk_ask *preemptor);
/* Order of two reservations, by in_active: creation time, then the id of the application, then `sequence`. */
int yk_reservation_order(const struct yk_tree_link *a, const struct yk_tree_link *b);

#endif
