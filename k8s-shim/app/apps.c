/* SPDX-License-Identifier: Apache-2.0 */
#include "app/apps.h"

#include "app/apps_priv.h"
#include "base/log.h"

enum { NOTE_MAX = 320 };

static bool is_reserved(void *context, const struct yk_cache_node *node)
{
    const struct yk_apps *apps = context;
    return yk_core_node_is_reserved(apps->core, apps->rm_id, yk_name_text(node->name));
}

void yk_apps_init(struct yk_apps *apps, struct yk_core *core, struct yk_cache *cache,
                  const struct yk_app_effects *effects)
{
    *apps = (struct yk_apps){.core = core, .cache = cache, .effects = effects, .with_gangs = true};
    yk_classes_init(&apps->classes, cache);
    apps->classes.is_reserved = is_reserved;
    apps->classes.reserved_context = apps;
    yk_list_init(&apps->task_queue);
    yk_pool_init(&apps->tasks, sizeof(struct yk_task));
    yk_pool_init(&apps->pending_work_pool, sizeof(struct yk_pending_work));
    yk_list_init(&apps->app_queue);
    yk_list_init(&apps->making);
    yk_list_init(&apps->incomplete);
    apps->restypes = yk_restype_additions();
}

void yk_apps_done(struct yk_apps *apps)
{
    struct yk_vec left = {0};
    struct yk_application *app;
    yk_strmap_foreach (app, &apps->by_id)
        yk_vec_append(&left, app);
    yk_vec_foreach (app, &left) {
        YK_ASSERT(app->task_count == 0);
        yk__application_free(apps, app);
    }
    yk_vec_done(&left);
    yk_strmap_done(&apps->by_id);
    YK_ASSERT(apps->gang_members.count == 0);
    yk_strmap_done(&apps->gang_members);
    yk_classes_done(&apps->classes);
    yk_ask_request_done(&apps->ask);
    yk_buf_done(&apps->scratch);
    yk_vec_done(&apps->gone);
    yk_pool_done(&apps->tasks);
    yk_pool_done(&apps->pending_work_pool);
    free(apps->instance_type_label);
    *apps = (struct yk_apps){.core = NULL};
}

/* ---- nodes ---- */

static void node_event(struct yk_apps *apps, struct yk_cache_node *node, bool warning, const char *reason,
                       const char *what)
{
    char note[NOTE_MAX];
    snprintf(note, sizeof(note), "node %s is %s the scheduler", yk_name_text(node->name), what);
    apps->effects->node_event(apps->effects->context, node, warning, reason, note);
}

/* Informs the core whether all pods may use the node. A node that is cordoned or closed is drained in the
 * core: it gets only pods that tolerate it. */
static void enable(struct yk_apps *apps, struct yk_cache_node *node)
{
    bool usable = !node->unschedulable && node->closers == 0;
    if (!apps->enabled || !node->registered || (usable && node->enabled))
        return;
    node->enabled = usable;
    yk__core_node(apps, node, usable ? YK_SI_NODE_DRAIN_TO_SCHEDULABLE : YK_SI_NODE_DRAIN, 0);
}

/* The node was registered: submits the pods that are on it. */
static void tell_pods(struct yk_apps *apps, struct yk_cache_node *node)
{
    struct yk_cache_pod *pod;
    yk_list_foreach (pod, &node->pods, struct yk_cache_pod, on_node) {
        if (pod->task == NULL)
            yk__core_put_foreign(apps, pod);
        else
            yk__task_node_returned(apps, pod->task);
    }
}

static void offer_node(struct yk_apps *apps, struct yk_cache_node *node)
{
    if (!apps->registered)
        return;
    yk__core_node(apps, node, YK_SI_NODE_CREATE_DRAIN, 0);
    if (!node->registered) {
        node_event(apps, node, true, "NodeRejected", "rejected by");
        return;
    }
    if (apps->enabled) /* no Events for nodes that existed at the start */
        node_event(apps, node, false, "NodeAccepted", "accepted by");
    if (apps->started)
        tell_pods(apps, node);
    enable(apps, node);
}

void yk_apps_node_added(struct yk_apps *apps, struct yk_cache_node *node)
{
    yk_classes_node_added(&apps->classes, node);
    offer_node(apps, node);
}

