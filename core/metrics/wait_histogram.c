/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/wait_histogram.h"

const double yk_wait_bounds[YK_WAIT_BUCKETS] = {0.01, 0.05, 0.1, 0.5, 1,   2.5,  5,    10,   20,
                                                40,   80,   160, 320, 640, 1280, 2560, 5120, 10240};

void yk_wait_histogram_observe(struct yk_wait_histogram *histogram, int64_t wait_ns)
{
    double seconds = (double)YK_MAX(wait_ns, (int64_t)0) / (double)YK_NS_PER_S;
    int bucket = 0;
    while (bucket < YK_WAIT_BUCKETS && seconds > yk_wait_bounds[bucket])
        bucket++;
    histogram->counts[bucket]++;
    histogram->sum += seconds;
}

void yk_wait_histogram_add(struct yk_wait_histogram *to, const struct yk_wait_histogram *from)
{
    for (int i = 0; i <= YK_WAIT_BUCKETS; i++)
        to->counts[i] += from->counts[i];
    to->sum += from->sum;
}
