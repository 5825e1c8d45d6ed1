/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two groups of asks by the order in which the cycle would try them now: by the two queues where
 * their paths part, then by application, then by group. It is the order of docs/reference/scheduling.md 3.3.
 *
 * Thread: scheduling thread only. The result is valid until an ask, an amount, a limit, a priority or the
 * configuration changes.
 */
#ifndef YK_STATE_TURN_ORDER_H
#define YK_STATE_TURN_ORDER_H

#include "objects/app.h"

/* Compares two groups of the same partition that both have pending asks, in applications that are in a leaf.
 * Negative: `a` comes first; 0: they are the same group; positive: `b` comes first. O(depth of the
 * queues). */
int yk_turn_compare(const struct yk_group *a, const struct yk_group *b);
/* Compares two applications of the same partition in the same way. Both are in a leaf (`app->leaf` is set);
 * they need no pending asks. Negative: `a` comes first; 0: they are the same application; positive: `b` comes
 * first. */
int yk_turn_compare_apps(const struct yk_app *a, const struct yk_app *b);
/* Compares two queues of the same partition that both have applications. Negative: applications of `a` come
 * first; 0: they are the same queue; positive: those of `b` come first. */
int yk_turn_compare_leaves(const struct yk_queue *a, const struct yk_queue *b);

#endif
