/* SPDX-License-Identifier: Apache-2.0 */
/* Credential plug-ins: run when needed, once at a time, bounded, never waited for (K03). */
#include "base/log.h"
#include "client/exec_credential.h"
#include "client/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>

#include <cmocka.h>

#define ANSWER(status)                                                                                       \
    "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{" status "}}"

/* What the server takes: a request with another token is refused. */
struct gate {
    const char *token;
    size_t let_in, refused;
};

static void let_in(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    struct gate *gate = ((struct world *)context)->script;
    char want[64];
    (void)mock;
    (void)path;
    (void)snprintf(want, sizeof(want), "Bearer %s", gate->token);
    if (gate->token == NULL || strcmp(mock_header(request, "Authorization"), want) == 0) {
        gate->let_in++;
        mock_answer(request, 201, NULL, NULL, "{}");
    } else {
        gate->refused++;
        mock_refuse(request, 401, "Unauthorized", NULL);
    }
}

static void write_plugin(struct world *world, const char *body)
{
    char path[128];
    struct yk_buf text = {0};
    yk_buf_printf(&text, "#!/bin/sh\necho run >> \"$0.runs\"\n%s\n", body);
    world_write(world, "plugin", yk_buf_cstr(&text));
    yk_buf_done(&text);
    world_path(world, "plugin", path);
    assert_int_equal(chmod(path, 0700), 0);
}

/* A plug-in that says what is in the file. */
static void answers(struct world *world, const char *answer)
{
    world_write(world, "plugin.answer", answer);
    write_plugin(world, "cat \"$0.answer\"");
}

static size_t runs(const struct world *world)
{
    struct yk_buf text = {.max = 4096};
    char path[128];
    world_path(world, "plugin.runs", path);
    size_t lines = yk_file_read(path, &text, NULL) == YK_OK ? text.len / strlen("run\n") : 0;
    yk_buf_done(&text);
    return lines;
}

static void bind(struct world *world)
{
    size_t done = world->ops_done;
    yk_api_submit(world->server, world_op(world, YK_OP_BIND));
    for (int i = 0; i < 1000 && world->ops_done == done; i++)
        world_advance(world, 0); /* timers that are due at once */
    assert_true(world->ops_done > done);
}

/* Asked once for all that is sent, and told what it may know. */
static void who_we_are(void **state)
{
    (void)state;
    struct world world;
    struct gate gate = {.token = "first"};
    world_open(&world, WORLD_PLUGIN, let_in, &gate);
    world_write(&world, "plugin.answer", ANSWER("\"token\":\"first\""));
    write_plugin(&world,
                 "printf '%s|' \"$@\" $WHO $HOME \"$KUBERNETES_EXEC_INFO\" > \"$0.seen\"; cat \"$0.answer\"; "
                 "ls /proc/self/fd | wc -l >> \"$0.seen\"");
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    bind(&world);
    world_until(&world, &world.ops_done, 2, "both binds");
    assert_int_equal(world.ops_failed, 0);
    assert_int_equal(gate.let_in, 2);
    assert_int_equal(runs(&world), 1);
    YK_CLEANUP(yk_buf_done) struct yk_buf seen = {.max = 4096};
    char path[128], want[512];
    world_path(&world, "plugin.seen", path);
    assert_int_equal(yk_file_read(path, &seen, NULL), YK_OK);
    (void)snprintf(want, sizeof(want),
                   "one|two words||we|/nowhere|{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":"
                   "\"ExecCredential\",\"spec\":{\"cluster\":{\"server\":\"http://127.0.0.1:%u\"},"
                   "\"interactive\":false}}|",
                   world.mock.port);
    if (!yk_str_starts(yk_buf_view(&seen), want) || !yk_str_ends(yk_buf_view(&seen), "}}|4\n"))
        /* open is what "ls" needs, nothing of ours */
        fail_msg("it saw '%s', not '%s'", yk_buf_cstr(&seen), want);
    world_close(&world);
}

/* Kept until it expires. */
static void an_expired_one(void **state)
{
    (void)state;
    struct world world;
    struct gate gate = {.token = "first"};
    world_open(&world, WORLD_PLUGIN, let_in, &gate);
    answers(&world, ANSWER("\"token\":\"first\",\"expirationTimestamp\":\"1970-01-01T01:00:00Z\""));
    bind(&world);
    world_advance(&world, 1000 * YK_NS_PER_S);
    bind(&world);
    assert_int_equal(runs(&world), 1);
    gate.token = "second";
    answers(&world, ANSWER("\"token\":\"second\""));
    world_advance(&world, 3600 * YK_NS_PER_S);
    bind(&world);
    assert_int_equal(world.ops_failed, 0);
    assert_int_equal(gate.refused, 0);
    assert_int_equal(runs(&world), 2);
    world_close(&world);
}

