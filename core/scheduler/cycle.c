/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduling cycle: from the root queue down to one ask, then to one node.
 *
 * The ready trees lead straight to what may be tried next. What turns out not to run is parked on the way, so
 * the walk never comes back to it and a cycle without a decision ends with empty trees. Source:
 * docs/reference/scheduling.md 3.2 to 3.6.
 */
#include "scheduler/cycle.h"

#include "scheduler/backoff.h"
#include "scheduler/event_tell.h"
#include "scheduler/parking.h"
#include "scheduler/quota.h"
#include "scheduler/ready.h"

/* The leaf with the next application to try, or NULL. */
static struct yk_queue *next_leaf(const struct yk_partition *partition)
{
    struct yk_queue *queue = partition->root;
    /* A leaf that was turned into a parent serves its old applications first (R15). */
    while (queue->ready_apps.count == 0) {
        struct yk_tree_link *child = yk_tree_first(&queue->ready_children);
        if (child == NULL)
            return NULL;
        queue = YK_CONTAINER(child, struct yk_queue, in_ready);
    }
    return queue;
}

/* Asks the resource manager about each node, the first time a class is used. */
static void fill_class(struct yk_partition *partition, struct yk_class *class_)
{
    const struct yk_rm *rm = partition->rm;
    for (uint32_t i = 0; i < partition->nodes.count; i++) {
        const struct yk_node *node = partition->nodes.items[i];
        bool fits = node != NULL && (rm->callbacks.class_fits == NULL ||
                                     rm->callbacks.class_fits(rm->context, class_->number, node->cookie));
        yk_bitset_assign(&class_->feasible, i, fits);
    }
    class_->filled = true;
}

struct trial {
    const struct yk_rm *rm;
    const struct yk_ask *ask;
};

static bool predicates_pass(void *context, struct yk_node *node)
{
    const struct trial *trial = context;
    return trial->rm->callbacks.predicates(trial->rm->context, trial->ask->cookie, node->cookie, true, NULL);
}

static struct yk_node *find_node(struct yk_partition *partition, const struct yk_ask *ask)
{
    struct yk_shape *shape = ask->group->shape;
    if (shape->class_ != NULL && !shape->class_->filled)
        fill_class(partition, shape->class_);
    bool dynamic = (ask->flags & YK_ASK_DYNAMIC) != 0 && partition->rm->callbacks.predicates != NULL;
    struct trial trial = {partition->rm, ask};
    return yk_node_order_find(&partition->node_order, partition->nodes.items, shape,
                              dynamic ? predicates_pass : NULL, &trial);
}

/* Gates 3.5 and 3.6 for the first ask of the group; what fails is parked. */
static enum yk_turn try_group(struct yk_partition *partition, struct yk_group *group)
{
    struct yk_queue *refusing;
    if (!yk_quota_has_room(group)) /* L12: before the queues, and nothing is preempted for it */
        return YK_TURN_PARKED;
    group->first->flags |= YK_ASK_ATTEMPTED;
    if (!yk_queue_has_room(group->app->leaf, &group->shape->size, &refusing)) {
        yk_tell_queue_room(group->first, false);
        yk_park_group(group, refusing);
        return YK_TURN_PARKED;
    }
    yk_tell_queue_room(group->first, true);
    struct yk_node *node = find_node(partition, group->first);
    if (node == NULL) {
        yk_tell_no_node(group);
        yk_backoff_failed(group);
        yk_park_shape(partition, group->shape);
        return YK_TURN_PARKED;
    }
    yk_partition_commit(partition, group->first, node);
    return YK_TURN_DECIDED;
}

enum yk_turn yk_partition_turn(struct yk_partition *partition)
{
    if (partition->state == YK_STATE_STOPPED)
        return YK_TURN_IDLE;
    if (partition->shares_stale) {
        yk_ready_rebuild(partition->root);
        partition->shares_stale = false;
    }
    const struct yk_queue *leaf = next_leaf(partition);
    if (leaf == NULL)
        return YK_TURN_IDLE;
    struct yk_app *app = YK_CONTAINER(yk_tree_first(&leaf->ready_apps), struct yk_app, in_ready);
    if (!yk_quota_may_run(app))
        return YK_TURN_PARKED;
    return try_group(partition, YK_CONTAINER(yk_tree_first(&app->ready_groups), struct yk_group, in_ready));
}

bool yk_partition_has_work(const struct yk_partition *partition)
{
    return partition->state != YK_STATE_STOPPED &&
           (partition->root->ready_apps.count > 0 || partition->root->ready_children.count > 0);
}
