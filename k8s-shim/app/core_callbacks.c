/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of the core. They never change the core: they record what has to be done there, and
 * yk_apps_run() does it later. */
#include "app/apps_priv.h"
#include "app/pod_resources.h"
#include "app/state_dump.h"
#include "base/log.h"
#include "cache/budgets.h"
#include "predicates/explain.h"

enum { REASON_MAX = 2048, NOTE_MAX = 1024 };

/* The pod cannot be assumed on the node that the core has chosen: the core chooses again (kubernetes.md
 * 3.4, S10). */
static void could_not_assume(struct yk_apps *apps, struct yk_task *task, const char *node)
{
    struct yk_str key = yk_cache_pod_key(task->pod);
    char note[NOTE_MAX];
    yk_warn(yk_log_shim_task, "pod could not be assumed", KV("pod", key), KV("node", node));
    snprintf(note, sizeof(note), "Node assignment failed for " YK_STR_FMT " on node %s, it will be retried",
             YK_STR_ARG(key), node);
    apps->effects->pod_event(apps->effects->context, task, true, "AssumePodFailed", "AssumePodFailed", note);
    yk__task_todo(apps, task, YK_TODO_GIVE_UP);
}

static void allocated(void *rm, const struct yk_si_allocated *allocation)
{
    struct yk_apps *apps = rm;
    struct yk_task *task = allocation->ask_cookie;
    struct yk_cache_node *node = allocation->node_cookie;
    if (task == NULL || task->pod->node != NULL)
        return; /* a foreign pod, or one that is on a node already: there is nothing to bind */
    if (task->state != YK_TASK_SCHEDULING) {
        yk__task_todo(apps, task, YK_TODO_RELEASE);
        return;
    }
    if (node == NULL || !node->known) {
        could_not_assume(apps, task, allocation->node_id);
        return;
    }
    if (!yk_class_fits_now(&apps->classes, task->class_, node, YK_CLASS_ALLOCATE)) {
        /* For example, the pod has replaced its placeholder, and other pods have changed the node since the
         * placeholder was placed. */
        yk__task_todo(apps, task, YK_TODO_GIVE_UP);
        return;
    }
    if (yk_volumes_assume(&apps->classes.volumes, task->pod->volumes, node, &task->work->volume_plan) != 0) {
        could_not_assume(apps, task, allocation->node_id);
        return;
    }
    yk_cache_assume(apps->cache, task->pod, node);
    yk__task_enter(apps, task, YK_TASK_ALLOCATED);
    task->work->outgrown = false;
    yk__task_todo(apps, task, YK_TODO_BIND);
}

static void released(void *rm, const struct yk_si_released *release)
{
    struct yk_task *task = release->ask_cookie;
    switch (release->termination) {
    case YK_SI_STOPPED_BY_RM: /* in both cases, the shim has asked for it, or has removed the node */
    case YK_SI_SCHEDULING_FAILED_ON_RM:
        return;
    case YK_SI_TERMINATION_UNKNOWN:
    case YK_SI_TIMEOUT:
    case YK_SI_PREEMPTED_BY_SCHEDULER:
    case YK_SI_PLACEHOLDER_REPLACED:
    case YK_SI_KILLED:
        break;
    }
    if (task == NULL)
        return;
    bool was_dropped = task->state == YK_TASK_SCHEDULING && (task->work->todo & YK_TODO_GIVE_UP) == 0;
    if (release->termination == YK_SI_TIMEOUT && was_dropped) {
        task->in_core = false; /* the core has dropped an ask, so nothing has to be released */
        if (!task->is_placeholder) {
            yk__task_ask_dropped(rm, task); /* only the gang has timed out; the real pod is valid */
            return;
        }
    }
    task->termination = (uint8_t)release->termination;
    yk__task_todo(rm, task, YK_TODO_DELETE);
}

static void allocation_rejected(void *rm, const char *application_id, const char *key, const char *reason,
                                void *cookie)
{
    struct yk_task *task = cookie;
    yk_warn(yk_log_shim_task, "pod is rejected by the core", KV("app", application_id), KV("uid", key),
            KV("err", reason));
    if (task == NULL)
        return;
    task->in_core = false;
    yk__task_enter(rm, task, YK_TASK_REJECTED);
    yk__task_todo(rm, task, YK_TODO_REFUSED);
}

/* The application with that id; NULL: the shim has removed it. The cookie of the callback is not used,
 * because it may point to an application that was freed. */
static struct yk_application *find(struct yk_apps *apps, const char *id)
{
    return yk_strmap_get(&apps->by_id, yk_str_from(id));
}

static void app_accepted(void *rm, const char *application_id, void *cookie)
{
    (void)cookie;
    struct yk_application *app = find(rm, application_id);
    if (app != NULL)
        yk__application_accepted(rm, app);
}

