/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads memory that the next decisions need into the cache of the processor, while the present decision is
 * made. Decisions do not depend on it.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_SCHEDULER_PREFETCH_H
#define YK_SCHEDULER_PREFETCH_H

#include "state/partition.h"

/*
 * Call it when it is the turn of the queue `first` (link `in_active`) in `queues`, the active children of a
 * queue. Among thousands of queues that take turns, none would be in the cache in its turn. Starts to load
 * objects of the next five queues: the neighbours of the ask of the next one, the ask of the second one, then
 * a group, an application, and the last queue itself. So in each turn the addresses for the next load are in
 * the cache. No effect with less than 256 queues. O(1).
 */
void yk_prefetch_queues(const struct yk_tree *queues, const struct yk_tree_link *first);

#endif
