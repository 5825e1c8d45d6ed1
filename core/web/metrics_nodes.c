/* SPDX-License-Identifier: Apache-2.0 */
#include "web/metrics_nodes_priv.h"

#include "scheduler/core.h"
#include "web/prometheus_priv.h"

#include <math.h>

enum { NODES_PER_LOOK = 128 };

static void count_node(struct yk__node_counts *counts, const struct yk_node *node)
{
    YK_RESVEC(allocated);
    yk_node_allocated(node, &allocated);
    counts->active++;
    counts->draining += !node->schedulable;
    yk_resvec_foreach(t, node->total)
    {
        if (yk_resvec_get(node->total, t) <= 0)
            continue;
        double part = (double)yk_resvec_get(&allocated, t) / (double)yk_resvec_get(node->total, t);
        int range = (int)ceil(YK_MAX(YK_MIN(part, 1.0), 0.0) * (double)YK__NODE_RANGES) - 1;
        counts->usage[t][YK_MAX(range, 0)]++;
        counts->offered[t] = true;
    }
}

static void put_usage_of_nodes(struct yk_buf *out, const struct yk__node_counts *counts)
{
    static const char *const ranges[YK__NODE_RANGES] = {"[0,10%]",   "(10%,20%]", "(20%,30%]", "(30%,40%]",
                                                        "(40%,50%]", "(50%,60%]", "(60%,70%]", "(70%,80%]",
                                                        "(80%,90%]", "(90%,100%]"};
    for (int t = 0; t < yk_restype_count(); t++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
        const char *type = yk_restype_name(t);
        if (!counts->offered[t])
            continue;
        yk_buf_printf(&name, "yunikorn_scheduler_%s", type[0] >= '0' && type[0] <= '9' ? "_" : "");
        yk__metric_name(&name, yk_str_from(type));
        yk_buf_text(&name, "_node_usage_total");
        yk__family(out, yk_buf_cstr(&name), "gauge", "Nodes by the part of the resource in use.");
        for (int range = 0; range < YK__NODE_RANGES; range++)
            yk_buf_printf(out, "%s{range=\"%s\"} %llu\n", yk_buf_cstr(&name), ranges[range],
                          (unsigned long long)counts->usage[t][range]);
    }
}

bool yk__count_nodes(struct yk__node_counts *counts, const struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_vec *partitions = &job->core->partitions;
    for (; counts->partition < partitions->count; counts->partition++) {
        const struct yk_partition *partition = partitions->items[counts->partition];
        while (counts->node < partition->nodes.count) {
            const struct yk_node *node = partition->nodes.items[counts->node++];
            if (node != NULL)
                count_node(counts, node);
            if (counts->node % NODES_PER_LOOK == 0 && yk_job_must_pause(job, until_mono_ns))
                return false;
        }
        counts->node = 0;
    }
    return true;
}

void yk__metrics_of_nodes(const struct yk__node_counts *counts, const struct yk_metrics *metrics,
                          struct yk_buf *out)
{
    struct yk__series series = {out, "yunikorn_scheduler_node", "gauge", "Nodes by state.", false};
    yk__series_shown(&series, "state=\"active\"", counts->active, metrics->nodes_decommissioned > 0);
    yk__series_used(&series, "state=\"decommissioned\"", metrics->nodes_decommissioned);
    yk__series_used(&series, "state=\"draining\"", counts->draining);
    yk__series_used(&series, "state=\"failed\"", metrics->nodes_failed);
    put_usage_of_nodes(out, counts);
}
