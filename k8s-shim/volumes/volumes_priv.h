/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records that the volume filters read, shared by the files of the module.
 *
 * The record of a claim, volume, class or driver exists while the API server has an object of its name, or
 * while something refers to the record (`holders`). So a claim can point to its class and volume even if
 * these do not exist yet. "Held" means that a pointer or a name owns a reference.
 *
 *     pod volumes ──uses──▶ claim ──▶ class ──▶ driver
 *                             │  ▲      ▲
 *                 volumeName  ▼  │claimRef, assumed
 *                           volume ──────┘        handle ──▶ driver
 *
 * A handle stands for one attachable volume of a driver. Its name is "<driver>/<volume handle>". Nodes count
 * handles.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_VOLUMES_VOLUMES_PRIV_H
#define YK_VOLUMES_VOLUMES_PRIV_H

#include "base/tree.h"
#include "selectors/node_terms.h"
#include "volumes/volumes.h"

/* A CSI driver. */
struct yk__driver {
    yk_name name; /* held; so are the names of all records */
    uint32_t holders;
    /* borrowed from the cache; NULL: there is none. The same holds for `object` of the other records */
    const struct yk_csi_driver *object;
    uint64_t mark;   /* yk_volumes.round in which `wanted` was counted */
    uint32_t wanted; /* volumes of the driver that the node would attach for the pod */
};

struct yk__handle {
    yk_name name; /* "<driver>/<volume handle>" */
    uint32_t holders;
    struct yk__driver *driver; /* held */
    uint64_t mark;             /* yk_volumes.round in which NodeVolumeLimits has seen the handle */
};

/* Free volumes and usable storage capacities are in *buckets*. An item that requires a label of its nodes is
 * in the bucket of that label. The bucket without a label has the items that require no label, and those that
 * came when there were too many label keys. */
enum { YK__BUCKET_KEYS_MAX = 4 }; /* label keys of the buckets of one class */

struct yk__bucket {
    struct yk_tree tree; /* yk__volume, by capacity, then name */
    struct yk_vec items; /* yk__capacity */
};

struct yk__buckets {
    yk_name keys[YK__BUCKET_KEYS_MAX];    /* held; a key is unused if its count is 0 */
    uint32_t counts[YK__BUCKET_KEYS_MAX]; /* items in buckets of that key */
    struct yk_idmap by_label; /* (key id << 32 | value id), or 0 without a label -> yk__bucket, owned */
};

/* A storage class. */
struct yk__class {
    yk_name name;
    uint32_t holders;
    const struct yk_storage_class *object;
    bool is_delayed;              /* volumeBindingMode is WaitForFirstConsumer */
    bool provisions;              /* the class has a provisioner other than YK__NO_PROVISIONER */
    struct yk__driver *driver;    /* held; has the name of the provisioner; NULL: there is none */
    struct yk_node_terms allowed; /* allowedTopologies */
    struct yk_list claims;        /* yk__claim, in_class: claims that exist and have no existing volume */
    struct yk__buckets volumes;   /* free volumes: Available, and given to no claim */
    struct yk__buckets capacities;
};

