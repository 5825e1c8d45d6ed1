/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the nodes have for the asks of one group, counted for people: how many may take it, and which of them
 * comes nearest. Reads the nodes once and decides nothing.
 *
 * Thread: scheduling thread only.
 * Source: docs/reasons.md.
 */
#ifndef YK_REPORT_NODE_LOOK_H
#define YK_REPORT_NODE_LOOK_H

#include "state/partition.h"

enum { YK_NODE_EXAMPLES = 3 };

struct yk_node_look {
    uint32_t total;    /* nodes of the partition */
    uint32_t closed;   /* that take nothing new */
    uint32_t allowed;  /* open, and the fixed constraints of the group let it run there */
    uint32_t large;    /* of these: large enough if nothing else ran there */
    uint32_t fitting;  /* of these: with enough free */
    uint32_t reserved; /* of these: reserved for other asks */
    const struct yk_node
        *best[YK_NODE_EXAMPLES];   /* allowed ones, the one that lacks least first; NULL: none */
    const struct yk_node *kept;    /* one of `reserved`; NULL: none */
    const struct yk_node *largest; /* if none is large enough: the one that comes nearest; NULL: none */
};

/* Counts the nodes of the partition for asks of `group` with `size` (usually that of the group), and sets all
 * fields of `*ret_look`. Nodes in it are borrowed until the core changes. O(nodes * types). */
void yk_node_look(const struct yk_group *group, const struct yk_resvec *size, struct yk_node_look *ret_look);

#endif
