/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Typed Kubernetes objects: what we read of each kind, and nothing else.
 *
 * An object is made by a reader (protobuf_reader.h, json_reader.h) on the I/O thread, travels once through a
 * mailbox and is owned by its last receiver. All of it lives in its own arena: yk_object_free() drops it
 * whole. Texts are terminated views into that arena; an absent text has p == NULL. Fields that the server did
 * not send are zero. Nothing here points outside the object.
 *
 * Written by: the reader that makes the object, or simulate/objects.c. An object that was handed on does not change,
 * but for `next`, which its owner writes.
 * Source: docs/reference/kubernetes.md, "What is read of each kind".
 */
#ifndef YK_API_OBJECT_H
#define YK_API_OBJECT_H

#include "base/arena.h"
#include "resources/quantity.h"

enum yk_kind {
    YK_KIND_POD,
    YK_KIND_NODE,
    YK_KIND_NAMESPACE,
    YK_KIND_PRIORITY_CLASS,
    YK_KIND_CONFIG_MAP,
    YK_KIND_DISRUPTION_BUDGET,
    YK_KIND_DEVICE_CLASS,
    YK_KIND_MUTATING_WEBHOOKS,
    YK_KIND_VOLUME_CLAIM,
    YK_KIND_VOLUME,
    YK_KIND_STORAGE_CLASS,
    YK_KIND_CSI_NODE,
    YK_KIND_CSI_DRIVER,
    YK_KIND_CSI_CAPACITY,
    YK_KIND_VOLUME_ATTACHMENT,
    YK_KIND_COUNT,
    YK_KIND_VOLUME_FIRST = YK_KIND_VOLUME_CLAIM, /* all about volumes */
    YK_KIND_VOLUME_LAST = YK_KIND_VOLUME_ATTACHMENT,
};

/* Annotations of claims and volumes. */
#define YK_ANNOTATION_SELECTED_NODE       "volume.kubernetes.io/selected-node"
#define YK_ANNOTATION_STORAGE_CLASS       "volume.beta.kubernetes.io/storage-class"
#define YK_ANNOTATION_BIND_COMPLETED      "pv.kubernetes.io/bind-completed"
#define YK_ANNOTATION_BOUND_BY_CONTROLLER "pv.kubernetes.io/bound-by-controller"
#define YK_ANNOTATION_PROVISIONED_BY      "pv.kubernetes.io/provisioned-by"
#define YK_ANNOTATION_MIGRATED_TO         "pv.kubernetes.io/migrated-to"
/* Of a CSINode: plugins that CSI drivers stand in for. */
#define YK_ANNOTATION_MIGRATED_PLUGINS "storage.alpha.kubernetes.io/migrated-plugins"

/* The value of `key`, absent (p == NULL) when there is none. */
struct yk_str yk_pairs_find(const struct yk_pairs *pairs, struct yk_str key);
/* The value of `key`; absent if there is none. O(pairs). */
static inline struct yk_str yk_pairs_get(const struct yk_pairs *pairs, const char *key)
{
    return yk_pairs_find(pairs, yk_str_from(key));
}

struct yk_owner_ref {
    struct yk_str api_version, kind, name, uid;
    bool controller;
};

/* How much of an object could be read. Only pods are read in part. */
enum yk_read {
    YK_READ_WHOLE,
    YK_READ_AMOUNTS,  /* of a pod: who and where it is, and what it asks for */
    YK_READ_IDENTITY, /* of a pod: who and where it is */
};

struct yk_object {
    struct yk_arena arena;
    enum yk_kind kind;
    enum yk_read read;
    struct yk_str fault;    /* why it could not be read whole; absent: it was */
    struct yk_object *next; /* for the owner */
    /* metadata */
    struct yk_str name, namespace_, uid, resource_version;
    int64_t creation_wall_ns;
    int32_t generation;
    bool deleting; /* deletionTimestamp is set */
    struct yk_pairs labels, annotations;
    struct yk_owner_ref *owners;
    uint32_t owner_count;
};

void yk_object_free(struct yk_object *object);
YK_DEFINE_FREEP(yk_object)
/* "<namespace>/<name>"; "/<name>" without a namespace. The caller frees it. */
char *yk_object_key(struct yk_str namespace_, struct yk_str name);
/* "pods", "nodes", ...: for messages and metrics; static. */
const char *yk_kind_name(enum yk_kind kind);

struct yk_amount { /* an entry of a resource list */
    struct yk_str name;
    yk_quantity quantity;
};

