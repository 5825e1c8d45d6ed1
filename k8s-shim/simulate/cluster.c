/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/cluster_priv.h"

static const int64_t default_timeout_ns = 30 * YK_NS_PER_S;

static void api_watch(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                      void *context)
{
    yk__watch_start(yk__cluster_of(server), spec, sink, context);
}

static void api_submit(struct yk_api_server *server, struct yk_op *op)
{
    yk__submit(yk__cluster_of(server), op);
}

static void api_stop(struct yk_api_server *server)
{
    /* Watches are freed later, in yk_cluster_free(), because the sink of a watch may call api_stop(). */
    yk__cluster_of(server)->stopped = true;
}

static size_t api_in_flight(struct yk_api_server *server)
{
    return yk__cluster_of(server)->in_flight;
}

static const struct yk_api_server_ops ops = {api_watch, api_submit, api_stop, api_in_flight};

struct yk_cluster *yk_cluster_new(const struct yk_cluster_options *options)
{
    struct yk_cluster *cluster = yk_new0(struct yk_cluster);
    cluster->server.ops = &ops;
    cluster->options = *options;
    if (cluster->options.timeout_ns <= 0)
        cluster->options.timeout_ns = default_timeout_ns;
    yk_random_init(&cluster->random, options->seed);
    for (int kind = 0; kind < YK_KIND_COUNT; kind++)
        yk_list_init(&cluster->kinds[kind].entries);
    yk_list_init(&cluster->watches);
    yk_list_init(&cluster->flights);
    yk_list_init(&cluster->alive_pods);
    yk_list_init(&cluster->leases);
    yk__volumes_init(cluster);
    return cluster;
}

void yk_cluster_free(struct yk_cluster *cluster)
{
    if (cluster == NULL)
        return;
    yk__watches_done(cluster);
    yk__flights_done(cluster);
    yk__leases_done(cluster);
    yk_timer_cancel(cluster->options.timers, &cluster->volume_round);
    for (int kind = 0; kind < YK_KIND_COUNT; kind++) {
        struct yk_sim_entry *entry;
        yk_list_foreach (entry, &cluster->kinds[kind].entries, struct yk_sim_entry, link)
            yk__entry_free(entry);
        yk_strmap_done(&cluster->kinds[kind].by_key);
    }
    for (size_t i = 0; i < YK_COUNT(cluster->events); i++)
        free(cluster->events[i]);
    free(cluster);
}

struct yk_api_server *yk_cluster_api(struct yk_cluster *cluster)
{
    return &cluster->server;
}

/* ---- changes by other users of the cluster ---- */

static void replace(struct yk_sim_entry *entry, struct yk_object *object)
{
    yk_sim_object_stamp(object, NULL, 0);
    object->uid = yk_arena_str(&object->arena, entry->object->uid);
    object->creation_wall_ns = entry->object->creation_wall_ns;
    if (object->kind == YK_KIND_POD)
        yk__ledger_pod_off_node(entry);
    yk__commit(entry, object);
    if (object->kind == YK_KIND_POD && !yk_str_empty(yk__pod_of(entry)->node_name) &&
        !yk_pod_has_ended(yk__pod_of(entry)))
        yk__ledger_pod_on_node(entry, false);
    if (object->kind == YK_KIND_NODE)
        yk__ledger_node_changed(entry);
}

void yk_cluster_put(struct yk_cluster *cluster, struct yk_object *object)
{
    struct yk_sim_entry *entry = yk__find(cluster, object->kind, object->namespace_, object->name);
    if (entry != NULL)
        replace(entry, object);
    else
        (void)yk__create(cluster, object, 0, NULL); /* cannot fail: no object has this name */
}

enum yk_status yk_cluster_create_pod(struct yk_cluster *cluster, struct yk_object *pod, int64_t run_ns,
                                     struct yk_err *err)
{
    return yk__create(cluster, pod, run_ns, err);
}

bool yk_cluster_delete(struct yk_cluster *cluster, enum yk_kind kind, const char *namespace_,
                       const char *name)
{
    struct yk_sim_entry *entry = yk__find(cluster, kind, yk_str_from(namespace_), yk_str_from(name));
    if (entry == NULL)
        return false;
    if (kind == YK_KIND_POD) {
        yk__kubelet_delete(entry);
        return true;
    }
    if (kind == YK_KIND_NODE)
        yk__kubelet_node_lost(entry);
    yk__remove(entry);
    return true;
}

bool yk_cluster_cordon(struct yk_cluster *cluster, const char *node, bool unschedulable)
{
    struct yk_sim_entry *entry = yk__find(cluster, YK_KIND_NODE, (struct yk_str){0}, yk_str_from(node));
    if (entry == NULL)
        return false;
    struct yk_object *draft = yk__draft(entry);
    yk_node_of(draft)->unschedulable = unschedulable;
    yk__commit(entry, draft);
    return true;
}

bool yk_cluster_resize(struct yk_cluster *cluster, const char *node, const struct yk_amounts *allocatable)
{
    struct yk_sim_entry *entry = yk__find(cluster, YK_KIND_NODE, (struct yk_str){0}, yk_str_from(node));
    if (entry == NULL)
        return false;
    struct yk_object *draft = yk__draft(entry);
    yk_sim_node_set_allocatable(yk_node_of(draft), allocatable);
    yk__commit(entry, draft);
    yk__ledger_node_changed(entry);
    return true;
}

const char *yk_cluster_failure(const struct yk_cluster *cluster, struct yk_str namespace_, struct yk_str name)
{
    const struct yk_sim_entry *entry = yk__find(cluster, YK_KIND_POD, namespace_, name);
    return entry != NULL && entry->failure != NULL ? entry->failure : "";
}

size_t yk_cluster_count(const struct yk_cluster *cluster, enum yk_kind kind)
{
    return cluster->kinds[kind].by_key.count;
}

void yk_cluster_each(const struct yk_cluster *cluster, enum yk_kind kind,
                     void (*visit)(void *context, const struct yk_object *object), void *context)
{
    struct yk_sim_entry *entry;
    yk_list_foreach (entry, &cluster->kinds[kind].entries, struct yk_sim_entry, link)
        visit(context, entry->object);
}

/* ---- faults, counts and Events ---- */

enum yk_status yk_cluster_add_fault(struct yk_cluster *cluster, const struct yk_fault *fault,
                                    struct yk_err *err)
{
    return yk_faults_add(&cluster->faults, fault, err);
}

void yk_cluster_clear_faults(struct yk_cluster *cluster)
{
    cluster->faults.count = 0;
}

void yk_cluster_break_watch(struct yk_cluster *cluster, enum yk_kind kind, enum yk_watch_fault how,
                            int64_t gap_ns)
{
    yk__watches_break(cluster, kind, how, gap_ns);
}

void yk_cluster_stats(const struct yk_cluster *cluster, struct yk_cluster_stats *ret)
{
    *ret = cluster->stats;
    ret->faults = cluster->faults.hits;
    ret->double_binds = cluster->violation.double_binds;
    ret->overcommits = cluster->violation.overcommits;
}

const char *yk_cluster_event(const struct yk_cluster *cluster, size_t index)
{
    uint64_t kept = YK_MIN(cluster->event_count, (uint64_t)YK_SIM_EVENTS_KEPT);
    if (index >= kept)
        return NULL;
    return cluster->events[(cluster->event_count - kept + index) % YK_SIM_EVENTS_KEPT];
}
