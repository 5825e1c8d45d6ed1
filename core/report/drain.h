/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates when an ask may start, from the number of asks and placeholders that its leaf has started in each
 * of the last YK_STARTS_MINUTES minutes. Users see the estimate; no decision depends on it.
 *
 * Owns:   yk_queue_report.starts.
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md 12.6.
 */
#ifndef YK_REPORT_DRAIN_H
#define YK_REPORT_DRAIN_H

#include "objects/queue.h"

/* Counts the start of an ask or a placeholder of the leaf at `wall_ns`, which is now. If this is before the
 * minute of the last counted start, the clock was set back, and the earlier starts are forgotten. O(1). */
void yk_drain_count(struct yk_queue *leaf, int64_t wall_ns);

/* A value. */
struct yk_drain_estimate {
    /* False: there were too few starts for an estimate, or its latest time would be a year or more from
     * now. */
    bool is_known;
    int64_t earliest_wall_ns; /* valid if `is_known`, like `latest_wall_ns` */
    int64_t latest_wall_ns;
    uint32_t starts;   /* the starts that the estimate is computed from */
    int64_t window_ns; /* the time, until now, in which they happened; 0: the leaf has started nothing */
};
/*
 * Estimates when an ask starts if `ahead` asks of the leaf come before it. The range from earliest to latest
 * allows for two standard deviations, in both directions, of two numbers: the starts that were counted, and
 * the starts that are still to come. Whether the ask can start at all, and a pause of its application, do not
 * count: other modules call yk_start_estimate(). O(1).
 */
struct yk_drain_estimate yk_drain_estimate(const struct yk_queue *leaf, uint64_t ahead, int64_t now_wall_ns);

#endif
