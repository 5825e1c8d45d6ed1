/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/kube_objects.h"

static struct yk_str text_in(struct yk_object *object, const char *text)
{
    return yk_arena_str(&object->arena, yk_str_from(text));
}

void set_text(struct yk_object *object, struct yk_str *field, const char *text)
{
    *field = text_in(object, text);
}

/* Appends an item to an array of the object. The arena keeps the old array, too. */
static void *grow(struct yk_object *object, const void *items, uint32_t count, size_t item_bytes)
{
    char *bigger = yk_arena_alloc0(&object->arena, (count + 1) * item_bytes);
    if (count > 0)
        memcpy(bigger, items, count * item_bytes);
    return bigger;
}

#define APPEND(object, array, count)                                                                         \
    ((array) = grow((object), (array), (count), sizeof(*(array))), &(array)[(count)++])

static void *object_new(size_t bytes, enum yk_kind kind, const char *namespace_, const char *name,
                        const char *version)
{
    struct yk_arena arena = {0};
    struct yk_object *object = yk_arena_alloc0(&arena, bytes);
    object->arena = arena;
    object->kind = kind;
    if (namespace_ != NULL)
        object->namespace_ = text_in(object, namespace_);
    object->name = text_in(object, name);
    object->resource_version = text_in(object, version);
    char uid[300];
    snprintf(uid, sizeof(uid), "uid-%s", name);
    object->uid = text_in(object, uid);
    return object;
}

struct yk_pod *make_pod(const char *namespace_, const char *name, const char *version)
{
    struct yk_pod *pod = object_new(sizeof(*pod), YK_KIND_POD, namespace_, name, version);
    set_text(&pod->object, &pod->scheduler_name, "yunikorn");
    set_text(&pod->object, &pod->phase, "Pending");
    return pod;
}

struct yk_k8s_node *make_node(const char *name, const char *version, const char *allocatable)
{
    struct yk_k8s_node *node = object_new(sizeof(*node), YK_KIND_NODE, NULL, name, version);
    add_amounts(&node->object, &node->allocatable, allocatable);
    add_pair(&node->object, &node->object.labels, "kubernetes.io/hostname", name);
    return node;
}

struct yk_namespace *make_namespace(const char *name, const char *version)
{
    return object_new(sizeof(struct yk_namespace), YK_KIND_NAMESPACE, NULL, name, version);
}

struct yk_priority_class *make_priority_class(const char *name, const char *version)
{
    return object_new(sizeof(struct yk_priority_class), YK_KIND_PRIORITY_CLASS, NULL, name, version);
}

struct yk_config_map *make_config_map(const char *namespace_, const char *name, const char *version)
{
    return object_new(sizeof(struct yk_config_map), YK_KIND_CONFIG_MAP, namespace_, name, version);
}

void add_pair(struct yk_object *object, struct yk_pairs *pairs, const char *key, const char *value)
{
    struct yk_pair *pair = APPEND(object, pairs->items, pairs->count);
    *pair = (struct yk_pair){text_in(object, key), text_in(object, value)};
}

void add_amounts(struct yk_object *object, struct yk_amounts *amounts, const char *list)
{
    struct yk_str rest = yk_str_from(list), item, name;
    while (list != NULL && *list != '\0' && yk_str_split(&rest, ' ', &item)) {
        struct yk_amount *amount = APPEND(object, amounts->items, amounts->count);
        if (!yk_str_split(&item, '=', &name))
            abort();
        amount->name = yk_arena_str(&object->arena, name);
        if (yk_quantity_parse(item, &amount->quantity, NULL) != YK_OK)
            abort();
    }
}

static void fill(struct yk_pod *pod, struct yk_container *container, const char *name, const char *requests)
{
    container->name = text_in(&pod->object, name);
    add_amounts(&pod->object, &container->requests, requests);
}

struct yk_container *add_container(struct yk_pod *pod, const char *name, const char *requests)
{
    struct yk_container *container = APPEND(&pod->object, pod->containers, pod->container_count);
    fill(pod, container, name, requests);
    return container;
}

struct yk_container *add_init_container(struct yk_pod *pod, const char *name, const char *requests,
                                        const char *policy)
{
    struct yk_container *container = APPEND(&pod->object, pod->init_containers, pod->init_container_count);
    fill(pod, container, name, requests);
    container->restart_policy = text_in(&pod->object, policy);
    return container;
}

struct yk_container_status *add_status(struct yk_pod *pod, const char *name, const char *allocated,
                                       const char *actual)
{
    struct yk_container_status *status =
        APPEND(&pod->object, pod->container_statuses, pod->container_status_count);
    status->name = text_in(&pod->object, name);
    add_amounts(&pod->object, &status->allocated, allocated);
    add_amounts(&pod->object, &status->actual, actual);
    status->has_actual = actual != NULL;
    return status;
}

void add_condition(struct yk_pod *pod, const char *type, const char *reason)
{
    struct yk_condition *condition = APPEND(&pod->object, pod->conditions, pod->condition_count);
    condition->type = text_in(&pod->object, type);
    condition->reason = text_in(&pod->object, reason);
}

