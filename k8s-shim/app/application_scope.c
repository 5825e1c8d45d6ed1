/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An application belongs to the namespace of its first pod, unless apps->spans_namespaces is set
 * (service.applicationScope). Pods of other namespaces that name the same application id do not join it. Each
 * such namespace gets an application of its own, which is refused: it has refused_by set and is not submitted
 * to the core, and those of its pods that are not bound wait with a condition. When the application ends, the
 * first refused application gets the id and is submitted.
 * Source: docs/reference/kubernetes.md, "Applications and namespaces" (S05).
 */
#include "app/apps_priv.h"
#include "base/log.h"

/* Makes the key of a refused application: the id, NUL and the namespace. No id has a NUL, so the key is
 * not an id. */
static void refused_key(struct yk_buf *key, const char *id, struct yk_str namespace_)
{
    yk_buf_text(key, id);
    yk_buf_char(key, '\0');
    yk_buf_str(key, namespace_);
}

static void put_under(struct yk_apps *apps, struct yk_application *app, struct yk_str key)
{
    app->key = yk_alloc0(key.len + 1);
    memcpy(app->key, key.p, key.len);
    app->key_len = key.len;
    (void)yk_strmap_put(&apps->by_id, (struct yk_str){app->key, app->key_len}, app); /* the key is new */
}

static void take_from_map(struct yk_apps *apps, struct yk_application *app)
{
    (void)yk_strmap_remove(&apps->by_id, (struct yk_str){app->key, app->key_len}); /* the result is `app` */
    free(yk_move(app->key));
}

static struct yk_application *application_new(struct yk_apps *apps, const char *id, struct yk_str namespace_,
                                              struct yk_str key)
{
    struct yk_application *app = yk_new0(struct yk_application);
    yk_list_init(&app->tasks);
    app->id = yk_strdup(id);
    app->namespace_ = yk_str_dup(namespace_);
    yk_list_init(&app->in_queue);
    yk_list_init(&app->refused);
    yk_list_init(&app->in_refused);
    put_under(apps, app, key);
    return app;
}

static void refuse(struct yk_application *app, struct yk_application *by)
{
    app->refused_by = by;
    yk_list_append(&by->refused, &app->in_refused);
}

struct yk_application *yk__application_for(struct yk_apps *apps, const char *id, struct yk_str namespace_)
{
    struct yk_application *app = yk_strmap_get(&apps->by_id, yk_str_from(id));
    if (app == NULL)
        return application_new(apps, id, namespace_, yk_str_from(id));
    if (apps->spans_namespaces || yk_str_is(namespace_, app->namespace_))
        return app;
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
    refused_key(&key, id, namespace_);
    struct yk_application *refused = yk_strmap_get(&apps->by_id, yk_buf_view(&key));
    if (refused == NULL) {
        refused = application_new(apps, id, namespace_, yk_buf_view(&key));
        refuse(refused, app);
    }
    return refused;
}

static void hold_anew(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (task->work != NULL && task->work->hold != NULL)
            yk__task_todo(apps, task, YK_TODO_START);
    }
}

/* The applications that `from` refuses are refused by `app` from now on, except `app` itself. */
static void hand_on_refused(struct yk_apps *apps, struct yk_application *from, struct yk_application *app)
{
    while (!yk_list_empty(&from->refused)) {
        struct yk_application *other = yk_list_first(&from->refused, struct yk_application, in_refused);
        yk_list_remove(&other->in_refused);
        if (other == app)
            continue;
        refuse(other, app);
        hold_anew(apps, other);
    }
}

/* Clears refused_by of the refused applications. The process ends, so they are about to be freed, too. */
static void forget_refused(struct yk_application *app)
{
    while (!yk_list_empty(&app->refused)) {
        struct yk_application *other = yk_list_first(&app->refused, struct yk_application, in_refused);
        yk_list_remove(&other->in_refused);
        other->refused_by = NULL;
    }
}

void yk__scope_application_ends(struct yk_apps *apps, struct yk_application *app)
{
    take_from_map(apps, app);
    if (app->refused_by != NULL)
        yk_list_remove(&app->in_refused);
    if (apps->closing)
        forget_refused(app);
    struct yk_application *next = yk_list_first(&app->refused, struct yk_application, in_refused);
    if (next == NULL)
        return;
    hand_on_refused(apps, app, next);
    next->refused_by = NULL;
    take_from_map(apps, next);
    put_under(apps, next, yk_str_from(next->id));
    yk_info(yk_log_shim_app, "application ended, pods of another namespace get its id", KV("app", next->id),
            KV("namespace", next->namespace_));
    yk__application_start_tasks(apps, next);
}

/* ---- pods that exist at the start ---- */

/* Whether `a` comes before `b`; true if `b` is NULL. Running pods come before waiting pods, because an
 * earlier process has started them. Otherwise, older pods come first. */
static bool comes_before(const struct yk_cache_pod *a, const struct yk_cache_pod *b)
{
    if (b == NULL || yk__pod_is_bound(a) != yk__pod_is_bound(b))
        return b == NULL || yk__pod_is_bound(a);
    if (a->creation_wall_s != b->creation_wall_s)
        return a->creation_wall_s < b->creation_wall_s;
    return yk_cache_pod_order(a, b) < 0;
}

static const struct yk_cache_pod *first_pod(const struct yk_application *app)
{
    const struct yk_cache_pod *first = NULL;
    const struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (comes_before(task->pod, first))
            first = task->pod;
    }
    return first;
}

static struct yk_application *owner_of(struct yk_application *app)
{
    const struct yk_cache_pod *first = first_pod(app);
    struct yk_application *other, *owner = app;
    yk_list_foreach (other, &app->refused, struct yk_application, in_refused) {
        const struct yk_cache_pod *pod = first_pod(other);
        if (pod != NULL && comes_before(pod, first)) {
            first = pod;
            owner = other;
        }
    }
    return owner;
}

static void change_owner(struct yk_apps *apps, struct yk_application *before, struct yk_application *owner)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
    refused_key(&key, before->id, yk_str_from(before->namespace_));
    hand_on_refused(apps, before, owner);
    owner->refused_by = NULL;
    take_from_map(apps, before);
    take_from_map(apps, owner);
    put_under(apps, owner, yk_str_from(owner->id));
    put_under(apps, before, yk_buf_view(&key));
    refuse(before, owner);
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct yk_application *)a)->id, ((const struct yk_application *)b)->id);
}

void yk__scope_settle(struct yk_apps *apps)
{
    struct yk_vec disputed = {0};
    struct yk_application *app;
    yk_strmap_foreach (app, &apps->by_id) {
        if (!yk_list_empty(&app->refused))
            yk_vec_append(&disputed, app);
    }
    yk_vec_sort(&disputed, by_id); /* no two of them have the same id */
    yk_vec_foreach (app, &disputed) {
        struct yk_application *owner = owner_of(app);
        if (owner != app)
            change_owner(apps, app, owner);
    }
    yk_vec_done(&disputed);
}

/* ---- pods of refused applications ---- */

void yk__scope_refuse(struct yk_apps *apps, struct yk_task *task)
{
    const struct yk_application *app = task->app;
    char message[YK_SI_APPLICATION_ID_MAX + 400];
    (void)snprintf(message, sizeof(message),
                   "application '%s' belongs to namespace '%s', a pod of namespace '%s' cannot join it",
                   app->id, app->refused_by->namespace_, app->namespace_);
    if (yk__pod_is_bound(task->pod))
        yk__core_put_foreign(apps, task->pod); /* so that the core knows what the pod uses on its node */
    else
        yk__task_hold(apps, task, message);
}
