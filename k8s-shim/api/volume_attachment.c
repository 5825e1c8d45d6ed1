/* SPDX-License-Identifier: Apache-2.0 */
/* VolumeAttachments, storage.k8s.io/v1. */
#include "api/fields.h"

static const struct yk_field source_fields[] = {
    YK_TEXT("persistentVolumeName", 1, struct yk_volume_attachment, volume_name),
};
static const struct yk_fields source = YK_FIELDS(source_fields, false);

static const struct yk_field spec_fields[] = {
    YK_TEXT("attacher", 1, struct yk_volume_attachment, attacher),
    YK_NESTED("source", 2, 0, &source),
    YK_TEXT("nodeName", 3, struct yk_volume_attachment, node_name),
};
static const struct yk_fields spec = YK_FIELDS(spec_fields, false);

static const struct yk_field attachment_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_volume_attachment, object), &yk_meta_fields),
    YK_NESTED("spec", 2, 0, &spec),
};
const struct yk_fields yk_volume_attachment_fields = YK_FIELDS(attachment_fields, false);
