/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/step_histogram.h"

const double yk_step_bounds[YK_STEP_BUCKETS] = {0.00001, 0.00002, 0.00004, 0.00008, 0.00016,
                                                0.00032, 0.00064, 0.00128, 0.00256, 0.00512,
                                                0.01024, 0.02048, 0.04096, 0.08192, 0.16384};

void yk_step_histogram_observe(struct yk_step_histogram *histogram, double seconds)
{
    int bucket = 0;
    while (bucket < YK_STEP_BUCKETS && seconds > yk_step_bounds[bucket])
        bucket++;
    uint64_t times = histogram->unmeasured + 1;
    histogram->counts[bucket] += times;
    histogram->sum += seconds * (double)times;
    histogram->unmeasured = 0;
}