struct yk_amounts {
    struct yk_amount *items;
    uint32_t count;
};

struct yk_toleration {
    struct yk_str key, operator_, value, effect; /* operator absent or "" reads as Equal */
};

struct yk_requirement { /* of a selector */
    struct yk_str key, operator_;
    struct yk_str *values;
    uint32_t value_count;
};

struct yk_selector_term {
    struct yk_requirement *expressions; /* matchExpressions */
    uint32_t expression_count;
    struct yk_requirement *fields; /* matchFields */
    uint32_t field_count;
};

struct yk_preferred_term {
    int32_t weight;
    struct yk_selector_term term;
};

struct yk_label_selector {
    struct yk_pairs labels; /* matchLabels */
    struct yk_requirement *expressions;
    uint32_t expression_count;
};

struct yk_container_port {
    int32_t host_port;               /* 0: none */
    struct yk_str protocol, host_ip; /* absent: TCP, 0.0.0.0 */
};

struct yk_container {
    struct yk_str name;
    struct yk_amounts requests, limits;
    struct yk_str restart_policy;   /* init containers: "Always" is a sidecar */
    struct yk_str *restart_actions; /* of restartPolicyRules */
    uint32_t restart_action_count;
    struct yk_container_port *ports;
    uint32_t port_count;
};

struct yk_pod_affinity_term { /* required ones only; of affinity or anti-affinity */
    struct yk_str topology_key;
    bool has_selector; /* none matches no pod, an empty one every pod */
    struct yk_label_selector selector;
    struct yk_str *namespaces;
    uint32_t namespace_count;
    bool has_namespace_selector; /* none adds no namespace, an empty one every namespace */
    struct yk_label_selector namespace_selector;
};

struct yk_spread_constraint {
    int32_t max_skew;
    int32_t min_domains; /* 0: not given */
    struct yk_str topology_key, when_unsatisfiable, node_affinity_policy, node_taints_policy;
    bool has_selector;
    struct yk_label_selector selector;
    struct yk_str *match_label_keys;
    uint32_t match_label_key_count;
};

struct yk_container_status {
    struct yk_str name;
    struct yk_amounts allocated; /* allocatedResources */
    struct yk_amounts actual;    /* resources.requests */
    bool has_actual;             /* resources is set */
};

struct yk_condition {
    struct yk_str type, status, reason, message;
};

/* What a volume is made of: in a pod, and in a persistent volume. At most one of them is set. */
struct yk_volume_source {
    struct yk_str gce_disk, ebs_volume, iscsi_iqn, rbd_pool, rbd_image, azure_disk_uri, cinder_volume,
        portworx_volume, csi_driver, csi_handle;
    struct yk_str *rbd_monitors;
    uint32_t rbd_monitor_count;
    bool gce_read_only, iscsi_read_only, rbd_read_only;
};

struct yk_pod_volume {
    struct yk_str name;
    struct yk_str claim_name; /* persistentVolumeClaim; absent for other sources */
    bool has_claim;           /* persistentVolumeClaim is set, whatever its name */
    bool is_ephemeral;        /* its claim is made for the pod: "<pod>-<volume>" */
    struct yk_volume_source source;
};

struct yk_pod {
    struct yk_object object; /* first */
    /* spec */
    struct yk_str node_name, scheduler_name, priority_class, preemption_policy;
    int32_t priority;
    int64_t active_deadline_s; /* activeDeadlineSeconds; 0: not given. The server accepts 1 to INT32_MAX */
    struct yk_pairs node_selector;
    bool has_required_affinity; /* affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution is set
                                 */
    struct yk_selector_term *required_terms;
    uint32_t required_term_count;
    struct yk_preferred_term *preferred_terms; /* affinity.nodeAffinity.preferredDuring... */
    uint32_t preferred_term_count;
    struct yk_toleration *tolerations;
    uint32_t toleration_count;
    struct yk_container *containers;
    uint32_t container_count;
    struct yk_container *init_containers;
    uint32_t init_container_count;
    struct yk_amounts overhead;
    struct yk_amounts pod_requests, pod_limits; /* of spec.resources */
    bool host_network;
    bool has_host_users, host_users; /* not set means true */
    struct yk_str *scheduling_gates;
    uint32_t scheduling_gate_count;
    struct yk_str *resource_claims; /* their names within the pod */
    uint32_t resource_claim_count;
    struct yk_str *image_pull_secrets;
    uint32_t image_pull_secret_count;
    struct yk_pod_volume *volumes;
    uint32_t volume_count;
    struct yk_pod_affinity_term *affinity_terms;
    uint32_t affinity_term_count;
    struct yk_pod_affinity_term *anti_affinity_terms;
    uint32_t anti_affinity_term_count;
    struct yk_spread_constraint *spread_constraints;
    uint32_t spread_constraint_count;
    /* status */
    struct yk_str phase, resize, nominated_node;
    int64_t start_wall_ns; /* startTime: when the kubelet accepted the pod; 0: it has not */
    struct yk_condition *conditions;
    uint32_t condition_count;
    struct yk_container_status *container_statuses;
    uint32_t container_status_count;
    struct yk_container_status *init_container_statuses;
    uint32_t init_container_status_count;
    bool has_allocated, has_actual; /* of the pod as a whole: */
    struct yk_amounts allocated;    /* allocatedResources */
    struct yk_amounts actual;       /* resources.requests */
};

