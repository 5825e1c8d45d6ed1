/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/objects_priv.h"

#include "api/fields.h"

#include <inttypes.h>

static const char hostname_label[] = "kubernetes.io/hostname";

/* Makes an object from `borrowed`, whose texts belong to the caller. The result has copies of the texts. */
static struct yk_object *own(struct yk_object *borrowed, enum yk_kind kind)
{
    borrowed->kind = kind;
    return yk_sim_object_copy(borrowed);
}

struct yk_object *yk_sim_pod_new(const struct yk_sim_pod *desc)
{
    struct yk_owner_ref owner = {YK_STR("apps/v1"), YK_STR("DaemonSet"), YK_STR("daemon"), YK_STR("daemon"),
                                 true};
    struct yk_str node = yk_str_from(desc->daemon_node);
    struct yk_requirement field = {YK_STR("metadata.name"), YK_STR("In"), &node, 1};
    struct yk_selector_term term = {.fields = &field, .field_count = 1};
    uint32_t daemon = desc->daemon_node != NULL;
    struct yk_container container = {.name = YK_STR("main"), .requests = desc->requests};
    struct yk_pod pod = {
        .object = {.name = yk_str_from(desc->name),
                   .namespace_ = yk_str_from(desc->namespace_),
                   .labels = desc->labels,
                   .annotations = desc->annotations,
                   .owners = &owner,
                   .owner_count = daemon},
        .scheduler_name = yk_str_from(desc->scheduler_name != NULL ? desc->scheduler_name : "yunikorn"),
        .priority_class = yk_str_from(desc->priority_class),
        .priority = desc->priority,
        .active_deadline_s = desc->active_deadline_s,
        .node_name = yk_str_from(desc->node_name),
        .node_selector = desc->node_selector,
        .has_required_affinity = daemon > 0,
        .required_terms = &term,
        .required_term_count = daemon,
        .containers = &container,
        .container_count = 1,
        .toleration_count = desc->toleration_count,
        .phase = YK_STR("Pending"),
    };
    /* The field `tolerations` is not const, because readers of objects fill it. Here, the copy only reads
     * it. */
    memcpy(&pod.tolerations, &desc->tolerations, sizeof(pod.tolerations));
    return own(&pod.object, YK_KIND_POD);
}

struct yk_object *yk_sim_node_new(const struct yk_sim_node *desc)
{
    struct yk_k8s_node node = {
        .object = {.name = yk_str_from(desc->name)},
        .unschedulable = desc->unschedulable,
        .allocatable = desc->allocatable,
        .taint_count = desc->taint_count,
    };
    memcpy(&node.taints, &desc->taints, sizeof(node.taints));

    uint32_t count = desc->labels.count;
    struct yk_pair *labels = yk_new0_array(struct yk_pair, (size_t)count + 1);
    if (count > 0)
        memcpy(labels, desc->labels.items, count * sizeof(*labels));
    if (yk_pairs_get(&desc->labels, hostname_label).p == NULL)
        labels[count++] = (struct yk_pair){YK_STR(hostname_label), yk_str_from(desc->name)};
    node.object.labels = (struct yk_pairs){labels, count};
    struct yk_object *object = own(&node.object, YK_KIND_NODE);
    free(labels);
    return object;
}

struct yk_object *yk_sim_namespace_new(const char *name, const struct yk_pairs *annotations)
{
    struct yk_namespace namespace_ = {.object = {.name = yk_str_from(name)}};
    if (annotations != NULL)
        namespace_.object.annotations = *annotations;
    return own(&namespace_.object, YK_KIND_NAMESPACE);
}

struct yk_object *yk_sim_config_map_new(const char *namespace_, const char *name, const struct yk_pairs *data)
{
    struct yk_config_map map = {
        .object = {.name = yk_str_from(name), .namespace_ = yk_str_from(namespace_)},
        .data = *data,
    };
    return own(&map.object, YK_KIND_CONFIG_MAP);
}

struct yk_object *yk_sim_object_copy(const struct yk_object *object)
{
    struct yk_arena arena = {0};
    size_t bytes = yk_kind_info(object->kind)->bytes;
    struct yk_object *copy = yk_arena_alloc0(&arena, bytes);
    memcpy(copy, object, bytes);
    copy->next = NULL;
    yk__object_own(&arena, copy);
    copy->arena = arena;
    return copy;
}

