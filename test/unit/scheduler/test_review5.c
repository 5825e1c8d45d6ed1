/* SPDX-License-Identifier: Apache-2.0 */
/* Asks that could run do not wait for ever: daemon sets, preemption and gangs together with moves and
 * reloads. Reservations for overtaken asks: reservation/test_reservations.c. */
#include "preemption/stage.h"

#include "partition/move.h"
#include "reservation/reservations.h"

#define TWO "    - {name: a}\n    - {name: b}\n"

/* So that it is nodes that have no room, not the root. */
static void add_crumbs(struct stage *stage)
{
    for (int i = 0; i < 5; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "crumb%d", i);
        world_node(&stage->world, id, 900, 4096);
    }
}

static void move_to(struct stage *stage, const char *app, const char *queue)
{
    struct yk_err err = {0};
    assert_int_equal(
        yk_app_move(world_app(&stage->world, app), world_queue(&stage->world, queue), "ann", &err), YK_OK);
    world_check(&stage->world);
}

/* 3.7: the pod of another daemon set, made earlier, is heard of after the first one has reserved the node. */
static void an_older_daemon_that_comes_later(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", TWO);
    add_crumbs(&stage);
    world_node(&stage.world, "n1", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 3500, 100, "n1", .required_node = "n1"));
    stage_pod(&stage, &(struct pod)POD("new", "root.a", 1000, 100, NULL, .required_node = "n1"));
    stage_wait(&stage, 1);
    stage_pod(&stage, &(struct pod)POD("old", "root.a", 1000, 100, NULL, .required_node = "n1", .age_s = 50));
    stage_wait(&stage, 1);
    assert_string_equal(stage_where(&stage, "new"), "");
    world_release(&stage.world, "root.b", "x1", YK_SI_STOPPED_BY_RM);
    stage_wait(&stage, 1);
    assert_string_equal(stage_where(&stage, "new"), "n1");
    assert_string_equal(stage_where(&stage, "old"), "n1");
    stage_done(&stage);
}

/* The same when the one that has the reservation goes. */
static void an_older_daemon_outlives_the_reservation(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", TWO);
    add_crumbs(&stage);
    world_node(&stage.world, "n1", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 3500, 100, "n1", .required_node = "n1"));
    stage_pod(&stage, &(struct pod)POD("new", "root.a", 1000, 100, NULL, .required_node = "n1"));
    stage_wait(&stage, 1);
    stage_pod(&stage, &(struct pod)POD("old", "root.a", 1000, 100, NULL, .required_node = "n1", .age_s = 50));
    world_release(&stage.world, "root.a", "new", YK_SI_STOPPED_BY_RM);
    stage_wait(&stage, 1);
    world_release(&stage.world, "root.b", "x1", YK_SI_STOPPED_BY_RM);
    stage_wait(&stage, 1);
    assert_string_equal(stage_where(&stage, "old"), "n1");
    stage_done(&stage);
}

/* A8, 3.7: who is bound to a node never waits for others, whatever its size does elsewhere. */
static void a_daemon_that_moves_keeps_its_node(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", TWO);
    add_crumbs(&stage);
    world_node(&stage.world, "n1", 4000, 4096);
    world_node(&stage.world, "n2", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 4000, 100, "n1", .required_node = "n1"));
    stage_pod(&stage, &(struct pod)POD("x2", "root.b", 4000, 100, "n2", .required_node = "n2"));
    stage_pod(&stage, &(struct pod)POD("plain", "root.b", 1000, 100, NULL));
    stage_wait(&stage, 1); /* nothing has room for the size */
    stage_pod(&stage, &(struct pod)POD("daemon", "root.a", 1000, 100, NULL, .required_node = "n3"));
    stage_wait(&stage, 0);
    move_to(&stage, "root.a", "root.b");
    stage_wait(&stage, 5);
    const struct yk_ask *daemon = stage_ask(&stage, "daemon");
    assert_null(yk_ask_reservation(daemon));
    struct yk_resvec size = world_size(4000, 4096);
    struct yk_si_node node = {.node_id = "n3", .action = YK_SI_NODE_CREATE_DRAIN, .capacity = &size};
    assert_int_equal(yk_core_update_node(stage.world.core, "rm", &node), YK_OK);
    stage_wait(&stage, 5);
    assert_string_equal(stage_where(&stage, "daemon"), "n3");
    stage_done(&stage);
}

/* 6.1: what a queue guarantees is asked for by those who come to it, too. */
static void who_moves_into_a_guarantee_preempts(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "",
               "    - {name: a, resources: {guaranteed: {vcore: 2}}}\n    - {name: b}\n    - {name: c}\n");
    add_crumbs(&stage);
    world_node(&stage.world, "n1", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 2000, 100, "n1"));
    stage_pod(&stage, &(struct pod)POD("x2", "root.b", 2000, 100, "n1", .age_s = 2));
    stage_pod(&stage, &(struct pod)POD("ask", "root.c", 2000, 100, NULL, .age_s = 40));
    stage_wait(&stage, 20);
    stage_expect(&stage, "without a guarantee", "");
    move_to(&stage, "root.c", "root.a");
    stage_wait(&stage, 60);
    stage_expect(&stage, "with one", "x1");
    stage_confirm(&stage);
    stage_wait(&stage, 1);
    assert_string_equal(stage_where(&stage, "ask"), "n1");
    stage_done(&stage);
}

