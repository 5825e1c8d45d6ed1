/* SPDX-License-Identifier: Apache-2.0 */
/* Namespaces, core/v1: name, labels, annotations. */
#include "api/fields.h"

static const struct yk_field namespace_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_namespace, object), &yk_meta_fields),
};
const struct yk_fields yk_namespace_fields = YK_FIELDS(namespace_fields, false);
