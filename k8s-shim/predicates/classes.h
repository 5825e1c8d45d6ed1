/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scheduling classes: which pods may run on which nodes, computed per pod template and node signature.
 *
 * Pods with the same constraints share a *spec*. A *class* is a spec together with the namespace and those
 * labels of its pods to which the anti-affinity of other pods, or the selectors of the spec, refer. The core
 * knows a class by its number (yk_si_class). When the anti-affinity of a new pod refers to a further label,
 * classes that were made without that label are out of date: see yk_classes_need_update().
 *
 * *Fixed filters* depend only on the pod and the node. No fixed filter can distinguish nodes with the same
 * *signature*. There is one exception: NodeName and NodeAffinity of a spec that has a constraint about a
 * single node (its name, its hostname label) are evaluated for each node. A signature consists of the taints
 * of the nodes, whether they are cordoned or closed, their declared features, and their labels with a key in
 * label_keys, or with a topology key in use other than the hostname. The verdict of a spec about a signature
 * is stored in a table (YK_CLASSES_TABLE_MAX).
 *
 * Filters that depend on other pods (host ports, topology spread, pod affinity) read counters of the pod
 * index (pod_index.h). Filters of volumes are in volumes/volumes.h; pods with different claims have different
 * specs.
 *
 * Owns:      classes, which count their references (a few without references are kept for reuse), specs,
 *            signatures, the pod index, the indexes of volumes.
 * Borrows:   nodes, which store the number of their signature.
 * Thread:    scheduling thread only.
 * Invariant: the signature of a known node describes its present state, for at least the label keys in
 *            label_keys and the topology keys in use other than the hostname.
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
    YK_CLASSES_IDLE_MAX = 64, /* classes without references that are kept */
    /* bytes of the stored verdicts of all specs; specs for which there is no room compute theirs each time */
    YK_CLASSES_TABLE_MAX = 16 << 20,
};

/* The constraints that pods share, without the labels of the pods. */
struct yk_class_spec {
    struct yk_constraints constraints;
    struct yk_preferences preferences;
    struct yk_dynamic dynamic;
    struct yk_volumes *volumes;         /* borrowed */
    struct yk_filter_meter *meter;      /* borrowed */
    struct yk_pod_volumes *pod_volumes; /* counted; NULL: the pods have no volume that a filter looks at */
    struct yk_list of_pod_volumes;      /* in yk_pod_volumes_followers() of `pod_volumes` */
    char *key;                          /* owned bytes: the result of yk_class_key_make() for its pods */
    size_t key_len;
    uint64_t sequence;      /* a number that no other spec ever has */
    uint8_t *verdicts;      /* enum yk_verdict by number of the signature; owned; NULL: not stored */
    struct yk_list classes; /* struct yk_k8s_class, of_spec */
};

struct yk_k8s_class {
    struct yk_class_spec *spec;
    struct yk_entity entity; /* the namespace and labels of its pods that selectors refer to */
    /* owned, by index of spec->dynamic.uses: whether that rule, of kind YK_RULE_SPREAD or YK_RULE_AFFINITY,
     * matches pods of the class itself; false for other kinds. NULL: the spec uses no rule, and its selectors
     * can be parsed */
    bool *matches_itself;
    char *key; /* owned bytes: the sequence of the spec, and the entity */
    size_t key_len;
    uint32_t number;     /* yk_si_class; reused after the class is freed */
    uint32_t holders;    /* references */
    struct yk_list idle; /* in classes->idle while there are no references */
    struct yk_list of_spec;
    struct yk_list in_index, in_woken; /* in `classes` and `woken` of the pod index */
};

struct yk_signature {
    char *key; /* owned bytes */
    size_t key_len;
    uint32_t number;     /* reused after the signature is freed */
    uint32_t nodes;      /* nodes that have the signature; it is freed with the last one */
    bool has_soft_taint; /* a taint of effect PreferNoSchedule */
};

/* Written by: predicates; app sets `is_reserved` and its context. */
struct yk_classes {
    struct yk_cache *cache; /* borrowed for life */
    /* Whether the node is reserved for some pod. Called only to make messages. NULL: no node is reserved. */
    bool (*is_reserved)(void *context, const struct yk_cache_node *node);
    void *reserved_context;
    struct yk_pod_index pod_index;
    struct yk_volumes volumes;
    struct yk_filter_meter meter;
    struct yk_cache_pod_observer pod_observer;
    struct yk_strmap specs, by_key; /* struct yk_class_spec, struct yk_k8s_class, by their `key` */
    uint64_t spec_sequence;         /* of the last spec that was made */
    uint64_t generation;            /* of the topology that the signatures of all nodes were computed for */
    uint64_t signature_updates;     /* how often the signatures of all nodes were recomputed; when it has
                                       changed, the user of `classes` calls yk_core_signatures_changed() */
    struct yk_vec by_number;        /* struct yk_k8s_class or NULL */
    struct yk_vec free_numbers;
    struct yk_list idle;                /* classes without references, oldest first */
    size_t idle_count, count;           /* number of classes in `idle`, and of all classes */
    struct yk_strmap signatures;        /* struct yk_signature by key */
    struct yk_vec signatures_by_number; /* struct yk_signature or NULL */
    struct yk_vec free_signatures;
    size_t soft_signatures;      /* signatures with a taint of effect PreferNoSchedule */
    size_t columns;              /* bytes of the verdicts of one spec */
    size_t table_bytes;          /* of the verdicts of all specs */
    struct yk_idmap label_keys;  /* struct label_key by name id: labels of nodes that specs read */
    struct yk_class_key scratch; /* scratch memory; so are the next two */
    struct yk_buf node_key, class_key;
};

