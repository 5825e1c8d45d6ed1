/* SPDX-License-Identifier: Apache-2.0 */
#include "gangs/gang_fit.h"

#include "limits/usage.h"
#include "state/node_search.h"

/* Sets `ret_most` to the capacity of the node without static foreign allocations, which never end. O(foreign
 * allocations). */
static void most_of(const struct yk_node *node, struct yk_resvec *ret_most)
{
    const struct yk_ask *ask;
    yk_resvec_copy(ret_most, node->total);
    yk_list_foreach (ask, &node->foreign, struct yk_ask, in_node) {
        if ((ask->flags & YK_ASK_STATIC) != 0)
            yk_resvec_sub(ret_most, yk_ask_size(ask));
    }
}

/* How many asks of that size fit on the node if all allocations that may end have ended. */
static int64_t slots_of(const struct yk_node *node, const struct yk_resvec *size)
{
    int64_t slots = INT64_MAX;
    YK_RESVEC(most);
    most_of(node, &most);
    yk_resvec_foreach(t, size)
    {
        if (yk_resvec_get(size, t) > 0)
            slots = YK_MIN(slots, YK_MAX(yk_resvec_get(&most, t), 0) / yk_resvec_get(size, t));
    }
    return slots;
}

/* Whether the nodes that the class allows have slots (slots_of()) for `members` placeholders of the group. */
static bool nodes_take(struct yk_partition *partition, const struct yk_group *group, int64_t members)
{
    const struct yk_class *class_ = group->shape->class_;
    const struct yk_node *node;
    yk_node_search_prepare(partition, group->first);
    yk_vec_foreach (node, &partition->nodes) {
        if (node == NULL || (class_ != NULL && !yk_bitset_test(&class_->feasible, node->index)))
            continue;
        members = yk_i64_sub(members, slots_of(node, &group->shape->size));
        if (members <= 0)
            return true;
    }
    return false;
}

/* Why the nodes have too few places for a task group of the gang, as a static text that continues "it"; NULL:
 * they have enough. Each task group is compared with all nodes that its class allows, as if it had them for
 * itself. */
static const char *lacking_places(struct yk_gang *gang)
{
    struct yk_partition *partition = gang->app->partition;
    const struct yk_group *group;
    yk_tree_foreach (group, &gang->app->pending_groups, struct yk_group, in_pending) {
        if (!group->placeholders ||
            nodes_take(partition, group, (int64_t)yk_task_group_open(group->task_group)))
            continue;
        return nodes_take(partition, group, 1) ? "has more members than fit on the nodes that they may use"
                                               : "has members that fit on no node that they may use";
    }
    return NULL;
}

const char *yk_gang_check_fit(struct yk_gang *gang, bool *ret_exceeds_limit)
{
    struct yk_app *app = gang->app;
    YK_RESVEC(max);
    *ret_exceeds_limit = true;
    if (yk_queue_effective_max(app->leaf, false, &max) && !yk_resvec_fit_undef(&max, &gang->total))
        return "is larger than the maximum of its queue";
    yk_usage_choose_group(&app->partition->usages, app);
    if (yk_usage_exceeded(app->limit.user, &gang->total) != NULL)
        return "is larger than the limit of its user";
    if (yk_usage_exceeded(app->limit.group, &gang->total) != NULL)
        return "is larger than the limit of its group";
    *ret_exceeds_limit = false;
    if (!yk_resvec_fit(&app->partition->root->max, &gang->total))
        return "is larger than what the nodes offer";
    return lacking_places(gang);
}
