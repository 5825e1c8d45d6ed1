/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Upper bounds of what incomplete gangs could free: on one node, and below the maximum of a queue. A dry run
 * takes only placeholders that could help, and none is made for an ask that lacks more than all of them hold.
 *
 * Nodes are counted once in a look: handovers in it leave less, so that the sums stay upper bounds. What else
 * changes afterwards is seen by the next look. Sums of queues are those of the order
 * (gangs/gang_order.h).
 *
 * Owns: yk_node.gang_most, yk_gang_look.supply_nodes and yk_gang_look.most_on_node.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.7.
 */
#ifndef YK_GANGS_GANG_SUPPLY_H
#define YK_GANGS_GANG_SUPPLY_H

#include "gangs/gang_order.h"

/* Begins a count. O(nodes / 64). */
void yk_gang_supply_begin(struct yk_partition *partition);
/* Counts the allocated placeholders of an incomplete gang on their nodes. Returns how many there were. */
size_t yk_gang_supply_count(const struct yk_gang *gang);
/* Whether the pending ask might get a node if incomplete gangs gave up placeholders. False: certainly not
 * without preemption. O(depth), and a search for a node if no node of theirs is large enough. */
bool yk_gang_supply_may_do(struct yk_partition *partition, const struct yk_ask *ask);
/* Whether the gang, incomplete when it was counted, may give way to the claim (of a gang: `is_gang`). */
bool yk_gang_supply_may_give(const struct yk_gang *gang, const struct yk_claim *claim, bool is_gang);
/* Adds the indexes of the nodes on which an ask of that size would fit if all gave way that may.
 * O(nodes with placeholders of incomplete gangs). */
void yk_gang_supply_find_nodes(struct yk_partition *partition, const struct yk_claim *claim, bool is_gang,
                               const struct yk_resvec *size, struct yk_bitset *nodes);
void yk_gang_supply_done(struct yk_partition *partition);

#endif
