/* SPDX-License-Identifier: Apache-2.0 */
/* The order of nodes, read from a core (queues.md O13). */
#include "lib/core_world.h"
#include "partition/housekeeping.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"                     \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"

/* O13: not who has most left, but who is used least for its size. */
static void nodes_are_compared_by_use(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: a}\n");
    world_node(&world, "large", 10000, 10240);
    world_node(&world, "small", 2000, 2048);
    world_submit(&world, "app", "root.a", "joe");
    world_ask_full(&world, "app", "k1", 5000, 5120, 0, YK_SI_CLASS_ANY, "large"); /* 5 left of 10 */
    world_ask(&world, "app", "k2", 500, 512);                                     /* 2 left of 2 */
    assert_int_equal(world_schedule_one(&world), 1);
    assert_string_equal(world.last_node, "small");
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_compared_by_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
