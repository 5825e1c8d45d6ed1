/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histograms of waiting times: 18 buckets, with upper bounds from 10 ms to 10,240 s.
 *
 * Thread: any.
 * Source: docs/reference/rest.md, section 10.
 */
#ifndef YK_METRICS_WAIT_HISTOGRAM_H
#define YK_METRICS_WAIT_HISTOGRAM_H

#include "base/base.h"

enum { YK_WAIT_BUCKETS = 18 };                       /* not counting the one for +Inf */
extern const double yk_wait_bounds[YK_WAIT_BUCKETS]; /* upper bounds in seconds */

/* A zeroed histogram is empty. */
struct yk_wait_histogram {
    uint64_t counts[YK_WAIT_BUCKETS + 1]; /* per bucket, not cumulative */
    double sum;                           /* seconds */
};

/* Counts a time in nanoseconds; a negative one counts as 0. */
void yk_wait_histogram_observe(struct yk_wait_histogram *histogram, int64_t wait_ns);
/* Adds the counts and the sum of `from` to `to`. */
void yk_wait_histogram_add(struct yk_wait_histogram *to, const struct yk_wait_histogram *from);

/* Times from the submission of applications of a queue to the stage that the field names
 * (report/wait_metrics.h). */
struct yk_queue_waits {
    struct yk_wait_histogram accepted, first_allocation, gang_ready, running;
};

#endif
