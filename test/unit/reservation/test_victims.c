/* SPDX-License-Identifier: Apache-2.0 */
/* What it means to be a victim (scheduling.md 6.1 step 10, 6.4), for each kind of preemption. */
#include "lib/core_world.h"
#include "partition/move.h"
#include "reservation/victims.h"

static const char queues[] = "partitions:\n- name: default\n  placementrules: [{name: provided}]\n"
                             "  queues: [{name: root, submitacl: '*', queues: [{name: a}, {name: b}]}]\n";

static struct yk_ask *ask_of(struct world *world, const char *key)
{
    return yk_app_find_ask(world_app(world, "app"), yk_str_from(key));
}

static void start(struct world *world)
{
    world_init(world, queues);
    world->core->events.on = true;
    world_node(world, "n1", 8000, 8192);
    world_submit(world, "app", "root.a", "joe");
    world_ask(world, "app", "1", 1000, 100);
    world_ask(world, "app", "2", 2000, 100);
    assert_int_equal(world_schedule(world), 2);
}

static int64_t preempting(struct world *world, const char *queue)
{
    return yk_resvec_get(&world_queue(world, queue)->preempting, YK_RESTYPE_VCORE);
}

static void take(struct world *world, const char *key)
{
    struct yk_ask *victim = ask_of(world, key);
    yk_victims_take(world_partition(world), &victim, 1, "Preempted by x");
}

static void it_is_counted_until_it_has_ended(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    take(&world, "2");
    assert_int_equal(world.released, 1);
    assert_int_equal(world.last_termination, YK_SI_PREEMPTED_BY_SCHEDULER);
    assert_string_equal(world.last_message, "Preempted by x");
    assert_int_equal(preempting(&world, "root.a"), 2000);
    assert_int_equal(preempting(&world, "root"), 2000);
    world_check(&world);
    world_ask_full(&world, "app", "2", 500, 100, 0, YK_SI_CLASS_ANY, NULL); /* resized */
    assert_int_equal(preempting(&world, "root.a"), 500);
    world_check(&world);
    world_release(&world, "app", "2", YK_SI_PREEMPTED_BY_SCHEDULER);
    assert_int_equal(world.released, 1); /* a confirmation is not answered */
    assert_int_equal(preempting(&world, "root.a"), 0);
    assert_int_equal(world_events(&world, YK_EVENT_ALLOC_PREEMPT), 1);
    world_check(&world);
    world_done(&world);
}

static void it_ends_in_any_way(void **state)
{
    (void)state;
    static const enum yk_si_termination ways[] = {YK_SI_STOPPED_BY_RM, YK_SI_SCHEDULING_FAILED_ON_RM,
                                                  YK_SI_TIMEOUT};
    for (size_t i = 0; i < YK_COUNT(ways); i++) {
        struct world world;
        start(&world);
        take(&world, "2");
        world_release(&world, "app", "2", ways[i]);
        assert_null(ask_of(&world, "2"));
        assert_int_equal(preempting(&world, "root"), 0);
        world_check(&world);
        world_done(&world);
    }
}

static void it_goes_with_its_node_and_its_application(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    start(&world);
    take(&world, "1");
    assert_int_equal(yk_app_move(world_app(&world, "app"), world_queue(&world, "root.b"), "joe", &err),
                     YK_OK);
    assert_int_equal(preempting(&world, "root.a"), 0);
    assert_int_equal(preempting(&world, "root.b"), 1000);
    world_check(&world);
    world_node_action(&world, "n1", YK_SI_NODE_DECOMMISSION);
    assert_int_equal(preempting(&world, "root"), 0);
    world_check(&world);
    world_done(&world);
}

static void who_is_eligible(void **state)
{
    (void)state;
    struct world world;
    YK_RESVEC(cores);
    YK_RESVEC(other);
    start(&world);
    yk_resvec_put(&cores, YK_RESTYPE_VCORE, 1);
    yk_resvec_put(&other, YK_RESTYPE_EPHEMERAL_STORAGE, 1);
    assert_true(yk_victim_eligible(ask_of(&world, "1"), &cores));
    assert_false(yk_victim_eligible(ask_of(&world, "1"), &other));
    take(&world, "1");
    assert_false(yk_victim_eligible(ask_of(&world, "1"), &cores));
    world_ask(&world, "app", "3", 9000, 100); /* waits */
    assert_false(yk_victim_eligible(ask_of(&world, "3"), &cores));
    struct yk_resvec size = world_size(100, 1);
    struct yk_si_allocation bound = {
        .key = "4", .application_id = "app", .resource = &size, .node_id = "n1", .required_node = "n1"};
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &bound), YK_OK);
    assert_false(yk_victim_eligible(ask_of(&world, "4"), &cores));
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_counted_until_it_has_ended),
        cmocka_unit_test(it_ends_in_any_way),
        cmocka_unit_test(it_goes_with_its_node_and_its_application),
        cmocka_unit_test(who_is_eligible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
