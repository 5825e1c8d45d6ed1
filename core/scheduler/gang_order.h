/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of gangs and asks where capacity is contested. It does not change when a gang gets or gives up
 * placeholders, so two gangs cannot take capacity from each other in turns.
 *
 * Thread: scheduling thread only. Source: docs/reference/scheduling.md 5.6.
 */
#ifndef YK_SCHEDULER_GANG_ORDER_H
#define YK_SCHEDULER_GANG_ORDER_H

#include "objects/app.h"

struct yk_claim {
    const struct yk_app *app; /* in a leaf */
    int32_t priority;         /* of the asks in question */
};

/*
 * Below 0: `a` is first. By the priority that the first queue above both sees, by the fair share of their
 * queues without what either holds as an incomplete gang, by submission time, by id. In one leaf: by priority
 * if the leaf sorts by it, then by submission time and id. Equal only for the same application. O(depth).
 */
int yk_gang_order(const struct yk_claim *a, const struct yk_claim *b);
/* The claim of an incomplete gang for its placeholders. */
struct yk_claim yk_gang_claim(const struct yk_gang *gang);
/* The same order for struct yk_gang, for yk_vec_sort(). */
int yk_gang_order_gangs(const void *a, const void *b);

#endif