void yk_apps_node_changed(struct yk_apps *apps, struct yk_cache_node *node, uint32_t changes)
{
    if ((changes & YK_CHANGED_CONSTRAINTS) != 0)
        yk_classes_node_changed(&apps->classes, node);
    if (!node->registered) {
        if ((changes & YK_CHANGED_SIZE) != 0) /* the core may have refused the node because of its size */
            offer_node(apps, node);
        return;
    }
    if ((changes & (YK_CHANGED_SIZE | YK_CHANGED_CONSTRAINTS)) != 0)
        yk__core_node(apps, node, YK_SI_NODE_UPDATE, changes);
    if ((changes & YK_CHANGED_CORDON) != 0)
        enable(apps, node);
}

void yk_apps_offer_nodes(struct yk_apps *apps)
{
    struct yk_cache_node *node;
    yk_vec_foreach (node, &apps->cache->nodes) {
        if (!node->registered)
            offer_node(apps, node);
    }
}

void yk_apps_node_removed(struct yk_apps *apps, struct yk_cache_node *node)
{
    yk_classes_node_removed(&apps->classes, node);
    if (!node->registered)
        return;
    node->registered = node->enabled = false;
    yk__core_node(apps, node, YK_SI_NODE_DECOMMISSION, 0);
    node_event(apps, node, false, "NodeDeleted", "deleted from");
    struct yk_cache_pod *pod;
    yk_list_foreach (pod, &node->pods, struct yk_cache_pod, on_node) {
        yk__core_release_foreign(apps, pod);
        if (pod->task != NULL)
            yk__task_lost(apps, pod->task);
    }
}

/* ---- start and run ---- */

/* Order of creation, but placeholders are last, so that an application is submitted for a real pod, which
 * decides user and queue. */
static int by_creation(const void *a, const void *b)
{
    const struct yk_task *first = a, *second = b;
    const struct yk_cache_pod *x = first->pod, *y = second->pod;
    if (first->is_placeholder != second->is_placeholder)
        return first->is_placeholder ? 1 : -1;
    if (x->creation_wall_s != y->creation_wall_s)
        return x->creation_wall_s < y->creation_wall_s ? -1 : 1;
    return yk_str_cmp(yk_cache_pod_key(x), yk_cache_pod_key(y));
}

void yk_apps_start(struct yk_apps *apps)
{
    apps->started = true;
    struct yk_vec ours = {0}, foreign = {0};
    struct yk_cache_pod *pod;
    struct yk_cache_node *node;
    struct yk_task *task;
    yk_vec_foreach (node, &apps->cache->nodes) {
        yk_list_foreach (pod, &node->pods, struct yk_cache_pod, on_node) {
            if (pod->task == NULL && node->registered)
                yk_vec_append(&foreign, pod);
        }
    }
    yk_vec_foreach (pod, &foreign)
        yk__core_put_foreign(apps, pod);
    yk_text_set_foreach (pod, &apps->cache->pods) {
        if (pod->task != NULL)
            yk_vec_append(&ours, pod->task);
    }
    yk_vec_sort(&ours, by_creation);
    yk__scope_settle(apps);
    yk_vec_foreach (task, &ours)
        yk__task_todo(apps, task, YK_TODO_START);
    yk_vec_done(&ours);
    yk_vec_done(&foreign);
}

static struct yk_task *task_that_runs(const struct yk_application *app)
{
    struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (task->state == YK_TASK_NEW && yk__pod_is_bound(task->pod))
            return task;
    }
    return NULL;
}

static int by_id(const void *a, const void *b)
{
    const struct yk_application *x = a, *y = b;
    return yk_str_cmp((struct yk_str){x->key, x->key_len}, (struct yk_str){y->key, y->key_len});
}

static void hold(struct yk_apps *apps, struct yk_application *app)
{
    if (!app->forced) {
        /* The application was submitted for a waiting pod, and the core may keep the application waiting. It
         * is submitted again for a running pod, so that the core answers soon. */
        yk__core_remove_app(apps, app);
        yk__application_submit(apps, app, task_that_runs(app));
    }
    if (app->state != YK_APPLICATION_SUBMITTED)
        return;
    app->holds_start = true;
    apps->holding_start++;
}

