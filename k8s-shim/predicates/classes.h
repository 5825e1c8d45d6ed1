/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scheduling classes: which pods may run on which nodes, answered once per kind of pod and kind of node.
 *
 * Pods with the same fixed constraints share a class, numbered densely for the core (yk_si_class). Nodes that
 * no class can tell apart share a signature: their taints, whether they are cordoned, and those labels that
 * some class asks about. The verdict of a class on a signature is computed when first asked for and kept in a
 * table. What depends on the very node (its name, its hostname label) is looked at each time.
 *
 * Owns:      classes (counted by the pods that have them; a few without pods are kept for those to come),
 * signatures. Borrows:   nodes, which carry their signature number. Thread:    scheduling thread only.
 * Invariant: a known node's signature describes it as it is, over at least the label keys in label_keys.
 * Source:    docs/reference/predicates.md 7.1.
 */
#ifndef YK_PREDICATES_CLASSES_H
#define YK_PREDICATES_CLASSES_H

#include "predicates/class_key.h"
#include "predicates/constraints.h"
#include "si.h"

enum {
    YK_CLASSES_IDLE_MAX = 64,        /* classes without pods that are kept */
    YK_CLASSES_TABLE_MAX = 16 << 20, /* bytes of verdicts; classes beyond it are computed each time */
};

struct yk_class {
    struct yk_constraints constraints;
    char *key; /* owned bytes */
    size_t key_len;
    uint8_t *verdicts; /* by signature; owned; NULL: not kept */
    uint32_t number;
    uint32_t holders;
    struct yk_list idle; /* linked: in classes->idle */
};

struct yk_signature {
    char *key; /* owned bytes */
    size_t key_len;
    uint32_t number;
    uint32_t nodes;
};

struct yk_classes {
    struct yk_cache *cache; /* borrowed for life */
    struct yk_strmap by_key;
    struct yk_vec by_number; /* struct yk_class or NULL */
    struct yk_vec free_numbers;
    struct yk_list idle; /* oldest first */
    size_t idle_count, count;
    struct yk_strmap signatures;
    struct yk_vec signatures_by_number; /* struct yk_signature or NULL */
    struct yk_vec free_signatures;
    size_t columns; /* bytes of one class's verdicts */
    size_t table_bytes;
    struct yk_idmap label_keys; /* those that classes ask about: struct label_key by name id */
    struct yk_class_key scratch;
    struct yk_buf node_key;
};

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
/* Whether pods of the class may stand on cordoned nodes. */
bool yk_class_tolerates_cordon(const struct yk_classes *classes, yk_si_class number);
/* NULL for YK_SI_CLASS_ANY. */
const struct yk_class *yk_class_at(const struct yk_classes *classes, yk_si_class number);

#endif
