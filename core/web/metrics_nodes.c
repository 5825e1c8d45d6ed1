/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of nodes: docs/reference/rest.md 10.1. O(nodes). */
#include "web/metrics_priv.h"

#include <math.h>

enum { RANGES = 10 };

struct node_counts {
    uint64_t active, draining;
    uint64_t usage[YK_RESTYPE_MAX][RANGES]; /* nodes per tenth in use */
    bool offered[YK_RESTYPE_MAX];           /* some node has some of it */
};

static void count_node(struct node_counts *counts, const struct yk_node *node)
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
        int range = (int)ceil(YK_MAX(YK_MIN(part, 1.0), 0.0) * (double)RANGES) - 1;
        counts->usage[t][YK_MAX(range, 0)]++;
        counts->offered[t] = true;
    }
}

static struct node_counts *count_nodes(const struct yk_core *core)
{
    struct node_counts *counts = yk_new0(struct node_counts);
    const struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        for (size_t i = 0; i < partition->nodes.count; i++) {
            if (partition->nodes.items[i] != NULL)
                count_node(counts, partition->nodes.items[i]);
        }
    }
    return counts;
}

/* The name has the resource type in it, so each type is a metric of its own. */
static void put_usage_of_nodes(struct yk_buf *out, const struct node_counts *counts)
{
    static const char *const ranges[RANGES] = {"[0,10%]",   "(10%,20%]", "(20%,30%]", "(30%,40%]",
                                               "(40%,50%]", "(50%,60%]", "(60%,70%]", "(70%,80%]",
                                               "(80%,90%]", "(90%,100%]"};
    for (int t = 0; t < yk_restype_count(); t++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
        const char *type = yk_restype_name(t);
        if (!counts->offered[t])
            continue;
        yk_buf_printf(&name, "yunikorn_scheduler_%s", type[0] >= '0' && type[0] <= '9' ? "_" : "");
        yk_metric_name(&name, yk_str_from(type));
        yk_buf_text(&name, "_node_usage_total");
        yk_metric_head(&yk_metric_node_usage, yk_buf_cstr(&name), out);
        for (int range = 0; range < RANGES; range++)
            yk_buf_printf(out, "%s{range=\"%s\"} %llu\n", yk_buf_cstr(&name), ranges[range],
                          (unsigned long long)counts->usage[t][range]);
    }
}

static void put_states(struct yk_metric_lines *lines, const struct yk_core *core,
                       const struct node_counts *counts)
{
    yk_metric_put_shown(lines, "state=\"active\"", counts->active, core->metrics.nodes_decommissioned > 0);
    yk_metric_put_used(lines, "state=\"decommissioned\"", core->metrics.nodes_decommissioned);
    yk_metric_put_used(lines, "state=\"draining\"", counts->draining);
    yk_metric_put_used(lines, "state=\"failed\"", core->metrics.nodes_failed);
}

/* Writes the usage of nodes as well, so that the nodes are counted once. */
void yk__metric_nodes(struct yk_metric_lines *lines, const struct yk_core *core)
{
    YK_CLEANUP(yk_freep) struct node_counts *counts = count_nodes(core);
    put_states(lines, core, counts);
    put_usage_of_nodes(lines->out, counts);
}

void yk__metric_node_usage(struct yk_metric_lines *lines, const struct yk_core *core)
{
    (void)lines; /* written by yk__metric_nodes() */
    (void)core;
}
