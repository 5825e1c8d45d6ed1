/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records behind the volume filters, shared between the files of the module.
 *
 * A record has a name and exists while the API server has its object or something else mentions the name
 * (`holders`): so a claim can point to its class and volume whatever came first.
 *
 *     pod volumes ──uses──▶ claim ──▶ class ──▶ driver
 *                             │  ▲      ▲
 *                 volumeName  ▼  │claimRef, assumed
 *                           volume ──────┘        handle ──▶ driver
 *
 * A handle is one attachable volume of a driver ("<driver>/<volume handle>"), as a node counts it.
 *
 * No argument is NULL, except where a comment says so.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_VOLUMES_VOLUMES_PRIV_H
#define YK_VOLUMES_VOLUMES_PRIV_H

#include "base/tree.h"
#include "selectors/node_terms.h"
#include "volumes/volumes.h"

struct yk__driver {
    yk_name name;
    uint32_t holders;
    const struct yk_csi_driver *object;
    uint64_t mark; /* of the round in which `wanted` was counted */
    uint32_t wanted;
};

struct yk__handle {
    yk_name name; /* "<driver>/<volume handle>" */
    uint32_t holders;
    struct yk__driver *driver; /* held */
    uint64_t mark;
};

/* Things that nodes reach by their labels: each is found under a label that its nodes must have. */
enum { YK__BUCKET_KEYS_MAX = 4 };

struct yk__bucket {
    struct yk_tree tree; /* yk__volume, by capacity, then name */
    struct yk_vec items; /* yk__capacity */
};

struct yk__buckets {
    yk_name keys[YK__BUCKET_KEYS_MAX]; /* held */
    uint32_t counts[YK__BUCKET_KEYS_MAX];
    struct yk_idmap by_label; /* key id << 32 | value id -> yk__bucket, owned; 0: no such label */
};

struct yk__class {
    yk_name name;
    uint32_t holders;
    const struct yk_storage_class *object;
    bool is_delayed, provisions;
    struct yk__driver *driver; /* held; of the provisioner, NULL when it has no name */
    struct yk_node_terms allowed;
    struct yk_list claims;      /* yk__claim, in_class: those that have no volume yet */
    struct yk__buckets volumes; /* those that are free */
    struct yk__buckets capacities;
};

struct yk__claim {
    yk_name key; /* "<namespace>/<name>" */
    uint32_t holders;
    const struct yk_volume_claim *object;
    /* Read from the object. */
    bool is_completed;         /* pv.kubernetes.io/bind-completed */
    bool once_per_pod;         /* ReadWriteOncePod */
    bool has_request;          /* spec.resources.requests.storage is there */
    yk_quantity request;       /* bytes; read it only if has_request */
    yk_name selected_node;     /* held; YK_NO_NAME: the annotation is not there */
    struct yk__class *class_;  /* held; NULL: no class */
    struct yk__volume *volume; /* held; of spec.volumeName; NULL: none */
    struct yk_list in_class, in_volume;
    /* Derived: what a node counts. */
    struct yk__handle *handle; /* held; NULL: nothing */
    bool handle_is_migrated;
    /* Assumed by plans. */
    yk_name assumed_node; /* not held: of a plan among `items` */
    /* Who uses it. */
    struct yk_list uses;     /* yk__claim_use, in_claim */
    struct yk_list items;    /* yk__plan_item, in_claim */
    struct yk_vec volumes;   /* yk__volume that are promised to it: claimRef or assumed; by name */
    uint32_t standing;       /* pods on known nodes that name it as persistentVolumeClaim */
    struct yk_idmap on_node; /* node's name -> number of pods there */
};

struct yk__zone_rule {
    yk_name key, modern; /* the label and what it is called today, the same if it is of today; not held */
    yk_name *values;     /* owned, held */
    uint32_t value_count;
};

