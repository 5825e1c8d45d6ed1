/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Typed Kubernetes objects: one struct for each kind, with the fields that this program reads.
 *
 * A reader (protobuf_reader.h, json_reader.h) makes an object. An object and everything that it points to are
 * in its arena, `object.arena`, which yk_object_free() frees. Texts are terminated views into that arena. A
 * text field that the server did not send, or sent as "", has p == NULL; entries of lists and maps may be "".
 * Other fields that the server did not send are zero.
 *
 * Written by: the reader that makes the object; its first owner in simulate, record or whatif may change
 * members before it passes the object on. Afterwards, only `next` and `more_owners` change; the owner of the
 * object writes `next`.
 * Thread: any.
 * Source: docs/reference/kubernetes.md, "What is read of each kind".
 */
#ifndef YK_API_OBJECT_H
#define YK_API_OBJECT_H

#include "base/arena.h"
#include "resources/quantity.h"

#include <stdatomic.h>

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
    /* all kinds from YK_KIND_VOLUME_FIRST to YK_KIND_VOLUME_LAST are about volumes */
    YK_KIND_VOLUME_FIRST = YK_KIND_VOLUME_CLAIM,
    YK_KIND_VOLUME_LAST = YK_KIND_VOLUME_ATTACHMENT,
};

/* Annotations of claims and volumes. */
#define YK_ANNOTATION_SELECTED_NODE       "volume.kubernetes.io/selected-node"
#define YK_ANNOTATION_STORAGE_CLASS       "volume.beta.kubernetes.io/storage-class"
#define YK_ANNOTATION_BIND_COMPLETED      "pv.kubernetes.io/bind-completed"
#define YK_ANNOTATION_BOUND_BY_CONTROLLER "pv.kubernetes.io/bound-by-controller"
#define YK_ANNOTATION_PROVISIONED_BY      "pv.kubernetes.io/provisioned-by"
#define YK_ANNOTATION_MIGRATED_TO         "pv.kubernetes.io/migrated-to"
/* Annotation of a CSINode: the in-tree volume plugins that CSI drivers replace on that node. */
#define YK_ANNOTATION_MIGRATED_PLUGINS "storage.alpha.kubernetes.io/migrated-plugins"

/* The value of the first pair with this key; absent (p == NULL) if no pair has it. Borrowed from `pairs`.
 * O(pairs). */
struct yk_str yk_pairs_find(const struct yk_pairs *pairs, struct yk_str key);
/* Like yk_pairs_find(), for a terminated key. */
static inline struct yk_str yk_pairs_get(const struct yk_pairs *pairs, const char *key)
{
    return yk_pairs_find(pairs, yk_str_from(key));
}

struct yk_owner_ref {
    struct yk_str api_version, kind, name, uid;
    bool controller;
};

/* Which fields of an object could be read. Objects of other kinds than pods are always YK_READ_WHOLE. */
enum yk_read {
    YK_READ_WHOLE,
    /* the fields of yk_pod_amounts_fields, such as name, UID, node, phase and requests of the pod */
    YK_READ_AMOUNTS,
    YK_READ_IDENTITY, /* the fields of yk_pod_identity_fields, such as name, UID, node and phase */
};

struct yk_object {
    struct yk_arena arena;
    enum yk_kind kind;
    enum yk_read read;
    struct yk_str fault;    /* why `read` is not YK_READ_WHOLE; absent if it is */
    struct yk_object *next; /* the owner may link its objects with it; readers set it to NULL */
    /* Number of owners besides the first one. Acquire and release: the owner that frees the object last sees
     * what the others did with it. */
    _Atomic uint32_t more_owners;
    /* metadata */
    struct yk_str name, namespace_, uid, resource_version;
    int64_t creation_wall_ns; /* nanoseconds since 1970; 0: not given */
    int32_t generation;       /* 0: not given */
    bool deleting;            /* deletionTimestamp is set */
    struct yk_pairs labels, annotations;
    struct yk_owner_ref *owners;
    uint32_t owner_count;
};

