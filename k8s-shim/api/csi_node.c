/* SPDX-License-Identifier: Apache-2.0 */
/* CSINodes, storage.k8s.io/v1. */
#include "api/fields.h"

YK_LIST_CHECK(struct yk_csi_node, drivers, driver_count);

static const struct yk_field allocatable_fields[] = {
    YK_IF("count", 1, YK_FIELD_I32, struct yk_csi_node_driver, limit, has_limit),
};
static const struct yk_fields allocatable = YK_FIELDS(allocatable_fields, false);

static const struct yk_field driver_fields[] = {
    YK_TEXT("name", 1, struct yk_csi_node_driver, name),
    YK_NESTED("allocatable", 4, 0, &allocatable),
};
static const struct yk_fields driver = YK_FIELDS(driver_fields, false);

static const struct yk_field spec_fields[] = {
    YK_LIST("drivers", 1, struct yk_csi_node, drivers, &driver),
};
static const struct yk_fields spec = YK_FIELDS(spec_fields, true);

static const struct yk_field node_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_csi_node, object), &yk_meta_fields),
    YK_NESTED("spec", 2, 0, &spec),
};
const struct yk_fields yk_csi_node_fields = YK_FIELDS(node_fields, false);
