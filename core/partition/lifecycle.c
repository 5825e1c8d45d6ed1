/* SPDX-License-Identifier: Apache-2.0 */
#include "partition/lifecycle.h"

#include "base/log.h"
#include "partition/gang.h"
#include "partition/housekeeping.h"
#include "partition/partition.h"
#include "pending/active.h"
#include "pending/backoff.h"
#include "pending/limit_gate.h"
#include "pending/parked.h"
#include "report/report.h"
#include "state/core.h"

#define COMPLETING_NS (30 * YK_NS_PER_S)
#define STARTING_NS   (5 * 60 * YK_NS_PER_S)
#define RETENTION_NS  (72 * 3600 * YK_NS_PER_S)
#define SWEEP_NS      (24 * 3600 * YK_NS_PER_S)

static struct yk_core *core_of(const struct yk_app *app)
{
    return app->partition->core;
}

static void count_state(struct yk_app *app, enum yk_app_state state, int by)
{
    app->partition->apps_by_state[state] += (uint32_t)by;
    if (app->leaf != NULL)
        app->leaf->apps_by_state[state] += (uint64_t)(int64_t)by;
}

static bool counts_as_running(enum yk_app_state state)
{
    return state == YK_APP_RUNNING || state == YK_APP_STARTING;
}

static void start_counting(struct yk_app *app)
{
    if (app->life.start_wall_ns == 0)
        app->life.start_wall_ns = yk_core_now(core_of(app));
    if (app->allocating_accepted)
        yk_queue_count_allocating(app->leaf, -1);
    app->allocating_accepted = false;
    yk_queue_count_running(app->leaf, 1);
    yk_active_update_app(app);
}

static void stop_counting(struct yk_app *app)
{
    yk_queue_count_running(app->leaf, -1);
    yk_wake_for_app_slot(app->leaf);
}

static void on_state_timer(struct yk_timer *timer)
{
    struct yk_app *app = YK_CONTAINER(timer, struct yk_app, life.timer);
    enum yk_app_event event = YK_APP_EXPIRE;
    if (app->state == YK_APP_COMPLETING && app->placeholder_count > 0) {
        /* The application completes when its last placeholder has ended. */
        yk_gang_let_all_go(app, "the application completes");
        return;
    }
    if (app->state == YK_APP_COMPLETING)
        event = YK_APP_COMPLETE;
    else if (app->state == YK_APP_STARTING)
        event = YK_APP_RUN;
    /* The state accepts the event, because a change of the state would have cancelled the timer. */
    (void)yk_lifecycle_fire(app, event, NULL);
}

static void arm(struct yk_app *app, int64_t delay_ns)
{
    app->life.timer.fire = on_state_timer;
    yk_timer_arm(core_of(app)->timers, &app->life.timer, delay_ns);
}

void yk_lifecycle_leave_queue(struct yk_app *app)
{
    struct yk_queue *leaf = app->leaf;
    if (leaf == NULL)
        return;
    yk_backoff_clear(app);
    yk_active_forget_app(app);
    if (app->allocating_accepted) {
        yk_queue_count_allocating(leaf, -1);
        app->allocating_accepted = false;
        yk_wake_for_app_slot(leaf);
    }
    yk_limit_gate_uncount(app);
    yk_usage_leave(&app->partition->usages, app);
    yk_list_remove(&app->in_leaf);
    leaf->app_count--;
    app->partition->apps_by_number.items[app->number] = NULL;
    yk_bitset_set(&app->partition->free_app_numbers, app->number);
    yk_app_set_leaf(app, NULL);
    yk_report_app_left(app);
    yk_housekeeping_check_queue(app->partition, leaf);
}

