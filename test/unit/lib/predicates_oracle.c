/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/predicates_oracle.h"

#include "selectors/requirement.h"

/* The numbers are those of sections in docs/reference/predicates.md. */

/* ---- selectors (2.1, 2.2) ---- */

static const struct yk_str *value_of(const struct yk_pairs *labels, struct yk_str key)
{
    for (uint32_t i = 0; i < labels->count; i++) {
        if (yk_str_eq(labels->items[i].key, key))
            return &labels->items[i].value;
    }
    return NULL;
}

static bool contains(const struct yk_requirement *line, struct yk_str value)
{
    for (uint32_t i = 0; i < line->value_count; i++) {
        if (yk_str_eq(line->values[i], value))
            return true;
    }
    return false;
}

/* 1: the requirement matches; 0: it does not; -1: it cannot be parsed. */
static int line_matches(const struct yk_requirement *line, const struct yk_pairs *labels, bool of_node)
{
    const struct yk_str *value = value_of(labels, line->key);
    int64_t have, limit;
    if (!yk_qualified_name_valid(line->key))
        return -1;
    for (uint32_t i = 0; i < line->value_count; i++) {
        if (!yk_label_value_valid(line->values[i]))
            return -1;
    }
    if (yk_str_is(line->operator_, "In"))
        return line->value_count == 0 ? -1 : value != NULL && contains(line, *value);
    if (yk_str_is(line->operator_, "NotIn"))
        return line->value_count == 0 ? -1 : value == NULL || !contains(line, *value);
    if (yk_str_is(line->operator_, "Exists"))
        return line->value_count > 0 ? -1 : value != NULL;
    if (yk_str_is(line->operator_, "DoesNotExist"))
        return line->value_count > 0 ? -1 : value == NULL;
    bool greater = yk_str_is(line->operator_, "Gt");
    if (!of_node || line->value_count != 1 || (!greater && !yk_str_is(line->operator_, "Lt")) ||
        yk_str_to_i64(line->values[0], &limit) != YK_OK)
        return -1;
    if (value == NULL || yk_str_to_i64(*value, &have) != YK_OK)
        return 0;
    return greater ? have > limit : have < limit;
}

/* 1: the selector matches; 0: it does not; -1: it cannot be parsed. */
static int selector_matches(const struct yk_label_selector *selector, const struct yk_pairs *labels)
{
    int result = 1;
    for (uint32_t i = 0; i < selector->labels.count; i++) {
        const struct yk_pair *pair = &selector->labels.items[i];
        const struct yk_str *value = value_of(labels, pair->key);
        if (!yk_qualified_name_valid(pair->key) || !yk_label_value_valid(pair->value))
            return -1;
        if (value == NULL || !yk_str_eq(*value, pair->value))
            result = 0;
    }
    for (uint32_t i = 0; i < selector->expression_count; i++) {
        int line = line_matches(&selector->expressions[i], labels, false);
        if (line < 0)
            return -1;
        if (line == 0)
            result = 0;
    }
    return result;
}

static bool parses(const struct yk_label_selector *selector)
{
    const struct yk_pairs none = {0};
    return selector_matches(selector, &none) >= 0;
}

static bool terms_parse(const struct yk_pod_affinity_term *terms, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if ((terms[i].has_selector && !parses(&terms[i].selector)) ||
            (terms[i].has_namespace_selector && !parses(&terms[i].namespace_selector)))
            return false;
    }
    return true;
}

/* ---- fixed filters (4.2 to 4.5, 4.15) ---- */

static bool tolerates(const struct yk_pod *pod, const char *key, struct yk_str value, const char *effect)
{
    for (uint32_t i = 0; i < pod->toleration_count; i++) {
        const struct yk_toleration *t = &pod->tolerations[i];
        if (t->effect.len > 0 && !yk_str_is(t->effect, effect))
            continue;
        if (t->key.len > 0 && !yk_str_is(t->key, key))
            continue;
        if (yk_str_is(t->operator_, "Exists"))
            return true;
        if ((t->operator_.len == 0 || yk_str_is(t->operator_, "Equal")) && yk_str_eq(t->value, value))
            return true;
    }
    return false;
}

