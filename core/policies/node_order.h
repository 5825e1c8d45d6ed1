/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which nodes are tried: a tree ordered by score, in which each item stores the largest free
 * amounts of its branch. A search skips branches without enough capacity, so it usually finds the first node
 * that fits in O(log nodes).
 *
 * The sorting policy (config/sort_policies.h) gives each node a score; the lowest one comes first. fair and
 * binpacking score how much a node is used: the weighted mean of 1 - available/total over the types with a
 * weight. Nodes with the same score are ordered by their id. Only schedulable nodes without reservations are
 * in the tree; nodes that drain are in a list of their own.
 *
 * If many nodes with capacity are refused for a class, the search goes by node signature. Nodes with the same
 * signature differ for a class only by the allocations on them. Each signature has a tree of its nodes, and
 * one question can exclude all of them, such as all nodes of a zone. The first search that needs these trees
 * builds them, and they are kept up to date from then on.
 *
 * Borrows: nodes, which must be removed before they are freed.
 * Thread:  scheduling thread only.
 * Source:  docs/reference/queues.md, rules O11 and O12; docs/reference/predicates.md 7.1.
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
    double weight; /* as configured, above 0 */
    double part;   /* weight / largest weight, so that sums are finite */
};

struct yk_node_order {
    struct yk_tree tree; /* struct yk_node, by in_order */
    /* By signature: struct yk_tree, owned, of struct yk_node by in_signature; NULL: no node has it. */
    struct yk_vec signatures;
    uint32_t signature_count; /* trees in `signatures` */
    bool keeps_signatures;    /* the nodes of `tree` are in these trees, too */
    struct yk_list draining;  /* struct yk_node, by in_draining: nodes that drain and have no reservations */
    enum yk_node_sort sort;
    struct yk_resvec weighted;      /* the types that have a weight; the amounts are not used */
    struct yk_node_weight *weights; /* owned; ascending by type */
    size_t weight_count;
};

/* Makes an order without nodes, with the policy fair, and vcore and memory with weight 1. */
void yk_node_order_init(struct yk_node_order *order);
/* Frees the memory of the order, from which all nodes must have been removed. */
void yk_node_order_done(struct yk_node_order *order);
/* Sets the policy and the weights from a checked configuration, and sorts all nodes again. May add resource
 * types to the table of types: the caller then calls yk_dynamic_queue_limits_look()
 * (partition/dynamic_queue_limits.h). O(n log n). */
void yk_node_order_configure(struct yk_node_order *order, const struct yk_config_partition *config);
/* The weight of the type; 0: it has none. */
double yk_node_order_weight(const struct yk_node_order *order, int type);
/* Call it for a new node, after yk_node_order_set_signature() if its signature is known, and after the
 * amounts, `schedulable`, `draining` or the reservations of a node have changed: computes the score of the
 * node, and adds the node to the order, moves it there or removes it. The functions of objects/node.h do not
 * call it. Wakes nothing: the caller also calls yk_preempt_node_changed() and, if the node may take more asks
 * now, yk_wake_for_node(). */
void yk_node_order_update(struct yk_node_order *order, struct yk_node *node);
/* Removes the node from the order and from the nodes that drain. No effect if it is in neither. For a node
 * that leaves the partition: the caller has set `leaving`, and has cleared `schedulable` and `draining`, so
 * that no yk_node_order_update() adds it again. */
void yk_node_order_remove(struct yk_node_order *order, struct yk_node *node);
/* Sets node->signature. If the trees of signatures are kept and the node is in the order, moves it to the
 * tree of its new signature. The caller also calls yk_node_signatures_set() (state/node_signatures.h). */
void yk_node_order_set_signature(struct yk_node_order *order, struct yk_node *node, uint32_t signature);

/* What yk_node_order_find() looks for. The comment of each function says what NULL means. */
struct yk_node_query {
    /* The size and the class (may be NULL) of the asks. The caller has computed with yk_node_search_prepare()
     * which nodes are feasible for the class (yk_class.feasible). */
    const struct yk_shape *shape;
    /* Whether the node may be chosen; called for nodes with capacity that are feasible. NULL: all may. The
     * functions must not change nodes or the order. */
    bool (*accept)(void *context, struct yk_node *node);
    /* Whether nodes with the signature of the node `of_it` may be chosen; false: `accept` is false for
     * all of them. NULL: signatures are not known. */
    bool (*signature_may_fit)(void *context, struct yk_node *of_it);
    /* Whether `signature_may_fit` may be false for a signature; only called if the first node in order does
     * not fit. NULL: it may be false. */
    bool (*excludes_signatures)(void *context);
    /* The score of all nodes with the signature of the node `of_it`; higher ones are preferred. NULL: all
     * have the same. */
    int32_t (*score)(void *context, const struct yk_node *of_it);
    void *context; /* the first argument of the functions */
};
/*
 * The first node in order, among those with the highest `score`, that has free capacity for the size of the
 * shape, is feasible for its class and is accepted. If there is no such node and the class tolerates nodes
 * that drain, the first node that drains and fits; otherwise NULL. `nodes`: all nodes of the partition by
 * index; an entry is NULL if no node has its index. If there are many signatures in comparison with nodes,
 * the result may have the highest score only among the first 32 nodes that fit, not counting up to 1,024
 * nodes with a negative score. Changes no amounts; may build the trees of signatures, and may change
 * yk_class.impatience. The result is borrowed. Usually O(log nodes), at worst O(nodes). Other modules call
 * yk_node_for() (state/node_search.h), which asks the resource manager.
 */
struct yk_node *yk_node_order_find(struct yk_node_order *order, void *const *nodes,
                                   const struct yk_node_query *query);

#endif
