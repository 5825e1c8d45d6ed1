/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Volumes: on which nodes a pod may run because of its disks and claims, and which volume a claim gets.
 *
 * The module implements the four volume filters of kube-scheduler: VolumeRestrictions, NodeVolumeLimits,
 * VolumeBinding and VolumeZone. They read indexes that events keep up to date: claims and their pods, volumes
 * of a class by size, storage capacities of a class, and the disks and volumes that are attached to each
 * node. The filters also follow decisions that the API server has not confirmed yet (struct yk_volume_plan).
 * A claimRef or a selected node in an object takes precedence over them.
 *
 * A pod that has neither claims nor disks that these filters look at has no struct yk_pod_volumes. So
 * `pod_volumes` may be NULL in all functions here, except where a comment says otherwise.
 *
 * Owns:      the indexes, the descriptions of pods' volumes, the plans.
 * Borrows:   the objects of the cache, until yk_volumes_kept_changed() says that they have changed or are
 *            gone.
 * Thread:    scheduling thread only.
 * Invariant: what a node counts is the sum over the pods on it (yk_volumes_pod_on_node()) and its
 *            VolumeAttachments.
 * Source:    docs/reference/predicates.md 4.8 to 4.11; docs/reference/kubernetes.md 3.4 (S09, S11).
 */
#ifndef YK_VOLUMES_VOLUMES_H
#define YK_VOLUMES_VOLUMES_H

#include "base/list.h"
#include "cache/cache.h"

/* The description of a pod's claims and disks. Pods with the same claims and disks share one. Opaque. */
struct yk_pod_volumes;

/* Why a node is refused. A result has bits of one filter only, the first one that refuses the node. */
enum {
    YK_VOLUMES_DISK_IN_USE = 1u << 0,    /* VolumeRestrictions: a pod on the node uses the disk */
    YK_VOLUMES_CLAIM_IN_USE = 1u << 1,   /* VolumeRestrictions: a ReadWriteOncePod claim is in use */
    YK_VOLUMES_NO_DRIVER = 1u << 2,      /* NodeVolumeLimits: the node does not have the CSI driver */
    YK_VOLUMES_TOO_MANY = 1u << 3,       /* NodeVolumeLimits: the node cannot attach so many volumes */
    YK_VOLUMES_NODE_CONFLICT = 1u << 4,  /* VolumeBinding: the node does not reach a bound volume */
    YK_VOLUMES_BIND_CONFLICT = 1u << 5,  /* VolumeBinding: a claim can get no volume on the node */
    YK_VOLUMES_NO_SPACE = 1u << 6,       /* VolumeBinding: too little storage capacity for a new volume */
    YK_VOLUMES_VOLUME_MISSING = 1u << 7, /* VolumeBinding: the volume of a bound claim does not exist */
    YK_VOLUMES_ZONE_CONFLICT = 1u << 8,  /* VolumeZone: the node is in another zone or region than a volume */
    /* Every node is refused until a claim, its volume or its class changes, or the cache has listed another
     * kind of objects. */
    YK_VOLUMES_IMPOSSIBLE = 1u << 9,
};
/* The bits for which kube-scheduler answers "Unschedulable": it then tries to preempt other pods on the node.
 * For the other bits it answers "UnschedulableAndUnresolvable". */
#define YK_VOLUMES_RESOLVABLE                                                                                \
    (YK_VOLUMES_DISK_IN_USE | YK_VOLUMES_CLAIM_IN_USE | YK_VOLUMES_NO_DRIVER | YK_VOLUMES_TOO_MANY)

