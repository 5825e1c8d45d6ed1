/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/scheduler_metrics.h"

#include <inttypes.h>

/* One row per series; those of one family follow each other. `help` stands with the first of them. */
static const struct row {
    enum yk_figure figure;
    const char *name, *type, *labels, *help;
} rows[] = {
    {YK_FIGURE_APPLICATIONS, "yunikorn_cache_size", "gauge", "type=\"applications\"",
     "Objects that are kept in memory."},
    {YK_FIGURE_CLASSES, "yunikorn_cache_size", "gauge", "type=\"classes\"", NULL},
    {YK_FIGURE_NODES, "yunikorn_cache_size", "gauge", "type=\"nodes\"", NULL},
    {YK_FIGURE_OUR_PODS, "yunikorn_cache_size", "gauge", "type=\"own_pods\"", NULL},
    {YK_FIGURE_PODS, "yunikorn_cache_size", "gauge", "type=\"pods\"", NULL},
    {YK_FIGURE_BINDS_IN_FLIGHT, "yunikorn_binds", "gauge", "state=\"in_flight\"",
     "Bindings that wait for their turn, and those that wait for the answer of the API server."},
    {YK_FIGURE_BINDS_WAITING, "yunikorn_binds", "gauge", "state=\"waiting\"", NULL},
    {YK_FIGURE_EVENTS_SENT, "yunikorn_kubernetes_events_total", "counter", "result=\"sent\"",
     "Kubernetes Events by what became of them."},
    {YK_FIGURE_EVENTS_DROPPED, "yunikorn_kubernetes_events_total", "counter", "result=\"dropped\"", NULL},
    {YK_FIGURE_CONDITIONS, "yunikorn_pod_conditions_written_total", "counter", "",
     "Conditions of pods that were written."},
};

void yk_scheduler_figures_take(struct yk_scheduler_figures *figures, const struct yk_shim *shim)
{
    struct yk_shim_counts counts;
    yk_shim_count(shim, &counts);
    const uint64_t numbers[YK_FIGURE_COUNT] = {
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
    for (int i = 0; i < YK_FIGURE_COUNT; i++)
        atomic_store_explicit(&figures->numbers[i], numbers[i], memory_order_relaxed);
}

static void put_family(struct yk_buf *out, const char *name, const char *type, const char *help)
{
    yk_buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void put_rows(const struct yk_scheduler_figures *figures, struct yk_buf *out)
{
    for (size_t i = 0; i < YK_COUNT(rows); i++) {
        const struct row *row = &rows[i];
        bool has_labels = row->labels[0] != '\0';
        if (row->help != NULL)
            put_family(out, row->name, row->type, row->help);
        yk_buf_printf(out, "%s%s%s%s %" PRIu64 "\n", row->name, has_labels ? "{" : "", row->labels,
                      has_labels ? "}" : "",
                      atomic_load_explicit(&figures->numbers[row->figure], memory_order_relaxed));
    }
}

void yk_scheduler_metrics_put(const struct yk_scheduler_figures *figures,
                              const struct yk_scheduler_state *state, struct yk_buf *out)
{
    put_family(out, "yunikorn_leader", "gauge", "1: this replica schedules; 0: it is a standby.");
    yk_buf_printf(out, "yunikorn_leader %d\n", state->leads ? 1 : 0);
    put_family(out, "yunikorn_mailbox_depth", "gauge", "Commands that wait for a thread.");
    yk_buf_printf(out,
                  "yunikorn_mailbox_depth{queue=\"config\"} %zu\nyunikorn_mailbox_depth{queue=\"io\"} %zu\n"
                  "yunikorn_mailbox_depth{queue=\"scheduling\"} %zu\n",
                  state->config_mailbox, state->io_mailbox, state->scheduling_mailbox);
    put_rows(figures, out);
}