/* Asked once more when the server does not take it; and not over and over again. */
static void a_refused_one(void **state)
{
    (void)state;
    struct world world;
    struct gate gate = {.token = "second"};
    world_open(&world, WORLD_PLUGIN, let_in, &gate);
    answers(&world, ANSWER("\"token\":\"second\""));
    bind(&world);
    gate.token = "third";
    answers(&world, ANSWER("\"token\":\"third\""));
    world_advance(&world, 10 * YK_NS_PER_S);
    bind(&world);
    assert_int_equal(world.result, YK_OP_OK);
    assert_int_equal(gate.refused, 1);
    assert_int_equal(runs(&world), 2);
    gate.token = "fourth"; /* the plug-in does not know it */
    world_advance(&world, 10 * YK_NS_PER_S);
    bind(&world);
    assert_int_equal(world.result, YK_OP_UNAUTHORIZED);
    bind(&world);
    assert_int_equal(world.result, YK_OP_UNAUTHORIZED);
    assert_int_equal(runs(&world), 3);
    world_close(&world);
}

/* What fails is said, with its first complaint, and not tried again at once. */
static void a_plugin_that_fails(void **state)
{
    (void)state;
    static const struct {
        const char *what, *body, *says;
    } cases[] = {
        {"it says why", "echo 'no login' >&2; echo more >&2; exit 3", "exit code 3: no login"},
        {"it says nothing", "exit 1", "exit code 1"},
        {"it is killed", "kill -9 $$", "ended by signal 9"},
        {"not JSON", "echo hello", "not a JSON object"},
        {"nothing", "exit 0", "not a JSON object"},
        {"too much", "head -c 3000000 /dev/zero", "wrote more than 1048576 bytes"},
        {"a token that is none", "printf '%s' '" ANSWER("\"token\":\"a b\"") "'",
         "a byte that no token may have"},
        {"expired",
         "printf '%s' '" ANSWER("\"token\":\"t\",\"expirationTimestamp\":\"1970-01-01T00:00:01Z\"") "'",
         "expired already"},
        {"not to be run", NULL, "cannot be run: No such file or directory. get it"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct gate gate = {.token = "good"};
        world_open(&world, WORLD_PLUGIN, let_in, &gate);
        if (cases[i].body != NULL)
            write_plugin(&world, cases[i].body);
        bind(&world);
        if (world.result == YK_OP_OK || strstr(world.reason, cases[i].says) == NULL)
            fail_msg("%s: result %d, '%s'", cases[i].what, world.result, world.reason);
        size_t before = runs(&world);
        bind(&world);
        assert_int_equal(runs(&world), before);
        answers(&world, ANSWER("\"token\":\"good\""));
        world_advance(&world, 6 * YK_NS_PER_S);
        bind(&world);
        if (world.result != YK_OP_OK)
            fail_msg("%s: later it still fails: %s", cases[i].what, world.reason);
        world_close(&world);
    }
}

/* The loop goes on, requests end at their own time, and the plug-in at its. */
static void a_plugin_that_hangs(void **state)
{
    (void)state;
    struct world world;
    struct gate gate = {.token = "good"};
    world_open(&world, WORLD_PLUGIN, let_in, &gate);
    write_plugin(&world, "sleep 1000 & sleep 1000");
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_settle(&world);
    assert_int_equal(world.ops_done, 0);
    world_advance(&world, 31 * YK_NS_PER_S);
    world_until(&world, &world.ops_done, 1, "the bind's own time-out");
    assert_int_equal(world.result, YK_OP_RETRY);
    answers(&world, ANSWER("\"token\":\"good\""));
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND)); /* one at a time: it waits for the first */
    world_settle(&world);
    world_advance(&world, 29 * YK_NS_PER_S);
    world_settle(&world);
    for (int i = 0; i < 1000 && world.ops_done < 2; i++)
        world_advance(&world, YK_NS_PER_S / 10);
    assert_int_equal(world.ops_done, 2);
    assert_non_null(strstr(world.reason, "no answer within"));
    world_advance(&world, 6 * YK_NS_PER_S);
    bind(&world);
    assert_int_equal(world.result, YK_OP_OK);
    /* Still running at the end: it goes with the client. */
    world_close(&world);
}

