/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a node will have capacity, as far as that is certain: from the run limits of what runs there.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_RELEASE_ESTIMATE_H
#define YK_RESERVATION_RELEASE_ESTIMATE_H

#include "state/partition.h"

/*
 * How long it takes at most, in nanoseconds from now, until `size` fits on the node if nothing is added to
 * it: allocations with a run limit end by then. A lower bound for nothing else: they may end earlier. 0:
 * unknown, because too much of what runs there has no limit, or it fits now. O(n log n) in the allocations of
 * the node.
 */
int64_t yk_release_estimate_ns(const struct yk_partition *partition, const struct yk_node *node,
                               const struct yk_resvec *size);

#endif