struct yk_taint {
    struct yk_str key, value, effect;
};

struct yk_k8s_node {
    struct yk_object object; /* first */
    bool unschedulable;
    struct yk_taint *taints;
    uint32_t taint_count;
    struct yk_amounts allocatable;
    struct yk_str *declared_features;
    uint32_t declared_feature_count;
};

struct yk_namespace {
    struct yk_object object; /* first */
};

struct yk_priority_class {
    struct yk_object object; /* first */
    int32_t value;
    bool global_default;
    struct yk_str preemption_policy;
};

struct yk_config_map {
    struct yk_object object; /* first */
    struct yk_pairs data;
    struct yk_pairs
        binary_data; /* values decoded from base64 (JSON) or raw (protobuf): bytes, may hold NUL */
};

struct yk_disruption_budget {
    struct yk_object object; /* first */
    bool has_selector;       /* none selects nothing, an empty one everything */
    struct yk_label_selector selector;
    int32_t disruptions_allowed; /* status: as of its last evaluation */
};

/* resource.k8s.io/v1 */
struct yk_device_class {
    struct yk_object object;              /* first */
    struct yk_str extended_resource_name; /* absent: none but the one that its own name makes */
};

struct yk_webhook {
    struct yk_str name;
    struct yk_str failure_policy; /* "Fail" or "Ignore" */
};

/* MutatingWebhookConfiguration, admissionregistration.k8s.io/v1. */
struct yk_mutating_webhooks {
    struct yk_object object; /* first */
    struct yk_webhook *webhooks;
    uint32_t webhook_count;
};

/* PersistentVolumeClaim, core/v1. */
struct yk_volume_claim {
    struct yk_object object; /* first; annotations of "Read of annotations" in kubernetes.md included */
    struct yk_str class_name, volume_name, volume_mode, attributes_class; /* class_name: see has_class_name */
    bool has_class_name; /* storageClassName is set, maybe to "" */
    bool has_selector;
    struct yk_label_selector selector;
    struct yk_str *access_modes;
    uint32_t access_mode_count;
    struct yk_amounts requests;
    struct yk_str phase; /* status */
};

struct yk_object_ref {
    struct yk_str kind, namespace_, name, uid, api_version, resource_version;
};

/* PersistentVolume, core/v1. */
struct yk_volume {
    struct yk_object object; /* first */
    struct yk_amounts capacity;
    struct yk_volume_source source;
    struct yk_str *access_modes;
    uint32_t access_mode_count;
    bool has_claim;
    struct yk_object_ref claim; /* claimRef */
    struct yk_str class_name, volume_mode, attributes_class;
    bool has_required_affinity; /* nodeAffinity.required is set */
    struct yk_selector_term *required_terms;
    uint32_t required_term_count;
    struct yk_str phase; /* status */
};

struct yk_topology_requirement {
    struct yk_str key;
    struct yk_str *values;
    uint32_t value_count;
};

struct yk_topology_term {
    struct yk_topology_requirement *requirements;
    uint32_t requirement_count;
};

/* storage.k8s.io/v1 */
struct yk_storage_class {
    struct yk_object object; /* first */
    struct yk_str provisioner, binding_mode;
    struct yk_topology_term *allowed_topologies;
    uint32_t allowed_topology_count;
};

struct yk_csi_node_driver {
    struct yk_str name;
    bool has_limit; /* allocatable.count is set */
    int32_t limit;
};

struct yk_csi_node {
    struct yk_object object; /* first; named as its node */
    struct yk_csi_node_driver *drivers;
    uint32_t driver_count;
};

struct yk_csi_driver {
    struct yk_object object; /* first */
    bool storage_capacity;
    bool prevent_if_missing; /* preventPodSchedulingIfMissing */
};

