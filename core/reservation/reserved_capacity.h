/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which asks may use free capacity of a node that is reserved for an ask that waits
 * (YK_RESERVE_WAITING).
 *
 * A reservation keeps capacity from asks that come later in order than the ask that holds it. The node takes
 *
 * - asks of the holder's group, and of the first group in order that has such a reservation;
 * - asks that come before all holders of the partition by more than a small difference of shares
 *   (YK_FAR_BEHIND), or that get nothing elsewhere;
 * - asks with a run limit that end before the holder could start (backfill);
 * - asks within the guarantee of their queue, if the holder is not within that of its own queue. If nothing
 *   is guaranteed to the holder's queue, they leave to the holder what came free on the node lately, while
 *   asks like them get nodes elsewhere.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_RESERVED_CAPACITY_H
#define YK_RESERVATION_RESERVED_CAPACITY_H

#include "reservation/reservations.h"

/* The first group in order of which an ask has a reservation of the kind YK_RESERVE_WAITING, borrowed; NULL:
 * there is none. Valid until the order or a reservation changes. O(reservations for waiting asks). */
const struct yk_group *yk_reserved_capacity_first(const struct yk_partition *partition);
/* Whether the reservation of the node lets the first ask of `group` use it; capacity and constraints are not
 * checked: the caller checks them first. False if the node has no reservation of the kind YK_RESERVE_WAITING.
 * `first`: the result of yk_reserved_capacity_first() (may be NULL), still valid. If the ask only has not
 * waited long enough, arms the timer that looks at it again. O(depth of the queues). */
bool yk_reserved_capacity_try(struct yk_partition *partition, const struct yk_node *node,
                              const struct yk_group *group, const struct yk_group *first);
/* A node with a reservation of the kind YK_RESERVE_WAITING that takes the first ask of the group now: one
 * that is reserved for the group, else the one that was reserved last; NULL: there is none. The caller first
 * looks for an unreserved node (yk_node_for()). Checks capacity, constraints, and yk_reserved_capacity_try().
 * O(reservations for waiting asks). */
struct yk_node *yk_reserved_capacity_node_for(struct yk_partition *partition, const struct yk_group *group);
/* Call it after the order of what waits may have changed: the next turns look at free capacity of nodes that
 * are reserved for waiting asks (yk_freed_nodes_add()). The caller also calls yk_reservation_look_again().
 * O(such reservations). */
void yk_reserved_capacity_offer(struct yk_partition *partition);

#endif
