/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics about waiting and preemption: docs/reference/rest.md, section 10. */
#include "web/metrics_waiting_priv.h"

#include "report/preemption_log.h"
#include "web/prometheus_priv.h"

static bool is_used(const struct yk_wait_histogram *histogram)
{
    for (int i = 0; i <= YK_WAIT_BUCKETS; i++) {
        if (histogram->counts[i] > 0)
            return true;
    }
    return false;
}

/* `labels` may be empty. */
static void put_histogram(struct yk_buf *out, const char *name, const char *labels,
                          const struct yk_wait_histogram *histogram)
{
    const char *comma = labels[0] != '\0' ? "," : "";
    const char *open = labels[0] != '\0' ? "{" : "", *close = labels[0] != '\0' ? "}" : "";
    uint64_t count = 0;
    for (int i = 0; i < YK_WAIT_BUCKETS; i++) {
        count += histogram->counts[i];
        yk_buf_printf(out, "%s_bucket{%s%sle=\"%g\"} %llu\n", name, labels, comma, yk_wait_bounds[i],
                      (unsigned long long)count);
    }
    count += histogram->counts[YK_WAIT_BUCKETS];
    yk_buf_printf(out, "%s_bucket{%s%sle=\"+Inf\"} %llu\n", name, labels, comma, (unsigned long long)count);
    yk_buf_printf(out, "%s_sum%s%s%s %.9g\n", name, open, labels, close, histogram->sum);
    yk_buf_printf(out, "%s_count%s%s%s %llu\n", name, open, labels, close, (unsigned long long)count);
}

void yk__metrics_of_pods(struct yk_buf *out, const struct yk_metrics *metrics)
{
    static const char name[] = "yunikorn_pod_scheduling_duration_seconds";
    if (!is_used(&metrics->pod_scheduling))
        return;
    yk__family(out, name, "histogram", "Time from the creation of a pod to the decision on its node.");
    put_histogram(out, name, "", &metrics->pod_scheduling);
}

static void put_stage(struct yk_buf *out, struct yk_str path, const char *stage,
                      const struct yk_wait_histogram *histogram)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf labels = {0};
    if (!is_used(histogram))
        return;
    yk__label(&labels, "queue", path);
    yk_buf_printf(&labels, ",stage=\"%s\"", stage);
    put_histogram(out, "yunikorn_queue_wait_seconds", yk_buf_cstr(&labels), histogram);
}

static void put_count(struct yk_buf *out, const char *name, const char *queue_label, struct yk_str path,
                      const char *reason, uint64_t count)
{
    if (count == 0)
        return;
    yk_buf_printf(out, "%s{", name);
    yk__label(out, queue_label, path);
    yk_buf_printf(out, ",reason=\"%s\"} %llu\n", reason, (unsigned long long)count);
}

void yk__metrics_of_waiting(struct yk__waiting_families *families, const struct yk_queue *queue)
{
    struct yk_str path = yk_str_from(queue->path);
    for (int reason = YK_REASON_NONE + 1; reason < YK_REASON_COUNT; reason++)
        put_count(&families->apps, "yunikorn_pending_applications", "queue", path,
                  yk_si_reason_token((enum yk_si_reason)reason), queue->apps_by_reason[reason]);
    for (int kind = 0; kind <= YK_PREEMPTION_GANG; kind++)
        put_count(&families->preempted, "yunikorn_preempted_pods_total", "preempting_queue", path,
                  yk_preemption_kind_name((enum yk_preemption_kind)kind), queue->preempted_for[kind]);
    if (queue->report.waits == NULL)
        return;
    put_stage(&families->waits, path, "accepted", &queue->report.waits->accepted);
    put_stage(&families->waits, path, "first_allocation", &queue->report.waits->first_allocation);
    put_stage(&families->waits, path, "running", &queue->report.waits->running);
}

static void append(struct yk_buf *out, const struct yk_buf *lines, const char *name, const char *type,
                   const char *help)
{
    if (lines->len == 0)
        return;
    yk__family(out, name, type, help);
    yk_buf_str(out, yk_buf_view(lines));
    out->failed = out->failed || lines->failed;
}

void yk__metrics_of_waiting_end(struct yk__waiting_families *families, struct yk_buf *out)
{
    append(out, &families->apps, "yunikorn_pending_applications", "gauge",
           "Applications of a leaf that wait, by reason.");
    append(out, &families->preempted, "yunikorn_preempted_pods_total", "counter",
           "Pods that had to end, by the queue for which they did.");
    append(out, &families->waits, "yunikorn_queue_wait_seconds", "histogram",
           "Time from the submission of an application to a stage.");
}

void yk__waiting_families_done(struct yk__waiting_families *families)
{
    yk_buf_done(&families->apps);
    yk_buf_done(&families->preempted);
    yk_buf_done(&families->waits);
}