/* Appends amounts times seconds by instance type, such as "UNKNOWN:{memory:20 vcore:300}". */
static void print_history(const struct yk_app_history *history, enum yk_history_kind kind, struct yk_buf *out)
{
    const struct yk_history_entry *entry;
    yk_buf_text(out, ""); /* terminates the text if there is no entry */
    yk_vec_foreach (entry, &history->entries) {
        if (entry->kind != kind)
            continue;
        yk_buf_printf(out, "%s%s:{", out->len > 0 ? " " : "", entry->instance_type);
        yk_resvec_print(&entry->used, out);
        yk_buf_text(out, "}");
    }
}

/* Logs the summary of an application that has run (2.5). */
static void log_summary(const struct yk_app *app)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf used = {0}, preempted = {0}, placeholders = {0};
    if (app->life.start_wall_ns == 0)
        return;
    print_history(&app->life.history, YK_HISTORY_USED, &used);
    print_history(&app->life.history, YK_HISTORY_PREEMPTED, &preempted);
    print_history(&app->life.history, YK_HISTORY_PLACEHOLDER, &placeholders);
    yk_info(yk_log_app_usage, "YK_APP_SUMMARY:", KV("ApplicationID", app->id),
            KV("SubmissionTime", app->submit_wall_ns / YK_NS_PER_MS),
            KV("StartTime", app->life.start_wall_ns / YK_NS_PER_MS),
            KV("FinishTime", app->life.finish_wall_ns / YK_NS_PER_MS), KV("User", app->user),
            KV("Queue", app->queue_path), KV("State", yk_app_state_name(app->state)),
            KV("RmID", app->partition->rm->id), KV("ResourceUsage", yk_buf_cstr(&used)),
            KV("PreemptedResource", yk_buf_cstr(&preempted)),
            KV("PlaceholderResource", yk_buf_cstr(&placeholders)));
}

/* Moves the application from the live ones to the list of ended ones; its id may be used again at once. */
static void terminate(struct yk_app *app)
{
    struct yk_partition *partition = app->partition;
    struct yk_ask *ask;
    yk_gang_stop(app);
    while (app->pending_groups.count > 0) {
        ask = YK_CONTAINER(yk_tree_first(&app->pending_groups), struct yk_group, in_pending)->first;
        yk_partition_drop_ask(partition, ask);
    }
    /* Asks refer to the leaf, and no request could find them afterwards. */
    YK_ASSERT(app->asks.count == 0);
    yk_lifecycle_leave_queue(app);
    app->life.finish_wall_ns = yk_core_now(core_of(app));
    (void)yk_strmap_remove(&partition->apps, yk_str_from(app->id)); /* returns `app` */
    yk_list_append(&partition->completed, &app->life.in_ended);
    partition->completed_count++;
    log_summary(app);
    yk_app_history_clear(&app->life.history);
    yk_app_shrink(app);
}

static void enter(struct yk_app *app, enum yk_app_state from)
{
    struct yk_metrics *metrics = &core_of(app)->metrics;
    switch (app->state) {
    case YK_APP_ACCEPTED:
        metrics->apps_accepted++;
        break;
    case YK_APP_STARTING:
        start_counting(app);
        arm(app, STARTING_NS);
        break;
    case YK_APP_RUNNING:
        if (from != YK_APP_STARTING)
            start_counting(app);
        break;
    case YK_APP_COMPLETING:
        arm(app, COMPLETING_NS);
        break;
    case YK_APP_COMPLETED:
        metrics->apps_completed++;
        terminate(app);
        arm(app, RETENTION_NS);
        break;
    case YK_APP_FAILED:
        metrics->apps_failed++;
        terminate(app);
        arm(app, RETENTION_NS);
        break;
    case YK_APP_REJECTED:
        app->life.finish_wall_ns = yk_core_now(core_of(app));
        arm(app, RETENTION_NS);
        break;
    case YK_APP_NEW:
    case YK_APP_FAILING:
    case YK_APP_EXPIRED:
    case YK_APP_RESUMING:
        break;
    }
}

