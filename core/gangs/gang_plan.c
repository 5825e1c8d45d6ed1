/* SPDX-License-Identifier: Apache-2.0 */
#include "gangs/gang_plan.h"

#include "gangs/gang_supply.h"
#include "reservation/nomination.h"
#include "reservation/preempt.h"
#include "reservation/reservations.h"
#include "state/core.h"
#include "state/node_search.h"

static void list_asks(const struct yk_group *group, struct yk_vec *ret_asks)
{
    struct yk_ask *ask;
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group)
        yk_vec_append(ret_asks, ask);
}

void yk_gang_plan_list_missing(const struct yk_gang *gang, struct yk_vec *ret_asks)
{
    const struct yk_group *group;
    yk_tree_foreach (group, &gang->app->pending_groups, struct yk_group, in_pending) {
        if (group->placeholders)
            list_asks(group, ret_asks);
    }
}

bool yk_gang_plan_could_preempt(const struct yk_app *app)
{
    return app->partition->preemption_enabled && yk_preempt_is_guaranteed(app->leaf);
}

/* ---- the pool ---- */

/* Whether all asks of the plan together have headroom in queues, and in the limits of user and group. */
static bool have_headroom(const struct yk_gang_plan *plan)
{
    const struct yk_app *app = plan->claim.app;
    const struct yk_ask *ask;
    struct yk_queue *refusing;
    YK_RESVEC(sum);
    yk_vec_foreach (ask, &plan->asks)
        yk_resvec_add(&sum, yk_ask_size(ask));
    return yk_queue_has_headroom(app->leaf, &sum, &refusing) && yk_usage_without_headroom(app, &sum) == NULL;
}

/* If the asks lack headroom, or preemption is allowed, each placeholder may help. Otherwise a placeholder
 * helps only if its node could take an ask after all placeholders that may end there have ended. */
void yk_gang_plan_begin(struct yk_gang_plan *plan)
{
    const struct yk_ask *ask;
    const struct yk_shape *last = NULL;
    plan->any_is_useful = plan->may_preempt || !have_headroom(plan);
    if (plan->any_is_useful)
        return;
    yk_vec_foreach (ask, &plan->asks) {
        if (ask->group->shape != last)
            yk_gang_supply_find_nodes(plan->partition, &plan->claim, plan->gang != NULL, yk_ask_size(ask),
                                      &plan->useful);
        last = ask->group->shape;
    }
}

static bool is_useful(const struct yk_gang_plan *plan, const struct yk_ask *placeholder)
{
    return plan->any_is_useful || yk_bitset_test(&plan->useful, placeholder->node->index);
}

static void add_placeholders(struct yk_gang_plan *plan, const struct yk_gang *giver)
{
    struct yk_vec found = {0};
    const struct yk_task_group *group;
    yk_list_foreach (group, &giver->groups, struct yk_task_group, in_gang) {
        for (struct yk_tree_link *link = yk_tree_first(&group->placeholders); link != NULL;
             link = yk_tree_next(link)) {
            if (is_useful(plan, yk_ask_of_place(link)))
                yk_vec_append(&found, yk_ask_of_place(link));
        }
    }
    yk_vec_sort(&found, yk_ask_arrival_order);
    for (size_t i = found.count; i > 0; i--)
        yk_vec_append(&plan->pool, found.items[i - 1]); /* the one that came last is given up first */
    yk_vec_done(&found);
}

static struct yk_ask *next_of_pool(struct yk_gang_plan *plan)
{
    while (plan->pool_used == plan->pool.count && plan->givers_used < plan->givers->count)
        add_placeholders(plan, plan->givers->items[plan->givers_used++]);
    return plan->pool_used < plan->pool.count ? plan->pool.items[plan->pool_used++] : NULL;
}

/* ---- the dry run ---- */

bool yk_gang_plan_has_headroom(const struct yk_ask *ask)
{
    return yk_usage_without_headroom(yk_ask_app(ask), yk_ask_size(ask)) == NULL &&
           yk_nomination_has_headroom(ask, NULL);
}

static bool could_be_put(const struct yk_ask *ask, const struct yk_node *node)
{
    return yk_node_has_capacity(node, yk_ask_size(ask)) && yk_gang_plan_has_headroom(ask);
}

/* `kind`: YK_DRY_END or YK_DRY_END_VICTIM. */
static void take(struct yk_gang_plan *plan, enum yk_dry_kind kind, struct yk_ask *allocation)
{
    yk_dry_run_add(&plan->run, kind, allocation, allocation->node);
    if (!could_be_put(allocation, allocation->node))
        yk_vec_append(&plan->over, allocation);
}

/* Whether each ask that was put fits on its node and below its limits, beside the others. */
static bool all_still_fit(struct yk_gang_plan *plan)
{
    bool fit = true;
    for (size_t i = 0; fit && i < plan->run.asks.count; i++) {
        if (plan->run.steps[i].kind != YK_DRY_PUT)
            continue;
        const struct yk_dry_step step = yk_dry_run_remove(&plan->run, i);
        fit = could_be_put(step.ask, step.node);
        yk_dry_run_insert(&plan->run, i, &step);
    }
    return fit;
}

/* Undoes the step, which took an allocation, if the asks that were put do not need its end: its node, queues,
 * user and group have capacity for it beside them. If too much was in use already right after it was taken,
 * only these asks have to fit. O(steps * (depth + log nodes)). */
