/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real pods that wait for the placeholders of their gang, and their conditions.
 *
 * Such pods get a condition only after the core has reported that a placeholder of the gang waits. So no
 * requests are sent for the real pods of a gang whose placeholders get nodes at once.
 * Source: docs/reference/kubernetes.md 3.9 (S21), docs/reasons.md.
 */
#include "app/apps_priv.h"

/* Whether real pods of the application wait for placeholders. */
static bool reserves(const struct yk_application *app)
{
    return app->gang != NULL &&
           (app->state == YK_APPLICATION_RESERVING || app->state == YK_APPLICATION_RESUMING);
}

bool yk_task_waits_for_gang(const struct yk_task *task)
{
    return reserves(task->app) && !task->is_placeholder && !task->has_resource_claims &&
           task->state == YK_TASK_NEW && !yk__pod_is_bound(task->pod);
}

struct yk_si_gang_wait yk_gang_wait_of(const struct yk_application *app)
{
    struct yk_si_gang_wait wait = {.members = app->gang->groups.members};
    for (size_t i = 0; i < app->gang->groups.count; i++)
        wait.placed += app->gang->groups.items[i].bound;
    return wait;
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
    yk__application_queue(apps, app); /* so that yk__gang_hold_all() is called */
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

struct reader {
    yk_si_held_sink *sink;
    void *context;
    struct yk_si_gang_wait gang;
};

static void give_held(const struct reader *reader, const struct yk_task *task)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0}, name = {0};
    if (!yk_task_waits_for_gang(task))
        return;
    yk_buf_str(&namespace_, yk_cache_pod_namespace(task->pod));
    yk_buf_str(&name, yk_cache_pod_name(task->pod));
    const struct yk_si_held held = {
        .key = yk_cache_pod_uid(task->pod).p,
        .namespace_ = yk_buf_cstr(&namespace_),
        .name = yk_buf_cstr(&name),
        .resource = &task->pod->size->amounts,
        .create_wall_ns = yk_cache_pod_creation_wall_ns(task->pod),
        .priority = task->pod->priority,
        .gang = reader->gang,
    };
    reader->sink(reader->context, &held);
}

/* Stores the pod of the task as the place: "namespace/name/uid". */
static void set_place(struct yk_si_held_place *place, const struct yk_task *task)
{
    yk_buf_clear(&place->key);
    yk_buf_str(&place->key, yk_cache_pod_namespace(task->pod));
    yk_buf_char(&place->key, '/');
    yk_buf_str(&place->key, yk_cache_pod_name(task->pod));
    yk_buf_char(&place->key, '/');
    yk_buf_str(&place->key, yk_cache_pod_uid(task->pod));
}

/* The task at the place. NULL: its pod does not exist any longer. A pod that was created later under the same
 * name is ignored. */
static const struct yk_task *find_last(const struct yk_apps *apps, const struct yk_application *app,
                                       const struct yk_si_held_place *place)
{
    struct yk_str uid = yk_buf_view(&place->key), namespace_, name;
    (void)yk_str_split(&uid, '/', &namespace_); /* succeeds, because set_place() has written the slashes */
    (void)yk_str_split(&uid, '/', &name);
    const struct yk_cache_pod *pod = yk_cache_find_pod(apps->cache, namespace_, name);
    bool is_same = pod != NULL && pod->task != NULL && pod->task->app == app;
    return is_same && yk_str_eq(yk_cache_pod_uid(pod), uid) ? pod->task : NULL;
}

/* The link of the task that was visited last. If that task does not exist any longer, the list is visited
 * from its beginning, and the tasks that were visited before it are skipped. */
static const struct yk_list *resume(const struct yk_apps *apps, const struct yk_application *app,
                                    struct yk_si_held_place *place)
{
    if (place->key.len == 0)
        return &app->tasks;
    const struct yk_task *last = find_last(apps, app, place);
    if (last != NULL)
        return &last->in_app;
    place->looked -= place->looked > 0;
    place->skip = place->looked;
    return &app->tasks;
}

bool yk__gang_held(void *rm, const char *application_id, struct yk_si_held_place *place, size_t most,
                   yk_si_held_sink *sink, void *sink_context)
{
    const struct yk_apps *apps = rm;
    const struct yk_application *app = yk_strmap_get(&apps->by_id, yk_str_from(application_id));
    if (app == NULL || !reserves(app))
        return false;
    const struct reader reader = {sink, sink_context, yk_gang_wait_of(app)};
    const struct yk_list *link = resume(apps, app, place)->next;
    const struct yk_task *task = NULL;
    for (; link != &app->tasks && most > 0; link = link->next, most--) {
        task = YK_CONTAINER(link, const struct yk_task, in_app);
        if (place->skip > 0) {
            place->skip--;
            continue;
        }
        place->looked++;
        give_held(&reader, task);
    }
    if (task != NULL)
        set_place(place, task);
    return link != &app->tasks;
}

void yk__gang_find_held(void *rm, const char *application_id, const char *name, yk_si_held_sink *sink,
                        void *sink_context)
{
    const struct yk_apps *apps = rm;
    const struct yk_application *app = yk_strmap_get(&apps->by_id, yk_str_from(application_id));
    if (app == NULL || !reserves(app))
        return;
    const struct reader reader = {sink, sink_context, yk_gang_wait_of(app)};
    const struct yk_task *task = yk__application_find_task(apps, app, name);
    if (task != NULL)
        give_held(&reader, task);
}