static struct yk_str text_in(struct yk_object *object, const char *text)
{
    return yk_arena_str(&object->arena, yk_str_from(text));
}

void yk_sim_object_stamp(struct yk_object *object, const char *uid, uint64_t version)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "%" PRIu64, version); /* the text fits */
    object->resource_version = text_in(object, text);
    if (uid != NULL)
        object->uid = text_in(object, uid);
}

void yk_sim_node_set_allocatable(struct yk_k8s_node *node, const struct yk_amounts *allocatable)
{
    struct yk_arena *arena = &node->object.arena;
    struct yk_amount *items = yk_arena_alloc0(arena, ((size_t)allocatable->count + 1) * sizeof(*items));
    for (uint32_t i = 0; i < allocatable->count; i++) {
        items[i].name = yk_arena_str(arena, allocatable->items[i].name);
        items[i].quantity = allocatable->items[i].quantity;
    }
    node->allocatable = (struct yk_amounts){items, allocatable->count};
}

void yk_sim_pod_set_node(struct yk_pod *pod, struct yk_str node)
{
    pod->node_name = yk_arena_str(&pod->object.arena, node);
}

void yk_sim_pod_set_phase(struct yk_pod *pod, const char *phase)
{
    pod->phase = text_in(&pod->object, phase);
}

void yk__pair_set(struct yk_arena *arena, struct yk_pairs *pairs, struct yk_str key, struct yk_str value)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (yk_str_eq(pairs->items[i].key, key)) {
            pairs->items[i].value = yk_arena_str(arena, value);
            return;
        }
    }
    struct yk_pair *longer = yk_arena_alloc0(arena, ((size_t)pairs->count + 1) * sizeof(*longer));
    if (pairs->count > 0)
        memcpy(longer, pairs->items, pairs->count * sizeof(*longer));
    longer[pairs->count] = (struct yk_pair){yk_arena_str(arena, key), yk_arena_str(arena, value)};
    pairs->items = longer;
    pairs->count++;
}

void yk__pair_drop(struct yk_pairs *pairs, const char *key)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (!yk_str_is(pairs->items[i].key, key))
            continue;
        memmove(&pairs->items[i], &pairs->items[i + 1], (pairs->count - i - 1) * sizeof(*pairs->items));
        pairs->count--;
        return;
    }
}

static struct yk_condition *condition_of_type(struct yk_pod *pod, struct yk_str type)
{
    for (uint32_t i = 0; i < pod->condition_count; i++) {
        if (yk_str_eq(pod->conditions[i].type, type))
            return &pod->conditions[i];
    }
    struct yk_condition *longer =
        yk_arena_alloc0(&pod->object.arena, ((size_t)pod->condition_count + 1) * sizeof(*longer));
    if (pod->condition_count > 0)
        memcpy(longer, pod->conditions, pod->condition_count * sizeof(*longer));
    pod->conditions = longer;
    return &longer[pod->condition_count++];
}

void yk_sim_pod_set_condition(struct yk_pod *pod, const struct yk_condition *condition)
{
    struct yk_arena *arena = &pod->object.arena;
    struct yk_condition *at = condition_of_type(pod, condition->type);
    at->type = yk_arena_str(arena, condition->type);
    at->status = yk_arena_str(arena, condition->status);
    at->reason = yk_arena_str(arena, condition->reason);
    at->message = yk_arena_str(arena, condition->message);
}

enum yk_status yk_sim_amount(struct yk_str name, struct yk_str quantity, struct yk_amount *ret,
                             struct yk_err *err)
{
    struct yk_amount amount = {.name = name};
    enum yk_status status = yk_quantity_parse(quantity, &amount.quantity, err);
    if (status != YK_OK)
        return yk_fail_in(err, status, "resource '" YK_STR_FMT "'", YK_STR_ARG(name));
    if (amount.quantity < 0)
        return yk_fail(err, YK_ERR_INVALID, "resource '" YK_STR_FMT "': '" YK_STR_FMT "' is negative",
                       YK_STR_ARG(name), YK_STR_ARG(quantity));
    *ret = amount;
    return YK_OK;
}
