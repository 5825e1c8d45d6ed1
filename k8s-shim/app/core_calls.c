/* SPDX-License-Identifier: Apache-2.0 */
#include "app/apps_priv.h"
#include "base/log.h"

/* Logs the error of a call of the core. A call fails only if the shim is not registered, which is a bug;
 * the core reports other refusals with callbacks. */
static void check(enum yk_status st, const char *what)
{
    if (!YK_ASSERT(st == YK_OK))
        yk_error(yk_log_shim_context, "call to the core failed", KV("call", what),
                 KV("err", yk_status_word(st)));
}

void yk__core_add_app(struct yk_apps *apps, struct yk_application *app, const struct yk_task *task)
{
    struct yk_app_request request;
    yk_app_request_init(&request, app->id, task->pod, task->app_details,
                        yk_cache_find_namespace(apps->cache, yk_cache_pod_namespace(task->pod)));
    if (app->forced)
        yk_app_request_force(&request);
    request.app.cookie = app;
    yk__gang_fill_request(apps, app, &request.app);
    app->in_core = true;
    app->heard = false;
    check(yk_core_add_app(apps->core, apps->rm_id, &request.app), "add application");
    yk_app_request_done(&request);
}

void yk__core_remove_app(struct yk_apps *apps, struct yk_application *app)
{
    app->in_core = false;
    check(yk_core_remove_app(apps->core, apps->rm_id, app->id, YK_SI_DEFAULT_PARTITION),
          "remove application");
}

void yk__core_release_app(struct yk_apps *apps, struct yk_application *app)
{
    const struct yk_si_release release = {.partition = YK_SI_DEFAULT_PARTITION,
                                          .application_id = app->id,
                                          .key = "",
                                          .termination = YK_SI_STOPPED_BY_RM,
                                          .message = "all pods are gone"};
    check(yk_core_release(apps->core, apps->rm_id, &release), "release application");
}

void yk__core_put_gang(struct yk_apps *apps, const struct yk_application *app)
{
    check(yk_core_gang_changed(apps->core, apps->rm_id, app->id, YK_SI_DEFAULT_PARTITION,
                               &app->gang->groups.total),
          "gang changed");
}

void yk__core_namespace_changed(struct yk_apps *apps, const struct yk_application *app,
                                const struct yk_namespace_tags *tags)
{
    const struct yk_si_tag said[] = {{"namespace.resourcequota", yk_buf_cstr(&tags->quota)},
                                     {"namespace.resourceguaranteed", yk_buf_cstr(&tags->guaranteed)},
                                     {"namespace.resourcemaxapps", tags->max_apps}};
    check(yk_core_namespace_changed(apps->core, apps->rm_id, app->id, YK_SI_DEFAULT_PARTITION, said,
                                    YK_COUNT(said)),
          "namespace changed");
}

void yk__core_put_task(struct yk_apps *apps, struct yk_task *task)
{
    yk_ask_request_fill(&apps->ask, task->pod, task->ask_details);
    struct yk_si_allocation *allocation = &apps->ask.allocation;
    allocation->application_id = task->app->id;
    allocation->scheduling_class = task->class_;
    allocation->tolerates_drain = yk_class_tolerates_cordon(&apps->classes, task->class_);
    allocation->allow_preempt_self = task->preempt_self;
    allocation->allow_preempt_other = task->preempt_other;
    allocation->cookie = task; /* its tags are produced on demand: core_callbacks.c, allocation_tags() */
    allocation->placeholder = task->is_placeholder;
    allocation->originator = task->app->originator == task;
    allocation->start_wall_ns = task->work != NULL ? task->work->start_wall_ns : 0;
    bool was_there = task->in_core;
    task->in_core = true;
    task->app->resumed = false;
    check(yk_core_update_allocation(apps->core, apps->rm_id, allocation), "update allocation");
    /* the core has refused the change but still has the old ask, which is released */
    if (was_there && !task->in_core) {
        task->in_core = true;
        yk__core_release_task(apps, task, YK_SI_STOPPED_BY_RM, "pod is rejected by the core");
    }
    /* If the ask was refused, `heard` stays, because the core has not got an ask (D23). */
    task->app->heard |= task->in_core;
}

