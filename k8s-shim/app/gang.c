/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs in the shim: an application with task groups gets a placeholder pod for each member, and starts its
 * real pods when all placeholders are bound, or when the gang has failed.
 *
 * The placeholders that exist are counted, and the name of a placeholder is computed from the gang and the
 * number of the placeholder. So no placeholder is created twice, even if the process is restarted at any
 * instruction. Placeholders that are not needed are ended whenever they are found.
 *
 * Source: docs/reference/kubernetes.md, "Gangs" (S14 to S16).
 */
#include "app/apps_priv.h"
#include "base/log.h"

#define REASON "GangScheduling"

enum { NOTE_MAX = 1024 };

static const char timed_out[] = "ResourceReservationTimeout";

/* ---- Events, about the owner of the placeholders or another real pod ---- */

static const struct yk_task *spokesman(const struct yk_application *app)
{
    const struct yk_task *task;
    if (app->originator != NULL)
        return app->originator;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (!task->is_placeholder)
            return task;
    }
    return NULL;
}

static void tell(struct yk_apps *apps, const struct yk_application *app, bool warning, const char *action,
                 const char *what)
{
    char note[NOTE_MAX];
    const struct yk_task *about = spokesman(app);
    if (about == NULL)
        return;
    (void)snprintf(note, sizeof(note), "Application %s %s", app->id, what); /* a longer note is cut */
    apps->effects->pod_event(apps->effects->context, about->pod->task, warning, REASON, action, note);
}

static void announce(struct yk_apps *apps, const struct yk_application *app, bool warning, const char *action,
                     const char *what)
{
    yk_info(yk_log_shim_app, "gang", KV("app", app->id), KV("what", what));
    tell(apps, app, warning, action, what);
}

void yk__gang_tell_timeout(struct yk_apps *apps, const struct yk_application *app)
{
    tell(apps, app, true, "PlaceholderTimeOut", "placeholder has been timed out");
}

void yk__gang_tell_member(struct yk_apps *apps, struct yk_task *task)
{
    char note[NOTE_MAX];
    const struct yk_app_gang *gang = task->app->gang;
    if (task->is_placeholder || gang == NULL || gang->failed)
        return;
    const char *group = yk_ask_details_task_group(task->ask_details);
    if (yk_task_groups_find(&gang->groups, group) == NULL)
        return;
    (void)snprintf(note, sizeof(note),
                   "Pod belongs to the taskGroup %s, it will be scheduled as a gang member", group);
    apps->effects->pod_event(apps->effects->context, task, false, REASON, "TaskGroupMatch", note);
}

/* Writes an Event if the pod names a task group that the gang does not have, so that it will replace no
 * placeholder. The name is probably misspelt. */
static void tell_stranger(struct yk_apps *apps, struct yk_task *task)
{
    const struct yk_app_gang *gang = task->app->gang;
    const char *group = yk_ask_details_task_group(task->ask_details);
    if (gang == NULL || task->is_placeholder || group[0] == '\0' || yk__pod_is_bound(task->pod) ||
        yk_task_groups_find(&gang->groups, group) != NULL)
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf note = {.max = NOTE_MAX}; /* a longer note is cut */
    yk_buf_printf(&note, "task group '%s' is not among those of application %s:", group, task->app->id);
    for (size_t i = 0; i < gang->groups.count; i++)
        yk_buf_printf(&note, "%s %s", i > 0 ? "," : "", gang->groups.items[i].name.p);
    apps->effects->pod_event(apps->effects->context, task, true, REASON, "TaskGroupsError",
                             yk_buf_cstr(&note));
}

/* ---- counting members ---- */

static bool is_live(enum yk_task_state state)
{
    return state <= YK_TASK_BOUND;
}

static void count_in_group(struct yk_app_gang *gang, struct yk_gang_group *group, enum yk_task_state state,
                           int by)
{
    bool was_complete = group->bound >= group->min_member;
    if (is_live(state))
        group->live += (uint32_t)by;
    if (state == YK_TASK_BOUND)
        group->bound += (uint32_t)by;
    bool is_complete = group->bound >= group->min_member;
    gang->complete += is_complete;
    gang->complete -= was_complete;
}

/* The task group of a placeholder; NULL: it has none. Placeholders always have pending work. */
static struct yk_gang_group *group_of(const struct yk_task *task)
{
    return task->work != NULL ? task->work->group : NULL;
}

