/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/shim.h"

#include "app/apps.h"
#include "base/log.h"
#include "bind/binder.h"
#include "bind/event_recorder.h"
#include "bind/placeholders.h"
#include "bind/pod_status.h"
#include "bind/pod_warnings.h"
#include "bind/unreadable.h"
#include "bind/user_trust.h"
#include "shim/configuration.h"
#include "shim/reloader.h"

#include <stdatomic.h>

enum { STEPS_PER_SLICE = 512, NEWS_PER_SLICE = 64 };

enum phase {
    PHASE_CONFIG,     /* waiting for the ConfigMaps */
    PHASE_OBJECTS,    /* waiting for nodes, namespaces, priority classes, and webhooks if they are needed */
    PHASE_PODS,       /* waiting for pods */
    PHASE_RECOVERING, /* submitting pods to the core */
    PHASE_RUNNING,
    PHASE_FAILED,
};

struct yk_shim {
    struct yk_shim_options options;
    char *namespace_, *placeholder_image;
    enum phase phase;
    struct yk_cache cache;
    struct yk_apps apps;
    struct yk_binder binder;
    struct yk_recorder events;
    struct yk_pod_status status;
    struct yk_unreadable unreadable;
    struct yk_placeholders placeholders;
    struct yk_configuration configuration;
    struct yk_cache_observer observer;
    struct yk_app_effects effects;
    struct yk_reloader reloader;
    bool stopping, closing;
    bool leads;                            /* may schedule and write */
    bool watches_volumes, watches_devices; /* these watches were started */
    /* Relaxed: other threads may see a change a moment later. */
    _Atomic bool configured; /* the first configuration is active */
    _Atomic bool synced;     /* all objects that the start needs were listed */
    _Atomic bool ready;
};

/* ---- effects ---- */

static void bind(void *context, struct yk_task *task)
{
    yk_binder_bind(&((struct yk_shim *)context)->binder, task);
}

static bool cancel_bind(void *context, struct yk_task *task)
{
    return yk_binder_cancel(&((struct yk_shim *)context)->binder, task);
}

static void confirm(void *context, struct yk_task *task)
{
    struct yk_shim *shim = context;
    if (shim->leads)
        yk_binder_confirm(&shim->binder, task);
}

static void has_news(void *context, struct yk_task *task)
{
    yk_pod_status_queue(&((struct yk_shim *)context)->status, task);
}

/* A standby does not delete pods or let them fail. When it becomes the leader, yk_apps_take_over() does
 * that. */
static void delete_pod(void *context, struct yk_task *task)
{
    struct yk_shim *shim = context;
    if (shim->leads)
        yk_pod_status_delete(&shim->status, task);
}

static void fail_pod(void *context, struct yk_task *task, const char *reason, const char *message)
{
    struct yk_shim *shim = context;
    if (shim->leads)
        yk_pod_status_fail(&shim->status, task, reason, message);
}

static void pod_event(void *context, struct yk_task *task, bool warning, const char *reason,
                      const char *action, const char *note)
{
    yk_recorder_pod(&((struct yk_shim *)context)->events, task->pod, warning, reason, action, note);
}

static void node_event(void *context, struct yk_cache_node *node, bool warning, const char *reason,
                       const char *note)
{
    const struct yk_regarding about = {
        "Node", {0}, yk_str_from(yk_name_text(node->name)), yk_str_from(node->uid)};
    yk_recorder_add(&((struct yk_shim *)context)->events, &about, warning, reason, reason, note, false);
}

static void forget(void *context, struct yk_task *task)
{
    struct yk_shim *shim = context;
    yk_binder_forget(&shim->binder, task);
    yk_unschedulable_forget(&shim->status.unschedulable, task);
    if (yk_list_linked(&task->in_bind))
        yk_list_remove(&task->in_bind);
}

static void wait_changed(void *context, struct yk_task *task)
{
    yk_unschedulable_forget(&((struct yk_shim *)context)->status.unschedulable, task);
}

static void add_wait_reason(void *context, const struct yk_task *task, struct yk_buf *words)
{
    yk_unschedulable_add_reason(&((struct yk_shim *)context)->status.unschedulable, task, words);
}

