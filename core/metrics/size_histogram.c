/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/size_histogram.h"

const double yk_size_bounds[YK_SIZE_BUCKETS] = {1, 2, 4, 8, 16, 32, 64};

void yk_size_histogram_observe(struct yk_size_histogram *histogram, uint64_t number)
{
    int bucket = 0;
    while (bucket < YK_SIZE_BUCKETS && (double)number > yk_size_bounds[bucket])
        bucket++;
    histogram->counts[bucket]++;
    histogram->sum += (double)number;
}