struct yk_volumes {
    struct yk_idmap claims, volumes, classes, drivers, handles, nodes; /* by name; see volumes_priv.h */
    struct yk_strmap capacities, attachments;                          /* by UID; by name */
    struct yk_strmap pod_volumes;                                      /* struct yk_pod_volumes by key */
    struct yk_list refused; /* struct yk_pod_volumes that were refused since they were last woken */
    struct yk_list woken;   /* struct yk_pod_volumes: see yk_volumes_next_woken() */
    struct yk_list plans;   /* struct yk_volume_plan */
    struct yk_vec scratch;
    struct yk_buf key;    /* scratch memory */
    uint64_t round;       /* number of the current search: the `mark` of records that it has seen */
    uint32_t trying;      /* number of nested dry runs; above 0, no pods are woken */
    uint32_t listed;      /* bits of yk_volumes_set_listed() */
    yk_name zone_keys[4]; /* counted label keys: deprecated zone and region, present zone and region */
};

/* Makes indexes without objects and pods. */
void yk_volumes_init(struct yk_volumes *volumes);
/* Frees the contents. All pods have left their nodes, all references to descriptions were given back, and all
 * plans were forgotten. */
void yk_volumes_done(struct yk_volumes *volumes);

/* ---- changes of the objects ---- */

/* A claim was added (`before` NULL), changed, or deleted (`after` NULL). At least one of the two is not NULL.
 * `before` is borrowed for the call, and `after` until the next call for this claim. Wakes pods that may fit
 * now. Here and below, "wakes pods" means that their descriptions are added to the list of
 * yk_volumes_next_woken(). */
void yk_volume_claim_changed(struct yk_volumes *volumes, const struct yk_volume_claim *before,
                             const struct yk_volume_claim *after);
/* Like yk_volume_claim_changed(), for a PersistentVolume. */
void yk_volume_changed(struct yk_volumes *volumes, const struct yk_volume *before,
                       const struct yk_volume *after);
/* Like yk_volume_claim_changed(), for a StorageClass. */
void yk_storage_class_changed(struct yk_volumes *volumes, const struct yk_storage_class *before,
                              const struct yk_storage_class *after);
/* Like yk_volume_claim_changed(), for a CSINode. */
void yk_csi_node_changed(struct yk_volumes *volumes, const struct yk_csi_node *before,
                         const struct yk_csi_node *after);
/* Like yk_volume_claim_changed(), for a CSIDriver. */
void yk_csi_driver_changed(struct yk_volumes *volumes, const struct yk_csi_driver *before,
                           const struct yk_csi_driver *after);
/* Like yk_volume_claim_changed(), for a CSIStorageCapacity. */
void yk_csi_capacity_changed(struct yk_volumes *volumes, const struct yk_csi_capacity *before,
                             const struct yk_csi_capacity *after);
/* Like yk_volume_claim_changed(), for a VolumeAttachment. */
void yk_volume_attachment_changed(struct yk_volumes *volumes, const struct yk_volume_attachment *before,
                                  const struct yk_volume_attachment *after);
/* Calls the function above that is for objects of `kind`; does nothing for a kind without such a function.
 * One of `before` and `after` may be NULL. Call it in `kept_changed` of struct yk_cache_observer. */
void yk_volumes_kept_changed(struct yk_volumes *volumes, enum yk_kind kind, const struct yk_object *before,
                             const struct yk_object *after);
/* The bit of yk_volumes_set_listed() for `kind`, from YK_KIND_VOLUME_FIRST to YK_KIND_VOLUME_LAST. */
static inline uint32_t yk_volumes_kind(enum yk_kind kind)
{
    return 1u << (kind - YK_KIND_VOLUME_FIRST);
}
#define YK_VOLUMES_ALL_KINDS ((1u << (YK_KIND_VOLUME_LAST - YK_KIND_VOLUME_FIRST + 1)) - 1)
/*
 * The cache has listed a kind of objects: sets the kinds that are listed. `kinds`: bits of yk_volumes_kind()
 * for all of these kinds, not only for new ones. If there is a new kind, wakes the pods that fit on no node
 * (YK_VOLUMES_IMPOSSIBLE). A pod with claims fits on no node before certain kinds are listed:
 * - for every claim: the claims;
 * - for a bound claim: also the volumes;
 * - for a bound claim whose volume is a CSI volume, or an in-tree volume that a CSI driver serves: all kinds
 *   but storage classes and capacities;
 * - for a claim that exists and is not bound: all kinds.
 */
