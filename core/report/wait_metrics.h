/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers about waiting, for the metrics: how long asks and applications have waited, and how many
 * applications wait for which reason. The counts follow each report, so that a scrape walks no application.
 *
 * Owns: yk_queue_report.waits, yk_queue.apps_by_reason, yk_group_report.attempts, yk_app_report.wait_reason and
 *       yk_app_report.wait_leaf.
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md, section 10.
 */
#ifndef YK_REPORT_WAIT_METRICS_H
#define YK_REPORT_WAIT_METRICS_H

#include "state/partition.h"

/* The ask has just become an allocation, by a decision; its application is in a leaf. O(1). */
void yk_wait_metrics_allocated(const struct yk_ask *ask);
/* The first ask of the group was tried, and nothing was allocated for it. O(1). */
void yk_wait_metrics_attempt_failed(struct yk_group *group);
/* `asks` (a number) asks of the group are to be tried: they are new (`before` is YK_WAIT_NONE), or no longer
 * wait for `before`. O(1). */
void yk_wait_metrics_incoming(const struct yk_group *group, enum yk_wait before, uint64_t asks);
/* All placeholders of the gang are allocated, the first one at `first_wall_ns`. O(1). */
void yk_wait_metrics_gang_ready(const struct yk_app *app, int64_t first_wall_ns);
/* The state of the application has just changed. O(1). */
void yk_wait_metrics_state(const struct yk_app *app);
/* The application counts as waiting in its leaf for that reason; YK_REASON_NONE: it does not wait. O(1). */
void yk_wait_metrics_set_reason(struct yk_app *app, enum yk_si_reason reason);

#endif