static char *read_text(const struct world *world, const char *file)
{
    struct yk_buf text = {.max = 1 << 16};
    char path[128];
    world_path(world, file, path);
    assert_int_equal(yk_file_read(path, &text, NULL), YK_OK);
    return yk_buf_take(&text);
}

/* The answer with a new certificate of that name. */
static void answer_certificate(struct world *world, const char *name, const char *expires)
{
    char certificate[128], key[128];
    world_path(world, "client.pem", certificate);
    world_path(world, "client.key", key);
    mock_write_certificate(name, certificate, key);
    char *certificate_pem = read_text(world, "client.pem"), *key_pem = read_text(world, "client.key");
    struct yk_buf json = {0};
    yk_buf_text(&json, "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\","
                       "\"status\":{\"clientCertificateData\":\"");
    for (const char *at = certificate_pem; *at != '\0'; at++)
        *at == '\n' ? yk_buf_text(&json, "\\n") : yk_buf_char(&json, *at);
    yk_buf_text(&json, "\",\"clientKeyData\":\"");
    for (const char *at = key_pem; *at != '\0'; at++)
        *at == '\n' ? yk_buf_text(&json, "\\n") : yk_buf_char(&json, *at);
    yk_buf_printf(&json, "\",\"expirationTimestamp\":\"%s\"}}", expires);
    answers(world, yk_buf_cstr(&json));
    yk_buf_done(&json);
    free(certificate_pem);
    free(key_pem);
}

static void a_certificate(void **state)
{
    (void)state;
    struct world world;
    struct gate gate = {.token = NULL};
    world_open(&world, WORLD_TLS | WORLD_PLUGIN, let_in, &gate);
    mock_want_certificate(&world.mock);
    answer_certificate(&world, "first", "1970-01-01T01:00:00Z");
    bind(&world);
    assert_int_equal(world.result, YK_OP_OK);
    assert_string_equal(world.mock.client_name, "first");
    answer_certificate(&world, "second", "1970-01-01T09:00:00Z");
    world_advance(&world, 3600 * YK_NS_PER_S);
    bind(&world);
    assert_int_equal(world.result, YK_OP_OK);
    assert_string_equal(world.mock.client_name, "second");
    world_close(&world);
}

static void answers_of_plugins(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *says; /* NULL: it is good */
    } cases[] = {
        {"a token", ANSWER("\"token\":\"t\""), NULL},
        {"more than we know", ANSWER("\"token\":\"t\",\"more\":[1]"), NULL},
        {"nulls are absent", ANSWER("\"token\":\"t\",\"clientKeyData\":null,\"expirationTimestamp\":null"),
         NULL},
        {"another version",
         "{\"apiVersion\":\"client.authentication.k8s.io/v1beta1\",\"kind\":\"ExecCredential\",\"status\":{"
         "\"token\":\"t\"}}",
         "not of the version client.authentication.k8s.io/v1"},
        {"another kind", "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"Status\"}",
         "not an ExecCredential"},
        {"no status", "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\"}",
         "neither a token nor a client certificate"},
        {"nothing in it", ANSWER(""), "neither a token nor a client certificate"},
        {"an empty token", ANSWER("\"token\":\"\""), "neither a token nor a client certificate"},
        {"half a pair", ANSWER("\"clientCertificateData\":\"x\""), "without a client key"},
        {"a token that is a number", ANSWER("\"token\":1"), "status.token is not a text"},
        {"a time that is none", ANSWER("\"token\":\"t\",\"expirationTimestamp\":\"soon\""), "is not a time"},
        {"a list", "[]", "not a JSON object"},
        {"two answers", ANSWER("\"token\":\"t\"") ANSWER("\"token\":\"u\""), "not a JSON object"},
        {"a NUL in the token", ANSWER("\"token\":\"t\\u0000\""), "not a JSON object"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_credential credential = {0};
        struct yk_err err = {0};
        enum yk_status st = yk_exec_answer_read(yk_str_from(cases[i].text), "client.authentication.k8s.io/v1",
                                                &credential, &err);
        if ((st == YK_OK) != (cases[i].says == NULL) ||
            (cases[i].says != NULL && strstr(err.text, cases[i].says) == NULL))
            fail_msg("%s: status %d, '%s'", cases[i].what, st, err.text);
        yk_credential_done(&credential);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_we_are),          cmocka_unit_test(an_expired_one),
        cmocka_unit_test(a_refused_one),       cmocka_unit_test(a_plugin_that_fails),
        cmocka_unit_test(a_plugin_that_hangs), cmocka_unit_test(a_certificate),
        cmocka_unit_test(answers_of_plugins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
