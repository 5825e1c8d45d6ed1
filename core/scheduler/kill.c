/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/kill.h"

#include "base/log.h"
#include "partition/gang.h"
#include "partition/lifecycle.h"
#include "partition/partition.h"
#include "report/rm_calls.h"
#include "state/core.h"

static void drop_pending(struct yk_app *app)
{
    while (app->pending_groups.count > 0)
        yk_partition_drop_ask(
            app->partition,
            YK_CONTAINER(yk_tree_first(&app->pending_groups), struct yk_group, in_pending)->first);
}

static void ask_to_end(const struct yk_app *app, const char *message)
{
    struct yk_vec asks = {0};
    struct yk_ask *ask;
    yk_text_set_foreach (ask, &app->asks) {
        /* What ends for another reason already is not asked to end again: that reason stays. */
        if ((ask->flags & (YK_ASK_RELEASED | YK_ASK_PREEMPTED)) == 0)
            yk_vec_append(&asks, ask);
    }
    yk_vec_sort(&asks, yk_ask_arrival_order);
    yk_vec_foreach (ask, &asks)
        yk_rm_call_released(app->partition, ask, YK_SI_KILLED, message);
    yk_vec_done(&asks);
}

/* Ends a Completing application, which has no allocations except perhaps placeholders, without waiting for
 * the timer of its state. False: it is not Completing. */
static bool end_now(struct yk_app *app, const char *message)
{
    if (app->state != YK_APP_COMPLETING)
        return false;
    if (app->allocation_count == 0)
        return yk_lifecycle_fire(app, YK_APP_COMPLETE, NULL);
    yk_lifecycle_stop_timer(app); /* it completes when its last placeholder has ended */
    yk_gang_let_all_go(app, message);
    return true;
}

enum yk_status yk_app_kill(struct yk_app *app, const char *by, struct yk_err *err)
{
    enum yk_app_state next;
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    yk_buf_printf(&message, "ApplicationKilled: killed by user '%s'", by);
    if (end_now(app, yk_buf_cstr(&message)))
        return YK_OK;
    if (app->state == YK_APP_FAILING || !yk_app_next_state(app->state, YK_APP_FAIL, &next))
        return yk_fail(err, YK_ERR_STATE, "application '%s' is %s and cannot be killed", app->id,
                       yk_app_state_name(app->state));
    drop_pending(app);
    (void)yk_lifecycle_fail(app, YK_SI_FAILURE_KILLED, yk_buf_cstr(&message)); /* the state accepts it */
    ask_to_end(app, yk_buf_cstr(&message));
    yk_info(yk_log_app, "application killed", KV("app", app->id), KV("queue", app->queue_path),
            KV("user", by), KV("allocations", app->allocation_count));
    yk_lifecycle_complete_if_done(app);
    return YK_OK;
}
