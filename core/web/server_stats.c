/* SPDX-License-Identifier: Apache-2.0 */
#include "web/server_stats.h"

#include "metrics/metric_text.h"

#include <stdatomic.h>

const int yk_web_codes[YK_WEB_CODES] = {200, 202, 301, 304, 307, 400, 401, 403, 404, 405, 408,
                                        409, 410, 413, 415, 417, 422, 431, 500, 501, 503, 505};

static const double time_bounds_s[YK_WEB_TIMES] = {0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10};

static void add_time(struct yk_web_times *times, double seconds)
{
    size_t bucket = 0;
    while (bucket < YK_WEB_TIMES && seconds > time_bounds_s[bucket])
        bucket++;
    times->counts[bucket]++;
    times->sum_s += seconds;
}

void yk_server_stats_count(struct yk_server_stats *stats, const struct yk_route *route, int status,
                           int64_t elapsed_ns)
{
    size_t row = YK_WEB_ROUTES_MAX, code = 0;
    if (route != NULL)
        row = YK_MIN((size_t)(route - stats->routes), (size_t)YK_WEB_ROUTES_MAX - 1);
    while (code < YK_WEB_CODES - 1 && yk_web_codes[code] != status)
        code++;
    stats->requests[row][code]++;
    if (row < YK_WEB_ROUTES_MAX)
        add_time(&stats->times[row], (double)elapsed_ns / (double)YK_NS_PER_S);
    if (route != NULL && route->is_scrape)
        stats->metrics_answered[code]++;
}

static void render_requests(const struct yk_server_stats *stats, struct yk_buf *out)
{
    struct yk_metric_lines lines = yk_metric_begin(&yk_metric_rest_requests, out);
    for (size_t row = 0; row <= YK_WEB_ROUTES_MAX; row++) {
        for (size_t code = 0; code < YK_WEB_CODES; code++) {
            if (stats->requests[row][code] > 0)
                yk_metric_putf(&lines, (int64_t)stats->requests[row][code], "code=\"%d\",route=\"%s\"",
                               yk_web_codes[code],
                               row < stats->route_count ? stats->routes[row].pattern : "none");
        }
    }
}

static void render_times(const struct yk_server_stats *stats, struct yk_buf *out)
{
    struct yk_metric_lines lines = yk_metric_begin(&yk_metric_rest_duration, out);
    for (size_t row = 0; row < stats->route_count && row < YK_WEB_ROUTES_MAX; row++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf labels = {0};
        const struct yk_web_times *times = &stats->times[row];
        yk_metric_label(&labels, "route", yk_str_from(stats->routes[row].pattern));
        yk_metric_put_histogram(
            &lines, yk_buf_cstr(&labels),
            &(struct yk_metric_buckets){time_bounds_s, YK_WEB_TIMES, times->counts, times->sum_s});
    }
}

static uint64_t scrapes_with(const struct yk_server_stats *stats, int status)
{
    uint64_t count = 0;
    for (size_t code = 0; code < YK_WEB_CODES; code++)
        count += yk_web_codes[code] == status ? stats->metrics_answered[code] : 0;
    return count;
}

static void render_scrapes(const struct yk_server_stats *stats, struct yk_buf *out)
{
    struct yk_metric_lines in_flight = yk_metric_begin(&yk_metric_scrapes_in_flight, out);
    struct yk_metric_lines scrapes = yk_metric_begin(&yk_metric_scrapes, out);
    yk_metric_put(&in_flight, "", stats->metrics_in_flight);
    yk_metric_put(&scrapes, "code=\"200\"", scrapes_with(stats, 200));
    yk_metric_put(&scrapes, "code=\"500\"", scrapes_with(stats, 500));
    yk_metric_put(&scrapes, "code=\"503\"", scrapes_with(stats, 503));
}

void yk_server_stats_render(const struct yk_server_stats *stats, struct yk_buf *out)
{
    struct yk_metric_lines streams = yk_metric_begin(&yk_metric_event_streams, out);
    render_requests(stats, out);
    render_times(stats, out);
    struct yk_metric_lines thread = yk_metric_begin(&yk_metric_rest_thread_seconds, out);
    yk_metric_put_double(&thread, "",
                         (double)atomic_load_explicit(&stats->render_ns, memory_order_relaxed) /
                             (double)YK_NS_PER_S);
    yk_metric_put_shown(&streams, "", stats->streams, stats->streams_ever > 0);
    render_scrapes(stats, out);
}