static struct yk_si_node_reason node_reason(void *context, const struct yk_task *task)
{
    return yk_unschedulable_node_reason(&((struct yk_shim *)context)->status.unschedulable, task);
}

/* ---- configuration ---- */

static void fail(struct yk_shim *shim, const char *message)
{
    shim->phase = PHASE_FAILED;
    yk_error(yk_log_shim, "cannot start", KV("err", message));
    if (shim->options.fatal != NULL)
        shim->options.fatal(shim->options.context, message);
}

/* Whether the cache keeps the earlier version that it has of the pod: that version could be read completely,
 * and the pod has not lost its node since. */
static bool is_known_whole(const struct yk_shim *shim, const struct yk_pod *object)
{
    const struct yk_object *meta = &object->object;
    const struct yk_cache_pod *pod = yk_cache_find_pod(&shim->cache, meta->namespace_, meta->name);
    if (pod == NULL || (pod->flags & YK_POD_PARTIAL) != 0 || !yk_str_eq(yk_cache_pod_uid(pod), meta->uid))
        return false;
    return pod->node == NULL || (pod->flags & YK_POD_ASSUMED) != 0 || !yk_str_empty(object->node_name);
}

/* Notes pods that could not be read completely, so that users get a message about them. */
static void look_at_reading(struct yk_shim *shim, enum yk_watch_event event, const struct yk_object *object)
{
    if (event == YK_WATCH_REPLACE_BEGIN)
        yk_unreadable_clear(&shim->unreadable);
    if (object == NULL)
        return;
    const struct yk_pod *pod = (const struct yk_pod *)(const void *)object;
    if (event == YK_WATCH_DELETED || object->read == YK_READ_WHOLE)
        yk_unreadable_remove(&shim->unreadable, object->uid);
    else if (event == YK_WATCH_UPSERT && !is_known_whole(shim, pod))
        yk_unreadable_add(&shim->unreadable, pod);
}

static void sink(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct yk_shim *shim = context;
    if (kind == YK_KIND_POD)
        look_at_reading(shim, event, object);
    uint64_t unchanged = shim->cache.unchanged;
    yk_cache_apply(&shim->cache, kind, event, object);
    if (shim->options.changes != NULL)
        *shim->options.changes += shim->cache.unchanged == unchanged;
}

static void watch(struct yk_shim *shim, enum yk_kind kind, const char *namespace_, const char *field_selector)
{
    const struct yk_watch_spec spec = {
        .kind = kind, .namespace_ = namespace_, .field_selector = field_selector};
    yk_api_watch(shim->options.api, &spec, sink, shim);
}

static void adopt_settings(struct yk_shim *shim)
{
    const struct yk_settings *settings = shim->configuration.settings;
    shim->apps.rm_id = settings->cluster_id;
    shim->apps.unique_ids = settings->generate_unique_app_id;
    shim->apps.with_gangs = !settings->disable_gang;
    shim->apps.placeholders_max = (uint64_t)settings->placeholders_max;
    shim->apps.spans_namespaces = strcmp(settings->application_scope, "cluster") == 0;
    shim->binder.volumes.timeout_ns = settings->volume_bind_timeout_ns;
    free(shim->apps.instance_type_label);
    shim->apps.instance_type_label =
        yk_strdup(settings->instance_type_label != NULL ? settings->instance_type_label : "");
    free(shim->placeholder_image);
    shim->placeholder_image = yk_strdup(settings->placeholder_image);
    shim->apps.look = (struct yk_placeholder_look){.image = shim->placeholder_image,
                                                   .run_as_user = settings->placeholder_run_as_user,
                                                   .run_as_group = settings->placeholder_run_as_group,
                                                   .fs_group = settings->placeholder_fs_group};
}

/* Writes to the log if there is no ConfigMap, or if the ConfigMaps have no queues. Users who have put the
 * ConfigMaps in another namespace would otherwise only see unexpected queues. */
