/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The asks that the cycle may try: ordered trees from the root queue down to groups of asks. The functions
 * below keep the trees in order when asks, limits, shares or priorities change.
 *
 * A group is active if it has a pending ask and waits for nothing (YK_WAIT_NONE). An application is active if
 * it may start or run, and has an active group or groups that may fit again after a queue got more headroom.
 * A queue is active if it has an active child or an application to be tried. A change costs O(log n) per
 * level of the tree, unless a function says otherwise.
 *
 * The functions change no pending or allocated amounts (partition/accounting.h does).
 * Thread: scheduling thread only.
 */
#ifndef YK_PENDING_ACTIVE_H
#define YK_PENDING_ACTIVE_H

#include "objects/app.h"

/*
 * Adds a pending ask to its group and to the counts of pending asks (objects/pending_count.h), and updates
 * the priority and the order of the group, of its application and of its queues. `ask->group` is set, and the
 * ask is not among the pending asks of the group yet. If the group had no pending ask, this function sets its
 * wait: YK_WAIT_PLACEHOLDER, YK_WAIT_GANG, YK_WAIT_NODES or YK_WAIT_NONE. If the group has
 * YK_WAIT_REQUIRED_NODE and the new ask becomes its first one, the wait of the group becomes YK_WAIT_NONE, so
 * that the cycle tries the ask. The caller holds a reference to the group for the ask (yk_group.ask_count).
 * A step of yk_accounting_add_pending(), which other modules call, and which also changes the pending
 * amounts.
 */
void yk_active_add_ask(struct yk_ask *ask);
/* Removes a pending ask from its group, and updates the same counts and orders as yk_active_add_ask(). A
 * group without pending asks leaves the trees and waits for nothing; it is not freed. If the ask was the
 * first one, the hold of the group ends (pending/limit_hold.h), and YK_WAIT_REQUIRED_NODE becomes
 * YK_WAIT_NONE. The reservation and the nomination of the ask stay. A step of yk_accounting_sub_pending(),
 * which other modules call, and which also ends both and changes the pending amounts. */
void yk_active_remove_ask(struct yk_ask *ask);
/*
 * Sets why a group with pending asks waits. With YK_WAIT_NONE the group is active, so it may be tried; with
 * another reason it is not. The group no longer waits for a certain queue, limit or required node, even if
 * `wait` is the same reason again: the caller then notes this again, as for a new wait. With all reasons but
 * YK_WAIT_NONE, YK_WAIT_NODES, YK_WAIT_QUEUE_QUOTA and YK_WAIT_USER_QUOTA, the holds of the group end
 * (pending/limit_hold.h). A reason that differs from the former one is counted as an attempt for REST, except
 * YK_WAIT_NONE and YK_WAIT_REQUIRED_NODE. Calls yk_active_update_app() for the application.
 *
 * To end the wait of a group, pass yk_group_wait_for_nodes(group), because its shape may be parked. For the
 * reasons below, the caller has more to do:
 * - YK_WAIT_APP_LIMIT: never pass it. It is a result of yk_limit_gate_run_or_park() only: applications, not
 *   groups, wait to start.
 * - YK_WAIT_QUEUE_QUOTA, YK_WAIT_USER_QUOTA: call yk_park_group() or yk_park_group_for_quota() instead. They
 *   also note what the group waits for.
 * - YK_WAIT_NODES after a search that found no node: call yk_park_shape() instead. It also parks the shape.
 * - YK_WAIT_REQUIRED_NODE: call yk_active_link_required() afterwards, unless the first ask of the group has
 *   reserved the node.
 * - YK_WAIT_PLACEHOLDER: call yk_unreserve_group() and yk_make_reservation_forget() before.
 * - YK_WAIT_GANG: never pass it. yk_gang_wait_update_held() does, while `is_held` of the gang is set.
 */
void yk_active_set_wait(struct yk_group *group, enum yk_wait wait);
/* Call it after `is_impossible` of the group changed (yk_impossible_look()): updates the order. O(depth * log
 * siblings). */
void yk_active_lends_changed(struct yk_group *group);
/* Counts, for REST, one more attempt of the group that ended with `wait`, at the present time. Call it only
 * for attempts that yk_active_set_wait() does not count: those that ended with the same wait as the attempt
 * before, and those that ended with YK_WAIT_REQUIRED_NODE. */
void yk_active_log_wait(struct yk_group *group, enum yk_wait wait);
/* Appends a group that waits with YK_WAIT_REQUIRED_NODE to `list` (struct yk_group, by waiting.in_required).
 * `list` is the list of the required node in reservation.required_waits of the partition. The group is in no
 * such list yet. yk_active_set_wait() removes it from the list. */
void yk_active_link_required(struct yk_group *group, struct yk_list *list);
/* Puts the application into the right tree of its leaf and in its place there, or removes it from the trees
 * of the leaf. Also restores its place among the applications that wait for nodes and for limits, and calls
 * yk_turn_order_changed(). In a stateaware leaf, chooses again which application may start. Call it after a
 * change of its state (yk_lifecycle_fire() does), of its pause or its wait to start, of `handed_over`, of its
 * submission time, or of its allocated amounts (after yk_app_update_shares()). No call is needed after
 * yk_active_set_wait(), yk_active_add_ask() and yk_active_remove_ask(). Does not recompute its priority. No
 * effect on an application without a leaf. */
void yk_active_update_app(struct yk_app *app);
/* Sets whether the queues of the application refused to start it at the last attempt (`start.held`), updates
 * the counts of pending asks (objects/pending_count.h), and calls yk_active_update_app(). `held` false: the
 * application may be tried again; call it when a held application may start, or is no longer Accepted.
 * Instead of passing true, call yk_park_app(), which also notes the queue that refused the application. */
