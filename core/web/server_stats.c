/* SPDX-License-Identifier: Apache-2.0 */
#include "web/server_stats.h"

#include "base/json_writer.h"
#include "web/prometheus_priv.h"
#include "web/routes_priv.h"

const int yk_web_codes[YK_WEB_CODES] = {200, 202, 301, 304, 307, 400, 401, 403, 404, 405,
                                        409, 410, 413, 422, 431, 500, 501, 503, 505};

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
        row = YK_MIN((size_t)(route - yk_routes), (size_t)YK_WEB_ROUTES_MAX - 1);
    while (code < YK_WEB_CODES - 1 && yk_web_codes[code] != status)
        code++;
    stats->requests[row][code]++;
    if (row < YK_WEB_ROUTES_MAX)
        add_time(&stats->times[row], (double)elapsed_ns / (double)YK_NS_PER_S);
    if (route != NULL && route->work == yk__get_metrics)
        stats->metrics_answered[code]++;
}

static void render_requests(const struct yk_server_stats *stats, struct yk_buf *out)
{
    yk__family(out, "yunikorn_rest_requests_total", "counter",
               "Requests answered, by route and status code.");
    for (size_t row = 0; row <= YK_WEB_ROUTES_MAX; row++) {
        for (size_t code = 0; code < YK_WEB_CODES; code++) {
            if (stats->requests[row][code] == 0)
                continue;
            yk_buf_printf(out, "yunikorn_rest_requests_total{code=\"%d\",route=\"%s\"} %llu\n",
                          yk_web_codes[code], row < yk_route_count ? yk_routes[row].pattern : "none",
                          (unsigned long long)stats->requests[row][code]);
        }
    }
}

static void render_time(const struct yk_web_times *times, const char *route, struct yk_buf *out)
{
    static const char name[] = "yunikorn_rest_request_duration_seconds";
    uint64_t count = 0;
    for (size_t i = 0; i <= YK_WEB_TIMES; i++) {
        count += times->counts[i];
        yk_buf_printf(out, "%s_bucket{le=\"", name);
        if (i < YK_WEB_TIMES)
            yk_json_put_double(out, time_bounds_s[i]);
        else
            yk_buf_text(out, "+Inf");
        yk_buf_printf(out, "\",route=\"%s\"} %llu\n", route, (unsigned long long)count);
    }
    yk_buf_printf(out, "%s_sum{route=\"%s\"} ", name, route);
    yk_json_put_double(out, times->sum_s);
    yk_buf_printf(out, "\n%s_count{route=\"%s\"} %llu\n", name, route, (unsigned long long)count);
}

static bool is_used(const struct yk_web_times *times)
{
    for (size_t i = 0; i <= YK_WEB_TIMES; i++) {
        if (times->counts[i] > 0)
            return true;
    }
    return false;
}

static void render_times(const struct yk_server_stats *stats, struct yk_buf *out)
{
    bool begun = false;
    for (size_t row = 0; row < yk_route_count && row < YK_WEB_ROUTES_MAX; row++) {
        if (!is_used(&stats->times[row]))
            continue;
        if (!begun)
            yk__family(out, "yunikorn_rest_request_duration_seconds", "histogram",
                       "Time from a request to its answer, or to the first piece of it.");
        begun = true;
        render_time(&stats->times[row], yk_routes[row].pattern, out);
    }
    if (stats->streams_ever == 0)
        return;
    yk__family(out, "yunikorn_event_streams", "gauge", "Open streams of events.");
    yk_buf_printf(out, "yunikorn_event_streams %llu\n", (unsigned long long)stats->streams);
}

void yk_server_stats_render(const struct yk_server_stats *stats, struct yk_buf *out)
{
    static const int scrape_codes[] = {200, 500, 503};
    render_requests(stats, out);
    render_times(stats, out);
    yk__family(out, "yunikorn_rest_scheduling_thread_seconds_total", "counter",
               "Processor time of the scheduling thread that went into answers.");
    yk__sample_double(out, "yunikorn_rest_scheduling_thread_seconds_total", "",
                      (double)atomic_load_explicit(&stats->render_ns, memory_order_relaxed) /
                          (double)YK_NS_PER_S);
    yk__family(out, "promhttp_metric_handler_requests_in_flight", "gauge",
               "Current number of scrapes being served.");
    yk_buf_printf(out, "promhttp_metric_handler_requests_in_flight %llu\n",
                  (unsigned long long)stats->metrics_in_flight);
    yk__family(out, "promhttp_metric_handler_requests_total", "counter",
               "Total number of scrapes by HTTP status code.");
    for (size_t i = 0; i < YK_COUNT(scrape_codes); i++) {
        uint64_t count = 0;
        for (size_t code = 0; code < YK_WEB_CODES; code++)
            count += yk_web_codes[code] == scrape_codes[i] ? stats->metrics_answered[code] : 0;
        yk_buf_printf(out, "promhttp_metric_handler_requests_total{code=\"%d\"} %llu\n", scrape_codes[i],
                      (unsigned long long)count);
    }
}
