/* SPDX-License-Identifier: Apache-2.0 */
/* How applications of a leaf get their turn: the stateaware policy (O7) and back-off (O6, O15). */
#include "lib/core_world.h"

#include "pending/backoff.h"

static const char config[] =
    "partitions:\n"
    "- name: default\n"
    "  placementrules: [{name: provided}]\n"
    "  queues:\n"
    "  - name: root\n"
    "    submitacl: '*'\n"
    "    queues:\n"
    "    - {name: aware, properties: {application.sort.policy: stateaware}}\n"
    "    - {name: fifo}\n"
    "    - {name: patient, properties: {application.unschedasks.backoff: 3, "
    "application.unschedasks.backoff.delay: 20s}}\n"
    "    - {name: few, maxapplications: 1, properties: {application.sort.policy: stateaware}}\n";

static void submit(struct world *world, const char *id, const char *queue, const char *disable)
{
    const struct yk_si_tag tag = {YK_SI_TAG_STATEAWARE_DISABLE, disable};
    const struct yk_si_new_app app = {.application_id = id,
                                      .queue = queue,
                                      .ugi = {.user = "joe"},
                                      .tags = &tag,
                                      .tag_count = disable != NULL};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
    world_advance(world, 1); /* so that submission orders them */
}

static void state_is(struct world *world, const char *id, const char *want)
{
    assert_string_equal(yk_app_state_name(world_app(world, id)->state), want);
}

static void begin(struct world *world, const char *queue)
{
    world_init(world, config);
    world_node(world, "n1", 10000, 100000);
    submit(world, "one", queue, NULL);
    submit(world, "two", queue, NULL);
    submit(world, "three", queue, NULL);
    for (int i = 0; i < 3; i++) {
        static const char *const ids[] = {"one", "two", "three"};
        char key[16];
        (void)snprintf(key, sizeof(key), "%s-1", ids[i]);
        world_ask(world, ids[i], key, 100, 10);
    }
}

static void one_starts_at_a_time(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "root.aware");
    assert_int_equal(world_schedule(&world), 1);
    state_is(&world, "one", "Starting");
    state_is(&world, "two", "Accepted");
    world_ask(&world, "one", "one-2", 100, 10); /* the second allocation: it runs, and the next one starts */
    assert_int_equal(world_schedule(&world), 2);
    state_is(&world, "one", "Running");
    state_is(&world, "two", "Starting");
    state_is(&world, "three", "Accepted");
    world_advance(&world, 299);
    assert_int_equal(world_schedule(&world), 0);
    world_advance(&world, 2); /* five minutes are over */
    state_is(&world, "two", "Running");
    assert_int_equal(world_schedule(&world), 1);
    state_is(&world, "three", "Starting");
    assert_int_equal(world_queue(&world, "root.aware")->running_apps, 3); /* Starting counts (R35) */
    world_done(&world);
}

static void other_leaves_never_show_starting(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "root.fifo");
    assert_int_equal(world_schedule(&world), 3);
    state_is(&world, "one", "Running");
    state_is(&world, "three", "Running");
    world_done(&world);
}

static void the_tag_skips_the_wait(void **state)
{
    (void)state;
    static const struct {
        const char *value, *want;
    } cases[] = {{"true", "Running"}, {"yes please", "Running"}, {"false", "Starting"},
                 {"", "Starting"},    {"0", "Starting"},         {"1", "Running"}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        world_init(&world, config);
        world_node(&world, "n1", 10000, 100000);
        submit(&world, "one", "root.aware", cases[i].value);
        submit(&world, "two", "root.aware", NULL);
        world_ask(&world, "one", "one-1", 100, 10);
        world_ask(&world, "two", "two-1", 100, 10);
        (void)world_schedule(&world); /* the states tell */
        if (strcmp(yk_app_state_name(world_app(&world, "one")->state), cases[i].want) != 0)
            fail_msg("'%s': %s", cases[i].value, yk_app_state_name(world_app(&world, "one")->state));
        state_is(&world, "two", strcmp(cases[i].want, "Running") == 0 ? "Starting" : "Accepted");
        world_done(&world);
    }
}

/* Four nodes, so that the cluster as a whole has room for what fits on none of them. */
static void begin_with_small_nodes(struct world *world)
{
    static const char *const ids[] = {"n1", "n2", "n3", "n4"};
    world_init(world, config);
    for (size_t i = 0; i < YK_COUNT(ids); i++)
        world_node(world, ids[i], 1000, 100000);
}

