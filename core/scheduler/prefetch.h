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
 * queue. Starts to load something of each of the five queues after `first`: of the nearest one, the
 * neighbours of its ask; then, queue by queue, the ask; the group; the application; the queue itself. So the
 * pointers that a turn follows were loaded in the turns before. No effect with less than 256 queues. O(1).
 */
void yk_prefetch_queues(const struct yk_tree *queues, const struct yk_tree_link *first);

#endif
