/* SPDX-License-Identifier: Apache-2.0 */
/* What 1.9 gets wrong and we do not (queues.md, section 9), and rules around them that live in no other
 * table. */
#include "scheduler/world.h"

#define ROOT                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - "      \
    "name: root\n"

static const char *start(const char *config)
{
    static struct yk_err err;
    struct world world = {.class_letter = 0};
    const struct yk_si_callbacks callbacks = {.allocated = NULL};
    yk_clock_virtual_init(&world.clock, YK_NS_PER_S);
    yk_timers_init(&world.timers, &world.clock);
    const struct yk_core_options options = {.clock = &world.clock, .timers = &world.timers, .manual = true};
    struct yk_core *core = yk_core_new(&options);
    const struct yk_si_register request = {.rm_id = "rm", .config = yk_str_from(config)};
    enum yk_status st = yk_core_register(core, &request, &callbacks, NULL, &err);
    yk_core_free(core);
    yk_timers_done(&world.timers);
    return st == YK_OK ? NULL : err.text;
}

/* BUG-1: a text of nothing but comments is the default, not the end of all partitions (C3, C4). */
static void comments_remove_nothing(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, ROOT "    submitacl: '*'\n    queues: [{name: a}]\n");
    world_submit(&world, "app", "root.a", "joe");
    assert_null(world_reload(&world, "# later\n"));
    assert_non_null(world_partition(&world));
    assert_non_null(world_app(&world, "app")); /* its queue drains */
    assert_non_null(world_reload(&world, "partitions: []\n"));
    assert_non_null(world_app(&world, "app"));
    world_done(&world);
}

/* BUG-2, BUG-3 */
static void what_is_refused_at_the_start(void **state)
{
    (void)state;
    assert_null(start("partitions:\n- name: default\n  queues:\n  - name: Root\n    submitacl: '*'\n"));
    static const char *const rules[] = {"{name: nonsense}", "{name: recovery}", "{name: tag}",
                                        "{name: fixed}",
                                        "{name: fixed, value: root.a, parent: {name: user}}"};
    for (size_t i = 0; i < YK_COUNT(rules); i++) {
        char config[256];
        (void)snprintf(config, sizeof(config),
                       "partitions:\n- name: default\n  placementrules: [%s]\n  queues: [{name: root}]\n",
                       rules[i]);
        if (start(config) == NULL)
            fail_msg("%s: accepted", rules[i]);
    }
}

/* BUG-12, P8: below a leaf or a draining queue the next rule has its turn. */
static void nothing_is_made_below_a_leaf(void **state)
{
    (void)state;
    struct world world;
    world_init(
        &world,
        "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}, {name: fixed, "
        "value: root.rest}]\n  queues:\n  - {name: root, submitacl: '*', queues: [{name: leaf}, {name: "
        "rest}]}\n");
    world_submit(&world, "app", "root.leaf.below", "joe");
    assert_string_equal(world_app(&world, "app")->queue_path, "root.rest");
    world_done(&world);
}

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

/* R17, R18: the cleaner comes every ten seconds; a configured queue that is active stays. */
static void the_cleaner(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               ROOT "    submitacl: '*'\n    queues: [{name: stays}, {name: parent, parent: true}]\n");
    world_submit(&world, "one", "root.parent.made.deep", "joe");
    world_submit(&world, "two", "root.stays", "joe");
    assert_int_equal(yk_core_remove_app(world.core, "rm", "one", NULL), YK_OK);
    assert_int_equal(yk_core_remove_app(world.core, "rm", "two", NULL), YK_OK);
    world_advance(&world, 9);
    assert_non_null(world_queue(&world, "root.parent.made.deep"));
    world_advance(&world, 2);
    assert_null(world_queue(&world, "root.parent.made")); /* empty with its child */
    assert_non_null(world_queue(&world, "root.parent"));
    world_advance(&world, 100);
    assert_non_null(world_queue(&world, "root.stays"));
    world_done(&world);
}

/* A7, P10: who is in stays in, whatever the ACLs and rules become. */
static void acls_are_for_those_who_come(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, ROOT "    queues: [{name: a, submitacl: joe}]\n");
    world_node(&world, "n1", 1000, 64);
    world_submit(&world, "in", "root.a", "joe");
    assert_null(world_reload(&world, ROOT "    queues: [{name: a, submitacl: ann}]\n"));
    world_submit(&world, "out", "root.a", "joe");
    assert_null(world_app(&world, "out"));
    world_ask(&world, "in", "k", 100, 1);
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_remove_nothing),
        cmocka_unit_test(what_is_refused_at_the_start),
        cmocka_unit_test(nothing_is_made_below_a_leaf),
        cmocka_unit_test(the_root_has_what_the_nodes_have),
        cmocka_unit_test(the_cleaner),
        cmocka_unit_test(acls_are_for_those_who_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
