/* SPDX-License-Identifier: Apache-2.0 */
/* CSIStorageCapacities, storage.k8s.io/v1. */
#include "api/fields.h"

static const struct yk_field capacity_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_csi_capacity, object), &yk_meta_fields),
    YK_NESTED_IF("nodeTopology", 2, struct yk_csi_capacity, topology, has_topology,
                 &yk_label_selector_fields),
    YK_TEXT("storageClassName", 3, struct yk_csi_capacity, class_name),
    YK_IF("capacity", 4, YK_FIELD_QUANTITY, struct yk_csi_capacity, capacity, has_capacity),
    YK_IF("maximumVolumeSize", 5, YK_FIELD_QUANTITY, struct yk_csi_capacity, maximum, has_maximum),
};
const struct yk_fields yk_csi_capacity_fields = YK_FIELDS(capacity_fields, false);