struct yk__claim {
    yk_name key; /* "<namespace>/<name>" */
    uint32_t holders;
    const struct yk_volume_claim *object;
    /* Read from the object. */
    bool is_completed;         /* pv.kubernetes.io/bind-completed */
    bool once_per_pod;         /* ReadWriteOncePod */
    bool has_request;          /* spec.resources.requests.storage exists */
    yk_quantity request;       /* bytes, as an exact quantity; 0 if there is none */
    yk_name selected_node;     /* held; value of the annotation; YK_NO_NAME: there is none */
    struct yk__class *class_;  /* held; NULL: there is none */
    struct yk__volume *volume; /* held; spec.volumeName names it; NULL: there is none */
    struct yk_list in_class, in_volume;
    /* The attachable volume that a node counts for the claim. */
    struct yk__handle *handle; /* held; NULL: nothing is counted */
    /* `handle` is that of an in-tree volume, which NodeVolumeLimits ignores on nodes without a CSINode */
    bool handle_is_migrated;
    /* node of the first plan that has a volume provisioned for the claim; not held; YK_NO_NAME: there is
     * none */
    yk_name assumed_node;
    struct yk_list uses;     /* yk__claim_use, in_claim */
    struct yk_list items;    /* yk__plan_item, in_claim */
    struct yk_vec volumes;   /* yk__volume whose `claim` is this claim, in order of names */
    uint32_t standing;       /* pods on known nodes that name the claim as persistentVolumeClaim */
    struct yk_idmap on_node; /* id of a node's name -> number of pods on the node that use the claim */
};

/* A zone or region label of a volume, with the values that VolumeZone accepts at a node. */
struct yk__zone_rule {
    /* not held. `modern`: the present key if `key` is a deprecated one, otherwise the same key */
    yk_name key, modern;
    yk_name *values; /* owned, held */
    uint32_t value_count;
};

/* A PersistentVolume. */
struct yk__volume {
    yk_name name;
    uint32_t holders;
    const struct yk_volume *object;
    yk_quantity capacity;      /* bytes, as an exact quantity */
    struct yk__class *class_;  /* held; NULL: there is none */
    struct yk__claim *claim;   /* held; named by the claimRef, or else of a plan; NULL: there is none */
    struct yk__handle *handle; /* held; NULL: nodes do not count the volume */
    bool handle_is_migrated;   /* as in struct yk__claim */
    /* Compiled from the object when they are needed. */
    bool is_compiled, zones_compiled;
    struct yk_node_terms affinity;   /* the nodeAffinity */
    struct yk_node_terms translated; /* the nodeAffinity of an in-tree volume in the form of its driver */
    struct yk__zone_rule zones[4];
    uint32_t zone_count;
    struct yk_tree_link in_bucket;
    struct yk__bucket *bucket;  /* in class_->volumes; NULL: the volume is not free */
    struct yk_label bucket_key; /* of `bucket`; held */
    uint32_t assumed_count;     /* plans that give the volume to a claim */
    uint64_t mark;              /* yk_volumes.round in which a search has given the volume to a claim */
    struct yk_list claims;      /* yk__claim, in_volume: claims whose volumeName is this volume */
    struct yk_list attachments; /* yk__attachment, in_volume */
    struct yk_list items;       /* yk__plan_item, in_volume */
};

/* A CSIStorageCapacity. */
struct yk__capacity {
    const struct yk_csi_capacity *object;
    /* the object has a topology and an amount; otherwise only `object` and `class_` are set */
    bool is_usable;
    int64_t limit_bytes;        /* of the largest volume that can be provisioned */
    struct yk__class *class_;   /* held */
    struct yk_node_terms nodes; /* the nodes that reach the capacity */
    struct yk_label bucket_key; /* of its bucket in class_->capacities; held */
};

/* A VolumeAttachment. */
struct yk__attachment {
    const struct yk_volume_attachment *object;
    struct yk__volume *volume; /* held; NULL: the object names no volume */
    struct yk_list in_volume;
    yk_name node;              /* held */
    struct yk__handle *handle; /* held; the node counts it; NULL: nothing is counted */
};

/* A CSI driver on a node. */
struct yk__node_driver {
    struct yk__driver *driver; /* held */
    bool is_installed;         /* the CSINode lists it */
    bool has_limit;
    int64_t limit;     /* the largest number of volumes, if `has_limit` */
    uint32_t attached; /* handles of the driver on the node */
};

/* An attachable volume on a node. It is counted once, however many pods and attachments it has there. */
struct yk__node_handle {
    struct yk__handle *handle;  /* held */
    uint32_t pods, attachments; /* pods: see yk__node_count_pods() */
};

