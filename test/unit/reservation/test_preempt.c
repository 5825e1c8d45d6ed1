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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_moves_into_a_guarantee_preempts),
        cmocka_unit_test(what_is_being_replaced_is_no_victim),
        cmocka_unit_test(a_reload_without_guarantees_visits_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