static void app_rejected(void *rm, const char *application_id, const char *reason, void *cookie)
{
    (void)cookie;
    struct yk_application *app = find(rm, application_id);
    if (app == NULL || app->state != YK_APPLICATION_SUBMITTED)
        return;
    char message[REASON_MAX];
    snprintf(message, sizeof(message), "ApplicationRejected: %s", reason);
    yk__application_failed(rm, app, YK_APPLICATION_REJECTED, YK_SI_FAILURE_REJECTED, message, true);
}

static void app_updated(void *rm, const struct yk_si_app_update *update)
{
    struct yk_apps *apps = rm;
    struct yk_application *app = find(apps, update->application_id);
    if (app == NULL || !app->in_core || app->state == YK_APPLICATION_SUBMITTED)
        return;
    if (update->state == YK_APP_RESUMING) {
        yk__application_resuming(apps, app);
    } else if (update->state == YK_APP_COMPLETED) {
        yk__application_enter(apps, app, YK_APPLICATION_COMPLETED);
        app->in_core = false;
        yk__application_queue(apps, app);
    } else if (update->state == YK_APP_FAILING || update->state == YK_APP_FAILED) {
        yk__application_failed(apps, app, YK_APPLICATION_FAILING, update->failure,
                               update->message != NULL ? update->message : "",
                               update->state == YK_APP_FAILED);
    }
}

static void node_accepted(void *rm, const char *node_id, void *cookie)
{
    (void)rm;
    (void)node_id;
    ((struct yk_cache_node *)cookie)->registered = true;
}

static void node_rejected(void *rm, const char *node_id, const char *reason, void *cookie)
{
    (void)rm;
    ((struct yk_cache_node *)cookie)->registered = false;
    yk_error(yk_log_shim_node, "node is rejected by the core", KV("node", node_id), KV("err", reason));
}

static bool class_fits(void *rm, yk_si_class class_, void *node_cookie)
{
    return yk_class_fits(&((struct yk_apps *)rm)->classes, class_, node_cookie);
}

static bool fits_now(void *rm, yk_si_class class_, void *node_cookie, enum yk_si_question question)
{
    struct yk_classes *classes = &((struct yk_apps *)rm)->classes;
    switch (question) {
    case YK_SI_TO_ALLOCATE:
        return yk_class_fits_now(classes, class_, node_cookie, YK_CLASS_ALLOCATE);
    case YK_SI_TO_RESERVE:
        return yk_class_fits_now(classes, class_, node_cookie, YK_CLASS_RESERVE);
    case YK_SI_FOR_KIND:
        break;
    }
    return yk_class_fits_signature(classes, class_, node_cookie) &&
           yk_class_fits_now(classes, class_, node_cookie, YK_CLASS_SIGNATURE);
}

static int fits_without(void *rm, yk_si_class class_, void *node_cookie, void *const *gone_cookies,
                        size_t count, size_t start)
{
    struct yk_apps *apps = rm;
    yk_vec_clear(&apps->gone);
    for (size_t i = 0; i < count; i++) {
        const struct yk_task *task = gone_cookies[i];
        yk_vec_append(&apps->gone, task != NULL ? task->pod : NULL);
    }
    return yk_class_fits_without(&apps->classes, class_, node_cookie,
                                 (struct yk_cache_pod *const *)apps->gone.items, count, start);
}

static uint32_t node_signature(void *rm, void *node_cookie)
{
    (void)rm;
    return ((const struct yk_cache_node *)node_cookie)->signature;
}

static bool excludes_signatures(void *rm, yk_si_class class_)
{
    return yk_class_excludes_signatures(&((const struct yk_apps *)rm)->classes, class_);
}

static bool has_preferences(void *rm, yk_si_class class_)
{
    return yk_class_has_preferences(&((const struct yk_apps *)rm)->classes, class_);
}

static int32_t score(void *rm, yk_si_class class_, void *node_cookie)
{
    return yk_class_score(&((const struct yk_apps *)rm)->classes, class_, node_cookie);
}

static bool sees_names(void *rm, yk_si_class class_)
{
    const struct yk_k8s_class *found = yk_class_at(&((struct yk_apps *)rm)->classes, class_);
    return found == NULL || found->spec->constraints.reads_identity;
}

/* Whether a disruption budget protects the pod of the ask, so that the pod is preempted only after others. */
static bool is_protected(void *rm, void *ask_cookie)
{
    const struct yk_apps *apps = rm;
    const struct yk_task *task = ask_cookie;
    return task != NULL &&
           yk_cache_is_protected(apps->cache, yk_cache_pod_namespace(task->pod), yk_pod_label, task->pod);
}

