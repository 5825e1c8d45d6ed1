/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Upper bounds of what the end of placeholders of incomplete gangs could free, on a node and below the
 * maximum of a queue. They save dry runs: none is made for an ask that needs more.
 *
 * The placeholders on nodes are counted once in a look (gangs/gang_wait.h). Handovers that begin in the look
 * only lower the true amounts, so the counted ones stay upper bounds. Other changes are seen by the next
 * look. The amounts of queues are those that gangs/gang_order.h counts.
 *
 * Owns:   yk_node.gang_epoch, yk_node.gang_most, yk_gang_look.supply_epoch, yk_gang_look.supply_nodes and
 *         yk_gang_look.most_on_node.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.7.
 */
#ifndef YK_GANGS_GANG_SUPPLY_H
#define YK_GANGS_GANG_SUPPLY_H

#include "gangs/gang_order.h"

/* Begins a count: all amounts are 0. The caller then calls yk_gang_supply_count() for each incomplete gang.
 * O(nodes / 64). */
void yk_gang_supply_begin(struct yk_partition *partition);
/* Adds the allocated placeholders of an incomplete gang that are free to be replaced to the amounts of their
 * nodes. Returns their number. */
size_t yk_gang_supply_count(const struct yk_gang *gang);
/* Whether the pending ask might get a node if incomplete gangs gave up placeholders. Call it after
 * yk_gang_supply_count() and yk_gang_order_count() for all incomplete gangs. The group of users of its
 * application must have been chosen (yk_usage_choose_group()). False: in this look it gets none without
 * preemption. Whether the application may start is not checked. O(depth) and a search for a node. */
bool yk_gang_supply_may_do(struct yk_partition *partition, const struct yk_ask *ask);
/* Whether `gang` may give way to the claim now. It has to be incomplete (yk_gang_is_incomplete()), hold
 * placeholders, be in no handover, and be of another application than the claim. Its `in_waiting` is not
 * checked. In addition, one of these must be true: `gang` can never start; it comes after the claim in the
 * order; or the claim is that of a gang (`is_gang`), and `gang` has not given way to a gang behind it before.
 * Call it after yk_gang_order_count() for all incomplete gangs. O(depth). */
bool yk_gang_supply_may_give(const struct yk_gang *gang, const struct yk_claim *claim, bool is_gang);
/* Adds to `nodes` the indexes of those nodes with counted placeholders (yk_gang_supply_count()) on which
 * `size` would fit after all gangs that may give way to the claim have done so (yk_gang_supply_may_give(),
 * which explains `is_gang`). Other nodes are not looked at, even if `size` fits there. Compares amounts only,
 * not constraints, reservations or limits. Call it after the counts, like yk_gang_supply_may_do().
 * O(allocations on nodes with placeholders of incomplete gangs). */
void yk_gang_supply_find_nodes(struct yk_partition *partition, const struct yk_claim *claim, bool is_gang,
                               const struct yk_resvec *size, struct yk_bitset *nodes);
/* Frees the amounts; for the end of the partition. */
void yk_gang_supply_done(struct yk_partition *partition);

#endif
