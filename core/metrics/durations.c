/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/durations.h"

static int64_t bound_ns(const struct yk_durations *durations, int bucket)
{
    return (durations->first_ns > 0 ? durations->first_ns : YK_NS_PER_MS) << bucket;
}

/* There is one writer, so an addition needs no locked instruction. */
static void add(_Atomic uint64_t *number, uint64_t more)
{
    uint64_t before = atomic_load_explicit(number, memory_order_relaxed);
    atomic_store_explicit(number, before + more, memory_order_relaxed);
}

static uint64_t read_number(const _Atomic uint64_t *number)
{
    return atomic_load_explicit(number, memory_order_relaxed);
}

void yk_durations_observe(struct yk_durations *durations, int64_t duration_ns)
{
    yk_durations_observe_times(durations, duration_ns, 1);
}

void yk_durations_observe_times(struct yk_durations *durations, int64_t duration_ns, uint64_t times)
{
    int bucket = 0;
    while (bucket < YK_DURATION_BUCKETS && duration_ns > bound_ns(durations, bucket))
        bucket++;
    add(&durations->counts[bucket], times);
    add(&durations->sum_ns, duration_ns > 0 ? (uint64_t)duration_ns * times : 0);
}

uint64_t yk_durations_count(const struct yk_durations *durations)
{
    uint64_t count = 0;
    for (int i = 0; i <= YK_DURATION_BUCKETS; i++)
        count += read_number(&durations->counts[i]);
    return count;
}

void yk_durations_put(const struct yk_durations *durations, struct yk_metric_lines *lines, const char *labels)
{
    uint64_t counts[YK_DURATION_BUCKETS + 1];
    double bounds[YK_DURATION_BUCKETS];
    double sum = (double)read_number(&durations->sum_ns) / (double)YK_NS_PER_S;
    for (int i = 0; i <= YK_DURATION_BUCKETS; i++)
        counts[i] = read_number(&durations->counts[i]);
    for (int i = 0; i < YK_DURATION_BUCKETS; i++)
        bounds[i] = (double)bound_ns(durations, i) / (double)YK_NS_PER_S;
    yk_metric_put_histogram(lines, labels,
                            &(struct yk_metric_buckets){bounds, YK_DURATION_BUCKETS, counts, sum});
}
