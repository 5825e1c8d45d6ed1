/* SPDX-License-Identifier: Apache-2.0 */
#include "web/router.h"

#include "web/job.h"
#include "web/route_job.h"
#include "web/server_stats.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define QUEUES "/ws/v1/partition/:partition/queues"
#define QUEUE  "/ws/v1/partition/:partition/queue/:queue"

static void table(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum yk_method method;
        const char *path;
        enum yk_routing want;
        const char *detail; /* found: pattern; redirect: location; method and options: Allow */
    } cases[] = {
        {"a literal path", YK_METHOD_GET, "/ws/v1/clusters", YK_ROUTE_FOUND, "/ws/v1/clusters"},
        {"HEAD is served like GET", YK_METHOD_HEAD, "/ws/v1/clusters", YK_ROUTE_FOUND, "/ws/v1/clusters"},
        {"one parameter", YK_METHOD_GET, "/ws/v1/partition/default/queues", YK_ROUTE_FOUND, QUEUES},
        {"an encoded letter in a literal", YK_METHOD_GET, "/ws/v1/%63lusters", YK_ROUTE_FOUND,
         "/ws/v1/clusters"},
        {"an encoded slash stays in its segment", YK_METHOD_GET, "/ws/v1/partition/p/queue/a%2Fb",
         YK_ROUTE_FOUND, QUEUE},
        {"an encoded slash in a literal is none", YK_METHOD_GET, "/ws%2Fv1/clusters", YK_ROUTE_UNKNOWN, NULL},
        {"an empty name in the middle", YK_METHOD_GET, "/ws/v1/partition//queues", YK_ROUTE_FOUND, QUEUES},
        {"an empty name at the end", YK_METHOD_GET, "/ws/v1/partition/p/queue/", YK_ROUTE_REDIRECT,
         "/ws/v1/partition/p/queue"},
        {"an empty node", YK_METHOD_GET, "/ws/v1/partition/p/node/", YK_ROUTE_REDIRECT,
         "/ws/v1/partition/p/node"},
        {"an empty user", YK_METHOD_GET, "/ws/v1/partition/p/usage/user/", YK_ROUTE_REDIRECT,
         "/ws/v1/partition/p/usage/user"},
        {"where that leads to", YK_METHOD_GET, "/ws/v1/partition/p/usage/user", YK_ROUTE_UNKNOWN, NULL},
        {"an empty name before a list", YK_METHOD_GET, "/ws/v1/partition/p/queue/q/applications/",
         YK_ROUTE_REDIRECT, "/ws/v1/partition/p/queue/q/applications"},
        {"a bad escape in a name", YK_METHOD_GET, "/ws/v1/partition/p/queue/%zz", YK_ROUTE_MALFORMED, NULL},
        {"unknown", YK_METHOD_GET, "/ws/v1/nonsense", YK_ROUTE_UNKNOWN, NULL},
        {"gone since 1.4", YK_METHOD_GET, "/ws/v1/loglevel", YK_ROUTE_UNKNOWN, NULL},
        {"the root", YK_METHOD_GET, "/", YK_ROUTE_FOUND, "/"},
        {"too long", YK_METHOD_GET, "/ws/v1/clusters/x", YK_ROUTE_UNKNOWN, NULL},
        {"a slash too many", YK_METHOD_GET, "/ws/v1/clusters/", YK_ROUTE_REDIRECT, "/ws/v1/clusters"},
        {"a slash after a name", YK_METHOD_GET, "/ws/v1/partition/p/queue/q/", YK_ROUTE_REDIRECT,
         "/ws/v1/partition/p/queue/q"},
        {"other case: the name keeps its own", YK_METHOD_GET, "/WS/v1/Partition/Def/QUEUES",
         YK_ROUTE_REDIRECT, "/ws/v1/partition/Def/queues"},
        {"double slashes", YK_METHOD_GET, "//ws//v1/clusters", YK_ROUTE_REDIRECT, "/ws/v1/clusters"},
        {"dots", YK_METHOD_GET, "/ws/./x/../v1/clusters", YK_ROUTE_REDIRECT, "/ws/v1/clusters"},
        {"POST to its own", YK_METHOD_POST, "/ws/v1/validate-conf", YK_ROUTE_FOUND, "/ws/v1/validate-conf"},
        {"POST with a slash too many", YK_METHOD_POST, "/ws/v1/validate-conf/", YK_ROUTE_REDIRECT,
         "/ws/v1/validate-conf"},
        {"redirects look at the own method only", YK_METHOD_POST, "/ws/v1/clusters/", YK_ROUTE_UNKNOWN, NULL},
        {"POST to the state of a simulation", YK_METHOD_POST, "/sim/v1/state", YK_ROUTE_METHOD,
         "GET, OPTIONS"},
        {"GET of the clock of a simulation", YK_METHOD_GET, "/sim/v1/clock", YK_ROUTE_METHOD,
         "OPTIONS, POST"},
        {"another path of a simulation", YK_METHOD_GET, "/sim/v1/other", YK_ROUTE_UNKNOWN, NULL},
        {"POST to what is read", YK_METHOD_POST, "/ws/v1/clusters", YK_ROUTE_METHOD, "GET, OPTIONS"},
        {"GET of what is posted", YK_METHOD_GET, "/ws/v1/validate-conf", YK_ROUTE_METHOD, "OPTIONS, POST"},
        {"HEAD of what is posted", YK_METHOD_HEAD, "/ws/v1/validate-conf", YK_ROUTE_METHOD, "OPTIONS, POST"},
        {"an unknown method", YK_METHOD_OTHER, "/ws/v1/clusters", YK_ROUTE_METHOD, "GET, OPTIONS"},
        {"OPTIONS", YK_METHOD_OPTIONS, "/ws/v1/partition/p/nodes", YK_ROUTE_OPTIONS, "GET, OPTIONS"},
        {"OPTIONS of what is posted", YK_METHOD_OPTIONS, "/ws/v1/validate-conf", YK_ROUTE_OPTIONS,
         "OPTIONS, POST"},
        {"OPTIONS of nothing", YK_METHOD_OPTIONS, "/nothing", YK_ROUTE_UNKNOWN, NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_arena_done) struct yk_arena arena = {0};
        struct yk_match match;
        yk_route_find(cases[i].method, yk_str_from(cases[i].path), &arena, &match);
        if (match.routing != cases[i].want)
            fail_msg("%s: routing %d, not %d", cases[i].what, (int)match.routing, (int)cases[i].want);
        struct yk_str detail = match.location;
        if (match.routing == YK_ROUTE_FOUND)
            detail = yk_str_from(match.route->pattern);
        else if (match.allow != NULL)
            detail = yk_str_from(match.allow);
        if (cases[i].detail != NULL && !yk_str_is(detail, cases[i].detail))
            fail_msg("%s: '" YK_STR_FMT "'", cases[i].what, YK_STR_ARG(detail));
    }
}

