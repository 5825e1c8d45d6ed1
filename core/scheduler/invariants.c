/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The invariants of docs/design.md, recomputed from scratch: every sum from its parts, every membership from
 * both sides. Tests call it after each step, the simulator after each run, the health check now and then.
 */
#include "scheduler/partition.h"

static bool broken(struct yk_err *err, const char *what, const char *name)
{
    (void)yk_fail(err, YK_ERR_STATE, "%s of '%s' differs from the sum of its parts", what, name);
    return false;
}

static bool is_pending_counted(const struct yk_ask *ask)
{
    return ask->node == NULL;
}

static bool check_group(const struct yk_app *app, const struct yk_ask *ask, struct yk_err *err)
{
    const struct yk_group *group = ask->group;
    if (group->app != app || yk_tree_linked(&ask->in_group) != is_pending_counted(ask))
        return broken(err, "group membership", ask->key);
    if (group->asks.count > 0 && (yk_tree_linked(&group->in_ready) != (group->wait == YK_WAIT_NONE)))
        return broken(err, "readiness", ask->key);
    if (group->wait == YK_WAIT_NODES && !group->shape->parked)
        return broken(err, "parking", ask->key);
    if ((group->wait == YK_WAIT_QUEUE_QUOTA) != yk_list_linked(&group->in_blocked))
        return broken(err, "waiting list", ask->key);
    return true;
}

/* A user's entry is the sum of its applications there and of the entries below. */
static bool check_usage(const struct yk_partition *partition, const struct yk_usage *usage,
                        struct yk_err *err)
{
    struct yk_resvec allocated = {0};
    uint32_t apps = 0, running = 0;
    const struct yk_usage *child;
    yk_list_foreach (child, &usage->children, struct yk_usage, in_parent) {
        yk_resvec_add(&allocated, &child->allocated);
        apps += child->apps;
        running += child->running;
        if (!check_usage(partition, child, err))
            return false;
    }
    const struct yk_app *app;
    yk_list_foreach (app, &usage->queue->apps, struct yk_app, in_leaf) {
        if (app->usage != usage)
            continue;
        yk_resvec_add(&allocated, &app->allocated);
        yk_resvec_add(&allocated, &app->allocated_placeholder);
        apps++;
        running += app->allocation_count > 0;
    }
    if (!yk_resvec_eq(&allocated, &usage->allocated) || apps != usage->apps || running != usage->running)
        return broken(err, "usage", usage->user->name);
    return true;
}

static bool check_app(const struct yk_app *app, struct yk_err *err)
{
    struct yk_resvec allocated = {0}, placeholder = {0}, pending = {0};
    uint32_t count = 0;
    struct yk_ask *ask;
    if (yk_submission_waits(&app->partition->submissions, app->id))
        return broken(err, "submission", app->id);
    yk_strmap_foreach (ask, &app->asks) {
        bool is_placeholder = (ask->flags & YK_ASK_PLACEHOLDER) != 0;
        struct yk_resvec *account =
            is_pending_counted(ask) ? &pending : (is_placeholder ? &placeholder : &allocated);
        yk_resvec_add(account, yk_ask_size(ask));
        count += !is_pending_counted(ask);
        if (!check_group(app, ask, err))
            return false;
    }
    if (!yk_resvec_eq(&allocated, &app->allocated) ||
        !yk_resvec_eq(&placeholder, &app->allocated_placeholder))
        return broken(err, "allocated amount", app->id);
    if (!yk_resvec_eq(&pending, &app->pending))
        return broken(err, "pending amount", app->id);
    if (count != app->allocation_count)
        return broken(err, "number of allocations", app->id);
    if (!yk_tree_valid(&app->pending_groups) || !yk_tree_valid(&app->ready_groups))
        return broken(err, "order of asks", app->id);
    bool should_be_ready = app->ready_groups.count > 0 && !yk_list_linked(&app->in_gated);
    if (yk_tree_linked(&app->in_ready) != should_be_ready)
        return broken(err, "readiness", app->id);
    return true;
}

