/* SPDX-License-Identifier: Apache-2.0 */
/* K02: the way to the API server through a proxy, from the kubeconfig or the environment. */
#include "client/world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void accept_all(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    (void)mock;
    (void)path;
    (void)context;
    mock_answer(request, 201, NULL, NULL, "{}");
}

static void ways(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        unsigned flags;
        struct world_way way;
        const char *asked_for; /* of the proxy; "": it was not asked */
    } cases[] = {
        {"http", 0, {"kubernetes.example", "http_proxy", NULL, false, false}, "http://kubernetes.example"},
        {"http, capitals",
         0,
         {"kubernetes.example", "HTTP_PROXY", NULL, false, false},
         "http://kubernetes.example"},
        {"https",
         WORLD_TLS,
         {"kubernetes.example", "https_proxy", NULL, false, false},
         "kubernetes.example:443"},
        {"https, capitals",
         WORLD_TLS,
         {"kubernetes.example", "HTTPS_PROXY", NULL, false, false},
         "kubernetes.example:443"},
        {"proxy-url", WORLD_TLS, {"kubernetes.example", NULL, NULL, true, false}, "kubernetes.example:443"},
        {"proxy-url has nothing to do with NO_PROXY",
         WORLD_TLS,
         {"kubernetes.example", NULL, "kubernetes.example", true, false},
         "kubernetes.example:443"},
        {"a name of NO_PROXY", 0, {"0.0.0.0", "http_proxy", "example.com,0.0.0.0", false, true}, ""},
        {"a name of NO_PROXY, capitals", 0, {"0.0.0.0", "HTTP_PROXY", "0.0.0.0", false, true}, ""},
        {"another name", 0, {"0.0.0.0", "http_proxy", "example.com", false, true}, "http://0.0.0.0"},
        {"this machine is asked directly", 0, {NULL, "http_proxy", NULL, false, false}, ""},
        {"unless the kubeconfig says so", 0, {NULL, NULL, NULL, true, false}, "http://127.0.0.1"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        world_open_via(&world, cases[i].flags, &cases[i].way, accept_all, NULL);
        yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
        world_until(&world, &world.ops_done, 1, cases[i].what);
        if (world.result != YK_OP_OK)
            fail_msg("%s: %s", cases[i].what, world.reason);
        size_t len = strlen(cases[i].asked_for);
        if (strncmp(world.mock.asked_for, cases[i].asked_for, len) != 0 ||
            (world.mock.proxied > 0) != (len > 0))
            fail_msg("%s: the proxy was asked for '%s'", cases[i].what, world.mock.asked_for);
        world_close(&world);
    }
}

static void a_proxy_that_is_away(void **state)
{
    (void)state;
    struct world world;
    const struct world_way way = {.host = "kubernetes.example", .proxy_url = true};
    world_open_via(&world, WORLD_TLS, &way, accept_all, NULL);
    mock_close(&world.mock);
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &world.ops_done, 1, "the bind to fail");
    assert_int_equal(world.result, YK_OP_RETRY);
    if (strstr(world.reason, "127.0.0.1") == NULL)
        fail_msg("the reason does not name the proxy: %s", world.reason);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways),
        cmocka_unit_test(a_proxy_that_is_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
