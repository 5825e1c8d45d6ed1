/* SPDX-License-Identifier: Apache-2.0 */
#include "app/apps_priv.h"
#include "base/log.h"

static const char *application_state_name(enum yk_application_state state)
{
    static const char *const names[] = {"New",     "Submitted", "Accepted", "Reserving", "Resuming",
                                        "Running", "Rejected",  "Failing",  "Failed",    "Completed"};
    YK_INDEXED_BY(names, YK_APPLICATION_COMPLETED);
    return names[state];
}

static void stop_holding(struct yk_apps *apps, struct yk_application *app)
{
    if (!app->holds_start)
        return;
    app->holds_start = false;
    apps->holding_start--;
}

void yk__application_enter(struct yk_apps *apps, struct yk_application *app, enum yk_application_state state)
{
    stop_holding(apps, app); /* after Submitted, each change of the state means that the core has answered */
    yk_debug(yk_log_shim_fsm, "application changes its state", KV("app", app->id),
             KV("from", application_state_name(app->state)), KV("to", application_state_name(state)));
    app->state = state;
    yk__gang_recharge(apps, app);
}

void yk__application_free(struct yk_apps *apps, struct yk_application *app)
{
    stop_holding(apps, app);
    if (yk_list_linked(&app->in_queue))
        yk_list_remove(&app->in_queue);
    yk__scope_application_ends(apps, app);
    yk__gang_drop(apps, app);
    free(app->id);
    free(app->namespace_);
    free(app->message);
    free(app->gang_unused);
    free(app);
}

void yk__application_queue(struct yk_apps *apps, struct yk_application *app)
{
    if (!yk_list_linked(&app->in_queue))
        yk_list_append(&apps->app_queue, &app->in_queue);
}

static bool is_older(const struct yk_cache_pod *a, const struct yk_cache_pod *b)
{
    if (a->creation_wall_s != b->creation_wall_s)
        return a->creation_wall_s < b->creation_wall_s;
    return yk_cache_pod_order(a, b) < 0;
}

/* The task whose pod decides user and queue of the application: `task` or, if `task` is a placeholder, the
 * oldest real pod, if there is one. O(tasks) for a placeholder. */
static const struct yk_task *first_real(const struct yk_application *app, const struct yk_task *task)
{
    const struct yk_task *other, *first = NULL;
    if (!task->is_placeholder)
        return task;
    yk_list_foreach (other, &app->tasks, struct yk_task, in_app) {
        if (!other->is_placeholder && (first == NULL || is_older(other->pod, first->pod)))
            first = other;
    }
    return first != NULL ? first : task;
}

static void end_former(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_task *task;
    if (!app->in_core)
        return;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app)
        task->in_core = false; /* the core drops asks and allocations together with the application */
    yk__core_remove_app(apps, app);
}

void yk__application_submit(struct yk_apps *apps, struct yk_application *app, struct yk_task *task)
{
    end_former(apps, app);
    free(app->message);
    app->message = NULL;
    app->forced = yk__pod_is_bound(task->pod);
    app->tasks_failed = app->over = app->resumed = false;
    yk__gang_adopt(apps, app, task);
    yk__application_enter(apps, app, YK_APPLICATION_SUBMITTED);
    yk__core_add_app(apps, app, first_real(app, task)); /* the core may have answered already */
}

void yk__application_accepted(struct yk_apps *apps, struct yk_application *app)
{
    if (app->state != YK_APPLICATION_SUBMITTED) {
        yk_warn(yk_log_shim_fsm, "acceptance of an application that was not submitted is ignored",
                KV("app", app->id), KV("state", application_state_name(app->state)));
        return;
    }
    app->forced = false;
    yk__application_enter(apps, app, YK_APPLICATION_ACCEPTED);
    yk__application_queue(apps, app);
}

void yk__application_failed(struct yk_apps *apps, struct yk_application *app, enum yk_application_state state,
                            enum yk_si_failure failure, const char *message, bool over)
{
    if (app->state == YK_APPLICATION_FAILED || app->state == YK_APPLICATION_COMPLETED)
        return;
    if (app->state != YK_APPLICATION_FAILING) {
        yk__application_enter(apps, app, state);
        free(app->message);
        app->message = yk_strdup(message);
        app->failure = failure;
    }
    app->over |= over;
    app->in_core = !app->over;
    yk__application_queue(apps, app);
}

static int by_creation(const void *a, const void *b)
{
    const struct yk_task *x = a, *y = b;
    if (x->pod->creation_wall_s != y->pod->creation_wall_s)
        return x->pod->creation_wall_s < y->pod->creation_wall_s ? -1 : 1;
    return x->work->sequence < y->work->sequence ? -1 : x->work->sequence > y->work->sequence;
}

