/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scheduling classes: which pods may run on which nodes, answered once per kind of pod and kind of node.
 *
 * Pods with the same fixed constraints share a class, numbered densely for the core (yk_si_class). Nodes that
 * no class can tell apart share a signature: their taints, whether they are cordoned, declared features, and
 * those labels that some class asks about. The verdict of a class on a signature is computed when first asked
 * for and kept in a table. What depends on the very node (its name, its hostname label) is looked at each
 * time.
 *
 * What depends on other pods (ports, spread, affinity) is answered from the books (books.h), which count what
 * stands where. Pods that say the same share a spec; a class is a spec with those labels of its pods that
 * somebody's anti-affinity, or their own selectors, look at. Volumes are asked for in a room of their own
 * (volumes/volumes.h); pods with other claims are of another spec. When anti-affinity begins to look at
 * another label, classes that were made without it are out of date: see yk_classes_need_update().
 *
 * Owns:      classes (counted by the pods that have them; a few without pods are kept for those to come),
 * specs, signatures, the books. Borrows:   nodes, which carry their signature number. Thread:    scheduling
 * thread only. Invariant: a known node's signature describes it as it is, over at least the label keys in
 * label_keys and the topology keys in use. Source:    docs/reference/predicates.md 7.1 to 7.3.
 */
#ifndef YK_PREDICATES_CLASSES_H
#define YK_PREDICATES_CLASSES_H

#include "predicates/dynamic.h"
#include "predicates/pod_index.h"
#include "predicates/preferences.h"
#include "si.h"
#include "volumes/volumes.h"

enum {
    YK_CLASSES_IDLE_MAX = 64,        /* classes without pods that are kept */
    YK_CLASSES_TABLE_MAX = 16 << 20, /* bytes of verdicts; classes beyond it are computed each time */
};

/* What pods say, whatever their labels. */
struct yk_class_spec {
    struct yk_constraints constraints;
    struct yk_preferences preferences;
    struct yk_dynamic dynamic;
    struct yk_volumes *volumes;         /* borrowed */
    struct yk_pod_volumes *pod_volumes; /* counted; NULL: none that matter */
    struct yk_list of_pod_volumes;      /* their follower */
    char *key;                          /* owned bytes */
    size_t key_len;
    uint64_t sequence;
    uint8_t *verdicts;      /* by signature; owned; NULL: not kept */
    struct yk_list classes; /* struct yk_k8s_class, of_spec */
};

struct yk_k8s_class {
    struct yk_class_spec *spec;
    struct yk_entity entity; /* what others' anti-affinity and its own selectors see */
    bool *matches_itself;    /* by use of the spec; owned */
    char *key;               /* owned bytes */
    size_t key_len;
    uint32_t number;
    uint32_t holders;
    struct yk_list idle; /* linked: in classes->idle */
    struct yk_list of_spec;
    struct yk_list in_index, in_woken; /* of the books */
};

struct yk_signature {
    char *key; /* owned bytes */
    size_t key_len;
    uint32_t number;
    uint32_t nodes;
    bool has_soft_taint;
};

struct yk_classes {
    struct yk_cache *cache; /* borrowed for life */
    /* Whether a node takes nothing because it is kept for some pods; for words only. NULL: none is. */
    bool (*is_reserved)(void *context, const struct yk_cache_node *node);
    void *reserved_context;
    struct yk_pod_index pod_index;
    struct yk_volumes volumes;
    struct yk_cache_pod_observer pod_observer;
    struct yk_strmap specs, by_key;
    uint64_t spec_sequence;
    uint64_t generation;     /* of the topology when all nodes were signed last */
    uint64_t signings;       /* how often all nodes were signed anew */
    struct yk_vec by_number; /* struct yk_k8s_class or NULL */
    struct yk_vec free_numbers;
    struct yk_list idle; /* oldest first */
    size_t idle_count, count;
    struct yk_strmap signatures;
    struct yk_vec signatures_by_number; /* struct yk_signature or NULL */
    struct yk_vec free_signatures;
    size_t soft_signatures; /* with a taint that says PreferNoSchedule */
    size_t columns;         /* bytes of one spec's verdicts */
    size_t table_bytes;
    struct yk_idmap label_keys; /* those that classes ask about: struct label_key by name id */
    struct yk_class_key scratch;
    struct yk_buf node_key, class_key;
};

