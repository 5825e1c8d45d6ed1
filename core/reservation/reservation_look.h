/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides when reservations are looked at: the timer of the partition, and marks for the next turn.
 *
 * Other files do what is due: reservation/make_reservation.h makes, moves and drops reservations, and
 * reservation/use_reservation.h uses them.
 *
 * Owns: yk_reserving.timer, yk_reserving.is_due, yk_reserving.active and yk_reserving.candidates_epoch.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_RESERVATION_LOOK_H
#define YK_RESERVATION_RESERVATION_LOOK_H

#include "state/partition.h"

struct yk_reservation;

/* A node came, changed, or is not reserved any longer: it may be reserved where none could be. O(1). */
void yk_reservation_look_for_node(struct yk_partition *partition);
/* Nodes that the resource manager refused for the class of `shape` may be reserved for it now. O(1). */
void yk_reservation_look_for_shape(struct yk_shape *shape);
/* In `delay_ns` at the latest, what is free on reserved nodes is offered again and reservations are looked
 * at. O(1). */
void yk_reservation_look_in(struct yk_partition *partition, int64_t delay_ns);
/* Limits, or what keeps an ask from being tried, may have changed. O(1). */
void yk_reservation_look_again(struct yk_partition *partition);
/* Whether something waits for a reservation or has one: a change of the order may hand it on. O(1). */
bool yk_reservation_look_follows_order(const struct yk_partition *partition);
/* The reservation was made: it will be looked at when it gets old, or is of no use while others wait. */
void yk_reservation_look_later(struct yk_partition *partition, const struct yk_reservation *reservation);
/* Other asks wait for nodes: useless reservations are dropped in the next turn and then every 10 s. O(1). */
void yk_reservation_look_for_others(struct yk_partition *partition);

/* The reservation may have become usable: it is looked at in its turn. */
void yk_reservation_look_at(struct yk_partition *partition, struct yk_reservation *reservation);
/* The node, which is reserved, has more free capacity: its reservations are looked at. O(its
 * reservations). */
void yk_reservation_look_at_node(struct yk_partition *partition, const struct yk_node *node);

/* Takes the node off the lists of nodes that are looked at for reservations. Call it before the node is freed, when
 * nothing is on it and its reservations were dropped. */
void yk_reservation_look_node_leaves(struct yk_node *node);

/* ---- times, in nanoseconds ---- */

/* A node on which no allocation has ended for this time will not serve its reservation soon. */
int64_t yk_reservation_look_patience_ns(const struct yk_partition *partition);
/* Time until useless reservations may be looked for again; 0: now. */
int64_t yk_reservation_look_until_useless_ns(const struct yk_partition *partition);
/* Time until the reservation is YK_RESERVATION_WAIT_NS old; 0 or less: it is that old. */
int64_t yk_reservation_look_until_old_ns(const struct yk_partition *partition,
                                         const struct yk_reservation *reservation);

#endif