static void parameters(void **state)
{
    (void)state;
    YK_CLEANUP(yk_arena_done) struct yk_arena arena = {0};
    struct yk_match match;
    yk_route_find(YK_METHOD_GET, YK_STR("/ws/v1/partition/p%31/queue/root.a%252Fb/application/x%23y"), &arena,
                  &match);
    assert_true(yk_str_is(match.params[YK_PARAM_PARTITION], "p1"));
    assert_true(yk_str_is(match.params[YK_PARAM_QUEUE], "root.a%2Fb"));
    assert_true(yk_str_is(match.params[YK_PARAM_APPLICATION], "x#y"));
    assert_null(match.params[YK_PARAM_NODE].p);
    yk_route_find(YK_METHOD_GET, YK_STR("/ws/v1/partition//queues"), &arena, &match);
    assert_non_null(match.params[YK_PARAM_PARTITION].p);
    assert_int_equal(match.params[YK_PARAM_PARTITION].len, 0);
}

/* Each pattern is reached by a path made from it, and by no other route. */
static void every_route_is_reachable(void **state)
{
    (void)state;
    for (size_t i = 0; i < yk_route_count; i++) {
        YK_CLEANUP(yk_arena_done) struct yk_arena arena = {0};
        YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
        struct yk_str rest = yk_str_from(yk_routes[i].pattern + 1), part;
        struct yk_match match;
        while (yk_str_split(&rest, '/', &part))
            yk_buf_printf(&path, "/" YK_STR_FMT, YK_STR_ARG(part.p[0] == ':' ? YK_STR("name") : part));
        yk_route_find(yk_routes[i].method, yk_buf_view(&path), &arena, &match);
        if (match.routing != YK_ROUTE_FOUND || match.route != &yk_routes[i])
            fail_msg("%s is not reached by %s", yk_routes[i].pattern, yk_buf_cstr(&path));
    }
}

