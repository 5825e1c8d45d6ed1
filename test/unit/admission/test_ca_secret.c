/* SPDX-License-Identifier: Apache-2.0 */
/* The authorities in the Secret: conflicts, replicas, faults of the API server. With settle.h, which does the
 * rounds. */
#include "admission/ca_secret.h"
#include "admission/fake_api.h"
#include "admission/settle.h"

#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define DAY (86400 * YK_NS_PER_S)

/* One replica. */
struct replica {
    struct fake_api api;
    struct yk_clock clock;
    struct yk_io_timers timers;
    struct yk_settle settle;
    struct yk_ca_pair pair;
    unsigned done_count, writes;
    enum yk_status status;
    struct yk_err err;
};

static enum yk_status plan(void *context, struct yk_str current, bool *ret_differs, struct yk_buf *ret_body,
                           struct yk_err *why, struct yk_err *err)
{
    struct replica *replica = context;
    return yk_ca_secret_plan(current, yk_clock_wall_ns(&replica->clock), &replica->pair, ret_differs,
                             ret_body, why, err);
}

static void done(void *context, enum yk_status status, unsigned writes, const struct yk_err *err)
{
    struct replica *replica = context;
    replica->done_count++;
    replica->status = status;
    replica->writes = writes;
    replica->err = *err;
}

static void replica_init(struct replica *replica, struct fake_store *store)
{
    struct yk_err err;
    *replica = (struct replica){.done_count = 0};
    fake_init(&replica->api, store);
    yk_clock_virtual_init(&replica->clock, INT64_C(1800000000) * YK_NS_PER_S);
    assert_int_equal(yk_io_timers_init(&replica->timers, NULL, &replica->clock, &err), YK_OK);
    const struct yk_settle_options options = {.api = &replica->api.server,
                                              .timers = &replica->timers,
                                              .get = YK_OP_GET_SECRET,
                                              .create = YK_OP_GET_SECRET,
                                              .update = YK_OP_UPDATE_SECRET,
                                              .namespace_ = "team",
                                              .name = YK_CA_SECRET,
                                              .plan = plan,
                                              .done = done,
                                              .context = replica};
    yk_settle_init(&replica->settle, &options);
}

static void replica_done(struct replica *replica)
{
    yk_settle_stop(&replica->settle);
    fake_done(&replica->api);
    yk_io_timers_done(&replica->timers);
    yk_ca_pair_done(&replica->pair);
}

static void advance(struct replica *replica, int64_t ns)
{
    yk_clock_advance(&replica->clock, ns);
    yk_io_timers_run(&replica->timers);
    fake_run(&replica->api);
}

static void start(struct replica *replica)
{
    replica->done_count = 0;
    yk_settle_start(&replica->settle);
    fake_run(&replica->api);
    for (int i = 0; i < 60 && replica->done_count == 0; i++)
        advance(replica, YK_NS_PER_S);
    assert_int_equal(replica->done_count, 1);
}

static void an_empty_secret_is_filled(void **state)
{
    (void)state;
    struct replica a, b;
    replica_init(&a, &shared_store);
    start(&a);
    assert_int_equal(a.status, YK_OK);
    assert_int_equal(a.writes, 1);
    static const char *const keys[] = {"cacert1.pem", "cakey1.pem", "cacert2.pem", "cakey2.pem"};
    for (size_t i = 0; i < YK_COUNT(keys); i++)
        assert_true(strlen(fake_text(&shared_store, FAKE_SECRET, "data", keys[i])) > 100);
    assert_string_equal(json_string_value(json_object_get(shared_store.objects[FAKE_SECRET], "type")),
                        "Opaque");
    assert_non_null(
        json_object_get(json_object_get(shared_store.objects[FAKE_SECRET], "metadata"), "labels"));
    /* Another replica, and this one again, read the same and write nothing. */
    replica_init(&b, &shared_store);
    start(&b);
    start(&a);
    assert_int_equal(b.writes, 0);
    assert_int_equal(a.writes, 0);
    for (int i = 0; i < YK_CA_COUNT; i++) {
        assert_string_equal(a.pair.ca[i].cert_pem, b.pair.ca[i].cert_pem);
        assert_string_equal(a.pair.ca[i].key_pem, b.pair.ca[i].key_pem);
    }
    replica_done(&a);
    replica_done(&b);
}

/* Both have read the empty Secret before one of them writes. */
static void replicas_that_start_together_converge(void **state)
{
    (void)state;
    struct replica a, b;
    replica_init(&a, &shared_store);
    replica_init(&b, &shared_store);
    yk_settle_start(&a.settle);
    yk_settle_start(&b.settle);
    bool is_a = true;
    for (int turn = 0; turn < 100 && (a.done_count == 0 || b.done_count == 0); turn++, is_a = !is_a) {
        struct replica *next = is_a ? &a : &b;
        if (!fake_step(&next->api)) {
            yk_clock_advance(&next->clock, YK_NS_PER_S);
            yk_io_timers_run(&next->timers);
        }
    }
    assert_int_equal(a.status, YK_OK);
    assert_int_equal(b.status, YK_OK);
    assert_int_equal(a.writes + b.writes, 1);
    for (int i = 0; i < YK_CA_COUNT; i++)
        assert_string_equal(a.pair.ca[i].cert_pem, b.pair.ca[i].cert_pem);
    replica_done(&a);
    replica_done(&b);
}

static void touch(void *context, const struct yk_op *op)
{
    size_t *conflicts = context;
    if (op->kind != YK_OP_UPDATE_SECRET || *conflicts == 0)
        return;
    --*conflicts;
    fake_put(&shared_store, FAKE_SECRET, EMPTY_SECRET);
}

