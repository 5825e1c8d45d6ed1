/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histograms of the steps of a decision: 15 buckets from 10 µs, each twice the one before. Plain numbers.
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md, section 10.
 */
#ifndef YK_METRICS_STEP_HISTOGRAM_H
#define YK_METRICS_STEP_HISTOGRAM_H

#include "base/base.h"

enum { YK_STEP_BUCKETS = 15 };                       /* and one for +Inf */
extern const double yk_step_bounds[YK_STEP_BUCKETS]; /* seconds */

struct yk_step_histogram {
    uint64_t counts[YK_STEP_BUCKETS + 1]; /* per bucket, not cumulated */
    double sum;                           /* seconds */
    uint64_t unmeasured; /* happened since the last one that was measured; the next one stands for them */
};

/* Counts `seconds` once, and once more for each event of `unmeasured`, which is 0 afterwards. */
void yk_step_histogram_observe(struct yk_step_histogram *histogram, double seconds);

#endif
