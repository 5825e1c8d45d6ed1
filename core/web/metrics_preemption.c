/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of preemption: docs/reference/rest.md 10.1 and 10.2. */
#include "web/metrics_priv.h"

static const char *name_of(int kind)
{
    return yk_preemption_kind_name((enum yk_preemption_kind)kind);
}

void yk__metric_preemption_attempts(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    for (int kind = 0; kind < YK_METRIC_PREEMPTION_KINDS; kind++) {
        if (core->metrics.preemption_attempts[kind] > 0)
            yk_metric_putf(lines, (int64_t)core->metrics.preemption_attempts[kind], "kind=\"%s\"",
                           name_of(kind));
    }
}

void yk__metric_preemption_victims(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    for (int kind = 0; kind < YK_METRIC_PREEMPTION_KINDS; kind++) {
        const struct yk_size_histogram *victims = &core->metrics.victims[kind];
        char label[32];
        (void)snprintf(label, sizeof(label), "kind=\"%s\"", name_of(kind)); /* fits */
        yk_metric_put_histogram(
            lines, label,
            &(struct yk_metric_buckets){yk_size_bounds, YK_SIZE_BUCKETS, victims->counts, victims->sum});
    }
}

static void put_kinds(struct yk_metric_lines *lines, const char *key, const char *queue,
                      const uint64_t counts[YK_METRIC_PREEMPTION_KINDS])
{
    for (int kind = 0; kind < YK_METRIC_PREEMPTION_KINDS; kind++) {
        if (counts[kind] > 0)
            yk_metric_putf(lines, (int64_t)counts[kind], "%s=\"%s\",reason=\"%s\"", key, queue,
                           name_of(kind));
    }
}

void yk__metric_preempted_pods(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    put_kinds(lines, "preempting_queue", sums->text, sums->preempted_for);
}

void yk__metric_evicted_pods(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    put_kinds(lines, "queue", sums->text, sums->evicted);
}
