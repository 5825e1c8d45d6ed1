/* SPDX-License-Identifier: Apache-2.0 */
/* Priority classes, scheduling.k8s.io/v1. */
#include "api/fields.h"

static const struct yk_field priority_class_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_priority_class, object), &yk_meta_fields),
    YK_I32("value", 2, struct yk_priority_class, value),
    YK_BOOL("globalDefault", 3, struct yk_priority_class, global_default),
    YK_TEXT("preemptionPolicy", 5, struct yk_priority_class, preemption_policy),
};
const struct yk_fields yk_priority_class_fields = YK_FIELDS(priority_class_fields, false);
