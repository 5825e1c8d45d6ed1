/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Volumes: where a pod may run because of the disks and claims that it names, and which claim gets which
 * volume.
 *
 * The four volume filters of kube-scheduler (VolumeRestrictions, NodeVolumeLimits, VolumeBinding, VolumeZone)
 * over indexes that are kept by events: claims and who uses them, volumes of a class by size, storage
 * capacities of a class, and per node the disks and volumes attached there. Decisions that the API server has
 * not confirmed (struct yk_volume_plan) take precedence over the objects, for filters and binder alike.
 *
 * A pod without volumes of these kinds has no struct yk_pod_volumes and costs nothing: `pod_volumes` may be
 * NULL in all functions here, except where a comment says otherwise.
 *
 * Owns:      the indexes, the descriptions of pods' volumes, the plans.
 * Borrows:   the objects, from the cache, between two calls of yk_volumes_kept_changed() that name them.
 * Thread:    scheduling thread only.
 * Invariant: the counts of a node are the sum over the pods on it (yk_volumes_pod_on_node()).
 * Source:    docs/reference/predicates.md 4.8 to 4.11; docs/reference/kubernetes.md 3.4 (S09, S11).
 */
#ifndef YK_VOLUMES_VOLUMES_H
#define YK_VOLUMES_VOLUMES_H

#include "base/list.h"
#include "cache/cache.h"

/* What of a pod's volumes decides where it may run; the same for all pods that name the same. Opaque. */
struct yk_pod_volumes;

/* Why a node will not do, in the order of the filters; the first filter that objects is the only one. */
enum {
    YK_VOLUMES_DISK_IN_USE = 1u << 0,    /* VolumeRestrictions */
    YK_VOLUMES_CLAIM_IN_USE = 1u << 1,   /* VolumeRestrictions; the same on every node */
    YK_VOLUMES_NO_DRIVER = 1u << 2,      /* NodeVolumeLimits; the text names the driver */
    YK_VOLUMES_TOO_MANY = 1u << 3,       /* NodeVolumeLimits */
    YK_VOLUMES_NODE_CONFLICT = 1u << 4,  /* VolumeBinding: several of the next four at once */
    YK_VOLUMES_BIND_CONFLICT = 1u << 5,  /* ... */
    YK_VOLUMES_NO_SPACE = 1u << 6,       /* ... */
    YK_VOLUMES_VOLUME_MISSING = 1u << 7, /* ... */
    YK_VOLUMES_ZONE_CONFLICT = 1u << 8,  /* VolumeZone */
    YK_VOLUMES_IMPOSSIBLE = 1u << 9,     /* on every node, until something about the claims changes */
};
/* Those that the end of other pods on the node can change (Unschedulable; all else is ...AndUnresolvable). */
#define YK_VOLUMES_RESOLVABLE                                                                                \
    (YK_VOLUMES_DISK_IN_USE | YK_VOLUMES_CLAIM_IN_USE | YK_VOLUMES_NO_DRIVER | YK_VOLUMES_TOO_MANY)

struct yk_volumes {
    struct yk_idmap claims, volumes, classes, drivers, handles, nodes; /* by name; volumes_priv.h */
    struct yk_strmap capacities, attachments;                          /* by uid; by name */
    struct yk_strmap pod_volumes;                                      /* struct yk_pod_volumes by key */
    struct yk_list refused; /* struct yk_pod_volumes that some node or all were refused to */
    struct yk_list woken;   /* struct yk_pod_volumes */
    struct yk_list plans;   /* struct yk_volume_plan */
    struct yk_vec scratch;
    struct yk_buf key;
    uint64_t round;       /* of marks */
    uint32_t trying;      /* nested dry runs: no pods are woken */
    uint32_t listed;      /* kinds that are listed: yk_volumes_kind() */
    yk_name zone_keys[4]; /* zone and region of old days, zone and region of today; held */
};

/* Makes it empty. */
void yk_volumes_init(struct yk_volumes *volumes);
/* Frees it. No pod is on a node, and all references to descriptions and all plans were given back. */
void yk_volumes_done(struct yk_volumes *volumes);

/* ---- what the API server says ---- */

/* A claim is new (`before` NULL), changed, or gone (`after` NULL). Both objects are valid during the call;
 * `after` is borrowed until the next change. Pods that wait and may fit now are woken. */
void yk_volume_claim_changed(struct yk_volumes *volumes, const struct yk_volume_claim *before,
                             const struct yk_volume_claim *after);
/* Like yk_volume_claim_changed() for a volume. */
void yk_volume_changed(struct yk_volumes *volumes, const struct yk_volume *before,
                       const struct yk_volume *after);
/* As yk_volume_changed(). */
void yk_storage_class_changed(struct yk_volumes *volumes, const struct yk_storage_class *before,
                              const struct yk_storage_class *after);
/* As yk_volume_changed(). */
void yk_csi_node_changed(struct yk_volumes *volumes, const struct yk_csi_node *before,
                         const struct yk_csi_node *after);
/* As yk_volume_changed(). */
void yk_csi_driver_changed(struct yk_volumes *volumes, const struct yk_csi_driver *before,
                           const struct yk_csi_driver *after);
/* As yk_volume_changed(). */
void yk_csi_capacity_changed(struct yk_volumes *volumes, const struct yk_csi_capacity *before,
                             const struct yk_csi_capacity *after);
/* As yk_volume_changed(). */
void yk_volume_attachment_changed(struct yk_volumes *volumes, const struct yk_volume_attachment *before,
                                  const struct yk_volume_attachment *after);
/* Calls the one of these functions that is for `kind`, as struct yk_cache_observer.kept_changed needs it.
 * No effect for other kinds. */
