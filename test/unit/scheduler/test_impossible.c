/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A group that can never start with the present nodes and limits lends its priority to no queue: the other asks of its
 * queues come in the place that they would have without it (queues.md R46).
 */
#include "lib/core_world.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"        \
    "    submitacl: '*'\n    queues:\n"

/* Two queues; in each an application with a row of asks of one core, priority 0, on a node that is full of others.
 * `a` has twice as much as `b`, so by shares `b` is the next. */
static void begin(struct world *world, const char *queues)
{
    char config[1024];
    (void)snprintf(config, sizeof(config), HEAD "%s", queues);
    world_init(world, config);
    world_node(world, "n1", 6000, 100000);
    world_submit(world, "a", "root.a", "joe");
    world_submit(world, "b", "root.b", "joe");
    for (int i = 0; i < 8; i++) {
        char key[8];
        (void)snprintf(key, sizeof(key), "a%d", i);
        world_ask_full(world, "a", key, 1000, 1, 0, YK_SI_CLASS_ANY, i < 4 ? "n1" : NULL);
        (void)snprintf(key, sizeof(key), "b%d", i);
        world_ask_full(world, "b", key, 1000, 1, 0, YK_SI_CLASS_ANY, i < 2 ? "n1" : NULL);
    }
    assert_int_equal(world_schedule(world), 0);
}

static void ask_high(struct world *world, const char *app, const char *key, int64_t vcore)
{
    world_ask_full(world, app, key, vcore, 1, 5, YK_SI_CLASS_ANY, NULL);
    assert_int_equal(world_schedule(world), 0);
}

static void next_is(struct world *world, const char *key)
{
    assert_int_equal(world_schedule(world), 1);
    assert_string_equal(world->last_key, key);
    world_check(world);
}

/* One core becomes free. */
static void end(struct world *world, const char *key)
{
    char app[2] = {key[0], '\0'};
    world_release(world, app, key, YK_SI_STOPPED_BY_RM);
}

/* What comes free goes to the queue with the smaller share, until both have as much. */
static void shares_decide(struct world *world)
{
    end(world, "a0");
    next_is(world, "b2");
    end(world, "b0");
    next_is(world, "b3");
    end(world, "a1");
    next_is(world, "a4");
}

#define PLAIN "    - name: a\n    - name: b\n"

static void no_node_is_large_enough(void **state)
{
    (void)state;
    struct world world;
    begin(&world, PLAIN);
    ask_high(&world, "a", "high", 7000);
    shares_decide(&world);
    assert_int_equal(world_queue(&world, "root.a")->priority, 0);
    assert_int_equal(world_app(&world, "a")->priority, 0);
    world_done(&world);
}

static void each_level_counts(void **state)
{
    (void)state;
    struct world world;
    begin(&world, PLAIN);
    ask_high(&world, "a", "high", 7000);
    world_ask_full(&world, "a", "middle", 1000, 1, 3, YK_SI_CLASS_ANY, NULL);
    end(&world, "a3");
    next_is(&world, "middle"); /* it has its own priority, and no need of that of the large one */
    shares_decide(&world);
    world_done(&world);
}

static void it_is_larger_than_a_maximum(void **state)
{
    (void)state;
    static const struct {
        const char *what, *queues;
    } cases[] = {
        {"a user", "    - name: a\n      limits: [{limit: x, users: [ann], maxresources: {vcore: 1}}]\n    - "
                   "name: b\n"},
        {"a queue", "    - name: a\n      resources: {max: {vcore: 5}}\n    - name: b\n"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world, cases[i].queues);
        print_message("%s\n", cases[i].what);
        world_submit(&world, "ann", "root.a", "ann");
        ask_high(&world, "ann", "high", 6000);
        shares_decide(&world);
        assert_int_equal(world_queue(&world, "root.a")->priority, 0);
        assert_null(world_reload(&world, HEAD PLAIN)); /* without the maximum */
        assert_int_equal(world_schedule(&world), 0);
        assert_int_equal(world_queue(&world, "root.a")->priority, 5);
        world_node(&world, "n2", 6000, 100000);
        next_is(&world, "high");
        world_done(&world);
    }
}

/* Its limit has room for it at other times: the queue comes first because of it. */
static void one_that_waits_for_a_limit_counts(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    - name: a\n      resources: {max: {vcore: 5}}\n    - name: b\n");
    ask_high(&world, "a", "high", 2000);
    assert_int_equal(world_queue(&world, "root.a")->priority, 5);
    end(&world, "b0");
    next_is(&world, "a4");
    world_done(&world);
}

/* Nothing of a held application is tried, and yet it counts only if it could start. */
static void its_application_is_held(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    - name: a\n      maxapplications: 1\n    - name: b\n");
    world_submit(&world, "held", "root.a", "joe");
    ask_high(&world, "held", "high", 7000);
    assert_int_equal(world_queue(&world, "root.a")->priority, 0);
    shares_decide(&world);
    world_done(&world);
}

static void the_place_in_its_leaf(void **state)
{
    (void)state;
    struct world world;
    begin(&world, PLAIN);
    world_submit(&world, "a2", "root.a", "joe");
    ask_high(&world, "a", "high", 7000);
    world_ask_full(&world, "a2", "middle", 1000, 1, 3, YK_SI_CLASS_ANY, NULL);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(world_app(&world, "a")->priority, 0);
    assert_int_equal(world_queue(&world, "root.a")->priority, 3);
    end(&world, "b0");
    next_is(&world, "middle");
    world_done(&world);
}