static void what_can_never_start_is_passed_by(void **state)
{
    (void)state;
    struct world world;
    begin_with_small_nodes(&world);
    submit(&world, "big", "root.aware", NULL);
    submit(&world, "small", "root.aware", NULL);
    world_ask(&world, "big", "big-1", 2000, 10); /* larger than every node */
    world_ask(&world, "small", "small-1", 100, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_int_equal(world_app(&world, "big")->allocation_count, 0);
    world_release(&world, "big", "big-1", YK_SI_STOPPED_BY_RM);
    state_is(&world, "small", "Starting");
    world_ask(&world, "big", "big-2", 100, 10);
    world_release(&world, "small", "small-1", YK_SI_STOPPED_BY_RM); /* Starting → Completing */
    state_is(&world, "small", "Completing");
    assert_int_equal(world_schedule(&world), 1);
    state_is(&world, "big", "Running"); /* was Completing meanwhile, which leads there */
    world_done(&world);
}

/* The one that is let through waits for the only node that could hold it; that node goes, and the next one
 * starts at once. */
static void a_node_goes_that_the_first_one_needs(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "large", 4000, 100000);
    world_node(&world, "small", 1000, 100000);
    world_submit(&world, "other", "root.fifo", "joe");
    world_ask(&world, "other", "other-1", 4000, 10); /* fills the large node */
    assert_int_equal(world_schedule(&world), 1);
    submit(&world, "one", "root.aware", NULL);
    submit(&world, "two", "root.aware", NULL);
    world_ask(&world, "one", "one-1", 2000, 10);
    world_ask(&world, "two", "two-1", 100, 10);
    assert_int_equal(world_schedule(&world), 0);
    world_node_action(&world, "large", YK_SI_NODE_DECOMMISSION);
    assert_int_equal(world_schedule(&world), 1);
    state_is(&world, "one", "Accepted");
    state_is(&world, "two", "Starting");
    world_done(&world);
}

static void a_failed_one_lets_the_next_one_go(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "root.aware");
    assert_int_equal(world_schedule(&world), 1);
    assert_int_equal(yk_core_remove_app(world.core, "rm", "one", NULL), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    state_is(&world, "two", "Starting");
    world_done(&world);
}

static void a_reload_changes_the_policy(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "root.aware");
    assert_int_equal(world_schedule(&world), 1);
    assert_null(world_reload(&world,
                             "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n"
                             "  - {name: root, submitacl: '*', queues: [{name: aware}]}\n"));
    assert_int_equal(world_schedule(&world), 2);
    state_is(&world, "one", "Starting"); /* as it was; the next allocation or the timer ends it */
    state_is(&world, "three", "Running");
    submit(&world, "four", "root.aware", NULL);
    submit(&world, "five", "root.aware", NULL);
    world_ask(&world, "four", "four-1", 100, 10);
    world_ask(&world, "five", "five-1", 100, 10);
    assert_null(world_reload(&world, config));
    assert_int_equal(world_schedule(&world), 0); /* one is starting still */
    world_advance(&world, 300);
    state_is(&world, "one", "Running");
    assert_int_equal(world_schedule(&world), 1);
    state_is(&world, "four", "Starting");
    state_is(&world, "five", "Accepted");
    world_done(&world);
}

static void maximum_applications_hold_the_oldest(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "root.few");
    assert_int_equal(world_schedule(&world), 1);
    world_advance(&world, 301);
    state_is(&world, "one", "Running");
    assert_int_equal(world_schedule(&world), 0); /* R36 */
    assert_int_equal(yk_core_remove_app(world.core, "rm", "one", NULL), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    state_is(&world, "two", "Starting");
    world_done(&world);
}

static void who_finds_no_node_rests(void **state)
{
    (void)state;
    struct world world;
    begin_with_small_nodes(&world);
    world_submit(&world, "a", "root.patient", "joe");
    world_ask(&world, "a", "fits", 100, 10);
    assert_int_equal(world_schedule(&world), 1);
    world_ask(&world, "a", "k1", 2000, 10);
    world_ask(&world, "a", "k2", 2000, 10);
    assert_int_equal(world_schedule(&world), 0);
    assert_false(yk_backoff_rests(world_app(&world, "a"))); /* two of three */
    world_ask(&world, "a", "k3", 3000, 10);
    assert_int_equal(world_schedule(&world), 0);
    assert_true(yk_backoff_rests(world_app(&world, "a")));
    world_ask(&world, "a", "late", 100, 10); /* would fit, but must wait */
    world_submit(&world, "b", "root.patient", "joe");
    world_ask(&world, "b", "other", 100, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "other");
    world_advance(&world, 19);
    assert_int_equal(world_schedule(&world), 0);
    world_advance(&world, 2);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "late");
    world_done(&world);
}

static void without_the_property_nobody_rests(void **state)
{
    (void)state;
    struct world world;
    begin_with_small_nodes(&world);
    world_submit(&world, "a", "root.fifo", "joe");
    for (int i = 0; i < 20; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "k%d", i);
        world_ask(&world, "a", key, 1500 + i, 10);
    }
    world_ask(&world, "a", "fits", 100, 10);
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_starts_at_a_time),
        cmocka_unit_test(other_leaves_never_show_starting),
        cmocka_unit_test(the_tag_skips_the_wait),
        cmocka_unit_test(what_can_never_start_is_passed_by),
        cmocka_unit_test(a_node_goes_that_the_first_one_needs),
        cmocka_unit_test(a_failed_one_lets_the_next_one_go),
        cmocka_unit_test(a_reload_changes_the_policy),
        cmocka_unit_test(maximum_applications_hold_the_oldest),
        cmocka_unit_test(who_finds_no_node_rests),
        cmocka_unit_test(without_the_property_nobody_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