/* Frees an object of any kind with all that it points to, but not object->next. `object` may be NULL. If the
 * object has several owners, each of them calls the function, and the last call frees the object. */
void yk_object_free(struct yk_object *object);
/* Adds an owner, which may be on another thread, and which also has to call yk_object_free(). No owner may
 * change a shared object, not even `next`. */
void yk_object_share(struct yk_object *object);
YK_DEFINE_FREEP(yk_object)
/* A new text "<namespace>/<name>", or "/<name>" if `namespace_` is absent. The caller frees it with
 * free(). */
char *yk_object_key(struct yk_str namespace_, struct yk_str name);
/* The plural name of the kind in messages, scenarios and recordings: "pods", "nodes", ...; static. */
const char *yk_kind_name(enum yk_kind kind);

struct yk_amount { /* an entry of a resource list, such as {cpu: 500m} */
    struct yk_str name;
    yk_quantity quantity; /* in nanos: 10^9 is 1 CPU, or 1 byte */
};

struct yk_amounts {
    struct yk_amount *items;
    uint32_t count;
};

struct yk_toleration {
    struct yk_str key, operator_, value, effect; /* operator absent: Equal */
};

struct yk_requirement { /* an expression of a selector */
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
    int32_t host_port;               /* 0: there is none */
    struct yk_str protocol, host_ip; /* absent: TCP, 0.0.0.0 */
};

struct yk_container {
    struct yk_str name;
    struct yk_amounts requests, limits;
    struct yk_str restart_policy;   /* "Always" in an init container: the container is a sidecar */
    struct yk_str *restart_actions; /* `action` of each entry of restartPolicyRules */
    uint32_t restart_action_count;
    struct yk_container_port *ports;
    uint32_t port_count;
};

/* A required term of podAffinity or podAntiAffinity. Preferred terms are not read. */
struct yk_pod_affinity_term {
    struct yk_str topology_key;
    bool has_selector; /* false: the term matches no pod. An empty selector matches every pod */
    struct yk_label_selector selector;
    struct yk_str *namespaces;
    uint32_t namespace_count;
    bool has_namespace_selector; /* false: it adds no namespace. An empty selector adds every namespace */
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

/* The storage behind a volume of a pod or behind a persistent volume. The fields of at most one kind of
 * storage are set. */
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
    bool has_claim;           /* persistentVolumeClaim is set, even if its claimName is empty */
    bool is_ephemeral;        /* `ephemeral` is set: a claim "<pod>-<volume>" is made for the pod */
    struct yk_volume_source source;
};

struct yk_pod {
    struct yk_object object; /* first member */
    /* spec */
    struct yk_str node_name, scheduler_name, priority_class, preemption_policy;
    int32_t priority;
    int64_t active_deadline_s; /* activeDeadlineSeconds; 0: not given. The server accepts 1 to INT32_MAX */
    struct yk_pairs node_selector;
    bool has_required_affinity; /* affinity.nodeAffinity.requiredDuring... is set */
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
    bool has_host_users, host_users; /* without `has_host_users`, hostUsers has its default, true */
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
    int64_t start_wall_ns; /* startTime: when the kubelet accepted the pod, in ns since 1970; 0: not given */
    struct yk_condition *conditions;
    uint32_t condition_count;
    struct yk_container_status *container_statuses;
    uint32_t container_status_count;
    struct yk_container_status *init_container_statuses;
    uint32_t init_container_status_count;
    bool has_allocated, has_actual; /* status.allocatedResources is set; status.resources is set */
    struct yk_amounts allocated;    /* status.allocatedResources */
    struct yk_amounts actual;       /* status.resources.requests */
};

struct yk_taint {
    struct yk_str key, value, effect;
};

struct yk_k8s_node {
    struct yk_object object; /* first member */
    bool unschedulable;
    struct yk_taint *taints;
    uint32_t taint_count;
    struct yk_amounts allocatable;
    struct yk_str *declared_features;
    uint32_t declared_feature_count;
};

struct yk_namespace {
    struct yk_object object; /* first member */
};

