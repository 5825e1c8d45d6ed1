/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of the core as a whole, from its counters: docs/reference/rest.md 10.1. */
#include "base/version.h"
#include "web/metrics_priv.h"

/* ---- attempts and applications ---- */

void yk__metric_container_attempts(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    const struct yk_metrics *metrics = &core->metrics;
    yk_metric_put_used(lines, "state=\"allocated\"", metrics->containers_allocated);
    yk_metric_put_used(lines, "state=\"error\"", metrics->scheduling_errors);
    yk_metric_put_used(lines, "state=\"rejected\"", metrics->containers_rejected);
    yk_metric_put_used(lines, "state=\"released\"", metrics->containers_released);
}

void yk__metric_app_submissions(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    yk_metric_put_used(lines, "result=\"accepted\"", core->metrics.apps_accepted);
    yk_metric_put_used(lines, "result=\"new\"", core->metrics.apps_new);
    yk_metric_put_used(lines, "result=\"rejected\"", core->metrics.apps_rejected);
}

/* Compat: the numbers of completed and failed applications never fall (rest.md 11.8). */
void yk__metric_app_states(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    bool any = core->metrics.apps_new > 0; /* then running and completing are shown, also as 0 */
    yk_metric_put_used(lines, "state=\"completed\"", core->metrics.apps_completed);
    yk_metric_put_shown(lines, "state=\"completing\"", core->apps_by_state[YK_APP_COMPLETING], any);
    yk_metric_put_used(lines, "state=\"failed\"", core->metrics.apps_failed);
    yk_metric_put_used(lines, "state=\"failing\"", core->apps_by_state[YK_APP_FAILING]);
    yk_metric_put_used(lines, "state=\"resuming\"", core->apps_by_state[YK_APP_RESUMING]);
    yk_metric_put_shown(lines, "state=\"running\"", core->apps_by_state[YK_APP_RUNNING], any);
}

/* ---- resource types: the limit is shown, too, so that an alert does not need to know it ---- */

void yk__metric_resource_types(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    (void)core;
    yk_metric_put(lines, "", (uint64_t)yk_restype_in_use());
}

void yk__metric_resource_types_limit(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    (void)core;
    yk_metric_put(lines, "", YK_RESTYPE_MAX);
}

/* ---- times; Compat: seconds, in spite of the names ---- */

static void put_times(struct yk_metric_lines *lines, const char *labels, const struct yk_histogram *histogram)
{
    yk_metric_put_histogram(lines, labels,
                            &(struct yk_metric_buckets){yk_histogram_bounds, YK_HISTOGRAM_BUCKETS,
                                                        histogram->counts, histogram->sum});
}

void yk__metric_scheduling_latency(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_times(lines, "", &core->metrics.scheduling_latency);
}

void yk__metric_scheduling_cycle(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_times(lines, "", &core->metrics.scheduling_cycle);
}

void yk__metric_trynode(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_times(lines, "", &core->metrics.trynode);
}

void yk__metric_trynode_evaluation(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_times(lines, "", &core->metrics.trynode_evaluation);
}

void yk__metric_trypreemption(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_times(lines, "", &core->metrics.trypreemption);
}

void yk__metric_node_sorting(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_times(lines, "level=\"app\"", &core->metrics.sorting_apps);
    put_times(lines, "level=\"queue\"", &core->metrics.sorting_queues);
}

/* ---- the binary and its configuration ---- */

void yk__metric_build_info(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf labels = {0};
    (void)core;
    yk_metric_label(&labels, "compiler", yk_str_from(yk_compiler));
    yk_buf_char(&labels, ',');
    yk_metric_label(&labels, "revision", yk_str_from(yk_revision));
    yk_buf_char(&labels, ',');
    yk_metric_label(&labels, "version", yk_str_from(yk_version));
    yk_metric_put(lines, yk_buf_cstr(&labels), 1);
}

void yk__metric_config_reloads(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    /* Also at 0: increase() does not count the first one of a series that begins with it. */
    yk_metric_put(lines, "result=\"accepted\"", core->metrics.config_reloads_ok);
    yk_metric_put(lines, "result=\"refused\"", core->metrics.config_reloads_refused);
}

void yk__metric_config_success(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    yk_metric_put_double(lines, "", (double)core->metrics.config_success_wall_ns / (double)YK_NS_PER_S);
}

/* ---- events: the ring takes every event at once, so nothing is lost on the way to it ---- */

void yk__metric_events_created(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    yk_metric_put_used(lines, "", core->events.created);
}

void yk__metric_events_channeled(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    yk_metric_put_used(lines, "", core->events.created);
}

void yk__metric_events_not_channeled(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    (void)core;
    yk_metric_put_used(lines, "", 0);
}

void yk__metric_events_processed(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    yk_metric_put_used(lines, "", core->events.created);
}

void yk__metric_events_stored(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    yk_metric_put_used(lines, "", core->events.stored);
}

void yk__metric_events_not_stored(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    yk_metric_put_used(lines, "", core->events.not_stored);
}

void yk__metric_events_collected(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    yk_metric_put_used(lines, "", core->events.collected);
}