static void tell_of_no_queues(const struct yk_shim *shim, const struct yk_core_config *config)
{
    const char *namespace_ = shim->namespace_;
    if (yk_cache_config_map(&shim->cache, 0) == NULL && yk_cache_config_map(&shim->cache, 1) == NULL)
        yk_warn(yk_log_shim_config,
                "no ConfigMap " YK_CONFIG_MAP_CONFIGS " or " YK_CONFIG_MAP_DEFAULTS
                " in this namespace: the built-in queues and settings are in use",
                KV("namespace", namespace_));
    else if (yk_str_empty(config->request.config))
        yk_info(yk_log_shim_config, "the ConfigMaps say nothing of queues: the built-in ones are in use",
                KV("namespace", namespace_));
}

/* Whether the shim must know the webhooks before it can decide which users to trust. */
static bool waits_for_webhooks(const struct yk_shim *shim)
{
    return yk_user_trust_needs_webhooks(shim->configuration.settings->trust_user_info);
}

static void update_user_trust(struct yk_shim *shim)
{
    const struct yk_cache_entry *entry =
        yk_strmap_get(&shim->cache.kept[YK_KIND_MUTATING_WEBHOOKS], YK_STR(YK_WEBHOOKS_NAME));
    shim->apps.user_trust = yk_user_trust_get(shim->configuration.settings->trust_user_info,
                                              entry != NULL ? yk_mutating_webhooks_of(entry->object) : NULL);
}

static void configure(struct yk_shim *shim)
{
    struct yk_core_config config;
    struct yk_err err;
    if (yk_core_config_load(&shim->cache, NULL, &config, &err) != YK_OK) {
        fail(shim, err.text);
        return;
    }
    enum yk_status st =
        yk_core_register(shim->options.core, &config.request, &yk_apps_callbacks, &shim->apps, &err);
    if (st == YK_OK) {
        yk_configuration_apply(&shim->configuration, &config);
        tell_of_no_queues(shim, &config);
    } else {
        (void)yk_fail_in(&err, st, "%s.yaml", config.request.policy_group); /* only the sentence is used */
    }
    yk_core_config_done(&config);
    if (st != YK_OK) {
        fail(shim, err.text);
        return;
    }
    shim->reloader.dirty = false;
    adopt_settings(shim);
    shim->apps.registered = true;
    if (shim->options.configured != NULL)
        shim->options.configured(shim->options.context, shim->configuration.settings);
    shim->phase = PHASE_OBJECTS;
    atomic_store_explicit(&shim->configured, true, memory_order_relaxed);
    watch(shim, YK_KIND_NAMESPACE, NULL, NULL);
    watch(shim, YK_KIND_PRIORITY_CLASS, NULL, NULL);
    watch(shim, YK_KIND_NODE, NULL, NULL);
    if (waits_for_webhooks(shim))
        watch(shim, YK_KIND_MUTATING_WEBHOOKS, NULL, "metadata.name=" YK_WEBHOOKS_NAME);
    watch(shim, YK_KIND_DISRUPTION_BUDGET, NULL, NULL); /* the start does not wait for budgets */
}

static void queue_draining(void *context, const struct yk_si_draining *draining)
{
    yk_reloader_tell_draining(&((struct yk_shim *)context)->reloader, draining);
}

/* ---- changes of the cache ---- */

/* Objects about volumes are watched only if pods use volumes. */
static void look_for_volumes(struct yk_shim *shim, const struct yk_pod *pod)
{
    if (shim->watches_volumes || shim->stopping || !yk_pod_has_disks(pod))
        return;
    shim->watches_volumes = true;
    for (int kind = YK_KIND_VOLUME_FIRST; kind <= YK_KIND_VOLUME_LAST; kind++)
        watch(shim, (enum yk_kind)kind, NULL, NULL);
}

/* Device classes are watched only if a pod requests a resource that no node has offered. */
static void look_for_devices(struct yk_shim *shim, const struct yk_cache_pod *pod)
{
    if (shim->watches_devices || shim->stopping || (pod->flags & YK_POD_OURS) == 0 ||
        !yk_size_wants_unknown(pod->size))
        return;
    shim->watches_devices = true;
    watch(shim, YK_KIND_DEVICE_CLASS, NULL, NULL);
}

