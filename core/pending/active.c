/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/active.h"

#include "base/vec.h"
#include "pending/backoff.h"
#include "pending/impossible.h"
#include "pending/limit_hold.h"
#include "pending/limit_wait.h"
#include "pending/queue_wait.h"
#include "pending/stateaware.h"
#include "pending/wait_order.h"
#include "policies/queue_order.h"
#include "report/outstanding.h"
#include "report/wait_metrics.h"
#include "state/core.h"
#include "state/turn.h"

/* ---- queues ---- */

/* Whether the held applications of the queue are to be tried: it has some, and it is in no list
 * `start.held_leaves` of a queue that runs its maximum. */
static bool tries_held(const struct yk_queue *queue)
{
    return queue->start.held_apps.count > 0 && !yk_list_linked(&queue->start.in_held);
}

bool yk_active_has_apps(const struct yk_queue *queue)
{
    return queue->active_apps.count > 0 || queue->wait.next != NULL || tries_held(queue);
}

bool yk_active_has_work(const struct yk_queue *queue)
{
    return queue->active_children.count > 0 || yk_active_has_apps(queue);
}

static void link_upwards(struct yk_queue *queue)
{
    for (; queue->parent != NULL && !yk_tree_linked(&queue->in_active); queue = queue->parent) {
        queue->parent->active_children.order = yk_queue_order;
        yk_tree_insert(&queue->parent->active_children, &queue->in_active);
    }
}

static void unlink_upwards(struct yk_queue *queue)
{
    for (; queue->parent != NULL && yk_tree_linked(&queue->in_active) && !yk_active_has_work(queue);
         queue = queue->parent)
        yk_tree_remove(&queue->parent->active_children, &queue->in_active);
}

static void link_as_needed(struct yk_queue *queue)
{
    if (yk_active_has_work(queue))
        link_upwards(queue);
    else
        unlink_upwards(queue);
}

static void keep_in_order(struct yk_queue *queue)
{
    if (yk_tree_linked(&queue->in_active))
        yk_tree_moved(&queue->parent->active_children, &queue->in_active);
    yk_wait_order_update_queue(queue);
}

static void update_below_guarantee(struct yk_queue *queue)
{
    queue->is_below_guarantee = yk_resvec_is_below(
        &queue->allocated, queue->has_guaranteed ? &queue->guaranteed : NULL, &queue->pending);
}

static double share_of(const struct yk_queue *queue)
{
    return yk_queue_share_of(queue, &queue->allocated);
}

static void update_share(struct yk_queue *queue)
{
    queue->share = share_of(queue);
    update_below_guarantee(queue);
}

void yk_active_update_queue(struct yk_queue *queue)
{
    for (; queue->parent != NULL; queue = queue->parent) {
        update_share(queue);
        keep_in_order(queue);
    }
}

void yk_active_update_pending(struct yk_queue *queue)
{
    for (; queue->parent != NULL; queue = queue->parent) {
        update_below_guarantee(queue);
        keep_in_order(queue);
    }
}

/* Updates the priorities of `queue` and of the queues above it after an application or a child of `queue`
 * changed its priority from `before` to `after`. */
static void change_priority(struct yk_queue *queue, int32_t before, int32_t after)
{
    while (queue != NULL && before != after) {
        yk_priority_count_remove(&queue->priorities, before);
        yk_priority_count_add(&queue->priorities, after);
        before = queue->priority;
        after = yk_queue_effective_priority(queue, yk_priority_count_highest(&queue->priorities));
        queue->priority = after;
        if (before != after)
            keep_in_order(queue);
        queue = queue->parent;
    }
}

/* ---- applications ---- */

static bool may_be_tried(const struct yk_app *app)
{
    return !yk_list_linked(&app->start.in_gated) && !yk_backoff_rests(app) && !yk_stateaware_holds(app);
}

static struct yk_tree *tree_of(const struct yk_app *app)
{
    struct yk_queue *leaf = app->leaf;
    if (app->wait.for_queue)
        return &leaf->wait.apps;
    return app->start.held ? &leaf->start.held_apps : &leaf->active_apps;
}

