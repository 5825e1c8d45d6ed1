/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After something ended, or a node came or changed, the first ask in order that fits there starts, and
 * nothing that could run is forgotten (scheduling.md 3.6, 4.5): gates that open later, classes that are
 * woken, nodes that drain, more nodes than one search looks at, asks for which others were preempted.
 */
#include "pending/freed_nodes.h"

#include "lib/preemption_stage.h"

enum { NODE = 4000 }; /* millicores */

#define PLAIN "    - {name: a}\n    - {name: b}\n    - {name: fill}\n"

/* Classes: asks of class 3 tolerate drained nodes, class 1 is restricted to some (world.h). */
enum { TOLERANT = 3, PICKY = 1 };

static void begin(struct stage *stage, const char *queues)
{
    stage_init(stage, "", queues);
    stage->world.core->reservation_delay_ns = INT64_MAX;
}

/* A node whose whole capacity is used by a pod with its name. */
static void add_full_node(struct stage *stage, const char *node)
{
    world_node(&stage->world, node, NODE, 8192);
    if (world_app(&stage->world, "fill") == NULL)
        world_submit(&stage->world, "fill", "root.fill", "ann");
    world_ask_full(&stage->world, "fill", node, NODE, 10, 0, YK_SI_CLASS_ANY, node);
}

static void submit(struct stage *stage, const char *app, const char *queue)
{
    yk_clock_advance(&stage->world.clock, YK_NS_PER_S);
    world_submit(&stage->world, app, queue, "joe");
}

static void ask(struct stage *stage, const char *app, const char *key, int64_t vcore)
{
    world_ask(&stage->world, app, key, vcore, 10);
}

static void end(struct stage *stage, const char *app, const char *key)
{
    world_release(&stage->world, app, key, YK_SI_STOPPED_BY_RM);
}

/* The keys of what starts, in order. */
static void starts(struct stage *stage, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(world_schedule_one(&stage->world), 1);
        assert_string_equal(stage->world.last_key, keys[i]);
    }
    assert_int_equal(world_schedule(&stage->world), 0);
    assert_false(yk_core_has_work(stage->world.core));
}
#define STARTS(stage, ...)                                                                                   \
    starts(stage, (const char *const[]){__VA_ARGS__}, YK_COUNT(((const char *const[]){__VA_ARGS__})))
#define NOTHING_STARTS(stage) starts(stage, NULL, 0)

/* ---- order ---- */

/* The first in order that fits, then the next, until none fits. */
static void the_first_that_fits(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage, PLAIN);
    add_full_node(&stage, "n1");
    static const struct {
        const char *app;
        int64_t vcore;
    } asks[] = {{"first", NODE + 1}, {"second", 2500}, {"third", 2000}, {"fourth", 1500}, {"fifth", 100}};
    for (size_t i = 0; i < YK_COUNT(asks); i++) {
        submit(&stage, asks[i].app, "root.a");
        ask(&stage, asks[i].app, asks[i].app, asks[i].vcore);
    }
    NOTHING_STARTS(&stage);
    end(&stage, "fill", "n1");
    STARTS(&stage, "second", "fourth");
    end(&stage, "fourth", "fourth");
    STARTS(&stage, "fifth");
    end(&stage, "second", "second");
    STARTS(&stage, "third");
    stage_done(&stage);
}

/* An ask that has not been tried takes its turn among those that wait. */
static void a_new_ask_takes_its_turn(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage, PLAIN);
    add_full_node(&stage, "n1");
    static const char *const apps[] = {"first", "second", "third"};
    for (size_t i = 0; i < YK_COUNT(apps); i++)
        submit(&stage, apps[i], "root.a");
    ask(&stage, "second", "second", 2000);
    NOTHING_STARTS(&stage);
    end(&stage, "fill", "n1");
    ask(&stage, "first", "first", 1000);
    ask(&stage, "third", "third", 1000);
    STARTS(&stage, "first", "second", "third");
    stage_done(&stage);
}

