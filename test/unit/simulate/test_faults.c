/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct yk_cluster_options times = {
    .seed = 11, .request_ns = YK_NS_PER_MS, .watch_ns = YK_NS_PER_MS, .timeout_ns = 20 * YK_NS_PER_S};

static void requests_fail_as_told(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct yk_fault fault;
        enum yk_op_result result;
        int status;
        bool bound;
        int64_t answer_ns;
    } cases[] = {
        {"404", {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 404}, YK_OP_NOT_FOUND, 404, false, 2},
        {"409", {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 409}, YK_OP_CONFLICT, 409, false, 2},
        {"410", {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 410}, YK_OP_GONE, 410, false, 2},
        {"429",
         {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 429, .retry_after_ns = 7},
         YK_OP_RETRY,
         429,
         false,
         2},
        {"500", {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 500}, YK_OP_RETRY, 500, false, 2},
        {"403", {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 403}, YK_OP_INVALID, 403, false, 2},
        {"answer lost", {.kind = YK_FAULT_LOSE, .nth = 1}, YK_OP_RETRY, 0, true, 2},
        {"never answered", {.kind = YK_FAULT_NO_ANSWER, .nth = 1}, YK_OP_RETRY, 0, false, 20001},
        {"slow", {.kind = YK_FAULT_SLOW, .nth = 1, .delay_ns = 500 * YK_NS_PER_MS}, YK_OP_OK, 201, true, 502},
        {"the second, and this is the first",
         {.kind = YK_FAULT_REFUSE, .nth = 2, .http_status = 500},
         YK_OP_OK,
         201,
         true,
         2},
        {"of another kind",
         {.op = YK_OP_DELETE_POD, .kind = YK_FAULT_LOSE, .nth = 1},
         YK_OP_OK,
         201,
         true,
         2},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct fixture f;
        struct answered answer;
        fixture_init(&f, &times);
        add_node(&f, "n1", "4", "8Gi");
        add_pod(&f, "p", "1", 0);
        assert_int_equal(yk_cluster_add_fault(f.cluster, &cases[i].fault, NULL), YK_OK);
        bind_pod(&f, "p", "n1", &answer);
        fixture_pass(&f, 60 * YK_NS_PER_S);
        bool bound = !yk_str_empty(pod_named(&f, "p")->node_name);
        if (!answer.came || answer.result != cases[i].result || answer.http_status != cases[i].status ||
            bound != cases[i].bound || answer.at_ns != cases[i].answer_ns * YK_NS_PER_MS ||
            answer.retry_after_ns != cases[i].fault.retry_after_ns)
            fail_msg("%s: result %d, status %d, bound %d, after %lld ns", cases[i].what, answer.result,
                     answer.http_status, bound, (long long)answer.at_ns);
        fixture_done(&f);
    }
}

static size_t failures_of_100(uint64_t seed, const struct yk_fault *fault)
{
    struct yk_cluster_options options = times;
    options.seed = seed;
    struct fixture f;
    fixture_init(&f, &options);
    add_node(&f, "n1", "110", "8Gi");
    assert_int_equal(yk_cluster_add_fault(f.cluster, fault, NULL), YK_OK);
    size_t failed = 0;
    for (int i = 0; i < 100; i++) {
        char name[16];
        struct answered answer;
        (void)snprintf(name, sizeof(name), "p%d", i);
        add_pod(&f, name, "1", 0);
        bind_pod(&f, name, "n1", &answer);
        fixture_pass(&f, YK_NS_PER_S);
        failed += answer.result != YK_OP_OK;
    }
    struct yk_cluster_stats stats;
    yk_cluster_stats(f.cluster, &stats);
    assert_int_equal(stats.faults, failed);
    fixture_done(&f);
    return failed;
}

static void probabilities_repeat_with_their_seed(void **state)
{
    (void)state;
    static const struct yk_fault often = {.kind = YK_FAULT_REFUSE, .http_status = 500, .probability = 0.3};
    size_t failed = failures_of_100(5, &often);
    assert_in_range(failed, 15, 45);
    assert_int_equal(failures_of_100(5, &often), failed);
    static const struct yk_fault thrice = {
        .kind = YK_FAULT_REFUSE, .http_status = 500, .probability = 1, .count = 3};
    assert_int_equal(failures_of_100(5, &thrice), 3);
    static const struct yk_fault row = {.kind = YK_FAULT_REFUSE, .http_status = 500, .nth = 10, .count = 4};
    assert_int_equal(failures_of_100(5, &row), 4);
}

