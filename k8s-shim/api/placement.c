/* SPDX-License-Identifier: Apache-2.0 */
/* Fields that decide where a pod may run: tolerations, taints, affinity to nodes and pods, topology
 * spread. */
#include "api/fields.h"

static const struct yk_field toleration_fields[] = {
    YK_TEXT("key", 1, struct yk_toleration, key),
    YK_TEXT("operator", 2, struct yk_toleration, operator_),
    YK_TEXT("value", 3, struct yk_toleration, value),
    YK_TEXT("effect", 4, struct yk_toleration, effect),
};
const struct yk_fields yk_toleration_fields = YK_FIELDS(toleration_fields, false);

static const struct yk_field taint_fields[] = {
    YK_TEXT("key", 1, struct yk_taint, key),
    YK_TEXT("value", 2, struct yk_taint, value),
    YK_TEXT("effect", 3, struct yk_taint, effect),
};
const struct yk_fields yk_taint_fields = YK_FIELDS(taint_fields, false);

YK_LIST_CHECK(struct yk_requirement, values, value_count);
YK_LIST_CHECK(struct yk_selector_term, expressions, expression_count);
YK_LIST_CHECK(struct yk_selector_term, fields, field_count);
YK_LIST_CHECK(struct yk_pod, required_terms, required_term_count);

static const struct yk_field requirement_fields[] = {
    YK_TEXT("key", 1, struct yk_requirement, key),
    YK_TEXT("operator", 2, struct yk_requirement, operator_),
    YK_MAP("values", 3, YK_FIELD_TEXTS, struct yk_requirement, values),
};
const struct yk_fields yk_requirement_fields = YK_FIELDS(requirement_fields, true);

static const struct yk_field term_fields[] = {
    YK_LIST("matchExpressions", 1, struct yk_selector_term, expressions, &yk_requirement_fields),
    YK_LIST("matchFields", 2, struct yk_selector_term, fields, &yk_requirement_fields),
};
const struct yk_fields yk_selector_term_fields = YK_FIELDS(term_fields, true);

static const struct yk_field selector_fields[] = {
    YK_LIST("nodeSelectorTerms", 1, struct yk_pod, required_terms, &yk_selector_term_fields),
};
static const struct yk_fields selector = YK_FIELDS(selector_fields, true);

YK_LIST_CHECK(struct yk_pod, preferred_terms, preferred_term_count);

static const struct yk_field preferred_fields[] = {
    YK_I32("weight", 1, struct yk_preferred_term, weight),
    YK_NESTED("preference", 2, offsetof(struct yk_preferred_term, term), &yk_selector_term_fields),
};
static const struct yk_fields preferred = YK_FIELDS(preferred_fields, false);

static const struct yk_field node_affinity_fields[] = {
    {"requiredDuringSchedulingIgnoredDuringExecution", 1, YK_FIELD_NESTED, 0,
     offsetof(struct yk_pod, has_required_affinity), 0, &selector},
    YK_LIST("preferredDuringSchedulingIgnoredDuringExecution", 2, struct yk_pod, preferred_terms, &preferred),
};
static const struct yk_fields node_affinity = YK_FIELDS(node_affinity_fields, true);

YK_LIST_CHECK(struct yk_pod_affinity_term, namespaces, namespace_count);
YK_LIST_CHECK(struct yk_pod, affinity_terms, affinity_term_count);
YK_LIST_CHECK(struct yk_pod, anti_affinity_terms, anti_affinity_term_count);

static const struct yk_field pod_term_fields[] = {
    {"labelSelector", 1, YK_FIELD_NESTED, offsetof(struct yk_pod_affinity_term, selector),
     offsetof(struct yk_pod_affinity_term, has_selector), 0, &yk_label_selector_fields},
    YK_MAP("namespaces", 2, YK_FIELD_TEXTS, struct yk_pod_affinity_term, namespaces),
    YK_TEXT("topologyKey", 3, struct yk_pod_affinity_term, topology_key),
    {"namespaceSelector", 4, YK_FIELD_NESTED, offsetof(struct yk_pod_affinity_term, namespace_selector),
     offsetof(struct yk_pod_affinity_term, has_namespace_selector), 0, &yk_label_selector_fields},
};
static const struct yk_fields pod_term = YK_FIELDS(pod_term_fields, true);

static const struct yk_field pod_affinity_fields[] = {
    YK_LIST("requiredDuringSchedulingIgnoredDuringExecution", 1, struct yk_pod, affinity_terms, &pod_term),
};
static const struct yk_fields pod_affinity = YK_FIELDS(pod_affinity_fields, true);

static const struct yk_field pod_anti_affinity_fields[] = {
    YK_LIST("requiredDuringSchedulingIgnoredDuringExecution", 1, struct yk_pod, anti_affinity_terms,
            &pod_term),
};
static const struct yk_fields pod_anti_affinity = YK_FIELDS(pod_anti_affinity_fields, true);

static const struct yk_field affinity_fields[] = {
    YK_NESTED("nodeAffinity", 1, 0, &node_affinity),
    YK_NESTED("podAffinity", 2, 0, &pod_affinity),
    YK_NESTED("podAntiAffinity", 3, 0, &pod_anti_affinity),
};
const struct yk_fields yk_affinity_fields = YK_FIELDS(affinity_fields, false);

YK_LIST_CHECK(struct yk_spread_constraint, match_label_keys, match_label_key_count);

static const struct yk_field spread_fields[] = {
    YK_I32("maxSkew", 1, struct yk_spread_constraint, max_skew),
    YK_TEXT("topologyKey", 2, struct yk_spread_constraint, topology_key),
    YK_TEXT("whenUnsatisfiable", 3, struct yk_spread_constraint, when_unsatisfiable),
    {"labelSelector", 4, YK_FIELD_NESTED, offsetof(struct yk_spread_constraint, selector),
     offsetof(struct yk_spread_constraint, has_selector), 0, &yk_label_selector_fields},
    YK_I32("minDomains", 5, struct yk_spread_constraint, min_domains),
    YK_TEXT("nodeAffinityPolicy", 6, struct yk_spread_constraint, node_affinity_policy),
    YK_TEXT("nodeTaintsPolicy", 7, struct yk_spread_constraint, node_taints_policy),
    YK_MAP("matchLabelKeys", 8, YK_FIELD_TEXTS, struct yk_spread_constraint, match_label_keys),
};
const struct yk_fields yk_spread_fields = YK_FIELDS(spread_fields, true);
