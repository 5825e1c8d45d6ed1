/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A histogram of durations with 15 buckets, whose upper bounds double. One thread counts durations; every
 * thread may read the histogram. A reader may miss durations that are counted at the same time.
 *
 * Thread: as each function says.
 * Source: docs/reference/rest.md, section 10.
 */
#ifndef YK_METRICS_DURATIONS_H
#define YK_METRICS_DURATIONS_H

#include "metrics/metric_text.h"

#include <stdatomic.h>

enum { YK_DURATION_BUCKETS = 15 }; /* not counting the one for +Inf */

/* A zeroed struct yk_durations has no durations, and the upper bound of its first bucket is 1 ms. */
struct yk_durations {
    int64_t first_ns; /* upper bound of the first bucket; 0: 1 ms; not changed after the first duration */
    /* Read and written in relaxed order: each number is correct, but a reader may get numbers of different
     * moments. */
    _Atomic uint64_t counts[YK_DURATION_BUCKETS + 1]; /* per bucket, not cumulative */
    _Atomic uint64_t sum_ns;
};

/* Counts a duration. A negative duration is counted as 0. Only one thread may call this function and
 * yk_durations_observe_times() for the same histogram. */
void yk_durations_observe(struct yk_durations *durations, int64_t duration_ns);
/* Counts a duration `times` times, like yk_durations_observe(). */
void yk_durations_observe_times(struct yk_durations *durations, int64_t duration_ns, uint64_t times);
/* The number of durations counted. Any thread. */
uint64_t yk_durations_count(const struct yk_durations *durations);
/* Appends the lines of the histogram, in seconds, to `lines`, whose metric is of type histogram; nothing if
 * no duration was counted. `labels`: as in yk_metric_put(). Any thread. */
void yk_durations_put(const struct yk_durations *durations, struct yk_metric_lines *lines,
                      const char *labels);

#endif
