/* SPDX-License-Identifier: Apache-2.0 */
/* Which fields of an object point somewhere: each is given a copy of its own. */
#include "simulate/objects_priv.h"

static void own_str(struct yk_arena *arena, struct yk_str *text)
{
    *text = yk_arena_str(arena, *text);
}

/* The array itself; what its items point to comes after. */
static void *own_items(struct yk_arena *arena, const void *items, uint32_t count, size_t item_bytes)
{
    if (count == 0)
        return NULL;
    void *copy = yk_arena_alloc0(arena, yk_size_mul(count, item_bytes));
    memcpy(copy, items, count * item_bytes);
    return copy;
}
#define OWN_ITEMS(arena, items, count) ((items) = own_items((arena), (items), (count), sizeof(*(items))))

static void own_strs(struct yk_arena *arena, struct yk_str **texts, uint32_t count)
{
    OWN_ITEMS(arena, *texts, count);
    for (uint32_t i = 0; i < count; i++)
        own_str(arena, &(*texts)[i]);
}

static void own_pairs(struct yk_arena *arena, struct yk_pairs *pairs)
{
    OWN_ITEMS(arena, pairs->items, pairs->count);
    for (uint32_t i = 0; i < pairs->count; i++) {
        own_str(arena, &pairs->items[i].key);
        own_str(arena, &pairs->items[i].value);
    }
}

static void own_amounts(struct yk_arena *arena, struct yk_amounts *amounts)
{
    OWN_ITEMS(arena, amounts->items, amounts->count);
    for (uint32_t i = 0; i < amounts->count; i++)
        own_str(arena, &amounts->items[i].name);
}

static void own_meta(struct yk_arena *arena, struct yk_object *object)
{
    own_str(arena, &object->name);
    own_str(arena, &object->namespace_);
    own_str(arena, &object->uid);
    own_str(arena, &object->resource_version);
    own_pairs(arena, &object->labels);
    own_pairs(arena, &object->annotations);
    OWN_ITEMS(arena, object->owners, object->owner_count);
    for (uint32_t i = 0; i < object->owner_count; i++) {
        struct yk_owner_ref *owner = &object->owners[i];
        own_str(arena, &owner->api_version);
        own_str(arena, &owner->kind);
        own_str(arena, &owner->name);
        own_str(arena, &owner->uid);
    }
}

static void own_requirements(struct yk_arena *arena, struct yk_requirement **requirements, uint32_t count)
{
    OWN_ITEMS(arena, *requirements, count);
    for (uint32_t i = 0; i < count; i++) {
        struct yk_requirement *requirement = &(*requirements)[i];
        own_str(arena, &requirement->key);
        own_str(arena, &requirement->operator_);
        own_strs(arena, &requirement->values, requirement->value_count);
    }
}

static void own_selector(struct yk_arena *arena, struct yk_label_selector *selector)
{
    own_pairs(arena, &selector->labels);
    own_requirements(arena, &selector->expressions, selector->expression_count);
}

static void own_constraints(struct yk_arena *arena, struct yk_pod *pod)
{
    own_pairs(arena, &pod->node_selector);
    OWN_ITEMS(arena, pod->required_terms, pod->required_term_count);
    for (uint32_t i = 0; i < pod->required_term_count; i++) {
        struct yk_selector_term *term = &pod->required_terms[i];
        own_requirements(arena, &term->expressions, term->expression_count);
        own_requirements(arena, &term->fields, term->field_count);
    }
    OWN_ITEMS(arena, pod->tolerations, pod->toleration_count);
    for (uint32_t i = 0; i < pod->toleration_count; i++) {
        struct yk_toleration *toleration = &pod->tolerations[i];
        own_str(arena, &toleration->key);
        own_str(arena, &toleration->operator_);
        own_str(arena, &toleration->value);
        own_str(arena, &toleration->effect);
    }
}

static void own_containers(struct yk_arena *arena, struct yk_container **containers, uint32_t count)
{
    OWN_ITEMS(arena, *containers, count);
    for (uint32_t i = 0; i < count; i++) {
        struct yk_container *container = &(*containers)[i];
        own_str(arena, &container->name);
        own_str(arena, &container->restart_policy);
        own_amounts(arena, &container->requests);
    }
}

static void own_statuses(struct yk_arena *arena, struct yk_container_status **statuses, uint32_t count)
{
    OWN_ITEMS(arena, *statuses, count);
    for (uint32_t i = 0; i < count; i++) {
        struct yk_container_status *status = &(*statuses)[i];
        own_str(arena, &status->name);
        own_amounts(arena, &status->allocated);
        own_amounts(arena, &status->actual);
    }
}

static void own_spec(struct yk_arena *arena, struct yk_pod *pod)
{
    own_str(arena, &pod->node_name);
    own_str(arena, &pod->scheduler_name);
    own_str(arena, &pod->priority_class);
    own_str(arena, &pod->preemption_policy);
    own_constraints(arena, pod);
    own_containers(arena, &pod->containers, pod->container_count);
    own_containers(arena, &pod->init_containers, pod->init_container_count);
    own_amounts(arena, &pod->overhead);
    own_amounts(arena, &pod->pod_requests);
    own_strs(arena, &pod->scheduling_gates, pod->scheduling_gate_count);
    own_strs(arena, &pod->image_pull_secrets, pod->image_pull_secret_count);
    OWN_ITEMS(arena, pod->volumes, pod->volume_count);
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        own_str(arena, &pod->volumes[i].name);
        own_str(arena, &pod->volumes[i].claim_name);
    }
}

static void own_status(struct yk_arena *arena, struct yk_pod *pod)
{
    own_str(arena, &pod->phase);
    own_str(arena, &pod->resize);
    own_str(arena, &pod->nominated_node);
    OWN_ITEMS(arena, pod->conditions, pod->condition_count);
    for (uint32_t i = 0; i < pod->condition_count; i++) {
        struct yk_condition *condition = &pod->conditions[i];
        own_str(arena, &condition->type);
        own_str(arena, &condition->status);
        own_str(arena, &condition->reason);
        own_str(arena, &condition->message);
    }
    own_statuses(arena, &pod->container_statuses, pod->container_status_count);
    own_statuses(arena, &pod->init_container_statuses, pod->init_container_status_count);
}

static void own_node(struct yk_arena *arena, struct yk_node *node)
{
    OWN_ITEMS(arena, node->taints, node->taint_count);
    for (uint32_t i = 0; i < node->taint_count; i++) {
        own_str(arena, &node->taints[i].key);
        own_str(arena, &node->taints[i].value);
        own_str(arena, &node->taints[i].effect);
    }
    own_amounts(arena, &node->allocatable);
}

void yk__object_own(struct yk_arena *arena, struct yk_object *copy)
{
    own_meta(arena, copy);
    switch (copy->kind) {
    case YK_KIND_POD:
        own_spec(arena, yk_pod_of(copy));
        own_status(arena, yk_pod_of(copy));
        break;
    case YK_KIND_NODE:
        own_node(arena, yk_node_of(copy));
        break;
    case YK_KIND_CONFIG_MAP:
        own_pairs(arena, &yk_config_map_of(copy)->data);
        own_pairs(arena, &yk_config_map_of(copy)->binary_data);
        break;
    case YK_KIND_DISRUPTION_BUDGET:
        own_selector(arena, &yk_disruption_budget_of(copy)->selector);
        break;
    case YK_KIND_NAMESPACE:
    case YK_KIND_PRIORITY_CLASS:
    case YK_KIND_COUNT:
        break;
    }
}
