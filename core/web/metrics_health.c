/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of health checks, the configuration in force, and dropped events: docs/reference/rest.md 10.1. */
#include "web/metrics_priv.h"

/* Writes the failures of those checks (by number, scheduler/health.c) that look at the state itself. The
 * other checks look at counters or a ratio. */
void yk__metric_inconsistencies(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    static const char *const labels[YK_HEALTH_CHECKS] = {
        [2] = "check=\"negative_partition\"", [3] = "check=\"negative_node\"",
        [4] = "check=\"partition_sum\"",      [5] = "check=\"node_sum\"",
        [7] = "check=\"orphan_on_node\"",     [8] = "check=\"orphan_on_application\"",
        [9] = "check=\"no_object\"",          [10] = "check=\"no_allocation\"",
    };
    YK_INDEXED_BY(labels, YK_HEALTH_CHECKS - 1);
    for (int i = 0; i < YK_HEALTH_CHECKS; i++) {
        if (labels[i] != NULL)
            yk_metric_put_shown(lines, labels[i], core->health.failures[i], core->health.has_run);
    }
}

void yk__metric_config_info(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    const char *labels;
    yk_vec_foreach (labels, &core->configs)
        yk_metric_put(lines, labels, 1);
}

void yk__metric_events_dropped(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    yk_metric_put_shown(lines, "stage=\"resource_manager\"", core->events.not_stored,
                        core->events.created > 0);
}
