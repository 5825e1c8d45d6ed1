/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes, partitions and how often one decides, in scheduling.md: 1.5, 2.7, 2.8, 3.1, 7.3 (D11,
 * D20). */
#include "lib/core_world.h"

static const char config[] =
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n    - {name: a}\n";

static struct yk_node *node(struct world *world, const char *id)
{
    return yk_partition_find_node(world_partition(world), id);
}

static int64_t root_max(struct world *world)
{
    return yk_resvec_get(&world_partition(world)->root->max, YK_RESTYPE_VCORE);
}

static void create_drained(struct world *world, const char *id)
{
    struct yk_resvec capacity = world_size(4000, 4096);
    yk_resvec_put(&capacity, YK_RESTYPE_PODS, 110);
    const struct yk_si_node request = {
        .node_id = id, .action = YK_SI_NODE_CREATE_DRAIN, .capacity = &capacity};
    assert_int_equal(yk_core_update_node(world->core, "rm", &request), YK_OK);
}

static void foreign(struct world *world, const char *key, const char *on, int64_t vcore)
{
    struct yk_resvec size = world_size(vcore, 10);
    const struct yk_si_allocation pod = {.key = key, .node_id = on, .resource = &size, .foreign = true};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &pod), YK_OK);
}

/* 2.7: what each action does to who may use the node, to the total and to what is answered. */
static void actions_of_nodes(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum yk_si_node_action action;
        bool want_there, want_schedulable;
        int64_t want_max;
        size_t want_events; /* NODE_SCHEDULABLE */
    } steps[] = {
        {"open although it is", YK_SI_NODE_DRAIN_TO_SCHEDULABLE, true, true, 4000, 0},
        {"close", YK_SI_NODE_DRAIN, true, false, 4000, 1},
        {"close again: nothing", YK_SI_NODE_DRAIN, true, false, 4000, 0},
        {"open", YK_SI_NODE_DRAIN_TO_SCHEDULABLE, true, true, 4000, 1},
        {"unknown action", YK_SI_NODE_UNKNOWN, true, true, 4000, 0},
        {"an unknown number", (enum yk_si_node_action)77, true, true, 4000, 0},
        {"remove", YK_SI_NODE_DECOMMISSION, false, false, 0, 1},
        {"remove again", YK_SI_NODE_DECOMMISSION, false, false, 0, 0},
    };
    struct world world;
    world_init(&world, config);
    world_node(&world, "n", 4000, 4096);
    for (size_t i = 0; i < YK_COUNT(steps); i++) {
        size_t before = world_events(&world, YK_EVENT_NODE_SCHEDULABLE);
        world_node_action(&world, "n", steps[i].action);
        const struct yk_node *n = node(&world, "n");
        size_t told = world_events(&world, YK_EVENT_NODE_SCHEDULABLE) - before;
        if ((n != NULL) != steps[i].want_there ||
            (n != NULL && n->schedulable != steps[i].want_schedulable) ||
            root_max(&world) != steps[i].want_max || told != steps[i].want_events)
            fail_msg("%s: root has %lld, %zu events", steps[i].what, (long long)root_max(&world), told);
        world_check(&world);
    }
    assert_int_equal(world.node_accepted, 1); /* only a new node is answered (1.5) */
    assert_int_equal(world.node_rejected, 0);
    assert_int_equal(world.core->metrics.nodes_decommissioned, 1);
    world_done(&world);
}

/* 1.8, 2.7: CREATE_DRAIN, what runs there, then open: the way to register a node with allocations. */
static void drained_until_its_pods_are_known(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    create_drained(&world, "n");
    assert_int_equal(world.node_accepted, 1);
    assert_false(node(&world, "n")->schedulable);
    assert_int_equal(root_max(&world), 4000);
    world_submit(&world, "app", "root.a", "ann");
    world_ask(&world, "app", "waits", 1000, 10);
    assert_int_equal(world_schedule(&world), 0);
    world_ask_full(&world, "app", "bound", 3000, 10, 0, YK_SI_CLASS_ANY, "n"); /* recovered all the same */
    world_node_action(&world, "n", YK_SI_NODE_DRAIN_TO_SCHEDULABLE);
    assert_int_equal(world_schedule(&world), 1);
    world_node_action(&world, "n", YK_SI_NODE_DRAIN); /* what runs there stays */
    assert_int_equal(world_partition(&world)->allocation_count, 2);
    world_check(&world);
    world_done(&world);
}

