/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histograms of the times of steps of a decision: 15 buckets, with upper bounds that double from 10 µs to
 * 164 ms.
 *
 * Thread: any.
 * Source: docs/reference/rest.md, section 10.
 */
#ifndef YK_METRICS_STEP_HISTOGRAM_H
#define YK_METRICS_STEP_HISTOGRAM_H

#include "base/base.h"

enum { YK_STEP_BUCKETS = 15 };                       /* not counting the one for +Inf */
extern const double yk_step_bounds[YK_STEP_BUCKETS]; /* upper bounds in seconds */

/* A zeroed histogram is empty. */
struct yk_step_histogram {
    uint64_t counts[YK_STEP_BUCKETS + 1]; /* per bucket, not cumulative */
    double sum;                           /* seconds */
    /* Number of steps since the last measured step. They were not measured: each is counted as if it took as
     * long as the next measured step. */
    uint64_t unmeasured;
};

/* Counts `seconds` once, and once more for each step in `unmeasured`, which is 0 afterwards. */
void yk_step_histogram_observe(struct yk_step_histogram *histogram, double seconds);

#endif
