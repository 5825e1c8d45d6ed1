/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which node an ask may go to: its class, what is free, and what the resource manager says.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.6.
 */
#ifndef YK_STATE_NODE_SEARCH_H
#define YK_STATE_NODE_SEARCH_H

#include "state/partition.h"

/* Makes sure that it is known which nodes satisfy the class of the ask. */
void yk_node_search_prepare(struct yk_partition *partition, const struct yk_ask *ask);
/* Whether there is any sense in looking for a node, or in making room on one. */
bool yk_class_has_a_chance(const struct yk_partition *partition, const struct yk_class *class_);
/* Whether the class, which is filled, would run on the node if there was room. NULL: every class does. */
bool yk_class_fits_there(const struct yk_partition *partition, const struct yk_class *class_,
                         const struct yk_node *node);
/* The first schedulable node in order that takes the ask, or NULL. */
struct yk_node *yk_node_for(struct yk_partition *partition, const struct yk_ask *ask);
/* Whether the fixed constraints of the ask let it run on the node; room and what is there are not asked. */
bool yk_node_allows(const struct yk_partition *partition, const struct yk_ask *ask,
                    const struct yk_node *node);
/* Whether the ask may run where a placeholder makes room for it; room itself is not asked. */
bool yk_node_may_take_over(const struct yk_partition *partition, const struct yk_ask *ask,
                           const struct yk_ask *placeholder);
/* Whether the ask may run there once these (struct yk_ask, on that node) have ended; room is not asked. */
bool yk_node_allows_without(const struct yk_partition *partition, const struct yk_ask *ask,
                            const struct yk_node *node, const struct yk_vec *gone);
/* Whether room is all that the node may lack: what else stands there, and may end meanwhile, is not asked. */
bool yk_node_may_be_reserved(const struct yk_partition *partition, const struct yk_ask *ask,
                             const struct yk_node *node);
/* Whether the node, in the order or not, takes the ask now. */
bool yk_node_takes(const struct yk_partition *partition, const struct yk_ask *ask,
                   const struct yk_node *node);

#endif
