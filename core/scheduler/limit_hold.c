/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/limit_hold.h"

#include "objects/limit_waits.h"
#include "scheduler/core.h"
#include "scheduler/limit_wait.h"
#include "scheduler/parking.h"
#include "scheduler/turn_order.h"

/* Of one leaf: how many groups are asked whether they are the next holder. Those before it can never fit. */
enum { OFFERS_MAX = 64 };

/* ---- taking and ending ---- */

static void end(struct yk_partition *partition, struct yk_limit_hold *hold)
{
    hold->holder->holds = NULL;
    hold->holder = NULL;
    if (!yk_list_linked(&hold->in_ended))
        yk_list_append(&partition->ended_holds, &hold->in_ended);
}

void yk_limit_hold_end(struct yk_group *group)
{
    if (group->holds != NULL)
        end(group->app->partition, group->holds);
}

void yk_limit_hold_end_app(struct yk_app *app)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending)
        yk_limit_hold_end(group);
}

static void take(struct yk_limit_hold *hold, struct yk_group *group)
{
    struct yk_partition *partition = group->app->partition;
    if (hold->holder == group || (hold->holder != NULL && yk_turn_compare(hold->holder, group) < 0))
        return;
    yk_limit_hold_end(group); /* what it holds below another limit */
    if (hold->holder != NULL)
        end(partition, hold);
    hold->holder = group;
    hold->since_mono_ns = yk_clock_mono_ns(partition->core->clock);
    group->holds = hold;
}

static bool is_strict(const struct yk_queue *queue)
{
    return queue->settings.hold == YK_HOLD_STRICT;
}

static bool may_hold_queue(const struct yk_group *group, const struct yk_queue *queue)
{
    return is_strict(queue) && yk_queue_allows(group->app->leaf, &group->shape->size);
}

static bool may_hold_usage(const struct yk_group *group, const struct yk_usage *usage)
{
    return is_strict(usage->queue) && usage->limit != NULL &&
           yk_resvec_fit_undef(&usage->limit->resources, &group->shape->size) &&
           yk_queue_allows(group->app->leaf, &group->shape->size);
}

void yk_limit_hold_refused_by_queue(struct yk_group *group, struct yk_queue *queue)
{
    if (may_hold_queue(group, queue))
        take(&queue->hold, group);
}

void yk_limit_hold_refused_by_usage(struct yk_group *group, struct yk_usage *usage)
{
    if (may_hold_usage(group, usage))
        take(&usage->hold, group);
}

/* ---- the next holder, of those that wait already ---- */

/* True: it was the first of its application that may hold. */
static bool offer_to_group(struct yk_queue *queue, struct yk_group *group)
{
    struct yk_queue *refusing;
    if (group->wait != YK_WAIT_QUEUE_QUOTA || !may_hold_queue(group, queue) ||
        yk_queue_has_room(group->app->leaf, &group->shape->size, &refusing) || refusing != queue)
        return false;
    take(&queue->hold, group);
    return true;
}

static bool offer_to_app(struct yk_queue *queue, struct yk_app *app, int *offers)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (++*offers > OFFERS_MAX || offer_to_group(queue, group))
            return true;
    }
    return false;
}

static void offer_to_apps(struct yk_queue *queue, const struct yk_tree *apps)
{
    struct yk_app *app;
    int offers = 0;
    yk_tree_foreach (app, apps, struct yk_app, in_ready) {
        if (offer_to_app(queue, app, &offers))
            return;
    }
}

static void offer_queue(struct yk_queue *queue)
{
    struct yk_room_wait *wait;
    yk_list_foreach (wait, &queue->short_leaves, struct yk_room_wait, in_queue) {
        offer_to_apps(queue, &wait->leaf->short_apps);
        offer_to_apps(queue, &wait->leaf->ready_apps);
    }
}

static bool offer_to_place(struct yk_usage *usage, const struct yk_limit_place *place, int *offers)
{
    struct yk_group *group;
    yk_tree_foreach (group, &place->groups, struct yk_group, limit_waiting.link) {
        if (++*offers > OFFERS_MAX)
            return true;
        if (!may_hold_usage(group, usage) || yk_usage_without_room(group->app, &group->shape->size) != usage)
            continue;
        take(&usage->hold, group);
        return true;
    }
    return false;
}

/* `entry`: `usage` or below it. Recursion is as deep as the queue tree, which is bounded. */
static void offer_usage(struct yk_usage *usage, const struct yk_usage *entry)
{
    const struct yk_limit_place *place;
    const struct yk_usage *child;
    int offers = 0;
    if (entry->waiting_entries == 0)
        return;
    yk_tree_foreach (place, &entry->blocked_apps, struct yk_limit_place, branch.link) {
        if (offer_to_place(usage, place, &offers))
            break;
    }
    yk_list_foreach (child, &entry->children, struct yk_usage, in_parent)
        offer_usage(usage, child);
}

/* ---- who is held back ---- */

