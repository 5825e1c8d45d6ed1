/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The constraints of a pod that do not depend on other pods, compiled once per spec (classes.h) and per set
 * of eligible nodes (struct yk_spread_nodes).
 *
 * The fixed filters, in kube-scheduler's order, are NodeUnschedulable, NodeName, TaintToleration and
 * NodeAffinity, and after all other filters NodeDeclaredFeatures. Each of them decides about one node, and
 * has a file of its own and a row in filter_rows.h.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 1.2, 4.2 to 4.5, 4.15.
 */
#ifndef YK_PREDICATES_CONSTRAINTS_H
#define YK_PREDICATES_CONSTRAINTS_H

#include "cache/cache.h"
#include "predicates/filter_table.h"
#include "selectors/requirement.h"

enum yk_toleration_operator {
    YK_TOLERATES_EQUAL,
    YK_TOLERATES_EXISTS,
    YK_TOLERATES_LT,
    YK_TOLERATES_GT,
    YK_TOLERATES_NOTHING, /* an unknown operator */
};

struct yk_compiled_toleration {
    yk_name key, value; /* counted; key YK_NO_NAME: every key */
    enum yk_toleration_operator operator_;
    bool any_effect; /* the toleration covers all effects; `effect` is ignored */
    enum yk_taint_effect effect;
};

/* A term of a node selector. */
struct yk_compiled_term {
    struct yk_compiled_requirement *requirements; /* owned: those of labels, then those of fields */
    uint32_t label_count, field_count;
};

struct yk_constraints {
    yk_name node_name;                          /* spec.nodeName, counted; YK_NO_NAME: none */
    struct yk_compiled_toleration *tolerations; /* owned */
    uint32_t toleration_count;
    struct yk_label *selector; /* spec.nodeSelector; owned, counted names */
    uint32_t selector_count;
    bool has_required_affinity;     /* required node affinity is given; if it has no term, no node fits */
    struct yk_compiled_term *terms; /* owned */
    uint32_t term_count;
    uint32_t features; /* bits of the features that the node must declare (cache/features.h) */
    /* Derived from the above. */
    bool reads_identity; /* a constraint depends on the name or the hostname label of a node */
    bool is_named;       /* there is a term, and each one names its nodes by metadata.name */
    bool tolerates_cordon;
    yk_name hostname_key, name_field, empty; /* "kubernetes.io/hostname", "metadata.name" and "", counted */
};

/* Compiles the constraints of the pod's specification, which is borrowed for the call. The caller ends `*ret`
 * with yk_constraints_done(). */
void yk_constraints_init(struct yk_constraints *ret, const struct yk_pod *pod);
void yk_constraints_done(struct yk_constraints *constraints);
/* Calls `visit` for each label key of nodes that node selector and node affinity refer to, once per
 * occurrence. */
void yk_constraints_keys(const struct yk_constraints *constraints, void (*visit)(void *context, yk_name key),
                         void *context);

/* Compiles one term of a node selector. The caller ends `*ret` with yk_term_done(). */
void yk_term_compile(struct yk_compiled_term *ret, const struct yk_selector_term *from);
void yk_term_done(struct yk_compiled_term *term);
/* Calls `visit` for each label key of the term, once per occurrence. */
void yk_term_keys(const struct yk_compiled_term *term, void (*visit)(void *context, yk_name key),
                  void *context);
/* Whether all requirements of the term match the node; false for a term without requirements. `constraints`:
 * those of any pod, for the names that they hold. */
bool yk_term_matches(const struct yk_constraints *constraints, const struct yk_compiled_term *term,
                     const struct yk_cache_node *node);
/* Whether a toleration of the pod covers the taint. */
bool yk_taint_is_tolerated(const struct yk_constraints *constraints, const struct yk_cache_taint *taint);

/* The fixed filters. True: the node passes. */

/* Whether `node->closers` is 0, and either the node is not cordoned or the pod tolerates the cordon. */
bool yk_filter_node_unschedulable(const struct yk_constraints *constraints, const struct yk_cache_node *node);
/* Whether spec.nodeName is absent or names the node. */
bool yk_filter_node_name(const struct yk_constraints *constraints, const struct yk_cache_node *node);
/* Whether the pod tolerates each taint of the node with effect NoSchedule or NoExecute. */
bool yk_filter_taint_toleration(const struct yk_constraints *constraints, const struct yk_cache_node *node);
/* Whether nodeSelector and required node affinity match the node. */
bool yk_filter_node_affinity(const struct yk_constraints *constraints, const struct yk_cache_node *node);
/* Whether the node declares the features that the pod needs. */
bool yk_filter_declared_features(const struct yk_constraints *constraints, const struct yk_cache_node *node);

/* Whether one of the `count` tolerations covers the taint node.kubernetes.io/unschedulable of cordoned
 * nodes. */
bool yk_tolerates_cordon(const struct yk_compiled_toleration *tolerations, uint32_t count);
/* Whether the toleration covers a taint of that key, value and effect. */
bool yk_tolerates(const struct yk_compiled_toleration *toleration, yk_name key, yk_name value,
                  enum yk_taint_effect effect);

/* For constraints with `is_named`: whether some term names the node `node` (YK_NO_NAME: false). `*ret_any`:
 * whether some term names exactly one node, so that a node can match it. */
bool yk_affinity_names(const struct yk_constraints *constraints, yk_name node, bool *ret_any);

#endif