bool yk_apps_hold_start(struct yk_apps *apps)
{
    struct yk_vec waiting = {0};
    struct yk_application *app;
    yk_strmap_foreach (app, &apps->by_id) {
        if (app->state == YK_APPLICATION_SUBMITTED && !app->holds_start && task_that_runs(app) != NULL)
            yk_vec_append(&waiting, app);
    }
    yk_vec_sort(&waiting, by_id);
    yk_vec_foreach (app, &waiting)
        hold(apps, app);
    yk_vec_done(&waiting);
    return apps->holding_start > 0 || !yk_list_empty(&apps->app_queue);
}

void yk_apps_enable_nodes(struct yk_apps *apps)
{
    apps->enabled = true;
    struct yk_cache_node *node;
    yk_vec_foreach (node, &apps->cache->nodes)
        enable(apps, node);
}

static void take_over_app(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app)
        yk__task_take_over(apps, task);
}

/* What is done with all applications must not depend on hashes. The caller ends `ret_all` with yk_vec_done(). */
static void list_by_id(const struct yk_apps *apps, struct yk_vec *ret_all)
{
    struct yk_application *app;
    yk_strmap_foreach (app, &apps->by_id)
        yk_vec_append(ret_all, app);
    yk_vec_sort(ret_all, by_id);
}

void yk_apps_take_over(struct yk_apps *apps)
{
    struct yk_vec all = {0};
    struct yk_application *app;
    apps->is_standby = false;
    list_by_id(apps, &all);
    yk_vec_foreach (app, &all)
        take_over_app(apps, app);
    yk_vec_done(&all);
}

static void resolve_size(struct yk_apps *apps, struct yk_cache_pod *pod)
{
    struct yk_size *size = yk_size_resolve(&apps->cache->sizes, pod->size, yk_cache_pod_namespace(pod));
    if (size == pod->size) {
        yk_size_put(&apps->cache->sizes, size);
        return;
    }
    yk_cache_resize(apps->cache, pod, size);
    if (pod->task != NULL && pod->task->in_core)
        yk__core_put_task(apps, pod->task);
    else if ((pod->flags & YK_POD_SENT) != 0)
        yk__core_put_foreign(apps, pod);
}

/* If resource types were added, changes the sizes of the pods and gangs that request these resources. */
static void look_for_new_resources(struct yk_apps *apps)
{
    uint64_t known = yk_restype_additions();
    if (known == apps->restypes)
        return;
    apps->restypes = known;
    struct yk_vec pods = {0}, all = {0};
    struct yk_cache_pod *pod;
    struct yk_application *app;
    list_by_id(apps, &all);
    yk_vec_foreach (app, &all)
        yk__gang_resolve(apps, app);
    yk_vec_done(&all);
    yk_text_set_foreach (pod, &apps->cache->pods) {
        if (pod->size->extra_count > 0)
            yk_vec_append(&pods, pod);
    }
    yk_vec_sort(&pods, yk_cache_pod_order); /* the order in which asks are sent must not depend on hashes */
    yk_vec_foreach (pod, &pods)
        resolve_size(apps, pod);
    yk_vec_done(&pods);
}

static bool run_one(struct yk_apps *apps)
{
    if (!yk_list_empty(&apps->app_queue)) {
        struct yk_application *app = yk_list_first(&apps->app_queue, struct yk_application, in_queue);
        yk_list_remove(&app->in_queue);
        yk__application_run(apps, app);
        return true;
    }
    if (yk_list_empty(&apps->task_queue))
        return false;
    struct yk_pending_work *work = yk_list_first(&apps->task_queue, struct yk_pending_work, in_queue);
    yk_list_remove(&work->in_queue);
    yk__task_run(apps, work->task);
    return true;
}

bool yk_apps_run(struct yk_apps *apps, size_t max)
{
    if (apps->started)
        look_for_new_resources(apps);
    yk__class_updates(apps);
    for (size_t i = 0; i < max && run_one(apps); i++)
        continue;
    yk__class_updates(apps);
    return !yk_list_empty(&apps->app_queue) || !yk_list_empty(&apps->task_queue);
}
