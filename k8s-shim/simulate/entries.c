/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of the cluster: finds, adds and frees them, and reports moments of pods to the observer. */
#include "simulate/cluster_priv.h"

#include <inttypes.h>

struct yk_sim_entry *yk__find(const struct yk_cluster *cluster, enum yk_kind kind, struct yk_str namespace_,
                              struct yk_str name)
{
    char *key = yk_object_key(namespace_, name);
    struct yk_sim_entry *entry = yk_strmap_get(&cluster->kinds[kind].by_key, yk_str_from(key));
    free(key);
    return entry;
}

void yk__observe(struct yk_cluster *cluster, enum yk_pod_moment moment, const struct yk_sim_entry *entry)
{
    const struct yk_cluster_observer *observer = cluster->options.observer;
    if (observer != NULL && entry->object->kind == YK_KIND_POD)
        observer->pod_moment(observer->context, moment, yk__pod_of(entry),
                             yk_clock_mono_ns(cluster->options.clock) - entry->created_mono_ns);
}

struct yk_object *yk__draft(const struct yk_sim_entry *entry)
{
    return yk_sim_object_copy(entry->object);
}

const struct yk_object *yk_cluster_find(const struct yk_cluster *cluster, enum yk_kind kind,
                                        const char *namespace_, const char *name)
{
    const struct yk_sim_entry *entry = yk__find(cluster, kind, yk_str_from(namespace_), yk_str_from(name));
    return entry != NULL ? entry->object : NULL;
}

static const char *new_uid(struct yk_cluster *cluster, char text[40])
{
    uint64_t number = ++cluster->uids;
    (void)snprintf(text, 40, "00000000-0000-4000-8000-%012" PRIx64,
                   number & UINT64_C(0xffffffffffff)); /* the text fits */
    return text;
}

struct yk_sim_entry *yk__entry_add(struct yk_cluster *cluster, struct yk_object *object)
{
    struct yk_sim_kind *kind = &cluster->kinds[object->kind];
    struct yk_sim_entry *entry = yk_new0(struct yk_sim_entry);
    entry->cluster = cluster;
    entry->object = object;
    entry->key = yk_object_key(object->namespace_, object->name);
    entry->created_mono_ns = yk_clock_mono_ns(cluster->options.clock);
    yk_list_append(&kind->entries, &entry->link);
    (void)yk_strmap_put(&kind->by_key, yk_str_from(entry->key), entry); /* the key is new */

    char uid[40];
    yk_sim_object_stamp(object, yk_str_empty(object->uid) ? new_uid(cluster, uid) : NULL, ++cluster->version);
    if (object->creation_wall_ns == 0) {
        /* Kubernetes keeps whole seconds. */
        int64_t now_ns = yk_clock_wall_ns(cluster->options.clock);
        object->creation_wall_ns = now_ns - now_ns % YK_NS_PER_S;
    }
    return entry;
}

void yk__entry_free(struct yk_sim_entry *entry)
{
    yk_timer_cancel(entry->cluster->options.timers, &entry->life);
    yk_object_free(entry->object);
    free(entry->key);
    yk_resvec_done(&entry->size);
    yk_resvec_done(&entry->used);
    yk_resvec_done(&entry->allocatable);
    yk_resvec_done(&entry->counted);
    free(entry->failure);
    free(entry);
}
