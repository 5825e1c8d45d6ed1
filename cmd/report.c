/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report.h"

static int by_value(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The smallest value that at least `percent` percent of the values do not exceed. There is at least one
 * value. */
static int64_t at_rank(const struct yk_waits *waits, size_t percent)
{
    size_t rank = (waits->count * percent + 99) / 100;
    return waits->items[rank - 1];
}

struct yk_quantiles yk_quantiles_of(struct yk_waits *waits)
{
    if (waits->count == 0)
        return (struct yk_quantiles){0};
    qsort(waits->items, waits->count, sizeof(*waits->items), by_value);
    return (struct yk_quantiles){at_rank(waits, 50), at_rank(waits, 99), waits->items[waits->count - 1]};
}

double yk_mean_usage(const struct yk_outcome *outcome, int type)
{
    const struct yk_cluster_usage *usage = &outcome->workload.usage;
    double allocatable = usage->allocatable_sum[type];
    return allocatable > 0 ? usage->used_sum[type] / allocatable : 0;
}

double yk_highest_usage(const struct yk_outcome *outcome, int type)
{
    return outcome->workload.usage.highest_share[type];
}

double yk_decisions_per_second(const struct yk_outcome *outcome)
{
    double seconds = (double)outcome->real_ns / (double)YK_NS_PER_S;
    return seconds > 0 ? (double)outcome->decisions / seconds : 0;
}
