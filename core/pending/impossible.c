/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/impossible.h"

#include "limits/usage.h"
#include "state/node_search.h"

static bool search_node(const struct yk_partition *partition, const struct yk_group *group)
{
    const struct yk_node *node;
    yk_vec_foreach (node, &partition->nodes) {
        if (node != NULL && yk_resvec_fit(node->total, &group->shape->size) &&
            yk_node_allows(partition, group->first, node))
            return true;
    }
    return false;
}

/* Whether an empty node would have room. The answer is kept for all groups of the shape until a node changes. */
static bool has_node(const struct yk_partition *partition, const struct yk_group *group)
{
    struct yk_shape *shape = group->shape;
    if (shape->nodes_epoch != partition->pending.nodes_epoch) {
        shape->nodes_epoch = partition->pending.nodes_epoch;
        shape->has_node = search_node(partition, group);
    }
    return shape->has_node;
}

static bool user_may_have(const struct yk_app *app, const struct yk_resvec *size)
{
    for (const struct yk_usage *usage = app->limit.user; usage != NULL; usage = usage->parent) {
        if (usage->limit != NULL && usage->limit->has_resources &&
            !yk_resvec_fit_undef(&usage->limit->resources, size))
            return false;
    }
    return true;
}

bool yk_impossible_could_start(struct yk_partition *partition, const struct yk_group *group)
{
    const struct yk_resvec *size = &group->shape->size;
    return yk_queue_allows(group->app->leaf, size) && user_may_have(group->app, size) &&
           has_node(partition, group);
}

void yk_impossible_note(struct yk_group *group)
{
    struct yk_partition *partition = group->app->partition;
    yk_list_remove(&group->waiting.in_looks);
    if (partition != NULL)
        yk_list_append(&partition->pending.new_groups, &group->waiting.in_looks);
}

void yk_impossible_forget(struct yk_group *group)
{
    yk_list_remove(&group->waiting.in_looks);
    group->waiting.is_impossible = false;
}

void yk_impossible_capacity_changed(struct yk_partition *partition)
{
    partition->pending.nodes_epoch++;
    yk_list_splice(&partition->pending.new_groups, &partition->pending.seen_groups);
}

bool yk_impossible_has_work(const struct yk_partition *partition)
{
    return !yk_list_empty(&partition->pending.new_groups);
}

bool yk_impossible_look(struct yk_partition *partition, struct yk_group **ret_changed)
{
    struct yk_partition_pending *pending = &partition->pending;
    struct yk_group *group = yk_list_first(&pending->new_groups, struct yk_group, waiting.in_looks);
    *ret_changed = NULL;
    if (group == NULL)
        return false;
    yk_list_remove(&group->waiting.in_looks);
    yk_list_append(&pending->seen_groups, &group->waiting.in_looks);
    /* Without nodes nothing is decided. An ask that waits for its one node does not count anyway. */
    bool is_impossible = group->app->leaf != NULL && group->required_node == NULL &&
                         partition->node_count > 0 && !yk_impossible_could_start(partition, group);
    if (is_impossible != group->waiting.is_impossible)
        *ret_changed = group;
    group->waiting.is_impossible = is_impossible;
    return true;
}