enum yk__disk_kind { YK__DISK_GCE, YK__DISK_EBS, YK__DISK_ISCSI, YK__DISK_RBD };

/* A disk that a pod names itself, without a claim. */
struct yk__disk {
    enum yk__disk_kind kind;
    bool read_only;
    yk_name name, image; /* held; image: rbd only */
    yk_name *monitors;   /* owned, held; rbd only */
    uint32_t monitor_count;
};

struct yk__node_disk {
    const struct yk__disk *disk; /* borrowed from the description of the pods */
    uint32_t pods;               /* pods on the node with that description */
};

/* The volumes on a node. */
struct yk__node_volumes {
    yk_name name;
    const struct yk_csi_node *csi;   /* borrowed from the cache; NULL: there is no CSINode */
    uint32_t migrated;               /* bits 1 << enum yk__in_tree: migrated plugins in the CSINode */
    struct yk__node_driver *drivers; /* owned */
    uint32_t driver_count;
    struct yk_idmap handles;     /* id of a handle's name -> yk__node_handle, owned */
    struct yk__node_disk *disks; /* owned */
    uint32_t disk_count, disk_capacity;
};

/* A claim of a pod. */
struct yk__claim_use {
    struct yk_list in_claim;     /* in claim->uses */
    struct yk_pod_volumes *user; /* owns this use */
    struct yk__claim *claim;     /* held */
    bool by_name;                /* the pod names the claim as persistentVolumeClaim */
    bool is_ephemeral;           /* Kubernetes makes the claim for the pod */
};

struct yk_pod_volumes {
    char *key; /* owned: yk_pod_volumes_key() */
    size_t key_len;
    uint32_t holders;
    struct yk__claim_use *uses; /* owned, in the order of the pod's spec, each claim once */
    uint32_t use_count;
    struct yk_vec by_size; /* items of `uses` in order of their requests; valid only if is_sorted */
    bool is_sorted;
    struct yk__disk *disks; /* owned */
    uint32_t disk_count;
    struct yk__handle **handles; /* owned, held; of in-tree volumes that the pod names itself */
    uint32_t handle_count;
    char *pod, *pod_uid; /* owned: "<namespace>/<name>" and UID of the pod; NULL: no claim is ephemeral */
    uint32_t refusals;   /* YK_VOLUMES_ bits of all refusals since the description was last woken */
    struct yk_list in_refused, in_woken;
    struct yk_list followers; /* see yk_pod_volumes_followers() */
};

enum { YK__VERSION_MAX = 40 }; /* bytes of a resourceVersion and a NUL; a longer one is cut */

/* How far the binder has written an item of a plan. */
enum yk__item_state {
    YK__ITEM_UNWRITTEN,
    YK__ITEM_SENT,    /* the request is in flight */
    YK__ITEM_WRITTEN, /* the API server has accepted the request */
    YK__ITEM_SEEN,    /* the watch has shown the effect */
};

struct yk__plan_item {
    struct yk_list in_claim, in_volume;
    struct yk_volume_plan *plan;
    struct yk__claim *claim;   /* held */
    struct yk__volume *volume; /* held; NULL: a volume is to be provisioned for the claim */
    /* Written by the binder. */
    enum yk__item_state state;
    char sent_version[YK__VERSION_MAX]; /* resourceVersion in the last request */
    uint32_t attempts;                  /* requests so far */
    int64_t not_before_mono_ns;         /* the next request is not sent earlier */
};

struct yk_volume_plan {
    struct yk_list in_plans;
    struct yk_pod_volumes *pod_volumes; /* held */
    yk_name node;                       /* held */
    struct yk__plan_item *items;        /* owned */
    uint32_t item_count;
    /* A claim or a volume of the plan has changed; or the node of the plan was added, has other labels
     * (yk_volumes_node_changed()), or another list of migrated plugins in its CSINode. It is called while
     * records change, so it must not read or change them: it arranges that this is done later. NULL: not
     * called. */
    void (*on_change)(struct yk_volume_plan *plan);
    void *binding; /* struct yk_volume_binding, which owns the plan; NULL: there is none */
};

