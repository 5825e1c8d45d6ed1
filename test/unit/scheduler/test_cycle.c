/* SPDX-License-Identifier: Apache-2.0 */
/* The cycle: who is tried first, what holds an ask back, what wakes it again
 * (scheduling.md 3.3, 3.5, 3.6, 7.3, 7.4). */
#include "lib/core_world.h"

static const char two_leaves[] = "partitions:\n"
                                 "- name: default\n"
                                 "  queues:\n"
                                 "  - name: root\n"
                                 "    submitacl: '*'\n"
                                 "    queues:\n"
                                 "    - name: a\n"
                                 "      resources: {max: {vcore: 2}}\n"
                                 "    - name: b\n";

static void ask_goes_to_the_least_used_node(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, two_leaves);
    world_node(&world, "n1", 4000, 4096);
    world_node(&world, "n2", 4000, 4096);
    world_submit(&world, "app", "root.b", "joe");
    world_ask(&world, "app", "k1", 1000, 1024);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_node, "n1"); /* equal score: by name */
    world_ask(&world, "app", "k2", 1000, 1024);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_node, "n2");
    assert_string_equal(world.last_state, "Running");
    world_done(&world);
}

static void binpacking_fills_the_used_node_first(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions:\n- name: default\n  nodesortpolicy: {type: binpacking}\n  queues:\n"
                       "  - {name: root, submitacl: '*', queues: [{name: b}]}\n");
    world_node(&world, "n1", 4000, 4096);
    world_node(&world, "n2", 4000, 4096);
    world_submit(&world, "app", "root.b", "joe");
    const char *keys[] = {"k1", "k2", "k3", "k4"};
    for (size_t i = 0; i < YK_COUNT(keys); i++) {
        world_ask(&world, "app", keys[i], 1000, 1024);
        assert_int_equal(world_schedule(&world), 1);
        assert_string_equal(world.last_node, "n1");
    }
    world_ask(&world, "app", "k5", 1000, 1024);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_node, "n2");
    world_done(&world);
}

static void queue_maximum_holds_back_and_release_wakes(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, two_leaves);
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "app", "root.a", "joe");
    const char *keys[] = {"k1", "k2", "k3"};
    for (size_t i = 0; i < YK_COUNT(keys); i++)
        world_ask(&world, "app", keys[i], 1000, 1024);
    assert_int_equal(world_schedule(&world), 2);
    assert_false(yk_core_has_work(world.core)); /* parked: costs nothing */
    assert_int_equal(world_schedule(&world), 0);
    world_release(&world, "app", "k1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "k3");
    world_done(&world);
}

static void blocked_queue_does_not_stop_its_sibling(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, two_leaves);
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "a", "root.a", "joe");
    world_submit(&world, "b", "root.b", "joe");
    world_ask(&world, "a", "big", 3000, 1024);
    world_ask(&world, "a", "small", 1000, 1024);
    world_ask(&world, "b", "other", 3000, 1024);
    assert_int_equal(world_schedule(&world), 2); /* the big one can never run, the small one behind it can */
    assert_int_equal(world_app(&world, "a")->pending_groups.count, 1);
    world_done(&world);
}

