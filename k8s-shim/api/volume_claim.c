/* SPDX-License-Identifier: Apache-2.0 */
/* PersistentVolumeClaims, core/v1. */
#include "api/fields.h"

YK_LIST_CHECK(struct yk_volume_claim, access_modes, access_mode_count);

static const struct yk_field spec_fields[] = {
    YK_MAP("accessModes", 1, YK_FIELD_TEXTS, struct yk_volume_claim, access_modes),
    YK_NESTED("resources", 2, offsetof(struct yk_volume_claim, requests), &yk_requests_fields),
    YK_TEXT("volumeName", 3, struct yk_volume_claim, volume_name),
    YK_NESTED_IF("selector", 4, struct yk_volume_claim, selector, has_selector, &yk_label_selector_fields),
    YK_IF("storageClassName", 5, YK_FIELD_TEXT, struct yk_volume_claim, class_name, has_class_name),
    YK_TEXT("volumeMode", 6, struct yk_volume_claim, volume_mode),
    YK_TEXT("volumeAttributesClassName", 9, struct yk_volume_claim, attributes_class),
};
static const struct yk_fields spec = YK_FIELDS(spec_fields, true);

static const struct yk_field status_fields[] = {YK_TEXT("phase", 1, struct yk_volume_claim, phase)};
static const struct yk_fields status = YK_FIELDS(status_fields, false);

static const struct yk_field claim_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_volume_claim, object), &yk_meta_fields),
    YK_NESTED("spec", 2, 0, &spec),
    YK_NESTED("status", 3, 0, &status),
};
const struct yk_fields yk_volume_claim_fields = YK_FIELDS(claim_fields, false);
