/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of attempts to schedule pods: docs/reference/rest.md 10.1. */
#include "web/metrics_priv.h"

static void put_times(struct yk_metric_lines *lines, const char *labels,
                      const struct yk_step_histogram *histogram)
{
    yk_metric_put_histogram(
        lines, labels,
        &(struct yk_metric_buckets){yk_step_bounds, YK_STEP_BUCKETS, histogram->counts, histogram->sum});
}

void yk__metric_schedule_attempts(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    yk_metric_put_used(lines, "result=\"error\"", core->metrics.scheduling_errors);
    yk_metric_put_used(lines, "result=\"scheduled\"", core->metrics.attempts_scheduled);
    yk_metric_put_used(lines, "result=\"unschedulable\"", core->metrics.attempts_unschedulable);
}

void yk__metric_attempt_duration(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_times(lines, "result=\"scheduled\"", &core->metrics.attempt_scheduled);
    put_times(lines, "result=\"unschedulable\"", &core->metrics.attempt_unschedulable);
}

void yk__metric_algorithm_duration(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_times(lines, "", &core->metrics.algorithm);
}

void yk__metric_pod_attempts(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    const struct yk_size_histogram *attempts = &core->metrics.pod_attempts;
    yk_metric_put_histogram(
        lines, "",
        &(struct yk_metric_buckets){yk_size_bounds, YK_SIZE_BUCKETS, attempts->counts, attempts->sum});
}

void yk__metric_incoming_pods(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    static const char *const labels[] = {
        [YK_INCOMING_ADDED] = "event=\"added\"",
        [YK_INCOMING_HEADROOM] = "event=\"headroom\"",
        [YK_INCOMING_LIMIT] = "event=\"limit\"",
        [YK_INCOMING_NODE] = "event=\"node\"",
        [YK_INCOMING_PLACEHOLDER] = "event=\"placeholder\"",
        [YK_INCOMING_GANG] = "event=\"gang\"",
    };
    YK_INDEXED_BY(labels, YK_INCOMING_GANG);
    for (int event = 0; event < YK_INCOMING_COUNT; event++)
        yk_metric_put_used(lines, labels[event], core->metrics.incoming[event]);
}
