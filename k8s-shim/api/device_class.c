/* SPDX-License-Identifier: Apache-2.0 */
/* Device classes, resource.k8s.io/v1. */
#include "api/fields.h"

static const struct yk_field spec_fields[] = {
    YK_TEXT("extendedResourceName", 4, struct yk_device_class, extended_resource_name),
};
static const struct yk_fields spec = YK_FIELDS(spec_fields, false);

static const struct yk_field class_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_device_class, object), &yk_meta_fields),
    YK_NESTED("spec", 2, 0, &spec),
};
const struct yk_fields yk_device_class_fields = YK_FIELDS(class_fields, false);