/* 1.8: n asks out of one, each an ask of its own. */
static void one_ask_many_times(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    struct yk_resvec size = world_size(1000, 10);
    char long_key[YK_SI_KEY_MAX];
    memset(long_key, 'k', sizeof(long_key) - 1);
    long_key[sizeof(long_key) - 1] = '\0';
    const struct yk_si_allocation ask = {
        .key = "k", .application_id = "app", .resource = &size, .scheduling_class = YK_SI_CLASS_ANY};
    world_init(&world, config);
    world_node(&world, "n", 4000, 4096);
    world_submit(&world, "app", "root.a", "ann");
    const struct {
        const char *what, *key, *node, *rm_id;
        size_t count;
        enum yk_status want;
    } refused[] = {
        {"no key", "", NULL, "rm", 2, YK_ERR_INVALID},
        {"missing key", NULL, NULL, "rm", 2, YK_ERR_INVALID},
        {"too long to be numbered", long_key, NULL, "rm", 2, YK_ERR_INVALID},
        {"has a node", "k", "n", "rm", 2, YK_ERR_INVALID},
        {"too many", "k", NULL, "rm", YK_SI_REPEAT_MAX + 1, YK_ERR_LIMIT},
        {"nobody", "k", NULL, "other", 2, YK_ERR_NOT_FOUND},
    };
    for (size_t i = 0; i < YK_COUNT(refused); i++) {
        struct yk_si_allocation bad = ask;
        bad.key = refused[i].key;
        bad.node_id = refused[i].node;
        if (yk_core_repeat_ask(world.core, refused[i].rm_id, &bad, refused[i].count, &err) !=
                refused[i].want ||
            world_app(&world, "app")->asks.count != 0)
            fail_msg("%s: taken", refused[i].what);
    }
    assert_int_equal(yk_core_repeat_ask(world.core, "rm", &ask, 0, &err), YK_OK);
    assert_int_equal(world_app(&world, "app")->asks.count, 0);
    assert_int_equal(yk_core_repeat_ask(world.core, "rm", &ask, 3, &err), YK_OK);
    assert_int_equal(world_app(&world, "app")->asks.count, 3);
    assert_int_equal(world_schedule(&world), 3);
    world_release(&world, "app", "k-1", YK_SI_STOPPED_BY_RM);
    assert_non_null(yk_app_find_ask(world_app(&world, "app"), YK_STR("k-0")));
    assert_null(yk_app_find_ask(world_app(&world, "app"), YK_STR("k-1")));
    assert_non_null(yk_app_find_ask(world_app(&world, "app"), YK_STR("k-2")));
    world_check(&world);
    world_done(&world);
}

/* 2.7: a smaller capacity touches no allocation; free may be below zero, and the root's maximum follows. */
static void capacity_changes(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n", 4000, 4096);
    world_submit(&world, "app", "root.a", "ann");
    world_ask(&world, "app", "k1", 3000, 10);
    assert_int_equal(world_schedule(&world), 1);
    static const struct {
        int64_t vcore, want_free;
        size_t want_decisions;
    } steps[] = {{2000, -1000, 0}, {4000, 1000, 0}, {5000, 2000, 1}};
    world_ask(&world, "app", "k2", 2000, 10);
    for (size_t i = 0; i < YK_COUNT(steps); i++) {
        struct yk_resvec capacity = world_size(steps[i].vcore, 4096);
        yk_resvec_put(&capacity, YK_RESTYPE_PODS, 110);
        const struct yk_si_node request = {
            .node_id = "n", .action = YK_SI_NODE_UPDATE, .capacity = &capacity};
        assert_int_equal(yk_core_update_node(world.core, "rm", &request), YK_OK);
        assert_int_equal(yk_resvec_get(node(&world, "n")->available, YK_RESTYPE_VCORE), steps[i].want_free);
        assert_int_equal(root_max(&world), steps[i].vcore);
        world_check(&world);
        assert_int_equal(world_schedule(&world), steps[i].want_decisions);
    }
    assert_int_equal(world_partition(&world)->allocation_count, 2);
    world_done(&world);
}

/* D11: pods of others, their change and their end move the node in the order; so does a resize. */
static void the_order_follows_what_others_use(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "m", 4000, 4096);
    world_node(&world, "n", 4000, 4096);
    world_submit(&world, "app", "root.a", "ann");
    static const struct {
        const char *what, *on;
        int64_t vcore; /* of the pod of others there; 0: it goes */
        const char *want;
    } steps[] = {
        {"equal: by name", "n", 100, "m"}, {"more on m", "m", 500, "n"}, {"grown on n", "n", 900, "m"},
        {"shrunk on n", "n", 100, "n"},    {"gone from m", "m", 0, "m"},
    };
    for (size_t i = 0; i < YK_COUNT(steps); i++) {
        if (steps[i].vcore > 0)
            foreign(&world, steps[i].on, steps[i].on, steps[i].vcore);
        else
            world_release(&world, NULL, steps[i].on, YK_SI_STOPPED_BY_RM);
        world_ask(&world, "app", "k", 10, 1);
        assert_int_equal(world_schedule(&world), 1);
        if (strcmp(world.last_node, steps[i].want) != 0)
            fail_msg("%s: %s", steps[i].what, world.last_node);
        world_release(&world, "app", "k", YK_SI_STOPPED_BY_RM);
    }
    world_ask_full(&world, "app", "r", 10, 1, 0, YK_SI_CLASS_ANY, "m");
    world_ask_full(&world, "app", "r", 3000, 1, 0, YK_SI_CLASS_ANY, "m"); /* resized where it runs */
    world_ask(&world, "app", "k", 10, 1);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_node, "n");
    world_check(&world);
    world_done(&world);
}

