/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of nodes: docs/reference/rest.md 10.1. */
#include "web/metrics_priv.h"

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
        if (!counts->offered[t])
            yk_restype_hold(t);
        counts->offered[t] = true;
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
    counts->decommissioned = job->core->metrics.nodes_decommissioned;
    counts->failed = job->core->metrics.nodes_failed;
    return true;
}

void yk__node_counts_done(struct yk__node_counts *counts)
{
    for (int t = 0; t < YK_RESTYPE_MAX; t++) {
        if (counts->offered[t])
            yk_restype_release(t);
    }
}

struct usage_metric {
    char *name; /* owned */
    uint64_t usage[YK__NODE_RANGES];
};

static char *usage_name(int type)
{
    struct yk_buf name = {0};
    const char *text = yk_restype_name(type); /* the counts hold the type, so the name stays valid */
    yk_buf_printf(&name, "yunikorn_scheduler_%s", text[0] >= '0' && text[0] <= '9' ? "_" : "");
    yk_metric_name(&name, yk_str_from(text));
    yk_buf_text(&name, "_node_usage_total");
    return yk_buf_take(&name);
}

/* Each resource type is a metric of its own, because its name is part of the name of the metric. Types whose
 * metrics have the same name are counted together, because a metric may be there only once. Appends struct
 * usage_metric, which the caller frees. */
static void sum_usage(const struct yk__node_counts *counts, struct yk_vec *metrics)
{
    struct yk_strmap by_name = {0};
    for (int t = 0; t < yk_restype_count(); t++) {
        if (!counts->offered[t])
            continue;
        char *name = usage_name(t);
        struct usage_metric *metric = yk_strmap_get(&by_name, yk_str_from(name));
        if (metric == NULL) {
            metric = yk_new0(struct usage_metric);
            metric->name = yk_move(name);
            (void)yk_strmap_put(&by_name, yk_str_from(metric->name), metric); /* is new */
            yk_vec_append(metrics, metric);
        }
        free(name);
        for (int range = 0; range < YK__NODE_RANGES; range++)
            metric->usage[range] += counts->usage[t][range];
    }
    yk_strmap_done(&by_name);
}

void yk__metric_node_usage(struct yk_metric_lines *lines, const struct yk__node_counts *counts)
{
    static const char *const ranges[YK__NODE_RANGES] = {"[0,10%]",   "(10%,20%]", "(20%,30%]", "(30%,40%]",
                                                        "(40%,50%]", "(50%,60%]", "(60%,70%]", "(70%,80%]",
                                                        "(80%,90%]", "(90%,100%]"};
    YK_CLEANUP(yk_vec_done) struct yk_vec metrics = {0};
    struct usage_metric *metric;
    sum_usage(counts, &metrics);
    yk_vec_foreach (metric, &metrics) {
        yk_metric_head(lines->metric, metric->name, lines->out);
        for (int range = 0; range < YK__NODE_RANGES; range++)
            yk_buf_printf(lines->out, "%s{range=\"%s\"} %llu\n", metric->name, ranges[range],
                          (unsigned long long)metric->usage[range]);
        free(metric->name);
        free(metric);
    }
}

void yk__metric_nodes(struct yk_metric_lines *lines, const struct yk__node_counts *counts)
{
    yk_metric_put_shown(lines, "state=\"active\"", counts->active, counts->decommissioned > 0);
    yk_metric_put_used(lines, "state=\"decommissioned\"", counts->decommissioned);
    yk_metric_put_used(lines, "state=\"draining\"", counts->draining);
    yk_metric_put_used(lines, "state=\"failed\"", counts->failed);
}
