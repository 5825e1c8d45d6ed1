/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scheduling classes: which pods may run on which nodes, computed once per pod template and node signature.
 *
 * Pods with the same fixed constraints share a class. The core knows a class by its number (yk_si_class).
 * Nodes share a signature if no class can distinguish them: it consists of their taints, whether they are
 * cordoned, their declared features, and the labels that some class refers to. The verdict of a class about a
 * signature is computed once and kept in a table. Constraints about a single node (its name, its hostname
 * label) are evaluated each time.
 *
 * Constraints about other pods (host ports, topology spread, pod affinity) are answered by counters in the
 * pod index (pod_index.h). Pods with the same constraints share a spec. A class is a spec together with those
 * labels of its pods that the anti-affinity of other pods, or its own selectors, refer to. Volumes are
 * answered by volumes/volumes.h; pods with different claims have different specs. When the anti-affinity of a
 * new pod refers to a further label, classes that were made without it are out of date: see
 * yk_classes_need_update().
 *
 * Owns:      classes (reference-counted by pods; a few without pods are kept for reuse), specs, signatures,
 * the pod index.
 * Borrows:   nodes, which store their signature number.
 * Thread:    scheduling thread only.
 * Invariant: the signature of a known node describes its present state, for at least the label keys in
 * label_keys and the topology keys in use.
 * Source:    docs/reference/predicates.md 7.1 to 7.3.
 */
#ifndef YK_PREDICATES_CLASSES_H
#define YK_PREDICATES_CLASSES_H

#include "predicates/dynamic.h"
#include "predicates/filter_meter.h"
#include "predicates/pod_index.h"
#include "predicates/preferences.h"
#include "si.h"
#include "volumes/volumes.h"

enum {
    YK_CLASSES_IDLE_MAX = 64,        /* classes without pods that are kept */
    YK_CLASSES_TABLE_MAX = 16 << 20, /* bytes of verdicts; classes beyond it are computed each time */
};

/* The constraints of pods, without their labels. */
struct yk_class_spec {
    struct yk_constraints constraints;
    struct yk_preferences preferences;
    struct yk_dynamic dynamic;
    struct yk_volumes *volumes;         /* borrowed */
    struct yk_filter_meter *meter;      /* borrowed */
    struct yk_pod_volumes *pod_volumes; /* counted; NULL: none that matter */
    struct yk_list of_pod_volumes;      /* the subscription to changes of `pod_volumes` */
    char *key;                          /* owned bytes */
    size_t key_len;
    uint64_t sequence;
    uint8_t *verdicts;      /* by signature; owned; NULL: not stored */
    struct yk_list classes; /* struct yk_k8s_class, of_spec */
};

struct yk_k8s_class {
    struct yk_class_spec *spec;
    struct yk_entity entity; /* what the anti-affinity of other pods and its own selectors see of its pods */
    bool *matches_itself;    /* whether its own terms match it, by use of the spec; owned */
    char *key;               /* owned bytes */
    size_t key_len;
    uint32_t number;
    uint32_t holders;
    struct yk_list idle; /* linked: in classes->idle */
    struct yk_list of_spec;
    struct yk_list in_index, in_woken; /* of the pod index */
};

struct yk_signature {
    char *key; /* owned bytes */
    size_t key_len;
    uint32_t number;
    uint32_t nodes;
    bool has_soft_taint;
};

/* Written by: predicates; app sets `is_reserved` and its context. */
struct yk_classes {
    struct yk_cache *cache; /* borrowed for life */
    /* Whether another pod has reserved the node, for messages only. NULL: no node is reserved. */
    bool (*is_reserved)(void *context, const struct yk_cache_node *node);
    void *reserved_context;
    struct yk_pod_index pod_index;
    struct yk_volumes volumes;
    struct yk_filter_meter meter;
    struct yk_cache_pod_observer pod_observer;
    struct yk_strmap specs, by_key;
    uint64_t spec_sequence;
    uint64_t generation;        /* of the topology when the signatures of all nodes were last computed */
    uint64_t signature_updates; /* how often the signatures of all nodes were recomputed */
    struct yk_vec by_number;    /* struct yk_k8s_class or NULL */
    struct yk_vec free_numbers;
    struct yk_list idle; /* oldest first */
    size_t idle_count, count;
    struct yk_strmap signatures;
    struct yk_vec signatures_by_number; /* struct yk_signature or NULL */
    struct yk_vec free_signatures;
    size_t soft_signatures; /* those with a taint of effect PreferNoSchedule */
    size_t columns;         /* bytes of the verdicts of one spec */
    size_t table_bytes;
    struct yk_idmap label_keys; /* keys that classes refer to: struct label_key by name id */
    struct yk_class_key scratch;
    struct yk_buf node_key, class_key;
};

/* Registers the pod index with the cache as its pod observer. */
void yk_classes_init(struct yk_classes *classes, struct yk_cache *cache);
/* Frees it. No class is referenced, and no node is known. */
void yk_classes_done(struct yk_classes *classes);

/* The class of a pod, counted. O(constraints of the pod); O(nodes) when it refers to a label key for the
 * first time. */
