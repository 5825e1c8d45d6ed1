/* SPDX-License-Identifier: Apache-2.0 */
#include "client/api_stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void verbs_and_resources_are_those_of_rbac(void **state)
{
    (void)state;
    static const struct {
        const char *method, *path, *verb, *resource;
    } cases[] = {
        {"GET", "/api/v1/pods?limit=500", "list", "pods"},
        {"GET", "/api/v1/pods?watch=true&resourceVersion=1", "watch", "pods"},
        {"GET", "/api/v1/namespaces/ns/pods/p", "get", "pods"},
        {"GET", "/api/v1/namespaces", "list", "namespaces"},
        {"GET", "/api/v1/namespaces/ns", "get", "namespaces"},
        {"PUT", "/api/v1/namespaces/ns/status", "update", "namespaces/status"},
        {"GET", "/api/v1/namespaces/ns/configmaps", "list", "configmaps"},
        {"POST", "/api/v1/namespaces/ns/pods/p/binding", "create", "pods/binding"},
        {"PATCH", "/api/v1/namespaces/ns/pods/p/status", "patch", "pods/status"},
        {"DELETE", "/api/v1/namespaces/ns/pods/p?x=y", "delete", "pods"},
        {"POST", "/apis/authentication.k8s.io/v1/tokenreviews", "create", "tokenreviews"},
        {"PUT", "/apis/coordination.k8s.io/v1/namespaces/ns/leases/l", "update", "leases"},
        {"GET", "/version", "get", "none"},
        {"GET", "/apis", "get", "none"},
        {"BREW", "/api/v1/pods", "other", "pods"},
        {"GET", "/api/v1/\"}\n", "get", "none"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char resource[YK_API_RESOURCE_MAX];
        int verb = yk_api_request_kind(cases[i].method, cases[i].path, resource);
        if (strcmp(yk_api_verbs[verb], cases[i].verb) != 0 || strcmp(resource, cases[i].resource) != 0)
            fail_msg("%s %s: %s %s", cases[i].method, cases[i].path, yk_api_verbs[verb], resource);
    }
}

static void contains(const struct yk_buf *out, const char *line)
{
    if (strstr(yk_buf_cstr(out), line) == NULL)
        fail_msg("no '%s' in:\n%s", line, yk_buf_cstr(out));
}

static void counts_and_times(void **state)
{
    (void)state;
    struct yk_api_stats *stats = yk_new0(struct yk_api_stats);
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    yk_api_stats_put(stats, &out);
    assert_string_equal(yk_buf_cstr(&out), ""); /* nothing that was never used */
    yk_api_stats_count(stats, "POST", "/api/v1/namespaces/n/pods/p/binding", 201, 3 * YK_NS_PER_MS);
    yk_api_stats_count(stats, "POST", "/api/v1/namespaces/n/pods/q/binding", 201, 40 * YK_NS_PER_S);
    yk_api_stats_count(stats, "GET", "/api/v1/pods?watch=1", 0, 600 * YK_NS_PER_S);
    yk_api_stats_put(stats, &out);
    contains(&out, "yunikorn_api_requests_total{code=\"201\",resource=\"pods/binding\",verb=\"create\"} 2\n");
    contains(&out, "yunikorn_api_requests_total{code=\"0\",resource=\"pods\",verb=\"watch\"} 1\n");
    contains(&out, "yunikorn_api_request_duration_seconds_bucket{le=\"0.002\",resource=\"pods/binding\",verb=\"create\"} 0\n");
    contains(&out, "yunikorn_api_request_duration_seconds_bucket{le=\"0.004\",resource=\"pods/binding\",verb=\"create\"} 1\n");
    contains(&out, "yunikorn_api_request_duration_seconds_bucket{le=\"+Inf\",resource=\"pods/binding\",verb=\"create\"} 2\n");
    contains(&out, "yunikorn_api_request_duration_seconds_sum{resource=\"pods/binding\",verb=\"create\"} 40.003\n");
    contains(&out, "yunikorn_api_request_duration_seconds_count{resource=\"pods/binding\",verb=\"create\"} 2\n");
    assert_null(strstr(yk_buf_cstr(&out), "verb=\"watch\"} 600"));
    free(stats);
}

static void the_number_of_series_is_bounded(void **state)
{
    (void)state;
    struct yk_api_stats *stats = yk_new0(struct yk_api_stats);
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    for (int i = 0; i < YK_API_SERIES_MAX + 10; i++) {
        char path[64];
        (void)snprintf(path, sizeof(path), "/api/v1/kind%d", i);
        yk_api_stats_count(stats, "GET", path, 200, 0);
    }
    assert_int_equal(stats->count, YK_API_SERIES_MAX);
    yk_api_stats_put(stats, &out);
    contains(&out, "yunikorn_api_requests_total{code=\"other\",resource=\"other\",verb=\"other\"} 10\n");
    assert_int_equal(stats->time_count, YK_API_TIMES_MAX);
    contains(&out, "yunikorn_api_request_duration_seconds_count{resource=\"kind62\",verb=\"list\"} 1\n");
    contains(&out, "yunikorn_api_request_duration_seconds_count{resource=\"other\",verb=\"other\"} 203\n");
    free(stats);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verbs_and_resources_are_those_of_rbac),
        cmocka_unit_test(counts_and_times),
        cmocka_unit_test(the_number_of_series_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
