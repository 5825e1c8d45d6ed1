/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics about nodes: how many there are, and how much of each resource they have in use. The nodes are
 * counted in slices, so a count is not of one instant: a node that comes or goes meanwhile may be missed.
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md 10.1.
 */
#ifndef YK_WEB_METRICS_NODES_PRIV_H
#define YK_WEB_METRICS_NODES_PRIV_H

#include "resources/restype.h"
#include "web/job.h"

struct yk_metrics;

enum { YK__NODE_RANGES = 10 };

/* All 0 before the first step. */
struct yk__node_counts {
    size_t partition, node; /* what comes next */
    uint64_t active, draining;
    uint64_t usage[YK_RESTYPE_MAX][YK__NODE_RANGES]; /* nodes per tenth in use */
    bool offered[YK_RESTYPE_MAX];                    /* some node has some of it */
};

/* Counts nodes until the slice ends. True: all are counted. */
bool yk__count_nodes(struct yk__node_counts *counts, const struct yk_job *job, int64_t until_mono_ns);
/* Appends the lines about them. */
void yk__metrics_of_nodes(const struct yk__node_counts *counts, const struct yk_metrics *metrics,
                          struct yk_buf *out);

#endif
