/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes with capacity that what waits has not been tried on: something ended there, or the node is new, open
 * again or larger.
 *
 * They are looked at when the next decision is made (reservation/freed_search.h): the first waiting group in
 * order that one of them takes is tried as in the regular walk. Nodes that nothing waiting fits on are
 * forgotten. So an ended pod costs what it lets start, however much waits.
 *
 * Invariant: while a shape is parked, no unreserved node takes it but those listed here (docs/design.md,
 * Invariants 5).
 * Thread: scheduling thread only.
 */
#ifndef YK_PENDING_FREED_NODES_H
#define YK_PENDING_FREED_NODES_H

#include "state/partition.h"

/* Nothing waits yet: initialises yk_partition.pending. */
void yk_freed_nodes_init(struct yk_partition *partition);
/* The node may take something that waits. O(1). */
void yk_freed_nodes_add(struct yk_partition *partition, struct yk_node *node);
/* The node leaves the partition, or the shape is freed. */
void yk_freed_nodes_remove(struct yk_node *node);
/* Some node may take the shape that did not, and it is not known which. O(1). */
void yk_freed_nodes_retry(struct yk_partition *partition, struct yk_shape *shape);
/* The last answer found no node after all: forgets the nodes, so that it is not given again. */
void yk_freed_nodes_refused(struct yk_partition *partition);
/* Whether there is a node to be looked at. O(1). */
bool yk_freed_nodes_has_work(const struct yk_partition *partition);

#endif
