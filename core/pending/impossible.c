/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/impossible.h"

#include "limits/usage.h"
#include "state/node_search.h"

void yk_impossible_init(struct yk_partition *partition)
{
    struct yk_partition_looks *looks = &partition->looks;
    yk_list_init(&looks->impossible_due);
    yk_list_init(&looks->due);
    yk_list_init(&looks->impossible);
    yk_list_init(&looks->possible);
    yk_resvec_init(&looks->largest);
    looks->nodes_epoch = 1;
}

void yk_impossible_done(struct yk_partition *partition)
{
    yk_resvec_done(&partition->looks.largest);
}

/* ---- nodes ---- */

static bool could_run_on(const struct yk_partition *partition, const struct yk_group *group,
                         const struct yk_node *node)
{
    return node != NULL && yk_resvec_fit(node->total, &group->shape->size) &&
           yk_node_allows(partition, group->first, node);
}

static bool search_node(const struct yk_partition *partition, const struct yk_group *group)
{
    const struct yk_class *class_ = group->shape->class_;
    if (class_ != NULL && class_->filled) {
        yk_bitset_foreach (i, &class_->feasible) {
            if ((size_t)i < partition->nodes.count &&
                could_run_on(partition, group, partition->nodes.items[i]))
                return true;
        }
        return false;
    }
    const struct yk_node *node;
    yk_vec_foreach (node, &partition->nodes) {
        if (could_run_on(partition, group, node))
            return true;
    }
    return false;
}

/* The largest amount of each type that a node has: what does not fit into it fits on no node. */
static const struct yk_resvec *largest(struct yk_partition *partition)
{
    struct yk_partition_looks *looks = &partition->looks;
    if (looks->is_largest_stale) {
        const struct yk_node *node;
        yk_resvec_clear(&looks->largest);
        yk_vec_foreach (node, &partition->nodes) {
            if (node != NULL)
                yk_resvec_max(&looks->largest, node->total);
        }
        looks->is_largest_stale = false;
    }
    return &looks->largest;
}

/* Whether an empty node would have room. The answer is kept for all groups of the shape until a node changes. */
static bool has_node(struct yk_partition *partition, const struct yk_group *group)
{
    struct yk_shape *shape = group->shape;
    if (shape->nodes_epoch != partition->looks.nodes_epoch) {
        shape->nodes_epoch = partition->looks.nodes_epoch;
        shape->has_node = yk_resvec_fit(largest(partition), &shape->size) && search_node(partition, group);
    }
    return shape->has_node;
}

/* ---- maxima ---- */

static bool maxima_allow(const struct yk_app *app, const struct yk_resvec *size)
{
    return yk_queue_allows(app->leaf, size) && yk_usage_exceeded(app->limit.user, size) == NULL;
}

bool yk_impossible_could_start(const struct yk_partition *partition, const struct yk_group *group)
{
    return maxima_allow(group->app, &group->shape->size) && search_node(partition, group);
}

/* ---- looks ---- */

void yk_impossible_note(struct yk_group *group)
{
    struct yk_partition *partition = group->app->partition;
    yk_list_remove(&group->waiting.in_looks);
    if (partition == NULL)
        return;
    yk_list_append(group->waiting.is_impossible ? &partition->looks.impossible_due : &partition->looks.due,
                   &group->waiting.in_looks);
}

void yk_impossible_forget(struct yk_group *group)
{
    yk_list_remove(&group->waiting.in_looks);
    group->waiting.is_impossible = false;
}

void yk_impossible_maxima_changed(struct yk_partition *partition)
{
    struct yk_partition_looks *looks = &partition->looks;
    yk_list_splice(&looks->impossible_due, &looks->impossible);
    yk_list_splice(&looks->due, &looks->possible);
}

void yk_impossible_nodes_changed(struct yk_partition *partition, const struct yk_resvec *more,
                                 const struct yk_resvec *less)
{
    struct yk_partition_looks *looks = &partition->looks;
    looks->nodes_epoch++;
    looks->is_largest_stale = looks->is_largest_stale || less != NULL;
    if (more != NULL)
        yk_resvec_max(&looks->largest, more);
    yk_impossible_maxima_changed(partition); /* the same groups are to be looked at */
}

bool yk_impossible_has_work(const struct yk_partition *partition)
{
    return yk_impossible_is_due(partition) || !yk_list_empty(&partition->looks.due);
}

bool yk_impossible_is_due(const struct yk_partition *partition)
{
    return !yk_list_empty(&partition->looks.impossible_due);
}

/* Without nodes nothing is decided. An ask that may run on one node only does not count while it waits for it. */
static bool is_impossible(struct yk_partition *partition, const struct yk_group *group)
{
    bool is_on_nodes = group->required_node == NULL && partition->node_count > 0;
    return group->app->leaf != NULL &&
           (!maxima_allow(group->app, &group->shape->size) || (is_on_nodes && !has_node(partition, group)));
}

bool yk_impossible_look(struct yk_partition *partition, struct yk_group **ret_changed)
{
    struct yk_partition_looks *looks = &partition->looks;
    struct yk_group *group = yk_list_first(&looks->impossible_due, struct yk_group, waiting.in_looks);
    *ret_changed = NULL;
    if (group == NULL)
        group = yk_list_first(&looks->due, struct yk_group, waiting.in_looks);
    if (group == NULL)
        return false;
    bool before = group->waiting.is_impossible;
    group->waiting.is_impossible = is_impossible(partition, group);
    yk_list_remove(&group->waiting.in_looks);
    yk_list_append(group->waiting.is_impossible ? &looks->impossible : &looks->possible,
                   &group->waiting.in_looks);
    if (before != group->waiting.is_impossible)
        *ret_changed = group;
    return true;
}