void yk_volumes_set_listed(struct yk_volumes *volumes, uint32_t kinds);
/* A node was added or has other labels: arranges that the binder checks the plans for this node again. Does
 * not wake pods that were refused on the node: the caller does that for all filters. */
void yk_volumes_node_changed(struct yk_volumes *volumes, const struct yk_cache_node *node);

/* ---- pods ---- */

/* The description of the pod's claims and disks, with a reference, which the caller gives back with
 * yk_pod_volumes_put(). NULL: the pod has neither claims nor disks that a volume filter looks at. */
struct yk_pod_volumes *yk_pod_volumes_get(struct yk_volumes *volumes, const struct yk_pod *pod);
/* Whether yk_pod_volumes_get() for `pod` would return this description. `pod_volumes` is not NULL. */
bool yk_pod_volumes_are_of(const struct yk_pod_volumes *pod_volumes, const struct yk_pod *pod);
/* Adds a reference and returns `pod_volumes`, which may be NULL. */
struct yk_pod_volumes *yk_pod_volumes_ref(struct yk_pod_volumes *pod_volumes);
/* Gives back a reference; the last one frees the description. If it is not the last one, pods that share the
 * description may be woken. A caller that has an item among the followers unlinks it first. NULL is fine. */
void yk_pod_volumes_put(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes);
/* Appends bytes that are equal for two pods exactly if the pods share a description. Appends nothing for a
 * pod without a description. */
void yk_pod_volumes_key(struct yk_buf *key, const struct yk_pod *pod);
/* The followers of the description: a list into which the caller links its own items, which it wakes together
 * with the description. Each item must hold a reference to the description. This module makes the list and
 * counts its items, but does not read them. `pod_volumes` is not NULL. */
struct yk_list *yk_pod_volumes_followers(struct yk_pod_volumes *pod_volumes);

/* A pod with these volumes was placed on the node (`begins`), or leaves it. A decision that is not confirmed
 * yet also places a pod. The pod holds a reference to the description. Wakes pods that may fit now. If the
 * cache does not know the node, the caller also calls yk_volumes_pod_hidden(): with `hidden` true after the
 * beginning, with false before the end. */
void yk_volumes_pod_on_node(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, yk_name node,
                            bool begins);

/*
 * The node of a pod with these volumes has become unknown (`hidden` true), or is known again (false). Call it
 * between the two calls of yk_volumes_pod_on_node() for the pod: first with true, then alternately with false
 * and true. While the node is unknown, the pod's volumes still count as attached to the node, but other pods
 * may use the pod's ReadWriteOncePod claims. Wakes pods that may fit now.
 */
void yk_volumes_pod_hidden(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, bool hidden);

/* ---- filters ---- */

enum yk_volumes_answer {
    YK_VOLUMES_POSSIBLE,
    YK_VOLUMES_USED, /* no node fits: another pod, on a known node, uses a ReadWriteOncePod claim */
    /* No node fits until a claim, its volume or its class changes, or the cache has listed another kind of
     * objects; a message says why. */
    YK_VOLUMES_NEVER,
};

/*
 * Checks the conditions that do not depend on the node. YK_VOLUMES_POSSIBLE does not mean that a node fits:
 * yk_volumes_check() decides for each node. For YK_VOLUMES_NEVER, appends the reason to `message`, which may
 * be NULL. O(claims). After an answer other than YK_VOLUMES_POSSIBLE, yk_volumes_next_woken() returns
 * `pod_volumes` when the answer may have changed. This does not hold for answers during a dry run.
 */