static void attach(struct yk_task *task)
{
    struct yk_app_gang *gang = task->app->gang;
    if (gang == NULL || !task->is_placeholder || task->going)
        return;
    struct yk_gang_group *group =
        yk_task_groups_find(&gang->groups, yk_ask_details_task_group(task->ask_details));
    task->work->group = group;
    if (group != NULL)
        count_in_group(gang, group, (enum yk_task_state)task->state, 1);
}

void yk__gang_task_added(struct yk_apps *apps, struct yk_task *task)
{
    struct yk_application *app = task->app;
    if (task->is_placeholder)
        app->live_placeholders++;
    else
        app->live_real++;
    if (!task->is_placeholder && app->gang != NULL &&
        yk_str_is(yk_cache_pod_uid(task->pod), app->gang->owner_uid))
        app->originator = task;
    attach(task);
    struct yk_gang_group *group = group_of(task);
    if (group != NULL && group->unseen > 0)
        group->unseen--;
    yk__gang_recharge(apps, app);
    tell_stranger(apps, task);
}

/* A placeholder has ended: a gang that reserves is checked later, so that the placeholder is created again.
 * `gave_way`: the core has ended it because others need its capacity. */
static void note_lost(struct yk_apps *apps, struct yk_app_gang *gang, bool gave_way)
{
    gang->lost |= !gave_way;
    gang->gave_way |= gave_way;
    if (yk__gang_reserves(gang) && !yk_list_linked(&gang->in_work))
        yk_list_append(&apps->incomplete, &gang->in_work);
}

static void placeholder_moved(struct yk_apps *apps, struct yk_task *task, enum yk_task_state from,
                              enum yk_task_state to)
{
    struct yk_app_gang *gang = task->app->gang;
    count_in_group(gang, task->work->group, from, -1);
    count_in_group(gang, task->work->group, to, 1);
    if (to == YK_TASK_REJECTED)
        yk__gang_fail(gang, "were refused by the scheduler");
    else if (to == YK_TASK_BOUND)
        gang->has_news = true;
    else if (!is_live(to))
        note_lost(apps, gang, task->termination == YK_SI_PREEMPTED_BY_SCHEDULER);
}

void yk__gang_task_moved(struct yk_apps *apps, struct yk_task *task, enum yk_task_state from,
                         enum yk_task_state to)
{
    struct yk_application *app = task->app;
    uint32_t *live = task->is_placeholder ? &app->live_placeholders : &app->live_real;
    *live += (uint32_t)is_live(to) - (uint32_t)is_live(from);
    if (task->is_placeholder)
        yk__gang_recharge(apps, app);
    if (group_of(task) != NULL && from != to)
        placeholder_moved(apps, task, from, to);
    bool waits = app->state == YK_APPLICATION_RESERVING || app->state == YK_APPLICATION_RESUMING;
    if (waits && (task->is_placeholder || *live == 0))
        yk__application_queue(apps, app);
}

/* ---- task groups and owner, from the pods of the application ---- */

static void detach_all(struct yk_application *app)
{
    struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (task->work != NULL)
            task->work->group = NULL;
    }
}

void yk__gang_drop(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_app_gang *gang = app->gang;
    if (gang == NULL)
        return;
    yk__gang_uncharge(apps, gang);
    detach_all(app);
    if (yk_list_linked(&gang->in_work))
        yk_list_remove(&gang->in_work);
    yk_task_groups_done(&gang->groups);
    free(gang->details);
    free(gang->namespace_);
    free(gang->owner_name);
    free(gang->owner_uid);
    free(gang);
    app->gang = NULL;
}

static struct yk_task *task_with_uid(const struct yk_application *app, const char *uid)
{
    struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (!task->is_placeholder && yk_str_is(yk_cache_pod_uid(task->pod), uid))
            return task;
    }
    return NULL;
}

/* The task of the pod that owns existing placeholders, so that new placeholders get the same owner. NULL:
 * there is no such task. */
static const struct yk_task *owner_that_lives(const struct yk_application *app)
{
    const struct yk_task *task, *owner;
    const struct yk_interned *seen = NULL;
    struct yk_app_details details;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (!task->is_placeholder || task->going || task->app_details == seen)
            continue;
        seen = task->app_details; /* pods that share these details have the same owner */
        yk_app_details_read(seen, &details);
        owner = details.owner_uid[0] != '\0' ? task_with_uid(app, details.owner_uid) : NULL;
        if (owner != NULL)
            return owner;
    }
    return NULL;
}

