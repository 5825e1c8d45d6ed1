/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of the web server itself: health checks for probes, and counters.
 *
 * Thread: I/O thread only, except what the callback of a check reads (atomics).
 */
#ifndef YK_WEB_SERVER_STATS_H
#define YK_WEB_SERVER_STATS_H

#include "web/router.h"

/* One check of /livez and /readyz. */
struct yk_web_check {
    const char *name;          /* "informer-sync" */
    bool (*ok)(void *context); /* I/O thread; atomics only, never waits */
    void *context;
    bool live;                          /* part of /livez as well; else of /readyz only */
    const char *(*note)(void *context); /* for the answer: a note when it passes, the reason when it fails; as
                                           `ok`; may be NULL */
};

/* Results of a check since the start, of one kind of probe. */
struct yk_web_check_results {
    uint64_t passed, failed;
    bool passed_last;
};

enum { YK_WEB_PROBES = 3 }; /* healthz, livez, readyz */
enum { YK_WEB_CHECKS_MAX = 32, YK_WEB_CODES = 19, YK_WEB_ROUTES_MAX = 128, YK_WEB_TIMES = 9 };

struct yk_server_stats {
    const struct yk_route *routes; /* the table; borrowed */
    size_t route_count;
    struct yk_web_check checks[YK_WEB_CHECKS_MAX];
    size_t check_count;
    struct yk_web_check_results results[YK_WEB_PROBES][YK_WEB_CHECKS_MAX + 1]; /* the first: "ping" */
    uint64_t requests[YK_WEB_ROUTES_MAX + 1][YK_WEB_CODES]; /* by route (the last: none) and status code */
    uint64_t metrics_answered[YK_WEB_CODES];
    uint64_t metrics_in_flight;
    /* Appends metrics of the program around; I/O thread. NULL: none. */
    void (*put_more_metrics)(void *context, struct yk_buf *out);
    void *more_metrics_context;
    /* From the request to the answer, or to its first piece. */
    struct yk_web_times {
        uint64_t counts[YK_WEB_TIMES + 1]; /* per bucket, not cumulated; the last: longer */
        double sum_s;
    } times[YK_WEB_ROUTES_MAX];
    uint64_t streams, streams_ever; /* open now; opened so far */
    /* Processor time of the scheduling thread that went into answers. Written by it alone. */
    _Atomic int64_t render_ns;
};

extern const int yk_web_codes[YK_WEB_CODES];
/* Counts one answer of `route` (NULL: of no route) with the HTTP `status`, which left `elapsed_ns` after its request had
 * come. */
void yk_server_stats_count(struct yk_server_stats *stats, const struct yk_route *route, int status,
                           int64_t elapsed_ns);
/* Appends the metrics of the server (docs/reference/rest.md 10.4) and of its requests in the Prometheus text
 * format. */
void yk_server_stats_render(const struct yk_server_stats *stats, struct yk_buf *out);

#endif
