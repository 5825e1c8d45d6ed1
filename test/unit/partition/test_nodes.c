/* SPDX-License-Identifier: Apache-2.0 */
/* What nodes that come and go change in the root queue (queues.md R2). */
#include "lib/core_world.h"

#define ROOT                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - "      \
    "name: root\n"

/* R2: the root may use what the nodes have, and nothing while there are none. */
static void the_root_has_what_the_nodes_have(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, ROOT "    submitacl: '*'\n    queues: [{name: a}]\n");
    struct yk_queue *root = world_queue(&world, "root");
    assert_false(root->has_max);
    world_node(&world, "n1", 1000, 64);
    world_node(&world, "n2", 500, 64);
    assert_int_equal(yk_resvec_get(&root->max, YK_RESTYPE_VCORE), 1500);
    world_node_action(&world, "n2", YK_SI_NODE_DRAIN); /* counts until it is removed */
    assert_int_equal(yk_resvec_get(&root->max, YK_RESTYPE_VCORE), 1500);
    world_node_action(&world, "n2", YK_SI_NODE_DECOMMISSION);
    assert_int_equal(yk_resvec_get(&root->max, YK_RESTYPE_VCORE), 1000);
    world_node_action(&world, "n1", YK_SI_NODE_DECOMMISSION);
    assert_false(root->has_max);
    assert_false(root->has_guaranteed);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_root_has_what_the_nodes_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
