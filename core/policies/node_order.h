/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which nodes are tried: a tree ordered by score, whose inner nodes store the largest free
 * amounts below them. The first node that fits is found in O(log nodes), without visiting full ones.
 *
 * fair: the least used node first. binpacking: the most used one first. Used means the weighted mean of
 * 1 - available/total over the weighted types. Ties: node id. Only schedulable nodes without reservations
 * are in the order.
 *
 * If most nodes with capacity refuse a class, the search goes by signature of node. Nodes that differ for
 * classes only by the allocations on them are in a tree of their own, so one check skips a whole zone. These
 * trees are built by the first search that needs them, and kept.
 *
 * Borrows: nodes, which must leave before they are freed.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules O11 and O12; docs/reference/predicates.md 7.1.
 */
#ifndef YK_POLICIES_NODE_ORDER_H
#define YK_POLICIES_NODE_ORDER_H

#include "base/vec.h"
#include "config/config.h"
#include "config/sort_policies.h"
#include "objects/node.h"
#include "objects/shape.h"

struct yk_node_weight {
    int type;
    double weight;
    double part; /* of the largest weight: sums stay finite */
};

struct yk_node_order {
    struct yk_tree tree; /* struct yk_node, by in_order */
    /* By signature: owned struct yk_tree of struct yk_node by in_signature, or NULL. */
    struct yk_vec signatures;
    uint32_t signature_count; /* of these */
    bool keeps_signatures;    /* the same nodes stand there, too */
    struct yk_list draining;  /* struct yk_node, by in_draining: those without reservations */
    enum yk_node_sort sort;
    struct yk_resvec weighted;      /* the types that have a weight; amounts mean nothing */
    struct yk_node_weight *weights; /* owned; ascending by type */
    size_t weight_count;
};

/* Makes an order without nodes: policy fair, vcore and memory with weight 1. */
void yk_node_order_init(struct yk_node_order *order);
/* Frees the order, in which no node is left. */
void yk_node_order_done(struct yk_node_order *order);
/* Takes policy and weights from a checked configuration, borrowed for the call, and sorts all nodes again. O(n log n). */
void yk_node_order_configure(struct yk_node_order *order, const struct yk_config_partition *config);
/* The weight of the type; 0: it has none. */
double yk_node_order_weight(const struct yk_node_order *order, int type);
/* Adds, removes, or moves `node` after its amounts or `schedulable` changed. */
void yk_node_order_update(struct yk_node_order *order, struct yk_node *node);
/* The node leaves the order. No effect if it is not there. */
void yk_node_order_remove(struct yk_node_order *order, struct yk_node *node);
/* Sets the signature of the node (state/node_signatures.h), and moves the node between the trees. */
void yk_node_order_set_signature(struct yk_node_order *order, struct yk_node *node, uint32_t signature);
struct yk_node_query {
    const struct yk_shape *shape;
    bool (*accept)(void *context, struct yk_node *node); /* has the last word; NULL: accepts */
    bool (*signature_may_fit)(
        void *context, struct yk_node *of_it); /* any node of that signature; NULL: signatures are unknown */
    /* May that say no? Asked when the first node does not do. NULL: it may. */
    bool (*excludes_signatures)(void *context);
    int32_t (*score)(void *context,
                     const struct yk_node *of_it); /* how much that signature is liked; NULL: all alike */
    void *context;
};
/*
 * The first node in order, among those with the highest score, that has capacity for the shape's size and
 * satisfies its class; borrowed. If there is none, a node that drains, for a class that tolerates that; else
 * NULL. `nodes` are all nodes by index. If there are many signatures in comparison with nodes, it is the node
 * with the highest score among the first 32 that fit; up to 1,024 nodes with a negative score are not counted
 * among these. O(log nodes) while few nodes with capacity are refused, else O(signatures * log nodes + nodes
 * that are refused although their signature may fit).
 */
struct yk_node *yk_node_order_find(struct yk_node_order *order, void *const *nodes,
                                   const struct yk_node_query *query);

#endif
