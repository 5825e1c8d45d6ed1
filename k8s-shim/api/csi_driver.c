/* SPDX-License-Identifier: Apache-2.0 */
/* CSIDrivers, storage.k8s.io/v1. */
#include "api/fields.h"

static const struct yk_field spec_fields[] = {
    YK_BOOL("storageCapacity", 4, struct yk_csi_driver, storage_capacity),
    YK_BOOL("preventPodSchedulingIfMissing", 11, struct yk_csi_driver, prevent_if_missing),
};
static const struct yk_fields spec = YK_FIELDS(spec_fields, false);

static const struct yk_field driver_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_csi_driver, object), &yk_meta_fields),
    YK_NESTED("spec", 2, 0, &spec),
};
const struct yk_fields yk_csi_driver_fields = YK_FIELDS(driver_fields, false);