static const struct yk_task *first_real(const struct yk_application *app)
{
    const struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (!task->is_placeholder && is_live((enum yk_task_state)task->state))
            return task;
    }
    return NULL;
}

/* The task whose pod will own the placeholders: the owner of existing placeholders, if there is one.
 * Otherwise `task` or, if `task` is a placeholder, the first live real pod, if there is one. */
static const struct yk_task *owner_of(const struct yk_application *app, const struct yk_task *task)
{
    const struct yk_task *owner = app->live_placeholders > 0 ? owner_that_lives(app) : NULL;
    if (owner == NULL && task->is_placeholder)
        owner = first_real(app);
    return owner != NULL ? owner : task;
}

static void take_owner(struct yk_app_gang *gang, const struct yk_task *task)
{
    const struct yk_task *owner = owner_of(gang->app, task);
    gang->owner_name = yk_str_dup(yk_cache_pod_name(owner->pod));
    gang->owner_uid = yk_str_dup(yk_cache_pod_uid(owner->pod));
    gang->namespace_ = yk_str_dup(yk_cache_pod_namespace(owner->pod));
    gang->app->originator = owner->is_placeholder ? NULL : owner;
}

/* The details of the pod. If they have no task groups: the details of a placeholder that was created from the
 * task groups (P13). */
static const struct yk_interned *details_with_groups(const struct yk_application *app,
                                                     const struct yk_task *task)
{
    struct yk_app_details details;
    const struct yk_task *other;
    yk_app_details_read(task->app_details, &details);
    if (details.task_groups[0] != '\0' || app->live_placeholders == 0)
        return task->app_details;
    yk_list_foreach (other, &app->tasks, struct yk_task, in_app) {
        yk_app_details_read(other->app_details, &details);
        if (other->is_placeholder && !other->going && details.task_groups[0] != '\0')
            return other->app_details;
    }
    return task->app_details;
}

/* Stores why the pods are scheduled without the gang, unless that is known already. */
static void note_unused(struct yk_application *app, const char *why)
{
    if (app->gang_unused == NULL)
        app->gang_unused = yk_strdup(why);
}

static void tell_wrong_groups(struct yk_apps *apps, struct yk_task *task, const char *why)
{
    char note[NOTE_MAX];
    note_unused(task->app, why);
    yk_warn(yk_log_shim_app, "task groups of a pod are not valid, its application runs without",
            KV("pod", yk_cache_pod_key(task->pod)), KV("err", why));
    (void)snprintf(note, sizeof(note), "unable to get taskGroups for pod, reason: %s", why);
    apps->effects->pod_event(apps->effects->context, task, true, REASON, "TaskGroupsError", note);
}

/* Reads the annotation with the policy. The gang is used even if parameters are wrong. */
static void take_policy(struct yk_apps *apps, struct yk_app_gang *gang, struct yk_task *task,
                        const char *policy)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf note = {.max = NOTE_MAX}; /* what does not fit is left out */
    yk_gang_policy_parse(yk_str_from(policy), &gang->policy, &note);
    if (note.len == 0)
        return;
    yk_warn(yk_log_shim_app, "scheduling policy parameters of a pod are not valid, the defaults hold",
            KV("pod", yk_cache_pod_key(task->pod)), KV("err", yk_buf_cstr(&note)));
    apps->effects->pod_event(apps->effects->context, task, true, REASON, "PolicyParametersError",
                             yk_buf_cstr(&note));
}

/* A copy of interned bytes, because the application may exist longer than the pods that share them. */
static struct yk_interned *copy_of(const struct yk_interned *interned)
{
    struct yk_interned *copy = yk_alloc0(yk_size_add(sizeof(*copy), yk_size_add(interned->len, 1)));
    copy->len = interned->len;
    memcpy(copy->bytes, interned->bytes, interned->len);
    return copy;
}

