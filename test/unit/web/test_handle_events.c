/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of events: docs/reference/rest.md 7.1 and 7.2. */
#include "web/browser.h"

static const char config[] = "partitions: [{name: default, placementrules: [{name: provided, create: true}], "
                             "queues: [{name: root, submitacl: '*', queues: [{name: leaf}]}]}]";
#define BATCH "/ws/v1/events/batch"

static void settings(struct world *world, const struct yk_si_tag *tags, size_t count)
{
    struct yk_si_register request = {
        .rm_id = "rm", .config = yk_str_from(config), .extra_config = tags, .extra_count = count};
    assert_int_equal(yk_core_update_config(world->core, &request, NULL), YK_OK);
}

/* root and leaf are 0 and 1; then pairs of schedulable, added, and the root's maximum. */
static void open_world(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 1000, 1);
}

static void fields(void **state)
{
    (void)state;
    struct world world;
    open_world(&world);
    YK_RESVEC(none);
    yk_resvec_put(&none, YK_RESTYPE_VCORE, 0);
    yk_resvec_put(&none, YK_RESTYPE_PODS, 3);
    struct yk_event odd = {.object_id = YK_STR("<x>"), .reference_id = YK_STR("y"), .resource = none};
    yk_events_tell(&world.core->events, &odd);
    struct yk_answer answer = browse(&world, BATCH "?start=2", 200);
    YK_CLEANUP(yk_buf_done) struct yk_buf want = {0};
    yk_buf_printf(
        &want,
        "{\"InstanceUUID\":\"%s\",\"LowestID\":0,\"HighestID\":5,\"EventRecords\":["
        "{\"type\":3,\"objectID\":\"n1\",\"message\":\"schedulable: true\",\"timestampNano\":"
        "1700000000000000000,\"eventChangeType\":1,\"eventChangeDetail\":302,\"resource\":{}},"
        "{\"type\":3,\"objectID\":\"n1\",\"message\":\"Node added to the scheduler\",\"timestampNano\":"
        "1700000000000000000,\"eventChangeType\":2,\"resource\":{\"resources\":{\"memory\":{\"value\":"
        "1048576}"
        ",\"pods\":{\"value\":110},\"vcore\":{\"value\":1000}}}},"
        "{\"type\":4,\"objectID\":\"root\",\"timestampNano\":1700000000000000000,\"eventChangeType\":1,"
        "\"eventChangeDetail\":403,\"resource\":{\"resources\":{\"memory\":{\"value\":1048576},\"pods\":{"
        "\"value\":110},\"vcore\":{\"value\":1000}}}},"
        "{\"objectID\":\"\\u003cx\\u003e\",\"referenceID\":\"y\",\"resource\":{\"resources\":{\"pods\":{"
        "\"value\":3},\"vcore\":{}}}}]}\n",
        world.core->events.instance);
    assert_string_equal(yk_buf_cstr(&answer.body), yk_buf_cstr(&want));
    yk_answer_done(&answer);
    world_done(&world);
}

static void windows(void **state)
{
    (void)state;
    static const struct {
        const char *query;
        int records; /* -1: null */
        int first;   /* type of the first one */
    } cases[] = {
        {"", 5, 4},
        {"?count=", 5, 4},
        {"?count=2", 2, 4},
        {"?count=2&count=9&start=2", 2, 3},
        {"?start=4", 1, 4},
        {"?start=5", -1, 0},
        {"?start=18446744073709551615&count=18446744073709551615", -1, 0},
        {"?count=18446744073709551615", 5, 4},
    };
    struct world world;
    open_world(&world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char target[200];
        (void)snprintf(target, sizeof(target), BATCH "%s", cases[i].query);
        json_t *json = browse_json(&world, target);
        const json_t *records = look(json, "EventRecords");
        int count = json_is_null(records) ? -1 : (int)json_array_size(records);
        if (count != cases[i].records ||
            (count > 0 && look_int(json, "EventRecords.0.type") != cases[i].first))
            fail_msg("%s: %d records", target, count);
        assert_int_equal(look_int(json, "LowestID"), 0);
        assert_int_equal(look_int(json, "HighestID"), 4);
        json_decref(json);
    }
    world_done(&world);
}

static void refusals(void **state)
{
    (void)state;
    struct world world;
    open_world(&world);
    browse_error(&world, BATCH "?count=0&start=x", 400, "0 is not a valid value for \"count\"");
    browse_error(&world, BATCH "?count=-1", 400, "strconv.ParseUint: parsing \"-1\": invalid syntax");
    browse_error(&world, BATCH "?start=1e3", 400, "strconv.ParseUint: parsing \"1e3\": invalid syntax");
    browse_error(&world, BATCH "?start=18446744073709551616", 400,
                 "strconv.ParseUint: parsing \"18446744073709551616\": value out of range");
    settings(&world, (const struct yk_si_tag[]){{"event.trackingEnabled", "false"}}, 1);
    browse_error(&world, BATCH "?count=0", 500, "Event tracking is disabled");
    world_done(&world);
}

