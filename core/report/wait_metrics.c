/* SPDX-License-Identifier: Apache-2.0 */
#include "report/wait_metrics.h"

#include "state/core.h"

static struct yk_queue_waits *waits_of(struct yk_queue *leaf)
{
    if (leaf->report.waits == NULL)
        leaf->report.waits = yk_new0(struct yk_queue_waits);
    return leaf->report.waits;
}

void yk_wait_metrics_allocated(const struct yk_ask *ask)
{
    struct yk_app *app = yk_ask_app(ask);
    struct yk_metrics *metrics = &app->partition->core->metrics;
    if ((ask->flags & YK_ASK_PLACEHOLDER) == 0)
        yk_wait_histogram_observe(&metrics->pod_scheduling, ask->bind_wall_ns - ask->create_wall_ns);
    if (app->allocation_count == 1 && app->life.start_wall_ns == 0)
        yk_wait_histogram_observe(&waits_of(app->leaf)->first_allocation,
                                  ask->bind_wall_ns - app->submit_wall_ns);
}

void yk_wait_metrics_state(const struct yk_app *app)
{
    int64_t wait_ns = yk_core_now(app->partition->core) - app->submit_wall_ns;
    if (app->leaf == NULL)
        return;
    if (app->state == YK_APP_ACCEPTED)
        yk_wait_histogram_observe(&waits_of(app->leaf)->accepted, wait_ns);
    if (app->state == YK_APP_RUNNING && app->life.start_wall_ns == yk_core_now(app->partition->core))
        yk_wait_histogram_observe(&waits_of(app->leaf)->running, wait_ns);
}

void yk_wait_metrics_set_reason(struct yk_app *app, enum yk_si_reason reason)
{
    if (app->report.wait_leaf != NULL)
        app->report.wait_leaf->apps_by_reason[app->report.wait_reason]--;
    app->report.wait_leaf = reason != YK_REASON_NONE ? app->leaf : NULL;
    app->report.wait_reason = (uint8_t)reason;
    if (app->report.wait_leaf != NULL)
        app->report.wait_leaf->apps_by_reason[reason]++;
}