static void pod_added(void *context, struct yk_cache_pod *pod, const struct yk_pod *object)
{
    struct yk_shim *shim = context;
    yk_pod_warnings_report(&shim->events, pod, object, shim->apps.unique_ids);
    look_for_volumes(shim, object);
    look_for_devices(shim, pod);
    yk_apps_pod_added(&shim->apps, pod, object);
}

static void pod_changed(void *context, struct yk_cache_pod *pod, const struct yk_pod *object,
                        uint32_t changes)
{
    struct yk_shim *shim = context;
    if ((changes & YK_CHANGED_SIZE) != 0)
        look_for_devices(shim, pod);
    yk_apps_pod_changed(&shim->apps, pod, object, changes);
}

static void node_added(void *context, struct yk_cache_node *node)
{
    yk_apps_node_added(&((struct yk_shim *)context)->apps, node);
}

static void node_changed(void *context, struct yk_cache_node *node, uint32_t changes)
{
    struct yk_shim *shim = context;
    if (!shim->closing)
        yk_apps_node_changed(&shim->apps, node, changes);
}

/* Prevents calls to the core about a pod that is removed while the shim is freed: the shim is no longer
 * registered with the core. */
static void quiet_removal(struct yk_shim *shim, struct yk_cache_pod *pod)
{
    pod->flags &= (uint8_t)~YK_POD_SENT;
    if (pod->task == NULL)
        return;
    pod->task->in_core = false;
    pod->task->going = true;
    pod->task->app->in_core = false;
    if (pod->task->app->state == YK_APPLICATION_SUBMITTED)
        pod->task->app->state = YK_APPLICATION_COMPLETED;
    (void)shim;
}

static void pod_removed(void *context, struct yk_cache_pod *pod)
{
    struct yk_shim *shim = context;
    if (shim->closing)
        quiet_removal(shim, pod);
    yk_apps_pod_removed(&shim->apps, pod);
}

static void node_removed(void *context, struct yk_cache_node *node)
{
    struct yk_shim *shim = context;
    if (shim->closing)
        node->registered = false;
    yk_apps_node_removed(&shim->apps, node);
}

static void config_changed(void *context)
{
    ((struct yk_shim *)context)->reloader.dirty = true;
}

static void kept_changed(void *context, enum yk_kind kind, const struct yk_object *before,
                         const struct yk_object *after)
{
    struct yk_shim *shim = context;
    yk_volumes_kept_changed(&shim->apps.classes.volumes, kind, before, after);
    if (kind == YK_KIND_NAMESPACE)
        yk_apps_namespace_changed(&shim->apps, before, after);
    if (kind == YK_KIND_MUTATING_WEBHOOKS && shim->cache.synced[kind] && !shim->closing)
        update_user_trust(shim);
}

static uint32_t listed_about_volumes(const struct yk_shim *shim)
{
    uint32_t kinds = 0;
    for (int kind = YK_KIND_VOLUME_FIRST; kind <= YK_KIND_VOLUME_LAST; kind++) {
        if (shim->cache.synced[kind])
            kinds |= yk_volumes_kind((enum yk_kind)kind);
    }
    return kinds;
}

static void listed(void *context, enum yk_kind kind)
{
    struct yk_shim *shim = context;
    if (kind >= YK_KIND_VOLUME_FIRST && kind <= YK_KIND_VOLUME_LAST)
        yk_volumes_set_listed(&shim->apps.classes.volumes, listed_about_volumes(shim));
    const bool *synced = shim->cache.synced;
    if (shim->stopping)
        return; /* no further step of the start begins */
    switch (shim->phase) {
    case PHASE_CONFIG:
        if (kind == YK_KIND_CONFIG_MAP)
            configure(shim);
        break;
    case PHASE_OBJECTS:
        if (synced[YK_KIND_NODE] && synced[YK_KIND_NAMESPACE] && synced[YK_KIND_PRIORITY_CLASS] &&
            (synced[YK_KIND_MUTATING_WEBHOOKS] || !waits_for_webhooks(shim))) {
            shim->phase = PHASE_PODS;
            update_user_trust(shim);
            watch(shim, YK_KIND_POD, NULL, "status.phase!=Succeeded,status.phase!=Failed");
        }
        break;
    case PHASE_PODS:
        if (kind == YK_KIND_POD) {
            shim->phase = PHASE_RECOVERING;
            atomic_store_explicit(&shim->synced, true, memory_order_relaxed);
            yk_apps_start(&shim->apps);
        }
        break;
    case PHASE_RECOVERING:
    case PHASE_RUNNING:
    case PHASE_FAILED:
        break;
    }
}