static bool counts_as_running(const struct yk_app *app)
{
    return app->state == YK_APP_RUNNING || app->state == YK_APP_STARTING;
}

static bool check_queue(const struct yk_queue *queue, struct yk_err *err)
{
    struct yk_resvec allocated = {0}, pending = {0};
    uint32_t running = 0, apps = 0;
    const struct yk_queue *child;
    yk_list_foreach (child, &queue->child_list, struct yk_queue, in_children) {
        yk_resvec_add(&allocated, &child->allocated);
        yk_resvec_add(&pending, &child->pending);
        running += child->running_apps;
        if (yk_tree_linked(&child->in_ready) !=
            (child->ready_apps.count > 0 || child->ready_children.count > 0))
            return broken(err, "readiness", child->path);
    }
    const struct yk_app *app;
    yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf) {
        yk_resvec_add(&allocated, &app->allocated);
        yk_resvec_add(&allocated, &app->allocated_placeholder);
        yk_resvec_add(&pending, &app->pending);
        running += counts_as_running(app);
        apps++;
        if (app->leaf != queue)
            return broken(err, "applications", queue->path);
    }
    if (!yk_resvec_eq(&allocated, &queue->allocated))
        return broken(err, "allocated amount", queue->path);
    if (!yk_resvec_eq(&pending, &queue->pending))
        return broken(err, "pending amount", queue->path);
    if (running != queue->running_apps || apps != queue->app_count)
        return broken(err, "number of applications", queue->path);
    if (!yk_tree_valid(&queue->ready_apps) || !yk_tree_valid(&queue->ready_children))
        return broken(err, "order", queue->path);
    return true;
}

static bool check_node(const struct yk_node *node, struct yk_err *err)
{
    struct yk_resvec allocated = {0}, occupied = {0}, free_now = {0};
    const struct yk_ask *ask;
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        yk_resvec_add(&allocated, yk_ask_size(ask));
        if (ask->node != node || yk_app_find_ask(ask->app, yk_str_from(ask->key)) != ask)
            return broken(err, "allocations", node->id);
    }
    yk_list_foreach (ask, &node->foreign, struct yk_ask, in_node)
        yk_resvec_add(&occupied, yk_ask_size(ask));
    yk_resvec_add(&free_now, &node->total);
    yk_resvec_sub(&free_now, &allocated);
    yk_resvec_sub(&free_now, &occupied);
    if (!yk_resvec_eq(&allocated, &node->allocated) || !yk_resvec_eq(&occupied, &node->occupied))
        return broken(err, "allocated or occupied amount", node->id);
    if (!yk_resvec_eq(&free_now, &node->available))
        return broken(err, "available amount", node->id);
    if (yk_tree_linked(&node->in_order) != node->schedulable)
        return broken(err, "place in the node order", node->id);
    return true;
}

bool yk_partition_check(const struct yk_partition *partition, struct yk_err *err)
{
    struct yk_resvec total = {0};
    uint64_t allocations = 0;
    for (size_t i = 0; i < partition->nodes.count; i++) {
        const struct yk_node *node = partition->nodes.items[i];
        if (node == NULL)
            continue;
        if (node->index != i || !check_node(node, err))
            return false;
        yk_resvec_add(&total, &node->total);
        allocations += node->allocation_count;
    }
    if (!yk_tree_valid(&partition->node_order.tree))
        return broken(err, "node order", partition->name);
    if (!yk_resvec_eq(&total, &partition->root->max))
        return broken(err, "capacity", partition->name);
    if (allocations != partition->allocation_count)
        return broken(err, "number of allocations", partition->name);
    const struct yk_app *app;
    yk_strmap_foreach (app, &partition->apps) {
        if (!check_app(app, err))
            return false;
    }
    const struct yk_user_usage *user;
    yk_strmap_foreach (user, &partition->usages.users) {
        if (!check_usage(partition, user->root, err))
            return false;
    }
    for (const struct yk_queue *queue = partition->root; queue != NULL;
         queue = yk_queue_next(queue, partition->root)) {
        if (!check_queue(queue, err))
            return false;
    }
    return true;
}