static void leave(struct yk_app *app, enum yk_app_state to)
{
    if (app->start.held)
        yk_active_hold_app(app, false); /* only Accepted applications wait to start */
    if (counts_as_running(app->state) && !counts_as_running(to))
        stop_counting(app);
}

static void tell(const struct yk_app *app, const char *message)
{
    const struct yk_rm *rm = app->partition->rm;
    struct yk_si_app_update update = {
        .application_id = app->id,
        .state = app->state,
        .failure = app->life.failure,
        .message = message,
        .transition_wall_ns = yk_core_now(core_of(app)),
        .cookie = app->cookie,
    };
    if (app->state != YK_APP_REJECTED && rm->callbacks.app_updated != NULL)
        rm->callbacks.app_updated(rm->context, &update);
}

/* Whether the application has the tag that disables the state Starting, with another value than false. */
static bool skips_starting(const struct yk_app *app)
{
    const char *text = yk_tags_get_nocase(&app->tags, YK_SI_TAG_STATEAWARE_DISABLE);
    bool disabled = true;
    if (text == NULL || text[0] == '\0')
        return false;
    return yk_str_to_bool(yk_str_from(text), &disabled) != YK_OK || disabled;
}

/* The state to enter in place of `to`: in a stateaware leaf an application is Starting before it is Running
 * (queues.md O7). */
static enum yk_app_state adjust(const struct yk_app *app, enum yk_app_state to)
{
    bool aware = app->leaf != NULL && app->leaf->settings.app_sort == YK_APP_SORT_STATEAWARE;
    return aware && app->state == YK_APP_ACCEPTED && to == YK_APP_RUNNING ? YK_APP_STARTING : to;
}

bool yk_lifecycle_fire(struct yk_app *app, enum yk_app_event event, const char *info)
{
    enum yk_app_state from = app->state, to;
    if (!yk_app_next_state(from, event, &to)) {
        yk_debug(yk_log_fsm, "application event refused", KV("app", app->id),
                 KV("state", yk_app_state_name(from)), KV("event", yk_app_event_name(event)));
        return false;
    }
    to = adjust(app, to);
    if (to == from)
        return true;
    leave(app, to);
    yk_timer_cancel(core_of(app)->timers, &app->life.timer);
    count_state(app, from, -1);
    app->state = to;
    count_state(app, to, 1);
    enter(app, from);
    yk_app_log_state(app, yk_core_now(core_of(app)));
    yk_debug(yk_log_fsm, "application state changed", KV("app", app->id), KV("from", yk_app_state_name(from)),
             KV("state", yk_app_state_name(to)), KV("event", yk_app_event_name(event)));
    tell(app, info != NULL ? info : yk_app_event_name(event));
    yk_report_app_state(app, info);
    yk_active_update_app(app); /* in a stateaware leaf, the change decides whether others may start */
    if (to == YK_APP_STARTING && skips_starting(app))
        (void)yk_lifecycle_fire(app, YK_APP_RUN, NULL); /* the state accepts it */
    return true;
}

bool yk_lifecycle_fail(struct yk_app *app, enum yk_si_failure failure, const char *info)
{
    app->life.failure = failure;
    if (!yk_lifecycle_fire(app, YK_APP_FAIL, info))
        return false;
    free(app->life.message);
    app->life.message = yk_strdup(info);
    return true;
}

void yk_lifecycle_stop_timer(struct yk_app *app)
{
    yk_timer_cancel(core_of(app)->timers, &app->life.timer);
}

static void forget_ended(struct yk_app *app, uint32_t *count)
{
    app->partition->apps_by_state[app->state]--;
    yk_timer_cancel(core_of(app)->timers, &app->life.timer);
    yk_list_remove(&app->life.in_ended);
    yk_app_free(app);
    (*count)--;
}