static void conflicts_lead_to_another_round(void **state)
{
    (void)state;
    for (size_t conflicts = 0; conflicts <= 12; conflicts++) {
        struct replica a;
        size_t left = conflicts;
        fake_put(&shared_store, FAKE_SECRET, EMPTY_SECRET);
        replica_init(&a, &shared_store);
        a.api.before = touch;
        a.api.context = &left;
        start(&a);
        bool is_settled = conflicts <= YK_SETTLE_ROUNDS_MAX - 2;
        if ((a.status == YK_OK) != is_settled)
            fail_msg("%zu conflicts: %s", conflicts, a.err.text);
        if (!is_settled) {
            assert_int_equal(a.status, YK_ERR_LIMIT);
            assert_non_null(
                strstr(a.err.text, "'team/admission-controller-secrets': not settled after 10 rounds"));
            assert_int_equal(a.api.asked[YK_OP_GET_SECRET], YK_SETTLE_ROUNDS_MAX);
        }
        replica_done(&a);
    }
}

static void faults_of_the_api_server(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum yk_op_kind kind;
        int status;
        size_t count;
        bool happens;
        enum yk_status want;
        const char *text;
    } cases[] = {
        {"the server is away for a moment", YK_OP_GET_SECRET, 0, 3, false, YK_OK, ""},
        {"an answer to a write is lost", YK_OP_UPDATE_SECRET, 0, 1, true, YK_OK, ""},
        {"a write is refused for now", YK_OP_UPDATE_SECRET, 503, 2, false, YK_OK, ""},
        {"no right to read", YK_OP_GET_SECRET, 403, 1, false, YK_ERR_DENIED, "status 403"},
        {"no right to write", YK_OP_UPDATE_SECRET, 403, 1, false, YK_ERR_DENIED, "status 403"},
        {"deleted in between", YK_OP_UPDATE_SECRET, 404, 1, false, YK_OK, ""},
        {"the server stays away", YK_OP_GET_SECRET, 500, 99, false, YK_ERR_LIMIT, "status 500"},
        {"it does not exist", YK_OP_GET_SECRET, 404, 1, false, YK_ERR_NOT_FOUND,
         "'team/admission-controller-secrets'"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct replica a;
        fake_put(&shared_store, FAKE_SECRET, EMPTY_SECRET);
        replica_init(&a, &shared_store);
        a.api.fault_kind = cases[i].kind;
        a.api.fault_status = cases[i].status;
        a.api.fault_count = cases[i].count;
        a.api.fault_happens = cases[i].happens;
        start(&a);
        if (a.status != cases[i].want || strstr(a.err.text, cases[i].text) == NULL)
            fail_msg("%s: %d %s", cases[i].what, a.status, a.err.text);
        replica_done(&a);
    }
}

static void secrets_that_are_not(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_secret; /* authorities are made */
    } cases[] = {
        {"", false},
        {"[]", false},
        {"{\"metadata\": {}}", true},
        {"{\"metadata\": {}, \"data\": null}", true},
        {"{\"metadata\": {}, \"data\": []}", true},
        {"{\"metadata\": {}, \"data\": {\"cacert1.pem\": 7, \"cakey1.pem\": {}, \"cacert2.pem\": \"$$\"}}",
         true},
        {"{\"metadata\": {}, \"data\": {\"cacert1.pem\": \"AAAA\"}}", true}, /* zero bytes */
        {"{\"metadata\": 7}", false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
        YK_CLEANUP(yk_ca_pair_done) struct yk_ca_pair pair = {0};
        struct yk_err why = {0}, err = {0};
        bool differs = false;
        enum yk_status st =
            yk_ca_secret_plan(yk_str_from(cases[i].text), DAY, &pair, &differs, &body, &why, &err);
        if ((st == YK_OK) != cases[i].is_secret || differs != cases[i].is_secret)
            fail_msg("'%s': %d %s", cases[i].text, st, err.text);
        if (strstr(why.text, "KEY") != NULL || strstr(err.text, "KEY") != NULL)
            fail_msg("'%s': a key in a message", cases[i].text);
    }
}

/* A year and a half: the pair is renewed once per period, by one of the replicas, and the other one
 * follows. */
static void replicas_renew_in_turn(void **state)
{
    (void)state;
    struct replica a, b;
    unsigned writes = 0;
    replica_init(&a, &shared_store);
    replica_init(&b, &shared_store);
    for (int day = 0; day < 540; day += 2) {
        struct replica *replica = day % 4 == 0 ? &a : &b;
        start(replica);
        assert_int_equal(replica->status, YK_OK);
        writes += replica->writes;
        yk_clock_advance(&a.clock, 2 * DAY);
        yk_clock_advance(&b.clock, 2 * DAY);
    }
    assert_in_range(writes, 4, 5);
    replica_done(&a);
    replica_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_empty_secret_is_filled, fake_set_up, fake_tear_down),
        cmocka_unit_test_setup_teardown(replicas_that_start_together_converge, fake_set_up, fake_tear_down),
        cmocka_unit_test_setup_teardown(conflicts_lead_to_another_round, fake_set_up, fake_tear_down),
        cmocka_unit_test_setup_teardown(faults_of_the_api_server, fake_set_up, fake_tear_down),
        cmocka_unit_test_setup_teardown(secrets_that_are_not, fake_set_up, fake_tear_down),
        cmocka_unit_test_setup_teardown(replicas_renew_in_turn, fake_set_up, fake_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
