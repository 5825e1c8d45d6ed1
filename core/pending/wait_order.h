/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The groups that wait for nodes, in the order in which they would be tried.
 *
 * Three levels of ordered trees: the groups of an application, the applications of a leaf, the children of a
 * queue. Each branch of a tree knows an amount that is at most as large as every size that waits in it, so
 * that a search for what fits on a node passes by whole branches. An event of a node therefore costs what it
 * can start, not what waits.
 *
 * Members: groups with pending asks and YK_WAIT_NODES, in applications that may be tried. When an application
 * may be tried again, a node is searched for the shapes that it waits with (pending/freed_nodes.h).
 *
 * Owns:   struct yk_wait_branch of groups, applications and queues, and the trees of these.
 * Thread: scheduling thread only.
 */
#ifndef YK_PENDING_WAIT_ORDER_H
#define YK_PENDING_WAIT_ORDER_H

#include "objects/app.h"

/* Call it after `group->wait`, the group's first ask or its priority changed. O(log of its siblings, per
 * level). */
void yk_wait_order_update_group(struct yk_group *group);
/* Call it after the place of the application in its leaf changed. `may_try`: nothing but nodes keeps it from
 * being tried. */
void yk_wait_order_update_app(struct yk_app *app, bool may_try);
/* Call it after the place of the queue among its siblings changed. O(log siblings). */
void yk_wait_order_update_queue(struct yk_queue *queue);
/* Takes the application out of the order of its leaf, before it leaves the leaf. */
void yk_wait_order_forget_app(struct yk_app *app);
/* The sort policy of the queue changed: restores the order of what waits in it. O(what waits there). */
void yk_wait_order_sort_changed(struct yk_queue *queue);

enum yk_wait_visit { YK_WAIT_VISIT_NEXT, YK_WAIT_VISIT_TAKE, YK_WAIT_VISIT_STOP };

struct yk_wait_search {
    const struct yk_resvec *capacity; /* only groups whose asks fit into it; NULL: all */
    /* Called in order. TAKE: this is the one that is looked for. STOP: there is none. Must change nothing. */
    enum yk_wait_visit (*visit)(void *context, struct yk_group *group);
    void *context;
};

/* The group that `visit` took, or NULL. Recursion is as deep as the queues are nested (at most 1,000). */
struct yk_group *yk_wait_order_find(const struct yk_queue *top, const struct yk_wait_search *search);
/* Whether nothing waits for nodes. O(1). */
bool yk_wait_order_is_empty(const struct yk_queue *root);
/* Whether order and summaries of the three trees of the queue are right. For tests and the health check.
 * O(what waits there). */
bool yk_wait_order_valid(const struct yk_queue *queue);

#endif
