/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/limit_hold.h"

#include "scheduler/core.h"
#include "scheduler/limit_wait.h"
#include "scheduler/parking.h"
#include "scheduler/turn_order.h"

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

void yk_limit_hold_refused_by_queue(struct yk_group *group, struct yk_queue *queue)
{
    if (is_strict(queue) && yk_queue_allows(group->app->leaf, &group->shape->size))
        take(&queue->hold, group);
}

void yk_limit_hold_refused_by_usage(struct yk_group *group, struct yk_usage *usage)
{
    if (is_strict(usage->queue) && yk_resvec_fit_undef(&usage->limit->resources, &group->shape->size) &&
        yk_queue_allows(group->app->leaf, &group->shape->size))
        take(&usage->hold, group);
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

/* Which types of `size` the holder lacks below a limit of `max`, of which `used` is in use: bit t for type t.
 */
static uint32_t lacking_types(const struct yk_resvec *max, const struct yk_resvec *used,
                              const struct yk_group *holder, const struct yk_resvec *size)
{
    const struct yk_resvec *wanted = &holder->shape->size;
    uint32_t types = 0;
    yk_resvec_foreach(t, max->set & wanted->set & size->set)
    {
        if (size->v[t] > 0 && yk_i64_add(yk_resvec_get(used, (int)t), wanted->v[t]) > max->v[t])
            types |= UINT32_C(1) << t;
    }
    return types;
}

struct yk_queue *yk_limit_hold_queue(const struct yk_app *app, const struct yk_group *group,
                                     const struct yk_resvec *size)
{
    for (struct yk_queue *queue = app->leaf; queue->parent != NULL; queue = queue->parent) {
        const struct yk_group *holder = queue->hold.holder;
        if (holder != NULL && holder != group && is_active(&queue->hold, queue) && queue->has_max &&
            lacking_types(&queue->max, &queue->allocated, holder, size) != 0 &&
            comes_before(holder, app, group))
            return queue;
    }
    return NULL;
}

/* The types that the group asks for and that are held for another one that comes before it. */
static uint32_t held_types(const struct yk_usage *usage, const struct yk_group *group)
{
    const struct yk_group *holder = usage->hold.holder;
    if (holder == NULL || holder == group || usage->limit == NULL || !is_active(&usage->hold, usage->queue))
        return 0;
    uint32_t types = lacking_types(&usage->limit->resources, &usage->allocated, holder, &group->shape->size);
    return types != 0 && comes_before(holder, group->app, group) ? types : 0;
}

static struct yk_usage *held_on_path(struct yk_usage *usage, const struct yk_group *group)
{
    while (usage != NULL && held_types(usage, group) == 0)
        usage = usage->parent;
    return usage;
}

uint32_t yk_limit_hold_types(const struct yk_usage *usage, const struct yk_group *group)
{
    uint32_t types = 0;
    for (; usage != NULL; usage = usage->parent)
        types |= held_types(usage, group);
    return types;
}

struct yk_usage *yk_limit_hold_usage(const struct yk_group *group)
{
    struct yk_usage *usage = held_on_path(group->app->usage, group);
    return usage != NULL ? usage : held_on_path(group->app->group_usage, group);
}

/* ---- afterwards ---- */

void yk_limit_holds_settle(struct yk_partition *partition)
{
    struct yk_limit_hold *hold;
    while ((hold = yk_list_first(&partition->ended_holds, struct yk_limit_hold, in_ended)) != NULL) {
        yk_list_remove(&hold->in_ended);
        if (hold->of_usage)
            yk_limit_wait_eased(partition, YK_CONTAINER(hold, struct yk_usage, hold));
        else
            yk_wake_queue_for_room(YK_CONTAINER(hold, struct yk_queue, hold));
    }
}
