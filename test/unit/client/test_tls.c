/* SPDX-License-Identifier: Apache-2.0 */
/* The mock speaks no HTTP/2: every test here is also one of the fall-back to HTTP/1.1. */
#include "client/world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void accept_all(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    (void)mock;
    (void)path;
    char *host = ((struct world *)context)->script;
    if (host != NULL)
        (void)snprintf(host, 64, "%s", mock_header(request, "Host"));
    mock_answer(request, 201, NULL, NULL, "{}");
}

static void known_certificate(void **state)
{
    (void)state;
    struct world world;
    world_open(&world, WORLD_TLS, accept_all, NULL);
    for (int i = 0; i < 20; i++)
        yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &world.ops_done, 20, "binds over TLS and HTTP/1.1");
    assert_int_equal(world.result, YK_OP_OK);
    world_close(&world);
}

static void unknown_certificate(void **state)
{
    (void)state;
    struct world world;
    world_open(&world, WORLD_TLS | WORLD_WRONG_CA, accept_all, NULL);
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &world.ops_done, 1, "the bind to fail");
    assert_int_equal(world.result, YK_OP_RETRY);
    assert_int_equal(world.http_status, 0);
    if (strstr(world.reason, "certificate") == NULL)
        fail_msg("the reason does not speak of the certificate: %s", world.reason);
    assert_int_equal(world.mock.requests, 0);
    world_close(&world);
}

static void server_name_of_the_kubeconfig(void **state)
{
    (void)state;
    struct world world;
    char host[64] = "", want[64];
    world_open(&world, WORLD_TLS | WORLD_SERVER_NAME, accept_all, host);
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &world.ops_done, 1, "the bind");
    assert_int_equal(world.result, YK_OP_OK);
    (void)snprintf(want, sizeof(want), "127.0.0.1:%u", world.mock.port);
    assert_string_equal(host, want); /* the name is for TLS only */
    world_close(&world);
}

/* Reads all of `file`. */
static char *slurp(const struct world *world, const char *file)
{
    char path[128];
    struct yk_buf text = {0};
    world_path(world, file, path);
    assert_int_equal(yk_file_read(path, &text, NULL), YK_OK);
    return yk_buf_take(&text);
}

static void replaced_ca_is_used_for_new_connections(void **state)
{
    (void)state;
    struct world world;
    world_open(&world, WORLD_TLS | WORLD_WRONG_CA, accept_all, NULL);
    YK_CLEANUP(yk_freep) char *right = slurp(&world, "server.pem");
    world_write(&world, "other.pem", "not PEM"); /* half written: the old one stays */
    world_advance(&world, 301 * YK_NS_PER_S);
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &world.ops_done, 1, "the bind to fail");
    assert_int_equal(world.result, YK_OP_RETRY);
    world_write(&world, "other.pem", right);
    world_advance(&world, 301 * YK_NS_PER_S);
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &world.ops_done, 2, "the bind");
    assert_int_equal(world.result, YK_OP_OK);
    world_close(&world);
}

/* Answers a watch with a stream that stays open; everything else at once. */
static void keep_watches_open(struct mock *mock, struct mock_request *request, const char *path,
                              void *context)
{
    if (strcmp(mock_method(request), "GET") != 0) {
        accept_all(mock, request, path, context);
        return;
    }
    mock_stream_open(mock, request, "application/json");
}

static void write_client_certificate(const struct world *world, const char *name,
                                     const char *certificate_file, const char *key_file)
{
    char certificate[128], key[128];
    world_path(world, certificate_file, certificate);
    world_path(world, key_file, key);
    mock_write_certificate(name, certificate, key);
}

static void bind_as(struct world *world, const char *name)
{
    size_t before = world->ops_done;
    world->mock.client_name[0] = '\0';
    yk_api_submit(world->server, world_op(world, YK_OP_BIND));
    world_until(world, &world->ops_done, before + 1, "the bind");
    assert_int_equal(world->result, YK_OP_OK);
    assert_string_equal(world->mock.client_name, name);
}

/* Time passes for a watch that is alive. */
static void five_minutes(struct world *world)
{
    for (int i = 0; i < 4; i++) {
        world_advance(world, 76 * YK_NS_PER_S);
        mock_stream_text(&world->mock,
                         "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Node\",\"apiVersion\":\"v1\","
                         "\"metadata\":{\"resourceVersion\":\"5\"}}}\n");
        world_settle(world);
    }
}

/* K02: read again every 5 minutes; a new pair ends what was opened with the old one. */
static void replaced_client_certificate(void **state)
{
    (void)state;
    struct world world;
    world_open(&world, WORLD_TLS | WORLD_CLIENT_CERTIFICATE, keep_watches_open, NULL);
    mock_want_certificate(&world.mock);
    bind_as(&world, "first");
    world_watch(&world, YK_KIND_NODE);
    world_until(&world, &world.mock.requests, 2, "the watch");
    assert_string_equal(world.mock.client_name, "first");

    write_client_certificate(&world, "second", "client.pem", "client.key");
    five_minutes(&world);
    assert_int_equal(world.mock.requests, 2); /* the same watch is still open */
    bind_as(&world, "second");
    world.mock.client_name[0] = '\0';
    for (int i = 0; i < 60 && world.mock.requests < 4; i++)
        world_advance(&world, YK_NS_PER_S);
    assert_int_equal(world.mock.requests, 4); /* the watch again */
    assert_string_equal(world.mock.client_name, "second");
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_certificate),
        cmocka_unit_test(unknown_certificate),
        cmocka_unit_test(server_name_of_the_kubeconfig),
        cmocka_unit_test(replaced_ca_is_used_for_new_connections),
        cmocka_unit_test(replaced_client_certificate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
