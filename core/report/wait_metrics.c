/* SPDX-License-Identifier: Apache-2.0 */
#include "report/wait_metrics.h"

#include "state/core.h"

static struct yk_queue_waits *waits_of(struct yk_queue *leaf)
{
    if (leaf->report.waits == NULL)
        leaf->report.waits = yk_new0(struct yk_queue_waits);
    return leaf->report.waits;
}

static enum yk_queue_class class_of(const struct yk_queue *leaf)
{
    const struct yk_queue *queue = leaf;
    while (queue != NULL && !queue->has_guaranteed)
        queue = queue->parent;
    return queue != NULL ? YK_QUEUE_GUARANTEED : YK_QUEUE_BEST_EFFORT;
}

void yk_wait_metrics_allocated(const struct yk_ask *ask)
{
    struct yk_app *app = yk_ask_app(ask);
    struct yk_metrics *metrics = &app->partition->core->metrics;
    metrics->attempts_scheduled++;
    yk_size_histogram_observe(&metrics->pod_attempts, ask->group->report.attempts + 1u);
    ask->group->report.attempts = 0;
    if ((ask->flags & YK_ASK_PLACEHOLDER) == 0)
        yk_wait_histogram_observe(&metrics->pod_scheduling[class_of(app->leaf)],
                                  ask->bind_wall_ns - ask->create_wall_ns);
    if (app->allocation_count == 1 && app->life.start_wall_ns == 0)
        yk_wait_histogram_observe(&waits_of(app->leaf)->first_allocation,
                                  ask->bind_wall_ns - app->submit_wall_ns);
}

void yk_wait_metrics_attempt_failed(struct yk_group *group)
{
    group->report.attempts++;
    group->app->partition->core->metrics.attempts_unschedulable++;
}

static enum yk_incoming event_of(enum yk_wait before)
{
    switch (before) {
    case YK_WAIT_NONE:
        return YK_INCOMING_ADDED;
    case YK_WAIT_APP_LIMIT:
    case YK_WAIT_USER_QUOTA:
        return YK_INCOMING_LIMIT;
    case YK_WAIT_QUEUE_QUOTA:
        return YK_INCOMING_HEADROOM;
    case YK_WAIT_NODES:
    case YK_WAIT_REQUIRED_NODE:
        return YK_INCOMING_NODE;
    case YK_WAIT_PLACEHOLDER:
        return YK_INCOMING_PLACEHOLDER;
    case YK_WAIT_GANG:
        return YK_INCOMING_GANG;
    }
    return YK_INCOMING_ADDED;
}

void yk_wait_metrics_incoming(const struct yk_group *group, enum yk_wait before, uint64_t asks)
{
    group->app->partition->core->metrics.incoming[event_of(before)] += asks;
}

void yk_wait_metrics_gang_ready(const struct yk_app *app, int64_t first_wall_ns)
{
    struct yk_core *core = app->partition->core;
    yk_wait_histogram_observe(&core->metrics.gang_wait, yk_core_now(core) - first_wall_ns);
    if (app->leaf != NULL)
        yk_wait_histogram_observe(&waits_of(app->leaf)->gang_ready, yk_core_now(core) - app->submit_wall_ns);
}

/* Whether the application was Accepted before its present state: after Resuming, it is so again. */
static bool was_accepted(const struct yk_app *app)
{
    for (uint32_t i = 0; i + 1 < app->state_log_count; i++) {
        if (app->state_log[i].state == YK_APP_ACCEPTED)
            return true;
    }
    return false;
}

void yk_wait_metrics_state(struct yk_app *app)
{
    int64_t wait_ns = yk_core_now(app->partition->core) - app->submit_wall_ns;
    if (app->leaf == NULL || app->forced) /* forced: it ran before the core learned of it */
        return;
    if (app->state == YK_APP_ACCEPTED && !was_accepted(app))
        yk_wait_histogram_observe(&waits_of(app->leaf)->accepted, wait_ns);
    if (app->state == YK_APP_RUNNING && !app->report.was_running) {
        app->report.was_running = true;
        yk_wait_histogram_observe(&waits_of(app->leaf)->running, wait_ns);
    }
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