struct yk__volume {
    yk_name name;
    uint32_t holders;
    const struct yk_volume *object;
    yk_quantity capacity;
    struct yk__class *class_;  /* held; NULL: none */
    struct yk__claim *claim;   /* held; of the claimRef or the assumption */
    struct yk__handle *handle; /* held */
    bool handle_is_migrated;
    /* Compiled when first asked for. */
    bool is_compiled, zones_compiled;
    struct yk_node_terms affinity, translated;
    struct yk__zone_rule zones[4];
    uint32_t zone_count;
    /* Among the free ones of its class. */
    struct yk_tree_link in_bucket;
    struct yk__bucket *bucket;
    struct yk_label bucket_key;
    uint32_t assumed_count; /* plans that give it to `claim` */
    uint64_t mark;
    struct yk_list claims;      /* yk__claim, in_volume: those that name it as theirs */
    struct yk_list attachments; /* yk__attachment, in_volume */
    struct yk_list items;       /* yk__plan_item, in_volume */
};

struct yk__capacity {
    const struct yk_csi_capacity *object;
    bool is_usable;
    int64_t limit_bytes;
    struct yk__class *class_; /* held */
    struct yk_node_terms nodes;
    struct yk_label bucket_key;
};

struct yk__attachment {
    const struct yk_volume_attachment *object;
    struct yk__volume *volume; /* held; NULL: it names none */
    struct yk_list in_volume;
    yk_name node;              /* held */
    struct yk__handle *handle; /* held; counted on the node; NULL: nothing is */
};

struct yk__node_driver {
    struct yk__driver *driver; /* held */
    bool is_installed, has_limit;
    int64_t limit;
    uint32_t attached; /* handles of the driver that count here */
};

struct yk__node_handle {       /* of one handle on one node */
    struct yk__handle *handle; /* held */
    uint32_t pods, attachments;
};

enum yk__disk_kind { YK__DISK_GCE, YK__DISK_EBS, YK__DISK_ISCSI, YK__DISK_RBD };

struct yk__disk { /* a disk of the old kinds, named by a pod itself */
    enum yk__disk_kind kind;
    bool read_only;
    yk_name name, image; /* held; image: rbd only */
    yk_name *monitors;   /* owned, held; rbd only */
    uint32_t monitor_count;
};

struct yk__node_disk {
    const struct yk__disk *disk; /* of the pods there */
    uint32_t pods;
};

struct yk__node_volumes {
    yk_name name;
    const struct yk_csi_node *csi;
    uint32_t migrated;               /* bit per enum yk__in_tree that the CSINode lists */
    struct yk__node_driver *drivers; /* owned */
    uint32_t driver_count;
    struct yk_idmap handles;     /* handle's name -> yk__node_handle, owned */
    struct yk__node_disk *disks; /* owned */
    uint32_t disk_count, disk_capacity;
};

struct yk__claim_use {
    struct yk_list in_claim;
    struct yk_pod_volumes *user;
    struct yk__claim *claim; /* held */
    bool by_name;            /* persistentVolumeClaim */
    bool is_ephemeral;       /* made for the pod */
};

struct yk_pod_volumes {
    char *key; /* owned */
    size_t key_len;
    uint32_t holders;
    struct yk__claim_use *uses; /* owned, in the order of the pod's spec, each claim once */
    uint32_t use_count;
    struct yk_vec by_size; /* yk__claim_use: the same by size of the request, while is_sorted */
    bool is_sorted;
    struct yk__disk *disks; /* owned */
    uint32_t disk_count;
    struct yk__handle **handles; /* owned, held; of volumes that the pod names itself */
    uint32_t handle_count;
    char *pod, *pod_uid; /* owned; "<namespace>/<name>", when some claim is made for the pod */
    uint32_t refusals;   /* YK_VOLUMES_*: answers since it was last woken */
    struct yk_list in_refused, in_woken;
    struct yk_list followers; /* the caller's */
};

enum { YK__VERSION_MAX = 40 }; /* a resourceVersion; a longer one is cut for our comparison */

enum yk__item_state { YK__ITEM_UNWRITTEN, YK__ITEM_SENT, YK__ITEM_WRITTEN, YK__ITEM_SEEN };

