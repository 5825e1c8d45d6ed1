/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real pods that wait for the placeholders of their gang, and what they say meanwhile.
 *
 * Such pods get a condition once the core has reported that a placeholder of the gang waits: a gang whose
 * placeholders find nodes at once costs no request per pod.
 * Source: docs/reference/kubernetes.md 3.9 (S21), docs/reasons.md.
 */
#include "app/apps_priv.h"

/* Whether its real pods wait for placeholders. */
static bool reserves(const struct yk_application *app)
{
    return app->gang != NULL &&
           (app->state == YK_APPLICATION_RESERVING || app->state == YK_APPLICATION_RESUMING);
}

/* A pod with resource claims waits for another reason, and goes on waiting when the gang is complete. */
bool yk_task_waits_for_gang(const struct yk_task *task)
{
    return reserves(task->app) && !task->is_placeholder && !task->has_resource_claims &&
           task->state == YK_TASK_NEW && !yk__pod_is_bound(task->pod);
}

void yk_gang_wait_of(const struct yk_application *app, struct yk_si_gang_wait *ret_wait,
                     struct yk_buf *ret_name)
{
    const struct yk_task *task;
    *ret_wait = (struct yk_si_gang_wait){.members = app->gang->groups.members};
    for (size_t i = 0; i < app->gang->groups.count; i++)
        ret_wait->placed += app->gang->groups.items[i].bound;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (!task->is_placeholder || task->state != YK_TASK_SCHEDULING || !task->in_core)
            continue;
        yk_buf_clear(ret_name);
        yk_buf_str(ret_name, yk_cache_pod_name(task->pod));
        ret_wait->placeholder_key = yk_cache_pod_uid(task->pod).p;
        ret_wait->placeholder_name = yk_buf_cstr(ret_name);
        return;
    }
}

void yk__gang_hold(struct yk_apps *apps, struct yk_task *task)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    const struct yk_app_gang *gang = task->app->gang;
    if (gang == NULL || !gang->is_short || !yk_task_waits_for_gang(task))
        return;
    yk_buf_printf(&text,
                  "pod is skipped from scheduling because the gang of application '%s' is not complete",
                  task->app->id);
    yk__task_hold(apps, task, yk_buf_cstr(&text));
}

void yk__gang_placeholder_waits(struct yk_apps *apps, const struct yk_task *task)
{
    struct yk_application *app = task->app;
    if (!task->is_placeholder || app->gang == NULL || app->gang->is_short ||
        app->state != YK_APPLICATION_RESERVING)
        return;
    app->gang->is_short = true;
    yk__application_queue(apps, app); /* yk__gang_hold_all() */
}

void yk__gang_hold_all(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_task *task;
    if (!app->gang->is_short || app->gang->are_held)
        return;
    app->gang->are_held = true;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app)
        yk__gang_hold(apps, task);
}

/* ---- for the core ---- */

size_t yk__gang_held(void *rm, const char *application_id, size_t skip, size_t max, yk_si_held_sink *sink,
                     void *sink_context)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf placeholder = {0}, namespace_ = {0}, name = {0};
    const struct yk_apps *apps = rm;
    const struct yk_application *app = yk_strmap_get(&apps->by_id, yk_str_from(application_id));
    const struct yk_task *task;
    struct yk_si_held held = {.key = ""};
    size_t count = 0;
    if (app == NULL || !reserves(app))
        return 0;
    yk_gang_wait_of(app, &held.gang, &placeholder);
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (!yk_task_waits_for_gang(task))
            continue;
        size_t number = count++;
        if (number < skip || number - skip >= max)
            continue;
        yk_buf_clear(&namespace_);
        yk_buf_clear(&name);
        yk_buf_str(&namespace_, yk_cache_pod_namespace(task->pod));
        yk_buf_str(&name, yk_cache_pod_name(task->pod));
        held.key = yk_cache_pod_uid(task->pod).p;
        held.namespace_ = yk_buf_cstr(&namespace_);
        held.name = yk_buf_cstr(&name);
        held.resource = &task->pod->size->amounts;
        held.create_wall_ns = yk_cache_pod_creation_wall_ns(task->pod);
        held.priority = task->pod->priority;
        sink(sink_context, &held);
    }
    return count;
}