/* Of two queues the one with the smaller share, as it is when the node comes free. */
static void queues_as_they_stand_then(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage, PLAIN);
    add_full_node(&stage, "n1");
    add_full_node(&stage, "n2");
    world_node(&stage.world, "n3", 3000, 8192);
    submit(&stage, "in-a", "root.a");
    submit(&stage, "in-b", "root.b");
    world_ask_full(&stage.world, "in-a", "a-runs", 1000, 10, 0, YK_SI_CLASS_ANY, "n3");
    world_ask_full(&stage.world, "in-b", "b-runs", 2000, 10, 0, YK_SI_CLASS_ANY, "n3");
    for (int i = 0; i < 2; i++) {
        char key[8];
        (void)snprintf(key, sizeof(key), "a%d", i);
        ask(&stage, "in-a", key, NODE);
        (void)snprintf(key, sizeof(key), "b%d", i);
        ask(&stage, "in-b", key, NODE);
    }
    NOTHING_STARTS(&stage);
    end(&stage, "in-b", "b-runs");
    NOTHING_STARTS(&stage);
    end(&stage, "fill", "n1");
    STARTS(&stage, "b0");
    end(&stage, "fill", "n2");
    STARTS(&stage, "a0");
    stage_done(&stage);
}

/* ---- gates that open after the node came free ---- */

/* What keeps the first ask of `held` from being tried, and how that ends. */
struct gate {
    const char *what, *queues;
    void (*close)(struct stage *stage);
    void (*open)(struct stage *stage);
};

/* `other` runs in the same queue, so that `held` may not. */
static void other_runs(struct stage *stage)
{
    submit(stage, "other", "root.a");
    world_ask_full(&stage->world, "other", "other", 10, 10, 0, YK_SI_CLASS_ANY, "full");
}

static void other_ends(struct stage *stage)
{
    end(stage, "other", "other");
    world_advance(&stage->world, 31); /* it completes */
}

static void nothing(struct stage *stage)
{
    (void)stage;
}

static void time_passes(struct stage *stage)
{
    world_advance(&stage->world, 60);
}

/* An application that is being started, in a stateaware leaf. */
static void other_starts(struct stage *stage)
{
    submit(stage, "other", "root.a");
    world_ask_full(&stage->world, "other", "other", 10, 10, 0, YK_SI_CLASS_ANY, "full");
    assert_int_equal(world_app(&stage->world, "other")->state, YK_APP_STARTING);
}

static void other_has_started(struct stage *stage)
{
    world_advance(&stage->world, 300);
}

/* The gate closes when the ask waits already; the node comes free; the gate opens: the ask starts. A later
 * application that the gate does not hold may have the rest before that. */
static void a_gate_opens_after_the_node_came_free(void **state)
{
    static const struct gate gates[] = {
        {"applications of the queue",
         "    - {name: a, maxapplications: 1}\n    - {name: b}\n    - {name: fill}\n", other_runs,
         other_ends},
        {"applications of the user",
         "    - {name: a, limits: [{limit: l, users: [joe], maxapplications: 1}]}\n    - {name: b}\n    - "
         "{name: "
         "fill}\n",
         other_runs, other_ends},
        {"back-off",
         "    - {name: a, properties: {application.unschedasks.backoff: '1', "
         "application.unschedasks.backoff.delay: 30s}}\n    - {name: b}\n    - {name: fill}\n",
         nothing, time_passes},
        {"stateaware",
         "    - {name: a, properties: {application.sort.policy: stateaware}}\n    - {name: b}\n    - "
         "{name: fill}\n",
         other_starts, other_has_started},
    };
    (void)state;
    for (size_t i = 0; i < 2 * YK_COUNT(gates); i++) {
        const struct gate *gate = &gates[i / 2];
        bool others_look =
            i % 2 == 1; /* the node is looked at, and found to be of no use, before the gate opens */
        struct stage stage;
        begin(&stage, gate->queues);
        add_full_node(&stage, "n1");
        world_node(&stage.world, "full", 20, 8192);
        submit(&stage, "held", "root.a");
        ask(&stage, "held", "held", 3000);
        NOTHING_STARTS(&stage);
        gate->close(&stage);
        (void)world_schedule(&stage.world); /* nothing fits */
        end(&stage, "fill", "n1");
        if (others_look) {
            submit(&stage, "free", "root.b");
            ask(&stage, "free", "free", 1000);
            STARTS(&stage, "free");
        } else {
            assert_int_equal(world_schedule(&stage.world), 0);
        }
        gate->open(&stage);
        (void)world_schedule(&stage.world); /* what starts is looked at */
        if (strcmp(stage_where(&stage, "held"), "n1") != 0)
            fail_msg("%s, %d: '%s'", gate->what, others_look, stage_where(&stage, "held"));
        stage_done(&stage);
    }
}