static void put_in_order(struct yk_app *app)
{
    struct yk_tree *tree = tree_of(app);
    tree->order = yk_app_order;
    if (app->wait.for_queue)
        yk_queue_wait_note_app(app);
    yk_tree_insert(tree, &app->in_active);
    link_as_needed(app->leaf);
}

static void take_out_of_order(struct yk_app *app)
{
    struct yk_queue *leaf = app->leaf;
    if (!yk_tree_linked(&app->in_active))
        return;
    if (leaf->wait.next == app)
        yk_queue_wait_pass(app);
    yk_outstanding_note_move(app);
    yk_tree_remove(tree_of(app), &app->in_active);
    if (app->start.held && leaf->start.held_apps.count == 0)
        yk_list_remove(&leaf->start.in_held); /* the leaf has no held application left */
    link_as_needed(leaf);
}

static void place_app(struct yk_app *app)
{
    yk_turn_order_changed(app->partition);
    yk_wait_order_update_app(app, may_be_tried(app) && !app->start.held);
    yk_limit_wait_update_app(app);
    bool tried = app->active_groups.count > 0 || yk_queue_wait_is_unseen(app) ||
                 (app->start.held && app->wait.groups.count > 0);
    bool belongs = may_be_tried(app) && (tried || app->wait.queue_groups > 0);
    if (!belongs || app->wait.for_queue != !tried || app->leaf->wait.next == app)
        take_out_of_order(app);
    app->wait.for_queue = belongs && !tried;
    if (yk_tree_linked(&app->in_active)) {
        yk_outstanding_note_move(app);
        yk_tree_moved(tree_of(app), &app->in_active);
    } else if (belongs) {
        put_in_order(app);
    }
}

static void place_changed(struct yk_app *const changed[2])
{
    for (size_t i = 0; i < 2; i++) {
        if (changed[i] != NULL)
            place_app(changed[i]);
    }
}

void yk_active_update_app(struct yk_app *app)
{
    struct yk_app *changed[2];
    if (app->leaf == NULL)
        return;
    yk_stateaware_update(app, changed);
    place_app(app);
    place_changed(changed);
}

void yk_active_hold_app(struct yk_app *app, bool held)
{
    enum yk_pending_hold before = yk_pending_hold(app);
    if (app->start.held != held && app->leaf != NULL)
        take_out_of_order(app);
    app->start.held = held;
    yk_pending_hold_changed(app, before);
    yk_active_update_app(app);
}

static struct yk_app *earlier(struct yk_app *a, struct yk_app *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    return yk_app_order(&a->in_active, &b->in_active) < 0 ? a : b;
}

static struct yk_app *first_of(const struct yk_tree *apps)
{
    struct yk_tree_link *first = yk_tree_first(apps);
    return first == NULL ? NULL : YK_CONTAINER(first, struct yk_app, in_active);
}

void yk_active_update_leaf(struct yk_queue *leaf)
{
    link_as_needed(leaf);
}

struct yk_app *yk_active_first_app(const struct yk_queue *leaf)
{
    struct yk_app *held = tries_held(leaf) ? first_of(&leaf->start.held_apps) : NULL;
    return earlier(earlier(first_of(&leaf->active_apps), held), leaf->wait.next);
}

struct yk_group *yk_active_first_group(const struct yk_app *app)
{
    struct yk_tree_link *first = yk_tree_first(&app->active_groups);
    return first == NULL ? NULL : YK_CONTAINER(first, struct yk_group, in_active);
}

static int32_t highest_pending(const struct yk_app *app)
{
    const struct yk_tree_link *link = yk_tree_first(&app->pending_groups);
    const struct yk_group *first = link == NULL ? NULL : YK_CONTAINER(link, struct yk_group, in_pending);
    return first != NULL && yk_group_lends_priority(first) ? first->priority : YK_PRIORITY_NONE;
}

/* Whether the application needs no new place after its asks changed: its priority is the same, its leaf
 * orders applications by priority and submission time only (FIFO), and it is in the tree of active
 * applications, or of held ones. */
