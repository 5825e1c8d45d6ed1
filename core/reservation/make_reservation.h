/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes reservations of nodes for asks that wait while later asks are placed.
 *
 * A group of asks is *overtaken* when an ask that comes later in order is placed on a node where an ask of
 * the group could run. Of several such groups, the first in order counts. What later asks take there of the
 * types that the group lacks is added up, measured in asks of the group. The group may reserve when the sum
 * reaches a quarter of an ask more than the group has reservations. It may make a first reservation also
 * after it has been overtaken for a while. Placeholders of an incomplete gang do not count as overtaken.
 *
 * When nothing else can be decided, the first group in order that may reserve gets one node
 * (yk_reservable_node()). The order is that of the cycle at this moment. What may be reserved is limited
 * (reservation/reservation_share.h); one reservation is always allowed. When a limit is reached, the
 * reservation whose ask comes last in order may pass to an ask that comes before it. After allocations have
 * ended on a node, a reservation moves there if waiting for that node costs less (yk_release_cost()).
 *
 * A reservation is dropped when a limit of a queue, user or group refuses the ask, when the node can no
 * longer serve the ask, and when no allocation has ended on the node for twice the longest run time (a minute
 * at least).
 *
 * Owns:   the list of overtaken groups, and the run times: the longest one, and that of each group.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_MAKE_RESERVATION_H
#define YK_RESERVATION_MAKE_RESERVATION_H

#include "reservation/reservations.h"
#include "state/partition.h"
#include "state/turn.h"

/* Initialises `partition->reservation`, which is zeroed: its lists, the order of `active`, and `timer`.
 * `quota_timer.fire` stays NULL until reservation/quota_preemption.h arms that timer. Call it once per
 * partition, before any other function of core/reservation. `partition->preempt` is not made: the caller
 * calls yk_preempt_new(). */
void yk_make_reservation_init(struct yk_partition *partition);
/* Cancels the timers of reservations and of quota preemption. Call it before the partition is freed. */
void yk_make_reservation_done(struct yk_partition *partition);
/* Call it before an ask of `group` is placed on `node`, while the ask is pending and amounts are unchanged:
 * notes the first group that is overtaken by that, if any, and counts that an ask of `group` itself starts.
 * A step of yk_partition_commit(). O(64 groups * limits), O(1) while nothing waits. */
void yk_make_reservation_note_placed(struct yk_partition *partition, struct yk_group *group,
                                     const struct yk_node *node);
/* Call it before the ask, which has a reservation of the kind YK_RESERVE_WAITING, is placed on another node,
 * while it is pending and amounts are unchanged: ends the reservation as used (yk_reservation_used()). If the ask
 * is within the guarantee of its queue, reserves the node for the next ask of its group that has no reservation:
 * a queue that lacks what it is guaranteed does not begin with another node. A step of yk_partition_commit().
 * For a nominated ask, yk_nomination_pass_on() does this. */
void yk_make_reservation_hand_on(struct yk_partition *partition, struct yk_ask *ask);
/* Call it at the beginning of a turn: each group of the partition's pending.holders_on_nodes reserves a node for
 * its first ask, unless it has a reservation; if it cannot, it no longer holds limits (pending/limit_hold.h).
 * O(such groups * nodes). */
void yk_make_reservation_for_holders(struct yk_partition *partition);
/* Moves reservations of the kind YK_RESERVE_WAITING to nodes where allocations have ended since the last call
 * (yk_make_reservation_note_ended()), if waiting there costs less (yk_release_cost()), the largest gain
 * first. Considers the 8 oldest reservations, and only nodes that are schedulable and not reserved. Call it
 * at the beginning of a turn if the order has changed, before yk_reserved_capacity_offer(). O(such nodes *
 * their allocations) for each move. */
void yk_make_reservation_move(struct yk_partition *partition);
/* Call it after an ask of the group was placed on the node that was reserved for it (YK_RESERVE_WAITING): if
 * the group is still overtaken and may reserve a node again, its next ask without a reservation reserves the
 * same node. No effect otherwise, or if the node has nothing free of a type of that ask. */
void yk_make_reservation_keep(struct yk_partition *partition, struct yk_group *group, struct yk_node *node);
/* Call it when the group ceases to wait for nodes: it no longer counts as overtaken. No effect if it did not
 * count. Its reservations stay: a caller for whom they are of no use also calls yk_unreserve_group().
 * O(1). */
void yk_make_reservation_forget(struct yk_group *group);
/* Call it while the allocation, which ends after it has run for `run_ns`, is still on its node
 * (`ended->node` is not NULL): updates the run times, and lets reservations move to the node
 * (yk_make_reservation_move()). O(1). */
void yk_make_reservation_note_ended(struct yk_partition *partition, struct yk_ask *ended, int64_t run_ns);
/* Makes, hands on or drops one reservation, if that is due. Call it when nothing else can be decided, and
 * yk_gang_wait_turn() is idle. YK_TURN_PARKED: it did, or found no node to reserve; more may be due, so call
 * it again. YK_TURN_IDLE: nothing was due. */
enum yk_turn yk_make_reservation_turn(struct yk_partition *partition);
/* Whether a turn of reservations is due; that turn may find nothing to do. O(1). */
bool yk_make_reservation_has_work(const struct yk_partition *partition);

#endif
