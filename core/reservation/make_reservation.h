/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reserving nodes for asks that wait while asks behind them are placed.
 *
 * A group of asks is overtaken when an ask that comes later in order is placed on a node where the group
 * could run itself. What later asks take of the amounts that the group lacks there is added up, in asks of
 * the group. A group gets a reservation when later asks took a quarter of what one more of its asks needs. A
 * first one also comes when the group has been overtaken for a while. Placeholders of a gang that preempts as
 * a whole are not overtaken.
 *
 * When nothing else can be decided, the first group in order that may reserve gets one node: the node that
 * lacks least of the ask. The order of queues, applications and asks is the one of that moment. Reservations
 * are limited in all (RESERVABLE_SHARE of what is in use, RESERVATIONS_MAX) and per leaf (an equal part); one
 * is always allowed. At a limit the reservation whose ask comes last in order passes to an ask that comes
 * before it. Where allocations end, a reservation moves to the node for which its ask waits at less cost.
 *
 * A reservation is given up when a limit of the queue, user or group refuses the ask, when the node can no
 * longer serve it, and when nothing has ended on the node for twice the longest run time (a minute at least).
 *
 * Owns: which groups were overtaken, and run times: the longest one, and the usual one of each group.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_MAKE_RESERVATION_H
#define YK_RESERVATION_MAKE_RESERVATION_H

#include "reservation/reservations.h"
#include "state/partition.h"
#include "state/turn.h"

/* Makes the lists and the timer of a new partition. Once, before anything else here is called for it. */
void yk_make_reservation_init(struct yk_partition *partition);
/* Cancels the timers. */
void yk_make_reservation_done(struct yk_partition *partition);
/* An ask of `group` is about to be placed on `node`: notes who is overtaken by that, and that the group
 * itself is not. O(log of what waits), O(1) while nothing waits. */
void yk_make_reservation_note_placed(struct yk_partition *partition, struct yk_group *group,
                                     const struct yk_node *node);
/* The ask, which has a reservation of the kind YK_RESERVE_WAITING, is about to be placed on another node: the
 * next ask of its group gets the reservation, else it ends. */
void yk_make_reservation_hand_on(struct yk_partition *partition, struct yk_ask *ask);
/* Moves reservations to nodes where allocations have ended, if waiting there costs less (yk_release_cost()),
 * the largest gain first. Considers the 8 oldest reservations. O(nodes where something ended * their
 * allocations) for each move. */
void yk_make_reservation_move(struct yk_partition *partition);
/* An ask of the group was placed on the node that was reserved for it. If the group may reserve a node again,
 * its next ask reserves the same node. */
void yk_make_reservation_keep(struct yk_partition *partition, struct yk_group *group, struct yk_node *node);
/* The group no longer waits for nodes: it no longer counts as overtaken. O(1). */
void yk_make_reservation_forget(struct yk_group *group);
/* The allocation, which is on a node, has ended after `run_ns`. O(1). */
void yk_make_reservation_note_ended(struct yk_partition *partition, struct yk_ask *ended, int64_t run_ns);
/* Makes, hands on or drops one reservation. Called when nothing else can be decided. YK_TURN_PARKED: call the
 * cycle again; YK_TURN_IDLE: nothing was due. */
enum yk_turn yk_make_reservation_turn(struct yk_partition *partition);
/* Whether a turn of reservations is due. O(1). */
bool yk_make_reservation_has_work(const struct yk_partition *partition);

#endif
