/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"
#include "base/version.h"
#include "client/world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct answer {
    int status; /* 0: never */
    const char *reason, *retry_after;
};

struct script {
    struct answer answers[16];
    size_t at;
    size_t open, most_open;
    struct yk_vec waiting; /* requests that get their answer when the test says so */
    bool hold;
    char method[8], path[128], content_type[64], agent[128], token[64];
    char *body;
};

static void give(struct mock_request *request, const struct answer *answer)
{
    struct yk_buf body = {0};
    yk_buf_printf(&body,
                  "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"%s\",\"message\":"
                  "\"because\","
                  "\"reason\":\"%s\",\"code\":%d}",
                  answer->status < 300 ? "Success" : "Failure", answer->reason, answer->status);
    mock_answer(request, answer->status, answer->retry_after != NULL ? "Retry-After" : NULL,
                answer->retry_after, yk_buf_cstr(&body));
    yk_buf_done(&body);
}

static void play(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    (void)mock;
    struct script *script = ((struct world *)context)->script;
    const struct answer *answer = &script->answers[YK_MIN(script->at, YK_COUNT(script->answers) - 1)];
    script->at++;
    (void)snprintf(script->method, sizeof(script->method), "%s", mock_method(request));
    (void)snprintf(script->path, sizeof(script->path), "%s", path);
    (void)snprintf(script->content_type, sizeof(script->content_type), "%s",
                   mock_header(request, "Content-Type"));
    (void)snprintf(script->agent, sizeof(script->agent), "%s", mock_header(request, "User-Agent"));
    (void)snprintf(script->token, sizeof(script->token), "%s", mock_header(request, "Authorization"));
    free(script->body);
    script->body = yk_strdup(mock_body(request));
    if (script->hold)
        yk_vec_append(&script->waiting, request);
    else if (answer->status != 0)
        give(request, answer);
}

static void close_script(struct script *script)
{
    free(script->body);
    yk_vec_done(&script->waiting);
}

static void answers_become_results(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct answer answers[3];
        int64_t advance_s;
        enum yk_op_result want;
        int want_status;
        size_t want_requests;
    } cases[] = {
        {"created", {{201, "", NULL}}, 0, YK_OP_OK, 201, 1},
        {"the pod is gone", {{404, "NotFound", NULL}}, 0, YK_OP_NOT_FOUND, 404, 1},
        {"bound already, or another uid", {{409, "Conflict", NULL}}, 0, YK_OP_CONFLICT, 409, 1},
        {"no right to do it", {{403, "Forbidden", NULL}}, 0, YK_OP_INVALID, 403, 1},
        {"never valid", {{422, "Invalid", NULL}}, 0, YK_OP_INVALID, 422, 1},
        {"expired", {{410, "Expired", NULL}}, 0, YK_OP_GONE, 410, 1},
        {"a fixed token is refused once", {{401, "Unauthorized", NULL}}, 0, YK_OP_UNAUTHORIZED, 401, 1},
        {"a server error without Retry-After is the caller's",
         {{500, "InternalError", NULL}},
         0,
         YK_OP_RETRY,
         500,
         1},
        {"a server error with Retry-After is tried again",
         {{503, "ServiceUnavailable", "2"}, {201, "", NULL}},
         3,
         YK_OP_OK,
         201,
         2},
        {"too many requests are tried again when allowed",
         {{429, "TooManyRequests", "3"}, {201, "", NULL}},
         4,
         YK_OP_OK,
         201,
         2},
        {"too many requests without Retry-After are the caller's",
         {{429, "TooManyRequests", NULL}},
         0,
         YK_OP_RETRY,
         429,
         1},
        {"no answer for half a minute", {{0, NULL, NULL}}, 31, YK_OP_RETRY, 0, 1},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct script script = {.at = 0};
        memcpy(script.answers, cases[i].answers, sizeof(cases[i].answers));
        world_open(&world, 0, play, &script);
        yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
        assert_int_equal(yk_api_in_flight(world.server), 1);
        world_until(&world, &script.at, 1, cases[i].what);
        world_settle(&world);
        if (cases[i].advance_s > 0)
            world_advance(&world, cases[i].advance_s * YK_NS_PER_S);
        world_until(&world, &world.ops_done, 1, cases[i].what);
        if (world.result != cases[i].want || world.http_status != cases[i].want_status ||
            script.at != cases[i].want_requests)
            fail_msg("%s: result %d, status %d, %zu requests: %s", cases[i].what, world.result,
                     world.http_status, script.at, world.reason);
        if (world.result != YK_OP_OK && world.reason[0] == '\0')
            fail_msg("%s: no reason given", cases[i].what);
        assert_int_equal(yk_api_in_flight(world.server), 0);
        world_close(&world);
        close_script(&script);
    }
}