/* The page is printed from the rows. */
static void every_route_has_its_help(void **state)
{
    (void)state;
    assert_true(yk_route_count <= YK_WEB_ROUTES_MAX);
    for (size_t i = 0; i < yk_route_count; i++) {
        const struct yk_route *row = &yk_routes[i];
        if (row->help == NULL || row->help[0] == '\0' || row->errors == NULL ||
            strchr(row->help, '|') != NULL)
            fail_msg("%s has no help", row->pattern);
        if (row->guard != YK_GUARD_OPEN && strstr(row->errors, "403") == NULL)
            fail_msg("%s is guarded and does not say 403", row->pattern);
        if (row->on_io && row->rest != NULL)
            fail_msg("%s is written in one call and has a rest", row->pattern);
    }
}

static void answer_for(struct yk_job *job, const char *method, const char *target)
{
    assert_false(
        yk_job_route(job, yk_str_from(method), yk_str_from(target), (struct yk_str){0}, (struct yk_str){0}));
}

static void answers_of_the_router(void **state)
{
    (void)state;
    static const struct {
        const char *method, *target;
        int status;
        const char *headers, *body;
    } cases[] = {
        {"GET", "/x", 404, "Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n",
         "404 page not found\n"},
        {"DELETE", "/ws/v1/clusters", 405,
         "Content-Type: text/plain; charset=utf-8\r\nAllow: GET, OPTIONS\r\nX-Content-Type-Options: "
         "nosniff\r\n",
         "Method Not Allowed\n"},
        {"OPTIONS", "/ws/v1/clusters", 200,
         "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: GET, OPTIONS\r\n"
         "Access-Control-Allow-Headers: X-Requested-With,Content-Type,Accept,Origin\r\nAllow: GET, "
         "OPTIONS\r\n",
         ""},
        {"OPTIONS", "/ws/v1/metrics", 200, "Allow: GET, OPTIONS\r\n", ""},
        {"GET", "/ws/v1/clusters/?a=%22<&b", 301,
         "Content-Type: text/html; charset=utf-8\r\nLocation: /ws/v1/clusters?a=%22<&b\r\n",
         "<a href=\"/ws/v1/clusters?a=%22&lt;&amp;b\">Moved Permanently</a>.\n\n"},
        {"POST", "/ws/v1/validate-conf/", 307, "Location: /ws/v1/validate-conf\r\n", ""},
        {"GET", "/ws/v1/partition/p/queue/%zz", 400, "Content-Type: text/plain; charset=utf-8\r\n",
         "400 Bad Request\n"},
        {"GET", "/ws/v1/partition/p/nodes?filter=%zz", 400,
         "Content-Type: application/json; charset=UTF-8\r\nAccess-Control-Allow-Origin: *\r\n",
         "{\"status_code\":400,\"message\":\"invalid URL escape \\\"%zz\\\" in query parameter "
         "\\\"filter\\\"\","
         "\"description\":\"invalid URL escape \\\"%zz\\\" in query parameter "
         "\\\"filter\\\"\",\"StatusCode\":400,"
         "\"Message\":\"invalid URL escape \\\"%zz\\\" in query parameter \\\"filter\\\"\","
         "\"Description\":\"invalid URL escape \\\"%zz\\\" in query parameter \\\"filter\\\"\"}\n"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_job_freep) struct yk_job *job = yk_job_new();
        YK_CLEANUP(yk_buf_done) struct yk_buf headers = {0};
        answer_for(job, cases[i].method, cases[i].target);
        yk_answer_headers(&job->answer, &headers);
        if (job->answer.status != cases[i].status ||
            strcmp(yk_buf_cstr(&job->answer.body), cases[i].body) != 0 ||
            !yk_str_starts(yk_buf_view(&headers), cases[i].headers))
            fail_msg("%s %s: %d\n%s\n%s", cases[i].method, cases[i].target, job->answer.status,
                     yk_buf_cstr(&headers), yk_buf_cstr(&job->answer.body));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),
        cmocka_unit_test(parameters),
        cmocka_unit_test(every_route_is_reachable),
        cmocka_unit_test(every_route_has_its_help),
        cmocka_unit_test(answers_of_the_router),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
