/* SPDX-License-Identifier: Apache-2.0 */
/* Pods, core/v1. */
#include "api/fields.h"

YK_LIST_CHECK(struct yk_pod, tolerations, toleration_count);
YK_LIST_CHECK(struct yk_pod, containers, container_count);
YK_LIST_CHECK(struct yk_pod, init_containers, init_container_count);
YK_LIST_CHECK(struct yk_pod, scheduling_gates, scheduling_gate_count);
YK_LIST_CHECK(struct yk_pod, resource_claims, resource_claim_count);
YK_LIST_CHECK(struct yk_pod, image_pull_secrets, image_pull_secret_count);
YK_LIST_CHECK(struct yk_pod, volumes, volume_count);
YK_LIST_CHECK(struct yk_pod, spread_constraints, spread_constraint_count);
YK_LIST_CHECK(struct yk_pod, conditions, condition_count);
YK_LIST_CHECK(struct yk_pod, container_statuses, container_status_count);
YK_LIST_CHECK(struct yk_pod, init_container_statuses, init_container_status_count);

static const struct yk_field claim_fields[] = {YK_TEXT("claimName", 1, struct yk_pod_volume, claim_name)};
static const struct yk_fields claim = YK_FIELDS(claim_fields, false);

static const struct yk_field source_fields[] = {
    YK_NESTED("gcePersistentDisk", 3, offsetof(struct yk_pod_volume, source), &yk_gce_disk_fields),
    YK_NESTED("awsElasticBlockStore", 4, offsetof(struct yk_pod_volume, source), &yk_ebs_volume_fields),
    YK_NESTED("iscsi", 8, offsetof(struct yk_pod_volume, source), &yk_iscsi_fields),
    {"persistentVolumeClaim", 10, YK_FIELD_NESTED, 0, offsetof(struct yk_pod_volume, has_claim), 0, &claim},
    YK_NESTED("rbd", 11, offsetof(struct yk_pod_volume, source), &yk_rbd_fields),
    YK_NESTED("cinder", 13, offsetof(struct yk_pod_volume, source), &yk_cinder_fields),
    YK_NESTED("azureDisk", 22, offsetof(struct yk_pod_volume, source), &yk_azure_disk_fields),
    YK_NESTED("portworxVolume", 24, offsetof(struct yk_pod_volume, source), &yk_portworx_fields),
    {"ephemeral", 29, YK_FIELD_PRESENT, offsetof(struct yk_pod_volume, is_ephemeral), 0, 0, NULL},
};
static const struct yk_fields source = YK_FIELDS(source_fields, false);

static const struct yk_field volume_fields[] = {
    YK_TEXT("name", 1, struct yk_pod_volume, name),
    YK_NESTED(NULL, 2, 0, &source),
};
static const struct yk_fields volume = YK_FIELDS(volume_fields, false);

static const struct yk_field resources_fields[] = {
    YK_MAP("limits", 1, YK_FIELD_AMOUNTS, struct yk_pod, pod_limits),
    YK_MAP("requests", 2, YK_FIELD_AMOUNTS, struct yk_pod, pod_requests),
};
static const struct yk_fields resources = YK_FIELDS(resources_fields, true);

static const struct yk_field spec_fields[] = {
    YK_LIST("volumes", 1, struct yk_pod, volumes, &volume),
    YK_LIST("containers", 2, struct yk_pod, containers, &yk_container_fields),
    YK_I64("activeDeadlineSeconds", 5, struct yk_pod, active_deadline_s),
    YK_MAP("nodeSelector", 7, YK_FIELD_PAIRS, struct yk_pod, node_selector),
    YK_TEXT("nodeName", 10, struct yk_pod, node_name),
    YK_BOOL("hostNetwork", 11, struct yk_pod, host_network),
    YK_LIST("imagePullSecrets", 15, struct yk_pod, image_pull_secrets, &yk_named_fields),
    YK_NESTED("affinity", 18, 0, &yk_affinity_fields),
    YK_TEXT("schedulerName", 19, struct yk_pod, scheduler_name),
    YK_LIST("initContainers", 20, struct yk_pod, init_containers, &yk_container_fields),
    YK_LIST("tolerations", 22, struct yk_pod, tolerations, &yk_toleration_fields),
    YK_TEXT("priorityClassName", 24, struct yk_pod, priority_class),
    YK_I32("priority", 25, struct yk_pod, priority),
    YK_TEXT("preemptionPolicy", 31, struct yk_pod, preemption_policy),
    YK_MAP("overhead", 32, YK_FIELD_AMOUNTS, struct yk_pod, overhead),
    YK_LIST("topologySpreadConstraints", 33, struct yk_pod, spread_constraints, &yk_spread_fields),
    YK_IF("hostUsers", 37, YK_FIELD_BOOL, struct yk_pod, host_users, has_host_users),
    YK_LIST("schedulingGates", 38, struct yk_pod, scheduling_gates, &yk_named_fields),
    YK_LIST("resourceClaims", 39, struct yk_pod, resource_claims, &yk_named_fields),
    YK_NESTED("resources", 40, 0, &resources),
};
static const struct yk_fields spec = YK_FIELDS(spec_fields, true);