/* ---- records (claims.c, classes.c, node_volumes.c) ---- */

/* The record of the claim with that name, made if there is none, with a reference, which the caller gives
 * back with yk__claim_put(). The other functions ..._hold() do the same for other records. */
struct yk__claim *yk__claim_hold(struct yk_volumes *volumes, struct yk_str namespace_, struct yk_str name);
/* Gives back a reference; the last one frees a record that has no object. NULL is fine. The other functions
 * ..._put() do the same. */
void yk__claim_put(struct yk_volumes *volumes, struct yk__claim *claim);
/* Updates the list class_->claims and what nodes count for the claim, and marks the orders of its uses by
 * size as out of date. Call it after the class, the volume or the object of the claim has changed. The claim
 * moves to the end of class_->claims if it has an object and a class, and no volume with an object. Otherwise
 * it is removed from that list. So a caller must not iterate over class_->claims. Wakes pods that
 * NodeVolumeLimits has refused; the caller wakes the other pods that use the claim. */
void yk__claim_refresh(struct yk_volumes *volumes, struct yk__claim *claim);
/* Whether the claim is bound: it has a volumeName, and the annotation with which the volume controller says
 * that it has finished. The volume need not exist: callers check whether claim->volume->object is NULL. */
bool yk__claim_is_bound(const struct yk__claim *claim);
/* Whether the claim has no volumeName, and its class binds it only after its pod has a node
 * (WaitForFirstConsumer). False if the class does not exist. A claim that is neither bound nor delayed keeps
 * its pod from all nodes. */
bool yk__claim_is_delayed(const struct yk__claim *claim);
/* The node for which a volume is to be provisioned for the claim: the one that its annotation names, or else
 * the one of a plan. YK_NO_NAME: there is none. Borrowed. */
yk_name yk__claim_selected_node(const struct yk__claim *claim);
/* Like yk__claim_hold() for a volume. */
struct yk__volume *yk__volume_hold(struct yk_volumes *volumes, struct yk_str name);
/* Like yk__claim_put() for a volume. */
void yk__volume_put(struct yk_volumes *volumes, struct yk__volume *volume);
/* A plan gives the volume to the claim before the API server confirms it. At the call, volume->claim is NULL
 * or `claim`. The caller has added the item of the plan to volume->items. It undoes the call with
 * yk__volume_unassume(). */
void yk__volume_assume(struct yk__volume *volume, struct yk__claim *claim);
/* Undoes yk__volume_assume() for a plan whose item the caller has removed from volume->items. Wakes pods that
 * may fit now. */
void yk__volume_unassume(struct yk_volumes *volumes, struct yk__volume *volume);
/* Whether the volume belongs to the claim, by its claimRef or by a plan. If the claimRef has a UID, the UID
 * must be that of the claim. The volume has an object. Returns false for a claim without an object. */
bool yk__volume_is_for(const struct yk__volume *volume, const struct yk__claim *claim);
/* Whether the node matches the nodeAffinity of the volume, which has an object. A volume without nodeAffinity
 * matches every node. `translated`: if the CSINode of the node lists the plugin of an in-tree volume as
 * migrated, uses the nodeAffinity in the form of the CSI driver. */
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
/* Adds a reference and returns `handle`. */
struct yk__handle *yk__handle_ref(struct yk__handle *handle);
/* Like yk__claim_put() for a handle, which never has an object. */
void yk__handle_put(struct yk_volumes *volumes, struct yk__handle *handle);

