/* SPDX-License-Identifier: Apache-2.0 */
/* Applications of a partition: adding, refusing, removing. Source: docs/reference/scheduling.md 1.5, 7.2. */
#include "base/log.h"
#include "partition/apply_config.h"
#include "partition/dynamic_queue_limits.h"
#include "partition/gang.h"
#include "partition/housekeeping.h"
#include "partition/lifecycle.h"
#include "partition/partition.h"
#include "partition/submissions.h"
#include "pending/parked.h"
#include "report/report.h"
#include "resources/amount_text.h"
#include "state/core.h"
#include "state/partition.h"

#include <strings.h>

static enum yk_status fail_too_large(const struct yk_queue *leaf, const struct yk_si_new_app *request,
                                     const struct yk_resvec *max, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf wanted = {.max = YK_ERR_TEXT_MAX / 2};
    YK_CLEANUP(yk_buf_done) struct yk_buf most = {.max = YK_ERR_TEXT_MAX / 2};
    yk_amounts_text(&wanted, request->placeholder_ask, max);
    yk_amounts_text(&most, max, request->placeholder_ask);
    return yk_fail(err, YK_ERR_LIMIT,
                   "queue %s cannot fit application %s: its gang needs %s, the queue may have %s", leaf->path,
                   request->application_id, yk_buf_cstr(&wanted), yk_buf_cstr(&most));
}

/* Checks that the leaf can run the gang: its policy takes gangs, and the maxima allow the whole gang
 * (R42). If not, notes the cause in `app`. */
static enum yk_status check_gang(const struct yk_queue *leaf, struct yk_app *app,
                                 const struct yk_si_new_app *request, struct yk_err *err)
{
    YK_RESVEC(max);
    if (request->placeholder_ask == NULL || yk_resvec_is_zero(request->placeholder_ask))
        return YK_OK;
    if (!yk_app_sort_takes_gangs(leaf->settings.app_sort)) {
        app->life.rejection = YK_APP_REJECTION_NO_GANGS;
        return yk_fail(
            err, YK_ERR_INVALID,
            "queue %s cannot run application %s: a queue with application.sort.policy %s takes no gangs",
            leaf->path, request->application_id, yk_app_sort_name(leaf->settings.app_sort));
    }
    if (yk_queue_effective_max(leaf, false, &max) && !yk_resvec_fit_undef(&max, request->placeholder_ask)) {
        app->life.rejection = YK_APP_REJECTION_GANG_SIZE;
        return fail_too_large(leaf, request, &max, err);
    }
    return YK_OK;
}

static void take_number(struct yk_partition *partition, struct yk_app *app)
{
    int64_t free_number = yk_bitset_next(&partition->free_app_numbers, 0);
    if (free_number == YK_BITSET_END) {
        app->number = (uint32_t)partition->apps_by_number.count;
        yk_vec_append(&partition->apps_by_number, app);
        return;
    }
    app->number = (uint32_t)free_number;
    yk_bitset_clear(&partition->free_app_numbers, app->number);
    partition->apps_by_number.items[app->number] = app;
}

static void join(struct yk_app *app, struct yk_queue *leaf)
{
    struct yk_partition *partition = app->partition;
    struct yk_app *rejected = yk_strmap_get(&partition->rejected_by_id, yk_str_from(app->id));
    if (rejected != NULL)
        rejected->life.is_superseded = true;
    yk_app_set_leaf(app, leaf);
    free(app->queue_path);
    app->queue_path = yk_strdup(leaf->path);
    yk_report_app_joined(app);
    yk_usage_join(&partition->usages, app);
    yk_list_append(&leaf->apps, &app->in_leaf);
    leaf->app_count++;
    leaf->apps_joined++;
    leaf->apps_by_state[app->state]++;
    yk_pending_enter(app);
    (void)yk_strmap_put(&partition->apps, yk_str_from(app->id), app); /* returns NULL: the id is new */
    take_number(partition, app);
    yk_app_update_shares(app);
    yk_dynamic_queue_limits_apply(app);
    partition->core->metrics.apps_new++;
}

/* Notes the queue that refused the application: REST shows it. */
static void refused_by_queue(struct yk_app *app, struct yk_queue *leaf)
{
    free(app->queue_path);
    app->queue_path = yk_strdup(leaf->path);
    yk_housekeeping_check_queue(app->partition, leaf); /* it may have been made for the application (P4) */
}

static enum yk_status check_new(const struct yk_partition *partition, const char *application_id,
                                struct yk_err *err)
{
    if (partition->state != YK_STATE_ACTIVE)
        return yk_fail(err, YK_ERR_STATE, "partition '%s' is %s and takes no applications", partition->name,
                       yk_object_state_name(partition->state));
    if (yk_partition_find_app(partition, application_id) != NULL)
        return yk_fail(err, YK_ERR_EXISTS, "application '%s' is active already", application_id);
    if (yk_submission_waits(&partition->submissions, application_id))
        return yk_fail(err, YK_ERR_EXISTS, "application '%s' is submitted already", application_id);
    return YK_OK;
}

