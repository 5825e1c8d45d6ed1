/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of daemon sets that wait for one node, with moves and removals between (scheduling.md 3.7). */
#include "lib/preemption_stage.h"
#include "partition/move.h"
#include "reservation/reservations.h"

#define TWO "    - {name: a}\n    - {name: b}\n"

/* 3.7: the pod of another daemon set, made earlier, is heard of after the first one has reserved the node. */
static void an_older_daemon_that_comes_later(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", TWO);
    stage_add_crumbs(&stage);
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
    stage_add_crumbs(&stage);
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
    stage_add_crumbs(&stage);
    world_node(&stage.world, "n1", 4000, 4096);
    world_node(&stage.world, "n2", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 4000, 100, "n1", .required_node = "n1"));
    stage_pod(&stage, &(struct pod)POD("x2", "root.b", 4000, 100, "n2", .required_node = "n2"));
    stage_pod(&stage, &(struct pod)POD("plain", "root.b", 1000, 100, NULL));
    stage_wait(&stage, 1); /* nothing has room for the size */
    stage_pod(&stage, &(struct pod)POD("daemon", "root.a", 1000, 100, NULL, .required_node = "n3"));
    stage_wait(&stage, 0);
    stage_move(&stage, "root.a", "root.b");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_older_daemon_that_comes_later),
        cmocka_unit_test(an_older_daemon_outlives_the_reservation),
        cmocka_unit_test(a_daemon_that_moves_keeps_its_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
