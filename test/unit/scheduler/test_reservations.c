/* SPDX-License-Identifier: Apache-2.0 */
/* Reservations: when they are made, what they keep others from, how they are used, and how they end
 * (scheduling.md 4, D10, D13). */
#include "scheduler/reservations.h"
#include "scheduler/world.h"

static const char config[] =
    "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
    "    queues: [{name: a}, {name: b}, {name: small, resources: {max: {vcore: 4}}}]\n";

/* Two nodes of 4 cores; `busy1` leaves 1 core free on n1, `busy2` 2 on n2. */
static void begin(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 4000, 8192);
    world_node(world, "n2", 4000, 8192);
    world_node(world, "spare", 100000, 8192); /* so that the cluster has room, but no node */
    world_node_action(world, "spare", YK_SI_NODE_DRAIN);
    world_submit(world, "app-a", "root.a", "joe");
    world_submit(world, "app-b", "root.b", "joe");
    world_ask_full(world, "app-a", "busy1", 3000, 10, 0, YK_SI_CLASS_ANY, "n1");
    world_ask_full(world, "app-a", "busy2", 2000, 10, 0, YK_SI_CLASS_ANY, "n2");
}

static const struct yk_ask *ask_of(struct world *world, const char *app, const char *key)
{
    return yk_app_find_ask(world_app(world, app), yk_str_from(key));
}

/* "" for none. */
static const char *reserved_by(struct world *world, const char *app, const char *key)
{
    const struct yk_ask *ask = ask_of(world, app, key);
    return ask == NULL || yk_ask_reservation(ask) == NULL ? "" : yk_ask_reservation(ask)->node->id;
}

static const char *node_of(struct world *world, const char *app, const char *key)
{
    const struct yk_ask *ask = ask_of(world, app, key);
    return ask == NULL || ask->node == NULL ? "" : ask->node->id;
}

static void age(struct world *world, int64_t seconds)
{
    world_advance(world, seconds);
    (void)world_schedule(world); /* how many decisions is not the question */
}

/* (a): older than 2 s, and the node that lacks least. */
static void reserves_after_the_delay(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_ask(&world, "app-b", "big", 4000, 10);
    assert_int_equal(world_schedule(&world), 0);
    assert_string_equal(reserved_by(&world, "app-b", "big"), "");
    age(&world, 1);
    assert_string_equal(reserved_by(&world, "app-b", "big"), "");
    age(&world, 2);
    assert_string_equal(reserved_by(&world, "app-b", "big"), "n2");
    assert_int_equal(world_partition(&world)->reservation_count, 1);
    assert_int_equal(world_events(&world, YK_EVENT_NODE_RESERVATION), 1);
    world_done(&world);
}

/* It refuses others while it is reserved, and the ask goes first when there is room. */
static void keeps_the_node(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_ask(&world, "app-b", "big", 4000, 10);
    age(&world, 3);
    world_ask_full(&world, "app-a", "little", 500, 10, 100, YK_SI_CLASS_ANY, NULL);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "app-a", "little"), "n1");
    world_ask_full(&world, "app-a", "second", 1000, 10, 100, YK_SI_CLASS_ANY, NULL);
    assert_int_equal(world_schedule(&world), 0); /* there is room on n2 */
    world_release(&world, "app-a", "busy2", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule_one(&world), 1);
    assert_string_equal(node_of(&world, "app-b", "big"), "n2");
    assert_int_equal(world_partition(&world)->reservation_count, 0);
    world_check(&world);
    world_done(&world);
}

/* One ask each: a second one has to take another node. */
static void one_ask_per_node(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_ask(&world, "app-b", "big1", 4000, 10);
    world_ask(&world, "app-b", "big2", 4000, 10);
    world_ask(&world, "app-b", "big3", 4000, 10);
    age(&world, 3);
    assert_string_equal(reserved_by(&world, "app-b", "big1"), "n2");
    assert_string_equal(reserved_by(&world, "app-b", "big2"), "n1");
    assert_string_equal(reserved_by(&world, "app-b", "big3"), "");
    world_node(&world, "n3", 3000, 8192); /* too small for ever */
    age(&world, 3);
    assert_string_equal(reserved_by(&world, "app-b", "big3"), "");
    world_done(&world);
}

