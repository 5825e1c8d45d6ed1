/* SPDX-License-Identifier: Apache-2.0 */
#include "client/api_stats.h"

enum { VERB_GET, VERB_LIST, VERB_WATCH, VERB_CREATE, VERB_UPDATE, VERB_PATCH, VERB_DELETE, VERB_OTHER };

const char *const yk_api_verbs[YK_API_VERBS] = {"get",    "list",  "watch",  "create",
                                                "update", "patch", "delete", "other"};

/* ---- verb and resource of a request ---- */

/* Removes the next part between slashes from the front of `path`, and returns it; absent at the end. */
static struct yk_str next_segment(struct yk_str *path)
{
    struct yk_str part = {0};
    while (path->len > 0 && path->p[0] == '/')
        *path = (struct yk_str){path->p + 1, path->len - 1};
    if (path->len == 0)
        return part;
    const char *slash = memchr(path->p, '/', path->len);
    part = (struct yk_str){path->p, slash != NULL ? (size_t)(slash - path->p) : path->len};
    *path = (struct yk_str){path->p + part.len, path->len - part.len};
    return part;
}

/* Moves `path` behind "/api/v1" or "/apis/<group>/<version>". False: the path begins differently. */
static bool skip_group(struct yk_str *path)
{
    struct yk_str first = next_segment(path);
    if (!yk_str_is(first, "api") && !yk_str_is(first, "apis"))
        return false;
    (void)next_segment(path);
    if (yk_str_is(first, "apis"))
        (void)next_segment(path);
    return true;
}

static bool is_word(struct yk_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if ((text.p[i] < 'a' || text.p[i] > 'z') && (text.p[i] < '0' || text.p[i] > '9'))
            return false;
    }
    return text.len > 0;
}

static int verb_of(const char *method, bool has_name, bool is_watch)
{
    static const struct {
        const char *method;
        int verb;
    } verbs[] = {{"POST", VERB_CREATE}, {"PUT", VERB_UPDATE}, {"PATCH", VERB_PATCH}, {"DELETE", VERB_DELETE}};
    if (strcmp(method, "GET") == 0)
        return is_watch ? VERB_WATCH : has_name ? VERB_GET : VERB_LIST;
    for (size_t i = 0; i < YK_COUNT(verbs); i++) {
        if (strcmp(method, verbs[i].method) == 0)
            return verbs[i].verb;
    }
    return VERB_OTHER;
}

int yk_api_request_kind(const char *method, const char *path, char ret_resource[YK_API_RESOURCE_MAX])
{
    const char *query = strchr(path, '?');
    struct yk_str rest = {path, query != NULL ? (size_t)(query - path) : strlen(path)};
    bool is_watch = query != NULL && strstr(query, "watch=") != NULL;
    (void)snprintf(ret_resource, YK_API_RESOURCE_MAX, "none");
    if (!skip_group(&rest))
        return verb_of(method, true, false);
    struct yk_str resource = next_segment(&rest), name = next_segment(&rest), sub = next_segment(&rest);
    if (yk_str_is(resource, "namespaces") && sub.len > 0) { /* an object in a namespace */
        struct yk_str own_name = next_segment(&rest), own_sub = next_segment(&rest);
        bool is_of_namespace = !yk_str_is(sub, "status") && !yk_str_is(sub, "finalize");
        if (is_of_namespace) {
            resource = sub;
            name = own_name;
            sub = own_sub;
        }
    }
    if (!is_word(resource) || (sub.len > 0 && !is_word(sub)))
        return verb_of(method, true, false);
    (void)snprintf(ret_resource, YK_API_RESOURCE_MAX, YK_STR_FMT "%s" YK_STR_FMT, YK_STR_ARG(resource),
                   sub.len > 0 ? "/" : "", YK_STR_ARG(sub)); /* a longer text is cut */
    return verb_of(method, name.len > 0, is_watch);
}

/* ---- counting ---- */

static struct yk_api_series *series_of(struct yk_api_stats *stats, int verb, int code, const char *resource)
{
    for (size_t i = 0; i < stats->count; i++) {
        struct yk_api_series *series = &stats->series[i];
        if (series->verb == verb && series->code == code && strcmp(series->resource, resource) == 0)
            return series;
    }
    if (stats->count == YK_API_SERIES_MAX)
        return NULL;
    struct yk_api_series *series = &stats->series[stats->count++];
    *series = (struct yk_api_series){.verb = verb, .code = code};
    (void)snprintf(series->resource, sizeof(series->resource), "%s", resource);
    return series;
}

static struct yk_durations *times_of(struct yk_api_stats *stats, int verb, const char *resource)
{
    for (size_t i = 0; i < stats->time_count; i++) {
        struct yk_api_times *times = &stats->times[i];
        if (times->verb == verb && strcmp(times->resource, resource) == 0)
            return &times->durations;
    }
    if (stats->time_count == YK_API_TIMES_MAX)
        return &stats->times[YK_API_TIMES_MAX - 1].durations;
    struct yk_api_times *times = &stats->times[stats->time_count++];
    bool is_last = stats->time_count == YK_API_TIMES_MAX;
    times->verb = is_last ? VERB_OTHER : verb;
    (void)snprintf(times->resource, sizeof(times->resource), "%s", is_last ? "other" : resource);
    return &times->durations;
}

void yk_api_stats_count(struct yk_api_stats *stats, const char *method, const char *path, int code,
                        int64_t duration_ns)
{
    char resource[YK_API_RESOURCE_MAX];
    int verb = yk_api_request_kind(method, path, resource);
    struct yk_api_series *series = series_of(stats, verb, code, resource);
    if (series != NULL)
        series->count++;
    else
        stats->others++;
    if (verb != VERB_WATCH)
        yk_durations_observe(times_of(stats, verb, resource), duration_ns);
}

/* ---- metrics ---- */

static void put_counts(const struct yk_api_stats *stats, struct yk_buf *out)
{
    struct yk_metric_lines lines = yk_metric_begin(&yk_metric_api_requests, out);
    for (size_t i = 0; i < stats->count; i++) {
        const struct yk_api_series *series = &stats->series[i];
        yk_metric_putf(&lines, (int64_t)series->count, "code=\"%d\",resource=\"%s\",verb=\"%s\"",
                       series->code, series->resource, yk_api_verbs[series->verb]);
    }
    yk_metric_put_used(&lines, "code=\"other\",resource=\"other\",verb=\"other\"", stats->others);
}

static void put_times(const struct yk_api_stats *stats, struct yk_buf *out)
{
    struct yk_metric_lines lines = yk_metric_begin(&yk_metric_api_duration, out);
    for (size_t i = 0; i < stats->time_count; i++) {
        const struct yk_api_times *times = &stats->times[i];
        char labels[YK_API_RESOURCE_MAX + 48];
        (void)snprintf(labels, sizeof(labels), "resource=\"%s\",verb=\"%s\"", times->resource,
                       yk_api_verbs[times->verb]);
        yk_durations_put(&times->durations, &lines, labels);
    }
}

void yk_api_stats_put(const struct yk_api_stats *stats, struct yk_buf *out)
{
    put_counts(stats, out);
    put_times(stats, out);
}
