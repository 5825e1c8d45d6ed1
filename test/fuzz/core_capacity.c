/* SPDX-License-Identifier: Apache-2.0 */
#include "core_capacity.h"

#include "gangs/dry_run.h"
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
            return yk_dry_run_has_headroom(ask);
    }
    return false;
}
