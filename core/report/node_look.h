/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the nodes of a partition for an ask, for sentences that users read: how many may take it, and which
 * of them lack the least capacity. Reads each node once and changes nothing.
 *
 * Thread: scheduling thread only.
 * Source: docs/reasons.md.
 */
#ifndef YK_REPORT_NODE_LOOK_H
#define YK_REPORT_NODE_LOOK_H

#include "state/partition.h"

enum { YK_NODE_EXAMPLES = 3 };

/* Numbers of nodes, and examples. Nodes are borrowed. */
struct yk_node_look {
    uint32_t total; /* nodes of the partition */
    /* Of `total`: nodes that take no new asks of the group; for a group with a required node, all nodes but
     * this one. */
    uint32_t closed;
    uint32_t allowed;  /* of those not closed: nodes that pass the fixed constraints of the group */
    uint32_t large;    /* of `allowed`: nodes whose whole capacity is enough */
    uint32_t fitting;  /* of `allowed`: nodes whose free capacity is enough */
    uint32_t reserved; /* of `fitting`: nodes with reservations */
    /* Nodes of `allowed`: the one whose free capacity lacks least is first, but nodes whose whole capacity is
     * not enough come behind all others, and last nodes without one of the types; NULL: there are no more. */
    const struct yk_node *best[YK_NODE_EXAMPLES];
    const struct yk_node *kept; /* one of `reserved`; NULL: there is none */
    /* Of `allowed`: the one whose whole capacity lacks least; NULL: there is none. */
    const struct yk_node *largest;
};

/* Counts the nodes of the group's partition for an ask of the group, and sets all fields of `*ret_look`,
 * which may be uninitialised. May call the resource manager for each node. Nodes are borrowed until they
 * leave the partition. O(nodes * types). */
void yk_node_look(const struct yk_group *group, struct yk_node_look *ret_look);

enum { YK_NODE_LOOKS = 8 };

/* The last looks, so that groups with the same shape and required node share one. A zeroed one is empty. Its
 * holder sets `count` to 0 when something of the core may have changed: nodes, groups and shapes are
 * borrowed. Written by: report, web. */
struct yk_node_looks {
    struct {
        const struct yk_shape *shape;
        const char *required_node; /* borrowed from a group; NULL: none */
        struct yk_node_look look;
    } entries[YK_NODE_LOOKS];
    size_t count; /* looks so far; the last YK_NODE_LOOKS of them are in `entries` */
};

/* Like yk_node_look(), but takes the result from `looks` if it has one for this shape and required node, or
 * else adds it there. `looks` NULL: as yk_node_look(). O(1), or O(nodes * types) for a new look. */
void yk_node_look_shared(struct yk_node_looks *looks, const struct yk_group *group,
                         struct yk_node_look *ret_look);
/* Whether a node that may take an ask of the group has the capacity for it when nothing runs there. `looks`: as
 * in yk_node_look_shared(). May call the resource manager for each node that is large enough. O(nodes * types) if
 * the answer is no and `looks` has no look. */
bool yk_node_look_is_any_large(const struct yk_node_looks *looks, const struct yk_group *group);

/* How much of a size a capacity lacks. A value. */
struct yk_node_lack {
    bool is_small;    /* the whole node has too little of a type */
    uint32_t kinds;   /* number of types of which the whole node has nothing */
    double most, sum; /* the missing part, from 0 (it fits) to 1: of the type that lacks most, of all types */
};
/* A look in slices: it may go on after nodes, asks and shapes have changed. Zeroed before its first use, and
 * then only changed by yk_node_look_go_on(). Nodes are stored as indexes. */
struct yk_node_walk {
    uint64_t question;        /* hash of the shape and the required node */
    size_t at;                /* index of the node to look at next */
    struct yk_node_look look; /* so far, without the nodes */
    uint32_t best[YK_NODE_EXAMPLES], largest, kept;
    size_t best_count;
    struct yk_node_lack lack[YK_NODE_EXAMPLES], least_total;
    uint32_t restarts; /* how often the walk began again, because an example has changed */
};
/*
 * Looks at a few more nodes for the group. True: `looks` has the look, as for yk_node_look_shared(). False: call the
 * function again, with the same or another group: for another shape or required node, the look begins again. If
 * nodes change meanwhile, the numbers are not of one moment, but a sentence about the look is true when the
 * function returns true: if a node that it would name is gone, or has the capacity by now, the look begins again,
 * and after four times looks at all nodes in one step. How many other nodes have the capacity is not checked again.
 * O(types), but for this step.
 */
bool yk_node_look_go_on(struct yk_node_walk *walk, struct yk_node_looks *looks, const struct yk_group *group);

#endif