struct yk__plan_item {
    struct yk_list in_claim, in_volume;
    struct yk_volume_plan *plan;
    struct yk__claim *claim;   /* held */
    struct yk__volume *volume; /* held; NULL: to be provisioned */
    /* The binder's. */
    enum yk__item_state state;
    char sent_version[YK__VERSION_MAX]; /* what the last write was guarded by */
    uint32_t attempts;
    int64_t not_before_mono_ns;
};

struct yk_volume_plan {
    struct yk_list in_plans;
    struct yk_pod_volumes *pod_volumes; /* held */
    yk_name node;                       /* held */
    struct yk__plan_item *items;        /* owned */
    uint32_t item_count;
    /* Something about it changed. Called in the middle of things: it only notes. */
    void (*on_change)(struct yk_volume_plan *plan);
    void *binding; /* the binder's */
};

/* ---- records (claims.c, classes.c, node_volumes.c) ---- */

/* The record of that claim, made if there is none, with a reference for the caller, who drops it with
 * yk__claim_put(). The other ..._hold() are the same for other records. */
struct yk__claim *yk__claim_hold(struct yk_volumes *volumes, struct yk_str namespace_, struct yk_str name);
/* Drops a reference; the last one frees a record that has no object. NULL is fine. The other ..._put() are
 * the same. */
void yk__claim_put(struct yk_volumes *volumes, struct yk__claim *claim);
/* Updates the place of the claim in its class and what nodes count for it. Call it after its class, volume or
 * object changed. */
void yk__claim_refresh(struct yk_volumes *volumes, struct yk__claim *claim);
/* Whether the claim is bound: volumeName is set and the controller has finished. */
bool yk__claim_is_bound(const struct yk__claim *claim);
/* Whether the claim is bound only once its pod has a node (WaitForFirstConsumer). */
bool yk__claim_is_delayed(const struct yk__claim *claim);
/* The node it is to be provisioned on; YK_NO_NAME: none was chosen. */
yk_name yk__claim_selected_node(const struct yk__claim *claim);
/* Like yk__claim_hold() for a volume. */
struct yk__volume *yk__volume_hold(struct yk_volumes *volumes, struct yk_str name);
/* Like yk__claim_put() for a volume. */
void yk__volume_put(struct yk_volumes *volumes, struct yk__volume *volume);
/* Gives the volume to the claim before the API server confirms it. */
void yk__volume_assume(struct yk__volume *volume, struct yk__claim *claim);
/* Takes back what yk__volume_assume() did. */
void yk__volume_unassume(struct yk_volumes *volumes, struct yk__volume *volume);
/* Whether the volume is bound to this claim, or assumed to be: by name and, where both are known, by uid. */
bool yk__volume_is_for(const struct yk__volume *volume, const struct yk__claim *claim);
/* Whether the node matches the nodeAffinity of the volume. `translated`: in the form of its CSI driver, for a
 * node to which the driver was migrated. */
bool yk__volume_reaches(struct yk_volumes *volumes, struct yk__volume *volume,
                        const struct yk_cache_node *node, bool translated);

/* Like yk__claim_hold() for a storage class. */
struct yk__class *yk__class_hold(struct yk_volumes *volumes, struct yk_str name);
/* Like yk__claim_put() for a storage class. */
void yk__class_put(struct yk_volumes *volumes, struct yk__class *class_);
/* Like yk__claim_hold() for a CSI driver. */
struct yk__driver *yk__driver_hold(struct yk_volumes *volumes, struct yk_str name);
/* Like yk__claim_put() for a CSI driver. */
void yk__driver_put(struct yk_volumes *volumes, struct yk__driver *driver);
/* Like yk__claim_hold() for the volume that the driver calls `handle`. */
struct yk__handle *yk__handle_hold(struct yk_volumes *volumes, struct yk_str driver, struct yk_str handle);
/* Adds a reference; returns `handle`. */
struct yk__handle *yk__handle_ref(struct yk__handle *handle);
/* Like yk__claim_put() for a handle. */
void yk__handle_put(struct yk_volumes *volumes, struct yk__handle *handle);

/* The bucket for items that need the node label `bucket_key`, made if there is none. `*ret_bucket_key`: the
 * key that is really used, with references to its names. */
