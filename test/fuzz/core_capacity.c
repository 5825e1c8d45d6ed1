/* SPDX-License-Identifier: Apache-2.0 */
#include "core_capacity.h"

#include "gangs/gang_plan.h"
#include "limits/usage.h"
#include "scheduler/core.h"

static bool may_start(const struct yk_app *app)
{
    return app->leaf != NULL && !app->start.held && app->start.gate == NULL &&
           !yk_timer_armed(&app->backoff.pause);
}

bool core_has_capacity(const struct yk_core *core, const char *app_id, struct yk_str key)
{
    const struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        const struct yk_app *app = yk_partition_find_app(partition, app_id);
        const struct yk_ask *ask = app != NULL && may_start(app) ? yk_app_find_ask(app, key) : NULL;
        if (ask != NULL && ask->node == NULL)
            return yk_gang_plan_has_headroom(ask);
    }
    return false;
}

static bool exceeds_queue(const struct yk_queue *queue, const struct yk_resvec *size)
{
    for (; queue != NULL && queue->parent != NULL; queue = queue->parent) {
        if (queue->has_max && !yk_resvec_fit_undef(&queue->max, size))
            return true;
    }
    return false;
}

static bool exceeds_usage(const struct yk_usage *usage, const struct yk_resvec *size)
{
    for (; usage != NULL; usage = usage->parent) {
        if (usage->limit != NULL && usage->limit->has_resources && !yk_resvec_fit_undef(&usage->limit->resources, size))
            return true;
    }
    return false;
}

bool core_gang_exceeds_limit(const struct yk_core *core, const char *app_id, const struct yk_resvec *size)
{
    const struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        const struct yk_app *app = yk_partition_find_app(partition, app_id);
        if (app != NULL)
            return exceeds_queue(app->leaf, size) || exceeds_usage(app->limit.user, size) ||
                   exceeds_usage(yk_usage_group_to_be(&partition->usages, app), size);
    }
    return false;
}
