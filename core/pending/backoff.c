/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/backoff.h"

#include "base/log.h"
#include "pending/active.h"
#include "state/core.h"

static void end_of_rest(struct yk_timer *timer)
{
    struct yk_app *app = YK_CONTAINER(timer, struct yk_app, backoff.pause);
    app->backoff.unplaced = 0;
    if (yk_pending_hold(app) == YK_PENDING_FREE) /* the timer fired, so it is no longer armed */
        yk_pending_hold_changed(app, YK_PENDING_PAUSED);
    yk_active_update_app(app);
    app->partition->wait_listener->backoff_ended(app->partition);
}

void yk_backoff_failed(struct yk_group *group)
{
    struct yk_app *app = group->app;
    const struct yk_queue_settings *settings = &app->leaf->settings;
    if (settings->unschedulable_asks_backoff == 0 || group->required_node != NULL)
        return;
    app->backoff.unplaced += group->asks.count;
    if (app->backoff.unplaced < settings->unschedulable_asks_backoff)
        return;
    enum yk_pending_hold before = yk_pending_hold(app);
    app->backoff.pause.fire = end_of_rest;
    yk_timer_arm(app->partition->core->timers, &app->backoff.pause, settings->backoff_delay_ns);
    yk_pending_hold_changed(app, before);
    yk_active_update_app(app);
    yk_debug(yk_log_app, "application pauses, its asks find no node", KV("app", app->id),
             KV("queue", app->leaf->path), KV("asks", app->backoff.unplaced));
}

void yk_backoff_clear(struct yk_app *app)
{
    app->backoff.unplaced = 0;
    if (!yk_backoff_rests(app))
        return;
    enum yk_pending_hold before = yk_pending_hold(app);
    yk_timer_cancel(app->partition->core->timers, &app->backoff.pause);
    yk_pending_hold_changed(app, before);
    yk_active_update_app(app);
}
