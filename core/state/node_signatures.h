/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes of each signature, as bitsets, so that a question about all nodes is asked once per signature
 * instead of once per node.
 *
 * Signatures are small dense numbers, which the resource manager chooses (si.h, node_signature). Nodes are
 * named by their index in the partition. A zeroed struct has no nodes.
 * Owns:   its sets.
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 7.1.
 */
#ifndef YK_STATE_NODE_SIGNATURES_H
#define YK_STATE_NODE_SIGNATURES_H

#include "base/bitset.h"
#include "base/vec.h"

/* Written by: state. */
struct yk_node_signatures {
    struct yk_vec members; /* by signature: struct members, owned; NULL: no node has it */
    uint32_t *labels;      /* owned; by node index: the signature plus 1; 0: no such node */
    size_t capacity;       /* items of `labels` */
};

void yk_node_signatures_done(struct yk_node_signatures *signatures);
/* Sets the signature of the node, which may have had another one. The caller also calls
 * yk_node_order_set_signature() (policies/node_order.h). O(log nodes), or O(nodes / 64) if a set of 64
 * indexes has to be added or removed. */
void yk_node_signatures_set(struct yk_node_signatures *signatures, uint32_t node_index, uint32_t signature);
/* Call it when the node is removed: its index may then be used for another node. No effect if it has no
 * signature. */
void yk_node_signatures_forget(struct yk_node_signatures *signatures, uint32_t node_index);
/* Sets `ret` (zeroed or in use; its bits are replaced) to the indexes of the nodes whose signature
 * passes. `passes(context, index)` is called for one node of each signature, and its answer holds for all
 * of them. O(signatures + n / 64) for n nodes that pass, while signatures are few. */
void yk_node_signatures_select(const struct yk_node_signatures *signatures,
                               bool (*passes)(void *context, uint32_t node_index), void *context,
                               struct yk_bitset *ret);

#endif
