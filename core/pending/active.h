/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The asks that the cycle may try: ordered trees from the root queue down to groups of asks, kept in order as things
 * change.
 *
 * A group is active when it has a pending ask and waits for nothing; an application when it has an active
 * group and may run; a queue when something below it is active. What is not active is in no tree, so that the
 * cycle never looks at it. Every change costs O(log n) per level, and nothing when the order does not change.
 * Thread: scheduling thread only.
 */
#ifndef YK_PENDING_ACTIVE_H
#define YK_PENDING_ACTIVE_H

#include "objects/app.h"

/* Puts a pending ask into its group, and updates priorities and orders of the group, its application and its
 * queues. */
void yk_active_add_ask(struct yk_ask *ask);
/* Takes the ask out of its group, and updates the same. A group that is empty then leaves the trees; it is
 * not freed. */
void yk_active_remove_ask(struct yk_ask *ask);
/* Sets why the group waits. With YK_WAIT_NONE it is in the trees and may be tried; with another reason it
 * leaves them. */
void yk_active_set_wait(struct yk_group *group, enum yk_wait wait);
/* Counts one more attempt of the group, or of an equal group, that ended with `wait`. For REST. Only for attempts that
 * yk_active_set_wait() does not count: those with the same reason as before, or with REQUIRED_NODE. */
void yk_active_log_wait(struct yk_group *group, enum yk_wait wait);
/* Links a group that waits with YK_WAIT_REQUIRED_NODE to the end of `list`, until its wait changes. */
void yk_active_link_required(struct yk_group *group, struct yk_list *list);
/* Puts the application into the tree where it belongs. Call it after its state, what it waits for or a key of
 * its order changed. */
void yk_active_update_app(struct yk_app *app);
/* Sets whether the queues of the application refused to start it at the last attempt (`start.held`), and
 * calls yk_active_update_app(). */
void yk_active_hold_app(struct yk_app *app, bool held);
/* Puts `leaf` and the queues above it into the trees, or takes them out. Call it after applications of `leaf`
 * began or ceased to wait for a queue. */
void yk_active_update_leaf(struct yk_queue *leaf);
/* The application of `leaf` to be tried first, or NULL. */
struct yk_app *yk_active_first_app(const struct yk_queue *leaf);
/* The group of the application to be tried first, or NULL. */
struct yk_group *yk_active_first_group(const struct yk_app *app);
/* Whether an application of the queue itself may be tried. O(1). */
bool yk_active_has_apps(const struct yk_queue *queue);
/* Whether anything may be tried in the queue or below it. O(1). */
bool yk_active_has_work(const struct yk_queue *queue);
/* Recomputes the fair shares of `queue` and of the queues above it, and restores the order of each level.
 * Call it after `allocated` changed. */
void yk_active_update_queue(struct yk_queue *queue);
/* Restores the order on the path of `queue` after its `pending` changed. Shares do not depend on it. */
void yk_active_update_pending(struct yk_queue *queue);
/* Takes the application out of all orders and waits of its leaf. Call it before the application leaves the
 * leaf. */
void yk_active_forget_app(struct yk_app *app);
/* The opposite of yk_active_forget_app(): puts an application, which was moved to its leaf with asks and
 * allocations, into the orders there. It is in no order before, and its leaf's share is up to date. */
void yk_active_join_app(struct yk_app *app);
/*
 * The limits of `top` changed: recomputes the fair maxima and shares of `top` and of the queues below it, as
 * far as the change reaches, and restores their order.
 */
void yk_active_limits_changed(struct yk_queue *top);
/* The capacity of the nodes changed: updates the fair maximum and the share of `queue`. Its parent was
 * updated before. */
void yk_active_update_fair_max(struct yk_queue *queue);
/* The sort policy of `queue` has changed: restores the order of what is active there. O(active items
 * there). */
void yk_active_sort_changed(struct yk_queue *queue);
/* The priority policy or the offset of `queue` has changed: recomputes the priorities of the queues above
 * (R46). O(depth). */
void yk_active_priority_changed(struct yk_queue *queue);

#endif
