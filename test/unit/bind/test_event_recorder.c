/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/event_recorder.h"

#include "shim/fake_api.h"

#include "lib/cmocka_headers.h"

struct world {
    struct yk_clock clock;
    struct yk_timers timers;
    struct fake_api api;
    struct yk_recorder recorder;
};

static int set_up(void **state)
{
    struct world *world = yk_new0(struct world);
    yk_clock_virtual_init(&world->clock, 1700000000 * YK_NS_PER_S + 123456789);
    yk_timers_init(&world->timers, &world->clock);
    fake_api_init(&world->api);
    yk_recorder_init(&world->recorder, &world->api.server, &world->timers, &world->clock, "here", 1);
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    yk_recorder_stop(&world->recorder);
    fake_api_done(&world->api);
    yk_recorder_done(&world->recorder);
    yk_timers_done(&world->timers);
    free(world);
    return 0;
}

static const struct yk_regarding about = {"Pod", {"ns", 2}, {"p", 1}, {"uid-p", 5}};

static void add(struct world *world, const char *reason, const char *note, bool once)
{
    yk_recorder_add(&world->recorder, &about, true, reason, "Binding", note, once);
}

static void pass(struct world *world, int64_t ns)
{
    for (int64_t left = ns; left > 0; left -= 30 * YK_NS_PER_S) {
        yk_clock_advance(&world->clock, YK_MIN(left, 30 * YK_NS_PER_S));
        yk_timers_run(&world->timers);
    }
}

static void the_object(void **state)
{
    struct world *world = *state;
    add(world, "Reason", "a \"note\"", true);
    struct yk_op *op = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL);
    assert_non_null(op);
    assert_true(op->droppable);
    assert_string_equal(op->namespace_, "ns");
    assert_string_equal(
        yk_buf_cstr(&op->body),
        "{\"apiVersion\":\"events.k8s.io/"
        "v1\",\"kind\":\"Event\",\"metadata\":{\"namespace\":\"ns\",\"name\":\"p.17979cfe3d85cd15\"},"
        "\"eventTime\":\"2023-11-14T22:13:20.123456Z\",\"reportingController\":\"yunikorn\","
        "\"reportingInstance\":\"yunikorn-here\","
        "\"action\":\"Binding\",\"reason\":\"Reason\",\"regarding\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\","
        "\"namespace\":\"ns\",\"name\":\"p\",\"uid\":\"uid-p\"},\"note\":\"a "
        "\\\"note\\\"\",\"type\":\"Warning\"}");
}

static void repetitions_become_a_series(void **state)
{
    struct world *world = *state;
    add(world, "Reason", "first", false);
    assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
    add(world, "Reason", "second", false);
    struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_EVENT, NULL);
    assert_non_null(op);
    assert_non_null(strstr(yk_buf_cstr(&op->body), "\"count\":2"));
    /* The API server has lost it: it is written whole. */
    assert_true(fake_api_answer(&world->api, YK_OP_PATCH_EVENT, NULL, YK_OP_NOT_FOUND, 404, NULL));
    op = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL);
    assert_non_null(op);
    assert_non_null(strstr(yk_buf_cstr(&op->body), "\"note\":\"first\""));
    assert_non_null(strstr(yk_buf_cstr(&op->body), "\"series\":{\"count\":2"));
    assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
    for (int i = 0; i < 5; i++)
        add(world, "Reason", "more", false);
    assert_int_equal(world->api.in_flight, 0); /* only counted */
    add(world, "Other", "first", false);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_EVENT), 1);
    assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
    pass(world, 8 * 60 * YK_NS_PER_S);
    op = fake_api_find(&world->api, YK_OP_PATCH_EVENT, NULL);
    assert_non_null(op);
    assert_non_null(strstr(yk_buf_cstr(&op->body), "\"count\":7"));
    assert_int_equal(world->recorder.series.count, 0);
    assert_false(yk_timer_armed(&world->recorder.sweep));
}

