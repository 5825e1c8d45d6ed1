/* SPDX-License-Identifier: Apache-2.0 */
/* Preemption for asks that move, and allocations that cannot be victims (scheduling.md 2.6, 6.1). */
#include "lib/preemption_stage.h"
#include "partition/move.h"
#include "reservation/preempt.h"
#include "reservation/reservations.h"

/* 6.1: what a queue guarantees is asked for by those who come to it, too. */
static void who_moves_into_a_guarantee_preempts(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "",
               "    - {name: a, resources: {guaranteed: {vcore: 2}}}\n    - {name: b}\n    - {name: c}\n");
    stage_add_crumbs(&stage);
    world_node(&stage.world, "n1", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 2000, 100, "n1"));
    stage_pod(&stage, &(struct pod)POD("x2", "root.b", 2000, 100, "n1", .age_s = 2));
    stage_pod(&stage, &(struct pod)POD("ask", "root.c", 2000, 100, NULL, .age_s = 40));
    stage_wait(&stage, 20);
    stage_expect(&stage, "without a guarantee", "");
    stage_move(&stage, "root.c", "root.a");
    stage_wait(&stage, 60);
    stage_expect(&stage, "with one", "x1");
    stage_confirm(&stage);
    stage_wait(&stage, 1);
    assert_string_equal(stage_where(&stage, "ask"), "n1");
    stage_done(&stage);
}

/* 2.6: a placeholder that is being replaced is no victim, though it could have been a moment ago. */
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
    stage_real_of_class(&stage, "root.p.b", "real", YK_SI_CLASS_ANY);
    assert_int_equal(world_schedule_one(&stage.world), 1);
    assert_true((stage_ask(&stage, "real")->flags & YK_ASK_REPLACING) != 0);
    (void)world_schedule(&stage.world);
    stage_expect(&stage, "the second", "x2");
    stage_done(&stage);
}

#define GUARANTEED "    - {name: a, resources: {guaranteed: {vcore: 2}}}\n    - {name: b}\n"
#define FREE       "    - {name: a}\n    - {name: b}\n"

/* A reload visits what waits only if a queue is guaranteed something. */
static void a_reload_without_guarantees_visits_nothing(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", FREE);
    stage_add_crumbs(&stage);
    world_node(&stage.world, "n1", 2000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 2000, 100, "n1"));
    stage_pod(&stage, &(struct pod)POD("small", "root.a", 1000, 100, NULL));
    stage_pod(&stage, &(struct pod)POD("large", "root.a", 2000, 100, NULL));
    stage_wait(&stage, 1);
    assert_int_equal(yk_preempt_configured(world_partition(&stage.world)), 0);
    stage_reload(&stage, "", GUARANTEED);
    assert_int_equal(yk_preempt_configured(world_partition(&stage.world)), 3); /* x1 is in a group, too */
    stage_reload(&stage, "", FREE);                                            /* before they are due */
    stage_wait(&stage, 60);
    stage_expect(&stage, "no longer guaranteed", "");
    stage_reload(&stage, "", GUARANTEED);
    stage_wait(&stage, 60);
    stage_expect(&stage, "guaranteed again", "x1");
    stage_done(&stage);
}

/* A reservation that was used causes no pause: the next ask of the group has its turn when it is due. */
static void a_used_reservation_causes_no_pause(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", GUARANTEED);
    stage_add_crumbs(&stage);
    world_node(&stage.world, "n1", 2000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 1000, 100, "n1"));
    stage_pod(&stage, &(struct pod)POD("x2", "root.b", 1000, 100, "n1", .age_s = 2));
    stage_pod(&stage, &(struct pod)POD("first", "root.a", 1000, 100, NULL, .age_s = 40));
    stage_pod(&stage, &(struct pod)POD("second", "root.a", 1000, 100, NULL, .age_s = 20));
    stage_wait(&stage, 0);
    stage_expect(&stage, "for the first one", "x1");
    stage_wait(&stage, 8);
    stage_confirm(&stage);
    stage_wait(&stage, 1);
    assert_string_equal(stage_where(&stage, "first"), "n1");
    stage_expect(&stage, "before the delay", "");
    stage_wait(&stage, 2);
    stage_expect(&stage, "for the second one", "x2");
    stage_done(&stage);
}

#define AWARE                                                                                                \
    "    - {name: a, properties: {application.sort.policy: stateaware}, "                                    \
    "resources: {guaranteed: {vcore: 2}}}\n    - {name: b}\n"

/* An application that its stateaware leaf holds does not preempt: its ask could not start. */
static void what_a_stateaware_leaf_holds_does_not_preempt(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", GUARANTEED);
    stage_add_crumbs(&stage);
    world_node(&stage.world, "n1", 2000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 1000, 100, "n1"));
    stage_pod(&stage, &(struct pod)POD("x2", "root.b", 1000, 100, "n1", .age_s = 2));
    stage_pod(&stage, &(struct pod)POD("one", "root.a", 1000, 100, NULL, .app = "one"));
    stage_wait(&stage, 1);
    stage_pod(&stage, &(struct pod)POD("two", "root.a", 1000, 100, NULL, .app = "two"));
    stage_wait(&stage, 1);
    stage_reload(&stage, "", AWARE);
    stage_wait(&stage, 60);
    stage_wait(&stage, 60);
    stage_expect(&stage, "for the one that may start", "x1");
    stage_confirm(&stage);
    stage_wait(&stage, 1); /* it is Starting */
    stage_wait(&stage, 60);
    assert_string_equal(stage_where(&stage, "one"), "n1");
    stage_expect(&stage, "while one starts", "");
    stage_wait(&stage, 300); /* it runs */
    stage_wait(&stage, 60);
    stage_expect(&stage, "for the next one", "x2");
    stage_done(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_moves_into_a_guarantee_preempts),
        cmocka_unit_test(what_is_being_replaced_is_no_victim),
        cmocka_unit_test(a_reload_without_guarantees_visits_nothing),
        cmocka_unit_test(a_used_reservation_causes_no_pause),
        cmocka_unit_test(what_a_stateaware_leaf_holds_does_not_preempt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
