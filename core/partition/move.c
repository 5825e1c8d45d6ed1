/* SPDX-License-Identifier: Apache-2.0 */
#include "partition/move.h"

#include "base/log.h"
#include "gangs/gang_wait.h"
#include "gangs/handover.h"
#include "partition/housekeeping.h"
#include "pending/active.h"
#include "pending/limit_gate.h"
#include "pending/parked.h"
#include "report/report.h"
#include "reservation/nomination.h"
#include "reservation/preempt.h"
#include "reservation/quota_preemption.h"
#include "state/core.h"

static enum yk_status check_target(const struct yk_queue *target, struct yk_err *err)
{
    if (!target->is_leaf)
        return yk_fail(err, YK_ERR_INVALID, "queue '%s' is a parent: applications run in leaves",
                       target->path);
    if (yk_queue_is_recovery(target))
        return yk_fail(err, YK_ERR_INVALID, "queue '%s' is for recovered applications only", target->path);
    if (yk_queue_is_draining(target) || target->state != YK_STATE_ACTIVE)
        return yk_fail(err, YK_ERR_STATE, "queue '%s' is being drained and takes no applications",
                       target->path);
    return YK_OK;
}

static enum yk_status check_app(const struct yk_app *app, const struct yk_queue *target, struct yk_err *err)
{
    if (app->leaf == NULL || app->state == YK_APP_FAILING)
        return yk_fail(err, YK_ERR_STATE, "application '%s' is %s and cannot be moved", app->id,
                       yk_app_state_name(app->state));
    if (app->leaf == target)
        return yk_fail(err, YK_ERR_STATE, "application '%s' is in queue '%s' already", app->id, target->path);
    bool is_gang =
        app->gang != NULL && (app->placeholder_count > 0 || !yk_resvec_is_empty(&app->gang->total));
    if (is_gang && !yk_app_sort_takes_gangs(target->settings.app_sort))
        return yk_fail(err, YK_ERR_STATE, "queue '%s' does not sort by fifo: no gang can run there",
                       target->path);
    return YK_OK;
}

static bool counts_as_running(const struct yk_app *app)
{
    return app->state == YK_APP_RUNNING || app->state == YK_APP_STARTING;
}

/* What an application has in its queues: subtracted on the old path, and added on the new one. */
struct load {
    struct yk_resvec allocated, preempting;
    int running, accepted;
};

static void load_done(struct load *load)
{
    yk_resvec_done(&load->allocated);
    yk_resvec_done(&load->preempting);
}

static void load_of(const struct yk_app *app, struct load *load)
{
    memset(load, 0, sizeof(*load));
    load->running = counts_as_running(app);
    load->accepted = app->allocating_accepted;
    yk_resvec_add(&load->allocated, &app->allocated);
    yk_resvec_add(&load->allocated, &app->allocated_placeholder);
    const struct yk_ask *ask;
    yk_text_set_foreach (ask, &app->asks) {
        if ((ask->flags & YK_ASK_PREEMPTED) != 0)
            yk_resvec_add(&load->preempting, yk_ask_size(ask));
    }
}

/* Ends waits for queues and limits of the old path. Groups whose shape fits on no node still wait for
 * nodes. */
static void stop_waiting(struct yk_app *app)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (group->wait != YK_WAIT_NONE && group->wait != YK_WAIT_NODES &&
            group->wait != YK_WAIT_PLACEHOLDER && group->wait != YK_WAIT_GANG)
            yk_active_set_wait(group, yk_group_wait_for_nodes(group));
    }
}

static void leave(struct yk_app *app, struct yk_queue *leaf, const struct load *load)
{
    yk_nominations_end(app);
    stop_waiting(app);
    leaf->apps_by_state[app->state]--; /* first: a stateaware leaf reads the count to choose who may start */
    yk_active_forget_app(app);
    yk_queue_sub_allocated(leaf, &load->allocated);
    yk_queue_sub_preempting(leaf, &load->preempting);
    yk_queue_sub_pending(leaf, &app->pending);
    yk_queue_count_running(leaf, -load->running);
    yk_queue_count_allocating(leaf, -load->accepted);
    yk_list_remove(&app->in_leaf);
    leaf->app_count--;
    yk_active_update_queue(leaf); /* before other queues are compared with it */
}

static void arrive(struct yk_app *app, struct yk_queue *leaf, const struct load *load)
{
    yk_queue_add_allocated(leaf, &load->allocated);
    yk_queue_add_preempting(leaf, &load->preempting);
    yk_queue_add_pending(leaf, &app->pending);
    yk_queue_count_running(leaf, load->running);
    yk_queue_count_allocating(leaf, load->accepted);
    free(app->queue_path);
    app->queue_path = yk_strdup(leaf->path);
    yk_list_append(&leaf->apps, &app->in_leaf);
    leaf->app_count++;
    leaf->apps_joined++;
    leaf->apps_by_state[app->state]++;
    yk_pending_enter(app);
    yk_app_update_shares(app);
    yk_active_update_queue(leaf);
    yk_active_join_app(app);
    yk_preempt_app_changed(app);
    yk_gang_wait_capacity_changed(app->partition); /* other limits apply to its gang */
}

enum yk_status yk_app_move(struct yk_app *app, struct yk_queue *target, const char *by, struct yk_err *err)
{
    enum yk_status st = check_target(target, err);
    if (st == YK_OK)
        st = check_app(app, target, err);
    if (st != YK_OK)
        return st;
    struct yk_queue *from = app->leaf;
    YK_CLEANUP(load_done) struct load load;
    yk_handovers_end(app); /* first, so that load_of() sees their asks as pending */
    if (app->gang != NULL)
        yk_gang_wait_leave_order(app->gang);
    load_of(app, &load);
    leave(app, from, &load);
    yk_limit_gate_move(app, target);
    arrive(app, target, &load);
    /* These calls come after arrive(), when the queues above both leaves have their usage again (R44). */
    yk_quota_preemption_lowered(from);
    yk_quota_preemption_raised(app->partition, target, yk_queue_above_both(from, target));
    yk_wake_for_headroom(from);
    yk_wake_for_app_slot(from);
    yk_housekeeping_check_queue(app->partition, from);
    yk_info(yk_log_app, "application moved", KV("app", app->id), KV("queue", app->queue_path),
            KV("from", from->path), KV("user", by));
    yk_report_app_moved(app, from->path, by);
    return YK_OK;
}
