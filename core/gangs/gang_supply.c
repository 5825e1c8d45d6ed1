/* SPDX-License-Identifier: Apache-2.0 */
#include "gangs/gang_supply.h"

#include "reservation/nomination.h"
#include "state/node_search.h"

void yk_gang_supply_begin(struct yk_partition *partition)
{
    struct yk_gang_look *look = &partition->gang_waits.look;
    look->supply_epoch++;
    yk_resvec_clear(&look->most_on_node);
    yk_bitset_clear_all(&look->supply_nodes);
}

void yk_gang_supply_done(struct yk_partition *partition)
{
    struct yk_gang_look *look = &partition->gang_waits.look;
    yk_resvec_done(&look->most_on_node);
    yk_bitset_done(&look->supply_nodes);
}

/* ---- the count ---- */

static void count_on(struct yk_gang_look *look, struct yk_node *node, const struct yk_resvec *size)
{
    if (node->gang_epoch != look->supply_epoch) {
        node->gang_epoch = look->supply_epoch;
        yk_resvec_copy(&node->gang_most, node->available);
        yk_bitset_set(&look->supply_nodes, node->index);
    }
    yk_resvec_add(&node->gang_most, size);
    yk_resvec_max(&look->most_on_node, &node->gang_most);
}

size_t yk_gang_supply_count(const struct yk_gang *gang)
{
    struct yk_gang_look *look = &gang->app->partition->gang_waits.look;
    const struct yk_task_group *group;
    size_t count = 0;
    yk_list_foreach (group, &gang->groups, struct yk_task_group, in_gang) {
        for (struct yk_tree_link *link = yk_tree_first(&group->placeholders); link != NULL;
             link = yk_tree_next(link), count++) {
            const struct yk_ask *placeholder = yk_ask_of_place(link);
            count_on(look, placeholder->node, yk_ask_size(placeholder));
        }
    }
    return count;
}

/* ---- an upper bound for all claims ---- */

/* Whether the queue, which refuses `size`, would have headroom for it without the placeholders of incomplete
 * gangs. */
static bool could_take(const struct yk_partition *partition, const struct yk_queue *queue,
                       const struct yk_resvec *size)
{
    YK_RESVEC(used);
    if (queue->gangs.epoch != partition->gang_waits.order_epoch)
        return false;
    yk_resvec_copy(&used, &queue->allocated);
    yk_resvec_sub(&used, &queue->gangs.held);
    return yk_resvec_fit_sum(&queue->max, &used, size);
}

bool yk_gang_supply_may_do(struct yk_partition *partition, const struct yk_ask *ask)
{
    const struct yk_resvec *size = yk_ask_size(ask);
    struct yk_queue *refusing;
    if (!yk_nomination_has_headroom(ask, &refusing))
        return could_take(partition, refusing, size);
    return yk_resvec_fit(&partition->gang_waits.look.most_on_node, size) ||
           yk_usage_without_headroom(yk_ask_app(ask), size) != NULL ||
           !yk_list_empty(&ask->group->reservation.list) || yk_node_for(partition, ask) != NULL;
}

/* ---- an upper bound for one claim ---- */

bool yk_gang_supply_may_give(const struct yk_gang *gang, const struct yk_claim *claim, bool is_gang)
{
    struct yk_claim its = yk_gang_claim(gang);
    if (gang->app == claim->app || gang->handover != NULL || gang->app->placeholder_count == 0 ||
        !yk_gang_is_incomplete(gang))
        return false;
    return gang->never_fits || (is_gang && !gang->was_overtaken) || yk_gang_order(claim, &its) < 0;
}

static bool fits_without(const struct yk_node *node, const struct yk_claim *claim, bool is_gang,
                         const struct yk_resvec *size)
{
    const struct yk_ask *ask;
    YK_RESVEC(most);
    if (!yk_resvec_fit(&node->gang_most, size))
        return false;
    yk_resvec_copy(&most, node->available);
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        const struct yk_app *app = yk_ask_app(ask);
        if ((ask->flags & YK_ASK_PLACEHOLDER) != 0 && app != NULL && app->gang != NULL &&
            yk_gang_supply_may_give(app->gang, claim, is_gang))
            yk_resvec_add(&most, yk_ask_size(ask));
    }
    return yk_resvec_fit(&most, size);
}

void yk_gang_supply_find_nodes(struct yk_partition *partition, const struct yk_claim *claim, bool is_gang,
                               const struct yk_resvec *size, struct yk_bitset *nodes)
{
    const struct yk_gang_look *look = &partition->gang_waits.look;
    yk_bitset_foreach (i, &look->supply_nodes) {
        const struct yk_node *node = partition->nodes.items[i];
        if (node != NULL && node->gang_epoch == look->supply_epoch && !yk_bitset_test(nodes, (uint32_t)i) &&
            fits_without(node, claim, is_gang, size))
            yk_bitset_set(nodes, (uint32_t)i);
    }
}