struct yk_csi_capacity {     /* CSIStorageCapacity */
    struct yk_object object; /* first */
    bool has_topology;       /* none selects no node, an empty one every node */
    struct yk_label_selector topology;
    struct yk_str class_name;
    bool has_capacity, has_maximum;
    yk_quantity capacity, maximum; /* maximumVolumeSize */
};

struct yk_volume_attachment {
    struct yk_object object;                        /* first */
    struct yk_str attacher, node_name, volume_name; /* source.persistentVolumeName */
};

/* The pod that the object is; its kind must be YK_KIND_POD. Borrowed from `o`. The functions below do the
 * same for other kinds. */
static inline struct yk_pod *yk_pod_of(struct yk_object *o)
{
    return (struct yk_pod *)(void *)o;
}
/* Whether the pod has ended (phase Succeeded or Failed), so that it uses nothing. */
static inline bool yk_pod_has_ended(const struct yk_pod *pod)
{
    return yk_str_is(pod->phase, "Succeeded") || yk_str_is(pod->phase, "Failed");
}
/* Whether one of its volumes restricts where the pod can run: a claim or a source of struct
 * yk_volume_source. */
bool yk_pod_has_disks(const struct yk_pod *pod);
/* The object as a node; its kind must be YK_KIND_NODE. */
static inline struct yk_k8s_node *yk_node_of(struct yk_object *o)
{
    return (struct yk_k8s_node *)(void *)o;
}
/* The object as a priority class; its kind must be YK_KIND_PRIORITY_CLASS. */
static inline struct yk_priority_class *yk_priority_class_of(struct yk_object *o)
{
    return (struct yk_priority_class *)(void *)o;
}
/* The object as a ConfigMap; its kind must be YK_KIND_CONFIG_MAP. */
static inline struct yk_config_map *yk_config_map_of(struct yk_object *o)
{
    return (struct yk_config_map *)(void *)o;
}
/* The object as a PodDisruptionBudget; its kind must be YK_KIND_DISRUPTION_BUDGET. */
static inline struct yk_disruption_budget *yk_disruption_budget_of(struct yk_object *o)
{
    return (struct yk_disruption_budget *)(void *)o;
}
/* The object as a MutatingWebhookConfiguration; its kind must be YK_KIND_MUTATING_WEBHOOKS. */
static inline const struct yk_mutating_webhooks *yk_mutating_webhooks_of(const struct yk_object *o)
{
    return (const struct yk_mutating_webhooks *)(const void *)o;
}
/* The object as a DeviceClass; its kind must be YK_KIND_DEVICE_CLASS. */
static inline struct yk_device_class *yk_device_class_of(struct yk_object *o)
{
    return (struct yk_device_class *)(void *)o;
}
/* The object as a PersistentVolumeClaim; its kind must be YK_KIND_VOLUME_CLAIM. */
static inline struct yk_volume_claim *yk_volume_claim_of(struct yk_object *o)
{
    return (struct yk_volume_claim *)(void *)o;
}
/* The object as a PersistentVolume; its kind must be YK_KIND_VOLUME. */
static inline struct yk_volume *yk_volume_of(struct yk_object *o)
{
    return (struct yk_volume *)(void *)o;
}
/* The object as a StorageClass; its kind must be YK_KIND_STORAGE_CLASS. */
static inline struct yk_storage_class *yk_storage_class_of(struct yk_object *o)
{
    return (struct yk_storage_class *)(void *)o;
}
/* The object as a CSINode; its kind must be YK_KIND_CSI_NODE. */
static inline struct yk_csi_node *yk_csi_node_of(struct yk_object *o)
{
    return (struct yk_csi_node *)(void *)o;
}
/* The object as a CSIDriver; its kind must be YK_KIND_CSI_DRIVER. */
static inline struct yk_csi_driver *yk_csi_driver_of(struct yk_object *o)
{
    return (struct yk_csi_driver *)(void *)o;
}
/* The object as a CSIStorageCapacity; its kind must be YK_KIND_CSI_CAPACITY. */
static inline struct yk_csi_capacity *yk_csi_capacity_of(struct yk_object *o)
{
    return (struct yk_csi_capacity *)(void *)o;
}
/* The object as a VolumeAttachment; its kind must be YK_KIND_VOLUME_ATTACHMENT. */
static inline struct yk_volume_attachment *yk_volume_attachment_of(struct yk_object *o)
{
    return (struct yk_volume_attachment *)(void *)o;
}

#endif