/* Keeps the rejected application, in place of an earlier one with the same id (2.5). */
static void keep_rejected(struct yk_partition *partition, struct yk_app *app)
{
    struct yk_app *before = yk_strmap_put(&partition->rejected_by_id, yk_str_from(app->id), app);
    yk_list_append(&partition->rejected, &app->life.in_ended);
    partition->rejected_count++;
    if (before != NULL)
        forget_ended(before, &partition->rejected_count);
}

void yk_lifecycle_reject(struct yk_partition *partition, struct yk_app *app, const char *reason)
{
    app->life.message = yk_strdup(reason);
    (void)yk_lifecycle_fire(app, YK_APP_REJECT, reason); /* New accepts it */
    keep_rejected(partition, app);
    partition->core->metrics.apps_rejected++;
    yk_warn(yk_log_app, "application rejected", KV("app", app->id), KV("user", app->user),
            KV("queue", app->submitted_queue), KV("err", reason));
}

void yk_lifecycle_allocated(struct yk_app *app, const struct yk_ask *ask)
{
    bool placeholder = (ask->flags & YK_ASK_PLACEHOLDER) != 0;
    yk_backoff_clear(app);
    /* The application runs when all placeholders of its gang are allocated. So a real ask that replaces a
     * placeholder does not make it run while it is the only real allocation. */
    bool is_first = (ask->flags & YK_ASK_REPLACING) != 0 &&
                    app->allocation_count - app->placeholder_count == 1 && app->state != YK_APP_COMPLETING;
    if (!placeholder && !is_first &&
        (app->state == YK_APP_ACCEPTED || app->state == YK_APP_STARTING || app->state == YK_APP_COMPLETING))
        (void)yk_lifecycle_fire(app, YK_APP_RUN, NULL); /* these states accept it */
    if (placeholder && app->state == YK_APP_ACCEPTED && !app->allocating_accepted) {
        app->allocating_accepted = true;
        yk_queue_count_allocating(app->leaf, 1);
        yk_active_hold_app(app, false);
    }
}

void yk_lifecycle_real_ended(struct yk_app *app)
{
    /* Pending asks, and asks that are to replace placeholders, count, too. */
    bool has_more = app->asks.count > app->placeholder_count;
    if (!has_more && !app->life.removing && (app->state == YK_APP_RUNNING || app->state == YK_APP_STARTING))
        (void)yk_lifecycle_fire(app, YK_APP_COMPLETE, NULL); /* these states accept it */
}

void yk_lifecycle_complete_if_done(struct yk_app *app)
{
    if (app->asks.count > 0 || app->life.removing || app->state == YK_APP_COMPLETING)
        return;
    if (app->state == YK_APP_FAILING) {
        (void)yk_lifecycle_fire(app, YK_APP_FAIL, NULL); /* Failing accepts it */
        return;
    }
    /* The state New refuses the event, and the application waits for an ask. */
    (void)yk_lifecycle_fire(app, YK_APP_COMPLETE, NULL);
}

static void sweep_completed(struct yk_partition *partition)
{
    struct yk_app *app;
    yk_list_foreach (app, &partition->completed, struct yk_app, life.in_ended) {
        if (app->state == YK_APP_EXPIRED)
            forget_ended(app, &partition->completed_count);
    }
}

static void sweep_rejected(struct yk_partition *partition)
{
    struct yk_app *app;
    yk_list_foreach (app, &partition->rejected, struct yk_app, life.in_ended) {
        if (app->state != YK_APP_EXPIRED)
            continue;
        (void)yk_strmap_remove(&partition->rejected_by_id, yk_str_from(app->id)); /* returns `app` */
        forget_ended(app, &partition->rejected_count);
    }
}

void yk_lifecycle_sweep_expired(struct yk_timer *timer)
{
    struct yk_partition *partition = YK_CONTAINER(timer, struct yk_partition, housekeeping.expired_sweep);
    sweep_completed(partition);
    sweep_rejected(partition);
    timer->fire = yk_lifecycle_sweep_expired;
    yk_timer_arm(partition->core->timers, timer, SWEEP_NS);
}