static void take_groups(struct yk_apps *apps, struct yk_application *app, struct yk_task *task)
{
    struct yk_app_details details;
    struct yk_task_groups groups = {.count = 0};
    struct yk_err err = {0};
    const struct yk_interned *interned = details_with_groups(app, task);
    yk_app_details_read(interned, &details);
    if (!apps->with_gangs || details.task_groups[0] == '\0')
        return;
    if (yk_task_groups_parse(yk_str_from(details.task_groups), yk_cache_pod_namespace(task->pod), &groups,
                             &err) != YK_OK) {
        tell_wrong_groups(apps, task, err.text);
        return;
    }
    if (groups.count == 0) {
        yk_task_groups_done(&groups);
        return;
    }
    struct yk_app_gang *gang = yk_new0(struct yk_app_gang);
    gang->app = app;
    yk_task_groups_move(&gang->groups, &groups);
    gang->details = copy_of(interned);
    gang->number = ++apps->sequence;
    gang->begin_wall_ns = yk_cache_pod_creation_wall_ns(task->pod);
    gang->recovered = !apps->enabled;
    take_policy(apps, gang, task, details.policy);
    yk_list_init(&gang->in_work);
    app->gang = gang;
    take_owner(gang, task);
    struct yk_task *member;
    yk_list_foreach (member, &app->tasks, struct yk_task, in_app) {
        attach(member);
        tell_stranger(apps, member);
    }
}

void yk__gang_adopt(struct yk_apps *apps, struct yk_application *app, struct yk_task *task)
{
    yk__gang_drop(apps, app);
    free(app->gang_unused);
    app->gang_unused = NULL;
    app->originator = task->is_placeholder ? NULL : task;
    take_groups(apps, app, task);
}

/* ---- which tasks may start ---- */

bool yk__gang_lets_start(const struct yk_task *task)
{
    const struct yk_application *app = task->app;
    switch (app->state) {
    case YK_APPLICATION_RUNNING:
        return true;
    case YK_APPLICATION_ACCEPTED:
        return app->gang == NULL;
    case YK_APPLICATION_RESERVING:
        return task->is_placeholder || yk__pod_is_bound(task->pod);
    case YK_APPLICATION_RESUMING:
        return yk__pod_is_bound(task->pod);
    case YK_APPLICATION_NEW:
    case YK_APPLICATION_SUBMITTED:
    case YK_APPLICATION_REJECTED:
    case YK_APPLICATION_FAILING:
    case YK_APPLICATION_FAILED:
    case YK_APPLICATION_COMPLETED:
        break;
    }
    return false;
}

bool yk__gang_is_unwanted(const struct yk_task *task)
{
    const struct yk_application *app = task->app;
    if (!task->is_placeholder)
        return false;
    if (task->going)
        return true;
    switch (app->state) {
    case YK_APPLICATION_NEW:
    case YK_APPLICATION_FAILED:
    case YK_APPLICATION_COMPLETED:
        return app->live_real == 0; /* no real pod is left that could replace it */
    case YK_APPLICATION_SUBMITTED:
        return false; /* it is known only after the answer of the core */
    case YK_APPLICATION_ACCEPTED:
        return group_of(task) == NULL;
    case YK_APPLICATION_RESERVING:
        return group_of(task) == NULL || task->work->group->live > task->work->group->min_member;
    case YK_APPLICATION_RUNNING: /* a placeholder with a node can still be replaced */
        return group_of(task) == NULL || !yk__pod_is_bound(task->pod);
    case YK_APPLICATION_RESUMING:
    case YK_APPLICATION_REJECTED:
    case YK_APPLICATION_FAILING:
        break;
    }
    return true;
}

/* ---- Reserving and Resuming ---- */

void yk__gang_discard_all(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_task *task;
    if (app->live_placeholders == 0)
        return;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (task->is_placeholder && task->termination == YK_SI_TERMINATION_UNKNOWN &&
            is_live((enum yk_task_state)task->state))
            yk__task_discard(apps, task);
    }
}

/* Whether a real pod has been submitted or bound already. */
static bool real_one_is_under_way(const struct yk_application *app)
{
    const struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        bool past_new = task->state > YK_TASK_NEW && task->state <= YK_TASK_BOUND;
        if (!task->is_placeholder && (past_new || yk__pod_is_bound(task->pod)))
            return true;
    }
    return false;
}

static bool is_too_late(const struct yk_apps *apps, const struct yk_application *app)
{
    return app->gang->recovered && app->live_placeholders == 0 && yk__gang_time_left(apps, app->gang) <= 0;
}

static void fail_of_time(struct yk_apps *apps, struct yk_application *app)
{
    yk__core_remove_app(apps, app);
    yk__application_failed(apps, app, YK_APPLICATION_FAILING, YK_SI_FAILURE_GANG_TIMEOUT, timed_out, true);
}