static bool tolerates_all(const struct yk_pod *pod, const struct yk_k8s_node *node)
{
    for (uint32_t i = 0; i < node->taint_count; i++) {
        const struct yk_taint *taint = &node->taints[i];
        const char *effect = yk_str_is(taint->effect, "NoSchedule") ? "NoSchedule" : "NoExecute";
        if (!yk_str_is(taint->effect, "PreferNoSchedule") &&
            !tolerates(pod, taint->key.p, taint->value, effect))
            return false;
    }
    return true;
}

static bool field_matches(const struct yk_requirement *field, const struct yk_k8s_node *node)
{
    bool is_in = yk_str_is(field->operator_, "In"), is_not_in = yk_str_is(field->operator_, "NotIn");
    struct yk_str value = yk_str_is(field->key, "metadata.name") ? node->object.name : YK_STR("");
    if (field->value_count != 1 || (!is_in && !is_not_in))
        return false;
    return yk_str_eq(value, field->values[0]) == is_in;
}

static bool node_affinity_matches(const struct yk_pod *pod, const struct yk_k8s_node *node)
{
    for (uint32_t i = 0; i < pod->node_selector.count; i++) {
        const struct yk_str *value = value_of(&node->object.labels, pod->node_selector.items[i].key);
        if (value == NULL || !yk_str_eq(*value, pod->node_selector.items[i].value))
            return false;
    }
    if (!pod->has_required_affinity)
        return true;
    for (uint32_t i = 0; i < pod->required_term_count; i++) {
        const struct yk_selector_term *term = &pod->required_terms[i];
        bool matches = term->expression_count + term->field_count > 0;
        for (uint32_t j = 0; j < term->expression_count; j++)
            matches = line_matches(&term->expressions[j], &node->object.labels, true) == 1 && matches;
        for (uint32_t j = 0; j < term->field_count; j++)
            matches = field_matches(&term->fields[j], node) && matches;
        if (matches)
            return true;
    }
    return false;
}

static bool declares(const struct yk_k8s_node *node, const char *feature)
{
    for (uint32_t i = 0; i < node->declared_feature_count; i++) {
        if (yk_str_is(node->declared_features[i], feature))
            return true;
    }
    return false;
}

static bool restarts_all(const struct yk_container *container)
{
    for (uint32_t i = 0; i < container->restart_action_count; i++) {
        if (yk_str_is(container->restart_actions[i], "RestartAllContainers"))
            return true;
    }
    return false;
}

/* 4.15 */
static bool has_features(const struct yk_pod *pod, const struct yk_k8s_node *node)
{
    bool restarts = false;
    for (uint32_t i = 0; i < pod->container_count; i++)
        restarts = restarts || restarts_all(&pod->containers[i]);
    for (uint32_t i = 0; i < pod->init_container_count; i++)
        restarts = restarts || restarts_all(&pod->init_containers[i]);
    if (restarts && !declares(node, "RestartAllContainersOnContainerExits"))
        return false;
    bool own_users = pod->has_host_users && !pod->host_users;
    return !pod->host_network || !own_users || declares(node, "UserNamespacesHostNetworkSupport");
}

bool oracle_fixed_filter(enum yk_verdict no, const struct yk_pod *pod, const struct yk_k8s_node *node)
{
    if (no == YK_VERDICT_UNSCHEDULABLE)
        return !node->unschedulable ||
               tolerates(pod, "node.kubernetes.io/unschedulable", YK_STR(""), "NoSchedule");
    if (no == YK_VERDICT_NODE_NAME)
        return pod->node_name.len == 0 || yk_str_eq(pod->node_name, node->object.name);
    if (no == YK_VERDICT_TAINTS)
        return tolerates_all(pod, node);
    if (no == YK_VERDICT_AFFINITY)
        return node_affinity_matches(pod, node);
    return has_features(pod, node);
}

enum yk_verdict oracle_fixed(const struct yk_pod *pod, const struct yk_k8s_node *node)
{
    static const enum yk_verdict order[] = {YK_VERDICT_UNSCHEDULABLE, YK_VERDICT_NODE_NAME, YK_VERDICT_TAINTS,
                                            YK_VERDICT_AFFINITY, YK_VERDICT_FEATURES};
    for (size_t i = 0; i < YK_COUNT(order); i++) {
        if (!oracle_fixed_filter(order[i], pod, node))
            return order[i];
    }
    return YK_VERDICT_FITS;
}

/* ---- pods on nodes (1.3) ---- */

static bool is_on(const struct oracle_pod *pod, const struct yk_k8s_node *node)
{
    return pod->object != NULL && pod->node != NULL && yk_str_is(node->object.name, pod->node);
}

