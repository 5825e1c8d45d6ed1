/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a node will have capacity: at the latest, by the run limits of what runs there; and as far as can be
 * expected, by how long equal allocations ran before.
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

enum { YK_RELEASE_COST_PER_MS = 1000 * 1000 }; /* of all that the ask needs, without the cost of waiting */
#define YK_RELEASE_UNKNOWN INT64_MAX

/*
 * What it costs to wait until the ask, which is pending, fits on the node: what is free there for the ask
 * until then, in thousandths of the ask, and half an ask for the waiting, summed up over time in
 * microseconds.
 *
 * An allocation is expected to run as long as those of its group that ended lately, or as long as the longest
 * of all if none has; with a run limit no longer than that; and when it has run for that long, as long again.
 * Allocations of the ask's own group are left out: the next of the group can have their place anyway.
 *
 * YK_RELEASE_UNKNOWN: it does not fit even when all that is counted has ended, or the node has more than 256
 * allocations. O(n log n) in the allocations of the node.
 */
int64_t yk_release_cost(const struct yk_partition *partition, const struct yk_node *node,
                        const struct yk_ask *ask);

#endif