/* ---- life ---- */

struct yk_shim *yk_shim_new(const struct yk_shim_options *options)
{
    struct yk_shim *shim = yk_new0(struct yk_shim);
    shim->options = *options;
    shim->namespace_ = yk_strdup(options->namespace_);
    shim->options.namespace_ = shim->namespace_;
    shim->options.hostname = NULL; /* borrowed for the call; yk_recorder_init() copies it */
    shim->observer = (struct yk_cache_observer){.context = shim,
                                                .pod_added = pod_added,
                                                .pod_changed = pod_changed,
                                                .pod_removed = pod_removed,
                                                .node_added = node_added,
                                                .node_changed = node_changed,
                                                .node_removed = node_removed,
                                                .config_changed = config_changed,
                                                .listed = listed,
                                                .kept_changed = kept_changed};
    shim->effects =
        (struct yk_app_effects){shim,     bind,           cancel_bind,  confirm,         has_news,
                                has_news, delete_pod,     fail_pod,     pod_event,       node_event,
                                forget,   queue_draining, wait_changed, add_wait_reason, node_reason};
    yk_cache_init(&shim->cache, &shim->observer, shim->namespace_);
    yk_apps_init(&shim->apps, options->core, &shim->cache, &shim->effects);
    yk_recorder_init(&shim->events, options->api, options->timers, options->clock, options->hostname,
                     options->seed);
    yk_binder_init(&shim->binder, options->api, options->timers, &shim->apps, &shim->events);
    yk_pod_status_init(&shim->status, options->api, options->timers, &shim->apps, &shim->events,
                       options->clock);
    shim->apps.clock = options->clock;
    yk_placeholders_init(&shim->placeholders, options->api, options->timers, &shim->apps);
    yk_unreadable_init(&shim->unreadable, options->api, options->timers, &shim->events, options->clock);
    shim->leads = shim->unreadable.leads = !options->standby;
    shim->events.muted = shim->apps.is_standby = options->standby;
    shim->reloader = (struct yk_reloader){.core = options->core,
                                          .apps = &shim->apps,
                                          .cache = &shim->cache,
                                          .configuration = &shim->configuration,
                                          .events = &shim->events,
                                          .aside = options->aside,
                                          .inbox = options->inbox};
    return shim;
}

void yk_shim_start(struct yk_shim *shim)
{
    watch(shim, YK_KIND_CONFIG_MAP, shim->namespace_, NULL);
}

static void become_ready(struct yk_shim *shim)
{
    shim->phase = PHASE_RUNNING;
    yk_apps_enable_nodes(&shim->apps);
    atomic_store_explicit(&shim->ready, true, memory_order_relaxed);
    yk_info(yk_log_shim, shim->leads ? "recovered, scheduling starts" : "recovered, standing by",
            KV("nodes", shim->cache.nodes.count), KV("pods", shim->cache.our_pods),
            KV("applications", shim->apps.by_id.count));
    if (shim->options.recovered != NULL)
        shim->options.recovered(shim->options.context);
}

/* Continues the recovery, after yk_apps_run() has returned false. Enables the nodes when no application holds
 * the start. True: there is more to do. */
static bool go_on_recovering(struct yk_shim *shim)
{
    if (shim->apps.holding_start > 0)
        return false;
    if (!yk_apps_hold_start(&shim->apps))
        become_ready(shim);
    else if (shim->apps.holding_start > 0)
        yk_info(yk_log_shim, "waiting for the users of applications that run",
                KV("applications", shim->apps.holding_start));
    return !yk_list_empty(&shim->apps.app_queue);
}

