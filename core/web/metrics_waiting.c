/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics about waiting: docs/reference/rest.md 10.1 and 10.2. */
#include "web/metrics_priv.h"

static void put_wait(struct yk_metric_lines *lines, const char *labels,
                     const struct yk_wait_histogram *histogram)
{
    yk_metric_put_histogram(
        lines, labels,
        &(struct yk_metric_buckets){yk_wait_bounds, YK_WAIT_BUCKETS, histogram->counts, histogram->sum});
}

void yk__metric_pod_scheduling(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_wait(lines, "queue_class=\"best_effort\"", &core->metrics.pod_scheduling[YK_QUEUE_BEST_EFFORT]);
    put_wait(lines, "queue_class=\"guaranteed\"", &core->metrics.pod_scheduling[YK_QUEUE_GUARANTEED]);
}

void yk__metric_gang_wait(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_wait(lines, "", &core->metrics.gang_wait);
}

void yk__metric_pending_pods(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    static const char *const labels[YK_PENDING_COUNT] = {
        [YK_PENDING_ACTIVE] = "active",
        [YK_PENDING_QUOTA] = "quota",
        [YK_PENDING_UNSCHEDULABLE] = "unschedulable",
        [YK_PENDING_OTHER] = "other",
        [YK_PENDING_BACKOFF] = "backoff",
    };
    for (int i = 0; sums->is_leaf && i < YK_PENDING_COUNT; i++) {
        if ((sums->pending_seen >> i & 1) != 0)
            yk_metric_putf(lines, (int64_t)sums->pending_asks[i], "%s,status=\"%s\"", sums->label, labels[i]);
    }
}

void yk__metric_pending_applications(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    for (int reason = YK_REASON_NONE + 1; reason < YK_REASON_COUNT; reason++) {
        if (sums->apps_by_reason[reason] > 0)
            yk_metric_putf(lines, (int64_t)sums->apps_by_reason[reason], "%s,reason=\"%s\"", sums->label,
                           yk_si_reason_token((enum yk_si_reason)reason));
    }
}

static void put_stage(struct yk_metric_lines *lines, const struct yk__queue_sums *sums, const char *stage,
                      const struct yk_wait_histogram *histogram)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf labels = {0};
    yk_buf_printf(&labels, "%s,stage=\"%s\"", sums->label, stage);
    put_wait(lines, yk_buf_cstr(&labels), histogram);
}

void yk__metric_queue_wait(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    if (!sums->is_leaf)
        return;
    put_stage(lines, sums, "accepted", &sums->waits.accepted);
    put_stage(lines, sums, "first_allocation", &sums->waits.first_allocation);
    put_stage(lines, sums, "gang_ready", &sums->waits.gang_ready);
    put_stage(lines, sums, "running", &sums->waits.running);
}
