/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/limit_gate.h"

#include "base/log.h"
#include "limits/apply.h"
#include "pending/active.h"
#include "pending/limit_wait.h"
#include "pending/parked.h"
#include "report/report.h"
#include "state/limit_held.h"

/* ---- may it start? ---- */

/* Sets `*held` to `now`: whether `by`, a text for the log, keeps the application from starting. If `*held`
 * changes, logs it and returns true. */
static bool note_gate(const struct yk_app *app, bool *held, bool now, const char *by)
{
    if (*held == now)
        return false;
    *held = now;
    yk_info(yk_log_app, now ? "application is held back" : "application may run again", KV("app", app->id),
            KV("queue", app->queue_path), KV("user", app->user), KV("by", by));
    return true;
}

enum yk_wait yk_limit_gate_run_or_park(struct yk_app *app)
{
    struct yk_queue *queue = NULL;
    struct yk_usage *usage = NULL;
    yk_usage_choose_group(&app->partition->usages, app);
    if (app->state == YK_APP_ACCEPTED) {
        (void)yk_queue_may_start_app(app->leaf, app->allocating_accepted, &queue); /* `queue` is the result */
        usage = yk_usage_without_slot(app);
    }
    if (note_gate(app, &app->start.held_by_queue, queue != NULL, "queue"))
        yk_report_app_held_by_queue(app, queue != NULL);
    if (note_gate(app, &app->start.held_by_quota, usage != NULL, "quota of user or group"))
        yk_report_app_held_by_quota(app, usage != NULL);
    if (queue != NULL)
        yk_park_app(app, queue);
    else if (usage != NULL)
        yk_park_app_for_quota(app, usage);
    else if (app->start.held)
        yk_active_hold_app(app, false);
    if (queue != NULL)
        return YK_WAIT_APP_LIMIT;
    return usage != NULL ? YK_WAIT_USER_QUOTA : YK_WAIT_NONE;
}

bool yk_limit_gate_check_start(struct yk_app *app)
{
    yk_usage_choose_group(&app->partition->usages, app);
    return app->state != YK_APP_ACCEPTED ||
           (yk_queue_may_start_app(app->leaf, app->allocating_accepted, NULL) &&
            yk_usage_without_slot(app) == NULL);
}

/* ---- does the ask fit? ---- */

enum yk_wait yk_limit_gate_fit_or_park(struct yk_group *group)
{
    struct yk_usage *refusing = yk_usage_without_headroom(group->app, &group->shape->size);
    yk_report_quota_headroom(group->first, refusing == NULL);
    if (refusing == NULL)
        refusing = yk_limit_held_usage(group);
    if (refusing != NULL)
        yk_park_group_for_quota(group, refusing);
    return refusing != NULL ? YK_WAIT_USER_QUOTA : YK_WAIT_NONE;
}

/* ---- what becomes free ---- */

void yk_limit_gate_freed(struct yk_app *app)
{
    yk_limit_wait_eased(app->partition, app->limit.user);
    yk_limit_wait_eased(app->partition, app->limit.group);
}

void yk_limit_gate_uncount(struct yk_app *app)
{
    if (!yk_usage_uncount(app))
        return;
    yk_limit_wait_eased(app->partition, app->limit.user);
    yk_limit_wait_eased(app->partition, app->limit.group);
}

void yk_limit_gate_app_done(struct yk_app *app)
{
    if (app->leaf == NULL)
        return;
    yk_limit_gate_uncount(app);
    /* It must not stay parked: when the next ask comes, the application may no longer be Accepted, and then
     * no limit keeps it from starting. */
    yk_unpark_from_quota(app);
    if (app->limit.group == NULL)
        return;
    yk_usage_drop_group(&app->partition->usages, app, true);
}

/* ---- another queue ---- */

static void ease_and_unhold(struct yk_partition *partition, struct yk_usage *usage)
{
    yk_limit_wait_eased(partition, usage);
    yk_usage_unhold(&partition->usages, usage);
}

void yk_limit_gate_move(struct yk_app *app, struct yk_queue *target)
{
    struct yk_usages *usages = &app->partition->usages;
    struct yk_usage *user = app->limit.user, *group = app->limit.group;
    bool chosen = app->limit.group_chosen;
    yk_usage_hold(user);
    yk_usage_hold(group);
    yk_usage_leave(usages, app);
    yk_app_set_leaf(app, target);
    yk_usage_join(usages, app);
    if (chosen)
        yk_usage_choose_group(usages, app);
    ease_and_unhold(app->partition, user);
    ease_and_unhold(app->partition, group);
}

/* ---- reload ---- */

/* Adds to `ret_sum`, which is empty, the sizes of the nominated asks of the application. O(asks of the
 * application), or O(1) if its user has no such asks. */
static void nominated_of(const struct yk_app *app, struct yk_resvec *ret_sum)
{
    const struct yk_ask *ask;
    if (yk_resvec_is_zero(&app->limit.user->nominated))
        return;
    yk_text_set_foreach (ask, &app->asks) {
        if (yk_ask_is_nominated(ask))
            yk_resvec_add(ret_sum, yk_ask_size(ask));
    }
}

static void move_to_another_group(struct yk_app *app)
{
    struct yk_usages *usages = &app->partition->usages;
    YK_RESVEC(nominated);
    nominated_of(app, &nominated);
    yk_unpark_from_quota(app);
    yk_usage_sub_nominated(app, &nominated);
    yk_usage_drop_group(usages, app, true);
    yk_usage_choose_group(usages, app);
    yk_usage_add_nominated(usages, app, &nominated);
    yk_info(yk_log_app, "application counts for another group", KV("app", app->id),
            KV("group", app->limit.group != NULL ? app->limit.group->tracker->name : ""));
}

void yk_limit_gate_reloaded(struct yk_partition *partition)
{
    struct yk_vec orphans = {0};
    struct yk_usage *usage;
    struct yk_app *app;
    bool changed = !yk_list_empty(&partition->usages.changed);
    while ((usage = yk_limits_take_changed(&partition->usages)) != NULL)
        yk_limit_wait_eased(partition, usage);
    if (!changed)
        return;
    yk_limits_orphans(&partition->usages, &orphans);
    yk_vec_foreach (app, &orphans)
        move_to_another_group(app);
    yk_vec_done(&orphans);
}