/* ---- ports (4.6) ---- */

static struct yk_str or_else(struct yk_str text, const char *otherwise)
{
    return text.len > 0 ? text : yk_str_from(otherwise);
}

static bool ports_clash(const struct yk_container_port *a, const struct yk_container_port *b)
{
    struct yk_str a_ip = or_else(a->host_ip, "0.0.0.0"), b_ip = or_else(b->host_ip, "0.0.0.0");
    return a->host_port > 0 && a->host_port == b->host_port &&
           yk_str_eq(or_else(a->protocol, "TCP"), or_else(b->protocol, "TCP")) &&
           (yk_str_is(a_ip, "0.0.0.0") || yk_str_is(b_ip, "0.0.0.0") || yk_str_eq(a_ip, b_ip));
}

static const struct yk_container *container_at(const struct yk_pod *pod, uint32_t i)
{
    if (i < pod->container_count)
        return &pod->containers[i];
    const struct yk_container *init = &pod->init_containers[i - pod->container_count];
    return yk_str_is(init->restart_policy, "Always") ? init : NULL;
}

static bool containers_clash(const struct yk_container *a, const struct yk_container *b)
{
    for (uint32_t i = 0; a != NULL && b != NULL && i < a->port_count; i++) {
        for (uint32_t j = 0; j < b->port_count; j++) {
            if (ports_clash(&a->ports[i], &b->ports[j]))
                return true;
        }
    }
    return false;
}

static bool pods_clash(const struct yk_pod *a, const struct yk_pod *b)
{
    for (uint32_t i = 0; i < a->container_count + a->init_container_count; i++) {
        for (uint32_t j = 0; j < b->container_count + b->init_container_count; j++) {
            if (containers_clash(container_at(a, i), container_at(b, j)))
                return true;
        }
    }
    return false;
}

enum yk_verdict oracle_ports(const struct oracle *oracle, const struct yk_pod *pod,
                             const struct yk_k8s_node *node)
{
    for (size_t i = 0; i < oracle->pod_count; i++) {
        if (is_on(&oracle->pods[i], node) && pods_clash(pod, oracle->pods[i].object))
            return YK_VERDICT_PORTS;
    }
    return YK_VERDICT_FITS;
}

/* ---- spread (4.12) ---- */

static bool is_hard(const struct yk_spread_constraint *constraint)
{
    return yk_str_is(constraint->when_unsatisfiable, "DoNotSchedule");
}

static bool is_empty(const struct yk_spread_constraint *constraint, const struct yk_pod *pod)
{
    if (constraint->selector.labels.count + constraint->selector.expression_count > 0)
        return false;
    for (uint32_t i = 0; i < constraint->match_label_key_count; i++) {
        if (value_of(&pod->object.labels, constraint->match_label_keys[i]) != NULL)
            return false;
    }
    return true;
}

static bool constraint_matches(const struct yk_spread_constraint *constraint, const struct yk_pod *owner,
                               const struct yk_pod *pod)
{
    if (!constraint->has_selector || selector_matches(&constraint->selector, &pod->object.labels) != 1)
        return false;
    for (uint32_t i = 0; i < constraint->match_label_key_count; i++) {
        const struct yk_str *want = value_of(&owner->object.labels, constraint->match_label_keys[i]);
        const struct yk_str *have = value_of(&pod->object.labels, constraint->match_label_keys[i]);
        if (want != NULL && (have == NULL || !yk_str_eq(*want, *have)))
            return false;
    }
    return true;
}

static bool is_eligible(const struct yk_pod *pod, const struct yk_spread_constraint *constraint,
                        const struct yk_k8s_node *node)
{
    for (uint32_t i = 0; i < pod->spread_constraint_count; i++) {
        if (is_hard(&pod->spread_constraints[i]) &&
            value_of(&node->object.labels, pod->spread_constraints[i].topology_key) == NULL)
            return false;
    }
    bool honors_affinity =
        constraint->node_affinity_policy.len == 0 || yk_str_is(constraint->node_affinity_policy, "Honor");
    if (honors_affinity && !node_affinity_matches(pod, node))
        return false;
    return !yk_str_is(constraint->node_taints_policy, "Honor") || tolerates_all(pod, node);
}

