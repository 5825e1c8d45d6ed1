/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of child queues below a parent and of applications in a leaf, for the trees of pending/active.h.
 * Different queues or applications are never equal.
 *
 * Queues, by: priority, highest first, if the parent sorts by priority; below the guarantee first; fair
 * share, lowest first; priority, if the parent does not sort by it; the queue that was served longest ago;
 * pending amounts, largest first; path. Pending amounts come late: otherwise a queue with less pending would
 * wait as long as its sibling gets new asks. So queues take turns, and pending amounts decide between queues
 * that were never served. Pending amounts are compared by their sum (`pending_sum`).
 *
 * Applications, by: priority, highest first, if the leaf sorts by priority; the policy of the leaf;
 * priority, if the leaf does not sort by it; submission time; id.
 *
 * The functions compare stored values, such as yk_queue.share, yk_queue.priority and yk_app.shares. After a
 * change of amounts, limits or asks, yk_app_update_shares() and the functions of pending/active.h update
 * these values. For groups, applications or queues anywhere in a partition, see state/turn_order.h.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules O1 to O5 and O8 to O10.
 */
#ifndef YK_POLICIES_QUEUE_ORDER_H
#define YK_POLICIES_QUEUE_ORDER_H

#include "objects/app.h"

/* Compares two queues, which have the same parent and are not the root. Negative: `a` comes first; 0: they
 * are the same queue; positive: `b` comes first. */
int yk_queue_compare(const struct yk_queue *a, const struct yk_queue *b);
/* The part of this order that comes before the fair share: priority, if the parent sorts by it, and which
 * queue is below its guarantee. 0: the shares decide. */
int yk_queue_compare_ranks(const struct yk_queue *a, const struct yk_queue *b);
/* Compares two applications, which are in the same leaf. The result is like that of yk_queue_compare(). */
int yk_app_compare(const struct yk_app *a, const struct yk_app *b);
/* yk_queue_compare() as the `order` of a struct yk_tree, for the links yk_queue.in_active. */
int yk_queue_order(const struct yk_tree_link *a, const struct yk_tree_link *b);
/* yk_app_compare() as the `order` of a struct yk_tree, for the links yk_app.in_active. */
int yk_app_order(const struct yk_tree_link *a, const struct yk_tree_link *b);

#endif
