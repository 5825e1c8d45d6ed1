/* SPDX-License-Identifier: Apache-2.0 */
/* PersistentVolumes, core/v1. */
#include "api/fields.h"

YK_LIST_CHECK(struct yk_volume, access_modes, access_mode_count);
YK_LIST_CHECK(struct yk_volume, required_terms, required_term_count);

static const struct yk_field csi_fields[] = {
    YK_TEXT("driver", 1, struct yk_volume_source, csi_driver),
    YK_TEXT("volumeHandle", 2, struct yk_volume_source, csi_handle),
};
static const struct yk_fields csi = YK_FIELDS(csi_fields, false);

static const struct yk_field source_fields[] = {
    YK_NESTED("gcePersistentDisk", 1, 0, &yk_gce_disk_fields),
    YK_NESTED("awsElasticBlockStore", 2, 0, &yk_ebs_volume_fields),
    YK_NESTED("rbd", 6, 0, &yk_rbd_fields),
    YK_NESTED("iscsi", 7, 0, &yk_iscsi_fields),
    YK_NESTED("cinder", 8, 0, &yk_cinder_fields),
    YK_NESTED("azureDisk", 16, 0, &yk_azure_disk_fields),
    YK_NESTED("portworxVolume", 18, 0, &yk_portworx_fields),
    YK_NESTED("csi", 22, 0, &csi),
};
static const struct yk_fields source = YK_FIELDS(source_fields, false);

static const struct yk_field claim_fields[] = {
    YK_TEXT("kind", 1, struct yk_object_ref, kind),
    YK_TEXT("namespace", 2, struct yk_object_ref, namespace_),
    YK_TEXT("name", 3, struct yk_object_ref, name),
    YK_TEXT("uid", 4, struct yk_object_ref, uid),
    YK_TEXT("apiVersion", 5, struct yk_object_ref, api_version),
    YK_TEXT("resourceVersion", 6, struct yk_object_ref, resource_version),
};
static const struct yk_fields claim = YK_FIELDS(claim_fields, false);

static const struct yk_field required_fields[] = {
    YK_LIST("nodeSelectorTerms", 1, struct yk_volume, required_terms, &yk_selector_term_fields),
};
static const struct yk_fields required = YK_FIELDS(required_fields, true);

static const struct yk_field affinity_fields[] = {
    {"required", 1, YK_FIELD_NESTED, 0, offsetof(struct yk_volume, has_required_affinity), 0, &required},
};
static const struct yk_fields affinity = YK_FIELDS(affinity_fields, false);

static const struct yk_field spec_fields[] = {
    YK_MAP("capacity", 1, YK_FIELD_AMOUNTS, struct yk_volume, capacity),
    YK_NESTED(NULL, 2, offsetof(struct yk_volume, source), &source),
    YK_MAP("accessModes", 3, YK_FIELD_TEXTS, struct yk_volume, access_modes),
    YK_NESTED_IF("claimRef", 4, struct yk_volume, claim, has_claim, &claim),
    YK_TEXT("storageClassName", 6, struct yk_volume, class_name),
    YK_TEXT("volumeMode", 8, struct yk_volume, volume_mode),
    YK_NESTED("nodeAffinity", 9, 0, &affinity),
    YK_TEXT("volumeAttributesClassName", 10, struct yk_volume, attributes_class),
};
static const struct yk_fields spec = YK_FIELDS(spec_fields, true);

static const struct yk_field status_fields[] = {YK_TEXT("phase", 1, struct yk_volume, phase)};
static const struct yk_fields status = YK_FIELDS(status_fields, false);

static const struct yk_field volume_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_volume, object), &yk_meta_fields),
    YK_NESTED("spec", 2, 0, &spec),
    YK_NESTED("status", 3, 0, &status),
};
const struct yk_fields yk_volume_fields = YK_FIELDS(volume_fields, false);
