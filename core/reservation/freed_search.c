/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/freed_search.h"

#include "pending/freed_nodes.h"
#include "pending/wait_order.h"
#include "reservation/reserved_capacity.h"
#include "state/node_search.h"
#include "state/turn_order.h"

enum {
    NODES_MAX = 64,     /* nodes that one search looks at */
    SHAPES_MAX = 16,    /* shapes to retry for which one call searches a node; the next call takes others */
    REFUSALS_MAX = 16,  /* pairs of a class and a node that refuses it, kept during one search */
    RESERVED_MAX = 256, /* refusals by reserved nodes after which one search no longer tries these nodes */
};

/* ---- one search ---- */

/* The node refuses asks of the class. */
struct refusal {
    const struct yk_class *class_;
    const struct yk_node *node;
};

struct look {
    struct yk_partition *partition;
    struct yk_node *nodes[NODES_MAX];
    size_t node_count;
    struct yk_resvec most;                 /* the largest free amount of each type on one of `nodes` */
    struct refusal refusals[REFUSALS_MAX]; /* a ring: the oldest one is overwritten */
    size_t refusal_count;                  /* number of refusals so far, overwritten ones included */
    size_t reserved_refusals;              /* by nodes that are reserved */
    const struct yk_group *first_reserved; /* yk_reserved_capacity_first() */
    const struct yk_group *before;         /* only groups before this one are searched; NULL: all */
};

static void look_done(struct look *look)
{
    yk_resvec_done(&look->most);
}

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
    if (!yk_node_has_capacity(node, &group->shape->size) || !suits(look, group, node))
        return false;
    if (yk_list_empty(&node->reservations))
        return true;
    if (look->reserved_refusals < RESERVED_MAX &&
        yk_reserved_capacity_try(look->partition, node, group, look->first_reserved))
        return true;
    look->reserved_refusals++;
    return false;
}

static enum yk_wait_visit visit(void *context, struct yk_group *group)
{
    struct look *look = context;
    if (look->before != NULL && yk_turn_compare(group, look->before) >= 0)
        return YK_WAIT_VISIT_STOP;
    for (size_t i = 0; i < look->node_count; i++) {
        if (takes(look, group, look->nodes[i]))
            return YK_WAIT_VISIT_TAKE;
    }
    return YK_WAIT_VISIT_NEXT;
}

/* Collects up to NODES_MAX nodes of the list, from `at` on. Returns the place after the last one. */
static struct yk_list *collect_nodes(struct look *look, struct yk_list *at)
{
    yk_resvec_clear(&look->most);
    for (; at != &look->partition->pending.freed_nodes && look->node_count < NODES_MAX; at = at->next) {
        struct yk_node *node = YK_CONTAINER(at, struct yk_node, in_freed);
        look->nodes[look->node_count++] = node;
        yk_resvec_max(&look->most, node->available);
    }
    return at;
}

static struct yk_group *search(struct look *look)
{
    const struct yk_wait_search search = {.capacity = &look->most, .visit = visit, .context = look};
    return yk_wait_order_find(look->partition->root, &search);
}

static enum yk_wait_visit take_any(void *context, struct yk_group *group)
{
    (void)context, (void)group;
    return YK_WAIT_VISIT_TAKE;
}

static bool is_first_of_all(const struct yk_partition *partition, const struct yk_group *group)
{
    const struct yk_wait_search search = {.visit = take_any};
    return yk_wait_order_find(partition->root, &search) == group;
}

/* The first group that fits on a node of the list; NULL: there is none, and the list is empty. Removes nodes
 * on which nothing fits from the list, until it has found a group. */
static struct yk_group *first_on_listed(struct yk_partition *partition)
{
    struct yk_group *first = NULL;
    struct yk_list *at = partition->pending.freed_nodes.next;
    while (at != &partition->pending.freed_nodes && (first == NULL || !is_first_of_all(partition, first))) {
        YK_CLEANUP(look_done) struct look look;
        yk_resvec_init(&look.most);
        look.partition = partition;
        look.node_count = look.refusal_count = look.reserved_refusals = 0;
        look.before = first;
        look.first_reserved = yk_reserved_capacity_first(partition);
        at = collect_nodes(&look, at);
        struct yk_group *group = search(&look);
        for (size_t i = 0; group == NULL && first == NULL && i < look.node_count; i++)
            yk_freed_nodes_remove(look.nodes[i]);
        first = group != NULL ? group : first;
    }
    return first;
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

static void forget_shape(struct yk_shape *shape)
{
    yk_freed_nodes_end_retry(shape);
    shape->retry_sequence = UINT64_MAX;
}

/* Searches a node for each shape that is to be tried again, once after each decision, and adds it to the list
 * of nodes. A shape for which there is no node is no longer to be tried again. `ret_searched` gets the shapes
 * for which this call has searched a node. Returns their number. */
static size_t list_nodes_for_shapes(struct yk_partition *partition, struct yk_shape *ret_searched[SHAPES_MAX])
{
    struct yk_shape *shape;
    size_t count = 0;
    yk_list_foreach (shape, &partition->pending.retry_shapes, struct yk_shape, in_retry) {
        if (shape->retry_sequence == partition->served_sequence)
            continue;
        if (count == SHAPES_MAX)
            break;
        ret_searched[count++] = shape;
        struct yk_node *node = node_for(partition, shape);
        if (node == NULL) {
            forget_shape(shape);
            continue;
        }
        shape->retry_sequence = partition->served_sequence;
        yk_freed_nodes_add(partition, node);
    }
    return count;
}

/* No group could be placed on a node of the list. Ends the retry of the shapes for which a node has just been
 * searched. A node that an earlier call found for another shape may have changed or have been reserved since:
 * the next call of list_nodes_for_shapes() searches one again. */
static void forget_shapes_of_no_use(struct yk_partition *partition, struct yk_shape *const searched[],
                                    size_t count)
{
    struct yk_shape *shape;
    for (size_t i = 0; i < count; i++)
        forget_shape(searched[i]);
    yk_list_foreach (shape, &partition->pending.retry_shapes, struct yk_shape, in_retry) {
        if (shape->retry_sequence != partition->served_sequence)
            return; /* the shapes after it have not been searched for since the last decision, either */
        shape->retry_sequence = UINT64_MAX;
    }
}

/* ---- the answer ---- */

struct yk_group *yk_freed_search_first_group(struct yk_partition *partition)
{
    struct yk_shape *searched[SHAPES_MAX];
    while (yk_freed_nodes_has_work(partition)) {
        size_t count = list_nodes_for_shapes(partition, searched);
        struct yk_group *group = first_on_listed(partition);
        if (group != NULL)
            return group;
        forget_shapes_of_no_use(partition, searched, count);
    }
    return NULL;
}