void add_toleration(struct yk_pod *pod, const char *key, const char *operator_, const char *value,
                    const char *effect)
{
    struct yk_toleration *toleration = APPEND(&pod->object, pod->tolerations, pod->toleration_count);
    *toleration = (struct yk_toleration){text_in(&pod->object, key), text_in(&pod->object, operator_),
                                         text_in(&pod->object, value), text_in(&pod->object, effect)};
}

static struct yk_selector_term *term_at(struct yk_pod *pod, uint32_t term)
{
    pod->has_required_affinity = true;
    if (term == pod->required_term_count)
        (void)APPEND(&pod->object, pod->required_terms, pod->required_term_count); /* an empty one */
    return &pod->required_terms[term];
}

static void fill_requirement(struct yk_pod *pod, struct yk_requirement *requirement, const char *key,
                             const char *operator_, const char *values)
{
    requirement->key = text_in(&pod->object, key);
    requirement->operator_ = text_in(&pod->object, operator_);
    struct yk_str rest = yk_str_from(values), value;
    while (values != NULL && yk_str_split(&rest, ',', &value)) {
        struct yk_str *at = APPEND(&pod->object, requirement->values, requirement->value_count);
        *at = yk_arena_str(&pod->object.arena, value);
    }
}

void add_expression(struct yk_pod *pod, uint32_t term, const char *key, const char *operator_,
                    const char *values)
{
    struct yk_selector_term *at = term_at(pod, term);
    if (key != NULL)
        fill_requirement(pod, APPEND(&pod->object, at->expressions, at->expression_count), key, operator_,
                         values);
}

void add_field(struct yk_pod *pod, uint32_t term, const char *key, const char *operator_, const char *values)
{
    struct yk_selector_term *at = term_at(pod, term);
    fill_requirement(pod, APPEND(&pod->object, at->fields, at->field_count), key, operator_, values);
}

void add_owner(struct yk_object *object, const char *kind)
{
    struct yk_owner_ref *owner = APPEND(object, object->owners, object->owner_count);
    owner->kind = text_in(object, kind);
}

void add_taint(struct yk_k8s_node *node, const char *key, const char *value, const char *effect)
{
    struct yk_taint *taint = APPEND(&node->object, node->taints, node->taint_count);
    *taint = (struct yk_taint){text_in(&node->object, key), text_in(&node->object, value),
                               text_in(&node->object, effect)};
}

void add_gate(struct yk_pod *pod, const char *name)
{
    struct yk_str *gate = APPEND(&pod->object, pod->scheduling_gates, pod->scheduling_gate_count);
    *gate = text_in(&pod->object, name);
}

void add_port(struct yk_pod *pod, struct yk_container *container, int32_t host_port, const char *protocol,
              const char *ip)
{
    struct yk_container_port *port = APPEND(&pod->object, container->ports, container->port_count);
    *port = (struct yk_container_port){.host_port = host_port};
    if (protocol != NULL)
        port->protocol = text_in(&pod->object, protocol);
    if (ip != NULL)
        port->host_ip = text_in(&pod->object, ip);
}

struct yk_pod_affinity_term *add_affinity_term(struct yk_pod *pod, const char *topology_key)
{
    struct yk_pod_affinity_term *term = APPEND(&pod->object, pod->affinity_terms, pod->affinity_term_count);
    *term = (struct yk_pod_affinity_term){.topology_key = text_in(&pod->object, topology_key)};
    return term;
}

struct yk_pod_affinity_term *add_anti_affinity_term(struct yk_pod *pod, const char *topology_key)
{
    struct yk_pod_affinity_term *term =
        APPEND(&pod->object, pod->anti_affinity_terms, pod->anti_affinity_term_count);
    *term = (struct yk_pod_affinity_term){.topology_key = text_in(&pod->object, topology_key)};
    return term;
}

struct yk_spread_constraint *add_spread(struct yk_pod *pod, const char *topology_key, int32_t max_skew)
{
    struct yk_spread_constraint *constraint =
        APPEND(&pod->object, pod->spread_constraints, pod->spread_constraint_count);
    *constraint = (struct yk_spread_constraint){.max_skew = max_skew,
                                                .topology_key = text_in(&pod->object, topology_key),
                                                .when_unsatisfiable = text_in(&pod->object, "DoNotSchedule")};
    return constraint;
}

void add_selector_line(struct yk_pod *pod, struct yk_label_selector *selector, const char *key,
                       const char *operator_, const char *values)
{
    struct yk_requirement *line = APPEND(&pod->object, selector->expressions, selector->expression_count);
    *line = (struct yk_requirement){.value_count = 0};
    fill_requirement(pod, line, key, operator_, values);
}

void add_text(struct yk_object *object, struct yk_str **texts, uint32_t *count, const char *text)
{
    struct yk_str *at = APPEND(object, *texts, *count);
    *at = text_in(object, text);
}