/* Two applications are held, and may be tried at the same time: the first in order starts, not the one that
 * was held first. */
static void two_gates_open_at_once(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage,
          "    - {name: a, maxapplications: 2}\n    - {name: b, maxapplications: 1}\n    - {name: fill}\n");
    add_full_node(&stage, "n1");
    world_node(&stage.world, "full", 40, 8192);
    static const char *const apps[] = {"first", "second"};
    for (size_t i = 0; i < YK_COUNT(apps); i++)
        submit(&stage, apps[i], "root.a");
    ask(&stage, "second", "second", 2000); /* waits first */
    ask(&stage, "first", "first", 3000);
    NOTHING_STARTS(&stage);
    static const char *const others[] = {"other-1", "other-2"};
    for (size_t i = 0; i < YK_COUNT(others); i++) {
        submit(&stage, others[i], "root.a");
        world_ask_full(&stage.world, others[i], others[i], 10, 10, 0, YK_SI_CLASS_ANY, "full");
    }
    end(&stage, "fill", "n1");
    NOTHING_STARTS(&stage);
    for (size_t i = 0; i < YK_COUNT(others); i++)
        end(&stage, others[i], others[i]);
    world_advance(&stage.world, 31);
    STARTS(&stage, "first");
    stage_done(&stage);
}

/* The same with nodes that suit only one of them each: the one that was held first suits a node that comes
 * first in node order. */
static void two_gates_open_for_two_nodes(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage,
          "    - {name: a, limits: [{limit: l, users: [joe], maxapplications: 2}]}\n    - {name: fill}\n");
    world_node(&stage.world, "n1", 2000, 8192);
    add_full_node(&stage, "n2");
    world_node(&stage.world, "full", 40, 8192);
    world_submit(&stage.world, "small", "root.fill", "ann");
    world_ask_full(&stage.world, "small", "n1", 2000, 10, 0, YK_SI_CLASS_ANY, "n1");
    static const char *const apps[] = {"first", "second"}, *const others[] = {"other-1", "other-2"};
    for (size_t i = 0; i < YK_COUNT(apps); i++)
        submit(&stage, apps[i], "root.a");
    ask(&stage, "second", "second", 2000);
    NOTHING_STARTS(&stage);
    ask(&stage, "first", "first", 3000);
    NOTHING_STARTS(&stage);
    for (size_t i = 0; i < YK_COUNT(others); i++) {
        submit(&stage, others[i], "root.a");
        world_ask_full(&stage.world, others[i], others[i], 10, 10, 0, YK_SI_CLASS_ANY, "full");
    }
    end(&stage, "small", "n1");
    NOTHING_STARTS(&stage); /* the second one is held */
    end(&stage, "fill", "n2");
    world_ask_full(&stage.world, "fill", "again", 500, 10, 0, YK_SI_CLASS_ANY, "n2");
    NOTHING_STARTS(&stage); /* the first one, too */
    for (size_t i = 0; i < YK_COUNT(others); i++)
        end(&stage, others[i], others[i]);
    world_advance(&stage.world, 31);
    STARTS(&stage, "first", "second");
    stage_done(&stage);
}

/* A queue gets capacity after the node came free. */
static void its_queue_gets_capacity_later(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage, "    - {name: a, resources: {max: {vcore: 4}}}\n    - {name: b}\n    - {name: fill}\n");
    add_full_node(&stage, "n1");
    world_node(&stage.world, "full", 2000, 8192);
    submit(&stage, "first", "root.a");
    submit(&stage, "second", "root.a");
    ask(&stage, "first", "first", 3000);
    NOTHING_STARTS(&stage);
    world_ask_full(&stage.world, "second", "runs", 2000, 10, 0, YK_SI_CLASS_ANY, "full");
    end(&stage, "fill", "n1");
    NOTHING_STARTS(&stage);
    end(&stage, "second", "runs");
    STARTS(&stage, "first");
    stage_done(&stage);
}

/* A node is found for an application that may be tried again, but another one comes first, and then the node
 * leaves: the application gets another node. */