yk_si_class yk_class_get(struct yk_classes *classes, const struct yk_pod *pod);
/* Releases a reference. YK_SI_CLASS_ANY has no effect. */
void yk_class_put(struct yk_classes *classes, yk_si_class number);
/* A node was added: gives it a signature, and adds it to the pod index. */
void yk_classes_node_added(struct yk_classes *classes, struct yk_cache_node *node);
/* Labels, taints, features or the cordon of the node changed: updates its signature. */
void yk_classes_node_changed(struct yk_classes *classes, struct yk_cache_node *node);
/* Removes the node; call it before the node is freed. */
void yk_classes_node_removed(struct yk_classes *classes, struct yk_cache_node *node);

/* The first filter that refuses the node. Allocates nothing; O(1) except for constraints about a single
 * node. */
enum yk_verdict yk_class_verdict(struct yk_classes *classes, yk_si_class number,
                                 const struct yk_cache_node *node);
/* Whether the fixed filters let the class on the node. */
static inline bool yk_class_fits(struct yk_classes *classes, yk_si_class number,
                                 const struct yk_cache_node *node)
{
    return number == YK_SI_CLASS_ANY || yk_class_verdict(classes, number, node) == YK_VERDICT_FITS;
}
/* Whether pods of the class prefer some nodes to others. */
bool yk_class_has_preferences(const struct yk_classes *classes, yk_si_class number);
/* How much the class prefers the node; negative: other nodes are better. 0 for a class without
 * preferences. */
int32_t yk_class_score(const struct yk_classes *classes, yk_si_class number,
                       const struct yk_cache_node *node);
/* Whether pods of the class may run on cordoned nodes. */
bool yk_class_tolerates_cordon(const struct yk_classes *classes, yk_si_class number);
/* The filters that depend on other pods, and volumes, without resources. `node` NULL: whether any node can
 * pass. Allocates nothing. O(rules and claims of the class); a few ns for classes without any. */
bool yk__class_fits_now(const struct yk_k8s_class *class_, const struct yk_cache_node *node,
                        enum yk_class_question question);
/* Whether the node passes the filters that depend on other pods and on volumes; see yk__class_fits_now(). */
static inline bool yk_class_fits_now(const struct yk_classes *classes, yk_si_class number,
                                     const struct yk_cache_node *node, enum yk_class_question question)
{
    if (number == YK_SI_CLASS_ANY)
        return true;
    const struct yk_k8s_class *class_ = classes->by_number.items[number];
    if (class_->matches_itself == NULL && yk_list_empty(&class_->entity.matches) &&
        class_->spec->pod_volumes == NULL)
        return true;
    return yk__class_fits_now(class_, node, question);
}
/* Whether the fixed filters pass the node, as far as their answer is the same for all nodes with the
 * signature of `node`. */
bool yk_class_fits_signature(struct yk_classes *classes, yk_si_class number,
                             const struct yk_cache_node *node);
/* Whether filters that depend on other pods can refuse all nodes of a signature, because they count in
 * domains other than hostnames. O(rules of the class and rules that match it). */
bool yk_class_excludes_signatures(const struct yk_classes *classes, yk_si_class number);
/* The first of the filters of yk__class_fits_now() that refuses the node, or YK_VERDICT_FITS. */
enum yk_verdict yk_class_verdict_now(const struct yk_classes *classes, yk_si_class number,
                                     const struct yk_cache_node *node, enum yk_class_question question);
/*
 * Removes gone[0..start) from the pod index, then one pod after the other, until the class passes these
 * filters on the node. Returns the index of the last one removed, or -1 if the class never passes. Pods
 * without a node, and NULL, are skipped; no pod is listed twice. The pod index is restored before the
 * function returns, and no class is woken. O(count * rules of each pod).
 */
int yk_class_fits_without(struct yk_classes *classes, yk_si_class number, const struct yk_cache_node *node,
                          struct yk_cache_pod *const *gone, size_t count, size_t start);

/* A class that may fit now because a pod, a topology domain or a namespace label changed; YK_SI_CLASS_ANY:
 * none. Changes that concern fixed filters are not reported here. Each class is returned once per wake-up. */
yk_si_class yk_classes_next_woken(struct yk_classes *classes);

/* Whether new pods have anti-affinity that refers to labels which some classes leave out. */
static inline bool yk_classes_need_update(const struct yk_classes *classes)
{
    return classes->pod_index.newly_referenced.count > 0;
}
/* Like yk_classes_need_update() for pods in that namespace. */
bool yk_classes_need_update_in(const struct yk_classes *classes, struct yk_str namespace_);
/* The class that a waiting pod needs now, counted; usually the one it has. The caller still has to release
 * the old one, and calls yk_classes_updated() after it has updated all waiting pods. */
yk_si_class yk_class_update(struct yk_classes *classes, yk_si_class number, struct yk_str namespace_,
                            const struct yk_pairs *labels);
/* The caller has handled the label keys that are newly referred to: forgets them. */
void yk_classes_updated(struct yk_classes *classes);

/* The class with that number, borrowed while it has a reference; NULL for YK_SI_CLASS_ANY. */
const struct yk_k8s_class *yk_class_at(const struct yk_classes *classes, yk_si_class number);

#endif
