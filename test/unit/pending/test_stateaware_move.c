/* SPDX-License-Identifier: Apache-2.0 */
/* A stateaware leaf whose starting application is moved away (queues.md O7). */
#include "lib/preemption_stage.h"
#include "partition/move.h"
#include "reservation/reservations.h"

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
    stage_move(&stage, "x", "root.b");
    stage_wait(&stage, 0);
    assert_string_equal(stage_where(&stage, "y1"), "n1");
    stage_done(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_moves_away_lets_the_next_one_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
