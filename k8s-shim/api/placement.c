/* SPDX-License-Identifier: Apache-2.0 */
/* What says where a pod may run: tolerations, taints, required node affinity. */
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
static const struct yk_fields term = YK_FIELDS(term_fields, true);

static const struct yk_field selector_fields[] = {
    YK_LIST("nodeSelectorTerms", 1, struct yk_pod, required_terms, &term),
};
static const struct yk_fields selector = YK_FIELDS(selector_fields, true);

static const struct yk_field node_affinity_fields[] = {
    {"requiredDuringSchedulingIgnoredDuringExecution", 1, YK_FIELD_NESTED, 0,
     offsetof(struct yk_pod, has_required_affinity), 0, &selector},
};
static const struct yk_fields node_affinity = YK_FIELDS(node_affinity_fields, false);

static const struct yk_field affinity_fields[] = {YK_NESTED("nodeAffinity", 1, 0, &node_affinity)};
const struct yk_fields yk_affinity_fields = YK_FIELDS(affinity_fields, false);