static int64_t counted_on(const struct oracle *oracle, const struct yk_pod *pod,
                          const struct yk_spread_constraint *constraint, const struct yk_k8s_node *node)
{
    int64_t count = 0;
    if (is_empty(constraint, pod))
        return 0;
    for (size_t i = 0; i < oracle->pod_count; i++) {
        const struct yk_pod *other = oracle->pods[i].object;
        count += is_on(&oracle->pods[i], node) && !other->object.deleting &&
                 yk_str_eq(other->object.namespace_, pod->object.namespace_) &&
                 constraint_matches(constraint, pod, other);
    }
    return count;
}

/* The number of pods that are counted in the domain `value`; -1: no eligible node is in it. */
static int64_t count_in(const struct oracle *oracle, const struct yk_pod *pod,
                        const struct yk_spread_constraint *constraint, struct yk_str value)
{
    int64_t count = -1;
    for (size_t i = 0; i < oracle->node_count; i++) {
        const struct yk_k8s_node *node = oracle->nodes[i];
        if (node == NULL || !is_eligible(pod, constraint, node) ||
            !yk_str_eq(*value_of(&node->object.labels, constraint->topology_key), value))
            continue;
        count = (count < 0 ? 0 : count) + counted_on(oracle, pod, constraint, node);
    }
    return count;
}

static int64_t global_minimum(const struct oracle *oracle, const struct yk_pod *pod,
                              const struct yk_spread_constraint *constraint)
{
    int64_t least = INT64_MAX, domains = 0;
    for (size_t i = 0; i < oracle->node_count; i++) {
        const struct yk_k8s_node *node = oracle->nodes[i];
        if (node == NULL || !is_eligible(pod, constraint, node))
            continue;
        struct yk_str value = *value_of(&node->object.labels, constraint->topology_key);
        bool is_first = true;
        for (size_t j = 0; j < i; j++) {
            const struct yk_k8s_node *other = oracle->nodes[j];
            is_first =
                is_first && !(other != NULL && is_eligible(pod, constraint, other) &&
                              yk_str_eq(*value_of(&other->object.labels, constraint->topology_key), value));
        }
        if (!is_first)
            continue;
        domains++;
        least = YK_MIN(least, count_in(oracle, pod, constraint, value));
    }
    return domains < YK_MAX(constraint->min_domains, 1) ? 0 : least;
}

static enum yk_verdict spread(const struct oracle *oracle, const struct yk_pod *pod,
                              const struct yk_k8s_node *node)
{
    for (uint32_t i = 0; i < pod->spread_constraint_count; i++) {
        const struct yk_spread_constraint *constraint = &pod->spread_constraints[i];
        if (!is_hard(constraint))
            continue;
        const struct yk_str *value = value_of(&node->object.labels, constraint->topology_key);
        if (value == NULL)
            return YK_VERDICT_SPREAD_LABEL;
        int64_t self = constraint_matches(constraint, pod, pod);
        int64_t count = YK_MAX(count_in(oracle, pod, constraint, *value), 0);
        if (count + self - global_minimum(oracle, pod, constraint) > constraint->max_skew)
            return YK_VERDICT_SPREAD;
    }
    return YK_VERDICT_FITS;
}

/* ---- affinity to pods (4.13) ---- */

static const struct yk_pairs *namespace_labels(const struct oracle *oracle, struct yk_str name)
{
    static const struct yk_pairs none;
    for (size_t i = 0; i < oracle->namespace_count; i++) {
        if (oracle->namespaces[i] != NULL && yk_str_eq(oracle->namespaces[i]->object.name, name))
            return &oracle->namespaces[i]->object.labels;
    }
    return &none;
}

static bool in_scope(const struct oracle *oracle, const struct yk_pod_affinity_term *term,
                     const struct yk_pod *owner, struct yk_str namespace_)
{
    if (term->namespace_count == 0 && !term->has_namespace_selector)
        return yk_str_eq(owner->object.namespace_, namespace_);
    for (uint32_t i = 0; i < term->namespace_count; i++) {
        if (yk_str_eq(term->namespaces[i], namespace_))
            return true;
    }
    return term->has_namespace_selector &&
           selector_matches(&term->namespace_selector, namespace_labels(oracle, namespace_)) == 1;
}

static bool term_matches(const struct oracle *oracle, const struct yk_pod_affinity_term *term,
                         const struct yk_pod *owner, const struct yk_pod *pod)
{
    return term->has_selector && in_scope(oracle, term, owner, pod->object.namespace_) &&
           selector_matches(&term->selector, &pod->object.labels) == 1;
}