struct yk__bucket *yk__bucket_for(struct yk__buckets *buckets, struct yk_label bucket_key,
                                  struct yk_label *ret_bucket_key);
/* An item was removed from the bucket with that key: frees the bucket if it is empty, drops the references of
 * `bucket_key` and clears it. */
void yk__bucket_left(struct yk__buckets *buckets, struct yk_label *bucket_key);
/* Fills `ret` with the buckets that the node reaches. Returns how many. */
uint32_t yk__buckets_of(const struct yk__buckets *buckets, const struct yk_cache_node *node,
                        struct yk__bucket *ret[YK__BUCKET_KEYS_MAX + 1]);

/* What is known about the volumes of the node; borrowed. NULL: nothing. */
struct yk__node_volumes *yk__node_volumes(const struct yk_volumes *volumes, yk_name node);
/* What is known of the driver on the node; NULL: nothing. */
struct yk__node_driver *yk__node_driver(const struct yk__node_volumes *node, const struct yk__driver *driver);
/* Counts one pod with the handle on the node more (`begins`) or less. */
void yk__node_count_pods(struct yk_volumes *volumes, yk_name node, struct yk__handle *handle, bool begins);
/* Like yk__node_count_pods() for a disk that a pod names itself. */
void yk__node_count_disk(struct yk_volumes *volumes, yk_name node, const struct yk__disk *disk, bool begins);
/* Counts the attachment on its node under the handle that its volume has now, or under none. */
void yk__attachment_refresh(struct yk_volumes *volumes, struct yk__attachment *attachment);

/* Replaces the object of the claim by `after` (NULL: it is gone), and updates what depends on it. The former
 * object is not used after this. */
void yk__claim_becomes(struct yk_volumes *volumes, struct yk__claim *claim,
                       const struct yk_volume_claim *after);
/* Like yk__claim_becomes() for a volume. */
void yk__volume_becomes(struct yk_volumes *volumes, struct yk__volume *volume,
                        const struct yk_volume *object);
/* Like yk__claim_becomes() for a storage class. */
void yk__class_becomes(struct yk_volumes *volumes, struct yk__class *class_,
                       const struct yk_storage_class *object);
/* Like yk__claim_becomes() for the CSINode of the node. */
void yk__node_becomes(struct yk_volumes *volumes, yk_name name, const struct yk_csi_node *after);
/* Takes it from its class and frees it. */
void yk__capacity_free(struct yk_volumes *volumes, struct yk__capacity *capacity);
/* Counts it on its node no longer, and frees it. */
void yk__attachment_free(struct yk_volumes *volumes, struct yk__attachment *attachment);

/* ---- in-tree volumes and the CSI drivers that took them over (in_tree.c) ---- */

enum yk__in_tree {
    YK__IN_TREE_EBS,
    YK__IN_TREE_PD,
    YK__IN_TREE_AZURE,
    YK__IN_TREE_CINDER,
    YK__IN_TREE_PORTWORX,
    YK__IN_TREE_NONE,
};

/* The kind of an in-tree volume; YK__IN_TREE_NONE for other volumes. */
enum yk__in_tree yk__in_tree_of(const struct yk_volume_source *source);
/* The kind by the name of its plugin, such as "kubernetes.io/aws-ebs"; YK__IN_TREE_NONE for other names. */
enum yk__in_tree yk__in_tree_of_plugin(struct yk_str plugin);
/* The name of the CSI driver that took the kind over; static text. `kind` is not YK__IN_TREE_NONE. */
struct yk_str yk__in_tree_driver(enum yk__in_tree kind);
/* Appends the volume handle that the CSI driver of `kind` has for the volume. `labels`: those of the volume
 * object; NULL: a pod names the volume itself. False: the name has no form that the driver knows. */
bool yk__in_tree_handle(enum yk__in_tree kind, const struct yk_volume_source *source,
                        const struct yk_pairs *labels, struct yk_buf *out);
/* Sets `*ret` to the nodeAffinity of an in-tree volume as its CSI driver would write it; the caller ends it
 * with yk_node_terms_done(). False: it has none (every node can reach it), and `*ret` is not set. `kind` is
 * not YK__IN_TREE_NONE. */