/* D20: pods of others go with their node, and count again when both come back. */
static void others_go_with_their_node(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    for (int round = 0; round < 2; round++) {
        world_node(&world, "n", 4000, 4096);
        foreign(&world, "f", "n", 1000);
        assert_int_equal(yk_resvec_get(node(&world, "n")->available, YK_RESTYPE_VCORE), 3000);
        world_node_action(&world, "n", YK_SI_NODE_DECOMMISSION);
        assert_int_equal(world_partition(&world)->foreign.count, 0);
        world_check(&world);
    }
    assert_int_equal(world.released, 0); /* they are not reported (2.6) */
    world_done(&world);
}

/* 2.8, 1.5: what a partition refuses in each of its states. */
static void states_of_a_partition(void **state)
{
    (void)state;
    static const struct {
        enum yk_object_state state;
        bool takes_apps, takes_nodes, takes_asks, decides;
    } cases[] = {
        {YK_STATE_ACTIVE, true, true, true, true},
        {YK_STATE_DRAINING, false, false, true, true},
        {YK_STATE_STOPPED, false, false, false, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        world_init(&world, config);
        world_node(&world, "n", 4000, 4096);
        world_submit(&world, "app", "root.a", "ann");
        world_ask(&world, "app", "before", 10, 1);
        world_partition(&world)->state = cases[i].state;
        world_submit(&world, "late", "root.a", "ann");
        world_node(&world, "m", 4000, 4096);
        world_ask(&world, "app", "after", 10, 1);
        assert_int_equal(world_app(&world, "late") != NULL, cases[i].takes_apps);
        assert_int_equal(node(&world, "m") != NULL, cases[i].takes_nodes);
        assert_int_equal(world.alloc_rejected, !cases[i].takes_asks);
        assert_int_equal(world_schedule(&world) > 0, cases[i].decides);
        world_done(&world);
    }
}

/* 3.1: step(n) makes exactly n decisions, the ones that n single steps make; the clock stands still. */
static void note_decision(void *context, const char *key, const char *on)
{
    yk_buf_printf(context, "%s@%s ", key, on);
}

static void step_by_step(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf single = {0}, many = {0};
    for (int run = 0; run < 2; run++) {
        struct world world;
        world_init(&world, config);
        world.watch_allocated = note_decision;
        world.watcher = run == 0 ? &single : &many;
        world_node(&world, "m", 4000, 4096);
        world_node(&world, "n", 4000, 4096);
        world_submit(&world, "one", "root.a", "ann");
        world_submit(&world, "two", "root.b", "bob");
        for (int i = 0; i < 6; i++) {
            char key[8];
            (void)snprintf(key, sizeof(key), "k%d", i);
            world_ask(&world, i % 2 == 0 ? "one" : "two", key, 100 + i * 10, 1);
        }
        int64_t now = yk_clock_mono_ns(&world.clock);
        if (run == 0) {
            for (size_t i = 1; i <= 5; i++) {
                assert_int_equal(yk_core_schedule(world.core, 1, INT64_MAX), 1);
                assert_int_equal(world.allocated, i);
            }
        } else {
            assert_int_equal(yk_core_schedule(world.core, 5, INT64_MAX), 5);
        }
        assert_int_equal(world.allocated, 5);
        assert_int_equal(yk_clock_mono_ns(&world.clock), now);
        assert_int_equal(yk_core_schedule(world.core, 5, INT64_MAX), 1); /* no more than there is */
        assert_int_equal(yk_core_schedule(world.core, 5, INT64_MAX), 0);
        world_done(&world);
    }
    assert_string_equal(yk_buf_cstr(&single), yk_buf_cstr(&many));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_of_nodes),
        cmocka_unit_test(drained_until_its_pods_are_known),
        cmocka_unit_test(one_ask_many_times),
        cmocka_unit_test(capacity_changes),
        cmocka_unit_test(the_order_follows_what_others_use),
        cmocka_unit_test(others_go_with_their_node),
        cmocka_unit_test(states_of_a_partition),
        cmocka_unit_test(step_by_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
