/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data about the web server itself: health checks for probes, and counters.
 *
 * Thread: I/O thread only, except `render_ns`.
 */
#ifndef YK_WEB_SERVER_STATS_H
#define YK_WEB_SERVER_STATS_H

#include "web/router.h"

/* One check of /livez and /readyz. */
struct yk_web_check {
    const char *name; /* such as "informer-sync" */
    /* Whether the check passes. Called on the I/O thread: it reads only atomics, and does not wait. NULL: the
     * check always passes. */
    bool (*ok)(void *context);
    void *context;
    bool live; /* true: part of /livez and /readyz; false: of /readyz only */
    /* A text for the answer: a note if the check passes, the reason if it fails; static; "": none. Called
     * like `ok`. NULL: there is no text. */
    const char *(*note)(void *context);
    bool is_short; /* the note of a check that passes also stands in the answer of /readyz without the list */
};

/* Results of a check since the start, for one kind of probe. */
struct yk_web_check_results {
    uint64_t passed, failed;
    bool passed_last; /* the last result */
};

enum { YK_WEB_PROBES = 3 }; /* healthz, livez, readyz */
enum {
    YK_WEB_CHECKS_MAX = 32,
    YK_WEB_CODES = 22,       /* length of yk_web_codes */
    YK_WEB_ROUTES_MAX = 128, /* rows of the table of routes */
    YK_WEB_TIMES = 9,        /* buckets of times, not counting the one for +Inf */
};

struct yk_server_stats {
    const struct yk_route *routes; /* the table; borrowed */
    size_t route_count;
    struct yk_web_check checks[YK_WEB_CHECKS_MAX];
    size_t check_count;
    /* Index 0: "ping"; i + 1: checks[i]. */
    struct yk_web_check_results results[YK_WEB_PROBES][YK_WEB_CHECKS_MAX + 1];
    /* Answers by route (index in `routes`; the last row: without a route) and status code (index in
     * yk_web_codes). */
    uint64_t requests[YK_WEB_ROUTES_MAX + 1][YK_WEB_CODES];
    uint64_t metrics_answered[YK_WEB_CODES]; /* scrapes by status code */
    uint64_t metrics_in_flight;              /* scrapes that are being served */
    /* Appends metrics that are not of this module. I/O thread. NULL: none. */
    void (*put_more_metrics)(void *context, struct yk_buf *out);
    void *more_metrics_context;
    /* Times from the request to the answer, or to its first piece; index: in `routes`. */
    struct yk_web_times {
        uint64_t counts[YK_WEB_TIMES + 1]; /* per bucket, not cumulative; the last one: +Inf */
        double sum_s;                      /* seconds */
    } times[YK_WEB_ROUTES_MAX];
    uint64_t streams, streams_ever; /* streams of events that are open, and that were opened so far */
    /* Processor time of the scheduling thread that answers took. Written only by that thread. */
    _Atomic int64_t render_ns;
};

/* The HTTP status codes that are counted: those that yk_answer_reason() knows. Others count as the last one. */
extern const int yk_web_codes[YK_WEB_CODES];
/* Counts an answer with the HTTP `status` that was sent `elapsed_ns` after the request came. `route`: its
 * route in the table stats->routes; NULL: it has none. Call it once for each answer, when its head is
 * sent. */
void yk_server_stats_count(struct yk_server_stats *stats, const struct yk_route *route, int status,
                           int64_t elapsed_ns);
/* Appends the metrics of the server (docs/reference/rest.md 10.3) and of its requests in the Prometheus text
 * format. */
void yk_server_stats_render(const struct yk_server_stats *stats, struct yk_buf *out);

#endif