static void waits_for_nodes_and_wakes(void **state)
{
    (void)state;
    enum wake { NODE_ADDED, NODE_FREED, NODE_OPENED, NODE_GREW, FOREIGN_GONE };
    static const struct {
        const char *what;
        enum wake wake;
    } cases[] = {
        {"a node that fits is added", NODE_ADDED},        {"an allocation on the node ends", NODE_FREED},
        {"a drained node takes pods again", NODE_OPENED}, {"the node gets larger", NODE_GREW},
        {"a foreign pod leaves the node", FOREIGN_GONE},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        world_init(&world, two_leaves);
        world_node(&world, "n1", 4000, 8192);
        world_node(&world, "n2", 4000, 8192);
        world_node_action(&world, "n2", YK_SI_NODE_DRAIN);
        world_submit(&world, "app", "root.b", "joe");
        struct yk_resvec foreign_size = world_size(2000, 512);
        struct yk_si_allocation foreign = {
            .key = "foreign", .node_id = "n1", .resource = &foreign_size, .foreign = true};
        assert_int_equal(yk_core_update_allocation(world.core, "rm", &foreign), YK_OK);
        world_ask(&world, "app", "first", 1000, 1024);
        assert_int_equal(world_schedule(&world), 1);
        world_ask(&world, "app", "second", 2000, 1024);
        assert_int_equal(world_schedule(&world), 0);
        assert_false(yk_core_has_work(world.core));

        struct yk_resvec larger = world_size(8000, 8192);
        struct yk_si_node grow = {.node_id = "n1", .action = YK_SI_NODE_UPDATE, .capacity = &larger};
        struct yk_si_release gone = {.key = "foreign", .termination = YK_SI_STOPPED_BY_RM};
        yk_resvec_put(&larger, YK_RESTYPE_PODS, 110);
        switch (cases[i].wake) {
        case NODE_ADDED:
            world_node(&world, "n3", 2000, 2048);
            break;
        case NODE_FREED:
            world_release(&world, "app", "first", YK_SI_STOPPED_BY_RM);
            break;
        case NODE_OPENED:
            world_node_action(&world, "n2", YK_SI_NODE_DRAIN_TO_SCHEDULABLE);
            break;
        case NODE_GREW:
            assert_int_equal(yk_core_update_node(world.core, "rm", &grow), YK_OK);
            break;
        case FOREIGN_GONE:
            assert_int_equal(yk_core_release(world.core, "rm", &gone), YK_OK);
            break;
        }
        if (world_schedule(&world) != 1)
            fail_msg("%s: the ask stays parked", cases[i].what);
        world_done(&world);
    }
}

static void class_limits_nodes(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, two_leaves);
    world.class_letter = 'x';
    world_node(&world, "n1", 4000, 8192);
    world_submit(&world, "app", "root.b", "joe");
    world_ask_full(&world, "app", "k1", 1000, 1024, 0, 1, NULL);
    assert_int_equal(world_schedule(&world), 0);
    world_node(&world, "n2", 4000, 8192);
    assert_int_equal(world_schedule(&world), 0);
    world_node(&world, "x1", 4000, 8192);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_node, "x1");
    /* A relabelled node counts once its constraints are asked for again. */
    world_ask_full(&world, "app", "k2", 4000, 1024, 0, 1, NULL);
    assert_int_equal(world_schedule(&world), 0);
    world.class_letter = 'n';
    struct yk_si_node relabelled = {
        .node_id = "n2", .action = YK_SI_NODE_UPDATE, .constraints_changed = true};
    assert_int_equal(yk_core_update_node(world.core, "rm", &relabelled), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_node, "n2");
    world_done(&world);
}

static void order_within_an_application(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, two_leaves);
    world_node(&world, "n1", 8000, 81920);
    world_submit(&world, "app", "root.b", "joe");
    world_ask_full(&world, "app", "old", 100, 10, 0, YK_SI_CLASS_ANY, NULL);
    world_advance(&world, 1);
    world_ask_full(&world, "app", "urgent", 100, 10, 5, YK_SI_CLASS_ANY, NULL);
    world_ask_full(&world, "app", "young", 200, 10, 0, YK_SI_CLASS_ANY, NULL);
    static const char *const want[] = {"urgent", "old", "young"};
    for (size_t i = 0; i < YK_COUNT(want); i++) {
        assert_int_equal(world_schedule_one(&world), 1);
        assert_string_equal(world.last_key, want[i]);
    }
    world_done(&world);
}