/* Another node comes free: the ask goes there, and its node is open to others at once. */
static void moves_to_another_node(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_ask(&world, "app-b", "big", 4000, 10);
    age(&world, 3);
    world_ask(&world, "app-a", "second", 2000, 10);
    assert_int_equal(world_schedule(&world), 0);
    world_release(&world, "app-a", "busy1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 2);
    assert_string_equal(node_of(&world, "app-b", "big"), "n1");
    assert_string_equal(node_of(&world, "app-a", "second"), "n2");
    world_done(&world);
}

/* D10: a drained node serves no reservation; a removed one neither; the ask looks for another. */
static void drained_or_removed_node(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_ask(&world, "app-b", "big", 4000, 10);
    age(&world, 3);
    world_node_action(&world, "n2", YK_SI_NODE_DRAIN);
    assert_string_equal(reserved_by(&world, "app-b", "big"), "");
    age(&world, 0);
    assert_string_equal(reserved_by(&world, "app-b", "big"), "n1");
    world_node_action(&world, "n1", YK_SI_NODE_DECOMMISSION);
    assert_string_equal(reserved_by(&world, "app-b", "big"), "");
    world_node_action(&world, "n2", YK_SI_NODE_DRAIN_TO_SCHEDULABLE);
    age(&world, 3);
    assert_string_equal(reserved_by(&world, "app-b", "big"), "n2");
    assert_int_equal(world_partition(&world)->reservation_count, 1);
    world_done(&world);
}

/* A node that has become too small for ever is given up. */
static void node_that_can_not_help(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_ask(&world, "app-b", "big", 4000, 10);
    age(&world, 3);
    struct yk_resvec less = world_size(3000, 8192);
    struct yk_si_node update = {.node_id = "n2", .action = YK_SI_NODE_UPDATE, .capacity = &less};
    assert_int_equal(yk_core_update_node(world.core, "rm", &update), YK_OK);
    assert_string_equal(reserved_by(&world, "app-b", "big"), "");
    age(&world, 3);
    assert_string_equal(reserved_by(&world, "app-b", "big"), "n1");
    /* A pod that never ends takes part of it. */
    struct yk_resvec part = world_size(500, 10);
    struct yk_si_allocation pod = {
        .key = "mirror", .node_id = "n1", .resource = &part, .foreign = true, .foreign_static = true};
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &pod), YK_OK);
    assert_string_equal(reserved_by(&world, "app-b", "big"), "");
    age(&world, 3);
    assert_int_equal(world_partition(&world)->reservation_count, 0);
    world_done(&world);
}

/* The ask or its application goes. */
static void ends_with_the_ask(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_ask(&world, "app-b", "big1", 4000, 10);
    world_ask(&world, "app-b", "big2", 4000, 10);
    age(&world, 3);
    world_ask(&world, "app-a", "second", 2000, 10);
    assert_int_equal(world_schedule(&world), 0);
    world_release(&world, "app-b", "big1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_partition(&world)->reservation_count, 1);
    assert_int_equal(world_schedule(&world), 1); /* what n2 had free */
    assert_int_equal(yk_core_remove_app(world.core, "rm", "app-b", NULL), YK_OK);
    assert_int_equal(world_partition(&world)->reservation_count, 0);
    assert_int_equal(world_events(&world, YK_EVENT_NODE_RESERVATION), 4);
    world_check(&world);
    world_done(&world);
}

/* Without headroom the ask keeps its node, but not for longer than an hour. */
static void wait_limit(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "app-s", "root.small", "joe");
    world_ask(&world, "app-s", "big", 4000, 10);
    age(&world, 3);
    assert_string_equal(reserved_by(&world, "app-s", "big"), "n2");
    world_ask(&world, "app-s", "other", 500, 10); /* takes from the queue what `big` needs */
    assert_int_equal(world_schedule(&world), 1);
    world_release(&world, "app-a", "busy2", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 0); /* there is room on the node */
    age(&world, 3500);
    assert_string_equal(reserved_by(&world, "app-s", "big"), "n2");
    age(&world, 101);
    assert_string_equal(reserved_by(&world, "app-s", "big"), "");
    world_release(&world, "app-s", "other", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "app-s", "big"), "n2");
    world_done(&world);
}