static void the_node_that_was_found_leaves(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage, "    - {name: a, properties: {application.unschedasks.backoff: '1', "
                  "application.unschedasks.backoff.delay: 30s}}\n    - {name: fill}\n");
    add_full_node(&stage, "n1");
    add_full_node(&stage, "n2");
    world_node(&stage.world, "n3", NODE + 1, 8192);
    world_ask_full(&stage.world, "fill", "n3", NODE + 1, 10, 0, YK_SI_CLASS_ANY, "n3");
    submit(&stage, "first", "root.a");
    submit(&stage, "pauses", "root.a");
    ask(&stage, "pauses", "pauses", 3000);
    NOTHING_STARTS(&stage);
    end(&stage, "fill", "n1");
    end(&stage, "fill", "n2");
    NOTHING_STARTS(&stage);
    world_advance(&stage.world, 30);
    ask(&stage, "first", "large", NODE + 1);
    yk_core_schedule_turns(stage.world.core, 1);
    const struct yk_node *found =
        yk_list_first(&world_partition(&stage.world)->pending.freed_nodes, struct yk_node, in_freed);
    assert_non_null(found);
    world_node_action(&stage.world, strcmp(found->id, "n1") == 0 ? "n1" : "n2", YK_SI_NODE_DECOMMISSION);
    STARTS(&stage, "pauses");
    stage_done(&stage);
}

/* ---- classes and nodes ---- */

/* What the class refuses is not tried, and the one behind it is. */
static void a_class_that_refuses_the_node(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage, PLAIN);
    stage.world.class_letter = 'm';
    add_full_node(&stage, "n1");
    add_full_node(&stage, "m1");
    submit(&stage, "first", "root.a");
    submit(&stage, "second", "root.a");
    world_ask_full(&stage.world, "first", "picky", 3000, 10, 0, PICKY, NULL);
    ask(&stage, "second", "any", 3000);
    NOTHING_STARTS(&stage);
    end(&stage, "fill", "n1");
    STARTS(&stage, "any");
    end(&stage, "fill", "m1");
    STARTS(&stage, "picky");
    stage_done(&stage);
}

/* Constraints of the node change so that a class suits it. */
static void constraints_change(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage, PLAIN);
    stage.world.class_letter = 'x';
    world_node(&stage.world, "n1", NODE, 8192);
    submit(&stage, "first", "root.a");
    world_ask_full(&stage.world, "first", "picky", 3000, 10, 0, PICKY, NULL);
    NOTHING_STARTS(&stage);
    stage.world.class_letter = 'n';
    struct yk_si_node change = {.node_id = "n1",
                                .action = YK_SI_NODE_UPDATE,
                                .constraints_changed = true,
                                .cookie = (void *)(uintptr_t)'n'};
    assert_int_equal(yk_core_update_node(stage.world.core, "rm", &change), YK_OK);
    STARTS(&stage, "picky");
    stage_done(&stage);
}

/* A drained node takes the asks that tolerate that; the others when it is opened. */
static void a_drained_node(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage, PLAIN);
    add_full_node(&stage, "n1");
    submit(&stage, "first", "root.a");
    submit(&stage, "second", "root.a");
    ask(&stage, "first", "plain", 1000);
    struct yk_resvec size = world_size(1000, 10);
    struct yk_si_allocation tolerant = {.key = "tolerant",
                                        .application_id = "second",
                                        .resource = &size,
                                        .scheduling_class = TOLERANT,
                                        .tolerates_drain = true};
    assert_int_equal(yk_core_update_allocation(stage.world.core, "rm", &tolerant), YK_OK);
    NOTHING_STARTS(&stage);
    world_node_action(&stage.world, "n1", YK_SI_NODE_DRAIN);
    NOTHING_STARTS(&stage);
    end(&stage, "fill", "n1");
    STARTS(&stage, "tolerant");
    world_node_action(&stage.world, "n1", YK_SI_NODE_DRAIN_TO_SCHEDULABLE);
    STARTS(&stage, "plain");
    stage_done(&stage);
}

/* A node that leaves is forgotten, a new or larger one is looked at. */
static void nodes_come_and_go(void **state)
{
    struct stage stage;
    (void)state;
    begin(&stage, PLAIN);
    add_full_node(&stage, "n1");
    submit(&stage, "first", "root.a");
    ask(&stage, "first", "large", 6000);
    ask(&stage, "first", "whole", NODE);
    NOTHING_STARTS(&stage);
    end(&stage, "fill", "n1");
    world_node_action(&stage.world, "n1", YK_SI_NODE_DECOMMISSION);
    NOTHING_STARTS(&stage);
    world_node(&stage.world, "n2", NODE, 8192);
    STARTS(&stage, "whole");
    struct yk_resvec more = world_size(NODE + 6000, 8192);
    yk_resvec_put(&more, YK_RESTYPE_PODS, 110);
    struct yk_si_node update = {.node_id = "n2", .action = YK_SI_NODE_UPDATE, .capacity = &more};
    assert_int_equal(yk_core_update_node(stage.world.core, "rm", &update), YK_OK);
    STARTS(&stage, "large");
    stage_done(&stage);
}