/* The other victims of a plan, for yk_cache_is_protected_with(). */
struct plan_victims {
    void *const *cookies; /* struct yk_task */
    struct yk_str namespace_;
};

static const void *labels_at(const void *context, size_t index)
{
    const struct plan_victims *victims = context;
    const struct yk_task *task = victims->cookies[index];
    bool counts = task != NULL && yk_str_eq(yk_cache_pod_namespace(task->pod), victims->namespace_);
    return counts ? task->pod : NULL;
}

static bool is_protected_with(void *rm, void *ask_cookie, void *const *victim_cookies, size_t victim_count)
{
    const struct yk_apps *apps = rm;
    const struct yk_task *task = ask_cookie;
    if (task == NULL)
        return false;
    const struct plan_victims victims = {victim_cookies, yk_cache_pod_namespace(task->pod)};
    const struct yk_budget_users users = {victim_count, labels_at, &victims};
    return yk_cache_is_protected_with(apps->cache, victims.namespace_, yk_pod_label, task->pod, &users);
}

static void scheduling_state(void *rm, const struct yk_si_waiting *waiting)
{
    struct yk_apps *apps = rm;
    struct yk_task *task = waiting->ask_cookie;
    if (task == NULL || (waiting->state != YK_SI_STATE_FAILED && waiting->state != YK_SI_STATE_SKIPPED))
        return;
    struct yk_pending_work *work = yk__task_pending_work(apps, task);
    struct yk_interned *before = work->quota;
    work->wait = (uint8_t)waiting->state;
    work->quota = NULL;
    work->no_victims = waiting->obstacle == YK_SI_NO_VICTIMS;
    if (waiting->state == YK_SI_STATE_SKIPPED ||
        waiting->obstacle == YK_SI_GANG_TOO_LARGE) { /* for other obstacles, bind/ computes a better reason */
        yk_buf_clear(&apps->scratch);
        yk_interned_add_text(&apps->scratch, yk_str_from(waiting->reason));
        work->quota = yk_interned_get(&apps->cache->intern_table, yk_buf_view(&apps->scratch));
    }
    yk_interned_put(&apps->cache->intern_table, before);
    yk__task_todo(rm, task, YK_TODO_REPORT);
    yk__gang_placeholder_waits(apps, task);
}

static void add_wait_reason(void *rm, void *ask_cookie, struct yk_buf *words)
{
    const struct yk_app_effects *effects = ((struct yk_apps *)rm)->effects;
    if (ask_cookie != NULL)
        effects->add_wait_reason(effects->context, ask_cookie, words);
}

static struct yk_si_node_reason node_reason(void *rm, void *ask_cookie)
{
    const struct yk_app_effects *effects = ((struct yk_apps *)rm)->effects;
    if (ask_cookie == NULL)
        return (struct yk_si_node_reason){.told = YK_REASON_NONE};
    return effects->node_reason(effects->context, ask_cookie);
}

static bool node_obstacles(void *rm, void *ask_cookie, size_t from, size_t most, yk_si_obstacle_sink *sink,
                           void *sink_context)
{
    const struct yk_task *task = ask_cookie;
    struct yk_classes *classes = &((struct yk_apps *)rm)->classes;
    return yk_explain_some(classes, task->class_, task->pod->size, from, most, sink, sink_context);
}

static void find_key(void *rm, const char *application_id, const char *name, struct yk_buf *key)
{
    const struct yk_apps *apps = rm;
    const struct yk_application *app = yk_strmap_get(&apps->by_id, yk_str_from(application_id));
    const struct yk_task *task = app != NULL ? yk__application_find_task(apps, app, name) : NULL;
    if (task != NULL)
        yk_buf_str(key, yk_cache_pod_uid(task->pod));
}

static void allocation_tags(void *rm, void *ask_cookie, yk_si_tags_sink *sink, void *sink_context)
{
    struct yk_apps *apps = rm;
    const struct yk_task *task = ask_cookie;
    yk_ask_request_fill(&apps->ask, task->pod, task->ask_details);
    yk_ask_request_add_tags(&apps->ask, task->pod, task->ask_details);
    sink(sink_context, apps->ask.allocation.tags, apps->ask.allocation.tag_count);
}

static void gang_unused(void *rm, const char *application_id, struct yk_buf *why)
{
    const struct yk_apps *apps = rm;
    const struct yk_application *app = yk_strmap_get(&apps->by_id, yk_str_from(application_id));
    if (app != NULL && app->gang_unused != NULL)
        yk_buf_text(why, app->gang_unused);
}

static void queue_draining(void *rm, const struct yk_si_draining *draining)
{
    const struct yk_app_effects *effects = ((struct yk_apps *)rm)->effects;
    effects->queue_draining(effects->context, draining);
}