static void server_that_is_away_is_an_answer(void **state)
{
    (void)state;
    struct world world;
    struct script script = {.at = 0};
    world_open(&world, 0, play, &script);
    mock_close(&world.mock);
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &world.ops_done, 1, "the bind to fail");
    assert_int_equal(world.result, YK_OP_RETRY);
    assert_int_equal(world.http_status, 0);
    assert_non_null(strstr(world.reason, "connect"));
    world_close(&world);
    close_script(&script);
}

static void give_up_after_ten_retries(void **state)
{
    (void)state;
    struct world world;
    struct script script = {.at = 0};
    for (size_t i = 0; i < YK_COUNT(script.answers); i++)
        script.answers[i] = (struct answer){429, "TooManyRequests", "1"};
    world_open(&world, 0, play, &script);
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    for (size_t i = 1; i <= 11; i++) {
        world_until(&world, &script.at, i, "the next try");
        world_settle(&world);
        world_advance(&world, 2 * YK_NS_PER_S);
    }
    world_until(&world, &world.ops_done, 1, "the end of it");
    assert_int_equal(world.result, YK_OP_RETRY);
    assert_int_equal(script.at, 11);
    world_close(&world);
    close_script(&script);
}

#define WEBHOOKS "/apis/admissionregistration.k8s.io/v1/"

