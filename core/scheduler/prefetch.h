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
 * `first` is the queue of `queues` whose turn it is. Among thousands of queues that take turns, none is in
 * the cache when its turn comes. Loads the ask of the next queue, the group of the one after that, then an
 * application, then a queue: each turn loads what the following turn needs to look further. O(1).
 */
void yk_prefetch_queues(const struct yk_tree *queues, const struct yk_tree_link *first);

#endif