static bool stays(const struct yk_app *app, int32_t before)
{
    return app->priority == before && app->leaf->settings.app_sort == YK_APP_SORT_FIFO &&
           yk_tree_linked(&app->in_active) && !app->wait.for_queue && app->leaf->wait.next != app &&
           app->active_groups.count > 0;
}

/* Recomputes the priority of the application, by which its leaf orders it. True: yk_active_update_app() was
 * called. False: the application has no leaf, or needs no new place. */
static bool update_priority(struct yk_app *app)
{
    int32_t before = app->priority;
    app->priority = highest_pending(app);
    if (app->leaf == NULL || stays(app, before))
        return false;
    change_priority(app->leaf, before, app->priority);
    yk_active_update_app(app);
    return true;
}

void yk_active_forget_app(struct yk_app *app)
{
    struct yk_app *changed[2];
    yk_pending_leave(app);
    yk_wait_metrics_set_reason(app, YK_REASON_NONE);
    take_out_of_order(app);
    yk_wait_order_forget_app(app);
    yk_limit_hold_end_app(app);
    app->start.held = app->wait.for_queue = false;
    change_priority(app->leaf, app->priority, YK_PRIORITY_NONE);
    app->priority = YK_PRIORITY_NONE;
    yk_limit_wait_remove_app(app);
    yk_outstanding_remove_app(app);
    yk_stateaware_forget(app, changed);
    place_changed(changed);
}

void yk_active_join_app(struct yk_app *app)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending)
        yk_impossible_note(group);
    YK_ASSERT(app->priority == YK_PRIORITY_NONE && !yk_tree_linked(&app->in_active));
    (void)update_priority(app); /* the application is in its place in both cases */
}

/* ---- groups ---- */

static void put_in_trees(struct yk_group *group)
{
    struct yk_app *app = group->app;
    if (yk_tree_linked(&group->in_pending)) {
        yk_tree_moved(&app->pending_groups, &group->in_pending);
    } else {
        yk_impossible_note(group);
        yk_tree_insert(&app->pending_groups, &group->in_pending);
    }
    if (yk_tree_linked(&group->in_active))
        yk_tree_moved(&app->active_groups, &group->in_active);
    else if (group->wait == YK_WAIT_NONE)
        yk_tree_insert(&app->active_groups, &group->in_active);
    yk_wait_order_update_group(group);
    yk_limit_wait_update_group(group);
}

static void take_out_of_trees(struct yk_group *group)
{
    yk_tree_remove(&group->app->pending_groups, &group->in_pending);
    yk_impossible_forget(group);
    if (yk_tree_linked(&group->in_active))
        yk_tree_remove(&group->app->active_groups, &group->in_active);
}

static const struct yk_wait_listener *listener_of(const struct yk_group *group)
{
    return group->app->partition->wait_listener;
}

static void note_waiting(struct yk_group *group)
{
    yk_outstanding_note_wait(group);
    listener_of(group)->group_waits(group);
}

void yk_active_log_wait(struct yk_group *group, enum yk_wait wait)
{
    group->waiting.log[wait].count++;
    group->waiting.log[wait].last_wall_ns = yk_core_now(group->app->partition->core);
}

void yk_active_link_required(struct yk_group *group, struct yk_list *list)
{
    yk_list_append(list, &group->waiting.in_required);
}

/* For a group that has no pending asks yet. */
static void begin_wait(struct yk_group *group)
{
    enum yk_wait wait = yk_group_wait_for_nodes(group);
    yk_pending_set_wait(group, wait);
    if (wait == YK_WAIT_NODES)
        yk_active_log_wait(group, wait);
}

