/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of metrics: metric_rows.h as data, for /metrics and for the page of the reference.
 *
 * Thread: any; nothing changes.
 */
#ifndef YK_METRICS_METRIC_H
#define YK_METRICS_METRIC_H

#include <stddef.h>

enum yk_metric_type { YK_METRIC_COUNTER, YK_METRIC_GAUGE, YK_METRIC_HISTOGRAM };

/* Who writes the lines (metric_rows.h). */
enum yk_metric_origin {
    YK_METRIC_OF_CORE,
    YK_METRIC_OF_NODE = YK_METRIC_OF_CORE, /* from counts of nodes; in the same table */
    YK_METRIC_OF_QUEUE,
    YK_METRIC_OF_SERVER,
    YK_METRIC_OF_PROCESS,
    YK_METRIC_OF_CLIENT,
    YK_METRIC_OF_SHIM,
    YK_METRIC_OF_PROGRAM,
};
enum { YK_METRIC_ORIGINS = YK_METRIC_OF_PROGRAM + 1 };

struct yk_metric {
    const char *name;
    enum yk_metric_type type;
    enum yk_metric_origin origin;
    const char *labels; /* with their values, for people; "": none */
    const char *series; /* how many there can be, for people */
    const char *help;
};

/* "counter", "gauge", "histogram"; static. */
const char *yk_metric_type_name(enum yk_metric_type type);

#define ROW(origin, symbol, type, name, labels, series, help)                                                \
    extern const struct yk_metric yk_metric_##symbol;
#include "metrics/metric_rows.h"
#undef ROW

/* All of them, in the order of the rows. */
extern const struct yk_metric *const yk_metrics[];
extern const size_t yk_metric_count;

#endif