/* Makes the classes, without pods and nodes, and sets the pod observer of `cache`: from then on, the cache
 * reports its pods and namespaces to them. The caller reports nodes (yk_classes_node_added() and the two
 * functions below it) and objects of volumes (yk_volumes_kept_changed(), yk_volumes_set_listed() for
 * `classes->volumes`). `cache` is borrowed for the life of `classes`; it has no pods and nodes yet. `classes`
 * must not be moved. */
void yk_classes_init(struct yk_classes *classes, struct yk_cache *cache);
/* Frees the contents. All references to classes were given back, and yk_cache_done() has removed all nodes
 * and pods. */
void yk_classes_done(struct yk_classes *classes);

/* The class of a pod, found or made, with a reference, which the caller gives back with yk_class_put(). Never
 * YK_SI_CLASS_ANY. A new class may raise `signature_updates`: the caller then informs the core before it
 * decides (yk_core_signatures_changed()). The pod need not be in the cache. O(constraints of the pod) if the
 * class exists. A new class also costs O(nodes) for new label keys and topology keys, and its new rules are
 * matched with profiles of pods (pod_index.h). */
yk_si_class yk_class_get(struct yk_classes *classes, const struct yk_pod *pod);
/* Gives back a reference. After the last one, the number may be given to another class, so the core must not
 * have an ask of that class any longer. No effect for YK_SI_CLASS_ANY. */
void yk_class_put(struct yk_classes *classes, yk_si_class number);
/* A node was added to the cache: gives it a signature and a slot, and counts the pods on it. Call it once, in
 * `node_added` of struct yk_cache_observer, before any other function of this header. It adds to the list of
 * yk_classes_next_woken() only the classes that may fit because of these pods. The caller reports the node
 * itself to the core. Visits all pods on the node. */
void yk_classes_node_added(struct yk_classes *classes, struct yk_cache_node *node);
/* Labels, taints, features, the cordon or `closers` of a node that was added have changed
 * (YK_CHANGED_CONSTRAINTS): updates its signature, and counts its pods again. Call it after the fields of
 * `node` have changed. The caller then tells the core that the constraints of the node have changed. Visits
 * all pods on the node. */
void yk_classes_node_changed(struct yk_classes *classes, struct yk_cache_node *node);
/* Removes a node that was added, with its pods, from the pod index. The volumes of its pods become hidden
 * (yk_volumes_pod_hidden()). The cache may still have the pods on the node. Call it once, in `node_removed`
 * of struct yk_cache_observer. */
void yk_classes_node_removed(struct yk_classes *classes, struct yk_cache_node *node);

/* The verdict of the first fixed filter that refuses the node. YK_VERDICT_FITS if there is none, and for
 * YK_SI_CLASS_ANY. `number`: a class with a reference. `node`: a node that was added. Allocates nothing. O(1)
 * if the verdict is stored, apart from constraints about a single node. */
enum yk_verdict yk_class_verdict(struct yk_classes *classes, yk_si_class number,
                                 const struct yk_cache_node *node);
/* Whether the node passes all fixed filters; true for YK_SI_CLASS_ANY. Other numbers, and `node`: as for
 * yk_class_verdict(). Not the whole condition: yk_class_fits_now() and the resources decide, too. */
static inline bool yk_class_fits(struct yk_classes *classes, yk_si_class number,
                                 const struct yk_cache_node *node)
{
    return number == YK_SI_CLASS_ANY || yk_class_verdict(classes, number, node) == YK_VERDICT_FITS;
}
/* False: yk_class_score() is 0 for all nodes. False for YK_SI_CLASS_ANY. */
bool yk_class_has_preferences(const struct yk_classes *classes, yk_si_class number);
/* How much the class prefers the node, as yk_preferences_met() computes it: larger is better, 0 if no
 * preference applies. Taints of effect PreferNoSchedule that are not tolerated lower it below 0. 0 for
 * YK_SI_CLASS_ANY. `number`: a class with a reference. */
int32_t yk_class_score(const struct yk_classes *classes, yk_si_class number,
                       const struct yk_cache_node *node);
/* Whether pods of the class tolerate the taint of cordoned nodes. False for YK_SI_CLASS_ANY. */
bool yk_class_tolerates_cordon(const struct yk_classes *classes, yk_si_class number);
/* Whether the node, which was added, passes the filters of ports, volumes and other pods that `question`
 * selects. Neither fixed filters nor resources are looked at. `node` NULL: whether some node may pass;
 * `question` has no effect then. If volumes refuse, the class is woken when their answer may change.
 * O(rules of the class and rules that match it), and the cost of yk_volumes_check(). */
