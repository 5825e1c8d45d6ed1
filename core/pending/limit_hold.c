/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/limit_hold.h"

#include "objects/limit_waits.h"
#include "state/core.h"
#include "state/turn_order.h"

/* ---- taking and ending ---- */

/* Settles the hold before the next decision. */
static void settle_later(struct yk_partition *partition, struct yk_limit_hold *hold)
{
    if (!yk_list_linked(&hold->in_ended))
        yk_list_append(&partition->pending.ended_holds, &hold->in_ended);
}

static void end(struct yk_partition *partition, struct yk_limit_hold *hold)
{
    yk_list_remove(&hold->in_force);
    yk_list_remove(&hold->in_holder);
    if (yk_list_empty(&hold->holder->limit.holds))
        yk_list_remove(&hold->holder->limit.in_holders);
    hold->holder = NULL;
    settle_later(partition, hold);
}

void yk_limit_hold_end(struct yk_group *group)
{
    struct yk_limit_hold *hold;
    while ((hold = yk_list_first(&group->limit.holds, struct yk_limit_hold, in_holder)) != NULL)
        end(group->app->partition, hold);
}

void yk_limit_hold_waits_for_nodes(struct yk_group *group)
{
    if (!yk_list_empty(&group->limit.holds) && !yk_list_linked(&group->limit.in_holders))
        yk_list_append(&group->app->partition->pending.holders_on_nodes, &group->limit.in_holders);
}

struct yk_group *yk_limit_hold_next_on_nodes(struct yk_partition *partition)
{
    struct yk_group *group =
        yk_list_first(&partition->pending.holders_on_nodes, struct yk_group, limit.in_holders);
    if (group != NULL)
        yk_list_remove(&group->limit.in_holders);
    return group;
}

void yk_limit_hold_end_app(struct yk_app *app)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending)
        yk_limit_hold_end(group);
}

void yk_limit_hold_take(struct yk_limit_hold *hold, struct yk_group *group)
{
    struct yk_partition *partition = group->app->partition;
    if (hold->holder == group || (hold->holder != NULL && yk_turn_compare(hold->holder, group) < 0))
        return;
    if (hold->holder != NULL)
        end(partition, hold);
    hold->holder = group;
    hold->since_mono_ns = yk_clock_mono_ns(partition->core->clock);
    yk_list_append(&group->limit.holds, &hold->in_holder);
    yk_list_append(&partition->pending.holds, &hold->in_force);
}

static bool is_strict(const struct yk_queue *queue)
{
    return queue->settings.hold == YK_HOLD_STRICT;
}

bool yk_limit_hold_may_queue(const struct yk_group *group, const struct yk_queue *queue)
{
    return is_strict(queue) && yk_queue_allows(group->app->leaf, &group->shape->size);
}

bool yk_limit_hold_may_usage(const struct yk_group *group, const struct yk_usage *usage)
{
    return is_strict(usage->queue) && usage->limit != NULL &&
           yk_resvec_fit_undef(&usage->limit->resources, &group->shape->size) &&
           yk_queue_allows(group->app->leaf, &group->shape->size);
}

void yk_limit_hold_refused_by_queue(struct yk_group *group, struct yk_queue *queue)
{
    if (yk_limit_hold_may_queue(group, queue))
        yk_limit_hold_take(&queue->hold, group);
}

void yk_limit_hold_refused_by_usage(struct yk_group *group, struct yk_usage *usage)
{
    if (yk_limit_hold_may_usage(group, usage))
        yk_limit_hold_take(&usage->hold, group);
}

/* ---- another order ---- */

#define LOOK_NS YK_NS_PER_S /* between two looks, because the order changes with each decision */

void yk_limit_hold_order_changed(struct yk_partition *partition)
{
    partition->pending.look_at_holds = !yk_list_empty(&partition->pending.holds);
}

static int64_t until_look_ns(const struct yk_partition *partition)
{
    return partition->pending.holds_look_mono_ns + LOOK_NS - yk_clock_mono_ns(partition->core->clock);
}

bool yk_limit_hold_look_is_due(const struct yk_partition *partition)
{
    return partition->pending.look_at_holds && until_look_ns(partition) <= 0;
}

int64_t yk_limit_hold_look(struct yk_partition *partition)
{
    struct yk_limit_hold *hold;
    if (!partition->pending.look_at_holds)
        return 0;
    if (!yk_limit_hold_look_is_due(partition))
        return until_look_ns(partition);
    partition->pending.look_at_holds = false;
    partition->pending.holds_look_mono_ns = yk_clock_mono_ns(partition->core->clock);
    yk_list_foreach (hold, &partition->pending.holds, struct yk_limit_hold, in_force)
        settle_later(partition, hold);
    return 0;
}

/* ---- another configuration ---- */

/* Ends those holds in the queue whose holder may no longer hold the limit. */
static void end_refused(struct yk_partition *partition, struct yk_queue *queue)
{
    const struct yk_group *holder = queue->hold.holder;
    struct yk_usage *usage;
    if (holder != NULL && !yk_limit_hold_may_queue(holder, queue))
        end(partition, &queue->hold);
    yk_list_foreach (usage, &queue->usages, struct yk_usage, in_queue) {
        holder = usage->hold.holder;
        if (holder != NULL && !yk_limit_hold_may_usage(holder, usage))
            end(partition, &usage->hold);
    }
}

void yk_limit_hold_configured(struct yk_partition *partition, struct yk_queue *queue)
{
    struct yk_usage *usage;
    end_refused(partition, queue);
    settle_later(partition, &queue->hold);
    yk_list_foreach (usage, &queue->usages, struct yk_usage, in_queue)
        settle_later(partition, &usage->hold);
}

void yk_limit_hold_max_changed(struct yk_partition *partition, struct yk_queue *queue)
{
    for (struct yk_queue *up = queue; up != NULL; up = up->parent) {
        if (is_strict(up))
            end_refused(partition, up);
    }
}
