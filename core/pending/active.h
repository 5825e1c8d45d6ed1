/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The asks that the cycle may try: ordered trees from the root queue down to groups of asks. The functions
 * below keep the trees in order when asks, limits, shares or priorities change.
 *
 * A group is active if it has a pending ask and waits for nothing (YK_WAIT_NONE). An application is active if
 * it has an active group and may start or run. A queue is active if an application or a queue below it is.
 * What is not active is in no tree, so the cycle never looks at it. A change costs O(log n) per level of the
 * tree, unless a function says otherwise.
 *
 * The functions change no amounts of queues or applications (partition/accounting.h does).
 * Thread: scheduling thread only.
 */
#ifndef YK_PENDING_ACTIVE_H
#define YK_PENDING_ACTIVE_H

#include "objects/app.h"

/*
 * Adds a pending ask to its group, and updates the priority and the order of the group, of its application
 * and of its queues. `ask->group` is set, and the ask is not among the pending asks of the group yet. If it
 * is the first one, the wait of the group is set: YK_WAIT_PLACEHOLDER, YK_WAIT_GANG, YK_WAIT_NODES or
 * YK_WAIT_NONE. A group with YK_WAIT_REQUIRED_NODE is tried again if the new ask becomes its first one.
 */
void yk_active_add_ask(struct yk_ask *ask);
/* Removes a pending ask from its group, and updates the same orders as yk_active_add_ask(). A group without
 * pending asks leaves the trees and waits for nothing; it is not freed. */
void yk_active_remove_ask(struct yk_ask *ask);
/*
 * Sets why the group waits. With YK_WAIT_NONE the group is active, so it may be tried; with another reason it
 * leaves the trees. A reason that differs from the one before is counted as an attempt for REST, except
 * YK_WAIT_NONE and YK_WAIT_REQUIRED_NODE. For YK_WAIT_QUEUE_QUOTA and YK_WAIT_USER_QUOTA call yk_park_group()
 * and yk_park_group_for_quota() instead: they also note what the group waits for.
 */
void yk_active_set_wait(struct yk_group *group, enum yk_wait wait);
/* Counts, for REST, one more attempt of the group that ended with `wait`, at the present time. Call it only
 * for attempts that yk_active_set_wait() does not count: those that ended as the one before, and those with
 * YK_WAIT_REQUIRED_NODE. */
void yk_active_log_wait(struct yk_group *group, enum yk_wait wait);
/* Appends a group that waits with YK_WAIT_REQUIRED_NODE to `list` (struct yk_group, by waiting.in_required).
 * The group is in no such list yet. It is removed from the list when its wait changes. */
void yk_active_link_required(struct yk_group *group, struct yk_list *list);
/* Puts the application into the tree of its leaf where it belongs, or removes it from all trees. Call it
 * after a change of its state, of what it waits for, or of a value by which its leaf orders applications. No
 * effect on an application without a leaf. */
void yk_active_update_app(struct yk_app *app);
/* Sets whether the queues of the application refused to start it at the last attempt (`start.held`), and
 * calls yk_active_update_app(). */
void yk_active_hold_app(struct yk_app *app, bool held);
/* Adds `leaf` and the queues above it to the trees, or removes those in which nothing may be tried. Call it
 * after a change of `wait.next` of the leaf, or after the leaf joined or left a list `start.held_leaves`. */
void yk_active_update_leaf(struct yk_queue *leaf);
/* The application of `leaf` to be tried first; NULL: none may be tried. */
struct yk_app *yk_active_first_app(const struct yk_queue *leaf);
/* The group of the application to be tried first; NULL: none may be tried. */
struct yk_group *yk_active_first_group(const struct yk_app *app);
/* Whether an application of the queue itself, not of a queue below it, may be tried. O(1). */
bool yk_active_has_apps(const struct yk_queue *queue);
/* Whether anything may be tried in the queue or below it. O(1). */
bool yk_active_has_work(const struct yk_queue *queue);
/* Recomputes `share` and `is_below_guarantee` of `queue` and of the queues above it except the root, and
 * restores their order among their siblings. Call it after the allocated amounts of `queue` changed. */
void yk_active_update_queue(struct yk_queue *queue);
/* Restores the order of `queue` and of the queues above it among their siblings. Call it after the pending
 * amounts of `queue` changed. Recomputes `is_below_guarantee`, but not the shares: they do not depend on
 * pending amounts. */
void yk_active_update_pending(struct yk_queue *queue);
/* Removes the application from all orders and waits of its leaf, and from the counts of the leaf's pending
 * asks (objects/pending_count.h). Call it while `app->leaf` is still set, before the application leaves the
 * leaf. Its groups and asks stay in the application. */
void yk_active_forget_app(struct yk_app *app);
/* The opposite of yk_active_forget_app(): adds an application, which was moved to its leaf with asks and
 * allocations, to the orders there. Before the call the application is in no order, `app->leaf` is set, and
 * yk_active_update_queue() was called for the leaf. Does not call yk_pending_enter(). */
void yk_active_join_app(struct yk_app *app);
/*
 * Call it after the maximum or the guarantee of `top` changed: recomputes the fair maxima and shares of `top`
 * and of those queues below whose fair maximum changes, too, and restores their order. Also recomputes the
 * shares of the applications of `top`. O(queues that change * log siblings + applications of `top`).
 */
void yk_active_limits_changed(struct yk_queue *top);
/* Call it after the capacity of the nodes changed, for the root first and for each parent before its
 * children: recomputes the fair maximum and the share of `queue`, and restores its order among its
 * siblings. */
void yk_active_update_fair_max(struct yk_queue *queue);
/* Call it after the sort policy of `queue` changed, for its children or its applications: restores the order
 * of all that is active or waits there, and lets the stateaware policy choose again. O(n log n) for the n
 * applications and children of `queue`. */
void yk_active_sort_changed(struct yk_queue *queue);
/* Call it after the priority policy or the priority offset of `queue` changed: recomputes the priority of
 * `queue` and of the queues above (R46), and restores their order. O(depth). */
void yk_active_priority_changed(struct yk_queue *queue);

#endif