/* D21: off and on again; what was told before is there, what came in between is not. */
static void switched_off_and_on(void **state)
{
    (void)state;
    struct world world;
    open_world(&world);
    settings(&world, (const struct yk_si_tag[]){{"event.trackingEnabled", "false"}}, 1);
    world_node(&world, "n2", 1000, 1);
    settings(&world, NULL, 0);
    json_t *json = browse_json(&world, BATCH);
    assert_int_equal(look_int(json, "HighestID"), 4);
    json_decref(json);
    world_node(&world, "n3", 1000, 1);
    json = browse_json(&world, BATCH "?start=5");
    assert_int_equal(look_int(json, "HighestID"), 7);
    assert_string_equal(look_text(json, "EventRecords.0.objectID"), "n3");
    json_decref(json);
    world_done(&world);
}

static void sizes_change(void **state)
{
    (void)state;
    struct world world;
    open_world(&world);
    settings(&world,
             (const struct yk_si_tag[]){{"event.ringBufferCapacity", "3"}, {"event.RESTResponseSize", "2"}},
             2);
    json_t *json = browse_json(&world, BATCH);
    assert_true(json_is_null(look(json, "EventRecords"))); /* 0 is gone: the client learns where to begin */
    assert_int_equal(look_int(json, "LowestID"), 2);
    json_decref(json);
    json = browse_json(&world, BATCH "?start=2&count=3");
    assert_int_equal(json_array_size(look(json, "EventRecords")), 2);
    json_decref(json);
    settings(&world, NULL, 0); /* the defaults again: nothing comes back, and the numbers go on */
    world_node(&world, "n2", 1000, 1);
    json = browse_json(&world, BATCH "?start=2");
    assert_int_equal(look_int(json, "LowestID"), 2);
    assert_int_equal(look_int(json, "HighestID"), 7);
    assert_int_equal(json_array_size(look(json, "EventRecords")), 6);
    json_decref(json);
    world_done(&world);
}

static void empty(void **state)
{
    (void)state;
    struct world world;
    open_world(&world);
    world.core->events.on = true;
    yk_ring_free(world.core->events.ring);
    world.core->events.ring = yk_ring_new(10);
    json_t *json = browse_json(&world, BATCH);
    assert_int_equal(look_int(json, "LowestID"), 0);
    assert_int_equal(look_int(json, "HighestID"), 0);
    assert_true(json_is_null(look(json, "EventRecords")));
    json_decref(json);
    world_done(&world);
}

/* Between two slices the ring goes round: the answer ends where it was overtaken, without a gap. */
static void go_round(void *context)
{
    struct world *world = context;
    struct yk_event event = {.type = YK_EVENT_APP, .wall_ns = 1};
    for (int i = 0; i < 60; i++)
        yk_events_tell(&world->core->events, &event);
}

static void overtaken(void **state)
{
    (void)state;
    struct world world;
    open_world(&world);
    settings(&world, (const struct yk_si_tag[]){{"event.ringBufferCapacity", "100"}}, 1);
    for (int i = 0; i < 2; i++)
        go_round(&world);
    char target[64];
    uint64_t lowest = yk_ring_lowest(world.core->events.ring);
    (void)snprintf(target, sizeof(target), BATCH "?start=%d", (int)lowest);
    json_t *json = browse_slices(&world, target, go_round, &world);
    size_t count = json_array_size(look(json, "EventRecords"));
    assert_true(count > 0 && count < 100);
    json_decref(json);
    world_done(&world);
}

static void counted(void **state)
{
    (void)state;
    struct world world;
    open_world(&world);
    struct yk_answer answer = browse(&world, "/ws/v1/metrics", 200);
    assert_non_null(strstr(yk_buf_cstr(&answer.body),
                           "# TYPE yunikorn_event_total_created gauge\nyunikorn_event_total_created 5\n"));
    assert_null(strstr(yk_buf_cstr(&answer.body), "not_channeled")); /* never used */
    yk_answer_done(&answer);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields),    cmocka_unit_test(windows),
        cmocka_unit_test(refusals),  cmocka_unit_test(switched_off_and_on),
        cmocka_unit_test(empty),     cmocka_unit_test(sizes_change),
        cmocka_unit_test(overtaken), cmocka_unit_test(counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
