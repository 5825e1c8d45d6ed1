/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places asks on their reserved nodes: an ask that fits on its node is tried before everything else that
 * waits.
 *
 * A reservation is looked at only after an event that could help: its node or an unreserved node has more
 * free capacity, or a queue or user has headroom again. The event marks the reservation; marked ones have
 * their turn in the order of creation.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_USE_RESERVATION_H
#define YK_RESERVATION_USE_RESERVATION_H

#include "reservation/reservations.h"
#include "state/partition.h"
#include "state/turn.h"

/* What the group waited for may be there: marks one of its reservations. If its ask starts, the next one is
 * marked. */
void yk_use_reservation_note_group(struct yk_group *group);
/* A queue on the path of the leaf has more headroom: marks one reservation of each group of the leaf that has
 * nominations and headroom now. O(such groups). */
void yk_use_reservation_note_eased(struct yk_queue *leaf);
/* The node has free capacity, and may take any nominated ask: marks, for each group with nominations whose asks fit on
 * it, the first reservation that a queue or user held up, and all others. Returns the number of groups, which is
 * the number of comparisons with the node. */
size_t yk_use_reservation_node_freed(struct yk_partition *partition, const struct yk_node *node);
/* Looks at one marked reservation. YK_TURN_DECIDED: its ask is an allocation now; YK_TURN_PARKED: it waits
 * on, or its reservation was dropped; YK_TURN_IDLE: none is marked. */
enum yk_turn yk_use_reservation_turn(struct yk_partition *partition);
/*
 * Drops reservations, while other asks wait for nodes, whose asks could not run on their node whatever ended
 * there: what their constraints need there is gone, or what these exclude came. No event reports this,
 * because class_fits_now() is called only when an answer becomes yes. True: some reservations are left to
 * which this could happen. O(reservations).
 */
bool yk_use_reservation_drop_vain(struct yk_partition *partition);
/* Wakes asks that may use the nodes that are no longer reserved. */
void yk_use_reservation_open_nodes(struct yk_partition *partition);

#endif
