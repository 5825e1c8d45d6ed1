/* SPDX-License-Identifier: Apache-2.0 */
/* The description of the API has every route, with its method. */
#include "web/browser.h"
#include "web/openapi.h"
#include "web/router.h"

static const char config[] = "partitions: [{name: default, queues: [{name: root}]}]";

static const char *method_key(enum yk_method method)
{
    switch (method) {
    case YK_METHOD_GET:
        return "\n    get:";
    case YK_METHOD_POST:
        return "\n    post:";
    case YK_METHOD_PUT:
        return "\n    put:";
    case YK_METHOD_DELETE:
        return "\n    delete:";
    case YK_METHOD_HEAD:
    case YK_METHOD_OPTIONS:
    case YK_METHOD_OTHER:
        break;
    }
    fail_msg("a route of another method");
    return "";
}

/* "/node/:node" -> "\n  /node/{node}:\n"; without a query. */
static void put_key(const char *pattern, struct yk_buf *key)
{
    struct yk_str rest = {pattern + 1, strcspn(pattern + 1, "?")}, segment;
    yk_buf_text(key, "\n  ");
    while (yk_str_split(&rest, '/', &segment)) {
        bool is_param = segment.len > 0 && segment.p[0] == ':';
        yk_buf_text(key, is_param ? "/{" : "/");
        yk_buf_str(key, is_param ? (struct yk_str){segment.p + 1, segment.len - 1} : segment);
        yk_buf_text(key, is_param ? "}" : "");
    }
    yk_buf_text(key, ":\n");
}

static void every_route_is_described(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_str(&text, yk_openapi());
    for (size_t i = 0; i < yk_route_count; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
        put_key(yk_routes[i].pattern, &key);
        const char *at = strstr(yk_buf_cstr(&text), yk_buf_cstr(&key));
        if (at == NULL)
            fail_msg("docs/reference/openapi.yaml lacks %s", yk_routes[i].pattern);
        const char *end = strstr(at + key.len, "\n  /");
        const char *method = strstr(at, method_key(yk_routes[i].method));
        if (method == NULL || (end != NULL && method > end))
            fail_msg("docs/reference/openapi.yaml lacks the method of %s", yk_routes[i].pattern);
    }
}

/* And nothing that is not served. */
static void every_description_has_a_route(void **state)
{
    (void)state;
    struct yk_str rest = yk_openapi(), line;
    size_t seen = 0;
    while (yk_str_split(&rest, '\n', &line)) {
        bool found = false;
        if (!yk_str_starts(line, "  /"))
            continue;
        seen++;
        for (size_t i = 0; i < yk_route_count && !found; i++) {
            YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
            put_key(yk_routes[i].pattern, &key);
            found = key.len == line.len + 2 && memcmp(key.p + 1, line.p, line.len) == 0;
        }
        if (!found)
            fail_msg("no route for%.*s", (int)line.len, line.p);
    }
    assert_true(seen > 40);
}

static void it_is_served(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    struct yk_answer answer = browse(&world, "/openapi.yaml", 200);
    assert_true(yk_str_eq(yk_buf_view(&answer.body), yk_openapi()));
    yk_answer_done(&answer);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_route_is_described),
        cmocka_unit_test(every_description_has_a_route),
        cmocka_unit_test(it_is_served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