void yk_active_hold_app(struct yk_app *app, bool held);
/* Adds `leaf` and the queues above it to the trees, or removes those in which nothing may be tried. Call it
 * after a change of `wait.next` of the leaf, or after the leaf joined or left a list `start.held_leaves`. The
 * other functions of this header do it themselves. */
void yk_active_update_leaf(struct yk_queue *leaf);
/*
 * The application of `leaf` to be tried first; NULL: none may be tried. The application may be held
 * (`start.held`) or wait for headroom (`wait.for_queue`). So the caller takes these steps before it tries the
 * group that yk_active_first_group() then returns. It tries nothing in this turn (YK_TURN_PARKED)
 * - if yk_queue_wait_look() returns true,
 * - else if yk_limit_gate_run_or_park() does not return YK_WAIT_NONE,
 * - else if the application was held before these calls and has groups that wait for nodes (`wait.groups`):
 *   these may come first now.
 */
struct yk_app *yk_active_first_app(const struct yk_queue *leaf);
/* The first group of the application that waits for nothing; NULL: there is none, such as when all its groups
 * wait for headroom of a queue. The application itself may be held, pause or wait for a limit:
 * yk_active_first_app() says which application may be tried. */
struct yk_group *yk_active_first_group(const struct yk_app *app);
/* Whether an application of the queue itself, not of a queue below it, may be tried: yk_active_first_app() is
 * not NULL. O(1). */
bool yk_active_has_apps(const struct yk_queue *queue);
/* Whether an application may be tried in the queue or below it. Groups that wait for nodes or for limits of
 * users, and may fit now, do not count (yk_freed_nodes_has_work(), yk_limit_wait_has_work()).
 * yk_partition_has_work() (scheduler/cycle.h) says whether a turn has anything to do. O(1). */
bool yk_active_has_work(const struct yk_queue *queue);
/* Recomputes `share` and `is_below_guarantee` of `queue` and of the queues above it except the root, and
 * restores their order among their siblings. Call it after the allocated or the pending amounts of `queue`
 * changed: before groups that wait in it are woken, and before it is compared with other queues. The caller
 * also calls yk_turn_order_changed(), unless a function of partition/accounting.h did so. */
void yk_active_update_queue(struct yk_queue *queue);
/* A step of yk_accounting_add_pending(), after pending amounts of `queue` were added and nothing else
 * changed: like yk_active_update_queue(), but does not recompute the shares, which do not depend on pending
 * amounts. */
void yk_active_update_pending(struct yk_queue *queue);
/*
 * A step of yk_lifecycle_leave_queue() and yk_app_move(), which other modules call instead: removes the
 * application from all orders of its leaf and from the counts of the leaf's pending asks
 * (objects/pending_count.h), and ends its wait to start and the holds of its groups, if there are any. Call
 * it while `app->leaf` is still set, before the application leaves the leaf. Its groups and asks stay in the
 * application.
 *
 * Before the call, the caller
 * - ends the nominations of its asks (yk_nominations_end()),
 * - ends the waits of its groups for queues, limits and required nodes, with
 *   yk_active_set_wait(group, yk_group_wait_for_nodes(group)),
 * - makes sure that `apps_by_state` of the leaf no longer counts the application as Starting: a stateaware
 *   leaf chooses here which other application may start.
 *
 * A pause of the application goes on (yk_backoff_clear() ends it). This function changes no amounts,
 * `running_apps`, `allocating_accepted`, `apps`, `app_count` or usages, and does not clear `app->leaf`: the
 * caller does this afterwards.
 */
void yk_active_forget_app(struct yk_app *app);
/* A step of yk_app_move(), the opposite of yk_active_forget_app(): adds an application that was moved to
 * another leaf, with its asks and allocations, to the orders of this leaf (`app->leaf`). Before the call, the
 * application is in no order, the leaf counts it and its amounts, and the caller has called
 * yk_pending_enter(), yk_app_update_shares() and yk_active_update_queue(), in this order. A new application
 * has no asks and needs no call. */
void yk_active_join_app(struct yk_app *app);
/*
 * A step of yk_wake_queue_for_limits(), which other modules call after the maximum or the guarantee of `top`
 * changed. Recomputes the fair maxima and shares of `top` and of those queues below whose fair maximum
 * changes, too, and restores their order. If `top` orders its applications by share, also recomputes their
 * shares and restores their order. Wakes nothing. O(queues that change * log siblings + applications of
 * `top`).
 */
void yk_active_limits_changed(struct yk_queue *top);
/* A step of yk_fair_shares_step() after the capacity of the nodes changed. yk_fair_shares_step() calls it for
 * the root first, and for each parent before its children. Recomputes the fair maximum and the share of
 * `queue`, and restores its order among its siblings. */
void yk_active_update_fair_max(struct yk_queue *queue);
/* Call it after `app_sort` or `priority_sort` in `queue->settings` changed: recomputes the shares of the
 * applications of `queue`, restores the order of its applications and children in all trees, and lets the
 * stateaware policy choose again. The caller then calls yk_turn_order_changed() and
 * yk_reservation_look_again(). O(n log n) for the n applications and children of `queue`. */
void yk_active_sort_changed(struct yk_queue *queue);
/* Call it after the priority policy or the priority offset in `queue->settings` changed: recomputes the
 * priority of `queue` and of the queues above (R46), and restores their order. The caller then calls
 * yk_turn_order_changed() and yk_reservation_look_again(). O(depth). */
void yk_active_priority_changed(struct yk_queue *queue);

#endif
