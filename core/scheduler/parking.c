/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/parking.h"

#include "scheduler/freed_nodes.h"
#include "scheduler/gang.h"
#include "scheduler/gang_wait.h"
#include "scheduler/limit_hold.h"
#include "scheduler/limit_wait.h"
#include "scheduler/make_reservation.h"
#include "scheduler/node_search.h"
#include "scheduler/outstanding.h"
#include "scheduler/ready.h"
#include "scheduler/reserved.h"
#include "scheduler/reserved_capacity.h"
#include "scheduler/shortage.h"

static void wait_for_nodes(struct yk_group *group)
{
    if (group->wait == YK_WAIT_NONE && group->asks.count > 0 && group->required_node == NULL)
        yk_ready_set_wait(group, YK_WAIT_NODES);
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
    if (shape->waiting_count == 0) /* no event of a node would end that */
        yk_shape_set_parked(&partition->shapes, shape, false);
    yk_make_reservation_note_others(partition);
    yk_outstanding_note(partition);
}

void yk_park_group(struct yk_group *group, struct yk_queue *queue)
{
    yk_shortage_begin(group);
    yk_ready_set_wait(group, YK_WAIT_QUEUE_QUOTA);
    if (group->app->is_short) /* it was, already: an ask with a reservation is tried out of order */
        yk_shortage_note_app(group->app);
    yk_shortage_refused(group, queue);
    yk_limit_hold_refused_by_queue(group, queue);
}

void yk_park_app(struct yk_app *app, struct yk_queue *queue)
{
    struct yk_queue *leaf = app->leaf;
    if (!yk_list_linked(&leaf->in_held))
        yk_list_append(&queue->held_leaves, &leaf->in_held);
    yk_ready_hold_app(app, true);
    yk_ready_update_leaf(leaf);
    yk_outstanding_note_app(app);
}

void yk_park_group_for_quota(struct yk_group *group, struct yk_usage *usage)
{
    yk_ready_set_wait(group, YK_WAIT_USER_QUOTA);
    yk_limit_wait_add_group(group, usage);
    yk_limit_hold_refused_by_usage(group, usage);
    yk_outstanding_note_group(group);
}

void yk_park_app_for_quota(struct yk_app *app, struct yk_usage *usage)
{
    yk_limit_wait_add_app(app, usage);
    yk_ready_hold_app(app, false);
    yk_outstanding_note_app(app);
}

/* Asks for which others were preempted may go to any node that comes free. */
static void note_nominated(struct yk_partition *partition, const struct yk_node *node)
{
    struct yk_reservation *reservation;
    yk_list_foreach (reservation, &partition->nominations, struct yk_reservation, in_waiting) {
        if (yk_node_has_room(node, yk_ask_size(reservation->ask)))
            yk_reserved_note(partition, reservation);
    }
}

void yk_wake_for_node(struct yk_partition *partition, struct yk_node *node)
{
    const struct yk_reservation *first = yk_list_first(&node->reservations, struct yk_reservation, in_node);
    if (first != NULL && first->why != YK_RESERVE_WAITING) {
        yk_reserved_note_node(partition, node);
        return;
    }
    if (!node->schedulable && !node->draining)
        return;
    yk_gang_wake_node(partition, node);
    if (first == NULL)
        note_nominated(partition, node);
    if (partition->shapes.parked_count > 0)
        yk_freed_nodes_add(partition, node);
}

/* Those that wait for the node to which they are bound, or have reserved one. */
static void wake_bound(struct yk_group *group)
{
    struct yk_reservation *reservation;
    if (group->wait == YK_WAIT_REQUIRED_NODE)
        yk_ready_set_wait(group, YK_WAIT_NONE);
    yk_list_foreach (reservation, &group->reservations, struct yk_reservation, in_group)
        yk_reserved_note(group->app->partition, reservation);
}

static void wake_bound_of(struct yk_shape *shape)
{
    struct yk_group *group;
    yk_list_foreach (group, &shape->groups, struct yk_group, in_shape)
        wake_bound(group);
}

void yk_wake_class(struct yk_partition *partition, yk_si_class number)
{
    const struct yk_class *class_ = yk_shapes_class(&partition->shapes, number);
    struct yk_shape *shape;
    if (class_ == NULL)
        return;
    yk_gang_wait_note(partition);
    yk_list_foreach (shape, &class_->shapes, struct yk_shape, in_class) {
        yk_gang_wake_class(partition, shape);
        yk_freed_nodes_retry(partition, shape);
        shape->no_candidate_epoch = 0;
        wake_bound_of(shape);
    }
    yk_reserved_capacity_offer(partition);
    yk_make_reservation_look_again(partition);
}

void yk_wake_queue_for_room(struct yk_queue *queue)
{
    yk_shortage_eased(queue, queue);
}

void yk_wake_for_room(struct yk_queue *queue)
{
    yk_shortage_eased(queue, NULL);
}

void yk_wake_queue_for_app_slot(struct yk_queue *queue)
{
    struct yk_queue *leaf;
    if (!yk_queue_has_own_slot(queue))
        return;
    yk_list_foreach (leaf, &queue->held_leaves, struct yk_queue, in_held) {
        yk_list_remove(&leaf->in_held);
        yk_ready_update_leaf(leaf);
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
    if (app->gate != NULL) {
        yk_limit_wait_remove_app(app);
        yk_ready_update_app(app);
    }
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (group->wait == YK_WAIT_USER_QUOTA)
            yk_ready_set_wait(group, yk_group_wait_for_nodes(group));
    }
}