static void requests_look_as_documented(void **state)
{
    (void)state;
    static const struct {
        enum yk_op_kind kind;
        const char *method, *path, *content_type, *body_part;
    } cases[] = {
        {YK_OP_BIND, "POST", "/api/v1/namespaces/ns/pods/pod/binding", "application/json",
         "\"uid\":\"uid-1\""},
        {YK_OP_DELETE_POD, "DELETE", "/api/v1/namespaces/ns/pods/pod", "application/json",
         "\"uid\":\"uid-1\""},
        {YK_OP_PATCH_POD_STATUS, "PATCH", "/api/v1/namespaces/ns/pods/pod/status",
         "application/strategic-merge-patch+json", "{\"x\":1}"},
        {YK_OP_CREATE_POD, "POST", "/api/v1/namespaces/ns/pods", "application/json", "{\"x\":1}"},
        {YK_OP_CREATE_EVENT, "POST", "/apis/events.k8s.io/v1/namespaces/ns/events", "application/json",
         "{\"x\":1}"},
        {YK_OP_PATCH_EVENT, "PATCH", "/apis/events.k8s.io/v1/namespaces/ns/events/pod",
         "application/strategic-merge-patch+json", "{\"x\":1}"},
        {YK_OP_PATCH_CONFIG_MAP, "PATCH", "/api/v1/namespaces/ns/configmaps/pod",
         "application/merge-patch+json", "{\"x\":1}"},
        {YK_OP_PATCH_VOLUME, "PATCH", "/api/v1/persistentvolumes/pod", "application/merge-patch+json",
         "{\"x\":1}"},
        {YK_OP_PATCH_CLAIM, "PATCH", "/api/v1/namespaces/ns/persistentvolumeclaims/pod",
         "application/merge-patch+json", "{\"x\":1}"},
        {YK_OP_CREATE_LEASE, "POST", "/apis/coordination.k8s.io/v1/namespaces/ns/leases", "application/json",
         "{\"x\":1}"},
        {YK_OP_UPDATE_LEASE, "PUT", "/apis/coordination.k8s.io/v1/namespaces/ns/leases/pod",
         "application/json", "{\"x\":1}"},
        {YK_OP_REVIEW_TOKEN, "POST", "/apis/authentication.k8s.io/v1/tokenreviews", "application/json",
         "{\"x\":1}"},
        {YK_OP_REVIEW_ACCESS, "POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews",
         "application/json", "{\"x\":1}"},
        {YK_OP_GET_SECRET, "GET", "/api/v1/namespaces/ns/secrets/pod", "", ""},
        {YK_OP_UPDATE_SECRET, "PUT", "/api/v1/namespaces/ns/secrets/pod", "application/json", "{\"x\":1}"},
        {YK_OP_GET_MUTATING_WEBHOOKS, "GET", WEBHOOKS "mutatingwebhookconfigurations/pod", "", ""},
        {YK_OP_CREATE_MUTATING_WEBHOOKS, "POST", WEBHOOKS "mutatingwebhookconfigurations", "application/json",
         "{\"x\":1}"},
        {YK_OP_UPDATE_MUTATING_WEBHOOKS, "PUT", WEBHOOKS "mutatingwebhookconfigurations/pod",
         "application/json", "{\"x\":1}"},
        {YK_OP_GET_VALIDATING_WEBHOOKS, "GET", WEBHOOKS "validatingwebhookconfigurations/pod", "", ""},
        {YK_OP_CREATE_VALIDATING_WEBHOOKS, "POST", WEBHOOKS "validatingwebhookconfigurations",
         "application/json", "{\"x\":1}"},
        {YK_OP_UPDATE_VALIDATING_WEBHOOKS, "PUT", WEBHOOKS "validatingwebhookconfigurations/pod",
         "application/json", "{\"x\":1}"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct script script = {.answers = {{200, "", NULL}}};
        char agent[128];
        world_open(&world, 0, play, &script);
        struct yk_op *op = world_op(&world, cases[i].kind);
        if (cases[i].body_part[0] != '\0')
            yk_buf_text(&op->body, "{\"x\":1}");
        yk_api_submit(world.server, op);
        world_until(&world, &world.ops_done, 1, "the answer");
        assert_string_equal(script.method, cases[i].method);
        assert_string_equal(script.path, cases[i].path);
        assert_string_equal(script.content_type, cases[i].content_type);
        assert_string_equal(script.token, "Bearer secret");
        if (strstr(script.body, cases[i].body_part) == NULL)
            fail_msg("%s %s: the body is %s", script.method, script.path, script.body);
        (void)snprintf(agent, sizeof(agent), "yunikorn/%s (linux/", yk_version);
        assert_memory_equal(script.agent, agent, strlen(agent));
        world_close(&world);
        close_script(&script);
    }
}

static void names_cannot_climb_out_of_their_path(void **state)
{
    (void)state;
    struct world world;
    struct script script = {.answers = {{200, "", NULL}}};
    world_open(&world, 0, play, &script);
    yk_api_submit(world.server, world_op_named(&world, YK_OP_DELETE_POD, "../../nodes/n?x=y"));
    world_until(&world, &world.ops_done, 1, "the answer");
    assert_string_equal(script.path, "/api/v1/namespaces/ns/pods/..%2F..%2Fnodes%2Fn%3Fx%3Dy");
    world_close(&world);
    close_script(&script);
}

static void config_map(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    (void)mock;
    (void)context;
    assert_string_equal(path, "/api/v1/namespaces/ns/configmaps/pod");
    mock_answer(
        request, 200, NULL, NULL,
        "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"pod\",\"namespace\":\"ns\"},"
        "\"data\":{\"queues.yaml\":\"partitions\"}}");
}

static void config_map_comes_as_object(void **state)
{
    (void)state;
    struct world world;
    world_open(&world, 0, config_map, NULL);
    yk_api_submit(world.server, world_op(&world, YK_OP_GET_CONFIG_MAP));
    world_until(&world, &world.ops_done, 1, "the config map");
    assert_int_equal(world.result, YK_OP_OK);
    assert_non_null(world.object);
    const struct yk_config_map *map = yk_config_map_of(world.object);
    assert_true(yk_str_is(yk_pairs_get(&map->data, "queues.yaml"), "partitions"));
    world_close(&world);
}

/* Leases, Secrets and webhook configurations: whole, in JSON, also after a write. */
static void whole_objects_come_as_text(void **state)
{
    (void)state;
    static const enum yk_op_kind kinds[] = {YK_OP_GET_LEASE, YK_OP_GET_SECRET, YK_OP_UPDATE_SECRET,
                                            YK_OP_CREATE_VALIDATING_WEBHOOKS};
    struct world world;
    struct script script = {.at = 0};
    for (size_t i = 0; i < YK_COUNT(script.answers); i++)
        script.answers[i] = (struct answer){200, "", NULL};
    world_open(&world, 0, play, &script);
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        yk_api_submit(world.server, world_op(&world, kinds[i]));
        world_until(&world, &world.ops_done, i + 1, "the answer");
        assert_int_equal(world.result, YK_OP_OK);
        assert_memory_equal(world.answer, "{\"kind\":", 8);
    }
    world_close(&world);
    close_script(&script);
}