static enum yk_status place(struct yk_partition *partition, struct yk_app *app,
                            const struct yk_si_new_app *request, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = YK_QUEUE_PATH_MAX};
    struct yk_queue *leaf;
    enum yk_status st = check_new(partition, app->id, err);
    if (st == YK_OK)
        st = yk_placement_place(partition->placement, partition->root, app, &path, err);
    if (st == YK_OK)
        st = yk_queues_find_or_create(partition, yk_buf_view(&path), &leaf, err);
    if (st != YK_OK)
        return st;
    if (!app->forced) /* a restored application runs already, so it is not refused (5.5) */
        st = check_gang(leaf, app, request, err);
    if (st == YK_OK)
        join(app, leaf);
    else
        refused_by_queue(app, leaf);
    return st;
}

/* Whether the request has the tag of restored applications, which must not be refused for their queue or
 * user. */
static bool is_forced(const struct yk_si_new_app *request)
{
    bool forced = false;
    for (size_t i = 0; i < request->tag_count; i++) {
        const struct yk_si_tag *tag = &request->tags[i];
        if (tag->key != NULL && tag->value != NULL && strcasecmp(tag->key, YK_SI_TAG_FORCE_CREATE) == 0 &&
            yk_str_to_bool(yk_str_from(tag->value), &forced) != YK_OK)
            forced = false;
    }
    return forced;
}

static struct yk_app *new_app(struct yk_partition *partition, const struct yk_si_new_app *request,
                              const struct yk_user *user)
{
    struct yk_app *app = yk_app_new(request, user->name, (const char *const *)user->groups, user->group_count,
                                    yk_core_now(partition->core));
    app->partition = partition;
    if (request->placeholder_ask != NULL && !yk_resvec_is_zero(request->placeholder_ask)) {
        app->gang = yk_gang_new(app);
        yk_resvec_copy(&app->gang->total, request->placeholder_ask);
        app->gang->style = request->gang_style;
        app->gang->timeout_ns = request->placeholder_timeout_ns;
    }
    partition->apps_by_state[YK_APP_NEW]++;
    yk_report_app_new(app);
    return app;
}

void yk_partition_admit(struct yk_partition *partition, const struct yk_si_new_app *request,
                        const struct yk_user *user, const char *why_not)
{
    const struct yk_rm *rm = partition->rm;
    struct yk_err err = {0};
    struct yk_app *app = new_app(partition, request, user);
    if (why_not == NULL && place(partition, app, request, &err) != YK_OK)
        why_not = err.text;
    if (why_not != NULL) {
        yk_lifecycle_reject(partition, app, why_not);
        if (rm->callbacks.app_rejected != NULL)
            rm->callbacks.app_rejected(rm->context, app->id, why_not, app->cookie);
        return;
    }
    yk_info(yk_log_app, "application added", KV("app", app->id), KV("queue", app->queue_path),
            KV("user", app->user));
    if (rm->callbacks.app_accepted != NULL)
        rm->callbacks.app_accepted(rm->context, app->id, app->cookie);
}

/* Keeps the submission until its user is known. Refuses it at once if the partition takes no new application
 * of that id. */
static enum yk_status wait_for_user(struct yk_partition *partition, const struct yk_si_new_app *request,
                                    bool forced, struct yk_err *err)
{
    enum yk_status st = check_new(partition, request->application_id, err);
    return st == YK_OK ? yk_submission_add(partition, request, forced, err) : st;
}

void yk_partition_add_app(struct yk_partition *partition, const struct yk_si_new_app *request)
{
    struct yk_err err = {0};
    YK_CLEANUP(yk_user_done) struct yk_user user = {0};
    const struct yk_user_request who = {.user = request->ugi.user,
                                        .groups = request->ugi.groups,
                                        .group_count = request->ugi.group_count,
                                        .forced = is_forced(request)};
    switch (yk_users_resolve(partition->users, &who, &user, &err)) {
    case YK_USER_KNOWN:
        yk_partition_admit(partition, request, &user, NULL);
        break;
    case YK_USER_PENDING:
        if (wait_for_user(partition, request, who.forced, &err) != YK_OK)
            yk_partition_admit(partition, request, &user, err.text);
        break;
    case YK_USER_REFUSED:
        yk_partition_admit(partition, request, &user, err.text);
        break;
    }
}

/* The id is removed first, so that no request finds the application while its asks end (7.2). */
void yk_partition_remove_app(struct yk_partition *partition, const char *application_id)
{
    struct yk_app *app = yk_strmap_remove(&partition->apps, yk_str_from(application_id));
    if (app == NULL) {
        (void)yk_submission_cancel(partition, application_id); /* the resource manager expects no answer */
        return;
    }
    app->life.removing = true;
    while (app->pending_groups.count > 0)
        yk_partition_drop_ask(
            partition, YK_CONTAINER(yk_tree_first(&app->pending_groups), struct yk_group, in_pending)->first);
    yk_partition_end_all_allocations(app, YK_SI_STOPPED_BY_RM, "application removed");
    if (app->state == YK_APP_RUNNING || app->state == YK_APP_STARTING) {
        yk_queue_count_running(app->leaf, -1);
        yk_wake_for_app_slot(app->leaf);
    }
    if (app->leaf != NULL)
        app->leaf->apps_by_state[app->state]--;
    partition->apps_by_state[app->state]--;
    yk_timer_cancel(partition->core->timers, &app->life.timer);
    yk_gang_stop(app);
    yk_lifecycle_leave_queue(app);
    if (!partition->removing) /* not logged for each application when the whole partition is removed */
        yk_info(yk_log_app, "application removed", KV("app", app->id), KV("queue", app->queue_path));
    yk_app_free(app);
}
