/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of child queues below a parent and of applications in a leaf: total orders for the ready trees.
 *
 * Children: priority (if the parent sorts by it) descending, those below their guarantee, fair share
 * ascending, the one served longest ago, larger pending, then the path. "Larger pending" alone would let a
 * queue with less to do wait for as long as its sibling gets new asks, and it is no order where neither is
 * larger in every type: so turns are taken first, and it decides between queues that never had one. The sum
 * that is compared is larger for what is larger in some type and smaller in none.
 * Source: docs/reference/queues.md, rules O2, O5, O8 and section 8.2.
 */
#ifndef YK_POLICIES_QUEUE_ORDER_H
#define YK_POLICIES_QUEUE_ORDER_H

#include "objects/app.h"

/* Negative: `a` comes first. Both have the same parent. */
int yk_queue_compare(const struct yk_queue *a, const struct yk_queue *b);
/* Negative: `a` comes first. Both are in the same leaf. */
int yk_app_compare(const struct yk_app *a, const struct yk_app *b);
/* Of struct yk_queue by in_active; both have the same parent. */
int yk_queue_order(const struct yk_tree_link *a, const struct yk_tree_link *b);
/* Of struct yk_app by in_active; both are in the same leaf, whose settings choose the policy. */
int yk_app_order(const struct yk_tree_link *a, const struct yk_tree_link *b);

#endif
