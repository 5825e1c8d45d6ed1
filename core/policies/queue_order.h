/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of child queues below a parent and of applications in a leaf: total orders for the trees of
 * pending/active.h.
 *
 * Children: priority (if the parent sorts by it) descending, those below their guarantee, fair share
 * ascending, the one served longest ago, larger pending, then the path. "Larger pending" alone would let a
 * queue with less pending wait for as long as its sibling gets new asks. So queues take turns first, and
 * pending amounts decide between queues that never had a turn. They are compared by a sum (`pending_sum`)
 * that is larger if the amounts are larger in some type and smaller in none.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules O2, O5, O8 and section 8.2.
 */
#ifndef YK_POLICIES_QUEUE_ORDER_H
#define YK_POLICIES_QUEUE_ORDER_H

#include "objects/app.h"

/* Negative: `a` comes first. Both have the same parent. */
int yk_queue_compare(const struct yk_queue *a, const struct yk_queue *b);
/* Negative: `a` comes first. Both are in the same leaf. */
int yk_app_compare(const struct yk_app *a, const struct yk_app *b);
/* Compares as yk_queue_compare() does, for links `in_active`; both queues have the same parent. */
int yk_queue_order(const struct yk_tree_link *a, const struct yk_tree_link *b);
/* Compares as yk_app_compare() does, for links `in_active`; both applications are in the same leaf, whose
 * settings choose the policy. */
int yk_app_order(const struct yk_tree_link *a, const struct yk_tree_link *b);

#endif
