/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which two groups of asks would be tried now: by the queues where their paths part, then by
 * application, then by group. It is the order of the walk in docs/reference/scheduling.md 3.3.
 *
 * Thread: scheduling thread only. The result is valid until an amount, a limit, a priority or the
 * configuration changes.
 */
#ifndef YK_STATE_TURN_ORDER_H
#define YK_STATE_TURN_ORDER_H

#include "objects/app.h"

/* Negative: `a` comes first; 0: the same group. Both have pending asks and belong to the same partition.
 * O(depth of the queues). */
int yk_turn_compare(const struct yk_group *a, const struct yk_group *b);
/* The order of two applications of one partition by queues and application, without their groups. Negative:
 * `a` comes first; 0: the same application. */
int yk_turn_compare_apps(const struct yk_app *a, const struct yk_app *b);
/* The order of two leaves of one partition: negative if applications of `a` come first; 0: the same queue. */
int yk_turn_compare_leaves(const struct yk_queue *a, const struct yk_queue *b);

#endif
