/* SPDX-License-Identifier: Apache-2.0 */
#include "web/server_stats.h"

#include "web/prometheus_priv.h"
#include "web/routes_priv.h"

const int yk_web_codes[YK_WEB_CODES] = {200, 202, 301, 307, 400, 401, 403, 404, 405,
                                        409, 413, 422, 431, 500, 501, 503, 505};

void yk_server_stats_count(struct yk_server_stats *stats, const struct yk_route *route, int status)
{
    size_t row = YK_WEB_ROUTES_MAX, code = 0;
    if (route != NULL)
        row = YK_MIN((size_t)(route - yk_routes), (size_t)YK_WEB_ROUTES_MAX - 1);
    while (code < YK_WEB_CODES - 1 && yk_web_codes[code] != status)
        code++;
    stats->requests[row][code]++;
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

void yk_server_stats_render(const struct yk_server_stats *stats, struct yk_buf *out)
{
    static const int scrape_codes[] = {200, 500, 503};
    render_requests(stats, out);
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