void yk_active_add_ask(struct yk_ask *ask)
{
    struct yk_group *group = ask->group;
    bool was_empty = group->asks.count == 0;
    if (was_empty && group->task_group != NULL && !group->placeholders &&
        yk_task_group_open(group->task_group) > 0)
        yk_pending_set_wait(group, YK_WAIT_PLACEHOLDER);
    else if (was_empty && group->placeholders && group->task_group->gang->is_held)
        yk_pending_set_wait(group, YK_WAIT_GANG);
    else if (was_empty)
        begin_wait(group);
    yk_group_insert(group, ask);
    yk_pending_add(group, 1);
    yk_wait_metrics_incoming(group, YK_WAIT_NONE, 1);
    note_waiting(group);
    if (!was_empty && group->first != ask)
        return; /* the first ask is the same, so the order of the group is, too */
    if (group->wait == YK_WAIT_REQUIRED_NODE) { /* the node was tried for another ask, not for this one */
        yk_pending_set_wait(group, YK_WAIT_NONE);
        yk_list_remove(&group->waiting.in_required);
    }
    put_in_trees(group);
    (void)update_priority(group->app); /* the application is in its place in both cases */
}

void yk_active_remove_ask(struct yk_ask *ask)
{
    struct yk_group *group = ask->group;
    bool was_first = group->first == ask;
    if (was_first)
        yk_limit_hold_end(group);
    if (group->asks.count == 1) {
        take_out_of_trees(group);
        yk_list_remove(&group->waiting.in_required);
        yk_outstanding_remove_group(group);
        yk_limit_wait_remove_group(group);
        group->app->wait.queue_groups -= group->wait == YK_WAIT_QUEUE_QUOTA;
        yk_pending_set_wait(group, YK_WAIT_NONE);
        yk_group_set_waits_for(group, NULL);
        listener_of(group)->group_leaves_nodes(group);
        yk_wait_order_update_group(group);
    }
    yk_group_remove(group, ask);
    yk_pending_add(group, -1);
    if (!was_first)
        return;
    if (group->wait == YK_WAIT_REQUIRED_NODE) { /* the ask that is the first now has not been tried */
        yk_pending_set_wait(group, YK_WAIT_NONE);
        yk_list_remove(&group->waiting.in_required);
    }
    if (group->asks.count > 0)
        put_in_trees(group);
    (void)update_priority(group->app); /* the application is in its place in both cases */
}

void yk_active_lends_changed(struct yk_group *group)
{
    yk_tree_moved(&group->app->pending_groups, &group->in_pending);
    (void)update_priority(group->app); /* the application is in its place in both cases */
}

void yk_active_set_wait(struct yk_group *group, enum yk_wait wait)
{
    struct yk_app *app = group->app;
    enum yk_wait before = group->wait;
    if (wait != YK_WAIT_NONE && wait != YK_WAIT_REQUIRED_NODE && before != wait)
        yk_active_log_wait(group, wait);
    if (wait == YK_WAIT_NONE && before != YK_WAIT_NONE)
        yk_wait_metrics_incoming(group, before, group->asks.count);
    app->wait.queue_groups -= group->wait == YK_WAIT_QUEUE_QUOTA;
    app->wait.queue_groups += wait == YK_WAIT_QUEUE_QUOTA;
    yk_pending_set_wait(group, wait);
    if (yk_tree_linked(&group->in_pending))
        yk_tree_moved(&app->pending_groups, &group->in_pending);
    yk_group_set_waits_for(group, NULL);
    yk_list_remove(&group->waiting.in_required);
    if (before == YK_WAIT_NODES && wait != YK_WAIT_NODES)
        listener_of(group)->group_leaves_nodes(group);
    yk_limit_wait_remove_group(group);
    if (wait == YK_WAIT_NODES)
        yk_limit_hold_waits_for_nodes(group);
    else if (wait != YK_WAIT_NONE && wait != YK_WAIT_QUEUE_QUOTA && wait != YK_WAIT_USER_QUOTA)
        yk_limit_hold_end(group);
    bool ready = wait == YK_WAIT_NONE && group->asks.count > 0;
    if (ready && !yk_tree_linked(&group->in_active))
        yk_tree_insert(&app->active_groups, &group->in_active);
    else if (!ready && yk_tree_linked(&group->in_active))
        yk_tree_remove(&app->active_groups, &group->in_active);
    yk_wait_order_update_group(group);
    if (before != wait && (wait == YK_WAIT_NONE || wait == YK_WAIT_NODES))
        listener_of(group)->group_wakes(group);
    if (!update_priority(app))
        yk_active_update_app(app);
    note_waiting(group);
}

