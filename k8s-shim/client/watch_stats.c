/* SPDX-License-Identifier: Apache-2.0 */
#include "client/watch_stats.h"

#include "metrics/metric_text.h"

static const char *const reasons[] = {"closed",    "cut",     "short",      "unreachable",
                                      "throttled", "expired", "unreadable", "refused"};
YK_INDEXED_BY(reasons, YK_WATCH_REFUSED);

void yk_watch_stats_put(const struct yk_watch_stats *stats, const char *(*plural)(enum yk_kind kind),
                        struct yk_buf *out)
{
    struct yk_metric_lines restarts = yk_metric_begin(&yk_metric_watch_restarts, out);
    for (int kind = 0; kind < YK_KIND_COUNT; kind++) {
        for (int end = 0; end < YK_WATCH_ENDS; end++) {
            if (stats->restarts[kind][end] > 0)
                yk_metric_putf(&restarts, (int64_t)stats->restarts[kind][end],
                               "reason=\"%s\",resource=\"%s\"", reasons[end], plural((enum yk_kind)kind));
        }
    }
    struct yk_metric_lines events = yk_metric_begin(&yk_metric_watch_last_event, out);
    for (int kind = 0; kind < YK_KIND_COUNT; kind++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf label = {0};
        if (stats->event_wall_ns[kind] == 0)
            continue;
        yk_metric_label(&label, "resource", yk_str_from(plural((enum yk_kind)kind)));
        yk_metric_put_double(&events, yk_buf_cstr(&label),
                             (double)stats->event_wall_ns[kind] / (double)YK_NS_PER_S);
    }
}
