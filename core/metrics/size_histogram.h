/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histograms of small numbers, such as attempts and victims: 7 buckets, whose upper bounds double from 1 to
 * 64.
 *
 * Thread: any.
 * Source: docs/reference/rest.md, section 10.
 */
#ifndef YK_METRICS_SIZE_HISTOGRAM_H
#define YK_METRICS_SIZE_HISTOGRAM_H

#include "base/base.h"

enum { YK_SIZE_BUCKETS = 7 };                        /* not counting the one for +Inf */
extern const double yk_size_bounds[YK_SIZE_BUCKETS]; /* upper bounds */

/* A zeroed histogram is empty. */
struct yk_size_histogram {
    uint64_t counts[YK_SIZE_BUCKETS + 1]; /* per bucket, not cumulative */
    double sum;                           /* of all numbers */
};

/* Counts one number. */
void yk_size_histogram_observe(struct yk_size_histogram *histogram, uint64_t number);

#endif