static bool matches_all(const struct oracle *oracle, const struct yk_pod *owner, const struct yk_pod *pod)
{
    for (uint32_t i = 0; i < owner->affinity_term_count; i++) {
        if (!term_matches(oracle, &owner->affinity_terms[i], owner, pod))
            return false;
    }
    return true;
}

static bool same_domain(const struct yk_k8s_node *a, const struct yk_k8s_node *b, struct yk_str key)
{
    const struct yk_str *x = value_of(&a->object.labels, key), *y = value_of(&b->object.labels, key);
    return x != NULL && y != NULL && yk_str_eq(*x, *y);
}

static bool has_any_key(const struct yk_pod *pod, const struct yk_k8s_node *node)
{
    for (uint32_t i = 0; i < pod->affinity_term_count; i++) {
        if (value_of(&node->object.labels, pod->affinity_terms[i].topology_key) != NULL)
            return true;
    }
    return false;
}

static const struct yk_k8s_node *node_of(const struct oracle *oracle, const struct oracle_pod *pod)
{
    for (size_t i = 0; i < oracle->node_count; i++) {
        if (oracle->nodes[i] != NULL && is_on(pod, oracle->nodes[i]))
            return oracle->nodes[i];
    }
    return NULL;
}

static bool affinity_holds(const struct oracle *oracle, const struct yk_pod *pod,
                           const struct yk_k8s_node *node)
{
    bool all_there = true, none_anywhere = true;
    for (uint32_t i = 0; i < pod->affinity_term_count; i++) {
        bool there = false;
        if (value_of(&node->object.labels, pod->affinity_terms[i].topology_key) == NULL)
            return false;
        for (size_t j = 0; j < oracle->pod_count; j++) {
            const struct yk_k8s_node *where = node_of(oracle, &oracle->pods[j]);
            if (where == NULL || !matches_all(oracle, pod, oracle->pods[j].object))
                continue;
            there = there || same_domain(where, node, pod->affinity_terms[i].topology_key);
            none_anywhere = none_anywhere && !has_any_key(pod, where);
        }
        all_there = all_there && there;
    }
    return all_there || (none_anywhere && matches_all(oracle, pod, pod));
}

static bool anti_affinity_holds(const struct oracle *oracle, const struct yk_pod *owner,
                                const struct yk_k8s_node *owner_node, const struct yk_pod *other,
                                const struct yk_k8s_node *other_node)
{
    for (uint32_t i = 0; i < owner->anti_affinity_term_count; i++) {
        const struct yk_pod_affinity_term *term = &owner->anti_affinity_terms[i];
        if (term_matches(oracle, term, owner, other) &&
            same_domain(owner_node, other_node, term->topology_key))
            return false;
    }
    return true;
}

enum yk_verdict oracle_others(const struct oracle *oracle, const struct yk_pod *pod,
                              const struct yk_k8s_node *node)
{
    if (!terms_parse(pod->affinity_terms, pod->affinity_term_count) ||
        !terms_parse(pod->anti_affinity_terms, pod->anti_affinity_term_count))
        return YK_VERDICT_INVALID;
    for (uint32_t i = 0; i < pod->spread_constraint_count; i++) {
        const struct yk_spread_constraint *constraint = &pod->spread_constraints[i];
        if (is_hard(constraint) && constraint->has_selector && !parses(&constraint->selector))
            return YK_VERDICT_INVALID;
    }
    enum yk_verdict verdict = spread(oracle, pod, node);
    if (verdict != YK_VERDICT_FITS)
        return verdict;
    if (pod->affinity_term_count > 0 && !affinity_holds(oracle, pod, node))
        return YK_VERDICT_POD_AFFINITY;
    bool others_object = false;
    for (size_t i = 0; i < oracle->pod_count; i++) {
        const struct yk_pod *other = oracle->pods[i].object;
        const struct yk_k8s_node *where = node_of(oracle, &oracle->pods[i]);
        if (where == NULL)
            continue;
        if (!anti_affinity_holds(oracle, pod, node, other, where))
            return YK_VERDICT_ANTI_AFFINITY;
        if (terms_parse(other->anti_affinity_terms, other->anti_affinity_term_count) &&
            !anti_affinity_holds(oracle, other, where, pod, node))
            others_object = true;
    }
    return others_object ? YK_VERDICT_OTHERS_ANTI_AFFINITY : YK_VERDICT_FITS;
}
