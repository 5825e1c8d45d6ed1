/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/durations.h"

#include <inttypes.h>

static const int64_t first_ns = YK_NS_PER_MS;

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
    int bucket = 0;
    while (bucket < YK_DURATION_BUCKETS && duration_ns > first_ns << bucket)
        bucket++;
    add(&durations->counts[bucket], 1);
    add(&durations->sum_ns, duration_ns > 0 ? (uint64_t)duration_ns : 0);
}

uint64_t yk_durations_count(const struct yk_durations *durations)
{
    uint64_t count = 0;
    for (int i = 0; i <= YK_DURATION_BUCKETS; i++)
        count += read_number(&durations->counts[i]);
    return count;
}

void yk_durations_put(const struct yk_durations *durations, const char *name, const char *labels,
                      struct yk_buf *out)
{
    const char *comma = labels[0] != '\0' ? "," : "";
    const char *open = labels[0] != '\0' ? "{" : "", *close = labels[0] != '\0' ? "}" : "";
    uint64_t count = 0, sum_ns = read_number(&durations->sum_ns);
    if (yk_durations_count(durations) == 0)
        return;
    for (int i = 0; i < YK_DURATION_BUCKETS; i++) {
        count += read_number(&durations->counts[i]);
        yk_buf_printf(out, "%s_bucket{%s%sle=\"%g\"} %" PRIu64 "\n", name, labels, comma,
                      (double)(first_ns << i) / (double)YK_NS_PER_S, count);
    }
    count += read_number(&durations->counts[YK_DURATION_BUCKETS]);
    yk_buf_printf(out, "%s_bucket{%s%sle=\"+Inf\"} %" PRIu64 "\n", name, labels, comma, count);
    yk_buf_printf(out, "%s_sum%s%s%s %.9f\n", name, open, labels, close,
                  (double)sum_ns / (double)YK_NS_PER_S);
    yk_buf_printf(out, "%s_count%s%s%s %" PRIu64 "\n", name, open, labels, close, count);
}
