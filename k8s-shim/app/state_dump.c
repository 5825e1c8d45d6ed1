/* SPDX-License-Identifier: Apache-2.0 */
#include "app/state_dump.h"

#include "base/json_writer.h"

static void put_size(struct yk_json *json, const char *key, const struct yk_size *size)
{
    if (size == NULL)
        return;
    yk_json_key(json, key);
    yk_json_object_begin(json);
    yk_resvec_foreach(type, size->amounts.set)
        yk_json_add_int(json, yk_restype_to_kubernetes(type), size->amounts.v[type]);
    yk_json_object_end(json);
}

/* ---- counts ---- */

static void put_statistics(struct yk_json *json, const struct yk_cache *cache)
{
    const struct yk_cache_pod *pod;
    int64_t assumed = 0, assigned = 0;
    yk_strmap_foreach (pod, &cache->pods) {
        assumed += (pod->flags & YK_POD_ASSUMED) != 0;
        assigned += pod->node != NULL;
    }
    yk_json_key(json, "statistics");
    yk_json_object_begin(json);
    yk_json_add_uint(json, "nodes", cache->nodes.count);
    yk_json_add_uint(json, "pods", cache->pods.count);
    yk_json_add_uint(json, "priorityClasses", cache->kept[YK_KIND_PRIORITY_CLASS].count);
    yk_json_add_int(json, "assumed", assumed);
    yk_json_add_int(json, "podsAssigned", assigned);
    yk_json_object_end(json);
}

/* ---- nodes ---- */

static void put_labels(struct yk_json *json, const struct yk_cache_node *node)
{
    yk_json_key(json, "labels");
    yk_json_object_begin(json);
    for (uint32_t i = 0; i < node->label_count; i++)
        yk_json_add_text(json, yk_name_text(node->labels[i].key), yk_name_text(node->labels[i].value));
    yk_json_object_end(json);
}

static void put_taints(struct yk_json *json, const struct yk_cache_node *node)
{
    static const char *const effects[] = {"NoSchedule", "NoExecute", "PreferNoSchedule"};
    yk_json_key(json, "taints");
    yk_json_array_begin(json);
    for (uint32_t i = 0; i < node->taint_count; i++) {
        yk_json_object_begin(json);
        yk_json_add_text(json, "key", yk_name_text(node->taints[i].key));
        yk_json_add_text(json, "value", yk_name_text(node->taints[i].value));
        yk_json_add_text(json, "effect", effects[node->taints[i].effect]);
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
}

static void put_node(struct yk_json *json, const struct yk_cache_node *node)
{
    yk_json_key(json, yk_name_text(node->name));
    yk_json_object_begin(json);
    yk_json_add_text(json, "name", yk_name_text(node->name));
    yk_json_add_text(json, "uid", node->uid);
    if (node->label_count > 0)
        put_labels(json, node);
    if (node->taint_count > 0)
        put_taints(json, node);
    if (node->unschedulable)
        yk_json_add_bool(json, "unschedulable", true);
    put_size(json, "allocatable", node->allocatable);
    yk_json_object_end(json);
}

/* ---- pods ---- */

static void begin_pod(struct yk_json *json, const struct yk_cache_pod *pod)
{
    yk_json_key_str(json, yk_cache_pod_key(pod));
    yk_json_object_begin(json);
}

static void put_pod(struct yk_json *json, const struct yk_cache_pod *pod)
{
    begin_pod(json, pod);
    yk_json_key(json, "namespace");
    yk_json_str(json, yk_cache_pod_namespace(pod));
    yk_json_add_text(json, "name", yk_cache_pod_name(pod).p);
    yk_json_add_text(json, "uid", yk_cache_pod_uid(pod).p);
    yk_json_add_int(json, "creationTimestamp", pod->creation_wall_ns / YK_NS_PER_S);
    if (pod->node != NULL && (pod->flags & YK_POD_ASSUMED) == 0)
        yk_json_add_text(json, "nodeName", yk_name_text(pod->node->name));
    yk_json_add_int(json, "priority", pod->priority);
    if ((pod->flags & YK_POD_OURS) != 0)
        yk_json_add_text(json, "schedulerName", YK_SCHEDULER_NAME);
    put_size(json, "resources", pod->size);
    yk_json_object_end(json);
}

static void put_decision(struct yk_json *json, const struct yk_cache_pod *pod)
{
    begin_pod(json, pod);
    yk_json_add_text(json, "uid", yk_cache_pod_uid(pod).p);
    if (pod->node != NULL)
        yk_json_add_text(json, "assignedNode", yk_name_text(pod->node->name));
    if ((pod->flags & YK_POD_ASSUMED) != 0)
        yk_json_add_bool(json, "assumed", true);
    yk_json_object_end(json);
}

/* ---- the whole ---- */

static void put_nodes(struct yk_json *json, const struct yk_cache *cache)
{
    const struct yk_cache_node *node;
    yk_json_key(json, "nodes");
    yk_json_object_begin(json);
    yk_vec_foreach (node, &cache->nodes)
        put_node(json, node);
    yk_json_object_end(json);
}

static void put_pods(struct yk_json *json, const struct yk_cache *cache, const char *key,
                     void (*put)(struct yk_json *json, const struct yk_cache_pod *pod))
{
    const struct yk_cache_pod *pod;
    yk_json_key(json, key);
    yk_json_object_begin(json);
    yk_strmap_foreach (pod, &cache->pods)
        put(json, pod);
    yk_json_object_end(json);
}

static void put_priority_classes(struct yk_json *json, const struct yk_cache *cache)
{
    const struct yk_cache_entry *entry;
    yk_json_key(json, "priorityClasses");
    yk_json_object_begin(json);
    yk_strmap_foreach (entry, &cache->kept[YK_KIND_PRIORITY_CLASS]) {
        const struct yk_priority_class *class_ = yk_priority_class_of(entry->object);
        yk_json_key_str(json, entry->object->name);
        yk_json_object_begin(json);
        yk_json_key(json, "name");
        yk_json_str(json, entry->object->name);
        yk_json_add_int(json, "value", class_->value);
        if (class_->global_default)
            yk_json_add_bool(json, "globalDefault", true);
        yk_json_object_end(json);
    }
    yk_json_object_end(json);
}

/* What is empty is left out. */
void yk_state_dump(const struct yk_cache *cache, struct yk_buf *out)
{
    struct yk_json json;
    yk_json_init(&json, out);
    yk_json_object_begin(&json);
    yk_json_key(&json, "cache");
    yk_json_object_begin(&json);
    put_statistics(&json, cache);
    if (cache->nodes.count > 0)
        put_nodes(&json, cache);
    if (cache->pods.count > 0)
        put_pods(&json, cache, "pods", put_pod);
    if (cache->kept[YK_KIND_PRIORITY_CLASS].count > 0)
        put_priority_classes(&json, cache);
    if (cache->pods.count > 0)
        put_pods(&json, cache, "schedulingState", put_decision);
    yk_json_object_end(&json);
    yk_json_object_end(&json);
}
