/* SPDX-License-Identifier: Apache-2.0 */
/* What administrators ask of the API server, and what killing does to pods (queues.md A8, A10). */
#include "shim/administration.h"

#include "api/json_reader.h"
#include "cache/config_merge.h"
#include "shim/world.h"

#include "lib/cmocka_headers.h"

struct asker {
    int answers, status;
    char text[512], user[64];
    uint64_t ticket;
    bool allowed;
};

static void told_asker(void *context, uint64_t ticket, const struct yk_admin_answer *answer)
{
    struct asker *asker = context;
    asker->answers++;
    asker->ticket = ticket;
    asker->status = answer->status;
    asker->allowed = answer->allowed;
    (void)snprintf(asker->text, sizeof(asker->text), "%s", answer->text != NULL ? answer->text : "");
    if (answer->review != NULL && answer->review->authenticated)
        (void)snprintf(asker->user, sizeof(asker->user), "%s", answer->review->user);
}

struct outcome {
    const char *what;
    enum yk_op_result result; /* the API server's */
    int http, status;         /* its and ours */
    const char *text;
};

/* The API server answers what was asked of it; one answer reaches the asker. */
static void answered(struct world *world, enum yk_op_kind kind, const struct outcome *outcome,
                     const struct asker *asker)
{
    assert_true(fake_api_answer(&world->api, kind, NULL, outcome->result, outcome->http, "because"));
    if (asker->answers != 1 || asker->status != outcome->status || strstr(asker->text, outcome->text) == NULL)
        fail_msg("%s: %d %s", outcome->what, asker->status, asker->text);
}

static void nobody_is_asked_before_the_start_and_after_the_end(void **state)
{
    struct world *world = *state;
    struct asker asker = {0};
    const struct yk_admin_question question = {.asker = &asker, .done = told_asker};
    struct yk_err err;
    assert_int_equal(yk_shim_review_token(world->shim, &question, "t", &err), YK_ERR_UNAVAILABLE);
    assert_int_equal(yk_shim_write_config(world->shim, &question, YK_STR("x"), &err), YK_ERR_UNAVAILABLE);
    running(world);
    yk_shim_stop(world->shim);
    assert_int_equal(yk_shim_review_token(world->shim, &question, "t", &err), YK_ERR_UNAVAILABLE);
    assert_int_equal(yk_shim_write_config(world->shim, &question, YK_STR("x"), &err), YK_ERR_UNAVAILABLE);
    assert_int_equal(asker.answers, 0);
}

static void reviews(void **state)
{
    struct world *world = *state;
    static const struct outcome cases[] = {
        {"known", YK_OP_OK, 201, 0, ""},
        {"no right to ask", YK_OP_INVALID, 403, 503, "cannot be asked"},
        {"the scheduler itself is not authenticated", YK_OP_UNAUTHORIZED, 401, 503, "cannot be asked"},
        {"away", YK_OP_RETRY, 0, 503, "cannot be asked"},
        {"ending", YK_OP_CANCELLED, 0, 503, "cannot be asked"},
    };
    running(world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct asker asker = {0};
        struct yk_err err;
        const struct yk_admin_question question = {.asker = &asker, .ticket = i + 7, .done = told_asker};
        assert_int_equal(yk_shim_review_token(world->shim, &question, "secret", &err), YK_OK);
        struct yk_op *op = fake_api_find(&world->api, YK_OP_REVIEW_TOKEN, NULL);
        assert_non_null(strstr(yk_buf_cstr(&op->body), "\"token\":\"secret\""));
        if (cases[i].result == YK_OP_OK) {
            op->review = yk_new0(struct yk_token_review);
            op->review->authenticated = true;
            op->review->user = yk_strdup("ann");
        }
        answered(world, YK_OP_REVIEW_TOKEN, &cases[i], &asker);
        assert_int_equal(asker.ticket, i + 7);
        assert_string_equal(asker.user, cases[i].result == YK_OP_OK ? "ann" : "");
    }
}