static void ask_handle(void *rm, void *ask_cookie, struct yk_buf *handle)
{
    (void)rm;
    yk_buf_str(handle, yk_cache_pod_key(((const struct yk_task *)ask_cookie)->pod));
}

/* The task of the pod that the event is about; NULL: there is none. */
static struct yk_task *task_of(struct yk_apps *apps, const struct yk_si_event *event)
{
    struct yk_str name = yk_str_from(event->handle != NULL ? event->handle : ""), namespace_;
    if (!yk_str_split(&name, '/', &namespace_))
        return NULL;
    const struct yk_cache_pod *pod = yk_cache_find_pod(apps->cache, namespace_, name);
    return pod != NULL && yk_str_is(yk_cache_pod_uid(pod), event->object_id) ? pod->task : NULL;
}

/* Writes a Kubernetes Event for an event of the core about a node. Writes none for removed nodes, which
 * yk_apps_node_removed() reports, and none for nodes that exist at the start. */
static void show_node_event(struct yk_apps *apps, const struct yk_si_event *event)
{
    struct yk_cache_node *node = yk_cache_find_node(apps->cache, yk_str_from(event->object_id));
    if (node != NULL && node->registered && apps->enabled)
        apps->effects->node_event(apps->effects->context, node, false, "Informational", event->message);
}

/* Appends the message of the event, with the name of the pod in place of its UID, and without the amounts,
 * which the condition of the pod has in readable units. */
static void put_note(const struct yk_si_event *event, const struct yk_task *task, struct yk_buf *note)
{
    size_t end = event->parts.amounts > 0 ? event->parts.amounts : strlen(event->message), at = 0;
    if (event->parts.key > 0) {
        yk_buf_add(note, event->message, event->parts.key);
        yk_buf_str(note, yk_cache_pod_name(task->pod));
        at = event->parts.key + strlen(event->object_id);
    }
    yk_buf_add(note, event->message + at, end - at);
}

/* The callback for events of the core (scheduling.md 8): writes Kubernetes Events for events about a pod or a
 * node. */
static void events(void *rm, const struct yk_si_event *list, size_t count)
{
    enum { REQUEST = 1, NODE = 3 }; /* numbers of the types of events */
    struct yk_apps *apps = rm;
    for (size_t i = 0; i < count; i++) {
        struct yk_task *task = list[i].type == REQUEST ? task_of(apps, &list[i]) : NULL;
        if (task != NULL) {
            YK_CLEANUP(yk_buf_done) struct yk_buf note = {0};
            put_note(&list[i], task, &note);
            apps->effects->pod_event(apps->effects->context, task, false, "Informational", "Informational",
                                     yk_buf_cstr(&note));
        } else if (list[i].type == NODE) {
            show_node_event(apps, &list[i]);
        }
    }
}

static bool state_dump(void *rm, struct yk_si_dump *dump, struct yk_json *json)
{
    return yk_state_dump(rm, dump, json);
}

static bool pod_resources(void *rm, struct yk_si_dump *at, struct yk_buf *out)
{
    return yk_pod_resources_put(rm, at, out);
}

static bool is_placed(void *rm, void *ask_cookie, void *node_cookie)
{
    (void)rm;
    return yk__task_is_placed(ask_cookie, node_cookie);
}

static bool find_unallocated(void *rm, uint64_t *cursor, size_t max, yk_si_name_sink *sink,
                             void *sink_context)
{
    return yk__apps_find_unallocated(rm, cursor, max, sink, sink_context);
}

const struct yk_si_callbacks yk_apps_callbacks = {
    .allocated = allocated,
    .released = released,
    .allocation_rejected = allocation_rejected,
    .app_accepted = app_accepted,
    .app_rejected = app_rejected,
    .app_updated = app_updated,
    .node_accepted = node_accepted,
    .node_rejected = node_rejected,
    .class_fits = class_fits,
    .class_fits_now = fits_now,
    .class_fits_without = fits_without,
    .node_signature = node_signature,
    .class_excludes_signatures = excludes_signatures,
    .class_sees_names = sees_names,
    .class_has_preferences = has_preferences,
    .class_score = score,
    .is_protected = is_protected,
    .is_protected_with = is_protected_with,
    .allocation_tags = allocation_tags,
    .is_placed = is_placed,
    .find_unallocated = find_unallocated,
    .scheduling_state = scheduling_state,
    .add_wait_reason = add_wait_reason,
    .node_reason = node_reason,
    .node_obstacles = node_obstacles,
    .find_key = find_key,
    .held = yk__gang_held,
    .find_held = yk__gang_find_held,
    .gang_unused = gang_unused,
    .queue_draining = queue_draining,
    .events = events,
    .ask_handle = ask_handle,
    .state_dump = state_dump,
    .pod_resources = pod_resources,
};
