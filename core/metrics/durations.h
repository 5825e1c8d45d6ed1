/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A histogram of durations that one thread observes and any thread reads: 15 buckets, each twice the one before.
 * A reader may miss what is observed at the same moment.
 *
 * Source: docs/reference/rest.md 12.1.
 */
#ifndef YK_METRICS_DURATIONS_H
#define YK_METRICS_DURATIONS_H

#include "metrics/metric_text.h"

#include <stdatomic.h>

enum { YK_DURATION_BUCKETS = 15 }; /* and one for +Inf */

/* Starts as all 0. */
struct yk_durations {
    int64_t first_ns; /* upper bound of the first bucket; 0: 1 ms */
    /* Relaxed: each number is right in itself. */
    _Atomic uint64_t counts[YK_DURATION_BUCKETS + 1]; /* per bucket, not cumulated */
    _Atomic uint64_t sum_ns;
};

/* Counts a duration; a negative one counts as 0. Owning thread only. */
void yk_durations_observe(struct yk_durations *durations, int64_t duration_ns);
/* The same `times` times. */
void yk_durations_observe_times(struct yk_durations *durations, int64_t duration_ns, uint64_t times);
/* How many there were. Any thread. */
uint64_t yk_durations_count(const struct yk_durations *durations);
/* Appends the lines of one series, in seconds; nothing if nothing was observed. `labels`: "" for none. Any
 * thread. */
void yk_durations_put(const struct yk_durations *durations, struct yk_metric_lines *lines,
                      const char *labels);

#endif
