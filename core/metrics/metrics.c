/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/metrics.h"

const double yk_histogram_bounds[YK_HISTOGRAM_BUCKETS] = {0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000};

void yk_histogram_observe(struct yk_histogram *histogram, double value)
{
    int bucket = 0;
    while (bucket < YK_HISTOGRAM_BUCKETS && value > yk_histogram_bounds[bucket])
        bucket++;
    uint64_t times = histogram->unmeasured + 1;
    histogram->counts[bucket] += times;
    histogram->sum += value * (double)times;
    histogram->unmeasured = 0;
}