/* Answers what waits, with `answer`. */
static void release(struct script *script, const struct answer *answer)
{
    struct yk_vec waiting = script->waiting;
    struct mock_request *request;
    script->waiting = (struct yk_vec){0};
    yk_vec_foreach (request, &waiting)
        give(request, answer);
    yk_vec_done(&waiting);
}

static void binds_overtake_events(void **state)
{
    (void)state;
    struct world world;
    struct script script = {.hold = true};
    static const struct answer ok = {200, "", NULL};
    world_open(&world, 0, play, &script);
    for (int i = 0; i < 6; i++)
        yk_api_submit(world.server, world_op(&world, YK_OP_CREATE_EVENT));
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &script.at, 5, "four events and the bind");
    world_settle(&world);
    assert_int_equal(script.at, 5);
    assert_string_equal(script.path, "/api/v1/namespaces/ns/pods/pod/binding");
    script.hold = false;
    for (size_t i = 0; i < YK_COUNT(script.answers); i++)
        script.answers[i] = ok;
    release(&script, &ok);
    world_until(&world, &world.ops_done, 7, "all");
    world_close(&world);
    close_script(&script);
}

/* A user of REST waits for a review, which needs no token. */
static void reads_do_not_wait_for_tokens(void **state)
{
    (void)state;
    static const enum yk_op_kind reads[] = {YK_OP_REVIEW_TOKEN, YK_OP_REVIEW_ACCESS, YK_OP_GET_CONFIG_MAP,
                                            YK_OP_GET_SECRET};
    struct world world;
    struct yk_err err = {0};
    struct script script = {.hold = true};
    world_open(&world, 0, play, &script);
    assert_int_equal(yk_client_set_limits(world.server, 1, 1, &err), YK_OK);
    for (int i = 0; i < 9; i++)
        yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &script.at, 1, "the first bind");
    for (size_t i = 0; i < YK_COUNT(reads); i++)
        yk_api_submit(world.server, world_op(&world, reads[i]));
    world_until(&world, &script.at, 1 + YK_COUNT(reads), "the reads");
    world_settle(&world);
    assert_int_equal(script.at, 1 + YK_COUNT(reads));
    world_close(&world);
    close_script(&script);
}

static void window_follows_the_server(void **state)
{
    (void)state;
    struct world world;
    struct script script = {.hold = true};
    static const struct answer ok = {201, "", NULL}, throttled = {429, "TooManyRequests", "1"};
    world_open(&world, 0, play, &script);
    for (int i = 0; i < 200; i++)
        yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    /* HTTP/1.1 here: as many at once as there are connections, until that is known only the first four. */
    world_until(&world, &script.waiting.count, 4, "the first binds");
    world_settle(&world);
    release(&script, &ok);
    world_until(&world, &script.waiting.count, 32, "a full set of connections");
    release(&script, &throttled);
    world_settle(&world);
    while (world.ops_done < 200) {
        release(&script, &ok);
        world_settle(&world);
        world_advance(&world, YK_NS_PER_S);
    }
    assert_int_equal(world.ops_done, 200);
    assert_int_equal(world.result, YK_OP_OK);
    world_close(&world);
    close_script(&script);
}

static void best_effort_is_dropped_first(void **state)
{
    (void)state;
    struct world world;
    struct script script = {.hold = true};
    world_open(&world, 0, play, &script);
    for (int i = 0; i < 1005; i++) {
        struct yk_op *op = world_op(&world, YK_OP_CREATE_EVENT);
        op->droppable = true;
        yk_api_submit(world.server, op);
    }
    world_until(&world, &script.at, 4, "four events");
    world_settle(&world);
    assert_int_equal(world.ops_done, 1); /* 4 in flight, 1,000 waiting */
    assert_int_equal(world.result, YK_OP_CANCELLED);
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_settle(&world);
    assert_int_equal(world.ops_done, 1);
    assert_int_equal(yk_api_in_flight(world.server), 1005);
    world_close(&world);
    close_script(&script);
}

