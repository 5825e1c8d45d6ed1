/* SPDX-License-Identifier: Apache-2.0 */
/* When annotations of a namespace change, the new limits are passed at once to the queues of its
 * applications (P09). */
#include "app/apps_priv.h"
#include "app/namespace_quota.h"
#include "base/log.h"

static bool same(const struct yk_namespace_tags *a, const struct yk_namespace_tags *b)
{
    return yk_str_eq(yk_buf_view(&a->quota), yk_buf_view(&b->quota)) &&
           yk_str_eq(yk_buf_view(&a->guaranteed), yk_buf_view(&b->guaranteed)) &&
           strcmp(a->max_apps, b->max_apps) == 0;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct yk_application *)a)->id, ((const struct yk_application *)b)->id);
}

static bool is_of(const struct yk_application *app, struct yk_str namespace_)
{
    const struct yk_task *first = yk_list_first(&app->tasks, struct yk_task, in_app);
    return app->in_core && first != NULL && yk_str_eq(yk_cache_pod_namespace(first->pod), namespace_);
}

static void tell_all(struct yk_apps *apps, struct yk_str namespace_, const struct yk_namespace_tags *tags)
{
    struct yk_vec concerned = {0};
    struct yk_application *app;
    yk_strmap_foreach (app, &apps->by_id) {
        if (is_of(app, namespace_))
            yk_vec_append(&concerned, app);
    }
    yk_vec_sort(&concerned, by_id);
    yk_vec_foreach (app, &concerned)
        yk__core_namespace_changed(apps, app, tags);
    if (concerned.count > 0)
        yk_info(yk_log_shim_app, "limits of a namespace have changed", KV("namespace", namespace_),
                KV("applications", concerned.count));
    yk_vec_done(&concerned);
}

void yk_apps_namespace_changed(struct yk_apps *apps, const struct yk_object *before,
                               const struct yk_object *after)
{
    struct yk_namespace_tags old, new;
    if (after == NULL || !apps->started)
        return; /* a deleted namespace has no pods any longer */
    yk_namespace_tags_init(&old, before);
    yk_namespace_tags_init(&new, after);
    if (!same(&old, &new))
        tell_all(apps, after->name, &new);
    yk_namespace_tags_done(&old);
    yk_namespace_tags_done(&new);
}
