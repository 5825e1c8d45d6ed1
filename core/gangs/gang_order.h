/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of gangs and asks that compete for capacity. It does not change when a gang gets or gives up
 * placeholders, so two gangs cannot take capacity from each other in turns. Queues are compared by values
 * that are the same for all gangs below them, so the order of gangs is transitive.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.6.
 */
#ifndef YK_GANGS_GANG_ORDER_H
#define YK_GANGS_GANG_ORDER_H

#include "state/partition.h"

/* What competes for capacity: asks of an application. A value. */
struct yk_claim {
    const struct yk_app *app; /* borrowed; it has a leaf */
    int32_t priority;         /* of these asks */
};

/*
 * Begins a count of what incomplete gangs hold in each queue, for yk_gang_order(). The caller then calls
 * yk_gang_order_count() for each incomplete gang. A queue is compared by its values at the first comparison
 * after this call; later changes of the queue count after the next call. O(1).
 */
void yk_gang_order_begin(struct yk_partition *partition);
/* Counts what an incomplete gang holds in its queues. Call it once for each incomplete gang after
 * yk_gang_order_begin(), before the first comparison. O(depth). */
void yk_gang_order_count(const struct yk_gang *gang);
/*
 * Compares two claims in one partition, after the count (yk_gang_order_begin()). Negative: `a` comes first;
 * 0: the same application and, if its leaf sorts by priority, the same priority. O(depth).
 *
 * In one leaf, the claims are compared by priority if the leaf sorts by it, then by the submission time of
 * the application, then by its id. If one leaf is above the other, because it became a parent, its
 * applications come first (queues.md R15). Otherwise the two queues are compared where the paths part. The
 * first of these differences decides:
 * - a higher priority of the gangs and asks that wait in the queue, if its parent sorts by priority
 * - the queue is below its guarantee
 * - a smaller fair share; like the guarantee, it is computed without what incomplete gangs hold
 * - a higher priority, also if the parent does not sort by priority
 * - an earlier submission of the claim's application or of an incomplete gang in the queue
 * - the path
 */
int yk_gang_order(const struct yk_claim *a, const struct yk_claim *b);
/* The claim of a gang for its placeholders. Do not compare it if the application of the gang has no leaf. */
struct yk_claim yk_gang_claim(const struct yk_gang *gang);
/* Compares the claims of two gangs as yk_gang_order() does; `a` and `b` point to struct yk_gang. For
 * yk_vec_sort(). */
int yk_gang_order_gangs(const void *a, const void *b);
/* Makes `tree` an empty tree of struct yk_gang, by `in_order`, in the order of yk_gang_order_gangs(). */
void yk_gang_order_init(struct yk_tree *tree);

#endif