static void stop_gives_everything_back(void **state)
{
    (void)state;
    struct world world;
    struct script script = {.hold = true};
    static const struct answer ok = {201, "", NULL};
    world_open(&world, 0, play, &script);
    for (int i = 0; i < 100; i++)
        yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &script.waiting.count, 4, "binds in flight");
    yk_api_stop(world.server);
    world_until(&world, &world.ops_done, 36, "the waiting ones"); /* 64 were in flight */
    assert_int_equal(world.result, YK_OP_CANCELLED);
    release(&script, &ok);
    world_until(&world, &world.ops_done, 40, "those answered");
    world_advance(&world, 6 * YK_NS_PER_S);
    world_until(&world, &world.ops_done, 100, "those never answered");
    assert_int_equal(world.result, YK_OP_CANCELLED);
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &world.ops_done, 101, "the late one");
    assert_int_equal(world.result, YK_OP_CANCELLED);
    assert_int_equal(yk_api_in_flight(world.server), 0);
    world_close(&world);
    close_script(&script);
}

static void refuse_first_token(struct mock *mock, struct mock_request *request, const char *path,
                               void *context)
{
    (void)mock;
    (void)path;
    size_t *requests = ((struct world *)context)->script;
    (*requests)++;
    if (strcmp(mock_header(request, "Authorization"), "Bearer second") == 0)
        mock_answer(request, 201, NULL, NULL, "{}");
    else
        mock_refuse(request, 401, "Unauthorized", NULL);
}

static void refused_token_is_read_again(void **state)
{
    (void)state;
    struct world world;
    size_t requests = 0;
    world_open(&world, WORLD_TOKEN_FILE, refuse_first_token, &requests);
    world_write(&world, "token", "second\n");
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &world.ops_done, 1, "the bind");
    assert_int_equal(world.result, YK_OP_OK);
    assert_int_equal(requests, 2);
    world_write(&world, "token", "third");
    world_advance(&world, 51 * YK_NS_PER_S); /* read again by age, refused, read again, refused: once each */
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &world.ops_done, 2, "the bind");
    assert_int_equal(world.result, YK_OP_UNAUTHORIZED);
    assert_int_equal(requests, 4);
    world_close(&world);
}

static void limits_can_be_changed(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    struct script script = {.at = 0};
    for (size_t i = 0; i < YK_COUNT(script.answers); i++)
        script.answers[i] = (struct answer){201, "", NULL};
    world_open(&world, 0, play, &script);
    assert_int_equal(yk_client_set_limits(world.server, 10, 0, &err), YK_ERR_INVALID);
    assert_int_equal(yk_client_set_limits(world.server, 2, 3, &err), YK_OK);
    for (int i = 0; i < 5; i++)
        yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &world.ops_done, 3, "the burst");
    world_settle(&world);
    assert_int_equal(world.ops_done, 3);
    world_advance(&world, YK_NS_PER_S / 2 + YK_NS_PER_MS);
    world_until(&world, &world.ops_done, 4, "the next token");
    world_advance(&world, YK_NS_PER_S);
    world_until(&world, &world.ops_done, 5, "the last one");
    world_close(&world);
    close_script(&script);
}

