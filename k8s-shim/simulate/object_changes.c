/* SPDX-License-Identifier: Apache-2.0 */
/* Creates, changes and removes objects. Each change goes to the watches and the volume controllers. The
 * ledger, the kubelet and the observer get those changes of pods and nodes that cluster_priv.h names. */
#include "simulate/cluster_priv.h"

void yk__commit(struct yk_sim_entry *entry, struct yk_object *draft)
{
    struct yk_object *before = entry->object;
    yk_sim_object_stamp(draft, NULL, ++entry->cluster->version);
    entry->object = draft;
    yk__watches_tell(entry->cluster, before, draft);
    yk_object_free(before);
    if (draft->kind == YK_KIND_POD)
        yk__ledger_pod_changed(entry);
    yk__volumes_changed(entry);
}

enum yk_status yk__create(struct yk_cluster *cluster, struct yk_object *object, int64_t run_ns,
                          struct yk_err *err)
{
    if (yk__find(cluster, object->kind, object->namespace_, object->name) != NULL) {
        enum yk_status status = yk_fail(err, YK_ERR_EXISTS, "%s \"" YK_STR_FMT "\" already exists",
                                        yk_kind_name(object->kind), YK_STR_ARG(object->name));
        yk_object_free(object);
        return status;
    }
    struct yk_sim_entry *entry = yk__entry_add(cluster, object);
    entry->run_ns = run_ns;
    cluster->stats.creates++;
    yk__watches_tell(cluster, NULL, object);
    yk__volumes_changed(entry);
    if (object->kind == YK_KIND_NODE)
        yk__ledger_node_added(entry);
    if (object->kind == YK_KIND_POD) {
        yk__ledger_pod_changed(entry);
        yk__observe(cluster, YK_POD_CREATED, entry);
        if (!yk_str_empty(yk_pod_of(object)->node_name) && !yk_pod_has_ended(yk_pod_of(object))) {
            yk__ledger_pod_on_node(entry, false);
            yk__kubelet_bound(entry);
        }
    }
    return YK_OK;
}

void yk__remove(struct yk_sim_entry *entry)
{
    struct yk_cluster *cluster = entry->cluster;
    struct yk_object *last = entry->object;
    if (last->kind == YK_KIND_POD)
        yk__ledger_pod_off_node(entry);
    if (last->kind == YK_KIND_NODE)
        yk__ledger_node_removed(entry);
    yk__volumes_removed(entry);
    yk_sim_object_stamp(last, NULL, ++cluster->version);
    yk__watches_tell(cluster, last, NULL);
    yk_list_remove(&entry->link);
    if (yk_list_linked(&entry->in_alive))
        yk_list_remove(&entry->in_alive);
    /* cannot fail: the entry is in the map */
    (void)yk_strmap_remove(&cluster->kinds[last->kind].by_key, yk_str_from(entry->key));
    yk__observe(cluster, YK_POD_REMOVED, entry);
    yk__entry_free(entry);
}