/* Tasks in the run queue need not be added: they start when their turn comes. */
void yk__application_start_tasks(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_vec waiting = {0};
    struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (task->state == YK_TASK_NEW && (task->work->todo & YK_TODO_START) == 0)
            yk_vec_append(&waiting, task);
    }
    yk_vec_sort(&waiting, by_creation);
    yk_vec_foreach (task, &waiting)
        yk__task_todo(apps, task, YK_TODO_START);
    yk_vec_done(&waiting);
}

static void fail_tasks(struct yk_apps *apps, struct yk_application *app)
{
    yk_warn(yk_log_shim_app, "application failed", KV("app", app->id), KV("err", app->message));
    struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app)
        yk__task_fail(apps, task);
    yk__gang_discard_all(apps, app);
}

void yk__application_resuming(struct yk_apps *apps, struct yk_application *app)
{
    bool has_reserved = app->state == YK_APPLICATION_ACCEPTED || app->state == YK_APPLICATION_RESERVING ||
                        app->state == YK_APPLICATION_RUNNING;
    if (app->gang == NULL || !has_reserved)
        return;
    app->resumed = true;
    yk__application_enter(apps, app, YK_APPLICATION_RESUMING);
    yk__application_queue(apps, app);
}

static void run(struct yk_apps *apps, struct yk_application *app)
{
    yk__application_enter(apps, app, YK_APPLICATION_RUNNING);
    yk__application_start_tasks(apps, app);
}

static void begin(struct yk_apps *apps, struct yk_application *app)
{
    yk__gang_resolve(apps, app); /* a node may have come while the application was submitted */
    if (app->gang == NULL || !yk__gang_begin(apps, app)) {
        if (app->state == YK_APPLICATION_ACCEPTED)
            run(apps, app);
        return;
    }
    yk__application_enter(apps, app, YK_APPLICATION_RESERVING);
    yk__application_queue(apps, app);
    yk__application_start_tasks(apps, app);
}

/* Fails the tasks once. The application stays Failing until the core has ended it, because its id is in
 * use until then. */
static void fail_on(struct yk_apps *apps, struct yk_application *app)
{
    if (!app->tasks_failed)
        fail_tasks(apps, app);
    app->tasks_failed = true;
    if (!app->over)
        return;
    yk__application_enter(apps, app, YK_APPLICATION_FAILED);
    yk__application_start_tasks(apps, app); /* pods that were added meanwhile start the application again */
}

void yk__application_run(struct yk_apps *apps, struct yk_application *app)
{
    switch (app->state) {
    case YK_APPLICATION_ACCEPTED:
        begin(apps, app);
        break;
    case YK_APPLICATION_RESERVING:
    case YK_APPLICATION_RESUMING:
        if (yk__gang_run(apps, app))
            run(apps, app);
        break;
    case YK_APPLICATION_COMPLETED:
        yk__gang_discard_all(apps, app);
        break;
    case YK_APPLICATION_REJECTED:
        yk__application_enter(apps, app, YK_APPLICATION_FAILING);
        fail_on(apps, app);
        break;
    case YK_APPLICATION_FAILING:
        fail_on(apps, app);
        break;
    case YK_APPLICATION_NEW:
    case YK_APPLICATION_SUBMITTED:
    case YK_APPLICATION_RUNNING:
    case YK_APPLICATION_FAILED:
        break;
    }
    yk__application_drop_if_unused(apps, app);
}

/* If an application without tasks has had asks, the core ends it by itself, and reports its end. An
 * application that has had no ask would exist until its timeout (S06), so the shim removes it. */
void yk__application_drop_if_unused(struct yk_apps *apps, struct yk_application *app)
{
    if (app->task_count > 0 || app->state == YK_APPLICATION_SUBMITTED)
        return;
    if (app->in_core && app->heard && app->resumed)
        /* without asks, the core would not notice that the application has to end (D23) */
        yk__core_release_app(apps, app);
    app->resumed = false;
    if (app->in_core && app->heard)
        return;
    if (app->in_core)
        yk__core_remove_app(apps, app);
    yk__application_free(apps, app);
}

const struct yk_task *yk__application_find_task(const struct yk_apps *apps, const struct yk_application *app,
                                                const char *name)
{
    const struct yk_task *first = yk_list_first(&app->tasks, struct yk_task, in_app);
    struct yk_str rest = yk_str_from(name), namespace_ = {0};
    if (first == NULL)
        return NULL;
    if (strchr(name, '/') != NULL)
        (void)yk_str_split(&rest, '/', &namespace_); /* succeeds, because the name has a slash */
    else
        namespace_ = yk_cache_pod_namespace(first->pod);
    const struct yk_cache_pod *pod = yk_cache_find_pod(apps->cache, namespace_, rest);
    return pod != NULL && pod->task != NULL && pod->task->app == app ? pod->task : NULL;
}