static void access_is_asked_about(void **state)
{
    struct world *world = *state;
    static const struct {
        struct outcome outcome;
        const char *answer;
        bool allowed;
    } cases[] = {
        {{"allowed", YK_OP_OK, 201, 0, ""}, "{\"status\":{\"allowed\":true}}", true},
        {{"denied", YK_OP_OK, 201, 0, ""}, "{\"status\":{\"allowed\":false,\"denied\":true}}", false},
        {{"no answer in it", YK_OP_OK, 201, 503, "cannot be asked"}, "{\"status\":{}}", false},
        {{"not JSON", YK_OP_OK, 201, 503, "cannot be asked"}, "<html>", false},
        {{"a word", YK_OP_OK, 201, 503, "cannot be asked"}, "{\"status\":{\"allowed\":\"true\"}}", false},
        {{"no right to ask", YK_OP_INVALID, 403, 503, "cannot be asked"}, "", false},
        {{"away", YK_OP_RETRY, 0, 503, "cannot be asked"}, "", false},
    };
    static const char *const groups[] = {"staff", "system:authenticated"};
    const struct yk_access_question access = {
        .user = "ann", .groups = groups, .group_count = 2, .verb = "get", .queue = "root.a"};
    running(world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct asker asker = {0};
        struct yk_err err;
        const struct yk_admin_question question = {.asker = &asker, .ticket = i + 7, .done = told_asker};
        assert_int_equal(yk_shim_review_access(world->shim, &question, &access, &err), YK_OK);
        struct yk_op *op = fake_api_find(&world->api, YK_OP_REVIEW_ACCESS, NULL);
        assert_string_equal(
            yk_buf_cstr(&op->body),
            "{\"apiVersion\":\"authorization.k8s.io/"
            "v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\"ann\","
            "\"groups\":[\"staff\",\"system:authenticated\"],\"resourceAttributes\":{\"group\":"
            "\"yunikorn.apache.org\",\"resource\":\"queues\",\"name\":\"root.a\",\"verb\":\"get\"}}}");
        yk_buf_text(&op->answer, cases[i].answer);
        answered(world, YK_OP_REVIEW_ACCESS, &cases[i].outcome, &asker);
        assert_int_equal(asker.ticket, i + 7);
        if (asker.allowed != cases[i].allowed)
            fail_msg("%s", cases[i].outcome.what);
    }
}

static void review_for(struct world *world, const char *audience, const char *want_user)
{
    struct asker asker = {0};
    struct yk_err err;
    const struct yk_admin_question question = {.asker = &asker, .done = told_asker};
    const struct outcome taken = {"taken", YK_OP_OK, 201, 0, ""};
    assert_int_equal(yk_shim_review_token(world->shim, &question, "secret", &err), YK_OK);
    struct yk_op *op = fake_api_find(&world->api, YK_OP_REVIEW_TOKEN, NULL);
    assert_non_null(strstr(yk_buf_cstr(&op->body), "\"audiences\":[\"yunikorn\",\"other\"]"));
    op->review = yk_new0(struct yk_token_review);
    op->review->authenticated = true;
    op->review->user = yk_strdup("ann");
    if (audience != NULL) {
        op->review->audiences = yk_new0_array(char *, 1);
        op->review->audiences[op->review->audience_count++] = yk_strdup(audience);
    }
    answered(world, YK_OP_REVIEW_TOKEN, &taken, &asker);
    assert_string_equal(asker.user, want_user);
}

/* A token that was issued for another service belongs to no user here. */
static void reviews_are_for_an_audience(void **state)
{
    struct world *world = *state;
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_BEGIN);
    upsert(world, config(world, "service.web.apiAudiences", "yunikorn, other"));
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_END);
    review_for(world, "other", "ann");
    review_for(world, "https://kubernetes.default.svc", "");
    review_for(world, NULL, "");
}

static void writes(void **state)
{
    struct world *world = *state;
    static const struct outcome cases[] = {
        {"written", YK_OP_OK, 200, 0, "as soon as its change is seen"},
        {"not there", YK_OP_NOT_FOUND, 404, 409, "created first"},
        {"changed meanwhile", YK_OP_CONFLICT, 409, 409, "changed by another client"},
        {"no right to write", YK_OP_INVALID, 403, 503, "could not be written"},
        {"too large", YK_OP_INVALID, 422, 422, "could not be written"},
        {"unknown what became of it", YK_OP_RETRY, 0, 503, "it is not known whether"},
    };
    running(world);
    upsert(world, config(world, "other", "entry"));
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct asker asker = {0};
        struct yk_err err;
        const struct yk_admin_question question = {.asker = &asker, .done = told_asker};
        assert_int_equal(yk_shim_write_config(world->shim, &question, YK_STR("new \"text\""), &err), YK_OK);
        struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_CONFIG_MAP, "yunikorn-configs");
        assert_string_equal(op->namespace_, "yunikorn");
        char want[256];
        (void)snprintf(want, sizeof(want),
                       "{\"metadata\":{\"resourceVersion\":\"%d\"},\"data\":{\"queues.yaml\":\"new "
                       "\\\"text\\\"\"}}",
                       world->version);
        assert_string_equal(yk_buf_cstr(&op->body), want); /* what else is there stays */
        answered(world, YK_OP_PATCH_CONFIG_MAP, &cases[i], &asker);
    }
}

