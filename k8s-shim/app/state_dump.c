/* SPDX-License-Identifier: Apache-2.0 */
#include "app/state_dump.h"

#include "base/clock.h"
#include "base/json_writer.h"

enum { OBJECTS_PER_CALL = 32 };

static void put_time(struct yk_json *json, const char *key, int64_t wall_ns)
{
    char text[YK_TIME_TEXT_MAX];
    yk_time_format(wall_ns, 0, text);
    yk_json_add_text(json, key, text);
}

static void put_if(struct yk_json *json, const char *key, const char *text)
{
    if (*text != '\0')
        yk_json_add_text(json, key, text);
}

static void put_size(struct yk_json *json, const char *key, const struct yk_size *size)
{
    if (size == NULL)
        return;
    yk_json_key(json, key);
    yk_json_object_begin(json);
    yk_resvec_foreach(type, &size->amounts)
        yk_json_add_int(json, yk_restype_to_kubernetes(type), yk_resvec_get(&size->amounts, type));
    yk_json_object_end(json);
}

/* ---- counts ---- */

static void put_phases(struct yk_json *json, const int64_t counts[YK_PHASE_COUNT])
{
    yk_json_key(json, "phases");
    yk_json_object_begin(json);
    for (int phase = YK_PHASE_NONE + 1; phase < YK_PHASE_COUNT; phase++) {
        if (counts[phase] > 0)
            yk_json_add_int(json, yk_pod_phase_name((enum yk_pod_phase)phase), counts[phase]);
    }
    yk_json_object_end(json);
}

static void put_statistics(struct yk_json *json, const struct yk_cache *cache)
{
    const struct yk_cache_pod *pod;
    int64_t assumed = 0, assigned = 0, phases[YK_PHASE_COUNT] = {0};
    yk_text_set_foreach (pod, &cache->pods) {
        assumed += (pod->flags & YK_POD_ASSUMED) != 0;
        assigned += pod->node != NULL;
        phases[pod->phase]++;
    }
    yk_json_key(json, "statistics");
    yk_json_object_begin(json);
    yk_json_add_uint(json, "nodes", cache->nodes.count);
    yk_json_add_uint(json, "pods", cache->pods.count);
    yk_json_add_uint(json, "priorityClasses", cache->kept[YK_KIND_PRIORITY_CLASS].count);
    yk_json_add_int(json, "assumed", assumed);
    yk_json_add_int(json, "podsAssigned", assigned);
    put_phases(json, phases);
    yk_json_object_end(json);
}

/* ---- nodes ---- */

static const char *const effects[] = {"NoSchedule", "NoExecute", "PreferNoSchedule", "other"};
YK_INDEXED_BY(effects, YK_TAINT_OTHER);

static void put_labels(struct yk_json *json, const char *key, const struct yk_label *labels, uint32_t count)
{
    if (count == 0)
        return;
    yk_json_key(json, key);
    yk_json_object_begin(json);
    for (uint32_t i = 0; i < count; i++)
        yk_json_add_text(json, yk_name_text(labels[i].key), yk_name_text(labels[i].value));
    yk_json_object_end(json);
}

