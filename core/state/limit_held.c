/* SPDX-License-Identifier: Apache-2.0 */
#include "state/limit_held.h"

#include "state/core.h"
#include "state/turn_order.h"

static bool is_strict(const struct yk_queue *queue)
{
    return queue->settings.hold == YK_HOLD_STRICT;
}

/* Whether the hold is in force: application.sort.hold of the queue is strict, and there is a holder, which
 * can be tried and has waited for application.sort.hold.delay. */
static bool is_active(const struct yk_limit_hold *hold, const struct yk_queue *queue)
{
    const struct yk_group *holder = hold->holder;
    if (holder == NULL || !is_strict(queue) || !holder->app->wait.may_wait)
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
 * Whether the limit `max`, of which `used` is in use, has no room for both the holder and `size`, for a type that
 * both have. Lowers these types in `left` (may be NULL) to what the limit has left beside the holder.
 */
static bool lacks_types(const struct yk_resvec *max, const struct yk_resvec *used,
                        const struct yk_group *holder, const struct yk_resvec *size, struct yk_resvec *left)
{
    const struct yk_resvec *wanted = &holder->shape->size;
    bool any = false;
    YK_RESVEC(beside_holder);
    yk_resvec_foreach_common(t, size, wanted)
    {
        int64_t beside =
            yk_i64_sub(yk_i64_sub(yk_resvec_get(max, t), yk_resvec_get(used, t)), yk_resvec_get(wanted, t));
        if (yk_resvec_get(size, t) <= 0 || !yk_resvec_has(max, t) || yk_resvec_get(size, t) <= beside)
            continue;
        any = true;
        yk_resvec_put(&beside_holder, t, beside);
    }
    if (left != NULL)
        yk_resvec_min(left, &beside_holder);
    return any;
}

struct yk_queue *yk_limit_held_queue(const struct yk_app *app, const struct yk_group *group,
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

/* Whether a group before `group` in order holds the limit of this entry, which has no room for both. Lowers the
 * types that are lacking in `left` (may be NULL) to what is left beside the holder. */
static bool holds_types(const struct yk_usage *usage, const struct yk_group *group, struct yk_resvec *left)
{
    const struct yk_group *holder = usage->hold.holder;
    if (holder == NULL || holder == group || usage->limit == NULL || !is_active(&usage->hold, usage->queue))
        return false;
    return comes_before(holder, group->app, group) &&
           lacks_types(&usage->limit->resources, &usage->allocated, holder, &group->shape->size, left);
}

static struct yk_usage *held_on_path(struct yk_usage *usage, const struct yk_group *group)
{
    while (usage != NULL && !holds_types(usage, group, NULL))
        usage = usage->parent;
    return usage;
}

bool yk_limit_held_types(const struct yk_usage *usage, const struct yk_group *group, struct yk_resvec *left)
{
    bool any = false;
    for (; usage != NULL; usage = usage->parent)
        any |= holds_types(usage, group, left);
    return any;
}

struct yk_usage *yk_limit_held_usage(const struct yk_group *group)
{
    struct yk_usage *usage = held_on_path(group->app->limit.user, group);
    return usage != NULL ? usage : held_on_path(group->app->limit.group, group);
}