bool yk_shim_work(struct yk_shim *shim)
{
    if (shim->phase == PHASE_CONFIG || shim->phase == PHASE_FAILED || shim->stopping)
        return false;
    yk_reloader_run(&shim->reloader);
    if (shim->phase != PHASE_RECOVERING && shim->phase != PHASE_RUNNING)
        return false;
    bool more = yk_apps_run(&shim->apps, STEPS_PER_SLICE);
    yk_reloader_look_at_types(&shim->reloader);
    if (shim->phase == PHASE_RECOVERING && !more)
        more = go_on_recovering(shim);
    if (!shim->leads) {
        yk_unschedulable_begin_slice(&shim->status.unschedulable); /* REST asks why pods wait */
        return more;
    }
    if (shim->phase == PHASE_RUNNING)
        yk_placeholders_run(&shim->placeholders);
    bool busy = shim->binder.waiting_count > 0;
    yk_recorder_set_window(&shim->events, busy ? 1 : YK_EVENTS_IN_FLIGHT_MAX);
    bool more_news = yk_pod_status_run(&shim->status, &shim->binder, NEWS_PER_SLICE);
    return more || more_news;
}

bool yk_shim_is_ready(const struct yk_shim *shim)
{
    return atomic_load_explicit(&shim->ready, memory_order_relaxed);
}

bool yk_shim_is_synced(const struct yk_shim *shim)
{
    return atomic_load_explicit(&shim->synced, memory_order_relaxed);
}

enum yk_shim_config yk_shim_config(const struct yk_shim *shim)
{
    if (!atomic_load_explicit(&shim->configured, memory_order_relaxed))
        return YK_SHIM_CONFIG_NONE;
    return atomic_load_explicit(&shim->reloader.last_refused, memory_order_relaxed) ? YK_SHIM_CONFIG_REFUSED
                                                                                    : YK_SHIM_CONFIG_VALID;
}

void yk_shim_lead(struct yk_shim *shim)
{
    if (shim->leads || shim->stopping)
        return;
    shim->leads = true;
    shim->events.muted = false;
    yk_unreadable_lead(&shim->unreadable);
    yk_apps_take_over(&shim->apps);
}

bool yk_shim_leads(const struct yk_shim *shim)
{
    return shim->leads;
}

void yk_shim_detach(struct yk_shim *shim)
{
    shim->reloader.aside = NULL;
    shim->binder.in_flight = shim->binder.volumes.in_flight = 0;
    shim->binder.window = YK_BINDS_IN_FLIGHT_MAX;
    shim->status.in_flight = shim->unreadable.in_flight = 0;
    shim->events.outstanding -= YK_MIN(shim->events.in_flight, shim->events.outstanding);
    shim->events.outstanding_of_nodes = YK_MIN(shim->events.outstanding_of_nodes, shim->events.outstanding);
    shim->events.in_flight = 0;
    yk_placeholders_detach(&shim->placeholders);
}

void yk_shim_feed(struct yk_shim *shim, enum yk_kind kind, enum yk_watch_event event,
                  struct yk_object *object)
{
    sink(shim, kind, event, object);
}

bool yk_shim_is_reloading(const struct yk_shim *shim)
{
    return shim->reloader.busy;
}

const struct yk_settings *yk_shim_settings(const struct yk_shim *shim)
{
    return shim->configuration.settings;
}

void yk_shim_stop(struct yk_shim *shim)
{
    shim->stopping = true;
    atomic_store_explicit(&shim->ready, false, memory_order_relaxed);
    yk_binder_stop(&shim->binder);
    yk_pod_status_stop(&shim->status);
    yk_placeholders_stop(&shim->placeholders);
    yk_unreadable_stop(&shim->unreadable);
    yk_recorder_stop(&shim->events);
}

bool yk_shim_is_stopped(const struct yk_shim *shim)
{
    return shim->stopping && shim->binder.in_flight + shim->binder.volumes.in_flight == 0;
}

void yk_shim_free(struct yk_shim *shim)
{
    if (shim == NULL)
        return;
    if (!shim->stopping)
        yk_shim_stop(shim);
    shim->closing = shim->apps.closing = true;
    yk_core_unregister(shim->options.core, shim->apps.rm_id); /* first: the core borrows from pods */
    yk_cache_done(&shim->cache);
    yk_pod_status_done(&shim->status);
    yk_unreadable_done(&shim->unreadable);
    yk_apps_done(&shim->apps);
    yk_recorder_done(&shim->events);
    yk_configuration_done(&shim->configuration);
    free(shim->placeholder_image);
    free(shim->namespace_);
    free(shim);
}

