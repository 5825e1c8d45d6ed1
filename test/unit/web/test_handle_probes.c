/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/rest.md 12.3. */
#include "web/browser.h"

static bool truth(void *context)
{
    return *(const bool *)context;
}

static void table(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        bool loop, synced;
        int status;
        const char *body;
    } cases[] = {
        {"/livez", true, true, 200, "ok"},
        {"/livez", true, false, 200, "ok"},
        {"/readyz", true, true, 200, "ok"},
        {"/healthz", true, false, 200, "ok"},
        {"/readyz?verbose", true, true, 200, "[+]ping ok\n[+]loop ok\n[+]synced ok\nreadyz check passed\n"},
        {"/livez?verbose=false", true, true, 200, "[+]ping ok\n[+]loop ok\nlivez check passed\n"},
        {"/readyz", true, false, 500,
         "[+]ping ok\n[+]loop ok\n[-]synced failed: reason withheld\nreadyz check failed\n"},
        {"/livez", false, true, 500, "[+]ping ok\n[-]loop failed: reason withheld\nlivez check failed\n"},
        {"/healthz", false, true, 500, "[+]ping ok\n[-]loop failed: reason withheld\nhealthz check failed\n"},
        {"/readyz?exclude=synced", true, false, 200, "ok"},
        {"/readyz?exclude=%zz", true, true, 200, "ok"}, /* what cannot be decoded is ignored */
        {"/readyz?exclude=x&exclude=synced&verbose", true, false, 200,
         "[+]ping ok\n[+]loop ok\n[+]synced excluded: ok\nreadyz check passed\n"},
        {"/readyz/synced", true, true, 200, "ok"},
        {"/readyz/ping", false, false, 200, "ok"},
        {"/readyz/synced", true, false, 500, "[-]synced failed: reason withheld\nreadyz check failed\n"},
        {"/livez/synced", true, true, 404, "404 page not found\n"},
        {"/readyz/none", true, true, 404, "404 page not found\n"},
    };
    bool loop, synced;
    struct yk_server_stats stats = {
        .checks = {{"loop", truth, &loop, true, NULL, false}, {"synced", truth, &synced, false, NULL, false}},
        .check_count = 2};
    struct world world;
    world_init(&world, "");
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_answer answer;
        struct yk_web_query query = {.target = cases[i].target};
        loop = cases[i].loop;
        synced = cases[i].synced;
        yk_web_render(world.core, &stats, &query, &answer);
        if (answer.status != cases[i].status || strcmp(yk_buf_cstr(&answer.body), cases[i].body) != 0)
            fail_msg("%s: %d %s", cases[i].target, answer.status, yk_buf_cstr(&answer.body));
        assert_string_equal(answer.content_type, "text/plain; charset=utf-8");
        yk_answer_done(&answer);
    }
    world_done(&world);
}

static void get(const struct world *world, struct yk_server_stats *stats, const char *target,
                struct yk_answer *answer)
{
    yk_web_render(world->core, stats, &(struct yk_web_query){.target = target}, answer);
}

/* Of each kind of probe: what a check came to last, and how often it passed and failed. */
static void results_are_counted(void **state)
{
    (void)state;
    static const char want[] =
        "# HELP kubernetes_healthcheck Result of a health check when a probe asked last: 1 passed, 0 failed. "
        "Only at "
        "`/metrics/slis`.\n"
        "# TYPE kubernetes_healthcheck gauge\n"
        "kubernetes_healthcheck{name=\"ping\",type=\"livez\"} 1\n"
        "kubernetes_healthcheck{name=\"ping\",type=\"readyz\"} 1\n"
        "kubernetes_healthcheck{name=\"synced\",type=\"readyz\"} 0\n"
        "# HELP kubernetes_healthchecks_total Results of health checks. Only at `/metrics/slis`.\n"
        "# TYPE kubernetes_healthchecks_total counter\n"
        "kubernetes_healthchecks_total{name=\"ping\",status=\"success\",type=\"livez\"} 1\n"
        "kubernetes_healthchecks_total{name=\"ping\",status=\"success\",type=\"readyz\"} 3\n"
        "kubernetes_healthchecks_total{name=\"synced\",status=\"error\",type=\"readyz\"} 1\n"
        "kubernetes_healthchecks_total{name=\"synced\",status=\"success\",type=\"readyz\"} 1\n";
    bool synced = true;
    struct yk_server_stats stats = {.checks = {{"synced", truth, &synced, false, NULL, false}},
                                    .check_count = 1};
    struct world world;
    struct yk_answer answer;
    world_init(&world, "");
    get(&world, &stats, "/metrics/slis", &answer);
    assert_int_equal(answer.body.len, 0); /* no probe has asked */
    yk_answer_done(&answer);
    static const char *const probes[] = {"/readyz", "/livez", "/readyz?exclude=synced", "/readyz"};
    for (size_t i = 0; i < YK_COUNT(probes); i++) {
        synced = i == 0;
        get(&world, &stats, probes[i], &answer);
        yk_answer_done(&answer);
    }
    get(&world, &stats, "/ws/v1/metrics/slis", &answer);
    assert_string_equal(yk_buf_cstr(&answer.body), want);
    assert_string_equal(answer.content_type, "text/plain; version=0.0.4; charset=utf-8");
    yk_answer_done(&answer);
    world_done(&world);
}