/* The bucket for an item that requires the label `bucket_key` of its nodes (YK_NO_NAME: it requires none),
 * made if there is none. The caller adds the item, and calls yk__bucket_left() after it has removed the item
 * again. Sets `*ret_bucket_key` to the label of the bucket, with references to its names, which
 * yk__bucket_left() gives back. The bucket without a label has YK_NO_NAME there. It is also used for an item
 * whose key is new when YK__BUCKET_KEYS_MAX other keys are in use. */
struct yk__bucket *yk__bucket_for(struct yk__buckets *buckets, struct yk_label bucket_key,
                                  struct yk_label *ret_bucket_key);
/* The caller has removed an item from its bucket: frees the bucket if it is empty. `*bucket_key` is the label
 * that yk__bucket_for() has set for the item. Gives back the references of the label, and sets it to
 * YK_NO_NAME. */
void yk__bucket_left(struct yk__buckets *buckets, struct yk_label *bucket_key);
/* Fills `ret` with the buckets whose items the node may reach, and returns their number. The buckets are
 * borrowed until an item is added or removed. */
uint32_t yk__buckets_of(const struct yk__buckets *buckets, const struct yk_cache_node *node,
                        struct yk__bucket *ret[YK__BUCKET_KEYS_MAX + 1]);

/* The record of the volumes on the node; NULL: the node has neither volumes nor a CSINode. Borrowed until the
 * next change of `volumes`. */
struct yk__node_volumes *yk__node_volumes(const struct yk_volumes *volumes, yk_name node);
/* The record of the driver on the node; NULL: the driver is not installed and has nothing attached, or `node`
 * is NULL. Borrowed until the next change of the node. */
struct yk__node_driver *yk__node_driver(const struct yk__node_volumes *node, const struct yk__driver *driver);
/* A pod that uses the handle was placed on the node (`begins`), or has left it. For a volume that pods name
 * themselves, call it for each pod. For the handle of a claim, call it only for the first pod on the node
 * that uses the claim, and when the last one has left. Wakes pods that may fit now. */
void yk__node_count_pods(struct yk_volumes *volumes, yk_name node, struct yk__handle *handle, bool begins);
/* Like yk__node_count_pods() for a disk that the pod names itself. The disk is borrowed until the last pod
 * with it has left the node. */
void yk__node_count_disk(struct yk_volumes *volumes, yk_name node, const struct yk__disk *disk, bool begins);
/* Updates the handle that the node counts for the attachment. Call it after the volume or the object of the
 * attachment has changed. */
void yk__attachment_refresh(struct yk_volumes *volumes, struct yk__attachment *attachment);

/* Replaces the object of the claim by `after`, which is borrowed until the next change (NULL: the claim was
 * deleted). Updates what depends on the object, calls `on_change` of the plans with the claim, and wakes pods
 * that may fit now. The former object is not read, so it may be gone. The caller holds a reference
 * (yk__claim_hold()) during the call. When the caller gives it back, a record without an object and without
 * further references is freed. */
void yk__claim_becomes(struct yk_volumes *volumes, struct yk__claim *claim,
                       const struct yk_volume_claim *after);
/* Like yk__claim_becomes() for a volume, but calls `on_change` only of plans with claims whose volumeName is
 * the volume, and wakes only the pods of these claims and pods that NodeVolumeLimits has refused. The caller
 * wakes the pods of volume->claim and, if the volume is in a bucket, of its class, and calls
 * yk__notify_volume_plans(). */
void yk__volume_becomes(struct yk_volumes *volumes, struct yk__volume *volume,
                        const struct yk_volume *object);
/* Replaces the object of the storage class by `object`, which is borrowed until the next change (NULL: the
 * class was deleted). Wakes no pods and calls no `on_change`. The caller then calls yk__claim_refresh() for
 * each claim in class_->claims, and yk__wake_class(). The former object is not read. The caller holds a
 * reference to the class during the call. */
void yk__class_becomes(struct yk_volumes *volumes, struct yk__class *class_,
                       const struct yk_storage_class *object);
