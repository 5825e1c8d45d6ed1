/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The groups that wait for nodes, in the order in which they would be tried.
 *
 * There are three levels of ordered trees: the groups of an application, the applications of a leaf, and the
 * children of a queue. Each branch of a tree stores amounts that are at most as large, type by type, as those
 * of every group in it, so a search for a group that fits on a node skips whole branches. So the cost of a
 * node that becomes free depends on how many asks can start there, not on how many wait.
 *
 * Members: groups with pending asks and YK_WAIT_NODES, in applications that may be tried. Only members are
 * offered nodes that become free. So the functions below that remove the last member of a shape also end its
 * parking (yk_shape_set_parked()), and the next ask of the shape is tried on all nodes.
 *
 * The functions of pending/active.h call the functions below that change the order. Other modules call the
 * functions of pending/active.h.
 *
 * Owns:   struct yk_wait_branch of groups, applications and queues, and the trees of these.
 * Thread: scheduling thread only.
 */
#ifndef YK_PENDING_WAIT_ORDER_H
#define YK_PENDING_WAIT_ORDER_H

#include "objects/app.h"

/* Call it after a change of `group->wait`, of the group's first ask or of its priority: adds, moves or
 * removes the group. Its shape is no longer parked if the group was its last member. O(log siblings) per
 * level. */
void yk_wait_order_update_group(struct yk_group *group);
/* Call it after a change of the application's place in its leaf, or of `may_try`: whether the application
 * itself may be tried, because it may start and does not pause. If it became false, shapes without other
 * members are no longer parked. If it became true, the shape of each group in `app->wait.groups` is parked
 * and tried again (yk_freed_nodes_retry()), because a node may have become free for it meanwhile. No effect
 * without a leaf. O(its groups that wait for nodes) if `may_try` changed, else O(log siblings) per level. */
void yk_wait_order_update_app(struct yk_app *app, bool may_try);
/* Call it after the place of the queue among its siblings changed; no effect if nothing waits in it. O(log
 * siblings). */
void yk_wait_order_update_queue(struct yk_queue *queue);
/* Removes the application from the order of its leaf; call it before it leaves the leaf. Its groups keep
 * YK_WAIT_NODES, but are no members. Shapes without other members are no longer parked. */
void yk_wait_order_forget_app(struct yk_app *app);
/* Call it after `app_sort` or `priority_sort` of the queue changed: restores the order of the applications
 * and children that wait in it. O(n log n) for n of these. */
void yk_wait_order_sort_changed(struct yk_queue *queue);

/* The answer of `visit` about a group. */
enum yk_wait_visit {
    YK_WAIT_VISIT_NEXT, /* not this one: the search goes on */
    YK_WAIT_VISIT_TAKE, /* this one: the search ends with it */
    YK_WAIT_VISIT_STOP, /* the search ends without a group */
};

/* What to search for. Written by: the caller. */
struct yk_wait_search {
    const struct yk_resvec *capacity; /* only groups whose asks fit into it; NULL: all groups */
    /* Called for these groups in order, with `context`. It must not change which groups wait. */
    enum yk_wait_visit (*visit)(void *context, struct yk_group *group);
    void *context; /* may be NULL */
};

/* The group in the branch of `top` for which `visit` answered YK_WAIT_VISIT_TAKE, borrowed until the order
 * changes; NULL: none. Changes nothing. The search compares sizes only, so `visit` checks classes and
 * reservations. Limits of queues and users may refuse the group by now: `visit` or the caller checks them.
 * Recurses as deep as the queues are nested (at most 1,000). */
struct yk_group *yk_wait_order_find(const struct yk_queue *top, const struct yk_wait_search *search);
/* Whether no group in the branch of `root` waits for nodes. O(1). */
bool yk_wait_order_is_empty(const struct yk_queue *root);
/* Whether the order and the stored amounts of the trees of this queue and of its applications are right. For
 * tests and the health check. O(groups, applications and children that wait there). */
bool yk_wait_order_valid(const struct yk_queue *queue);

#endif
