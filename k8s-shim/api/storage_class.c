/* SPDX-License-Identifier: Apache-2.0 */
/* StorageClasses, storage.k8s.io/v1. */
#include "api/fields.h"

YK_LIST_CHECK(struct yk_topology_requirement, values, value_count);
YK_LIST_CHECK(struct yk_topology_term, requirements, requirement_count);
YK_LIST_CHECK(struct yk_storage_class, allowed_topologies, allowed_topology_count);

static const struct yk_field requirement_fields[] = {
    YK_TEXT("key", 1, struct yk_topology_requirement, key),
    YK_MAP("values", 2, YK_FIELD_TEXTS, struct yk_topology_requirement, values),
};
static const struct yk_fields requirement = YK_FIELDS(requirement_fields, true);

static const struct yk_field term_fields[] = {
    YK_LIST("matchLabelExpressions", 1, struct yk_topology_term, requirements, &requirement),
};
static const struct yk_fields term = YK_FIELDS(term_fields, true);

static const struct yk_field class_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_storage_class, object), &yk_meta_fields),
    YK_TEXT("provisioner", 2, struct yk_storage_class, provisioner),
    YK_TEXT("volumeBindingMode", 7, struct yk_storage_class, binding_mode),
    YK_LIST("allowedTopologies", 8, struct yk_storage_class, allowed_topologies, &term),
};
const struct yk_fields yk_storage_class_fields = YK_FIELDS(class_fields, true);
