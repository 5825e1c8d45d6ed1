/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/node_search.h"

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

static struct yk_shape *shape_of(struct yk_partition *partition, const struct yk_ask *ask)
{
    struct yk_shape *shape = ask->group->shape;
    if (shape->class_ != NULL && !shape->class_->filled)
        fill_class(partition, shape->class_);
    return shape;
}

void yk_node_search_prepare(struct yk_partition *partition, const struct yk_ask *ask)
{
    (void)shape_of(partition, ask); /* fills it */
}

static bool is_dynamic(const struct yk_partition *partition, const struct yk_ask *ask)
{
    return (ask->flags & YK_ASK_DYNAMIC) != 0 && partition->rm->callbacks.predicates != NULL;
}

struct yk_node *yk_node_for(struct yk_partition *partition, const struct yk_ask *ask)
{
    const struct yk_shape *shape = shape_of(partition, ask);
    struct trial trial = {partition->rm, ask};
    return yk_node_order_find(&partition->node_order, partition->nodes.items, shape,
                              is_dynamic(partition, ask) ? predicates_pass : NULL, &trial);
}

bool yk_node_allows(const struct yk_partition *partition, const struct yk_ask *ask,
                    const struct yk_node *node)
{
    const struct yk_class *class_ = ask->group->shape->class_;
    const struct yk_rm *rm = partition->rm;
    if (class_ == NULL || rm->callbacks.class_fits == NULL)
        return true;
    if (class_->filled)
        return yk_bitset_test(&class_->feasible, node->index);
    return rm->callbacks.class_fits(rm->context, class_->number, node->cookie);
}

static bool passes(const struct yk_partition *partition, const struct yk_ask *ask, const struct yk_node *node,
                   bool allocate)
{
    const struct yk_rm *rm = partition->rm;
    return yk_node_allows(partition, ask, node) &&
           (!is_dynamic(partition, ask) ||
            rm->callbacks.predicates(rm->context, ask->cookie, node->cookie, allocate, NULL));
}

bool yk_node_may_take_over(const struct yk_partition *partition, const struct yk_ask *ask,
                           const struct yk_node *node)
{
    return passes(partition, ask, node, false);
}

bool yk_node_takes(const struct yk_partition *partition, const struct yk_ask *ask, const struct yk_node *node)
{
    return yk_node_has_room(node, yk_ask_size(ask)) && passes(partition, ask, node, true);
}
