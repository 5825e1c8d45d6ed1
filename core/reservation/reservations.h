/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reservations: a node whose free capacity is kept for an ask until the ask fits.
 *
 * There are three kinds (enum yk_reserve_why):
 *
 * YK_RESERVE_WAITING: for an ask that waits, before another ask overtakes it
 * (reservation/early_reservation.h) or afterwards (reservation/make_reservation.h). The latter also moves,
 * hands on and drops them, and reservation/reserved_capacity.h says which other asks may use the node
 * meanwhile.
 *
 * YK_RESERVE_REQUIRED: for an ask that may run on this node only (reservation/required_node.h), and
 * YK_RESERVE_PREEMPTION: for an ask for which victims end (reservation/nomination.h). The node takes no other
 * asks meanwhile, and reservation/use_reservation.h places the ask.
 *
 * An ask has at most one reservation. A node has one of the first kind, or any number of the second kind, or
 * any number of the third kind: the victims free enough for all of these asks. A node with reservations is
 * not in the node order; allocations there stay. After a restart there are no reservations.
 *
 * Owns:   the reservations of a partition. Before an ask or a node is removed, its reservations must be
 *         dropped.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_RESERVATIONS_H
#define YK_RESERVATION_RESERVATIONS_H

#include "objects/reservation.h"
#include "state/partition.h"

/* Longest time, from its creation, that a reservation of the kind YK_RESERVE_REQUIRED or
 * YK_RESERVE_PREEMPTION stays while a queue, user or group has no headroom for its ask. Also used by
 * yk_reservations_may_yield(). */
#define YK_RESERVATION_WAIT_NS (60 * 60 * YK_NS_PER_S)

/*
 * Reserves the node for the ask. Drops another reservation of the ask, if any, and its nomination with it.
 * For YK_RESERVE_PREEMPTION it also drops reservations of the kind YK_RESERVE_WAITING that the node has, and
 * adds the ask to the nominated amounts of the node; the caller then calls yk_nomination_make(). For the two
 * other kinds, the node must have no reservations, but YK_RESERVE_REQUIRED allows others of that kind: the
 * caller drops the rest before (yk_unreserve_node()). Records an event, and marks the reservation
 * (yk_reservation_look_at()). False, and nothing has changed: the ask is not pending or is larger than the
 * whole node, the node is being removed, or it has reservations that do not allow this one. Constraints are
 * not checked (yk_node_could_serve()). O(log nodes).
 */
bool yk_reserve(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node,
                enum yk_reserve_why why);
/* Drops the reservation of the ask, if any, and its nomination with it (yk_nomination_break()); the ask still
 * waits. Records an event. Nothing is tried before the next turn, so it may be called in the middle of
 * another change. A group that waits for its required node (YK_WAIT_REQUIRED_NODE) goes on waiting; to let it
 * be tried again, the caller ends that wait (yk_active_set_wait()). */
void yk_unreserve(struct yk_partition *partition, struct yk_ask *ask);
/* Like yk_unreserve(), but reports that the reservation was used, and ends the nomination of the ask without
 * a pause for its group (yk_nomination_end()). Call it when the ask is being placed, while it is still
 * pending. Other modules call yk_partition_commit(), which calls this. */
void yk_reservation_used(struct yk_partition *partition, struct yk_ask *ask);

/* Drops the reservations of all asks of the group (yk_unreserve()). A caller that lets the group wait for
 * something other than nodes also calls yk_make_reservation_forget(). */
void yk_unreserve_group(struct yk_group *group);
/* Sets `reservation->blocked`, and keeps the count in its group: whether a queue, user or group had no
 * headroom for the ask when it was tried last. */
void yk_reservation_set_blocked(struct yk_reservation *reservation, bool blocked);
/* Drops the reservations of the node, except those of the kind YK_RESERVE_REQUIRED; all of them if the node
 * is being removed (`leaving` is set). Ends the wait of groups that require the node and lose a reservation
 * (YK_WAIT_REQUIRED_NODE), so that later turns try them. */
void yk_unreserve_node(struct yk_partition *partition, struct yk_node *node);
/* Call it after the node changed: drops its reservations for asks that it can no longer serve, and, if it is
 * not schedulable, all but those of the kind YK_RESERVE_REQUIRED. Ends waits like yk_unreserve_node(). O(its
 * reservations). */
void yk_reservations_node_changed(struct yk_partition *partition, struct yk_node *node);
/* Whether the node could take the ask if all allocations ended there that may end: checks the capacity that
 * static foreign allocations and allocations bound to the node leave, and the constraints
 * (yk_node_may_be_reserved()). Whether the node is schedulable or reserved is not checked: a caller that is
 * about to reserve the node does that. */
bool yk_node_could_serve(const struct yk_partition *partition, const struct yk_node *node,
                         const struct yk_ask *ask);
/* Like yk_node_could_serve(), for the node and the ask of a reservation. Also false if no node at all can
 * pass the ask's class now (yk_class_has_a_chance()). For one of the kind YK_RESERVE_REQUIRED, call
 * yk_required_node_waits_for_capacity() instead. */
bool yk_reservation_may_serve(const struct yk_partition *partition, const struct yk_reservation *reservation);
/* Whether the leaf of the pending ask, with the ask allocated in addition, uses no more than its actual
 * guarantee of each guaranteed type (R28). False if no type of the ask is guaranteed. */
bool yk_ask_is_guaranteed(const struct yk_ask *ask);
/*
 * Whether `preemptor`, an ask for which victims may end, may reserve the node in spite of its reservations
 * (6.1 step 4). Its own reservation does not matter. Those of other asks with victims do not matter either,
 * because their sizes are counted (yk_node_nominate()). Each other one has to be of the kind
 * YK_RESERVE_WAITING, and its ask has to give way. An ask of the same leaf gives way if it comes later in
 * order. Another one gives way if it is not within the guarantee of its queue, or if its priority is lower
 * and its reservation is older than YK_RESERVATION_WAIT_NS.
 */
bool yk_reservations_may_yield(const struct yk_partition *partition, const struct yk_node *node,
                               const struct yk_ask *preemptor);
/* Order of two reservations, by in_active: creation time, then the id of the application, then `sequence`.
 * Negative: `a` comes first. */
int yk_reservation_order(const struct yk_tree_link *a, const struct yk_tree_link *b);

#endif