void yk__core_release_task(struct yk_apps *apps, struct yk_task *task, enum yk_si_termination termination,
                           const char *message)
{
    if (!task->in_core)
        return;
    task->in_core = termination == YK_SI_SCHEDULING_FAILED_ON_RM; /* with this reason the ask waits again */
    const struct yk_si_release release = {.partition = YK_SI_DEFAULT_PARTITION,
                                          .application_id = task->app->id,
                                          .key = yk_cache_pod_uid(task->pod).p,
                                          .termination = termination,
                                          .message = message};
    check(yk_core_release(apps->core, apps->rm_id, &release), "release");
}

void yk__core_bound(struct yk_apps *apps, const struct yk_task *task)
{
    if (task->in_core)
        yk_core_allocation_bound(apps->core, apps->rm_id, task->app->id, yk_cache_pod_uid(task->pod).p);
}

void yk__core_put_foreign(struct yk_apps *apps, struct yk_cache_pod *pod)
{
    yk_ask_request_fill(&apps->ask, pod, NULL);
    yk_ask_request_add_tags(&apps->ask, pod, NULL);
    yk_ask_request_add_labels(&apps->ask, pod);
    struct yk_si_allocation *allocation = &apps->ask.allocation;
    bool is_static = (pod->flags & YK_POD_STATIC) != 0;
    yk_ask_request_add_tag(&apps->ask, YK_SI_TAG_FOREIGN, is_static ? "static" : "default");
    allocation->foreign = true;
    allocation->foreign_static = is_static;
    pod->flags |= YK_POD_SENT;
    check(yk_core_update_allocation(apps->core, apps->rm_id, allocation), "update foreign allocation");
}

void yk__core_release_foreign(struct yk_apps *apps, struct yk_cache_pod *pod)
{
    if ((pod->flags & YK_POD_SENT) == 0)
        return;
    pod->flags &= (uint8_t)~YK_POD_SENT;
    const struct yk_si_release release = {.partition = YK_SI_DEFAULT_PARTITION,
                                          .application_id = "",
                                          .key = yk_cache_pod_uid(pod).p,
                                          .termination = YK_SI_STOPPED_BY_RM};
    check(yk_core_release(apps->core, apps->rm_id, &release), "release foreign allocation");
}

void yk__core_node(struct yk_apps *apps, struct yk_cache_node *node, enum yk_si_node_action action,
                   uint32_t changes)
{
    const char *name = yk_name_text(node->name);
    char partition[256];
    /* The names that the shim of YuniKorn 1.9 uses, although its core reads others (rest.md 4). */
    struct yk_si_tag attributes[4] = {
        {"si.io/hostname", name}, {"si.io/rackname", "/rack-default"}, {YK_SI_NODE_PARTITION, partition}};
    size_t count = 3;
    (void)snprintf(partition, sizeof(partition), "[%s]" YK_SI_DEFAULT_PARTITION,
                   apps->rm_id); /* a longer text is cut */
    yk_name instance = yk_cache_node_label(node, yk_name_find(yk_str_from(apps->instance_type_label)));
    if (instance.id != 0)
        attributes[count++] = (struct yk_si_tag){YK_SI_NODE_INSTANCE_TYPE, yk_name_text(instance)};
    bool creates = action == YK_SI_NODE_CREATE_DRAIN;
    const struct yk_si_node request = {
        .node_id = name,
        .partition = YK_SI_DEFAULT_PARTITION,
        .action = action,
        .capacity = creates || (changes & YK_CHANGED_SIZE) != 0 ? &node->allocatable->amounts : NULL,
        .attributes = creates ? attributes : NULL,
        .attribute_count = creates ? count : 0,
        .constraints_changed = (changes & YK_CHANGED_CONSTRAINTS) != 0,
        .cookie = node,
    };
    check(yk_core_update_node(apps->core, apps->rm_id, &request), "update node");
}
