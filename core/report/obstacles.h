/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists what has to change before an ask can start, not only the first reason: maxima of running
 * applications, limits of amounts, a pause of its application, placeholders, and missing nodes. An ask of a
 * gang is looked at alone, without the other asks of its gang.
 *
 * The list is computed from limits, usage and free capacity. Nothing is changed.
 *
 * Thread: scheduling thread only.
 * Source: docs/reasons.md; docs/reference/rest.md 12.6.
 */
#ifndef YK_REPORT_OBSTACLES_H
#define YK_REPORT_OBSTACLES_H

#include "report/reason.h"

/* Receives an obstacle, which is borrowed for the call. */
typedef void yk_obstacle_sink(void *context, const struct yk_why *why);

/* Calls `sink`, with `context` (may be NULL), for each obstacle of the pending ask, at least once. `looks`: as in yk_node_look_shared(), may be NULL. The first
 * one is `why`, the result of yk_why_in_detail(), which may be YK_REASON_NONE; others may follow also then.
 * If it is YK_REASON_PREEMPTION or YK_REASON_NOT_ATTEMPTED, it is the only one. Missing nodes are left out if
 * the ask waits for placeholders, and if its constraints have not been evaluated yet and there are more than
 * 5000 nodes. O(depth * types + nodes * types). */
void yk_obstacles_of_ask(const struct yk_ask *ask, const struct yk_why *why, struct yk_node_looks *looks,
                         yk_obstacle_sink *sink, void *context);
/* Whether missing nodes may be listed for the pending ask, see yk_obstacles_of_ask(). O(1). */
bool yk_obstacles_may_be_nodes(const struct yk_ask *ask);

#endif