static void real_of_class(struct stage *stage, const char *app, const char *key, yk_si_class class_)
{
    struct yk_resvec size = world_size(1000, 100);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = app,
                                   .resource = &size,
                                   .task_group = "group",
                                   .scheduling_class = class_};
    assert_int_equal(yk_core_update_allocation(stage->world.core, "rm", &ask), YK_OK);
}

/* 2.6: a placeholder that is being replaced is nobody's victim, though it could have been a moment ago. */
static void what_is_being_replaced_is_no_victim(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(
        &stage, "",
        "    - {name: p, resources: {max: {vcore: 3}}, queues: [{name: a, resources: {guaranteed: {vcore: "
        "2}}}, {name: b}]}\n");
    world_node(&stage.world, "n1", 10000, 8192);
    world_node(&stage.world, "n2", 10000, 8192);
    world_node(&stage.world, "n3", 10000, 8192);
    stage_pod(&stage, &(struct pod)POD("x1", "root.p.b", 1000, 100, "n1", .age_s = 1));
    stage_pod(&stage,
              &(struct pod)POD("ph", "root.p.b", 1000, 100, "n1", .age_s = 2, .is_placeholder = true));
    stage_pod(&stage, &(struct pod)POD("x2", "root.p.b", 1000, 100, "n1", .age_s = 3));
    stage_pod(&stage, &(struct pod)POD("a1", "root.p.a", 1000, 100, NULL, .age_s = 50));
    stage_pod(&stage, &(struct pod)POD("a2", "root.p.a", 1000, 100, NULL, .age_s = 49));
    assert_int_equal(world_schedule_one(&stage.world), 1);
    stage_expect(&stage, "the first", "x1");
    real_of_class(&stage, "root.p.b", "real", YK_SI_CLASS_ANY);
    assert_int_equal(world_schedule_one(&stage.world), 1);
    assert_true((stage_ask(&stage, "real")->flags & YK_ASK_REPLACING) != 0);
    (void)world_schedule(&stage.world);
    stage_expect(&stage, "the second", "x2");
    stage_done(&stage);
}

/* 5.2: the node of the placeholder may come to suit while it takes nothing new itself. */
static void a_cordoned_node_comes_to_suit_a_gang(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", TWO);
    stage.world.class_letter = 'z';
    world_node(&stage.world, "n1", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("ph", "root.a", 1000, 100, "n1", .is_placeholder = true));
    real_of_class(&stage, "root.a", "real", 1);
    stage_wait(&stage, 1);
    world_node_action(&stage.world, "n1", YK_SI_NODE_DRAIN);
    stage_wait(&stage, 1);
    stage.world.class_letter = 'n';
    struct yk_si_node change = {.node_id = "n1", .action = YK_SI_NODE_UPDATE, .constraints_changed = true};
    assert_int_equal(yk_core_update_node(stage.world.core, "rm", &change), YK_OK);
    stage_wait(&stage, 1);
    assert_true((stage_ask(&stage, "real")->flags & YK_ASK_REPLACING) != 0);
    stage_done(&stage);
}

/* Invariant 6: names of task groups come from pods; those that had no placeholder go with them. */
static void task_groups_without_placeholders_go(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", TWO);
    world_node(&stage.world, "n1", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("stays", "root.a", 1000, 100, NULL));
    for (int i = 0; i < 100; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "own%d", i);
        struct yk_resvec size = world_size(100, 10);
        struct yk_si_allocation ask = {.key = name,
                                       .application_id = "root.a",
                                       .resource = &size,
                                       .task_group = name,
                                       .scheduling_class = YK_SI_CLASS_ANY};
        assert_int_equal(yk_core_update_allocation(stage.world.core, "rm", &ask), YK_OK);
        if (i % 2 == 0)
            (void)world_schedule(&stage.world);
        world_release(&stage.world, "root.a", name, YK_SI_STOPPED_BY_RM);
    }
    const struct yk_gang *gang = world_app(&stage.world, "root.a")->gang;
    assert_non_null(gang);
    assert_true(yk_list_empty(&gang->groups));
    assert_int_equal(gang->by_name.count, 0);
    stage_done(&stage);
}

/* 2.4: the next one of a stateaware leaf starts when the one that was starting is moved away. */
static void who_moves_away_lets_the_next_one_start(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "",
               "    - {name: a, properties: {application.sort.policy: stateaware}}\n    - {name: b}\n");
    world_node(&stage.world, "n1", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.a", 1000, 100, NULL, .app = "x", .age_s = 10));
    stage_pod(&stage, &(struct pod)POD("x2", "root.a", 5000, 100, NULL, .app = "x", .age_s = 10));
    stage_pod(&stage, &(struct pod)POD("y1", "root.a", 1000, 100, NULL, .app = "y"));
    stage_wait(&stage, 0);
    assert_int_equal(world_app(&stage.world, "x")->state, YK_APP_STARTING);
    assert_string_equal(stage_where(&stage, "y1"), "");
    move_to(&stage, "x", "root.b");
    stage_wait(&stage, 0);
    assert_string_equal(stage_where(&stage, "y1"), "n1");
    stage_done(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_older_daemon_that_comes_later),
        cmocka_unit_test(an_older_daemon_outlives_the_reservation),
        cmocka_unit_test(a_daemon_that_moves_keeps_its_node),
        cmocka_unit_test(who_moves_into_a_guarantee_preempts),
        cmocka_unit_test(what_is_being_replaced_is_no_victim),
        cmocka_unit_test(a_cordoned_node_comes_to_suit_a_gang),
        cmocka_unit_test(task_groups_without_placeholders_go),
        cmocka_unit_test(who_moves_away_lets_the_next_one_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
