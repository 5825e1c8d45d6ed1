/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/scheduler_metrics.h"

#include "metrics/metric_text.h"

/* One row per series. The rows of a metric are adjacent. */
static const struct row {
    enum yk_figure figure;
    const struct yk_metric *metric;
    const char *labels;
} rows[] = {
    {YK_FIGURE_APPLICATIONS, &yk_metric_cache_size, "type=\"applications\""},
    {YK_FIGURE_CLASSES, &yk_metric_cache_size, "type=\"classes\""},
    {YK_FIGURE_NODES, &yk_metric_cache_size, "type=\"nodes\""},
    {YK_FIGURE_OUR_PODS, &yk_metric_cache_size, "type=\"own_pods\""},
    {YK_FIGURE_PODS, &yk_metric_cache_size, "type=\"pods\""},
    {YK_FIGURE_BINDS_IN_FLIGHT, &yk_metric_binds, "state=\"in_flight\""},
    {YK_FIGURE_BINDS_WAITING, &yk_metric_binds, "state=\"waiting\""},
    {YK_FIGURE_EVENTS_DROPPED, &yk_metric_kubernetes_events, "result=\"dropped\""},
    {YK_FIGURE_EVENTS_SENT, &yk_metric_kubernetes_events, "result=\"sent\""},
    {YK_FIGURE_CONDITIONS, &yk_metric_conditions_written, ""},
};

void yk_scheduler_figures_take(struct yk_scheduler_figures *figures, const struct yk_shim *shim)
{
    struct yk_shim_counts counts;
    yk_shim_count(shim, &counts);
    const uint64_t numbers[YK_FIGURE_UNSCHEDULABLE] = {
        [YK_FIGURE_NODES] = counts.nodes,
        [YK_FIGURE_PODS] = counts.pods,
        [YK_FIGURE_OUR_PODS] = counts.our_pods,
        [YK_FIGURE_APPLICATIONS] = counts.applications,
        [YK_FIGURE_CLASSES] = counts.classes,
        [YK_FIGURE_BINDS_WAITING] = counts.binds_waiting,
        [YK_FIGURE_BINDS_IN_FLIGHT] = counts.binds_in_flight,
        [YK_FIGURE_EVENTS_SENT] = counts.events_sent,
        [YK_FIGURE_EVENTS_DROPPED] = counts.events_dropped,
        [YK_FIGURE_CONDITIONS] = counts.conditions_written,
    };
    for (int i = 0; i < YK_FILTERS; i++)
        atomic_store_explicit(&figures->numbers[YK_FIGURE_UNSCHEDULABLE + i], counts.unschedulable[i],
                              memory_order_relaxed);
    for (int i = 0; i < YK_FIGURE_UNSCHEDULABLE; i++)
        atomic_store_explicit(&figures->numbers[i], numbers[i], memory_order_relaxed);
}

static void put_rows(const struct yk_scheduler_figures *figures, struct yk_buf *out)
{
    struct yk_metric_lines lines = {0};
    for (size_t i = 0; i < YK_COUNT(rows); i++) {
        if (rows[i].metric != lines.metric)
            lines = yk_metric_begin(rows[i].metric, out);
        yk_metric_put(&lines, rows[i].labels,
                      atomic_load_explicit(&figures->numbers[rows[i].figure], memory_order_relaxed));
    }
}

static void put_unschedulable(const struct yk_scheduler_figures *figures, struct yk_buf *out)
{
    struct yk_metric_lines lines = yk_metric_begin(&yk_metric_unschedulable_pods, out);
    for (int i = 0; i < YK_FILTERS; i++) {
        uint64_t pods =
            atomic_load_explicit(&figures->numbers[YK_FIGURE_UNSCHEDULABLE + i], memory_order_relaxed);
        yk_metric_putf(&lines, (int64_t)pods, "predicate=\"%s\"", yk_filter_name(i));
    }
}

void yk_scheduler_metrics_put(const struct yk_scheduler_figures *figures,
                              const struct yk_scheduler_state *state, struct yk_buf *out)
{
    struct yk_metric_lines leader = yk_metric_begin(&yk_metric_leader, out);
    yk_metric_put(&leader, "", state->leads ? 1 : 0);
    struct yk_metric_lines depth = yk_metric_begin(&yk_metric_mailbox_depth, out);
    yk_metric_put(&depth, "queue=\"config\"", state->config_mailbox);
    yk_metric_put(&depth, "queue=\"io\"", state->io_mailbox);
    yk_metric_put(&depth, "queue=\"scheduling\"", state->scheduling_mailbox);
    put_unschedulable(figures, out);
    put_rows(figures, out);
}
