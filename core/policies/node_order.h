/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which nodes are tried: an ordered tree by score, in which each branch knows the largest free
 * amounts below it. The first node that fits is found in O(log nodes), without looking at full ones.
 *
 * fair: the least used node first. binpacking: the most used one first. Used means the weighted mean of
 * 1 - available/total over the weighted types. Ties: node id. Only schedulable nodes without reservations
 * stand in the order. Borrows: nodes, which must leave before they are freed. Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules O11 and O12.
 */
#ifndef YK_POLICIES_NODE_ORDER_H
#define YK_POLICIES_NODE_ORDER_H

#include "config/config.h"
#include "objects/node.h"
#include "objects/shape.h"

enum yk_node_sort { YK_NODE_SORT_FAIR, YK_NODE_SORT_BINPACKING };

struct yk_node_order {
    struct yk_tree tree; /* struct yk_node, by in_order */
    enum yk_node_sort sort;
    uint32_t weighted; /* bit t: type t has a weight */
    double weights[YK_RESTYPE_MAX];
    double largest_weight;
};

/* fair, vcore and memory with weight 1, no nodes. */
void yk_node_order_init(struct yk_node_order *order);
/* Takes policy and weights from a checked configuration and sorts anew. */
void yk_node_order_configure(struct yk_node_order *order, const struct yk_config_partition *config);
const char *yk_node_sort_name(enum yk_node_sort sort);
/* Adds, removes, or moves `node` after its amounts or `schedulable` changed. */
void yk_node_order_update(struct yk_node_order *order, struct yk_node *node);
void yk_node_order_remove(struct yk_node_order *order, struct yk_node *node);
/* The one that would be tried first, or NULL. */
struct yk_node *yk_node_order_first(const struct yk_node_order *order);
/*
 * The first node in order that has room for the shape's size and satisfies its class, or NULL.
 * `nodes` are all nodes by index. `accept` (may be NULL) has the last word; O(log nodes) unless it or the
 * class says no to many nodes with room.
 */
struct yk_node *yk_node_order_find(const struct yk_node_order *order, void *const *nodes,
                                   const struct yk_shape *shape,
                                   bool (*accept)(void *context, struct yk_node *node), void *context);

#endif