/* What is due at once is written in order of arrival, not of a hash. */
static void series_are_written_in_order(void **state)
{
    static const char *const reasons[] = {"A", "B", "C", "D", "E", "F", "G", "H"};
    struct world *world = *state;
    char last[300] = "";
    size_t written = 0;
    for (size_t i = 0; i < YK_COUNT(reasons); i++) {
        for (int times = 0; times < 3; times++)
            add(world, reasons[i], "note", false);
        while (fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL) ||
               fake_api_answer(&world->api, YK_OP_PATCH_EVENT, NULL, YK_OP_OK, 200, NULL))
            continue;
        yk_clock_advance(&world->clock, 1); /* it is in the name */
    }
    pass(world, 8 * 60 * YK_NS_PER_S);
    for (const struct yk_op *op; (op = fake_api_find(&world->api, YK_OP_PATCH_EVENT, NULL)) != NULL;
         written++) {
        assert_true(strcmp(last, op->name) < 0);
        snprintf(last, sizeof(last), "%s", op->name);
        assert_true(fake_api_answer(&world->api, YK_OP_PATCH_EVENT, NULL, YK_OP_OK, 200, NULL));
    }
    assert_int_equal(written, YK_COUNT(reasons));
}

/* A run of the timers writes a part of many series; the next one, at the same time, goes on. */
static void a_sweep_is_made_in_steps(void **state)
{
    enum { SERIES = 100, STEP = 32 };
    struct world *world = *state;
    for (int i = 0; i < SERIES; i++) {
        char reason[16];
        (void)snprintf(reason, sizeof(reason), "R%d", i);
        for (int times = 0; times < 3; times++)
            add(world, reason, "note", false);
        while (fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL) ||
               fake_api_answer(&world->api, YK_OP_PATCH_EVENT, NULL, YK_OP_OK, 200, NULL))
            continue;
    }
    yk_clock_advance(&world->clock, 8 * 60 * YK_NS_PER_S);
    for (size_t left = SERIES; left > 0; left = left > STEP ? left - STEP : 0) {
        assert_int_equal(world->recorder.series.count, left);
        assert_int_equal(yk_timers_run(&world->timers), 1);
    }
    assert_int_equal(world->recorder.series.count, 0);
    assert_int_equal(world->recorder.outstanding, SERIES);
    assert_false(yk_timer_armed(&world->recorder.sweep));
}

/* So that Events about pods are not dropped when all nodes change at once. */
static void nodes_have_a_part_of_the_places(void **state)
{
    struct world *world = *state;
    static const struct yk_regarding node = {"Node", {"", 0}, {"n", 1}, {"uid-n", 5}};
    for (int i = 0; i < YK_EVENTS_OF_NODES_MAX + 10; i++)
        yk_recorder_add(&world->recorder, &node, false, "Informational", "Informational", "note", true);
    assert_int_equal(world->recorder.dropped, 10);
    for (int i = 0; i < YK_EVENTS_MAX - YK_EVENTS_OF_NODES_MAX; i++)
        add(world, "Reason", "note", true);
    assert_int_equal(world->recorder.dropped, 10);
    assert_int_equal(world->recorder.outstanding, YK_EVENTS_MAX);
    while (world->api.in_flight > 0)
        assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
    assert_int_equal(world->recorder.outstanding_of_nodes, 0);
}

static void too_many_are_dropped(void **state)
{
    struct world *world = *state;
    for (int i = 0; i < YK_EVENTS_MAX + 10; i++)
        add(world, "Reason", "note", true);
    assert_int_equal(world->recorder.dropped, 10);
    assert_int_equal(world->api.in_flight, YK_EVENTS_IN_FLIGHT_MAX);
    yk_recorder_set_window(&world->recorder, 1);
    while (world->api.in_flight > 1)
        assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
    assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_CANCELLED, 0, NULL));
    assert_int_equal(world->api.in_flight, 1);
}

static void lost_requests_are_tried_again(void **state)
{
    struct world *world = *state;
    add(world, "Reason", "note", true);
    int tries = 0;
    while (fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_RETRY, 0, "refused")) {
        assert_int_equal(world->api.in_flight, 0);
        tries++;
        pass(world, 13 * YK_NS_PER_S);
        struct yk_op *op = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL);
        assert_true(op == NULL || strstr(yk_buf_cstr(&op->body), "Reason") != NULL);
    }
    assert_int_equal(tries, YK_EVENT_TRIES_MAX);
    assert_int_equal(world->recorder.outstanding, 0);
    add(world, "Reason", "note", true);
    assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_RETRY, 500, "server said no"));
    pass(world, 60 * YK_NS_PER_S);
    assert_int_equal(world->api.in_flight, 0); /* what the API server refuses is not tried again */
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {CASE(the_object),
                                       CASE(repetitions_become_a_series),
                                       CASE(series_are_written_in_order),
                                       CASE(a_sweep_is_made_in_steps),
                                       CASE(nodes_have_a_part_of_the_places),
                                       CASE(too_many_are_dropped),
                                       CASE(lost_requests_are_tried_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