enum yk_volumes_answer yk_volumes_possible(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                                           struct yk_buf *message);
/* Runs the four filters for a node. Call it only after yk_volumes_possible() has given another answer than
 * YK_VOLUMES_NEVER, and if nothing has changed in between. Returns the YK_VOLUMES_ bits of the first filter
 * that refuses the node; 0: the node passes. O(claims + disks of the pod * disks on the node), and for each
 * unbound claim O(free volumes and storage capacities of its class). After a refusal, yk_volumes_next_woken()
 * returns `pod_volumes` when the answer may have changed. This does not hold for refusals during a dry
 * run. */
uint32_t yk_volumes_check(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                          const struct yk_cache_node *node);
/* Calls `visit` with the plugin and the sentence of kube-scheduler for each bit of `result`, which
 * yk_volumes_check() has just returned for the same pod and node. `visit` is not called for 0, nor for
 * YK_VOLUMES_IMPOSSIBLE, which has no sentence. The sentence is borrowed for the call of `visit`; `plugin` is
 * static. `pod_volumes` is not NULL. */
void yk_volumes_reasons(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                        const struct yk_cache_node *node, uint32_t result,
                        void (*visit)(void *context, const char *plugin, const char *reason), void *context);
/* Whether the node could attach the volumes if nothing were attached to it: otherwise YK_VOLUMES_TOO_MANY stays
 * whatever ends there. Neither argument is NULL. O(volumes of the pod * drivers of the node). */
bool yk_volumes_attach_alone(struct yk_volumes *volumes, const struct yk_pod_volumes *pod_volumes,
                             const struct yk_cache_node *node);

/* Begins a dry run: until yk_volumes_try_end(), no function wakes pods, and refusals are not noted. The
 * caller also sets is_dry_run of the pod index: yk_class_fits_without() does both. During the dry run, the
 * caller calls only yk_volumes_pod_on_node(), yk_volumes_pod_hidden() and filters. It undoes its changes
 * before the end. Dry runs may be nested. */
void yk_volumes_try_begin(struct yk_volumes *volumes);
/* Ends the dry run that yk_volumes_try_begin() began last. */
void yk_volumes_try_end(struct yk_volumes *volumes);

/*
 * Removes one description from the list of those that were refused and whose pods may fit now, and returns
 * it; NULL: the list is empty. The description is borrowed until its last reference is given back. Its pods
 * may still not fit. The caller wakes the followers of the description. After any of the functions above that
 * wakes pods, call yk_classes_next_woken() (predicates/classes.h), which calls this function until it returns
 * NULL. Changes of node labels do not add to the list.
 */
struct yk_pod_volumes *yk_volumes_next_woken(struct yk_volumes *volumes);

/* ---- deciding ---- */

/*
 * A decision about a pod's unbound claims: which existing volumes they get, and for which of the claims a
 * volume is to be provisioned for the node. While the plan exists, the filters treat its volumes as taken,
 * and its node as the selected node of the claims without an existing volume.
 */
struct yk_volume_plan;

/*
 * Makes a plan for a pod that gets `node`. Changes no object of the API server. Does not place the pod: the
 * caller does that with yk_cache_assume(), if the result is 0. Runs only the filter VolumeBinding: the caller
 * has checked all others just before (yk_class_fits_now() with YK_CLASS_ALLOCATE). Returns 0 if the node
 * passes, otherwise the bits of that filter or YK_VOLUMES_IMPOSSIBLE. Wakes pods that share one of the
 * claims. Always sets `*ret_plan`. The caller frees the plan with yk_volumes_forget(), or gives it to
 * yk_volume_bind(). NULL: the node is refused, or the pod has no unbound claim: only the result says which.
 */
uint32_t yk_volumes_assume(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                           const struct yk_cache_node *node, struct yk_volume_plan **ret_plan);
/* Frees the plan, because the decision was given up or carried out. Do not call it for a plan that
 * yk_volume_bind() has taken: the binder frees that plan. Wakes pods that may fit now. NULL is fine. */
void yk_volumes_forget(struct yk_volumes *volumes, struct yk_volume_plan *plan);

#endif
