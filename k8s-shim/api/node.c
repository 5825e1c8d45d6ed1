/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes, core/v1. */
#include "api/fields.h"

YK_LIST_CHECK(struct yk_k8s_node, taints, taint_count);
YK_LIST_CHECK(struct yk_k8s_node, declared_features, declared_feature_count);

static const struct yk_field spec_fields[] = {
    YK_BOOL("unschedulable", 4, struct yk_k8s_node, unschedulable),
    YK_LIST("taints", 5, struct yk_k8s_node, taints, &yk_taint_fields),
};
static const struct yk_fields spec = YK_FIELDS(spec_fields, true);

static const struct yk_field status_fields[] = {
    YK_MAP("allocatable", 2, YK_FIELD_AMOUNTS, struct yk_k8s_node, allocatable),
    YK_MAP("declaredFeatures", 14, YK_FIELD_TEXTS, struct yk_k8s_node, declared_features),
};
static const struct yk_fields status = YK_FIELDS(status_fields, true);

static const struct yk_field node_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_k8s_node, object), &yk_meta_fields),
    YK_NESTED("spec", 2, 0, &spec),
    YK_NESTED("status", 3, 0, &status),
};
const struct yk_fields yk_node_fields = YK_FIELDS(node_fields, false);