static void applications_fifo_fair_and_priority(void **state)
{
    (void)state;
    static const struct {
        const char *what, *properties;
        int32_t priority_of_second;
        const char *want; /* owners of the first four decisions */
    } cases[] = {
        {"fifo: the first one entirely", "application.sort.policy: fifo", 0, "1111"},
        {"fair: in turns", "application.sort.policy: fair", 0, "1212"},
        {"fifo: priority first", "application.sort.policy: fifo", 1, "2222"},
        {"fifo without priority", "application.sort.policy: fifo, application.sort.priority: disabled", 1,
         "1111"},
        {"fair: priority first", "application.sort.policy: fair", 1, "2222"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        char config[512], got[8] = {0};
        (void)snprintf(
            config, sizeof(config),
            "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
            "    - name: q\n      properties: {%s}\n",
            cases[i].properties);
        world_init(&world, config);
        world_node(&world, "n1", 80000, 81920);
        world_submit(&world, "app1", "root.q", "joe");
        world_advance(&world, 1);
        world_submit(&world, "app2", "root.q", "joe");
        for (int k = 0; k < 4; k++) {
            char key[16];
            (void)snprintf(key, sizeof(key), "1-%d", k);
            world_ask_full(&world, "app1", key, 100, 10, 0, YK_SI_CLASS_ANY, NULL);
            (void)snprintf(key, sizeof(key), "2-%d", k);
            world_ask_full(&world, "app2", key, 100, 10, cases[i].priority_of_second, YK_SI_CLASS_ANY, NULL);
        }
        for (int k = 0; k < 4; k++) {
            assert_int_equal(world_schedule_one(&world), 1);
            got[k] = world.last_key[0];
        }
        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s: got %s", cases[i].what, got);
        world_check(&world);
        world_done(&world);
    }
}

static void child_queues_by_fair_share(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
               "    - {name: x, resources: {guaranteed: {vcore: 3}}}\n"
               "    - {name: y, resources: {guaranteed: {vcore: 1}}}\n");
    world_node(&world, "n1", 8000, 81920);
    world_submit(&world, "x", "root.x", "joe");
    world_submit(&world, "y", "root.y", "joe");
    for (int k = 0; k < 8; k++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "x-%d", k);
        world_ask(&world, "x", key, 1000, 10);
        (void)snprintf(key, sizeof(key), "y-%d", k);
        world_ask(&world, "y", key, 1000, 10);
    }
    for (int k = 0; k < 8; k++)
        assert_int_equal(world_schedule_one(&world), 1);
    /* Both are at twice their guarantee: 6 and 2. */
    assert_int_equal(yk_resvec_get(&world_queue(&world, "root.x")->allocated, YK_RESTYPE_VCORE), 6000);
    assert_int_equal(yk_resvec_get(&world_queue(&world, "root.y")->allocated, YK_RESTYPE_VCORE), 2000);
    world_check(&world);
    world_done(&world);
}

static void running_applications_are_limited(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
               "    - {name: q, maxapplications: 1}\n");
    world_node(&world, "n1", 8000, 81920);
    world_submit(&world, "one", "root.q", "joe");
    world_submit(&world, "two", "root.q", "joe");
    world_ask(&world, "one", "1", 100, 10);
    world_ask(&world, "two", "2", 100, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_int_equal(world_queue(&world, "root.q")->running_apps, 1);
    assert_false(yk_core_has_work(world.core));
    world_release(&world, "one", "1", YK_SI_STOPPED_BY_RM); /* nothing left: Completing, no longer running */
    assert_string_equal(yk_app_state_name(world_app(&world, "one")->state), "Completing");
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "2");
    world_done(&world);
}

static void removed_node_takes_its_allocations_along(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, two_leaves);
    world_node(&world, "n1", 4000, 8192);
    world_submit(&world, "app", "root.b", "joe");
    world_ask(&world, "app", "k1", 1000, 1024);
    assert_int_equal(world_schedule(&world), 1);
    world_node_action(&world, "n1", YK_SI_NODE_DECOMMISSION);
    world_check(&world);
    assert_int_equal(world.released, 1);
    assert_int_equal(world_partition(&world)->allocation_count, 0);
    assert_false(world_partition(&world)->root->has_max);
    world_done(&world);
}