/* docs/reference/kubernetes.md, H5: what waits for its turn when the lead is lost is not sent. */
static void a_closed_fence_lets_no_write_pass(void **state)
{
    (void)state;
    static const enum yk_op_kind writes[] = {
        YK_OP_BIND,         YK_OP_PATCH_POD_STATUS, YK_OP_DELETE_POD,       YK_OP_CREATE_POD,
        YK_OP_CREATE_EVENT, YK_OP_PATCH_EVENT,      YK_OP_PATCH_CONFIG_MAP, YK_OP_PATCH_VOLUME,
        YK_OP_PATCH_CLAIM,  YK_OP_UPDATE_SECRET};
    static const enum yk_op_kind others[] = {YK_OP_GET_LEASE,    YK_OP_CREATE_LEASE,  YK_OP_UPDATE_LEASE,
                                             YK_OP_REVIEW_TOKEN, YK_OP_REVIEW_ACCESS, YK_OP_GET_CONFIG_MAP,
                                             YK_OP_GET_SECRET};
    struct world world;
    struct yk_err err = {0};
    struct script script = {.at = 0};
    for (size_t i = 0; i < YK_COUNT(script.answers); i++)
        script.answers[i] = (struct answer){201, "", NULL};
    world_open(&world, 0, play, &script);
    assert_int_equal(yk_client_set_limits(world.server, 1, 1, &err), YK_OK);
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    yk_api_submit(world.server, world_op(&world, YK_OP_BIND)); /* has to wait a second for its token */
    world_until(&world, &world.ops_done, 1, "the first bind");
    yk_fence_set(&world.fence, yk_clock_mono_ns(&world.clock) + YK_NS_PER_S / 2);
    world_advance(&world, YK_NS_PER_S + YK_NS_PER_MS);
    world_until(&world, &world.ops_done, 2, "the second bind");
    assert_int_equal(world.result, YK_OP_CANCELLED);
    assert_non_null(strstr(world.reason, "does not lead"));
    assert_int_equal(script.at, 1);
    for (size_t i = 0; i < YK_COUNT(writes); i++) {
        struct yk_op *op = world_op(&world, writes[i]);
        op->droppable = writes[i] == YK_OP_CREATE_EVENT;
        yk_api_submit(world.server, op);
        world_until(&world, &world.ops_done, 3 + i, "a write");
        assert_int_equal(world.result, YK_OP_CANCELLED);
        assert_int_equal(script.at, 1);
    }
    for (size_t i = 0; i < YK_COUNT(others); i++) {
        yk_api_submit(world.server, world_op(&world, others[i]));
        world_until(&world, &world.ops_done, 3 + YK_COUNT(writes) + i, "a read or a Lease");
        assert_int_equal(script.at, 2 + i);
    }
    world_close(&world);
    close_script(&script);
}

/* A leader has to be heard in time, whatever else waits (H4); and each try is one request (H3). */
static void leases_wait_for_nobody(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    struct script script = {.hold = true};
    world_open(&world, 0, play, &script);
    assert_int_equal(yk_client_set_limits(world.server, 1, 1, &err), YK_OK);
    for (int i = 0; i < 300; i++)
        yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
    world_until(&world, &script.at, 1, "a bind");
    yk_api_submit(world.server, world_op(&world, YK_OP_UPDATE_LEASE));
    world_until(&world, &script.at, 2, "the Lease");
    assert_string_equal(script.method, "PUT");
    give(script.waiting.items[1], &(struct answer){429, "TooManyRequests", "1"});
    world_until(&world, &world.ops_done, 1, "its refusal");
    assert_int_equal(world.result, YK_OP_RETRY); /* not tried again down there */
    struct yk_op *op = world_op(&world, YK_OP_GET_LEASE);
    op->timeout_ns = 5 * YK_NS_PER_S;
    yk_api_submit(world.server, op);
    world_until(&world, &script.at, 3, "a look");
    world_advance(&world, 5 * YK_NS_PER_S + YK_NS_PER_MS);
    world_until(&world, &world.ops_done, 2, "the end of patience");
    assert_int_equal(world.result, YK_OP_RETRY);
    assert_int_equal(world.http_status, 0);
    world_close(&world);
    close_script(&script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_become_results),
        cmocka_unit_test(server_that_is_away_is_an_answer),
        cmocka_unit_test(give_up_after_ten_retries),
        cmocka_unit_test(requests_look_as_documented),
        cmocka_unit_test(names_cannot_climb_out_of_their_path),
        cmocka_unit_test(config_map_comes_as_object),
        cmocka_unit_test(whole_objects_come_as_text),
        cmocka_unit_test(binds_overtake_events),
        cmocka_unit_test(reads_do_not_wait_for_tokens),
        cmocka_unit_test(window_follows_the_server),
        cmocka_unit_test(best_effort_is_dropped_first),
        cmocka_unit_test(stop_gives_everything_back),
        cmocka_unit_test(refused_token_is_read_again),
        cmocka_unit_test(limits_can_be_changed),
        cmocka_unit_test(a_closed_fence_lets_no_write_pass),
        cmocka_unit_test(leases_wait_for_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
