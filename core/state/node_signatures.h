/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which nodes have which signature, as bitsets: a question about all nodes is asked once per signature
 * instead of once per node.
 *
 * Signatures are small dense numbers, given by the resource manager (si.h, node_signature).
 * Owns: its sets.
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 7.1.
 */
#ifndef YK_STATE_NODE_SIGNATURES_H
#define YK_STATE_NODE_SIGNATURES_H

#include "base/bitset.h"
#include "base/vec.h"

/* Written by: state. */
struct yk_node_signatures {
    struct yk_vec members; /* by signature: owned struct members, or NULL */
    uint32_t *labels;      /* owned; by node index: the signature + 1, 0: no node */
    size_t capacity;       /* of labels */
};

void yk_node_signatures_done(struct yk_node_signatures *signatures);
/* Sets the signature of the node. O(log nodes of the signature); sometimes O(nodes of the signature). */
void yk_node_signatures_set(struct yk_node_signatures *signatures, uint32_t node_index, uint32_t signature);
/* Forgets the node, which left; its index may be used again. */
void yk_node_signatures_forget(struct yk_node_signatures *signatures, uint32_t node_index);
/* Sets `ret` (initialised) to the nodes whose signature passes; `passes` is called with one node of each
 * signature. O(signatures, and nodes that pass / 64 while signatures are few). */
void yk_node_signatures_select(const struct yk_node_signatures *signatures,
                               bool (*passes)(void *context, uint32_t node_index), void *context,
                               struct yk_bitset *ret);

#endif
