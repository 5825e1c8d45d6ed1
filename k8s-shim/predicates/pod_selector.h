/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compiled pod selector (namespaces and a label selector), and the entity that it is compared with (a
 * namespace and labels).
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 2.1, 4.12, 4.13.
 */
#ifndef YK_PREDICATES_POD_SELECTOR_H
#define YK_PREDICATES_POD_SELECTOR_H

#include "cache/cache.h"
#include "selectors/requirement.h"

/* The namespace and labels that selectors are compared with: of the pods of a profile, or of the waiting pods
 * of a class. */
struct yk_entity {
    yk_name namespace_;      /* counted; YK_NO_NAME: no selector refers to these pods */
    struct yk_label *labels; /* owned, counted names, sorted by the id of the key */
    uint32_t label_count;
    bool is_class;          /* the entity is part of a struct yk_k8s_class; otherwise of a profile */
    struct yk_list matches; /* struct yk_k8s_match, of_entity */
};

/* Makes an entity of a namespace and of those labels whose key `wanted` accepts (NULL: all labels). It holds
 * references to its names. `is_class` is false; the caller sets it for a class. If the caller copies `*ret`,
 * it calls yk_list_init() for `matches` of the copy. The caller ends the entity with yk_entity_done(), after
 * all its matches are gone. */
void yk_entity_init(struct yk_entity *ret, struct yk_str namespace_, const struct yk_pairs *labels,
                    bool (*wanted)(void *context, yk_name key), void *context);
/* Like yk_entity_init() with `count` labels that are names; adds a reference to each name. */
void yk_entity_init_names(struct yk_entity *ret, yk_name namespace_, const struct yk_label *labels,
                          uint32_t count);
void yk_entity_done(struct yk_entity *entity);
/* The value of the label `key`; YK_NO_NAME: there is no such label. O(log labels). */
yk_name yk_entity_label(const struct yk_entity *entity, yk_name key);

struct yk_pod_selector {
    yk_name *namespaces; /* owned, counted names: the listed namespaces, or the namespace of the pod */
    uint32_t namespace_count;
    bool has_namespace_selector;                     /* namespaces are also selected by `namespace_lines` */
    struct yk_compiled_requirement *namespace_lines; /* owned; all must match the labels of the namespace */
    uint32_t namespace_line_count;
    bool matches_nothing;                  /* there is no label selector */
    struct yk_compiled_requirement *lines; /* owned; all must match the labels of the pod */
    uint32_t line_count;
};

/* Compiles the selectors of a term of pod affinity. `owner_namespace`: the namespace of its pod, which a term
 * with neither namespaces nor a namespaceSelector selects. The caller ends `*ret` with
 * yk_pod_selector_done(). False: Kubernetes would refuse to parse one of the selectors; `*ret` is empty and
 * need not be ended. */
bool yk_pod_selector_init(struct yk_pod_selector *ret, const struct yk_pod_affinity_term *term,
                          struct yk_str owner_namespace);
/* Whether Kubernetes would parse all selectors of the `count` terms. */
bool yk_terms_parse(const struct yk_pod_affinity_term *terms, uint32_t count);
/* Like yk_pod_selector_init() for a spread constraint. `owner_namespace` and `labels`: those of its pod; the
 * labels are for matchLabelKeys. A constraint without a selector matches no pod, whatever its matchLabelKeys
 * are. A constraint whose selector has no requirements (`line_count` 0) matches every pod of the namespace
 * here, but kube-scheduler counts no pods for it (predicates.md 4.12). The caller has to check for that
 * case. */
bool yk_spread_selector_init(struct yk_pod_selector *ret, const struct yk_spread_constraint *constraint,
                             struct yk_str owner_namespace, const struct yk_pairs *labels);
void yk_pod_selector_done(struct yk_pod_selector *selector);

/* Whether namespace and labels of the entity match. `cache`: has the labels of namespaces. */
bool yk_pod_selector_matches(const struct yk_pod_selector *selector, const struct yk_entity *entity,
                             const struct yk_cache *cache);
/* Like yk_pod_selector_matches(), but compares the labels only. */
bool yk_pod_selector_matches_labels(const struct yk_pod_selector *selector, const struct yk_entity *entity);

#endif