static const char *role(void *context)
{
    return *(bool *)context ? "standby" : "";
}

/* H6: a standby is ready, and says what it is. */
static void a_check_may_say_more(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        bool holds;
        const char *body;
    } cases[] = {
        {"/readyz", true, "ok, standby"},
        {"/readyz?verbose", true,
         "[+]ping ok\n[+]election ok: standby\n[+]config ok: standby\nreadyz check passed\n"},
        {"/livez", true, "ok"},
        {"/livez", false, "[+]ping ok\n[-]election failed: reason withheld\nlivez check failed\n"},
    };
    bool holds;
    struct yk_server_stats stats = {.checks = {{"election", truth, &holds, true, role, true},
                                               {"config", NULL, &holds, false, role, false}},
                                    .check_count = 2};
    struct world world;
    world_init(&world, "");
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_answer answer;
        struct yk_web_query query = {.target = cases[i].target};
        holds = cases[i].holds;
        yk_web_render(world.core, &stats, &query, &answer);
        if (strcmp(yk_buf_cstr(&answer.body), cases[i].body) != 0)
            fail_msg("%s: %s", cases[i].target, yk_buf_cstr(&answer.body));
        yk_answer_done(&answer);
    }
    world_done(&world);
}

static const char *because(void *context)
{
    return *(bool *)context ? "" : "nodes have not been read yet";
}

static void a_check_that_fails_says_why(void **state)
{
    (void)state;
    bool holds = false;
    struct yk_server_stats stats = {.checks = {{"recovered", truth, &holds, false, because, false}},
                                    .check_count = 1};
    struct world world;
    struct yk_answer answer;
    const struct yk_web_query query = {.target = "/readyz"},
                              excluded = {.target = "/readyz?exclude=recovered"};
    world_init(&world, "");
    yk_web_render(world.core, &stats, &query, &answer);
    assert_string_equal(yk_buf_cstr(&answer.body),
                        "[+]ping ok\n[-]recovered failed: nodes have not been read yet\n"
                        "readyz check failed\n");
    yk_answer_done(&answer);
    yk_web_render(world.core, &stats, &excluded, &answer);
    assert_string_equal(yk_buf_cstr(&answer.body), "ok");
    yk_answer_done(&answer);
    world_done(&world);
}

static void version(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "");
    json_t *json = browse_json(&world, "/version");
    assert_true(strlen(look_text(json, "version")) > 0);
    assert_true(strlen(look_text(json, "compiler")) > 0);
    json_decref(json);
    world_done(&world);
}

/* Each path that the page names is one that is served. */
static void root_names_useful_paths(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "");
    struct yk_answer answer = browse(&world, "/", 200);
    struct yk_str rest = yk_buf_view(&answer.body), line;
    size_t named = 0;
    assert_true(yk_str_starts(rest, "yunikorn "));
    while (yk_str_split(&rest, '\n', &line)) {
        YK_CLEANUP(yk_arena_done) struct yk_arena arena = {0};
        struct yk_match match;
        struct yk_str path;
        if (!yk_str_starts(line, "/") || !yk_str_split(&line, ' ', &path))
            continue;
        yk_route_find(YK_METHOD_GET, path, &arena, &match);
        if (match.routing != YK_ROUTE_FOUND)
            fail_msg(YK_STR_FMT " is not served", YK_STR_ARG(path));
        named++;
    }
    assert_int_equal(named, 11);
    yk_answer_done(&answer);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),
        cmocka_unit_test(results_are_counted),
        cmocka_unit_test(a_check_may_say_more),
        cmocka_unit_test(a_check_that_fails_says_why),
        cmocka_unit_test(version),
        cmocka_unit_test(root_names_useful_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
