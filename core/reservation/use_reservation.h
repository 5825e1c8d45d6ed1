/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Using reservations: an ask whose node has room for it goes first, before everything else that waits.
 *
 * Nothing is looked at until something happens that could help: the node has more room, a node outside the
 * reservations has, or a queue or user that had none. Then it is noted, and has its turn in the order of
 * creation.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_USE_RESERVATION_H
#define YK_RESERVATION_USE_RESERVATION_H

#include "reservation/reservations.h"
#include "state/partition.h"
#include "state/turn.h"

/* What the group waited for has come: one of its reservations is looked at, the next one when that was of
 * use. */
void yk_use_reservation_note_group(struct yk_group *group);
/* A queue on the path of the leaf has more room: one ask of each group there to which room was promised, for
 * others of the leaf that room is not. O(such groups). */
void yk_use_reservation_note_eased(struct yk_queue *leaf);
/* Decides about one of those that were noted. */
enum yk_turn yk_use_reservation_turn(struct yk_partition *partition);
/*
 * Gives up, while others wait for nodes, what is kept for asks that could not run there whatever ended on the
 * node: a claim has gone, or the pods that an ask seeks, or a pod came that it avoids. There is no event
 * for these: class_fits_now() only says when an answer becomes yes. True: some are left that this could
 * happen to. O(reservations).
 */
bool yk_use_reservation_drop_vain(struct yk_partition *partition);
/* Wakes who may use the nodes that are no longer reserved. */
void yk_use_reservation_open_nodes(struct yk_partition *partition);

#endif
