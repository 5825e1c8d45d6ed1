/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/parked.h"

#include "pending/active.h"
#include "pending/freed_nodes.h"
#include "pending/limit_hold.h"
#include "pending/limit_wait.h"
#include "pending/queue_wait.h"
#include "report/outstanding.h"

static void wait_for_nodes(struct yk_group *group)
{
    if (group->wait == YK_WAIT_NONE && group->asks.count > 0 && group->required_node == NULL)
        yk_active_set_wait(group, YK_WAIT_NODES);
}

void yk_park_shape(struct yk_partition *partition, struct yk_group *tried)
{
    struct yk_shape *shape = tried->shape;
    struct yk_group *group;
    if (!shape->parked) {
        yk_shape_set_parked(&partition->shapes, shape, true);
        yk_list_foreach (group, &shape->groups, struct yk_group, in_shape)
            wait_for_nodes(group);
    }
    wait_for_nodes(tried);
    if (shape->waiting_count == 0) /* freed nodes are not offered to the shape (pending/wait_order.h) */
        yk_shape_set_parked(&partition->shapes, shape, false);
    partition->wait_listener->shape_parked(partition);
    yk_outstanding_note(partition);
}

void yk_park_group(struct yk_group *group, struct yk_queue *queue)
{
    yk_queue_wait_begin(group);
    yk_active_set_wait(group, YK_WAIT_QUEUE_QUOTA);
    /* The application may have waited before this call, too, because its asks with a reservation are tried
     * while it waits. */
    if (group->app->wait.for_queue)
        yk_queue_wait_note_app(group->app);
    yk_queue_wait_refused(group, queue);
    yk_limit_hold_refused_by_queue(group, queue);
}

void yk_park_app(struct yk_app *app, struct yk_queue *queue)
{
    struct yk_queue *leaf = app->leaf;
    if (!yk_list_linked(&leaf->start.in_held))
        yk_list_append(&queue->start.held_leaves, &leaf->start.in_held);
    yk_active_hold_app(app, true);
    yk_active_update_leaf(leaf);
    yk_outstanding_note_app(app);
}

void yk_park_group_for_quota(struct yk_group *group, struct yk_usage *usage)
{
    yk_active_set_wait(group, YK_WAIT_USER_QUOTA);
    yk_limit_wait_add_group(group, usage);
    yk_limit_hold_refused_by_usage(group, usage);
    yk_outstanding_note_group(group);
}

void yk_park_app_for_quota(struct yk_app *app, struct yk_usage *usage)
{
    yk_limit_wait_add_app(app, usage);
    yk_active_hold_app(app, false);
    yk_outstanding_note_app(app);
}

void yk_wake_for_node(struct yk_partition *partition, struct yk_node *node)
{
    if (partition->wait_listener->node_freed(partition, node) && partition->shapes.parked_count > 0)
        yk_freed_nodes_add(partition, node);
}

void yk_wake_queue_for_headroom(struct yk_queue *queue)
{
    yk_queue_wait_eased(queue, queue);
}

void yk_wake_queue_for_limits(struct yk_partition *partition, struct yk_queue *queue, bool max_changed)
{
    yk_active_limits_changed(queue);
    if (!max_changed)
        return;
    yk_wake_queue_for_headroom(queue);
    yk_limit_hold_max_changed(partition, queue);
}

void yk_wake_for_headroom(struct yk_queue *queue)
{
    yk_queue_wait_eased(queue, NULL);
}

void yk_wake_queue_for_app_slot(struct yk_queue *queue)
{
    struct yk_queue *leaf;
    if (!yk_queue_has_own_slot(queue))
        return;
    yk_list_foreach (leaf, &queue->start.held_leaves, struct yk_queue, start.in_held) {
        yk_list_remove(&leaf->start.in_held);
        yk_active_update_leaf(leaf);
    }
}

void yk_wake_for_app_slot(struct yk_queue *queue)
{
    for (; queue != NULL; queue = queue->parent)
        yk_wake_queue_for_app_slot(queue);
}

void yk_unpark_from_quota(struct yk_app *app)
{
    struct yk_group *group;
    (void)yk_limit_wait_end_app(app); /* no matter if it waits */
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (group->wait == YK_WAIT_USER_QUOTA)
            yk_active_set_wait(group, yk_group_wait_for_nodes(group));
    }
}
