/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may be tried: the ready trees from the root queue down to groups of asks, kept in order as things
 * change.
 *
 * A group is ready when it has a pending ask and waits for nothing; an application when it has a ready group
 * and may run; a queue when something below it is ready. What is not ready is in no tree, so that the cycle
 * never looks at it. Every change costs O(log n) per level, and nothing when the order does not change.
 * Thread: scheduling thread only.
 */
#ifndef YK_PENDING_ACTIVE_H
#define YK_PENDING_ACTIVE_H

#include "objects/app.h"

/* Puts a pending ask into its group, or takes it out; priorities and orders follow. */
void yk_active_add_ask(struct yk_ask *ask);
/* The group may be empty then; it leaves the trees. */
void yk_active_remove_ask(struct yk_ask *ask);
/* The group waits (out of the trees) or may be tried again. */
void yk_active_set_wait(struct yk_group *group, enum yk_wait wait);
/* Counts one more attempt of the group, or of an equal group, that ended with `wait`. For REST. */
void yk_active_log_wait(struct yk_group *group, enum yk_wait wait);
/* Links a group that waits with YK_WAIT_REQUIRED_NODE to the end of `list`, until it no longer waits so. */
void yk_active_link_required(struct yk_group *group, struct yk_list *list);
/* Puts the application where it belongs after something about it changed: gate, order key. */
void yk_active_update_app(struct yk_app *app);
/* Whether the queues of the application refused to start it at the last attempt; then as above. */
void yk_active_hold_app(struct yk_app *app, bool held);
/* The held applications of `leaf` may be tried again. */
void yk_active_update_leaf(struct yk_queue *leaf);
/* The application of `leaf` to be tried first, or NULL. */
struct yk_app *yk_active_first_app(const struct yk_queue *leaf);
/* The group of the application to be tried first, or NULL. */
struct yk_group *yk_active_first_group(const struct yk_app *app);
/* Whether anything may be tried in the queue itself, and whether there or below. */
bool yk_active_has_apps(const struct yk_queue *queue);
/* Whether anything may be tried there or below. O(1). */
bool yk_active_has_work(const struct yk_queue *queue);
/* Recomputes shares on the path of `queue` and keeps the order of each level. */
void yk_active_update_queue(struct yk_queue *queue);
/* Keeps the order after a change of what is pending, which is no part of a share. */
void yk_active_update_pending(struct yk_queue *queue);
/* Takes the application out of its leaf's order; before it leaves the leaf. */
void yk_active_forget_app(struct yk_app *app);
/* The application has come into its leaf with all it has: the counterpart. It is in no order, and its leaf's
 * share is up to date. */
void yk_active_join_app(struct yk_app *app);
/*
 * After a change of what the order rests on; each keeps the trees in order on its own.
 * Limits of `top`: shares below follow as far as the change reaches.
 * What the nodes offer: `queue` follows its parent, which has done so already (pending/fair_shares.h).
 * Its sort policy, already set: O(ready there). Its priority policy or offset (R46): O(depth).
 */
void yk_active_limits_changed(struct yk_queue *top);
/* What the nodes offer changed. */
void yk_active_update_fair_max(struct yk_queue *queue);
/* The sort policy changed. */
void yk_active_sort_changed(struct yk_queue *queue);
/* The priority policy or the offset changed. */
void yk_active_priority_changed(struct yk_queue *queue);

#endif
