/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of metrics: the rows of metric_rows.h as data, for the REST path /metrics and for the table in
 * docs/reference/rest.md.
 *
 * Thread: any; nothing changes.
 */
#ifndef YK_METRICS_METRIC_H
#define YK_METRICS_METRIC_H

#include <stddef.h>

enum yk_metric_type { YK_METRIC_COUNTER, YK_METRIC_GAUGE, YK_METRIC_HISTOGRAM };

/* Which code writes the lines of a metric (see metric_rows.h). */
enum yk_metric_origin {
    YK_METRIC_OF_CORE,
    /* Computed from counts of nodes; in rest.md, in the same table as YK_METRIC_OF_CORE. */
    YK_METRIC_OF_NODE = YK_METRIC_OF_CORE,
    YK_METRIC_OF_QUEUE,
    YK_METRIC_OF_SERVER,
    YK_METRIC_OF_PROCESS,
    YK_METRIC_OF_CLIENT,
    YK_METRIC_OF_SHIM,
    YK_METRIC_OF_PROGRAM,
};
enum { YK_METRIC_ORIGINS = YK_METRIC_OF_PROGRAM + 1 };

/* One row. All texts are static. */
struct yk_metric {
    const char *name; /* may have a part in angle brackets that stands for a text, such as <resource> */
    enum yk_metric_type type;
    enum yk_metric_origin origin;
    const char *labels; /* labels and their values, for the reference; "": none */
    const char *series; /* how many series there can be, for the reference */
    const char *help;   /* the sentence of # HELP */
};

/* The name of the type in # TYPE: "counter", "gauge" or "histogram"; static. */
const char *yk_metric_type_name(enum yk_metric_type type);

#define ROW(origin, symbol, type, name, labels, series, help)                                                \
    extern const struct yk_metric yk_metric_##symbol;
#include "metrics/metric_rows.h"
#undef ROW

/* All rows in order, yk_metric_count of them. */
extern const struct yk_metric *const yk_metrics[];
extern const size_t yk_metric_count;

#endif
