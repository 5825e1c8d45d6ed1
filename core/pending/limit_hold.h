/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds of limits: amounts that become free below a limit are kept for the first group that the limit
 * refused, so that small asks do not starve a large one.
 *
 * A limit is the maximum of a queue, or the limit of a user or group of users in a queue. If the queue has
 * the property application.sort.hold = strict, the first group of asks, in the order of the cycle, that the
 * limit refuses becomes the *holder* of that limit. After application.sort.hold.delay, the regular walk gives
 * groups whose turn is later only what leaves room for an ask of the holder, until the holder has started, has
 * no pending asks, or waits for something that is neither a limit nor a reserved node. A group that does not fit
 * into the limit even when nothing is in use never becomes a holder.
 *
 * A holder keeps its hold when the limit has room for it and something else refuses it. That is another limit,
 * which it then holds, too, or lack of nodes: it reserves a node at once (yk_make_reservation_for_holders()), and
 * if it cannot, its holds end. Otherwise others would use up the limit again before the ask starts.
 *
 * Owns:   struct yk_limit_hold of queues and usages.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md 8.5.
 */
#ifndef YK_PENDING_LIMIT_HOLD_H
#define YK_PENDING_LIMIT_HOLD_H

#include "state/partition.h"

/* A step of yk_park_group(), after the maximum of `queue` or its hold refused the group and the group waits
 * for `queue`: makes the group the holder of this maximum, if yk_limit_hold_may_queue() allows it and no
 * present holder comes before the group. O(depth). */
void yk_limit_hold_refused_by_queue(struct yk_group *group, struct yk_queue *queue);
/* Like yk_limit_hold_refused_by_queue(), for the limit of a user or group, which refused the group of
 * asks: a step of yk_park_group_for_quota(). */
void yk_limit_hold_refused_by_usage(struct yk_group *group, struct yk_usage *usage);
/* Whether the group may hold the maximum of `queue`: the queue is configured for holds, and the maxima on the
 * path of the group's leaf (the root apart) allow an ask of the group if nothing else is used. Does not check
 * that the group waits for this maximum: before yk_limit_hold_take(), the caller checks that, too. */
bool yk_limit_hold_may_queue(const struct yk_group *group, const struct yk_queue *queue);
/* Like yk_limit_hold_may_queue() for the limit of a user or group: the queue of `usage` is configured for
 * holds, and the limit itself allows an ask, too. False if `usage` has no limit. */
bool yk_limit_hold_may_usage(const struct yk_group *group, const struct yk_usage *usage);
/* Makes the group the holder of `hold`. The group has pending asks. The caller has checked both that
 * yk_limit_hold_may_queue() or yk_limit_hold_may_usage() is true, and that the group waits for this very
 * limit: its wait is YK_WAIT_QUEUE_QUOTA or YK_WAIT_USER_QUOTA, and this limit is the one that refuses it now
 * (yk_queue_has_headroom(), yk_usage_without_headroom()). No effect if the group is the holder already, or if
 * the present holder comes before it. The hold of the present holder ends as with yk_limit_hold_end(); the
 * group keeps its holds of other limits. The time of the new hold (`since_mono_ns`) begins now. */
void yk_limit_hold_take(struct yk_limit_hold *hold, struct yk_group *group);
/* Ends the holds of the group. The functions of pending/active.h call it when the group waits for something
 * other than a limit or nodes, and before its first ask leaves it. The next turns look at the groups that the
 * holds kept waiting (pending/settle_limit_holds.h). O(its holds). */
void yk_limit_hold_end(struct yk_group *group);
/* Call it when the group begins to wait for nodes, or loses a reservation while it waits for them: if it has
 * holds, yk_make_reservation_for_holders() looks at it. O(1). */
void yk_limit_hold_waits_for_nodes(struct yk_group *group);
/* Removes the first group of the partition's pending.holders_on_nodes, and returns it, borrowed; NULL: there is
 * none. O(1). */
struct yk_group *yk_limit_hold_next_on_nodes(struct yk_partition *partition);
/* A step of yk_active_forget_app(), which other modules call while `app->leaf` is still set, before
 * yk_usage_leave(): like yk_limit_hold_end() for all groups of the application. O(its groups with pending
 * asks). */
void yk_limit_hold_end_app(struct yk_app *app);
/* Call it after the order of the cycle changed, or a holder can no longer be tried: asks that holds keep waiting
 * may start now. O(1). */
void yk_limit_hold_order_changed(struct yk_partition *partition);
/* Whether yk_limit_hold_look() would look at them now. O(1). */
bool yk_limit_hold_look_is_due(const struct yk_partition *partition);
/* Call it at the beginning of a turn: after yk_limit_hold_order_changed(), lets the turn settle all holds
 * (yk_settle_limit_holds()), so that what they keep waiting is looked at, at most once in a second. Returns the
 * time until it is due, for which the caller arms a timer; 0: nothing is left to do. O(holds). */
int64_t yk_limit_hold_look(struct yk_partition *partition);
/* Call it after a reload changed settings or limits of `queue`, and after yk_wake_queue_for_limits(); needed
 * only if holds were or are configured for the queue (YK_HOLD_STRICT): ends the holds of groups that may no
 * longer hold a limit there, and lets the next decision settle the holds of the queue
 * (yk_settle_limit_holds()). Call it for a parent before its children. O(users and groups in the queue). */
void yk_limit_hold_configured(struct yk_partition *partition, struct yk_queue *queue);
/* A step of yk_wake_queue_for_limits(), after the maximum of `queue` changed: ends the holds, in `queue` and
 * in those above it, of groups that can never fit any longer. After a reload,
 * yk_limit_hold_configured() was called for those above it before. O(users and groups in these queues). */
void yk_limit_hold_max_changed(struct yk_partition *partition, struct yk_queue *queue);

#endif
