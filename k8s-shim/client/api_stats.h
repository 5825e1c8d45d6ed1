/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts requests to the API server by verb, resource and status code, and measures how long they take.
 *
 * Verbs and resources are those of RBAC, such as "list" of "pods" and "create" of "pods/binding". The number
 * of series is limited (YK_API_SERIES_MAX, YK_API_TIMES_MAX): when all series are in use, requests without a
 * series are counted as "other".
 *
 * Thread: I/O thread.
 * Source: docs/reference/rest.md 10.4.
 */
#ifndef YK_CLIENT_API_STATS_H
#define YK_CLIENT_API_STATS_H

#include "metrics/durations.h"

enum { YK_API_SERIES_MAX = 256, YK_API_TIMES_MAX = 64, YK_API_RESOURCE_MAX = 48, YK_API_VERBS = 8 };

struct yk_api_series {
    int verb; /* index of yk_api_verbs */
    int code; /* HTTP status; 0: no answer */
    char resource[YK_API_RESOURCE_MAX];
    uint64_t count; /* number of requests */
};

struct yk_api_times {
    int verb; /* index of yk_api_verbs */
    char resource[YK_API_RESOURCE_MAX];
    struct yk_durations durations;
};

struct yk_api_stats {
    struct yk_api_series series[YK_API_SERIES_MAX]; /* in order of their first use */
    size_t count;                                   /* number of series in use */
    uint64_t others;                                /* requests without a series */
    /* Durations of requests other than watches, in order of their first use. The last element counts all
     * requests for which the elements before it have no verb and resource. */
    struct yk_api_times times[YK_API_TIMES_MAX];
    size_t time_count; /* number of elements of `times` in use */
};

/* The verbs: "get", "list", "watch", "create", "update", "patch", "delete", "other". */
extern const char *const yk_api_verbs[YK_API_VERBS];
/* The verb of an HTTP request, as an index of yk_api_verbs. `ret_resource` is set to the resource, such as
 * "pods" or "pods/binding", or to "none" if `path` is not below /api or /apis or names no resource. */
int yk_api_request_kind(const char *method, const char *path, char ret_resource[YK_API_RESOURCE_MAX]);
/* Counts a request that has ended. `stats` was zeroed before the first call. `code`: the HTTP status of the
 * answer; 0: there was no answer. `duration_ns`: from the start of the request to its end. */
void yk_api_stats_count(struct yk_api_stats *stats, const char *method, const char *path, int code,
                        int64_t duration_ns);
/* Appends counts and durations in the Prometheus text format. */
void yk_api_stats_put(const struct yk_api_stats *stats, struct yk_buf *out);

#endif