static void note_cap(const struct yk_apps *apps, struct yk_application *app)
{
    char why[NOTE_MAX];
    (void)snprintf(why, sizeof(why),
                   "it has %u members, and a namespace may have %llu placeholders "
                   "(service.maxPlaceholdersPerNamespace)",
                   app->gang->groups.members, (unsigned long long)apps->placeholders_max);
    note_unused(app, why);
}

static void tell_cap(struct yk_apps *apps, const struct yk_application *app, const char *action,
                     const char *what)
{
    char note[NOTE_MAX];
    (void)snprintf(note, sizeof(note), "%s: it has %u members, and %llu are allowed", what,
                   app->gang->groups.members, (unsigned long long)apps->placeholders_max);
    announce(apps, app, true, action, note);
}

void yk__gang_resolve(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_app_gang *gang = app->gang;
    if (gang == NULL || app->state == YK_APPLICATION_SUBMITTED)
        return;
    if (yk_task_groups_resolve(&gang->groups, yk_str_from(gang->namespace_)) && app->in_core)
        yk__core_put_gang(apps, app);
}

bool yk__gang_begin(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_app_gang *gang = app->gang;
    if (real_one_is_under_way(app))
        return false;
    if (is_too_late(apps, app)) {
        announce(apps, app, true, "PlaceholderTimeout",
                 "placeholder timeout exceeded, not creating placeholders");
        if (gang->policy.is_hard)
            fail_of_time(apps, app);
        else
            note_unused(app, "its timeout was over before it had placeholders");
        return false;
    }
    if (yk__gang_exceeds_cap(apps, gang) && app->live_placeholders == 0) {
        tell_cap(apps, app, "PlaceholderCreateFailed", "needs more placeholders than a namespace may have");
        note_cap(apps, app);
        gang->failed = true;
        return true;
    }
    if (!yk__gang_admit(apps, gang)) {
        tell_cap(apps, app, "CreatingPlaceholders", "waits until its namespace has fewer placeholders");
        yk_list_append(&apps->incomplete, &gang->in_work); /* checked again later */
        return true;
    }
    if (app->live_placeholders == 0)
        announce(apps, app, false, "CreatingPlaceholders", "creating placeholders");
    yk_list_append(&apps->making, &gang->in_work);
    return true;
}

static void stop_making(struct yk_app_gang *gang)
{
    if (yk_list_linked(&gang->in_work))
        yk_list_remove(&gang->in_work);
}

/* All real pods of the gang have ended: ends its placeholders. The core then completes the application,
 * because it has no asks and allocations left. */
static void abandon(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_task *task;
    yk_info(yk_log_shim_app, "gang has no real pods left, its placeholders are deleted", KV("app", app->id));
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (task->is_placeholder)
            yk__task_discard(apps, task);
    }
    yk__application_enter(apps, app, YK_APPLICATION_COMPLETED);
    yk__gang_drop(apps, app);
}

static bool run_reserving(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_app_gang *gang = app->gang;
    if (gang->failed) {
        announce(apps, app, true, "PlaceholderCreateFailed", "fall back to normal scheduling");
        YK_CLEANUP(yk_buf_done) struct yk_buf note = {0};
        yk_buf_printf(&note, "its placeholders %s",
                      gang->failed_because != NULL ? gang->failed_because : "cannot be created");
        note_unused(app, yk_buf_cstr(&note));
        stop_making(gang);
        yk__gang_discard_all(apps, app);
        return true;
    }
    if (gang->has_news)
        tell(apps, app, false, "PlaceholderAllocated", "placeholder has been allocated.");
    gang->has_news = false;
    if (gang->complete < gang->groups.count) {
        yk__gang_hold_all(apps, app);
        return false;
    }
    announce(apps, app, false, "GangReservationComplete",
             "all placeholders are allocated. Transitioning to running state.");
    stop_making(gang);
    return true;
}

static bool run_resuming(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_app_gang *gang = app->gang;
    if (!gang->failed) { /* only in the first call: start() ends placeholders that appear later */
        gang->failed = true;
        stop_making(gang);
        announce(apps, app, true, "GangSchedulingFailed", "resuming as non-gang application (SOFT)");
        yk__gang_discard_all(apps, app);
    }
    return app->live_placeholders == 0;
}

bool yk__gang_run(struct yk_apps *apps, struct yk_application *app)
{
    if (app->live_real == 0) {
        abandon(apps, app);
        return false;
    }
    return app->state == YK_APPLICATION_RESERVING ? run_reserving(apps, app) : run_resuming(apps, app);
}
