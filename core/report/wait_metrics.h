/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics about waiting: how long asks and applications have waited, and how many applications wait for each
 * reason. The numbers are updated with each change, so that a scrape of the metrics need not visit the
 * applications.
 *
 * Owns:   yk_queue_report.waits, yk_queue.apps_by_reason, yk_group_report.attempts,
 *         yk_app_report.wait_reason, yk_app_report.wait_leaf and yk_app_report.was_running.
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md, section 10.
 */
#ifndef YK_REPORT_WAIT_METRICS_H
#define YK_REPORT_WAIT_METRICS_H

#include "state/partition.h"

/* Call it after the ask, whose application has a leaf, became an allocation and is counted in
 * `app->allocation_count`: observes its attempts and, unless it is a placeholder, its wait. Do not call it
 * for an allocation that ran before the core learned of it. O(1). */
void yk_wait_metrics_allocated(const struct yk_ask *ask);
/* Call it after the regular walk tried the first ask of the group and it was not allocated: counts the
 * attempt. yk_wait_metrics_allocated() counts the attempt that succeeds. O(1). */
void yk_wait_metrics_attempt_failed(struct yk_group *group);
/* Counts asks of the group that may be tried from now on; `asks` is their number. `before`: what they waited
 * for until now; YK_WAIT_NONE: they are new. O(1). */
void yk_wait_metrics_incoming(const struct yk_group *group, enum yk_wait before, uint64_t asks);
/* Call it after all placeholders of the application's gang are allocated. `first_wall_ns`: when the first of
 * them was allocated. O(1). */
void yk_wait_metrics_gang_ready(const struct yk_app *app, int64_t first_wall_ns);
/* Call it after the state of the application changed: observes its wait when it becomes Accepted, and when it
 * first becomes Running. No effect without a leaf, and for a forced application, which ran before the core
 * learned of it. O(1). */
void yk_wait_metrics_state(struct yk_app *app);
/* Counts the application in its leaf as waiting for `reason`, and no longer for the reason before.
 * YK_REASON_NONE, or an application without a leaf: it is not counted. Call it with YK_REASON_NONE before the
 * application leaves its leaf. O(1). */
void yk_wait_metrics_set_reason(struct yk_app *app, enum yk_si_reason reason);

#endif
