/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates when a node will have capacity for an ask: at the latest, from the run limits of the allocations
 * there, and probably, from how long equal allocations ran before.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_RESERVATION_RELEASE_ESTIMATE_H
#define YK_RESERVATION_RELEASE_ESTIMATE_H

#include "state/partition.h"

/*
 * The longest time, in nanoseconds from now, until `size` fits on the node if nothing is placed there
 * meanwhile: only allocations with a run limit count, as if each ran up to its limit. The caller has checked
 * that `size` does not fit now. 0: unknown, because `size` does not fit even after all these have ended, or
 * more than 256 have a run limit; or those that have to end are past their limits. O(n log n) in the
 * allocations of the node.
 */
int64_t yk_release_estimate_ns(const struct yk_partition *partition, const struct yk_node *node,
                               const struct yk_resvec *size);

/* The cost, in the unit of yk_release_cost(), of keeping capacity for a whole ask free for one
 * millisecond. */
enum { YK_RELEASE_COST_PER_MS = 1000 * 1000 };
#define YK_RELEASE_UNKNOWN INT64_MAX

/*
 * The cost of waiting until the ask, which is pending and does not fit on the node now, fits there. The unit
 * is thousandths of the ask times microseconds. At each time until then, the cost per microsecond is the part
 * of the ask that fits already and is kept free for it, in thousandths, plus 500 for the waiting itself.
 *
 * An allocation is expected to run as long as recent ones of its group, or, if none of these has ended, as
 * long as the longest recent one of the partition; but not beyond its run limit. If it has run longer than
 * that, it is expected to run for the same time again. Allocations of the ask's own group do not count: when
 * one of them ends, the next ask of the group can have its place without a reservation.
 *
 * YK_RELEASE_UNKNOWN: the ask does not fit even after all these have ended, or there are more than 256 of
 * them. O(n log n) in the allocations of the node.
 */
int64_t yk_release_cost(const struct yk_partition *partition, const struct yk_node *node,
                        const struct yk_ask *ask);

#endif
