/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes with capacity that what waits has not been tried on: something ended there, or the node is new, open
 * again or larger.
 *
 * They are looked at when the next decision is made (reservation/freed_search.h): the first waiting group in
 * order that one of them takes is tried as in the regular walk. Nodes that nothing waiting fits on are
 * forgotten. So an allocation that ends costs what it lets start, however much waits.
 *
 * Invariant: while a shape is parked, no unreserved node takes it but those listed here (docs/design.md,
 * Invariants 5).
 * Thread: scheduling thread only.
 */
#ifndef YK_PENDING_FREED_NODES_H
#define YK_PENDING_FREED_NODES_H

#include "state/partition.h"

/* Initialises yk_partition.pending. Once per partition. */
void yk_freed_nodes_init(struct yk_partition *partition);
/* Adds the node, which may take an ask that waits, to the list. O(1). */
void yk_freed_nodes_add(struct yk_partition *partition, struct yk_node *node);
/* Takes the node off the list; no effect if it is not there. Call it before the node leaves the partition. */
void yk_freed_nodes_remove(struct yk_node *node);
/* An unknown node may take asks of `shape` now: they are tried again before the next decision. O(1). */
void yk_freed_nodes_retry(struct yk_partition *partition, struct yk_shape *shape);
/* The shape is no longer tried again, because no node takes it; no effect if it was not to be tried. O(1). */
void yk_freed_nodes_end_retry(struct yk_shape *shape);
/* The group that yk_freed_search_first_group() returned found no node: takes all nodes off the list, so that
 * it is not returned again. */
void yk_freed_nodes_refused(struct yk_partition *partition);
/* Whether there is a node to be looked at. O(1). */
bool yk_freed_nodes_has_work(const struct yk_partition *partition);

#endif
