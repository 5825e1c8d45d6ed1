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
    yk_list_init(&looks->unfit_due);
    yk_list_init(&looks->fit_due);
    yk_list_init(&looks->too_large);
    yk_list_init(&looks->unfit);
    yk_resvec_init(&looks->largest);
}

void yk_impossible_done(struct yk_partition *partition)
{
    yk_resvec_done(&partition->looks.largest);
}

/* ---- shapes and nodes ---- */

static bool has_room(const struct yk_partition *partition, const struct yk_shape *shape,
                     const struct yk_node *node)
{
    return node != NULL && yk_resvec_fit(node->total, &shape->size) &&
           yk_node_allows_class(partition, shape->class_, node);
}

/* The first node from index `from` to before `to` that would have room for an ask of the shape if it were empty; NULL:
 * there is none. */
static struct yk_node *search_range(const struct yk_partition *partition, const struct yk_shape *shape,
                                    uint32_t from, uint32_t to)
{
    const struct yk_class *class_ = shape->class_;
    bool is_known = class_ != NULL && class_->filled;
    for (int64_t i = from; i < to; i++) {
        i = is_known ? yk_bitset_next(&class_->feasible, (uint32_t)i) : i;
        if (i == YK_BITSET_END || i >= to)
            return NULL;
        if (has_room(partition, shape, partition->nodes.items[i]))
            return partition->nodes.items[i];
    }
    return NULL;
}

/* A node that would have room. Each search begins after the node that the last one found, so that few shapes depend on
 * one node. */
static struct yk_node *find_node(struct yk_partition *partition, const struct yk_shape *shape)
{
    struct yk_partition_looks *looks = &partition->looks;
    uint32_t count = (uint32_t)partition->nodes.count;
    uint32_t from = looks->next_node < count ? looks->next_node : 0;
    struct yk_node *node = search_range(partition, shape, from, count);
    if (node == NULL)
        node = search_range(partition, shape, 0, from);
    if (node != NULL)
        looks->next_node = node->index + 1;
    return node;
}

/* Computes the largest amounts again if a node that had them may have lost them. */
static void update_largest(struct yk_partition *partition)
{
    struct yk_partition_looks *looks = &partition->looks;
    const struct yk_node *node;
    if (looks->smaller_count == 0)
        return;
    yk_resvec_clear(&looks->largest);
    yk_vec_foreach (node, &partition->nodes) {
        if (node != NULL)
            yk_resvec_max(&looks->largest, node->total);
    }
    looks->smaller_count = 0;
}

/* The list where the shape belongs now. */
static struct yk_list *list_for(struct yk_partition *partition, const struct yk_shape *shape)
{
    struct yk_partition_looks *looks = &partition->looks;
    if (yk_resvec_fit(&looks->largest, &shape->size)) {
        struct yk_node *node = find_node(partition, shape);
        if (node != NULL)
            return &node->fitting_shapes;
        update_largest(partition);
    }
    return yk_resvec_fit(&looks->largest, &shape->size) ? &looks->unfit : &looks->too_large;
}

static void set_fits_nowhere(struct yk_shape *shape, bool fits_nowhere)
{
    if (shape->fits_nowhere == fits_nowhere)
        return;
    shape->fits_nowhere = fits_nowhere;
    struct yk_group *group;
    yk_list_foreach (group, &shape->groups, struct yk_group, in_shape) {
        if (yk_list_linked(&group->waiting.in_looks))
            yk_impossible_note(group);
    }
}

static void look_at_shape(struct yk_partition *partition, struct yk_shape *shape)
{
    const struct yk_partition_looks *looks = &partition->looks;
    struct yk_list *list = list_for(partition, shape);
    yk_list_remove(&shape->in_looks);
    yk_list_append(list, &shape->in_looks);
    /* without nodes nothing is decided, so all count */
    set_fits_nowhere(shape,
                     partition->node_count > 0 && (list == &looks->too_large || list == &looks->unfit));
}

void yk_impossible_node_changed(struct yk_partition *partition, struct yk_node *node, bool is_smaller)
{
    struct yk_partition_looks *looks = &partition->looks;
    bool is_largest = !node->leaving && !yk_resvec_fit(&looks->largest, node->total);
    /* the first node came or the last one went: fits_nowhere of all changes, whatever the node has */
    bool all_change = partition->node_count <= 1;
    looks->smaller_count += is_smaller;
    if (looks->smaller_count >=
        partition->node_count) /* so types that no node has any longer do not stay for long */
        update_largest(partition);
    if (is_largest)
        yk_resvec_max(&looks->largest, node->total);
    yk_list_splice(&looks->fit_due, &node->fitting_shapes);
    if (!node->leaving || all_change)
        yk_list_splice(&looks->unfit_due, &looks->unfit);
    if (is_largest || all_change)
        yk_list_splice(&looks->unfit_due, &looks->too_large);
}

/* ---- maxima ---- */

static bool maxima_allow(const struct yk_app *app, const struct yk_resvec *size)
{
    return yk_queue_allows(app->leaf, size) && yk_usage_exceeded(app->limit.user, size) == NULL;
}

bool yk_impossible_could_start(const struct yk_partition *partition, const struct yk_group *group)
{
    return maxima_allow(group->app, &group->shape->size) &&
           search_range(partition, group->shape, 0, (uint32_t)partition->nodes.count) != NULL;
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

bool yk_impossible_has_work(const struct yk_partition *partition)
{
    const struct yk_partition_looks *looks = &partition->looks;
    return yk_impossible_is_due(partition) || !yk_list_empty(&looks->fit_due) || !yk_list_empty(&looks->due);
}

bool yk_impossible_is_due(const struct yk_partition *partition)
{
    const struct yk_partition_looks *looks = &partition->looks;
    return !yk_list_empty(&looks->unfit_due) || !yk_list_empty(&looks->impossible_due);
}

/* An ask that may run on one node only does not count while it waits for it. */
static bool is_impossible(struct yk_partition *partition, const struct yk_group *group)
{
    struct yk_shape *shape = group->shape;
    if (!yk_list_linked(&shape->in_looks))
        look_at_shape(partition, shape);
    return group->app->leaf != NULL &&
           (!maxima_allow(group->app, &shape->size) || (group->required_node == NULL && shape->fits_nowhere));
}

/* Returns the group if its `is_impossible` has changed, otherwise NULL. */
static struct yk_group *look_at_group(struct yk_partition *partition, struct yk_group *group)
{
    struct yk_partition_looks *looks = &partition->looks;
    bool before = group->waiting.is_impossible;
    group->waiting.is_impossible = is_impossible(partition, group);
    yk_list_remove(&group->waiting.in_looks);
    yk_list_append(group->waiting.is_impossible ? &looks->impossible : &looks->possible,
                   &group->waiting.in_looks);
    return before != group->waiting.is_impossible ? group : NULL;
}

bool yk_impossible_look(struct yk_partition *partition, struct yk_group **ret_changed)
{
    struct yk_partition_looks *looks = &partition->looks;
    struct yk_list *const shapes[] = {&looks->unfit_due, &looks->fit_due};
    struct yk_list *const groups[] = {&looks->impossible_due, &looks->due};
    *ret_changed = NULL;
    for (int i = 0; i < 2; i++) {
        struct yk_shape *shape = yk_list_first(shapes[i], struct yk_shape, in_looks);
        if (shape != NULL) {
            look_at_shape(partition, shape);
            return true;
        }
        struct yk_group *group = yk_list_first(groups[i], struct yk_group, waiting.in_looks);
        if (group != NULL) {
            *ret_changed = look_at_group(partition, group);
            return true;
        }
    }
    return false;
}