/* Whether the holder has waited for long enough and is still to be tried. */
static bool is_active(const struct yk_limit_hold *hold, const struct yk_queue *queue)
{
    const struct yk_group *holder = hold->holder;
    if (holder == NULL || !is_strict(queue) || !holder->app->may_wait)
        return false;
    int64_t now_ns = yk_clock_mono_ns(holder->app->partition->core->clock);
    return now_ns - hold->since_mono_ns >= queue->settings.hold_delay_ns;
}

static bool comes_before(const struct yk_group *holder, const struct yk_app *app,
                         const struct yk_group *group)
{
    if (group != NULL)
        return yk_turn_compare(holder, group) < 0;
    return yk_turn_compare_apps(holder->app, app) < 0;
}

/*
 * Whether the holder lacks a type of `size` below a limit of `max`, of which `used` is in use. Adds these
 * types to `types` (may be NULL) with amount 0.
 */
static bool lacks_types(const struct yk_resvec *max, const struct yk_resvec *used,
                        const struct yk_group *holder, const struct yk_resvec *size, struct yk_resvec *types)
{
    const struct yk_resvec *wanted = &holder->shape->size;
    bool any = false;
    yk_resvec_foreach_common(t, size, wanted)
    {
        if (yk_resvec_get(size, t) <= 0 || !yk_resvec_has(max, t) ||
            yk_i64_add(yk_resvec_get(used, t), yk_resvec_get(wanted, t)) <= yk_resvec_get(max, t))
            continue;
        any = true;
        if (types != NULL)
            yk_resvec_put(types, t, 0);
    }
    return any;
}

struct yk_queue *yk_limit_hold_queue(const struct yk_app *app, const struct yk_group *group,
                                     const struct yk_resvec *size)
{
    for (struct yk_queue *queue = app->leaf; queue->parent != NULL; queue = queue->parent) {
        const struct yk_group *holder = queue->hold.holder;
        if (holder != NULL && holder != group && is_active(&queue->hold, queue) && queue->has_max &&
            lacks_types(&queue->max, &queue->allocated, holder, size, NULL) &&
            comes_before(holder, app, group))
            return queue;
    }
    return NULL;
}

/* Whether types that the group asks for are held for another one that comes before it; adds these to `types`
 * (may be NULL). */
static bool holds_types(const struct yk_usage *usage, const struct yk_group *group, struct yk_resvec *types)
{
    const struct yk_group *holder = usage->hold.holder;
    if (holder == NULL || holder == group || usage->limit == NULL || !is_active(&usage->hold, usage->queue))
        return false;
    return comes_before(holder, group->app, group) &&
           lacks_types(&usage->limit->resources, &usage->allocated, holder, &group->shape->size, types);
}

static struct yk_usage *held_on_path(struct yk_usage *usage, const struct yk_group *group)
{
    while (usage != NULL && !holds_types(usage, group, NULL))
        usage = usage->parent;
    return usage;
}

bool yk_limit_hold_types(const struct yk_usage *usage, const struct yk_group *group, struct yk_resvec *types)
{
    bool any = false;
    for (; usage != NULL; usage = usage->parent)
        any |= holds_types(usage, group, types);
    return any;
}

struct yk_usage *yk_limit_hold_usage(const struct yk_group *group)
{
    struct yk_usage *usage = held_on_path(group->app->usage, group);
    return usage != NULL ? usage : held_on_path(group->app->group_usage, group);
}

/* ---- afterwards ---- */

static void settle_usage(struct yk_partition *partition, struct yk_usage *usage)
{
    if (usage->hold.holder == NULL && is_strict(usage->queue))
        offer_usage(usage, usage);
    yk_limit_wait_eased(partition, usage);
}

static void settle_queue(struct yk_queue *queue)
{
    if (queue->hold.holder == NULL && is_strict(queue))
        offer_queue(queue);
    yk_wake_queue_for_room(queue);
}

void yk_limit_holds_settle(struct yk_partition *partition)
{
    struct yk_limit_hold *hold;
    while ((hold = yk_list_first(&partition->ended_holds, struct yk_limit_hold, in_ended)) != NULL) {
        yk_list_remove(&hold->in_ended);
        if (hold->of_usage)
            settle_usage(partition, YK_CONTAINER(hold, struct yk_usage, hold));
        else
            settle_queue(YK_CONTAINER(hold, struct yk_queue, hold));
    }
}

/* ---- another configuration ---- */

static void configured(struct yk_partition *partition, struct yk_limit_hold *hold, bool holder_stays)
{
    if (hold->holder != NULL && !holder_stays)
        end(partition, hold);
    else if (!yk_list_linked(&hold->in_ended))
        yk_list_append(&partition->ended_holds, &hold->in_ended);
}

void yk_limit_hold_configured(struct yk_partition *partition, struct yk_queue *queue)
{
    const struct yk_group *holder = queue->hold.holder;
    struct yk_usage *usage;
    configured(partition, &queue->hold, holder != NULL && may_hold_queue(holder, queue));
    yk_list_foreach (usage, &queue->usages, struct yk_usage, in_queue) {
        holder = usage->hold.holder;
        configured(partition, &usage->hold, holder != NULL && may_hold_usage(holder, usage));
    }
}
