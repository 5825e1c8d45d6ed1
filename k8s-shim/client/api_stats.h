/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts requests to the API server by verb, resource and status code, and measures how long they take.
 *
 * Verb and resource are those of RBAC: "list" "pods", "create" "pods/binding". Paths are written by this
 * program, but the number of series is bounded all the same: what comes beyond YK_API_SERIES_MAX, or YK_API_TIMES_MAX, is
 * counted as "other".
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
    int code; /* 0: no answer */
    char resource[YK_API_RESOURCE_MAX];
    uint64_t count;
};

struct yk_api_times {
    int verb;
    char resource[YK_API_RESOURCE_MAX];
    struct yk_durations durations;
};

struct yk_api_stats {
    struct yk_api_series series[YK_API_SERIES_MAX]; /* in order of their first use */
    size_t count;
    uint64_t others; /* requests for which there was no series left */
    /* Not of watches, which last as long as they may. In order of their first use; the last one is of all others. */
    struct yk_api_times times[YK_API_TIMES_MAX];
    size_t time_count;
};

extern const char *const yk_api_verbs[YK_API_VERBS];
/* Reads from method and path what a request is for. `ret_resource` is set to the resource: "pods",
 * "pods/binding"; "none" for other paths, such as /version. Returns the index of the verb. */
int yk_api_request_kind(const char *method, const char *path, char ret_resource[YK_API_RESOURCE_MAX]);
/* Counts a request that has ended. `code`: its HTTP status, 0 without an answer. */
void yk_api_stats_count(struct yk_api_stats *stats, const char *method, const char *path, int code,
                        int64_t duration_ns);
/* Appends the series in the Prometheus text format. */
void yk_api_stats_put(const struct yk_api_stats *stats, struct yk_buf *out);

#endif