/* ---- a configuration changed ---- */

/* The next queue of the branch of `top`, depth first, that is not below `queue`; NULL at the end. */
static struct yk_queue *next_beside(const struct yk_queue *queue, const struct yk_queue *top)
{
    for (; queue != top; queue = queue->parent) {
        if (queue->in_children.next != &queue->parent->child_list)
            return YK_CONTAINER(queue->in_children.next, struct yk_queue, in_children);
    }
    return NULL;
}

/* Recomputes the fair maximum of the queue. True: it changed. */
static bool update_fair_max(struct yk_queue *queue)
{
    bool had = queue->has_fair_max;
    YK_RESVEC(before);
    yk_resvec_copy(&before, &queue->fair_max);
    yk_queue_update_fair_max(queue);
    return had != queue->has_fair_max || !yk_resvec_same(&before, &queue->fair_max);
}

static void update_app_shares(const struct yk_queue *leaf)
{
    struct yk_app *app;
    if (!yk_app_sort_by_share(leaf->settings.app_sort))
        return;
    yk_list_foreach (app, &leaf->apps, struct yk_app, in_leaf) {
        yk_app_update_shares(app);
        yk_active_update_app(app);
    }
}

void yk_active_update_fair_max(struct yk_queue *queue)
{
    double before = queue->share;
    yk_queue_update_fair_max(queue);
    if (queue->parent == NULL)
        return;
    queue->share = share_of(queue);
    if (queue->share < before || queue->share > before)
        keep_in_order(queue);
}

void yk_active_limits_changed(struct yk_queue *top)
{
    struct yk_queue *queue = top;
    while (queue != NULL) {
        bool reaches_below = update_fair_max(queue);
        if (queue->parent != NULL && (reaches_below || queue == top)) {
            update_share(queue);
            keep_in_order(queue);
        }
        queue = reaches_below ? yk_queue_next(queue, top) : next_beside(queue, top);
    }
    update_app_shares(top);
}

/* Moves all links of an ordered tree to `ret_links`. Compares none, because the order may have changed. */
static void take_all(struct yk_tree *tree, struct yk_vec *ret_links)
{
    while (tree->root != NULL) {
        struct yk_tree_link *link = tree->root;
        yk_vec_append(ret_links, link);
        yk_tree_remove(tree, link);
    }
}

static void put_all(struct yk_tree *tree, struct yk_vec *links)
{
    struct yk_tree_link *link;
    yk_vec_foreach (link, links)
        yk_tree_insert(tree, link);
    yk_vec_done(links);
}

void yk_active_sort_changed(struct yk_queue *queue)
{
    struct yk_vec links = {0};
    take_all(&queue->active_children, &links);
    put_all(&queue->active_children, &links);
    struct yk_vec held = {0}, waiting = {0};
    take_all(&queue->active_apps, &links);
    take_all(&queue->start.held_apps, &held);
    take_all(&queue->wait.apps, &waiting);
    struct yk_app *app;
    yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf)
        yk_app_update_shares(app);
    put_all(&queue->active_apps, &links);
    put_all(&queue->start.held_apps, &held);
    put_all(&queue->wait.apps, &waiting);
    if (queue->wait.next != NULL)
        queue->wait.next = first_of(&queue->wait.apps);
    yk_wait_order_sort_changed(queue);
    yk_limit_wait_sort_changed(queue);
    yk_stateaware_reset(queue);
    yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf)
        yk_active_update_app(app);
}

void yk_active_priority_changed(struct yk_queue *queue)
{
    int32_t before = queue->priority;
    int32_t after = yk_queue_effective_priority(queue, yk_priority_count_highest(&queue->priorities));
    if (before == after)
        return;
    queue->priority = after;
    keep_in_order(queue);
    if (queue->parent != NULL)
        change_priority(queue->parent, before, after);
}