static enum yk_status check_open(const struct yk_shim *shim, struct yk_err *err)
{
    if (shim->stopping)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "the scheduler is ending");
    if (shim->phase == PHASE_CONFIG || shim->phase == PHASE_FAILED)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "the scheduler is starting");
    return YK_OK;
}

enum yk_status yk_shim_review_token(struct yk_shim *shim, const struct yk_admin_question *question,
                                    const char *token, struct yk_err *err)
{
    enum yk_status st = check_open(shim, err);
    if (st != YK_OK)
        return st;
    struct yk_admin_question with = *question;
    with.api = shim->options.api;
    yk_admin_review_token(&with, token, yk_str_from(shim->configuration.settings->web_api_audiences));
    return YK_OK;
}

enum yk_status yk_shim_review_access(struct yk_shim *shim, const struct yk_admin_question *question,
                                     const struct yk_access_question *access, struct yk_err *err)
{
    enum yk_status st = check_open(shim, err);
    if (st != YK_OK)
        return st;
    struct yk_admin_question with = *question;
    with.api = shim->options.api;
    yk_admin_review_access(&with, access);
    return YK_OK;
}

enum yk_status yk_shim_write_config(struct yk_shim *shim, const struct yk_admin_question *question,
                                    struct yk_str text, struct yk_err *err)
{
    enum yk_status st = check_open(shim, err);
    if (st == YK_OK && !shim->leads)
        st = yk_fail(err, YK_ERR_UNAVAILABLE, "this scheduler is a standby and writes nothing");
    if (st != YK_OK)
        return st;
    struct yk_admin_question with = *question;
    with.api = shim->options.api;
    const struct yk_admin_config config = {
        .map = yk_cache_config_map(&shim->cache, 1),
        .namespace_ = shim->namespace_,
        .policy_group = shim->configuration.settings->policy_group,
        .text = text,
        .refresh = shim->configuration.refresh,
    };
    return yk_admin_write_config(&with, &config, err);
}

void yk_shim_count(const struct yk_shim *shim, struct yk_shim_counts *ret)
{
    *ret = (struct yk_shim_counts){
        .nodes = shim->cache.nodes.count,
        .pods = shim->cache.pods.count,
        .our_pods = shim->cache.our_pods,
        .tasks = shim->apps.task_count,
        .applications = shim->apps.by_id.count,
        .classes = shim->apps.classes.count,
        .binds_waiting = shim->binder.waiting_count,
        .binds_in_flight = shim->binder.in_flight,
        .bound = shim->binder.bound,
        .binds_failed = shim->binder.failed,
        .events_sent = shim->events.sent,
        .events_dropped = shim->events.dropped,
        .conditions_written = shim->status.written,
        .reloads_refused = shim->reloader.refused,
    };
    memcpy(ret->unschedulable, shim->status.unschedulable.filters.pods, sizeof(ret->unschedulable));
}

bool yk_shim_check(const struct yk_shim *shim, struct yk_err *err)
{
    return yk_apps_check(&shim->apps, err);
}

struct yk_apps *yk_shim_apps(struct yk_shim *shim)
{
    return &shim->apps;
}

void yk_shim_put_metrics(const struct yk_shim *shim, struct yk_buf *out)
{
    struct yk_metric_lines lines = yk_metric_begin(&yk_metric_bind_duration, out);
    yk_durations_put(&shim->binder.bound_times, &lines, "result=\"bound\"");
    yk_durations_put(&shim->binder.failed_times, &lines, "result=\"failed\"");
    struct yk_metric_lines volumes = yk_metric_begin(&yk_metric_volume_bind_duration, out);
    yk_durations_put(&shim->binder.volumes_bound_times, &volumes, "result=\"bound\"");
    yk_durations_put(&shim->binder.volumes_failed_times, &volumes, "result=\"failed\"");
    yk_filter_meter_put(&shim->apps.classes.meter, out);
}