struct yk_priority_class {
    struct yk_object object; /* first member */
    int32_t value;
    bool global_default;
    struct yk_str preemption_policy;
};

struct yk_config_map {
    struct yk_object object; /* first member */
    struct yk_pairs data;
    struct yk_pairs binary_data; /* values as bytes, not as base64; they may contain NUL */
};

struct yk_disruption_budget {
    struct yk_object object; /* first member */
    bool has_selector;       /* false: selects no pod. An empty selector selects every pod of the namespace */
    struct yk_label_selector selector;
    int32_t disruptions_allowed; /* status.disruptionsAllowed, as its controller last computed it */
};

/* resource.k8s.io/v1 */
struct yk_device_class {
    struct yk_object object; /* first member */
    /* absent: the class has only the resource name "deviceclass.resource.kubernetes.io/<name>" */
    struct yk_str extended_resource_name;
};

struct yk_webhook {
    struct yk_str name;
    struct yk_str failure_policy; /* "Fail" or "Ignore" */
};

/* MutatingWebhookConfiguration, admissionregistration.k8s.io/v1. */
struct yk_mutating_webhooks {
    struct yk_object object; /* first member */
    struct yk_webhook *webhooks;
    uint32_t webhook_count;
};

/* PersistentVolumeClaim, core/v1. */
struct yk_volume_claim {
    struct yk_object object; /* first member */
    struct yk_str class_name, volume_name, volume_mode, attributes_class;
    bool has_class_name; /* storageClassName is set; if it is "", `class_name` is absent */
    bool has_selector;
    struct yk_label_selector selector;
    struct yk_str *access_modes;
    uint32_t access_mode_count;
    struct yk_amounts requests;
    struct yk_str phase; /* status.phase */
};

struct yk_object_ref {
    struct yk_str kind, namespace_, name, uid, api_version, resource_version;
};

/* PersistentVolume, core/v1. */
struct yk_volume {
    struct yk_object object; /* first member */
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
    struct yk_str phase; /* status.phase */
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
    struct yk_object object; /* first member */
    struct yk_str provisioner, binding_mode;
    struct yk_topology_term *allowed_topologies;
    uint32_t allowed_topology_count;
};

struct yk_csi_node_driver {
    struct yk_str name;
    bool has_limit; /* allocatable.count is set */
    int32_t limit;  /* number of volumes; only if has_limit */
};

struct yk_csi_node {
    struct yk_object object; /* first member; its name is that of the node */
    struct yk_csi_node_driver *drivers;
    uint32_t driver_count;
};

struct yk_csi_driver {
    struct yk_object object; /* first member */
    bool storage_capacity;
    bool prevent_if_missing; /* preventPodSchedulingIfMissing */
};

struct yk_csi_capacity {     /* CSIStorageCapacity */
    struct yk_object object; /* first member */
    bool has_topology;       /* false: selects no node. An empty selector selects every node */
    struct yk_label_selector topology;
    struct yk_str class_name;
    bool has_capacity, has_maximum;
    yk_quantity capacity, maximum; /* capacity and maximumVolumeSize, in billionths of a byte */
};

struct yk_volume_attachment {
    struct yk_object object;                        /* first member */
    struct yk_str attacher, node_name, volume_name; /* source.persistentVolumeName */
};

/* The object as a pod; its kind must be YK_KIND_POD. The result is `o` itself, as in the functions for
 * other kinds below. */
static inline struct yk_pod *yk_pod_of(struct yk_object *o)
{
    return (struct yk_pod *)(void *)o;
}
/* Whether the pod has ended (phase Succeeded or Failed), so that it no longer uses resources. */
static inline bool yk_pod_has_ended(const struct yk_pod *pod)
{
    return yk_str_is(pod->phase, "Succeeded") || yk_str_is(pod->phase, "Failed");
}
/* Whether a volume of the pod can restrict the nodes for the pod: a volume that has a claim or is ephemeral,
 * or a volume whose source is a disk of struct yk_volume_source. */
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