static void its_node_goes(void **state)
{
    (void)state;
    struct world world;
    begin(&world, PLAIN);
    world_node(&world, "n2", 7000, 100000);
    world_submit(&world, "x", "root.b", "joe");
    world_ask_full(&world, "x", "whole", 7000, 1, 9, YK_SI_CLASS_ANY, "n2");
    ask_high(&world, "a", "high", 7000);
    assert_int_equal(world_queue(&world, "root.a")->priority, 5);
    world_node_action(&world, "n2", YK_SI_NODE_DECOMMISSION);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(world_queue(&world, "root.a")->priority, 0);
    world_check(&world);
    world_done(&world);
}

/* Node `id` has `vcore` millicores now, and other constraints. */
static void node_changes(struct world *world, const char *id, int64_t vcore)
{
    struct yk_resvec capacity = world_size(vcore, 100000);
    yk_resvec_put(&capacity, YK_RESTYPE_PODS, 110);
    struct yk_si_node change = {
        .node_id = id, .action = YK_SI_NODE_UPDATE, .capacity = &capacity, .constraints_changed = true};
    assert_int_equal(yk_core_update_node(world->core, "rm", &change), YK_OK);
}

static void queue_has(struct world *world, int32_t priority)
{
    assert_int_equal(world_schedule(world), 0);
    assert_int_equal(world_queue(world, "root.a")->priority, priority);
    world_check(world);
}

static void each_of_its_nodes_is_enough(void **state)
{
    (void)state;
    struct world world;
    begin(&world, PLAIN);
    world_submit(&world, "x", "root.b", "joe");
    for (int i = 0; i < 3; i++) {
        char node[8], key[8];
        (void)snprintf(node, sizeof(node), "m%d", i);
        (void)snprintf(key, sizeof(key), "x%d", i);
        world_node(&world, node, 7000, 100000);
        world_ask_full(&world, "x", key, 7000, 1, 9, YK_SI_CLASS_ANY, node);
    }
    ask_high(&world, "a", "high", 7000);
    world_ask_full(&world, "a", "other", 6500, 1, 4, YK_SI_CLASS_ANY, NULL);
    queue_has(&world, 5);
    world_node_action(&world, "m1", YK_SI_NODE_DECOMMISSION);
    queue_has(&world, 5);
    node_changes(&world, "m0", 6800);
    queue_has(&world, 5);
    node_changes(&world, "m2", 6400);
    queue_has(&world, 4);
    node_changes(&world, "m0", 6300);
    queue_has(&world, 0);
    node_changes(&world, "m2", 7000);
    queue_has(&world, 5);
    world_node_action(&world, "n1", YK_SI_NODE_DECOMMISSION);
    world_node_action(&world, "m0", YK_SI_NODE_DECOMMISSION);
    world_node_action(&world, "m2", YK_SI_NODE_DECOMMISSION);
    queue_has(&world, 5);                               /* without nodes nothing is decided */
    world_node_action(&world, "m4", YK_SI_NODE_CREATE); /* has no capacity yet, so nothing could start */
    queue_has(&world, YK_PRIORITY_NONE);
    world_node(&world, "m5", 1000, 100);
    assert_int_equal(world_schedule(&world), 1);
    queue_has(&world, 0);
    world_done(&world);
}

static void constraints_of_its_node_change(void **state)
{
    (void)state;
    struct world world;
    begin(&world, PLAIN);
    world.class_letter = 'm';
    world_ask_full(&world, "a", "high", 5000, 1, 5, 1, NULL);
    queue_has(&world, 0);
    world_node(&world, "m1", 4000, 100000);
    assert_int_equal(world_schedule(&world), 4);
    queue_has(&world, 0);
    node_changes(&world, "m1", 5000);
    assert_int_equal(world_schedule(&world), 1);
    queue_has(&world, 5);
    world.class_letter = 'z';
    node_changes(&world, "m1", 5000);
    queue_has(&world, 0);
    node_changes(&world, "n1", 6000);
    queue_has(&world, 0);
    world.class_letter = 'm';
    node_changes(&world, "m1", 5000);
    queue_has(&world, 5);
    world_done(&world);
}

static void it_is_the_first_when_a_node_comes(void **state)
{
    (void)state;
    struct world world;
    begin(&world, PLAIN);
    world_submit(&world, "a2", "root.a", "joe");
    ask_high(&world, "a2", "high", 7000);
    end(&world, "a0");
    next_is(&world, "b2");
    world_node(&world, "n2", 7000, 100000);
    next_is(&world, "high");
    world_done(&world);
}

/* More wait than one turn looks at. */
static void it_is_the_first_beside_many(void **state)
{
    (void)state;
    struct world world;
    begin(&world, PLAIN);
    for (int i = 0; i < 200; i++) {
        char id[8];
        (void)snprintf(id, sizeof(id), "s%d", i);
        world_submit(&world, id, "root.b", "joe");
        world_ask_full(&world, id, id, 1000, 1, 0, YK_SI_CLASS_ANY, NULL);
    }
    ask_high(&world, "a", "high", 7000);
    assert_int_equal(world_queue(&world, "root.a")->priority, 0);
    world_node(&world, "n2", 7000, 100000);
    next_is(&world, "high");
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_node_is_large_enough),
        cmocka_unit_test(each_level_counts),
        cmocka_unit_test(it_is_larger_than_a_maximum),
        cmocka_unit_test(one_that_waits_for_a_limit_counts),
        cmocka_unit_test(its_application_is_held),
        cmocka_unit_test(the_place_in_its_leaf),
        cmocka_unit_test(its_node_goes),
        cmocka_unit_test(each_of_its_nodes_is_enough),
        cmocka_unit_test(constraints_of_its_node_change),
        cmocka_unit_test(it_is_the_first_beside_many),
        cmocka_unit_test(it_is_the_first_when_a_node_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
