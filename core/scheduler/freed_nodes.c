/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/freed_nodes.h"

#include "scheduler/node_search.h"
#include "scheduler/reserved_capacity.h"
#include "scheduler/wait_order.h"

enum {
    NODES_MAX = 64,    /* nodes that one search looks at; more are looked at when these are of no use */
    SHAPES_MAX = 64,   /* shapes that may fit anywhere and are searched a node for in one look */
    REFUSALS_MAX = 16, /* classes and nodes that do not go together, remembered during one search */
    RESERVED_MAX = 256, /* groups that reserved nodes refuse before one search gives these nodes up */
};

void yk_freed_nodes_init(struct yk_partition *partition)
{
    yk_list_init(&partition->freed_nodes);
    yk_list_init(&partition->retry_shapes);
}

void yk_freed_nodes_add(struct yk_partition *partition, struct yk_node *node)
{
    if (!yk_list_linked(&node->in_freed) && !node->leaving)
        yk_list_append(&partition->freed_nodes, &node->in_freed);
}

void yk_freed_nodes_remove(struct yk_node *node)
{
    yk_list_remove(&node->in_freed);
}

void yk_freed_nodes_retry(struct yk_partition *partition, struct yk_shape *shape)
{
    if (shape->parked && !yk_list_linked(&shape->in_retry))
        yk_list_append(&partition->retry_shapes, &shape->in_retry);
}

/* ---- one search ---- */

struct refusal {
    const struct yk_class *class_;
    const struct yk_node *node;
};

struct look {
    struct yk_partition *partition;
    struct yk_node *nodes[NODES_MAX];
    size_t node_count;
    struct yk_resvec most; /* of each type the largest free amount of these */
    struct refusal refusals[REFUSALS_MAX];
    size_t refusal_count; /* counts on; the oldest is overwritten */
    size_t reserved_refusals;
};

static bool is_refused(const struct look *look, const struct yk_class *class_, const struct yk_node *node)
{
    for (size_t i = 0; i < YK_MIN(look->refusal_count, (size_t)REFUSALS_MAX); i++) {
        if (look->refusals[i].class_ == class_ && look->refusals[i].node == node)
            return true;
    }
    return false;
}

static bool suits(struct look *look, const struct yk_group *group, const struct yk_node *node)
{
    const struct yk_class *class_ = group->shape->class_;
    if (class_ == NULL)
        return node->schedulable;
    if ((!node->schedulable && !class_->tolerates_drain) || is_refused(look, class_, node))
        return false;
    if (yk_class_fits_there(look->partition, class_, node))
        return true;
    look->refusals[look->refusal_count++ % REFUSALS_MAX] = (struct refusal){class_, node};
    return false;
}

static bool takes(struct look *look, const struct yk_group *group, const struct yk_node *node)
{
    if (!yk_node_has_room(node, &group->shape->size) || !suits(look, group, node))
        return false;
    if (yk_list_empty(&node->reservations))
        return true;
    if (look->reserved_refusals < RESERVED_MAX && yk_reserved_capacity_admits(look->partition, node, group))
        return true;
    look->reserved_refusals++;
    return false;
}

static enum yk_wait_visit visit(void *context, struct yk_group *group)
{
    struct look *look = context;
    for (size_t i = 0; i < look->node_count; i++) {
        if (takes(look, group, look->nodes[i]))
            return YK_WAIT_VISIT_TAKE;
    }
    return YK_WAIT_VISIT_NEXT;
}

static void collect_nodes(struct look *look)
{
    struct yk_node *node;
    look->most.set = 0;
    yk_list_foreach (node, &look->partition->freed_nodes, struct yk_node, in_freed) {
        if (look->node_count == NODES_MAX)
            break;
        look->nodes[look->node_count++] = node;
        yk_resvec_max(&look->most, node->available);
    }
}

static struct yk_group *search(struct look *look)
{
    const struct yk_wait_search search = {.capacity = &look->most, .visit = visit, .context = look};
    return yk_wait_order_find(look->partition->root, &search);
}

/* ---- shapes that may fit anywhere ---- */

static struct yk_node *node_for(struct yk_partition *partition, const struct yk_shape *shape)
{
    const struct yk_group *group;
    yk_list_foreach (group, &shape->groups, struct yk_group, in_shape) {
        if (group->wait == YK_WAIT_NODES && group->asks.count > 0)
            return yk_node_for(partition, group->first); /* the same for all groups of the shape */
    }
    return NULL;
}

/* Lists for each such shape the node that it would get. Shapes that no node takes leave. */
static void list_nodes_for_shapes(struct yk_partition *partition)
{
    struct yk_shape *shape;
    size_t count = 0;
    yk_list_foreach (shape, &partition->retry_shapes, struct yk_shape, in_retry) {
        if (count++ == SHAPES_MAX)
            break;
        struct yk_node *node = node_for(partition, shape);
        if (node != NULL)
            yk_freed_nodes_add(partition, node);
        else
            yk_list_remove(&shape->in_retry);
    }
}

/* Nothing that waits can use what was looked at. */
static void forget(struct look *look)
{
    struct yk_shape *shape;
    size_t count = 0;
    for (size_t i = 0; i < look->node_count; i++)
        yk_freed_nodes_remove(look->nodes[i]);
    if (!yk_list_empty(&look->partition->freed_nodes)) /* the nodes of the shapes may be among these */
        return;
    yk_list_foreach (shape, &look->partition->retry_shapes, struct yk_shape, in_retry) {
        if (count++ == SHAPES_MAX)
            break;
        yk_list_remove(&shape->in_retry);
    }
}

/* ---- the answer ---- */

struct yk_group *yk_freed_nodes_first_group(struct yk_partition *partition)
{
    while (yk_freed_nodes_has_work(partition)) {
        struct look look;
        look.partition = partition;
        look.node_count = look.refusal_count = look.reserved_refusals = 0;
        list_nodes_for_shapes(partition);
        collect_nodes(&look);
        struct yk_group *group = search(&look);
        if (group != NULL)
            return group;
        forget(&look);
    }
    return NULL;
}

void yk_freed_nodes_refused(struct yk_partition *partition)
{
    struct yk_node *node;
    while ((node = yk_list_first(&partition->freed_nodes, struct yk_node, in_freed)) != NULL)
        yk_freed_nodes_remove(node);
}

bool yk_freed_nodes_has_work(const struct yk_partition *partition)
{
    return !yk_list_empty(&partition->freed_nodes) || !yk_list_empty(&partition->retry_shapes);
}
