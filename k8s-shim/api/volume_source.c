/* SPDX-License-Identifier: Apache-2.0 */
/* Sources of volumes, core/v1: disks, which pods and persistent volumes describe with the same fields. */
#include "api/fields.h"

YK_LIST_CHECK(struct yk_volume_source, rbd_monitors, rbd_monitor_count);

static const struct yk_field gce_disk_fields[] = {
    YK_TEXT("pdName", 1, struct yk_volume_source, gce_disk),
    YK_BOOL("readOnly", 4, struct yk_volume_source, gce_read_only),
};
const struct yk_fields yk_gce_disk_fields = YK_FIELDS(gce_disk_fields, false);

static const struct yk_field ebs_volume_fields[] = {
    YK_TEXT("volumeID", 1, struct yk_volume_source, ebs_volume),
};
const struct yk_fields yk_ebs_volume_fields = YK_FIELDS(ebs_volume_fields, false);

static const struct yk_field iscsi_fields[] = {
    YK_TEXT("iqn", 2, struct yk_volume_source, iscsi_iqn),
    YK_BOOL("readOnly", 6, struct yk_volume_source, iscsi_read_only),
};
const struct yk_fields yk_iscsi_fields = YK_FIELDS(iscsi_fields, false);

static const struct yk_field rbd_fields[] = {
    YK_MAP("monitors", 1, YK_FIELD_TEXTS, struct yk_volume_source, rbd_monitors),
    YK_TEXT("image", 2, struct yk_volume_source, rbd_image),
    YK_TEXT("pool", 4, struct yk_volume_source, rbd_pool),
    YK_BOOL("readOnly", 8, struct yk_volume_source, rbd_read_only),
};
const struct yk_fields yk_rbd_fields = YK_FIELDS(rbd_fields, true);

static const struct yk_field azure_disk_fields[] = {
    YK_TEXT("diskURI", 2, struct yk_volume_source, azure_disk_uri),
};
const struct yk_fields yk_azure_disk_fields = YK_FIELDS(azure_disk_fields, false);

static const struct yk_field cinder_fields[] = {
    YK_TEXT("volumeID", 1, struct yk_volume_source, cinder_volume),
};
const struct yk_fields yk_cinder_fields = YK_FIELDS(cinder_fields, false);

static const struct yk_field portworx_fields[] = {
    YK_TEXT("volumeID", 1, struct yk_volume_source, portworx_volume),
};
const struct yk_fields yk_portworx_fields = YK_FIELDS(portworx_fields, false);