/* Replaces the CSINode of the node `name` by `after`, which is borrowed until the next call for that node
 * (NULL: there is none any longer). The former object is not used at all. Makes the record of the node if
 * there is none, and frees it if it has neither a CSINode nor volumes then. Wakes pods that may fit now:
 * those that NodeVolumeLimits has refused, and, if the list of migrated plugins has changed, those with
 * YK_VOLUMES_NODE_CONFLICT. Then it also calls `on_change` of the plans with that node, because the affinity
 * of in-tree volumes is translated on nodes that list their plugin. The caller needs no reference to `name`.
 * O(refused descriptions + plans). */
void yk__node_becomes(struct yk_volumes *volumes, yk_name name, const struct yk_csi_node *after);
/* Removes the capacity from its class, and frees it. The caller has removed it from volumes->capacities. */
void yk__capacity_free(struct yk_volumes *volumes, struct yk__capacity *capacity);
/* Removes the attachment from the counts of its node, and frees it. The caller has removed it from
 * volumes->attachments. */
void yk__attachment_free(struct yk_volumes *volumes, struct yk__attachment *attachment);

/* ---- in-tree volumes, and the CSI drivers to which Kubernetes has migrated them (in_tree.c) ---- */

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
/* The name of the CSI driver that serves volumes of this kind; static text. `kind` is not
 * YK__IN_TREE_NONE. */
struct yk_str yk__in_tree_driver(enum yk__in_tree kind);
/* Appends the volume handle that the CSI driver of `kind` has for the volume. `kind`: yk__in_tree_of() for
 * `source`. `labels`: those of the PersistentVolume; NULL: a pod names the volume itself. True: the handle is
 * complete; it may be empty. False: the volume has no handle, because its name or its zones are malformed, or
 * because `kind` is YK__IN_TREE_NONE; a part of a handle may have been appended. */
bool yk__in_tree_handle(enum yk__in_tree kind, const struct yk_volume_source *source,
                        const struct yk_pairs *labels, struct yk_buf *out);
/* Sets `*ret` to the nodeAffinity of an in-tree volume as its CSI driver would write it. The caller ends
 * `*ret` with yk_node_terms_done(). False: every node can reach the volume, because it has no nodeAffinity;
 * `*ret` is not set. `kind` is not YK__IN_TREE_NONE. */
bool yk__in_tree_affinity(enum yk__in_tree kind, const struct yk_volume *volume, struct yk_node_terms *ret);
/* The kinds whose plugins are in a comma-separated list, as bits 1 << enum yk__in_tree; other names are
 * ignored. */
uint32_t yk__in_tree_listed(struct yk_str list);

/* ---- filters. A struct yk__node_volumes that is NULL: the node has neither volumes nor a CSINode ---- */

/* VolumeRestrictions. Returns 0 if the node passes, otherwise YK_VOLUMES_DISK_IN_USE or
 * YK_VOLUMES_CLAIM_IN_USE. */
uint32_t yk__restrictions(const struct yk_pod_volumes *pod_volumes, const struct yk__node_volumes *node);
/* Whether a pod with these volumes can use its disks on the node: no pod there uses one of them in a way that
 * excludes the new pod. Only a part of yk__restrictions(), which filters call. */
bool yk__disks_free(const struct yk_pod_volumes *pod_volumes, const struct yk__node_volumes *node);
/* Whether no pod on a known node, whichever it is, uses one of the ReadWriteOncePod claims that the pod
 * names. Only a part of yk__restrictions() and of yk_volumes_possible(). */
bool yk__claims_unused(const struct yk_pod_volumes *pod_volumes);
/* NodeVolumeLimits. Returns 0 if the node can attach those of the volumes that no pod on it uses yet,
 * otherwise YK_VOLUMES_TOO_MANY or YK_VOLUMES_NO_DRIVER. For YK_VOLUMES_NO_DRIVER, sets `*ret_driver` to a
 * missing driver; `ret_driver` may be NULL. O(volumes of the pod * drivers of the node). */
