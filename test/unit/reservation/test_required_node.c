/* SPDX-License-Identifier: Apache-2.0 */
/* Daemon sets: asks that may run on one node only, and what is preempted for them (scheduling.md 3.7, 6.2,
 * D17). */
#include "lib/core_world.h"
#include "reservation/reservations.h"

static const char config[] = "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                             "    queues: [{name: a}, {name: b}]\n";

static void begin(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 4000, 8192);
    world_node(world, "n2", 4000, 8192);
    world_submit(world, "app-a", "root.a", "joe");
    world_submit(world, "daemons", "root.b", "joe");
}

static void daemon_of_class(struct world *world, const char *key, const char *node, int64_t vcore,
                            yk_si_class class_)
{
    struct yk_resvec size = world_size(vcore, 10);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = "daemons",
                                   .resource = &size,
                                   .required_node = node,
                                   .scheduling_class = class_,
                                   .priority = 10};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

static void daemon_for(struct world *world, const char *key, const char *node, int64_t vcore)
{
    daemon_of_class(world, key, node, vcore, YK_SI_CLASS_ANY);
}

struct pod {
    const char *key;
    int64_t vcore, memory_mib;
    int32_t priority;
    int64_t age_s;
    bool opted_out, originator;
};

static void running(struct world *world, const struct pod *pod)
{
    struct yk_resvec size = world_size(pod->vcore, pod->memory_mib);
    struct yk_si_allocation ask = {
        .key = pod->key,
        .application_id = "app-a",
        .resource = &size,
        .node_id = "n1",
        .priority = pod->priority,
        .create_wall_ns = yk_clock_wall_ns(&world->clock) - pod->age_s * YK_NS_PER_S,
        .allow_preempt_self = !pod->opted_out,
        .originator = pod->originator,
        .scheduling_class = YK_SI_CLASS_ANY,
    };
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

static const struct yk_ask *ask_of(struct world *world, const char *app, const char *key)
{
    return yk_app_find_ask(world_app(world, app), yk_str_from(key));
}

static const char *node_of(struct world *world, const char *key)
{
    const struct yk_ask *ask = ask_of(world, "daemons", key);
    return ask == NULL || ask->node == NULL ? "" : ask->node->id;
}

static bool is_victim(struct world *world, const char *key)
{
    return (ask_of(world, "app-a", key)->flags & YK_ASK_PREEMPTED) != 0;
}

static void goes_to_its_node(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_node_action(&world, "n2", YK_SI_NODE_DRAIN); /* they tolerate that */
    daemon_for(&world, "d2", "n2", 1000);
    daemon_for(&world, "d1", "n1", 1000);
    assert_int_equal(world_schedule(&world), 2);
    assert_string_equal(node_of(&world, "d1"), "n1");
    assert_string_equal(node_of(&world, "d2"), "n2");
    world_done(&world);
}

/* A daemon whose node is not there, or that is larger than its node, holds up no other ask. */
static void waits_for_its_node(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    daemon_for(&world, "later", "n9", 1000);
    daemon_for(&world, "large", "n1", 5000);
    world_ask(&world, "app-a", "other", 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_int_equal(world_partition(&world)->reservation.count, 0);
    world_node(&world, "n9", 2000, 1024);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "later"), "n9");
    struct yk_resvec more = world_size(16000, 8192);
    yk_resvec_put(&more, YK_RESTYPE_PODS, 110);
    struct yk_si_node update = {.node_id = "n1", .action = YK_SI_NODE_UPDATE, .capacity = &more};
    assert_int_equal(yk_core_update_node(world.core, "rm", &update), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "large"), "n1");
    world_done(&world);
}

/* Its class forbids the node until that changes. */
static void constraints_count(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world.class_letter = 'x';
    daemon_of_class(&world, "d", "n1", 1000, 1);
    assert_int_equal(world_schedule(&world), 0);
    world.class_letter = 'n';
    struct yk_si_node update = {.node_id = "n1", .action = YK_SI_NODE_UPDATE, .constraints_changed = true};
    assert_int_equal(yk_core_update_node(world.core, "rm", &update), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "d"), "n1");
    world_done(&world);
}

