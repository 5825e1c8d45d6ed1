/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts requests to the API server by verb, resource and status code, and measures how long they take.
 *
 * Verb and resource are those of RBAC: "list" "pods", "create" "pods/binding". The number of series is
 * limited: requests for which no series is left (YK_API_SERIES_MAX, YK_API_TIMES_MAX) are counted as "other".
 *
 * Thread: I/O thread.
 * Source: docs/reference/rest.md 12.1.
 */
#ifndef YK_CLIENT_API_STATS_H
#define YK_CLIENT_API_STATS_H

#include "metrics/durations.h"

enum { YK_API_SERIES_MAX = 256, YK_API_TIMES_MAX = 64, YK_API_RESOURCE_MAX = 48, YK_API_VERBS = 8 };

struct yk_api_series {
    int verb; /* index of yk_api_verbs */
    int code; /* HTTP status; 0: no answer */
    char resource[YK_API_RESOURCE_MAX];
    uint64_t count; /* of requests */
};

struct yk_api_times {
    int verb; /* index of yk_api_verbs */
    char resource[YK_API_RESOURCE_MAX];
    struct yk_durations durations;
};

struct yk_api_stats {
    struct yk_api_series series[YK_API_SERIES_MAX]; /* in order of their first use */
    size_t count;                                   /* of series */
    uint64_t others;                                /* requests for which no series was left */
    /* Durations of requests other than watches, in order of their first use. If all are used, the last one
     * is for all requests that have none. */
    struct yk_api_times times[YK_API_TIMES_MAX];
    size_t time_count; /* of times */
};

/* The verbs: "get", "list", "watch", "create", "update", "patch", "delete", "other". */
extern const char *const yk_api_verbs[YK_API_VERBS];
/* The index in yk_api_verbs of the verb of a request. `method` and `path` are those of HTTP.
 * `ret_resource` is set to the resource: "pods", "pods/binding"; "none" for paths outside of /api and
 * /apis, such as /version. */
int yk_api_request_kind(const char *method, const char *path, char ret_resource[YK_API_RESOURCE_MAX]);
/* Counts a request that has ended. `stats` was zeroed at first. `code`: its HTTP status; 0: no answer.
 * `duration_ns`: from its start to its end. */
void yk_api_stats_count(struct yk_api_stats *stats, const char *method, const char *path, int code,
                        int64_t duration_ns);
/* Appends counts and durations in the Prometheus text format. */
void yk_api_stats_put(const struct yk_api_stats *stats, struct yk_buf *out);

#endif