/* The body of a patch that was submitted for `map` and `text`; the caller's. */
static char *patch_of(struct world *world, const struct yk_config_map *map, struct yk_str text)
{
    struct asker asker = {0};
    struct yk_err err = {0};
    const struct yk_admin_question question = {&world->api.server, &asker, 1, told_asker};
    const struct yk_admin_config config_ = {map, "yunikorn", "mine", text, true};
    if (yk_admin_write_config(&question, &config_, &err) != YK_OK)
        fail_msg("%s", err.text);
    char *body = yk_strdup(yk_buf_cstr(&fake_api_find(&world->api, YK_OP_PATCH_CONFIG_MAP, NULL)->body));
    assert_true(fake_api_answer(&world->api, YK_OP_PATCH_CONFIG_MAP, NULL, YK_OP_OK, 200, NULL));
    return body;
}

static void what_is_packed_stays_packed(void **state)
{
    struct world *world = *state;
    struct yk_pair packed[] = {{YK_STR("mine.yaml.GZ"), YK_STR("old")},
                               {YK_STR("other.yaml.gz"), YK_STR("x")}};
    struct yk_config_map map = {.object = {.kind = YK_KIND_CONFIG_MAP, .resource_version = YK_STR("7")},
                                .binary_data = {packed, YK_COUNT(packed)}};
    struct yk_object *read = NULL;
    struct yk_err err = {0};
    YK_CLEANUP(yk_freep) char *body = patch_of(world, &map, YK_STR("the new text"));
    assert_non_null(strstr(body, "\"data\":{\"mine.yaml\":null}"));
    assert_non_null(strstr(body, "\"mine.yaml.GZ\":null"));
    assert_null(strstr(body, "other.yaml"));
    /* What was written can be read. */
    char *end = strstr(body, "\"mine.yaml.GZ\":null,");
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0}, text = {.max = 100};
    yk_buf_printf(&json, "{\"binaryData\":{%s", end + strlen("\"mine.yaml.GZ\":null,"));
    if (yk_object_from_json(YK_KIND_CONFIG_MAP, yk_buf_view(&json), &read, &err) != YK_OK)
        fail_msg("%s: %s", err.text, yk_buf_cstr(&json));
    struct yk_str bytes = yk_pairs_get(&yk_config_map_of(read)->binary_data, "mine.yaml.gz");
    assert_int_equal(yk_gunzip(bytes, &text, &err), YK_OK);
    assert_string_equal(yk_buf_cstr(&text), "the new text");
    yk_object_free(read);
}

static void what_is_too_large_is_packed(void **state)
{
    struct world *world = *state;
    char *large = yk_new0_array(char, 2 << 20);
    memset(large, '#', 2 << 20);
    YK_CLEANUP(yk_freep) char *body = patch_of(world, NULL, (struct yk_str){large, 1 << 20});
    assert_non_null(strstr(body, "\"mine.yaml.gz\":\"H4sI"));
    assert_non_null(strstr(body, "\"resourceVersion\":\"1\"")); /* nothing unseen is overwritten */
    assert_true(strlen(body) < 8192);
    /* No request is made for more than reading would unpack. */
    struct asker asker = {0};
    struct yk_err err;
    const struct yk_admin_question question = {&world->api.server, &asker, 1, told_asker};
    struct yk_admin_config config_ = {
        NULL, "yunikorn", "mine", {large, (size_t)YK_CONFIG_UNPACKED_MAX + 1}, true};
    assert_int_equal(yk_admin_write_config(&question, &config_, &err), YK_ERR_LIMIT);
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_CONFIG_MAP, NULL));
    free(large);
}

static void killed_pods_are_deleted_and_waiting_ones_fail(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "runs");
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    upsert(world, pod(world, "waits"));
    settle(world);
    static const char message[] = "ApplicationKilled: killed by user 'ann'";
    fake_core_app_state(&world->core, "app", YK_APP_FAILING, YK_SI_FAILURE_KILLED, message);
    released(world, "uid-runs", YK_SI_KILLED, message);
    assert_int_equal(fake_api_count(&world->api, YK_OP_DELETE_POD), 1);
    assert_non_null(fake_api_find(&world->api, YK_OP_DELETE_POD, "runs"));
    const struct yk_op *failed = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "waits");
    assert_non_null(failed);
    assert_non_null(
        strstr(yk_buf_cstr(&failed->body), "\"phase\":\"Failed\",\"reason\":\"ApplicationKilled\""));
    assert_non_null(strstr(yk_buf_cstr(&failed->body), "killed by user 'ann'"));
    told(world, "release uid-waits 1");
    removed(world, pod_on(world, "runs", "n1"));
    told(world, "release uid-runs 100"); /* only now has it ended */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nobody_is_asked_before_the_start_and_after_the_end, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(reviews, set_up, tear_down),
        cmocka_unit_test_setup_teardown(access_is_asked_about, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reviews_are_for_an_audience, set_up, tear_down),
        cmocka_unit_test_setup_teardown(writes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_packed_stays_packed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_too_large_is_packed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(killed_pods_are_deleted_and_waiting_ones_fail, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
