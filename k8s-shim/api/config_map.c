/* SPDX-License-Identifier: Apache-2.0 */
/* ConfigMaps, core/v1. */
#include "api/fields.h"

static const struct yk_field config_map_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_config_map, object), &yk_meta_fields),
    YK_MAP("data", 2, YK_FIELD_PAIRS, struct yk_config_map, data),
    YK_MAP("binaryData", 3, YK_FIELD_BYTE_PAIRS, struct yk_config_map, binary_data),
};
const struct yk_fields yk_config_map_fields = YK_FIELDS(config_map_fields, true);
