/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes from which something can be reached, by their labels: terms, of which one must match, each with
 * requirements, which must all match. Made of a volume's node affinity, a storage class's allowed topologies
 * or the node selector of a storage capacity.
 *
 * Owns:   the compiled lines.
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 2.1 to 2.3, 4.10.
 */
#ifndef YK_SELECTORS_NODE_TERMS_H
#define YK_SELECTORS_NODE_TERMS_H

#include "cache/cache.h"
#include "selectors/requirement.h"

struct yk_node_term {
    struct yk_compiled_requirement *lines; /* owned */
    uint32_t count;
    bool never; /* something in it did not parse, or it is empty */
};

/* Written by: selectors; volumes sets `is_any`. */
struct yk_node_terms {
    struct yk_node_term *terms; /* owned */
    uint32_t count;             /* 0: no node matches */
    bool is_any;                /* every node matches */
};

/* Sets `*ret` to the compiled nodeAffinity.required of a volume. matchFields are ignored; a term that has
 * only these matches every node. Ends with yk_node_terms_done(). */
void yk_node_terms_of_volume(struct yk_node_terms *ret, const struct yk_selector_term *terms, uint32_t count);
/* Sets `*ret` to the compiled allowedTopologies of a storage class; without terms every node matches. Ends
 * with yk_node_terms_done(). */
void yk_node_terms_of_class(struct yk_node_terms *ret, const struct yk_topology_term *terms, uint32_t count);
/* Sets `*ret` to the compiled nodeTopology of a storage capacity; an empty selector matches every node. Ends
 * with yk_node_terms_done(). */
void yk_node_terms_of_selector(struct yk_node_terms *ret, const struct yk_label_selector *selector);
void yk_node_terms_done(struct yk_node_terms *terms);

/* Whether one of the terms matches the node. */
bool yk_node_terms_match(const struct yk_node_terms *terms, const struct yk_cache_node *node);
/*
 * Sets `*ret_label` to a label that every matching node has (names borrowed from the terms), so that the
 * terms can be found by the labels of a node. A label with the node's own name is preferred. False: no such
 * label was found.
 */
bool yk_node_terms_bucket_key(const struct yk_node_terms *terms, struct yk_label *ret_label);

#endif