static void impossible_faults_are_refused(void **state)
{
    (void)state;
    struct yk_faults faults = {0};
    struct yk_err err;
    assert_int_equal(
        yk_faults_add(&faults, &(struct yk_fault){.kind = YK_FAULT_REFUSE, .http_status = 201}, &err),
        YK_ERR_INVALID);
    assert_int_equal(
        yk_faults_add(&faults, &(struct yk_fault){.kind = YK_FAULT_LOSE, .probability = 1.5}, &err),
        YK_ERR_INVALID);
    for (int i = 0; i < YK_SIM_FAULTS_MAX; i++)
        assert_int_equal(yk_faults_add(&faults, &(struct yk_fault){.kind = YK_FAULT_LOSE, .nth = 5}, &err),
                         YK_OK);
    assert_int_equal(yk_faults_add(&faults, &(struct yk_fault){.kind = YK_FAULT_LOSE, .nth = 5}, &err),
                     YK_ERR_LIMIT);
}

static void watches_break_as_told(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum yk_watch_fault how;
        const char *during, *after;
    } cases[] = {
        {"late, but all of it", YK_WATCH_FAULT_PAUSE, "", "+c -a +d"},
        {"only what is left", YK_WATCH_FAULT_RELIST, "", "[ +b +c +d ]"},
        {"a list that breaks off once", YK_WATCH_FAULT_CUT, "", "[ +b [ +b +c +d ]"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct fixture f;
        char text[256];
        fixture_init(&f, &times);
        add_pod(&f, "a", "1", 0);
        add_pod(&f, "b", "1", 0);
        fixture_watch(&f, YK_KIND_POD, NULL);
        fixture_watch(&f, YK_KIND_NODE, NULL);
        fixture_pass(&f, YK_NS_PER_S);
        fixture_story(&f, text, sizeof(text));

        add_pod(&f, "c", "1", 0); /* on its way when the connection breaks */
        yk_cluster_break_watch(f.cluster, YK_KIND_POD, cases[i].how, 10 * YK_NS_PER_S);
        fixture_pass(&f, YK_NS_PER_S);
        yk_cluster_delete(f.cluster, YK_KIND_POD, "default", "a");
        add_pod(&f, "d", "1", 0);
        fixture_pass(&f, 8 * YK_NS_PER_S);
        assert_string_equal(fixture_story(&f, text, sizeof(text)), cases[i].during);
        fixture_pass(&f, 2 * YK_NS_PER_S);
        if (strcmp(fixture_story(&f, text, sizeof(text)), cases[i].after) != 0)
            fail_msg("%s: heard '%s'", cases[i].what, text);
        add_pod(&f, "e", "1", 0);
        fixture_pass(&f, YK_NS_PER_S);
        fixture_expect_story(&f, "+e");
        fixture_done(&f);
    }
}

/* Each kind in its own order, and kinds overtaking each other. */
static void jitter_reorders_between_kinds_only(void **state)
{
    (void)state;
    struct yk_cluster_options options = times;
    options.watch_jitter_ns = 50 * YK_NS_PER_MS;
    struct fixture f;
    char text[64];
    fixture_init(&f, &options);
    fixture_watch(&f, YK_KIND_POD, NULL);
    fixture_watch(&f, YK_KIND_NODE, NULL);
    fixture_pass(&f, YK_NS_PER_S);
    fixture_story(&f, text, sizeof(text));
    for (int i = 0; i < 200; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "x%d", i);
        add_node(&f, name, "1", "1Gi");
        add_pod(&f, name, "1", 0);
        fixture_pass(&f, YK_NS_PER_MS);
    }
    fixture_pass(&f, YK_NS_PER_S);
    assert_int_equal(f.heard_count, 400);
    uint64_t last[YK_KIND_COUNT] = {0}, latest = 0;
    size_t overtaken = 0;
    for (size_t i = 0; i < f.heard_count; i++) {
        const struct heard *heard = &f.heard[i];
        assert_true(heard->version > last[heard->kind]);
        last[heard->kind] = heard->version;
        overtaken += heard->version < latest;
        latest = YK_MAX(latest, heard->version);
    }
    assert_true(overtaken > 10);
    fixture_done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_fail_as_told),
        cmocka_unit_test(probabilities_repeat_with_their_seed),
        cmocka_unit_test(impossible_faults_are_refused),
        cmocka_unit_test(watches_break_as_told),
        cmocka_unit_test(jitter_reorders_between_kinds_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
