/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast a queue starts what waits in it, and when an ask at some place in its order may start. An estimate
 * for people: no decision depends on it.
 *
 * Owns: yk_queue_report.starts.
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md 12.2.
 */
#ifndef YK_REPORT_DRAIN_H
#define YK_REPORT_DRAIN_H

#include "objects/queue.h"

/* Counts the start of an ask of the leaf at `wall_ns`; placeholders count, too. O(1). */
void yk_drain_count(struct yk_queue *leaf, int64_t wall_ns);

struct yk_drain_estimate {
    bool is_known; /* false: too few starts lately to tell */
    int64_t earliest_wall_ns, latest_wall_ns;
    uint32_t starts;   /* that it rests on, */
    int64_t window_ns; /* in this time */
};
/*
 * When the ask may start that has `ahead` asks before it in the leaf: a range of two standard deviations, of
 * the number of starts that were seen and of those that are still to come.
 */
struct yk_drain_estimate yk_drain_estimate(const struct yk_queue *leaf, uint64_t ahead, int64_t now_wall_ns);

#endif
