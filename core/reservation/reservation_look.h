/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides when reservations are looked at: functions that set marks for a later turn or arm the timer of the
 * partition, and the times.
 *
 * yk_make_reservation_turn() does something only when `is_due` is set, and yk_use_reservation_turn() tries
 * the asks of the reservations in `active`.
 *
 * Owns:   together with make_reservation.c, use_reservation.c and reservations.c: yk_reserving.timer,
 *         yk_reserving.is_due, yk_reserving.active and yk_reserving.candidates_epoch.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_RESERVATION_LOOK_H
#define YK_RESERVATION_RESERVATION_LOOK_H

#include "state/partition.h"

struct yk_reservation;

/* Call it after a node was added, changed, or is no longer reserved: yk_make_reservation_turn() looks again
 * at groups for which it found no node to reserve. O(1). */
void yk_reservation_look_for_node(struct yk_partition *partition);
/* Call it after the resource manager reported that nodes may pass the class of `shape` now:
 * yk_make_reservation_turn() searches a node to reserve for it again. The caller also calls
 * yk_reservation_look_again(). O(1). */
void yk_reservation_look_for_shape(struct yk_shape *shape);
/* Arms the timer, unless it is due earlier, for `delay_ns` from now (0 or less: at once). The turns after it
 * has fired look at reservations, and offer free capacity of reserved nodes to waiting asks. O(1). */
void yk_reservation_look_in(struct yk_partition *partition, int64_t delay_ns);
/* Call it after a change of limits, or of anything else that may keep asks from being tried: the next
 * yk_make_reservation_turn() looks at reservations for waiting asks. No effect if no group is overtaken and
 * there is no such reservation. O(1). */
void yk_reservation_look_again(struct yk_partition *partition);
/* Whether a group is overtaken, or a waiting ask has a reservation, so that a change of the order of the
 * cycle may hand a reservation on. O(1). */
bool yk_reservation_look_follows_order(const struct yk_partition *partition);
/* Call it after the reservation was made: calls yk_reservation_look_in(), for the kind YK_RESERVE_WAITING
 * with yk_reservation_look_patience_ns(), for the others with the time until the reservation is
 * YK_RESERVATION_WAIT_NS old. Then calls yk_reservation_look_for_others(). */
void yk_reservation_look_later(struct yk_partition *partition, const struct yk_reservation *reservation);
/* Call it when asks begin to wait for nodes: if there are reservations, the timer drops useless ones within
 * 10 s, and then every 10 s as long as reservations may become useless (yk_use_reservation_drop_vain()). No
 * effect if that goes on already, if no ask waits for nodes (those that could replace a placeholder count,
 * too), or if the resource manager has no class_fits_now(). O(1). */
void yk_reservation_look_for_others(struct yk_partition *partition);

/* Marks the reservation, so that yk_use_reservation_turn() tries its ask in a later turn. No effect on one of
 * the kind YK_RESERVE_WAITING: the regular walk tries its ask. */
void yk_reservation_look_at(struct yk_partition *partition, struct yk_reservation *reservation);
/* Call it after the node, which is reserved, got more free capacity: calls yk_reservation_look_at() for each
 * of its reservations. */
void yk_reservation_look_at_node(struct yk_partition *partition, const struct yk_node *node);

/* Removes the node from the lists of nodes that are looked at for reservations. Call it before the node is
 * freed, after its allocations and reservations were removed. */
void yk_reservation_look_node_leaves(struct yk_node *node);

/* ---- times, in nanoseconds ---- */

/* Twice the longest run time, but at least a minute: a node on which no allocation has ended for so long is
 * not expected to serve its reservation soon. */
int64_t yk_reservation_look_patience_ns(const struct yk_partition *partition);
/* Time until the next search for useless reservations may begin; 0: now. */
int64_t yk_reservation_look_until_useless_ns(const struct yk_partition *partition);
/* Time until the reservation is YK_RESERVATION_WAIT_NS old; 0 or negative: it is. */
int64_t yk_reservation_look_until_old_ns(const struct yk_partition *partition,
                                         const struct yk_reservation *reservation);

#endif