/* It takes the node from an ask that may run elsewhere. */
static void cancels_other_reservations(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    running(&world, &(struct pod){"p", 3000, 10, 100, 60, false, false});
    world_node_action(&world, "n2", YK_SI_NODE_DRAIN);
    world_ask(&world, "app-a", "big", 4000, 10);
    assert_int_equal(world_schedule(&world), 0);
    world_submit(&world, "app-later", "root.a", "joe");
    world_ask(&world, "app-later", "small", 100, 10);
    assert_int_equal(world_schedule(&world), 1); /* it overtakes */
    world_advance(&world, 3);
    (void)world_schedule(&world); /* only to reserve */
    assert_non_null(yk_ask_reservation(ask_of(&world, "app-a", "big")));
    daemon_for(&world, "d", "n1", 2000);
    (void)world_schedule(&world);
    assert_null(yk_ask_reservation(ask_of(&world, "app-a", "big")));
    assert_non_null(yk_ask_reservation(ask_of(&world, "daemons", "d")));
    assert_false(is_victim(&world, "p")); /* higher priority */
    assert_string_equal(node_of(&world, "d"), "");
    world_release(&world, "app-a", "p", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "d"), "n1");
    world_done(&world);
}

/* 6.2: regular ones first, then opted out ones, then originators; low priority, then young. */
static void order_of_victims(void **state)
{
    static const struct pod pods[] = {
        {"driver", 1000, 10, 0, 10, false, true},
        {"opted-out", 1000, 10, 0, 10, true, false},
        {"old", 1000, 10, 1, 600, false, false},
        {"young", 1000, 10, 1, 60, false, false},
    };
    static const struct {
        int64_t vcore;
        const char *victims;
    } cases[] = {{1000, "young"},
                 {2000, "old young"},
                 {3000, "opted-out old young"},
                 {4000, "driver opted-out old young"}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world);
        for (size_t j = 0; j < YK_COUNT(pods); j++)
            running(&world, &pods[j]);
        daemon_for(&world, "d", "n1", cases[i].vcore);
        assert_int_equal(world_schedule(&world), 0);
        YK_CLEANUP(yk_buf_done) struct yk_buf victims = {0};
        for (size_t j = 0; j < YK_COUNT(pods); j++) {
            if (is_victim(&world, pods[j].key))
                yk_buf_printf(&victims, "%s%s", victims.len > 0 ? " " : "", pods[j].key);
        }
        assert_string_equal(yk_buf_cstr(&victims), cases[i].victims);
        assert_int_equal(world.last_termination, YK_SI_PREEMPTED_BY_SCHEDULER);
        world_done(&world);
    }
}

/* D17: what is free counts; who does not help is left out; room that came free is kept for it. */
static void makes_just_enough_room(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    running(&world, &(struct pod){"memory", 1, 4000, 0, 10, false, false});
    running(&world, &(struct pod){"small", 500, 10, 1, 20, false, false});
    running(&world, &(struct pod){"large", 2500, 10, 2, 30, false, false});
    daemon_for(&world, "d", "n1", 3000); /* 999 are free */
    assert_int_equal(world_schedule(&world), 0);
    assert_false(is_victim(&world, "memory"));
    assert_false(is_victim(&world, "small")); /* `large` alone is enough */
    assert_true(is_victim(&world, "large"));
    assert_int_equal(world.released, 1);
    assert_int_equal(yk_resvec_get(&world_queue(&world, "root.a")->preempting, YK_RESTYPE_VCORE), 2500);
    world_ask_full(&world, "app-a", "thief", 500, 10, 1000, YK_SI_CLASS_ANY, NULL);
    world_ask_full(&world, "app-a", "thief2", 4000, 10, 1000, YK_SI_CLASS_ANY, NULL);
    world_release(&world, "app-a", "large", YK_SI_PREEMPTED_BY_SCHEDULER);
    (void)world_schedule(&world); /* all that can */
    assert_string_equal(node_of(&world, "d"), "n1");
    assert_int_equal(yk_resvec_get(&world_queue(&world, "root.a")->preempting, YK_RESTYPE_VCORE), 0);
    assert_string_equal(ask_of(&world, "app-a", "thief")->node->id, "n2");
    world_done(&world);
}