static const struct yk_field condition_fields[] = {
    YK_TEXT("type", 1, struct yk_condition, type),
    YK_TEXT("status", 2, struct yk_condition, status),
    YK_TEXT("reason", 5, struct yk_condition, reason),
    YK_TEXT("message", 6, struct yk_condition, message),
};
static const struct yk_fields condition = YK_FIELDS(condition_fields, false);

static const struct yk_field actual_fields[] = {
    YK_MAP("requests", 2, YK_FIELD_AMOUNTS, struct yk_pod, actual),
};
static const struct yk_fields actual = YK_FIELDS(actual_fields, true);

static const struct yk_field status_fields[] = {
    YK_TEXT("phase", 1, struct yk_pod, phase),
    YK_LIST("conditions", 2, struct yk_pod, conditions, &condition),
    {"startTime", 7, YK_FIELD_TIME, offsetof(struct yk_pod, start_wall_ns), 0, 0, NULL},
    YK_LIST("containerStatuses", 8, struct yk_pod, container_statuses, &yk_container_status_fields),
    YK_LIST("initContainerStatuses", 10, struct yk_pod, init_container_statuses, &yk_container_status_fields),
    YK_TEXT("nominatedNodeName", 11, struct yk_pod, nominated_node),
    YK_TEXT("resize", 14, struct yk_pod, resize),
    YK_IF("allocatedResources", 19, YK_FIELD_AMOUNTS, struct yk_pod, allocated, has_allocated),
    {"resources", 20, YK_FIELD_NESTED, 0, offsetof(struct yk_pod, has_actual), 0, &actual},
};
static const struct yk_fields status = YK_FIELDS(status_fields, true);

static const struct yk_field pod_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_pod, object), &yk_meta_fields),
    YK_NESTED("spec", 2, 0, &spec),
    YK_NESTED("status", 3, 0, &status),
};
const struct yk_fields yk_pod_fields = YK_FIELDS(pod_fields, false);

/* ---- pods that cannot be read whole ---- */

static const struct yk_field amounts_spec_fields[] = {
    YK_LIST("containers", 2, struct yk_pod, containers, &yk_container_amounts_fields),
    YK_I64("activeDeadlineSeconds", 5, struct yk_pod, active_deadline_s),
    YK_TEXT("nodeName", 10, struct yk_pod, node_name),
    YK_TEXT("schedulerName", 19, struct yk_pod, scheduler_name),
    YK_LIST("initContainers", 20, struct yk_pod, init_containers, &yk_container_amounts_fields),
    YK_I32("priority", 25, struct yk_pod, priority),
    YK_MAP("overhead", 32, YK_FIELD_AMOUNTS, struct yk_pod, overhead),
    YK_NESTED("resources", 40, offsetof(struct yk_pod, pod_requests), &yk_requests_fields),
};
static const struct yk_fields amounts_spec = YK_FIELDS(amounts_spec_fields, true);

static const struct yk_field amounts_status_fields[] = {
    YK_TEXT("phase", 1, struct yk_pod, phase),
    {"startTime", 7, YK_FIELD_TIME, offsetof(struct yk_pod, start_wall_ns), 0, 0, NULL},
    YK_LIST("containerStatuses", 8, struct yk_pod, container_statuses, &yk_container_status_fields),
    YK_LIST("initContainerStatuses", 10, struct yk_pod, init_container_statuses, &yk_container_status_fields),
    YK_TEXT("resize", 14, struct yk_pod, resize),
    YK_IF("allocatedResources", 19, YK_FIELD_AMOUNTS, struct yk_pod, allocated, has_allocated),
    {"resources", 20, YK_FIELD_NESTED, 0, offsetof(struct yk_pod, has_actual), 0, &actual},
};
static const struct yk_fields amounts_status = YK_FIELDS(amounts_status_fields, true);

static const struct yk_field pod_amounts_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_pod, object), &yk_identity_fields),
    YK_NESTED("spec", 2, 0, &amounts_spec),
    YK_NESTED("status", 3, 0, &amounts_status),
};
const struct yk_fields yk_pod_amounts_fields = YK_FIELDS(pod_amounts_fields, false);

static const struct yk_field identity_spec_fields[] = {
    YK_I64("activeDeadlineSeconds", 5, struct yk_pod, active_deadline_s),
    YK_TEXT("nodeName", 10, struct yk_pod, node_name),
    YK_TEXT("schedulerName", 19, struct yk_pod, scheduler_name),
    YK_I32("priority", 25, struct yk_pod, priority),
};
static const struct yk_fields identity_spec = YK_FIELDS(identity_spec_fields, false);

static const struct yk_field identity_status_fields[] = {
    YK_TEXT("phase", 1, struct yk_pod, phase),
    {"startTime", 7, YK_FIELD_TIME, offsetof(struct yk_pod, start_wall_ns), 0, 0, NULL},
};
static const struct yk_fields identity_status = YK_FIELDS(identity_status_fields, false);

static const struct yk_field pod_identity_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_pod, object), &yk_identity_fields),
    YK_NESTED("spec", 2, 0, &identity_spec),
    YK_NESTED("status", 3, 0, &identity_status),
};
const struct yk_fields yk_pod_identity_fields = YK_FIELDS(pod_identity_fields, false);
