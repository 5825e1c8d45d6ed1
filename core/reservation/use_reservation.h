/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places asks with reservations of the kinds YK_RESERVE_REQUIRED and YK_RESERVE_PREEMPTION, before the
 * regular walk.
 *
 * Such an ask is tried when its reservation is marked (yk_reservation_look_at()): when it is made, and after
 * events that could help, such as more free capacity of its node or of an unreserved one, or more headroom of
 * a queue or user. Marked reservations have their turns in the order of their creation.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_USE_RESERVATION_H
#define YK_RESERVATION_USE_RESERVATION_H

#include "reservation/reservations.h"
#include "state/partition.h"
#include "state/turn.h"

/* Call it when what the group waited for may be available: marks one of its reservations, one that is
 * `blocked` if there is one. If its ask starts, yk_use_reservation_turn() marks the next one. No effect
 * without reservations, or if that one is of the kind YK_RESERVE_WAITING. */
void yk_use_reservation_note_group(struct yk_group *group);
/* Call it after a queue on the path of the leaf got more headroom: for each group of the leaf with nominated
 * asks, marks one reservation that is `blocked`, if its ask has headroom now. O(groups with nominated
 * asks). */
void yk_use_reservation_note_eased(struct yk_queue *leaf);
/* Call it after the node, which is not reserved, got free capacity, also if it is being drained, because some
 * asks tolerate that; not for other nodes that are not schedulable. For each group with nominated asks that
 * fit on it, marks the first reservation that is `blocked` and all that are not. Returns the number of groups
 * that were compared with the node. */
size_t yk_use_reservation_node_freed(struct yk_partition *partition, const struct yk_node *node);
/* Tries the ask of the first marked reservation, and takes back the mark. Call it before the regular walk,
 * after yk_handover_turn() was idle. YK_TURN_DECIDED: it is an allocation now; YK_TURN_PARKED: it still
 * waits, with or without its reservation and nomination, and victims may have been asked to end
 * (yk_required_node_preempt()); YK_TURN_IDLE: no reservation is marked. */
enum yk_turn yk_use_reservation_turn(struct yk_partition *partition);
/*
 * Drops reservations of asks that could not run on their nodes even if all allocations ended there, because
 * of constraints that depend on other allocations. No event reports this: the resource manager reports only
 * when class_fits_now() may become true. Leaves out reservations for nominated asks, and all reservations
 * while no other asks wait for nodes. True: reservations are left to which this could happen, so the caller
 * calls it again later. O(reservations).
 */
bool yk_use_reservation_drop_vain(struct yk_partition *partition);
/* Offers the nodes that have lost their last reservation since the last call to asks that wait for nodes.
 * Call it at the beginning of a turn that decides, before anything is tried: the functions that drop
 * a reservation only put the node into the list `unreserved_nodes`. O(such nodes). */
void yk_use_reservation_open_nodes(struct yk_partition *partition);

#endif