/* 6.2: a smaller pod that is enough alone is taken instead, if it is worth no more. */
static void takes_a_smaller_one_instead(void **state)
{
    static const struct {
        int32_t priority; /* of the smaller pod */
        bool opted_out;
        int64_t vcore; /* of the smaller pod */
        const char *victim;
    } cases[] = {{1, false, 500, "old"},
                 {0, false, 500, "old"},
                 {2, false, 500, "young"},
                 {1, true, 500, "young"},
                 {1, false, 400, "young"}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world);
        running(&world, &(struct pod){"young", 2000, 10, 1, 10, false, false});
        running(&world,
                &(struct pod){"old", cases[i].vcore, 10, cases[i].priority, 600, cases[i].opted_out, false});
        running(&world, &(struct pod){"rest", 2000 - cases[i].vcore, 10, 3, 600, false, false});
        daemon_for(&world, "d", "n1", 500);
        assert_int_equal(world_schedule(&world), 0);
        assert_int_equal(world.released, 1);
        assert_true(is_victim(&world, cases[i].victim));
        world_done(&world);
    }
}

/* No victim without need: all together would not do. */
static void nothing_helps(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    running(&world, &(struct pod){"high", 2000, 10, 100, 10, false, false});
    running(&world, &(struct pod){"low", 2000, 10, 0, 10, false, false});
    daemon_for(&world, "d", "n1", 3000);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(world.released, 0);
    const struct yk_ask *ask = ask_of(&world, "daemons", "d");
    assert_non_null(yk_ask_reservation(ask));
    assert_int_equal(ask->group->waiting.log[YK_WAIT_REQUIRED_NODE].count, 1);
    world_release(&world, "app-a", "high", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 0);
    assert_true(is_victim(&world, "low")); /* now it helps */
    world_release(&world, "app-a", "low", YK_SI_PREEMPTED_BY_SCHEDULER);
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

/* What another daemon set has on the node does not come free, so the node is not kept from others. */
static void beside_another_daemon_set(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    daemon_for(&world, "first", "n1", 3000);
    assert_int_equal(world_schedule(&world), 1);
    daemon_for(&world, "second", "n1", 2000);
    assert_int_equal(world_schedule(&world), 0);
    assert_null(yk_ask_reservation(ask_of(&world, "daemons", "second")));
    world_ask_full(&world, "app-a", "large", 4000, 10, 0, YK_SI_CLASS_ANY, NULL);
    world_ask_full(&world, "app-a", "pod", 1000, 10, 0, YK_SI_CLASS_ANY, NULL);
    assert_int_equal(world_schedule(&world), 2); /* n1 and n2 are full now */
    world_release(&world, "daemons", "first", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "second"), "n1");
    world_done(&world);
}

/* A smaller size of what another daemon set has on the node makes room, and so does the end of a pod of another
 * scheduler that never ends by itself. */
static void room_beside_what_never_ends(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    struct yk_resvec part = world_size(1500, 10);
    struct yk_si_allocation mirror = {
        .key = "mirror", .node_id = "n1", .resource = &part, .foreign = true, .foreign_static = true};
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &mirror), YK_OK);
    daemon_for(&world, "first", "n1", 2000);
    assert_int_equal(world_schedule(&world), 1);
    daemon_for(&world, "second", "n1", 1000);
    daemon_for(&world, "third", "n1", 1500);
    assert_int_equal(world_schedule(&world), 0);
    daemon_for(&world, "first", "n1", 1500); /* resized in place */
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "second"), "n1");
    struct yk_si_release gone = {.key = "mirror", .termination = YK_SI_STOPPED_BY_RM};
    assert_int_equal(yk_core_release(world.core, "rm", &gone), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "third"), "n1");
    world_done(&world);
}