static void give_back(struct yk_gang_plan *plan, size_t index)
{
    const struct yk_ask *allocation = plan->run.asks.items[index];
    bool is_over = yk_vec_find(&plan->over, allocation) != SIZE_MAX;
    if (!is_over && !could_be_put(allocation, allocation->node))
        return;
    const struct yk_dry_step step = yk_dry_run_remove(&plan->run, index);
    if (is_over && !all_still_fit(plan))
        yk_dry_run_insert(&plan->run, index, &step);
}

/* ---- a node for an ask ---- */

/* Whether the node is schedulable, and all its reservations belong to the application of the plan or to
 * incomplete gangs. */
static bool is_open(const struct yk_gang_plan *plan, const struct yk_node *node)
{
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &node->reservations, struct yk_reservation, in_node) {
        const struct yk_app *app = yk_ask_app(reservation->ask);
        bool waits = app->gang != NULL && yk_list_linked(&app->gang->in_waiting);
        if (app != plan->claim.app && !waits)
            return false;
    }
    return node->schedulable;
}

static struct yk_node *if_it_takes(struct yk_gang_plan *plan, const struct yk_ask *ask, struct yk_node *node)
{
    return is_open(plan, node) && yk_node_takes(plan->partition, ask, node) ? node : NULL;
}

/* A node with capacity for the ask in the present state of the dry run: an unreserved node, or an open one
 * (is_open()) that the group of the ask has reserved; NULL: there is none. */
static struct yk_node *free_node(struct yk_gang_plan *plan, const struct yk_ask *ask)
{
    struct yk_node *node = yk_node_for(plan->partition, ask);
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &ask->group->reservation.list, struct yk_reservation, in_group) {
        if (node == NULL)
            node = if_it_takes(plan, ask, reservation->node);
    }
    return node;
}

/* Takes placeholders from the pool until there is a node for the ask. NULL: the pool is empty.
 * `had_headroom`: the ask had headroom before the call, but free_node() found no node. */
static struct yk_node *node_of_givers(struct yk_gang_plan *plan, const struct yk_ask *ask, bool had_headroom)
{
    struct yk_node *node = NULL;
    struct yk_ask *placeholder;
    while (node == NULL && (placeholder = next_of_pool(plan)) != NULL) {
        take(plan, YK_DRY_END, placeholder);
        if (!yk_gang_plan_has_headroom(ask))
            continue;
        if (!had_headroom)
            node = free_node(plan, ask);
        if (node == NULL)
            node = if_it_takes(plan, ask, placeholder->node);
        had_headroom = true;
    }
    return node;
}

static struct yk_node *node_of_preemption(struct yk_gang_plan *plan, struct yk_ask *ask)
{
    const struct yk_vec *victims;
    struct yk_ask *victim;
    struct yk_node *node = plan->may_preempt ? yk_preempt_plan(plan->partition, ask, &victims) : NULL;
    if (node == NULL)
        return NULL;
    yk_vec_foreach (victim, victims)
        take(plan, YK_DRY_END_VICTIM, victim); /* the victims of all asks together keep to the budgets */
    return could_be_put(ask, node) && yk_nomination_could_start(ask) ? node : NULL;
}

static struct yk_node *node_for(struct yk_gang_plan *plan, struct yk_ask *ask)
{
    bool has_headroom = yk_gang_plan_has_headroom(ask);
    struct yk_node *node = has_headroom ? free_node(plan, ask) : NULL;
    if (node == NULL)
        node = node_of_givers(plan, ask, has_headroom);
    return node != NULL ? node : node_of_preemption(plan, ask);
}

static bool place_all(struct yk_gang_plan *plan)
{
    struct yk_ask *ask;
    yk_vec_foreach (ask, &plan->asks) {
        struct yk_node *node = node_for(plan, ask);
        if (node == NULL)
            return false;
        yk_dry_run_add(&plan->run, YK_DRY_PUT, ask, node);
        yk_vec_append(&plan->nodes, node);
    }
    return true;
}

/* ---- the smallest set ---- */

/* Gives back the allocations that the plan does not need. Those that were taken last are given back first:
 * victims of preemption, then placeholders of the gangs that give way last. */
static void leave_out(struct yk_gang_plan *plan)
{
    for (size_t i = plan->run.asks.count; i > 0; i--) {
        if (plan->run.steps[i - 1].kind != YK_DRY_PUT)
            give_back(plan, i - 1);
    }
}

static void list_victims(struct yk_gang_plan *plan)
{
    for (size_t i = 0; i < plan->run.asks.count; i++) {
        if (plan->run.steps[i].kind != YK_DRY_PUT)
            yk_vec_append(&plan->victims, plan->run.asks.items[i]);
    }
}

bool yk_gang_plan_make(struct yk_gang_plan *plan, const struct yk_vec *givers)
{
    plan->givers = givers;
    plan->run.now_mono_ns = yk_clock_mono_ns(plan->partition->core->clock);
    plan->run.node_order = &plan->partition->node_order;
    plan->run.node_tried = yk_preempt_node_tried;
    bool found = place_all(plan);
    if (found) {
        leave_out(plan);
        list_victims(plan);
    }
    yk_dry_run_done(&plan->run);
    return found;
}

void yk_gang_plan_done(struct yk_gang_plan *plan)
{
    yk_vec_done(&plan->asks);
    yk_vec_done(&plan->nodes);
    yk_vec_done(&plan->victims);
    yk_vec_done(&plan->pool);
    yk_vec_done(&plan->over);
    yk_bitset_done(&plan->useful);
}
