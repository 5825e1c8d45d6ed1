/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that must be lifted before an ask can start, not only the first reason: numbers of applications, limits of
 * amounts, a pause, and nodes. An ask of a gang is taken for itself, without the others of its gang.
 *
 * Read from limits, usage and free capacity; nothing is tried.
 *
 * Thread: scheduling thread only.
 * Source: docs/reasons.md; docs/reference/rest.md 12.6.
 */
#ifndef YK_REPORT_OBSTACLES_H
#define YK_REPORT_OBSTACLES_H

#include "report/reason.h"

/* Receives an obstacle; what it points to is borrowed. */
typedef void yk_obstacle_sink(void *context, const struct yk_why *why);

/* Calls `sink` for each obstacle of the pending ask; the first one is its reason. O(depth * types + nodes). */
void yk_obstacles_of_ask(const struct yk_ask *ask, yk_obstacle_sink *sink, void *context);

#endif