static void shrink(struct world *world, int64_t vcore)
{
    struct yk_resvec capacity = world_size(vcore, 8192);
    yk_resvec_put(&capacity, YK_RESTYPE_PODS, 110);
    struct yk_si_node node = {.node_id = "n1", .action = YK_SI_NODE_UPDATE, .capacity = &capacity};
    assert_int_equal(yk_core_update_node(world->core, "rm", &node), YK_OK);
}

/* What is used above the capacity of the node has to end as well. */
static void overcommitted_node(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    running(&world, &(struct pod){"high", 2000, 10, 100, 10, false, false});
    running(&world, &(struct pod){"low", 1000, 10, 0, 20, false, false});
    running(&world, &(struct pod){"middle", 1000, 10, 1, 30, false, false});
    shrink(&world, 2000); /* 4,000 are used */
    daemon_for(&world, "d", "n1", 500);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(world.released, 0); /* without both of the others there is none for it */
    shrink(&world, 2500);
    assert_int_equal(world_schedule(&world), 0);
    assert_true(is_victim(&world, "low") && is_victim(&world, "middle"));
    world_release(&world, "app-a", "low", YK_SI_PREEMPTED_BY_SCHEDULER);
    world_release(&world, "app-a", "middle", YK_SI_PREEMPTED_BY_SCHEDULER);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "d"), "n1");
    world_done(&world);
}

/* Several of them may reserve the same node; each is served. */
static void several_on_one_node(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    running(&world, &(struct pod){"p1", 2000, 10, 0, 10, false, false});
    running(&world, &(struct pod){"p2", 2000, 10, 0, 20, false, false});
    daemon_for(&world, "d1", "n1", 2000);
    daemon_for(&world, "d2", "n1", 1500);
    daemon_for(&world, "d3", "n1", 500);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(world_partition(&world)->reservation.count, 3);
    assert_true(is_victim(&world, "p1"));
    world_release(&world, "app-a", "p1", YK_SI_PREEMPTED_BY_SCHEDULER);
    assert_int_equal(world_schedule(&world), 1);
    assert_true(is_victim(&world, "p2"));
    world_release(&world, "app-a", "p2", YK_SI_PREEMPTED_BY_SCHEDULER);
    assert_int_equal(world_schedule(&world), 2);
    assert_int_equal(world_partition(&world)->reservation.count, 0);
    world_done(&world);
}

/* The node goes: its asks wait for it to come back, and are served then. */
static void node_goes_and_comes(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    running(&world, &(struct pod){"p", 4000, 10, 100, 10, false, false});
    daemon_for(&world, "d", "n1", 2000);
    assert_int_equal(world_schedule(&world), 0);
    assert_non_null(yk_ask_reservation(ask_of(&world, "daemons", "d")));
    world_node_action(&world, "n1", YK_SI_NODE_DECOMMISSION);
    assert_null(yk_ask_reservation(ask_of(&world, "daemons", "d")));
    assert_int_equal(world_schedule(&world), 0);
    world_node(&world, "n1", 4000, 8192);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "d"), "n1");
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_to_its_node),
        cmocka_unit_test(waits_for_its_node),
        cmocka_unit_test(constraints_count),
        cmocka_unit_test(cancels_other_reservations),
        cmocka_unit_test(order_of_victims),
        cmocka_unit_test(makes_just_enough_room),
        cmocka_unit_test(takes_a_smaller_one_instead),
        cmocka_unit_test(nothing_helps),
        cmocka_unit_test(beside_another_daemon_set),
        cmocka_unit_test(room_beside_what_never_ends),
        cmocka_unit_test(overcommitted_node),
        cmocka_unit_test(several_on_one_node),
        cmocka_unit_test(node_goes_and_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