static void failed_bind_makes_the_ask_pending_again(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, two_leaves);
    world_node(&world, "n1", 1000, 1024);
    world_submit(&world, "app", "root.b", "joe");
    world_ask(&world, "app", "k1", 1000, 1024);
    assert_int_equal(world_schedule(&world), 1);
    world_release(&world, "app", "k1", YK_SI_SCHEDULING_FAILED_ON_RM);
    world_check(&world);
    assert_string_equal(yk_app_state_name(world_app(&world, "app")->state), "Running");
    assert_int_equal(world.released, 0);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "k1");
    world_done(&world);
}

static void resize_moves_the_difference(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, two_leaves);
    world_node(&world, "n1", 4000, 8192);
    world_submit(&world, "app", "root.b", "joe");
    world_ask(&world, "app", "placed", 1000, 1024);
    assert_int_equal(world_schedule(&world), 1);
    world_ask(&world, "app", "waiting", 5000, 1024);
    assert_int_equal(world_schedule(&world), 0);
    world_ask(&world, "app", "placed", 3000, 1024);
    world_check(&world);
    assert_int_equal(yk_resvec_get(&world_queue(&world, "root")->allocated, YK_RESTYPE_VCORE), 3000);
    world_ask(&world, "app", "waiting", 1000, 1024);
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

static uint64_t observed(const struct yk_histogram *histogram)
{
    uint64_t sum = 0;
    for (int i = 0; i <= YK_HISTOGRAM_BUCKETS; i++)
        sum += histogram->counts[i];
    return sum;
}

/* rest.md 10.1: of decisions in a row the first and every 64th are measured, and count for those before
 * them. */
static void steps_of_decisions_are_counted(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    const struct yk_metrics *metrics = &world.core->metrics;
    const struct yk_histogram *const histograms[] = {&metrics->sorting_queues, &metrics->sorting_apps,
                                                     &metrics->trynode_evaluation, &metrics->trynode};
    world_node(&world, "n1", 100000, 100000);
    world_node(&world, "n2", 100000, 100000);
    world_submit(&world, "app", "root.a", "u");
    static const struct {
        const char *what;
        int asks;
        uint64_t observed, unmeasured;
    } steps[] = {
        {"the first", 1, 1, 0},
        {"129 in a row: the first, the 65th, the last", 129, 130, 0},
        {"one more than the first", 2, 131, 1},
        {"the next that is measured stands for it", 1, 133, 0},
    };
    int number = 0;
    for (size_t i = 0; i < YK_COUNT(steps); i++) {
        for (int n = 0; n < steps[i].asks; n++) {
            char key[16];
            (void)snprintf(key, sizeof(key), "ask-%d", number++);
            world_ask(&world, "app", key, 1, 1);
        }
        assert_int_equal(world_schedule(&world), steps[i].asks);
        for (size_t h = 0; h < YK_COUNT(histograms); h++) {
            if (observed(histograms[h]) != steps[i].observed ||
                histograms[h]->unmeasured != steps[i].unmeasured)
                fail_msg("%s: histogram %zu: %llu observed, %llu not measured", steps[i].what, h,
                         (unsigned long long)observed(histograms[h]),
                         (unsigned long long)histograms[h]->unmeasured);
        }
    }
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ask_goes_to_the_least_used_node),
        cmocka_unit_test(binpacking_fills_the_used_node_first),
        cmocka_unit_test(queue_maximum_holds_back_and_release_wakes),
        cmocka_unit_test(blocked_queue_does_not_stop_its_sibling),
        cmocka_unit_test(waits_for_nodes_and_wakes),
        cmocka_unit_test(class_limits_nodes),
        cmocka_unit_test(order_within_an_application),
        cmocka_unit_test(applications_fifo_fair_and_priority),
        cmocka_unit_test(child_queues_by_fair_share),
        cmocka_unit_test(running_applications_are_limited),
        cmocka_unit_test(removed_node_takes_its_allocations_along),
        cmocka_unit_test(failed_bind_makes_the_ask_pending_again),
        cmocka_unit_test(resize_moves_the_difference),
        cmocka_unit_test(steps_of_decisions_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