uint32_t yk__attach_limits(struct yk_volumes *volumes, const struct yk_pod_volumes *pod_volumes,
                           const struct yk__node_volumes *node, const struct yk__driver **ret_driver);

/* VolumeBinding. Returns 0 if each claim is bound to a volume that the node reaches, or can be bound for the
 * node; otherwise YK_VOLUMES_ bits of this filter, or YK_VOLUMES_IMPOSSIBLE. After 0, volumes->scratch has
 * two items for each claim that is not bound, until the next call: the claim and its volume, which is NULL if
 * one is to be provisioned. Gives no volume to a claim: yk_volumes_assume() makes a plan of these items. */
uint32_t yk__volume_binding(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                            const struct yk_cache_node *node);
/* VolumeZone. Looks at the volumes of the claims that the pod names. Returns 0 if the node is in the zones
 * and regions that the labels of these volumes name, or has no zone and region labels; otherwise
 * YK_VOLUMES_ZONE_CONFLICT. O(claims * zones). */
uint32_t yk__volume_zone(struct yk_volumes *volumes, const struct yk_pod_volumes *pod_volumes,
                         const struct yk_cache_node *node);
/* Frees the zones that were compiled from the volume's labels; they are compiled again when they are
 * needed. */
void yk__zones_clear(struct yk__volume *volume);

/*
 * ---- waking (wake.c) ----
 *
 * To wake a description (struct yk_pod_volumes) means to add it to the list of yk_volumes_next_woken().
 * `reasons`: YK_VOLUMES_ bits. Nothing is woken during a dry run.
 */

#define YK__ANY_REASON UINT32_MAX

/* Notes that the description was refused for `reason`, so that it can be woken. No effect during a dry
 * run. */
void yk__refused(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, uint32_t reason);
/* Wakes the description if it was refused for one of `reasons` since it was last woken. All its refusals are
 * then forgotten. */
void yk__wake(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, uint32_t reasons);
/* Wakes all descriptions that were refused for one of `reasons`. */
void yk__wake_all(struct yk_volumes *volumes, uint32_t reasons);
/* Wakes the descriptions that use the claim and were refused for one of `reasons`. */
void yk__wake_claim(struct yk_volumes *volumes, const struct yk__claim *claim, uint32_t reasons);
/* Wakes the descriptions that use a claim in class_->claims, and were refused for one of `reasons`. */
void yk__wake_class(struct yk_volumes *volumes, const struct yk__class *class_, uint32_t reasons);
/* The drivers or the attached volumes of the node have changed: wakes the descriptions that NodeVolumeLimits
 * has refused on some node and lets pass on this node. O(refused descriptions). */
void yk__wake_for_limits(struct yk_volumes *volumes, const struct yk__node_volumes *node);
/* The disks on the node have changed: wakes the descriptions that were refused because of a disk in use
 * (YK_VOLUMES_DISK_IN_USE) on some node, and whose disks are free on this node. O(refused descriptions). */
void yk__wake_for_disks(struct yk_volumes *volumes, const struct yk__node_volumes *node);
/* Calls `on_change` of all plans that contain the claim. */
void yk__notify_claim_plans(const struct yk__claim *claim);
/* Like yk__notify_claim_plans() for a volume. */
void yk__notify_volume_plans(const struct yk__volume *volume);
/* Calls `on_change` of all plans for the node. O(plans). */
void yk__notify_node_plans(const struct yk_volumes *volumes, yk_name node);

/* The value of an annotation; absent: there is no such annotation. */
static inline struct yk_str yk__annotation(const struct yk_object *object, const char *key)
{
    return yk_pairs_get(&object->annotations, key);
}
#define YK__NO_PROVISIONER "kubernetes.io/no-provisioner"
#define YK__STORAGE        "storage"

#endif
