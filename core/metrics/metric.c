/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/metric.h"

#include "base/base.h"

const char *yk_metric_type_name(enum yk_metric_type type)
{
    static const char *const names[] = {"counter", "gauge", "histogram"};
    YK_INDEXED_BY(names, YK_METRIC_HISTOGRAM);
    return names[type];
}

#define ROW(origin, symbol, type, name, labels, series, help)                                                \
    const struct yk_metric yk_metric_##symbol = {name,   YK_METRIC_##type, YK_METRIC_OF_##origin,            \
                                                 labels, series,           help};
#include "metrics/metric_rows.h"
#undef ROW

#define ROW(origin, symbol, type, name, labels, series, help) &yk_metric_##symbol,
const struct yk_metric *const yk_metrics[] = {
#include "metrics/metric_rows.h"
};
#undef ROW
const size_t yk_metric_count = YK_COUNT(yk_metrics);
