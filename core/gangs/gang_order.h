/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of gangs and asks where capacity is contested. It does not change when a gang gets or gives up
 * placeholders, so two gangs cannot take capacity from each other in turns. Queues are compared by what is
 * the same for all gangs below them, so that it is an order: no three gangs come one before the other in a
 * circle.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.6.
 */
#ifndef YK_GANGS_GANG_ORDER_H
#define YK_GANGS_GANG_ORDER_H

#include "state/partition.h"

struct yk_claim {
    const struct yk_app *app; /* in a leaf */
    int32_t priority;         /* of the asks in question */
};

/*
 * Begins a count of what incomplete gangs hold in each queue. To be called before yk_gang_order(), and again
 * when a gang that waits, its placeholders or its queue changed. Until then the order stays the same: a
 * queue is compared by what it was when it was compared first. O(1).
 */
void yk_gang_order_begin(struct yk_partition *partition);
/* Counts what an incomplete gang holds. Call it for each incomplete gang after yk_gang_order_begin(), before
 * yk_gang_order(). O(depth). */
void yk_gang_order_count(const struct yk_gang *gang);
/*
 * Below 0: `a` is first. Where their paths part, the two queues are compared: by the priority of what waits
 * in them, by guarantee and fair share without what incomplete gangs hold, by the oldest submission of these
 * and of the two applications, by path. In one leaf: by priority if the leaf sorts by it, then by submission
 * time and id. What is left in a queue that became a parent is before what is below it (queues.md R15). Equal
 * only for the same application. O(depth).
 */
int yk_gang_order(const struct yk_claim *a, const struct yk_claim *b);
/* The claim that an incomplete gang has for its placeholders, to compare it with those of others. A value. */
struct yk_claim yk_gang_claim(const struct yk_gang *gang);
/* Compares the claims of two gangs as yk_gang_order() does; `a` and `b` point to struct yk_gang. For
 * yk_vec_sort(). */
int yk_gang_order_gangs(const void *a, const void *b);
/* An empty tree of struct yk_gang by `in_order`, in the same order. */
void yk_gang_order_init(struct yk_tree *tree);

#endif