static void put_taints(struct yk_json *json, const struct yk_cache_node *node)
{
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
    put_time(json, "creationTimestamp", node->creation_wall_ns);
    put_labels(json, "labels", node->labels, node->label_count);
    if (node->taint_count > 0)
        put_taints(json, node);
    if (node->closers > 0)
        yk_json_add_bool(json, "closed", true);
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

static void put_toleration(struct yk_json *json, const struct yk_compiled_toleration *toleration)
{
    static const char *const operators[] = {"Equal", "Exists", "Lt", "Gt", ""};
    YK_INDEXED_BY(operators, YK_TOLERATES_NOTHING);
    yk_json_object_begin(json);
    put_if(json, "key", toleration->key.id != 0 ? yk_name_text(toleration->key) : "");
    put_if(json, "operator", operators[toleration->operator_]);
    put_if(json, "value", toleration->value.id != 0 ? yk_name_text(toleration->value) : "");
    put_if(json, "effect", toleration->any_effect ? "" : effects[toleration->effect]);
    yk_json_object_end(json);
}

/* Called only for pods with a class, such as waiting pods. The constraints of other pods are not stored. */
static void put_constraints(struct yk_json *json, const struct yk_constraints *constraints)
{
    put_labels(json, "nodeSelector", constraints->selector, constraints->selector_count);
    if (constraints->toleration_count == 0)
        return;
    yk_json_key(json, "tolerations");
    yk_json_array_begin(json);
    for (uint32_t i = 0; i < constraints->toleration_count; i++)
        put_toleration(json, &constraints->tolerations[i]);
    yk_json_array_end(json);
}

static void put_pod_labels(struct yk_json *json, const struct yk_task *task)
{
    struct yk_pairs labels = {0};
    yk_pod_labels(task->pod, &labels);
    yk_json_add_pairs(json, "labels", &labels);
    free(labels.items);
}

static void put_task(struct yk_json *json, const struct yk_apps *apps, const struct yk_task *task)
{
    struct yk_app_details details;
    const struct yk_k8s_class *class_ = yk_class_at(&apps->classes, task->class_);
    yk_app_details_read(task->app_details, &details);
    yk_json_add_text(json, "schedulerName", YK_SCHEDULER_NAME);
    put_pod_labels(json, task);
    put_if(json, "priorityClassName", details.priority_class);
    if (!task->preempt_other)
        yk_json_add_text(json, "preemptionPolicy", "Never");
    if (class_ != NULL)
        put_constraints(json, &class_->spec->constraints);
}

static void put_status(struct yk_json *json, const struct yk_cache_pod *pod)
{
    yk_json_key(json, "status");
    yk_json_object_begin(json);
    put_if(json, "phase", yk_pod_phase_name((enum yk_pod_phase)pod->phase));
    yk_json_object_end(json);
}

static void put_pod(struct yk_json *json, const struct yk_apps *apps, const struct yk_cache_pod *pod)
{
    begin_pod(json, pod);
    yk_json_key(json, "namespace");
    yk_json_str(json, yk_cache_pod_namespace(pod));
    yk_json_add_text(json, "name", yk_cache_pod_name(pod).p);
    yk_json_add_text(json, "uid", yk_cache_pod_uid(pod).p);
    put_time(json, "creationTimestamp", yk_cache_pod_creation_wall_ns(pod));
    if (pod->node != NULL && (pod->flags & YK_POD_ASSUMED) == 0)
        yk_json_add_text(json, "nodeName", yk_name_text(pod->node->name));
    yk_json_add_int(json, "priority", pod->priority);
    if (pod->task != NULL)
        put_task(json, apps, pod->task);
    else if ((pod->flags & YK_POD_OURS) != 0)
        yk_json_add_text(json, "schedulerName", YK_SCHEDULER_NAME);
    put_size(json, "resources", pod->size);
    put_status(json, pod);
    yk_json_object_end(json);
}

static void put_decision(struct yk_json *json, const struct yk_apps *apps, const struct yk_cache_pod *pod)
{
    (void)apps; /* the same parameters as put_pod() */
    begin_pod(json, pod);
    yk_json_add_text(json, "uid", yk_cache_pod_uid(pod).p);
    if (pod->node != NULL)
        yk_json_add_text(json, "assignedNode", yk_name_text(pod->node->name));
    if ((pod->flags & YK_POD_ASSUMED) != 0)
        yk_json_add_bool(json, "assumed", true);
    yk_json_object_end(json);
}

/* ---- the whole ---- */

/* Writes the next nodes. True: more nodes follow. */
static bool put_nodes(struct yk_si_dump *dump, struct yk_json *json, const struct yk_cache *cache)
{
    size_t end = YK_MIN(dump->at + OBJECTS_PER_CALL, cache->nodes.count);
    for (; dump->at < end; dump->at++)
        put_node(json, cache->nodes.items[dump->at]);
    return dump->at < cache->nodes.count;
}

struct piece {
    struct yk_json *json;
    const struct yk_apps *apps;
    void (*put)(struct yk_json *json, const struct yk_apps *apps, const struct yk_cache_pod *pod);
};

static void visit(void *context, void *pod)
{
    const struct piece *piece = context;
    piece->put(piece->json, piece->apps, pod);
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
        yk_json_add_pairs(json, "labels", &entry->object->labels);
        yk_json_add_pairs(json, "annotations", &entry->object->annotations);
        if (!yk_str_empty(class_->preemption_policy))
            yk_json_add_text(json, "preemptionPolicy", class_->preemption_policy.p);
        yk_json_object_end(json);
    }
    yk_json_object_end(json);
}

enum section { PART_STATISTICS, PART_NODES, PART_PODS, PART_CLASSES, PART_DECISIONS, PART_END };

static const char *key_of(enum section part)
{
    return part == PART_NODES ? "nodes" : part == PART_PODS ? "pods" : "schedulingState";
}

static bool is_empty(const struct yk_cache *cache, enum section part)
{
    return part == PART_NODES ? cache->nodes.count == 0 : cache->pods.count == 0;
}

/* Writes the next piece of a part of the dump. Empty parts are left out. True: more of this part follows. */
static bool put_part(const struct yk_apps *apps, struct yk_si_dump *dump, struct yk_json *json)
{
    enum section part = (enum section)dump->part;
    if (!dump->is_open && is_empty(apps->cache, part))
        return false;
    if (!dump->is_open) {
        yk_json_key(json, key_of(part));
        yk_json_object_begin(json);
        dump->is_open = true;
        dump->at = 0;
    }
    struct piece piece = {json, apps, part == PART_PODS ? put_pod : put_decision};
    bool more = part == PART_NODES ? put_nodes(dump, json, apps->cache)
                                   : yk_cache_visit_pods(apps->cache, &dump->at, &dump->seen, visit, &piece);
    if (more)
        return true;
    yk_json_object_end(json);
    dump->is_open = false;
    return false;
}

bool yk_state_dump(const struct yk_apps *apps, struct yk_si_dump *dump, struct yk_json *json)
{
    switch ((enum section)dump->part) {
    case PART_STATISTICS:
        yk_json_object_begin(json);
        yk_json_key(json, "cache");
        yk_json_object_begin(json);
        put_statistics(json, apps->cache);
        break;
    case PART_NODES:
    case PART_PODS:
    case PART_DECISIONS:
        if (put_part(apps, dump, json))
            return true;
        break;
    case PART_CLASSES:
        if (apps->cache->kept[YK_KIND_PRIORITY_CLASS].count > 0)
            put_priority_classes(json, apps->cache);
        break;
    case PART_END:
        yk_json_object_end(json);
        yk_json_object_end(json);
        return false;
    }
    dump->part++;
    return true;
}