void yk_volumes_kept_changed(struct yk_volumes *volumes, enum yk_kind kind, const struct yk_object *before,
                             const struct yk_object *after);
/* A bit of yk_volumes_set_listed(). */
static inline uint32_t yk_volumes_kind(enum yk_kind kind)
{
    return 1u << (kind - YK_KIND_VOLUME_FIRST);
}
#define YK_VOLUMES_ALL_KINDS ((1u << (YK_KIND_VOLUME_LAST - YK_KIND_VOLUME_FIRST + 1)) - 1)
/*
 * Sets which of the kinds above are listed (bits of yk_volumes_kind()). A pod with claims fits nowhere before
 * the kinds that it needs are listed: claims; for bound claims also volumes; for bound claims of a CSI driver
 * all kinds but storage classes and capacities; for other claims all kinds.
 */
void yk_volumes_set_listed(struct yk_volumes *volumes, uint32_t kinds);
/* A node is new or has other labels: plans are checked again. Pods that were refused there are not woken: the
 * change of the node itself does that. */
void yk_volumes_node_changed(struct yk_volumes *volumes, const struct yk_cache_node *node);

/* ---- pods ---- */

/* The description of the pod's volumes, with a reference for the caller, who drops it with
 * yk_pod_volumes_put(). NULL when the pod has no volumes that matter. */
struct yk_pod_volumes *yk_pod_volumes_get(struct yk_volumes *volumes, const struct yk_pod *pod);
/* Whether it describes the volumes of `pod`. `pod_volumes` is not NULL. */
bool yk_pod_volumes_are_of(const struct yk_pod_volumes *pod_volumes, const struct yk_pod *pod);
/* Adds a reference; returns `pod_volumes`. */
struct yk_pod_volumes *yk_pod_volumes_ref(struct yk_pod_volumes *pod_volumes);
/* Drops a reference; the last one frees the description. NULL is fine. */
void yk_pod_volumes_put(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes);
/* Appends canonical bytes of what the pod's volumes are; none for a pod whose volumes do not matter. Two pods
 * with the same bytes get the same description. */
void yk_pod_volumes_key(struct yk_buf *key, const struct yk_pod *pod);
/* A list for the use of the caller, who links what is to be woken for this description and keeps a reference
 * for each item. This module makes the empty list and does not read the items. `pod_volumes` is not NULL. */
struct yk_list *yk_pod_volumes_followers(struct yk_pod_volumes *pod_volumes);

/* A pod with these volumes has come to the node (`begins`), or leaves it. The node need not be known. Pods
 * that are assumed to be there count, too. */
void yk_volumes_pod_on_node(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, yk_name node,
                            bool begins);

/*
 * The node of a pod with these volumes is unknown (`hidden`: true), or is known again (false). While it is
 * hidden, attachments there still count, but a ReadWriteOncePod claim of the pod is free for another pod.
 */
void yk_volumes_pod_hidden(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, bool hidden);

/* ---- filters ---- */

enum yk_volumes_answer {
    YK_VOLUMES_POSSIBLE,
    YK_VOLUMES_USED,  /* ReadWriteOncePod: no node, until another pod ends; yk_volumes_check() says so, too */
    YK_VOLUMES_NEVER, /* no node; `message` says why (UnschedulableAndUnresolvable) */
};

/*
 * Checks what does not depend on the node, once per attempt. Appends the reason to `message` (may be NULL)
 * unless the answer is YK_VOLUMES_POSSIBLE. O(claims). Answers other than YK_VOLUMES_POSSIBLE are remembered:
 * see yk_volumes_next_woken().
 */
enum yk_volumes_answer yk_volumes_possible(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                                           struct yk_buf *message);
/* Checks the node, for a pod for which yk_volumes_possible() is YK_VOLUMES_POSSIBLE. Returns YK_VOLUMES_ bits
 * of the first filter that refuses; 0: the node passes. O(claims), and for each unbound claim O(volumes of
 * its class that the node can reach). */
uint32_t yk_volumes_check(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                          const struct yk_cache_node *node);
/* Calls `visit` with a sentence for each bit of `result`, which yk_volumes_check() has returned for the same
 * pod and node, in kube-scheduler's words. The sentence is borrowed for the call. `pod_volumes` is not NULL. */
void yk_volumes_reasons(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                        const struct yk_cache_node *node, uint32_t result,
                        void (*visit)(void *context, const char *reason), void *context);

/* A dry run: between the two calls, pods can be placed and removed without waking others. Undo all of it
 * before the end. May be nested. */
void yk_volumes_try_begin(struct yk_volumes *volumes);
/* Ends what yk_volumes_try_begin() began. */
void yk_volumes_try_end(struct yk_volumes *volumes);

/*
 * The next description that was refused and of which a pod may fit now; NULL: no more. Changes of node labels
 * are not reported here. Borrowed until the next call. Call it after any of the functions above until it
 * returns NULL. It may report a description without need.
 */
struct yk_pod_volumes *yk_volumes_next_woken(struct yk_volumes *volumes);

/* ---- deciding ---- */

/*
 * A decision: which volumes the pod's unbound claims get, and which claims are to be provisioned on the node.
 * While it exists, no other claim gets these volumes, and these claims name the node as selected.
 */
struct yk_volume_plan;

/*
 * Decides for a pod that gets `node`, in memory. `*ret_plan` is NULL when all claims are bound already; it is
 * freed with yk_volumes_forget(). Returns what yk_volumes_check() would say of the claims' binding, and the
 * plan is not made unless that is 0.
 */
uint32_t yk_volumes_assume(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                           const struct yk_cache_node *node, struct yk_volume_plan **ret_plan);
/* Frees the plan: the decision was given up or has been carried out. NULL is fine. */
void yk_volumes_forget(struct yk_volumes *volumes, struct yk_volume_plan *plan);

#endif