bool yk__class_fits_now(const struct yk_k8s_class *class_, const struct yk_cache_node *node,
                        enum yk_class_question question);
/* Like yk__class_fits_now() for the class `number`, which has a reference. True for YK_SI_CLASS_ANY. Not the
 * whole condition: yk_class_fits() and the resources decide, too. Takes a few ns for classes without such
 * constraints. */
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
/* Whether the node passes the fixed filters that answer the same for all nodes with its signature. If the
 * class has a constraint about the name or the hostname of nodes, its node name, node selector and node
 * affinity are not looked at. `number`: a class with a reference, not YK_SI_CLASS_ANY. `node`: a node that
 * was added. The answer to YK_SI_FOR_KIND also needs yk_class_fits_now() with YK_CLASS_SIGNATURE. */
bool yk_class_fits_signature(struct yk_classes *classes, yk_si_class number,
                             const struct yk_cache_node *node);
/* Whether filters that depend on other pods can refuse all nodes of a signature at once, because they count
 * in domains other than hostnames. False for YK_SI_CLASS_ANY. O(rules of the class and rules that match
 * it). */
bool yk_class_excludes_signatures(const struct yk_classes *classes, yk_si_class number);
/* The verdict of the first filter of yk__class_fits_now() that refuses the node. YK_VERDICT_FITS if there is
 * none, and for YK_SI_CLASS_ANY. In contrast to yk__class_fits_now(), volumes are looked at only for
 * YK_CLASS_ALLOCATE. So for YK_CLASS_RESERVE the answer may be YK_VERDICT_FITS where yk__class_fits_now()
 * returns false. */
enum yk_verdict yk_class_verdict_now(const struct yk_classes *classes, yk_si_class number,
                                     const struct yk_cache_node *node, enum yk_class_question question);
/*
 * Finds out which pods have to end so that the class passes the filters of yk__class_fits_now() on the node,
 * with YK_CLASS_ALLOCATE. Counts the pods gone[0] to gone[start] as gone, then the following ones, one after
 * the other, until the class passes. Returns the index of the last pod that was counted as gone. The index is
 * at least `start`, even if fewer pods would have to end. Returns -1 if the class does not even pass without
 * all `count` pods, or if `start` is not below `count`. Entries that are NULL, and pods without a node,
 * change nothing. No pod is listed twice. `number` may be YK_SI_CLASS_ANY, which always passes. All counts
 * are restored before the function returns, and no class is woken. Looks neither at fixed filters nor at
 * resources: the caller does. O(count * rules of each pod), and the cost of yk__class_fits_now() up to
 * `count` times.
 */
int yk_class_fits_without(struct yk_classes *classes, yk_si_class number, const struct yk_cache_node *node,
                          struct yk_cache_pod *const *gone, size_t count, size_t start);

/* Removes one class from the list of those that may fit now because a pod, a volume, a topology domain or a
 * namespace label has changed, and returns it without a reference. YK_SI_CLASS_ANY: the list is empty. The
 * caller wakes the class in the core with yk_core_wake_class(). Before the core decides again, call this
 * function until the list is empty; if yk_classes_need_update() is true, call yk_classes_updated() before
 * that. Changes that concern fixed filters do not add to the list. */
yk_si_class yk_classes_next_woken(struct yk_classes *classes);

/* Whether the anti-affinity of new pods refers to labels that some classes may leave out. If so, call
 * yk_class_update() for each waiting pod before the core decides again, then yk_classes_updated(). A pod that
 * has a node at that time, and waits again later, has to be updated when it waits again. */
static inline bool yk_classes_need_update(const struct yk_classes *classes)
{
    return classes->pod_index.newly_referenced.count > 0;
}
/* Whether waiting pods in that namespace are concerned, when yk_classes_need_update() is true. The other pods
 * need no yk_class_update(). */
bool yk_classes_need_update_in(const struct yk_classes *classes, struct yk_str namespace_);
/* The class that a waiting pod needs now, with a new reference. `number` is the class that the pod has;
 * usually the returned class is the same. In both cases, the caller then gives back the reference to
 * `number`. If the returned class is another one, the caller gives it to the core. `namespace_` and `labels`:
 * those of the pod, with all labels. Its constraints have not changed; for other constraints, call
 * yk_class_get(). Returns YK_SI_CLASS_ANY if `number` is YK_SI_CLASS_ANY. */
yk_si_class yk_class_update(struct yk_classes *classes, yk_si_class number, struct yk_str namespace_,
                            const struct yk_pairs *labels);
/* All waiting pods have been updated: yk_classes_need_update() is false until anti-affinity refers to a
 * further label. The caller then calls yk_classes_next_woken() until its list is empty. */
void yk_classes_updated(struct yk_classes *classes);

/* The class with that number, borrowed while it has a reference; NULL for YK_SI_CLASS_ANY and free
 * numbers. */
const struct yk_k8s_class *yk_class_at(const struct yk_classes *classes, yk_si_class number);

#endif
