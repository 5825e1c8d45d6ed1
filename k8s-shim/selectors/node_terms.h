/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Terms that select nodes by their labels: a node matches if it meets all requirements of one term. The terms
 * are compiled from the node affinity of a volume, the allowed topologies of a storage class or the node
 * selector of a storage capacity.
 *
 * Owns:   the compiled requirements.
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 2.1 to 2.3, 4.10.
 */
#ifndef YK_SELECTORS_NODE_TERMS_H
#define YK_SELECTORS_NODE_TERMS_H

#include "cache/cache.h"
#include "selectors/requirement.h"

struct yk_node_term {
    struct yk_compiled_requirement *lines; /* owned; all must match */
    uint32_t count;
    bool never; /* the term matches no node, because a requirement cannot be parsed or there is none */
};

/* Written by: selectors; volumes sets `is_any`. */
struct yk_node_terms {
    struct yk_node_term *terms; /* owned */
    uint32_t count;             /* 0: no node matches, unless `is_any` is set */
    bool is_any;                /* every node matches; the terms are ignored */
};

/* Sets `*ret` to the compiled nodeAffinity.required of a volume. If `count` is 0, no node matches, and
 * `terms` may be NULL. matchFields are checked but not compared with nodes: a term that has only valid
 * matchFields matches every node. For a volume that has no nodeAffinity.required, the caller sets `is_any`
 * instead of calling this function. The caller ends `*ret` with yk_node_terms_done(). */
void yk_node_terms_of_volume(struct yk_node_terms *ret, const struct yk_selector_term *terms, uint32_t count);
/* Sets `*ret` to the compiled allowedTopologies of a storage class. If `count` is 0, every node matches. The
 * caller ends `*ret` with yk_node_terms_done(). */
void yk_node_terms_of_class(struct yk_node_terms *ret, const struct yk_topology_term *terms, uint32_t count);
/* Sets `*ret` to the compiled nodeTopology of a storage capacity. An empty selector matches every node. A
 * capacity without nodeTopology has to match no node: the caller zeroes `*ret` instead of calling this
 * function. The caller ends `*ret` with yk_node_terms_done(). */
void yk_node_terms_of_selector(struct yk_node_terms *ret, const struct yk_label_selector *selector);
void yk_node_terms_done(struct yk_node_terms *terms);

/* Whether one of the terms matches the node, or `is_any` is set. */
bool yk_node_terms_match(const struct yk_node_terms *terms, const struct yk_cache_node *node);
/*
 * Sets `*ret_label` to a label that every matching node has, so that the terms can be found by the labels of
 * a node. The hostname label is preferred. The names in `*ret_label` are borrowed from the terms. False:
 * there is not exactly one term, or the term requires no label with a single value; `*ret_label` is not
 * changed.
 */
bool yk_node_terms_bucket_key(const struct yk_node_terms *terms, struct yk_label *ret_label);

#endif