/* More nodes come free at once than one search looks at. `at`: the only one that takes the ask. */
static void many_nodes_at_once(void **state)
{
    enum { MANY = 200 };
    static const int places[] = {0, 63, 64, 150, MANY - 1};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(places); i++) {
        struct stage stage;
        char name[8];
        begin(&stage, PLAIN);
        stage.world.class_letter = 'm';
        for (int n = 0; n < MANY; n++) {
            (void)snprintf(name, sizeof(name), "%c%03d", n == places[i] ? 'm' : 'n', n);
            add_full_node(&stage, name);
        }
        submit(&stage, "first", "root.a");
        submit(&stage, "second", "root.a");
        world_ask_full(&stage.world, "first", "picky", 3000, 10, 0, PICKY, NULL);
        for (int n = 0; n < MANY; n++) {
            (void)snprintf(name, sizeof(name), "k%d", n);
            ask(&stage, "second", name, NODE);
        }
        NOTHING_STARTS(&stage);
        for (int n = 0; n < MANY; n++) {
            (void)snprintf(name, sizeof(name), "%c%03d", n == places[i] ? 'm' : 'n', n);
            end(&stage, "fill", name);
        }
        assert_int_equal(world_schedule_one(&stage.world), 1);
        assert_string_equal(stage.world.last_key,
                            "picky"); /* the first in order, wherever its node is listed */
        assert_int_equal(world_schedule(&stage.world), MANY - 1);
        stage_done(&stage);
    }
}

/* ---- preemption ---- */

/* An ask for which others were preempted goes to another node that comes free first, before those ahead of
 * it. */
static void a_preemptor_goes_first(void **state)
{
    struct stage stage;
    (void)state;
    stage_init(&stage, "",
               "    - {name: a, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 1s}}\n"
               "    - {name: b}\n    - {name: c}\n");
    world_node(&stage.world, "n1", NODE, 8192);
    world_node(&stage.world, "n2", NODE, 8192);
    stage_pod(&stage, &(struct pod)POD("b1", "root.b", NODE, 10, "n1"));
    stage_pod(&stage, &(struct pod)POD("b2", "root.b", NODE, 10, "n2", .opted_out = true));
    stage_pod(&stage, &(struct pod)POD("waits", "root.c", NODE, 10, NULL));
    stage_wait(&stage, 1);
    stage_pod(&stage, &(struct pod)POD("wants", "root.a", NODE, 10, NULL));
    stage_wait(&stage, 40);
    stage_expect(&stage, "the victim", "b1");
    world_release(&stage.world, "root.b", "b2", YK_SI_STOPPED_BY_RM);
    (void)world_schedule(&stage.world); /* where it goes is looked at */
    assert_string_equal(stage_where(&stage, "wants"), "n2");
    assert_string_equal(stage_where(&stage, "waits"), "");
    stage_confirm(&stage);
    (void)world_schedule(&stage.world); /* where it goes is looked at */
    assert_string_equal(stage_where(&stage, "waits"), "n1");
    stage_done(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_that_fits),
        cmocka_unit_test(a_new_ask_takes_its_turn),
        cmocka_unit_test(queues_as_they_stand_then),
        cmocka_unit_test(a_gate_opens_after_the_node_came_free),
        cmocka_unit_test(two_gates_open_at_once),
        cmocka_unit_test(two_gates_open_for_two_nodes),
        cmocka_unit_test(its_queue_gets_capacity_later),
        cmocka_unit_test(the_node_that_was_found_leaves),
        cmocka_unit_test(a_class_that_refuses_the_node),
        cmocka_unit_test(constraints_change),
        cmocka_unit_test(a_drained_node),
        cmocka_unit_test(nodes_come_and_go),
        cmocka_unit_test(many_nodes_at_once),
        cmocka_unit_test(a_preemptor_goes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