bool yk__in_tree_affinity(enum yk__in_tree kind, const struct yk_volume *volume, struct yk_node_terms *ret);
/* The plugins in a comma separated list, as bits 1 << enum yk__in_tree; others are ignored. */
uint32_t yk__in_tree_listed(struct yk_str list);

/* ---- filters ---- */

/* The YK_VOLUMES_ bits of VolumeRestrictions; 0: the node passes. `node` NULL: nothing is on it. */
uint32_t yk__restrictions(const struct yk_pod_volumes *pod_volumes, const struct yk__node_volumes *node);
/* Whether no pod on the node (NULL: nothing is on it) uses a disk in a way that excludes these pod volumes. */
bool yk__disks_free(const struct yk_pod_volumes *pod_volumes, const struct yk__node_volumes *node);
/* Whether no other pod uses a claim that is ReadWriteOncePod. */
bool yk__claims_unused(const struct yk_pod_volumes *pod_volumes);
/* Whether the node can attach what it has not attached yet: 0, YK_VOLUMES_TOO_MANY, or YK_VOLUMES_NO_DRIVER,
 * which sets `*ret_driver` (may be NULL) to the driver that is missing. `node` may be NULL. O(volumes of the
 * pod). */
uint32_t yk__attach_limits(struct yk_volumes *volumes, const struct yk_pod_volumes *pod_volumes,
                           const struct yk__node_volumes *node, const struct yk__driver **ret_driver);

/* Whether the claims can be bound for the node: 0, or the YK_VOLUMES_ bits of VolumeBinding. If 0,
 * volumes->scratch has a pair for each claim that is not bound: the claim and its volume, NULL if it is to be
 * provisioned. */
uint32_t yk__volume_binding(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                            const struct yk_cache_node *node);
/* Whether the zones of the pod's bound volumes have the node: 0, or YK_VOLUMES_ZONE_CONFLICT. O(uses *
 * zones). */
uint32_t yk__volume_zone(struct yk_volumes *volumes, const struct yk_pod_volumes *pod_volumes,
                         const struct yk_cache_node *node);
/* Forgets the zones that were read from the volume's labels. */
void yk__zones_clear(struct yk__volume *volume);

/* ---- waking (waking.c): those who were refused for one of `reasons` ---- */

#define YK__ANY_REASON UINT32_MAX

/* Takes note that the pod's volumes were refused for `reason`, so that yk__wake() wakes them for it. */
void yk__refused(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, uint32_t reason);
/* Wakes the description if it was refused for one of `reasons`. */
void yk__wake(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, uint32_t reasons);
/* Wakes all descriptions that were refused for one of `reasons`. */
void yk__wake_all(struct yk_volumes *volumes, uint32_t reasons);
/* Wakes the descriptions that use the claim and were refused for one of `reasons`. */
void yk__wake_claim(struct yk_volumes *volumes, const struct yk__claim *claim, uint32_t reasons);
/* Wakes the descriptions with an unbound claim of the class that were refused for one of `reasons`. */
void yk__wake_class(struct yk_volumes *volumes, const struct yk__class *class_, uint32_t reasons);
/* A pod or an attachment left the node: wakes the descriptions that were refused for its limits. */
void yk__wake_for_limits(struct yk_volumes *volumes, const struct yk__node_volumes *node);
/* Like yk__wake_for_limits() for disks that pods name themselves. */
void yk__wake_for_disks(struct yk_volumes *volumes, const struct yk__node_volumes *node);
/* Calls `on_change` of the plans that contain the claim. */
void yk__notify_claim_plans(const struct yk__claim *claim);
/* Like yk__notify_claim_plans() for a volume. */
void yk__notify_volume_plans(const struct yk__volume *volume);

/* An annotation's value, absent when there is none. */
static inline struct yk_str yk__annotation(const struct yk_object *object, const char *key)
{
    return yk_pairs_get(&object->annotations, key);
}
#define YK__NO_PROVISIONER "kubernetes.io/no-provisioner"
#define YK__STORAGE        "storage"

#endif
