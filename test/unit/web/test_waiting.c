/* SPDX-License-Identifier: Apache-2.0 */
/* What REST shows of reservations, replaced placeholders, victims and applications that rest
 * (docs/reference/rest.md, section 4). */
#include "reservation/victims.h"
#include "web/browser.h"

#define P "/ws/v1/partition/default"

static const char config[] = "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                             "    queues:\n    - {name: a}\n"
                             "    - {name: rests, properties: {application.unschedasks.backoff: '1'}}\n";

static void begin(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 4000, 8192);
    world_node(world, "spare", 100000, 8192);
    world_node_action(world, "spare", YK_SI_NODE_DRAIN);
}

static json_t *app_of(struct world *world, const char *queue)
{
    char url[128];
    (void)snprintf(url, sizeof(url), P "/queue/root.%s/application/app", queue);
    return browse_json(world, url);
}

static void reservations(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "app", "root.a", "joe");
    world_submit(&world, "later", "root.a", "joe");
    world_ask_full(&world, "app", "runs", 1000, 10, 0, YK_SI_CLASS_ANY, "n1");
    json_t *json = browse_json(&world, P "/node/n1");
    assert_true(json_is_false(look(json, "isReserved")));
    assert_null(json_object_get(json, "reservations"));
    json_decref(json);
    world_ask(&world, "app", "waits", 4000, 10);
    assert_int_equal(world_schedule(&world), 0);
    world_ask(&world, "later", "overtakes", 100, 10);
    assert_int_equal(world_schedule(&world), 1);
    world_advance(&world, 3);
    (void)world_schedule(&world); /* only to reserve */
    json = browse_json(&world, P "/node/n1");
    assert_true(json_is_true(look(json, "isReserved")));
    assert_string_equal(look_text(json, "reservations.0"), "waits");
    json_decref(json);
    json = app_of(&world, "a");
    assert_true(json_is_true(look(json, "hasReserved")));
    assert_string_equal(look_text(json, "reservations.0"), "waits");
    json_decref(json);
    yk_health_run(world.core);
    json = browse_json(&world, "/ws/v1/scheduler/healthcheck");
    assert_string_equal(look_text(json, "HealthChecks.6.DiagnosisMessage"),
                        "Reservation/node nr ratio: [0.500000]");
    json_decref(json);
    world_done(&world);
}

static void ask_of_gang(struct world *world, const char *key, bool placeholder)
{
    struct yk_resvec size = world_size(1000, 10);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = "app",
                                   .resource = &size,
                                   .task_group = "tg",
                                   .placeholder = placeholder,
                                   .create_wall_ns = yk_clock_wall_ns(&world->clock),
                                   .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
    (void)world_schedule(world); /* whatever comes of it */
}

static void replaced_placeholder_and_victim(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "app", "root.a", "joe");
    ask_of_gang(&world, "placeholder", true);
    world_advance(&world, 5);
    ask_of_gang(&world, "real", false);
    world_release(&world, "app", "placeholder", YK_SI_PLACEHOLDER_REPLACED);
    struct yk_ask *real = yk_app_find_ask(world_app(&world, "app"), YK_STR("real"));
    yk_victims_take(world_partition(&world), &real, 1, "to be shown");
    json_t *json = app_of(&world, "a");
    const json_t *shown = look(json, "allocations.0");
    assert_true(json_is_true(look(shown, "placeholderUsed")));
    assert_true(json_is_true(look(shown, "preempted")));
    assert_true(look_int(shown, "allocationDelay") == 5 * YK_NS_PER_S);
    assert_true(look_int(shown, "requestTime") + 5 * YK_NS_PER_S == look_int(shown, "allocationTime"));
    assert_int_equal(look_int(json, "placeholderData.0.replaced"), 1);
    json_decref(json);
    world_done(&world);
}

static void rest(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "app", "root.rests", "joe");
    json_t *json = app_of(&world, "rests");
    assert_null(json_object_get(json, "backoffDeadline"));
    json_decref(json);
    world_ask(&world, "app", "waits", 5000, 10);
    (void)world_schedule(&world); /* nothing fits */
    json = app_of(&world, "rests");
    assert_string_equal(look_text(json, "backoffDeadline"), "2023-11-14T22:13:50.000000000Z");
    json_decref(json);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reservations),
                                       cmocka_unit_test(replaced_placeholder_and_victim),
                                       cmocka_unit_test(rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
