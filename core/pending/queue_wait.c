/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/queue_wait.h"

#include "pending/active.h"
#include "report/outstanding.h"
#include "state/limit_held.h"

static struct yk_queue *root_of(const struct yk_app *app)
{
    return app->partition->root;
}

static void wait_for(struct yk_queue *leaf, struct yk_queue *queue)
{
    struct yk_list *link = &leaf->wait.places[queue->depth].in_queue;
    if (!yk_list_linked(link))
        yk_list_append(&queue->wait.leaves, link);
}

/* ---- one application ---- */

void yk_queue_wait_begin(struct yk_group *group)
{
    struct yk_app *app = group->app;
    if (app->wait.queue_groups == 0)
        app->wait.headroom_seen = root_of(app)->wait.headroom_sequence;
}

void yk_queue_wait_refused(struct yk_group *group, struct yk_queue *queue)
{
    yk_group_set_waits_for(group, queue);
    wait_for(group->app->leaf, queue);
    yk_outstanding_note_group(group);
}

bool yk_queue_wait_is_unseen(const struct yk_app *app)
{
    return app->wait.queue_groups > 0 && app->wait.headroom_seen != root_of(app)->wait.headroom_sequence;
}

static void look_at_group(struct yk_group *group)
{
    struct yk_queue *refusing;
    bool has_capacity = yk_queue_has_headroom(group->app->leaf, &group->shape->size, &refusing);
    if (has_capacity)
        refusing = yk_limit_held_queue(group->app, group, &group->shape->size);
    if (refusing == NULL)
        yk_active_set_wait(group, yk_group_wait_for_nodes(group));
    else
        yk_queue_wait_refused(group, refusing);
}

static void look_at_app(struct yk_app *app)
{
    struct yk_group *group;
    app->wait.headroom_seen = root_of(app)->wait.headroom_sequence;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (group->wait == YK_WAIT_QUEUE_QUOTA)
            look_at_group(group);
    }
    yk_active_update_app(app);
}

/* ---- the leaf ---- */

void yk_queue_wait_note_app(const struct yk_app *app)
{
    struct yk_queue *leaf = app->leaf;
    const struct yk_group *group;
    bool first = leaf->wait.apps.count == 0;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        const struct yk_resvec *size = &group->shape->size;
        if (group->wait != YK_WAIT_QUEUE_QUOTA)
            continue;
        if (first)
            yk_resvec_copy(&leaf->wait.least, size);
        first = false;
        yk_resvec_keep_types(&leaf->wait.least, size);
        yk_resvec_min_existing(&leaf->wait.least, size);
    }
}

void yk_queue_wait_pass(const struct yk_app *app)
{
    struct yk_tree_link *next = yk_tree_next(&app->in_active);
    app->leaf->wait.next = next == NULL ? NULL : YK_CONTAINER(next, struct yk_app, in_active);
}

/* Whether no application in `wait.apps`, from `app` on, can start something: `wait.least` does not fit, or
 * what is free is held for earlier groups (pending/limit_hold.h). If so, sets `*ret_refusing` to the queue
 * that needs more headroom, or whose hold has to end, before one of them can. */
static bool is_hopeless(struct yk_queue *leaf, const struct yk_app *app, struct yk_queue **ret_refusing)
{
    if (!yk_queue_has_headroom(leaf, &leaf->wait.least, ret_refusing))
        return true;
    *ret_refusing = yk_limit_held_queue(app, NULL, &leaf->wait.least);
    return *ret_refusing != NULL;
}

bool yk_queue_wait_look_if_unseen(struct yk_app *app)
{
    bool unseen = yk_queue_wait_is_unseen(app);
    if (unseen)
        look_at_app(app);
    return unseen;
}

bool yk_queue_wait_look(struct yk_app *app)
{
    struct yk_queue *leaf = app->leaf, *refusing;
    if (app->wait.for_queue && is_hopeless(leaf, app, &refusing)) {
        leaf->wait.next = NULL;
        wait_for(leaf, refusing);
        yk_outstanding_note_leaf(app->partition, leaf, refusing);
        yk_active_update_leaf(leaf);
        return true;
    }
    bool unseen = yk_queue_wait_look_if_unseen(app);
    if (leaf->wait.next == app) {
        yk_queue_wait_pass(app);
        yk_active_update_leaf(leaf);
        return true;
    }
    return unseen;
}

/* ---- more headroom ---- */

/* If asks of the leaf are nominated, calls `queue_eased` of the listener, because they may use the headroom,
 * too. */
static void note_nomination(struct yk_queue *leaf)
{
    const struct yk_group *group =
        yk_list_first(&leaf->reservation.nominated_groups, struct yk_group, reservation.in_nominated);
    if (group != NULL)
        group->app->partition->wait_listener->queue_eased(leaf);
}

static void look_at_leaf(struct yk_queue *leaf, struct yk_queue *queue)
{
    struct yk_tree_link *first = yk_tree_first(&leaf->wait.apps);
    struct yk_queue *refusing;
    struct yk_list *link = &leaf->wait.places[queue->depth].in_queue;
    note_nomination(leaf);
    struct yk_app *app = first == NULL ? NULL : YK_CONTAINER(first, struct yk_app, in_active);
    bool hopeless = app != NULL && is_hopeless(leaf, app, &refusing);
    if (hopeless && refusing == queue)
        return;
    yk_list_remove(link);
    if (app == NULL)
        return; /* active applications look at their groups that wait for headroom in their turn */
    if (hopeless) {
        wait_for(leaf, refusing);
        yk_outstanding_note_leaf(app->partition, leaf, refusing);
        return;
    }
    leaf->wait.next = app;
    yk_active_update_leaf(leaf);
}

static void ease(struct yk_queue *queue)
{
    struct yk_capacity_wait *wait;
    yk_list_foreach (wait, &queue->wait.leaves, struct yk_capacity_wait, in_queue)
        look_at_leaf(wait->leaf, queue);
}

void yk_queue_wait_eased(struct yk_queue *queue, const struct yk_queue *last)
{
    struct yk_queue *root = queue;
    while (root->parent != NULL)
        root = root->parent;
    root->wait.headroom_sequence++;
    for (; queue != NULL; queue = queue == last ? NULL : queue->parent)
        ease(queue);
}
