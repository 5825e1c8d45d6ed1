/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which asks may use free capacity of a node that is reserved for an ask that waits
 * (YK_RESERVE_WAITING).
 *
 * A reservation keeps capacity from asks whose turn is later; it serves no ask before its turn. So the node
 * takes the ask that holds the reservation, and asks that come before every holder. Two exceptions for asks
 * that come later: an ask within the guarantee of its queue, if the holder is not within its own; and an ask
 * that has a run limit and ends before the holder could start.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_RESERVED_CAPACITY_H
#define YK_RESERVATION_RESERVED_CAPACITY_H

#include "reservation/reservations.h"

/* The first group in order whose asks have reservations of the kind YK_RESERVE_WAITING, borrowed; NULL: there
 * is none. Valid until the order or a reservation changes. O(reservations for waiting asks). */
const struct yk_group *yk_reserved_capacity_first(const struct yk_partition *partition);
/* True if the reservation of the node lets asks of `group` on it. `first`: yk_reserved_capacity_first(). If
 * the group only has to wait longer, sets the timer that looks at it again by then. O(depth
 * of the queues). */
bool yk_reserved_capacity_try(struct yk_partition *partition, const struct yk_node *node,
                              const struct yk_group *group, const struct yk_group *first);
/* A reserved node that takes the first ask of the group now, or NULL: its own one first. O(reservations for
 * waiting asks). */
struct yk_node *yk_reserved_capacity_node_for(struct yk_partition *partition, const struct yk_group *group);
/* The order of what waits may have changed: what is free on reserved nodes is looked at again. O(reservations
 * for waiting asks). */
void yk_reserved_capacity_offer(struct yk_partition *partition);

#endif