/* The queue gets room before that: it goes to its node. */
static void queue_gets_room(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "app-s", "root.small", "joe");
    world_ask(&world, "app-s", "big", 4000, 10);
    age(&world, 3);
    world_ask(&world, "app-s", "other", 500, 10);
    assert_int_equal(world_schedule(&world), 1);
    world_release(&world, "app-a", "busy2", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 0);
    world_release(&world, "app-s", "other", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "app-s", "big"), "n2");
    world_done(&world);
}

/* DISABLE_RESERVATION: nothing for waiting alone. */
static void switched_off(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world.core->reservation_delay_ns = INT64_MAX;
    world_ask(&world, "app-b", "big", 4000, 10);
    age(&world, 10000);
    assert_string_equal(reserved_by(&world, "app-b", "big"), "");
    world_done(&world);
}

/* Nothing is to be done while nothing can change. */
static void sleeps(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_ask(&world, "app-b", "big", 4000, 10);
    world_ask(&world, "app-b", "huge", 40000, 10);
    age(&world, 3);
    assert_false(yk_core_has_work(world.core));
    assert_true(yk_timers_next_ns(&world.timers) - yk_clock_mono_ns(&world.clock) > 60 * YK_NS_PER_S);
    world_done(&world);
}

/* 6.1 step 4: whose reservation a preemptor may cancel. */
static void who_yields_to_a_preemptor(void **state)
{
    static const char with_guarantees[] =
        "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
        "    queues: [{name: a}, {name: none}, {name: has, resources: {guaranteed: {vcore: 4}}}]\n";
    static const struct {
        const char *queue;
        int32_t priority;
        int64_t age_s;
        bool used_up, yields;
    } cases[] = {
        {"root.none", 0, 3, false, true},     {"root.none", 100, 3, false, true},
        {"root.has", 0, 3, false, false},     {"root.has", 9, 3700, false, true},
        {"root.has", 10, 3700, false, false}, {"root.has", 0, 3, true, true},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        world_init(&world, with_guarantees);
        world_node(&world, "n1", 4000, 8192);
        world_node(&world, "spare", 100000, 8192);
        world_submit(&world, "keeper", cases[i].queue, "joe");
        world_submit(&world, "preemptor", "root.a", "joe");
        world_ask_full(&world, "keeper", "runs", cases[i].used_up ? 1000 : 0, 10, 0, YK_SI_CLASS_ANY,
                       "spare");
        world_ask_full(&world, "preemptor", "busy", 1000, 10, 0, YK_SI_CLASS_ANY, "n1");
        world_node_action(&world, "spare", YK_SI_NODE_DRAIN);
        world_ask_full(&world, "keeper", "big", 4000, 10, cases[i].priority, YK_SI_CLASS_ANY, NULL);
        (void)world_schedule(&world); /* nothing fits */
        age(&world, 3);
        assert_string_equal(reserved_by(&world, "keeper", "big"), "n1");
        world_advance(&world, cases[i].age_s - 3);
        world_ask_full(&world, "preemptor", "p", 4000, 10, 10, YK_SI_CLASS_ANY, NULL);
        const struct yk_node *node = yk_ask_reservation(ask_of(&world, "keeper", "big"))->node;
        if (yk_reservations_may_yield(world_partition(&world), node, ask_of(&world, "preemptor", "p")) !=
            cases[i].yields)
            fail_msg("case %zu", i);
        world_done(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reserves_after_the_delay),
        cmocka_unit_test(keeps_the_node),
        cmocka_unit_test(one_ask_per_node),
        cmocka_unit_test(moves_to_another_node),
        cmocka_unit_test(drained_or_removed_node),
        cmocka_unit_test(node_that_can_not_help),
        cmocka_unit_test(ends_with_the_ask),
        cmocka_unit_test(wait_limit),
        cmocka_unit_test(queue_gets_room),
        cmocka_unit_test(switched_off),
        cmocka_unit_test(sleeps),
        cmocka_unit_test(who_yields_to_a_preemptor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