/* From now on the cache tells it what stands where. */
void yk_classes_init(struct yk_classes *classes, struct yk_cache *cache);
/* No class may be held any more, no node known. */
void yk_classes_done(struct yk_classes *classes);

/* The class of a pod, counted. Cost: O(what the pod says); O(nodes) when it asks about a label for the first
 * time. */
yk_si_class yk_class_get(struct yk_classes *classes, const struct yk_pod *pod);
/* Gives it back. YK_SI_CLASS_ANY is fine. */
void yk_class_put(struct yk_classes *classes, yk_si_class number);
/* A node came, changed its labels or taints, or is about to go. */
void yk_classes_node_added(struct yk_classes *classes, struct yk_cache_node *node);
void yk_classes_node_changed(struct yk_classes *classes, struct yk_cache_node *node);
void yk_classes_node_removed(struct yk_classes *classes, struct yk_cache_node *node);

/* The first filter that objects. Allocates nothing; O(1) but for classes that ask about the very node. */
enum yk_verdict yk_class_verdict(struct yk_classes *classes, yk_si_class number,
                                 const struct yk_cache_node *node);
static inline bool yk_class_fits(struct yk_classes *classes, yk_si_class number,
                                 const struct yk_cache_node *node)
{
    return number == YK_SI_CLASS_ANY || yk_class_verdict(classes, number, node) == YK_VERDICT_FITS;
}
/* Whether the class likes some nodes more than others; then, how much those of the signature of `node`. */
bool yk_class_has_preferences(const struct yk_classes *classes, yk_si_class number);
int32_t yk_class_score(const struct yk_classes *classes, yk_si_class number,
                       const struct yk_cache_node *node);
/* Whether pods of the class may stand on cordoned nodes. */
bool yk_class_tolerates_cordon(const struct yk_classes *classes, yk_si_class number);
/*
 * The filters that depend on what stands where, and volumes; resources apart. `node` NULL: is it of any use
 * to look at nodes? Allocates nothing; O(rules and claims of the class), a few ns for classes without any.
 */
bool yk__class_fits_now(const struct yk_k8s_class *class_, const struct yk_cache_node *node,
                        enum yk_class_question question);
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
/* The fixed filters, as far as all nodes of the signature of `node` share their answer. */
bool yk_class_fits_signature(struct yk_classes *classes, yk_si_class number,
                             const struct yk_cache_node *node);
/* Whether those that depend on what stands where may object to a whole kind: they look at other domains than
 * hostnames. O(rules that it has or that match it). */
bool yk_class_excludes_signatures(const struct yk_classes *classes, yk_si_class number);
/* Why not: the first of those filters that objects. */
enum yk_verdict yk_class_verdict_now(const struct yk_classes *classes, yk_si_class number,
                                     const struct yk_cache_node *node, enum yk_class_question question);
/*
 * Takes gone[0..start) off the books, then one more at a time, until the class passes these filters on the
 * node: returns the index of that one, or -1 when it never does. No pod twice; those that stand nowhere, and
 * NULL, are passed over. Everything is back when it returns, and nothing was woken. O(count * rules of each
 * pod).
 */
int yk_class_fits_without(struct yk_classes *classes, yk_si_class number, const struct yk_cache_node *node,
                          struct yk_cache_pod *const *gone, size_t count, size_t start);

/*
 * A class that may fit now where it did not, because something that stands somewhere (or a domain, or a label
 * of a namespace) changed; YK_SI_CLASS_ANY when there is none. What changes about the fixed filters of a node
 * is not told here. Each is told once, until it is woken again.
 */
yk_si_class yk_classes_next_woken(struct yk_classes *classes);

/* Whether pods have come whose anti-affinity looks at labels that some classes leave out. */
static inline bool yk_classes_need_update(const struct yk_classes *classes)
{
    return classes->pod_index.newly_referenced.count > 0;
}
/* Those of pods in that namespace. */
bool yk_classes_need_update_in(const struct yk_classes *classes, struct yk_str namespace_);
/*
 * The class that a waiting pod should have instead, counted; usually the same. The old one is still to be
 * given back. After all waiting pods: yk_classes_updated().
 */
yk_si_class yk_class_update(struct yk_classes *classes, yk_si_class number, struct yk_str namespace_,
                            const struct yk_pairs *labels);
void yk_classes_updated(struct yk_classes *classes);

/* NULL for YK_SI_CLASS_ANY. */
const struct yk_k8s_class *yk_class_at(const struct yk_classes *classes, yk_si_class number);

#endif
