/* SPDX-License-Identifier: Apache-2.0 */
/* Task groups of a gang while nodes change and asks go (scheduling.md 5.2). */
#include "lib/preemption_stage.h"
#include "partition/move.h"
#include "reservation/reservations.h"

#define TWO "    - {name: a}\n    - {name: b}\n"

/* 5.2: the node of the placeholder may come to suit while it takes nothing new itself. */
static void a_cordoned_node_comes_to_suit_a_gang(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", TWO);
    stage.world.class_letter = 'z';
    world_node(&stage.world, "n1", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("ph", "root.a", 1000, 100, "n1", .is_placeholder = true));
    stage_real_of_class(&stage, "root.a", "real", 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cordoned_node_comes_to_suit_a_gang),
        cmocka_unit_test(task_groups_without_placeholders_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
