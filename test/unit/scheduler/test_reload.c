/* SPDX-License-Identifier: Apache-2.0 */
/* Hot reload of the queue tree (queues.md R9 to R19): all or nothing, and what it does to what lives. */
#include "lib/core_world.h"

#define HEAD "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"

static void new_queue_and_removed_queue(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - name: a\n    - name: b\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "app", "root.b", "joe");
    world_ask(&world, "app", "k1", 100, 10);
    assert_int_equal(world_schedule(&world), 1);

    assert_null(world_reload(&world, HEAD "    - name: a\n    - name: c\n"));
    assert_non_null(world_queue(&world, "root.c"));
    assert_string_equal(yk_object_state_name(world_queue(&world, "root.b")->state), "Draining");
    world_ask(&world, "app", "k2", 100, 10); /* R4: what runs goes on */
    assert_int_equal(world_schedule(&world), 1);
    world_submit(&world, "late", "root.b", "joe"); /* but nothing new comes in */
    assert_null(world_app(&world, "late"));

    world_release(&world, "app", "", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 31);
    world_advance(&world, 11);
    assert_null(world_queue(&world, "root.b"));
    assert_non_null(world_queue(&world, "root.a"));
    world_check(&world);
    world_done(&world);
}

static void draining_queue_comes_back(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - name: a\n    - name: b\n");
    world_submit(&world, "app", "root.b", "joe");
    assert_null(world_reload(&world, HEAD "    - name: a\n"));
    assert_string_equal(yk_object_state_name(world_queue(&world, "root.b")->state), "Draining");
    assert_null(world_reload(&world, HEAD "    - name: a\n    - name: b\n"));
    assert_string_equal(yk_object_state_name(world_queue(&world, "root.b")->state), "Active"); /* R19 */
    assert_non_null(world_app(&world, "app"));
    world_done(&world);
}

static void raised_maximum_wakes_lowered_one_converges(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: a, resources: {max: {vcore: 1}}}\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "app", "root.a", "joe");
    const char *keys[] = {"1", "2", "3", "4"};
    for (size_t i = 0; i < YK_COUNT(keys); i++)
        world_ask(&world, "app", keys[i], 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_null(world_reload(&world, HEAD "    - {name: a, resources: {max: {vcore: 3}}}\n"));
    assert_int_equal(world_schedule(&world), 2);
    assert_null(world_reload(&world, HEAD "    - {name: a, resources: {max: {vcore: 1}}}\n"));
    assert_int_equal(world_schedule(&world), 0); /* R14: nothing is taken away */
    world_release(&world, "app", "1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(yk_resvec_get(&world_queue(&world, "root.a")->allocated, YK_RESTYPE_VCORE), 2000);
    world_done(&world);
}

static void refused_configuration_changes_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *what, *config, *names;
    } cases[] = {
        {"not YAML", "partitions: [", NULL},
        {"unknown key", HEAD "    - {name: a, colour: red}\n", "colour"},
        {"bad quantity", HEAD "    - {name: a, resources: {max: {vcore: many}}}\n", "many"},
        {"rule that does not exist",
         "partitions:\n- name: default\n  placementrules:\n  - {name: nonsense}\n  queues:\n  - name: root\n",
         "nonsense"},
        {"child above its parent",
         HEAD
         "    - {name: a, resources: {max: {vcore: 1}}, queues: [{name: b, resources: {max: {vcore: 2}}}]}\n",
         NULL},
        {"no partition", "partitions: []\n", "partition"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        world_init(&world, HEAD "    - name: a\n");
        const char *refusal = world_reload(&world, cases[i].config);
        if (refusal == NULL)
            fail_msg("%s: accepted", cases[i].what);
        if (cases[i].names != NULL && strstr(refusal, cases[i].names) == NULL)
            fail_msg("%s: the refusal does not name '%s': %s", cases[i].what, cases[i].names, refusal);
        assert_non_null(world_queue(&world, "root.a"));
        world_submit(&world, "app", "root.a", "joe");
        assert_non_null(world_app(&world, "app"));
        world_done(&world);
    }
}

/* "default" holds the nodes of Kubernetes: a typing error in its name must not end all that runs. */
static void the_default_partition_is_kept(void **state)
{
    (void)state;
    static const char without[] = "partitions: [{name: defualt, queues: [{name: root}]}]\n";
    struct world world;
    struct yk_err err = {0};
    world_init(&world, HEAD "    - name: a\n");
    struct yk_si_register request = {.rm_id = "rm", .config = yk_str_from(without), .keeps_default = true};
    assert_int_equal(yk_core_update_config(world.core, &request, &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "no partition is called 'default'"));
    assert_non_null(world_queue(&world, "root.a"));
    request.keeps_default = false; /* by a resource manager that does not mind */
    assert_int_equal(yk_core_update_config(world.core, &request, &err), YK_OK);
    request.keeps_default = true; /* there is none that would be lost */
    assert_int_equal(yk_core_update_config(world.core, &request, &err), YK_OK);
    world_done(&world);
}

static void leaf_turned_parent_serves_its_applications(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - name: a\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "old", "root.a", "joe");
    world_ask(&world, "old", "1", 1000, 10);
    assert_null(world_reload(&world, HEAD "    - {name: a, queues: [{name: b}]}\n"));
    world_submit(&world, "new", "root.a.b", "joe");
    world_ask(&world, "new", "2", 1000, 10);
    assert_int_equal(world_schedule(&world), 2); /* R15 */
    world_submit(&world, "late", "root.a", "joe");
    assert_null(world_app(&world, "late"));
    world_done(&world);
}

static void dynamic_leaves_take_the_template(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions:\n- name: default\n  placementrules:\n  - {name: provided, create: true}\n"
                       "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
                       "    - name: p\n      parent: true\n      childtemplate:\n        maxapplications: 3\n"
                       "        properties: {application.sort.policy: fair}\n"
                       "        resources: {max: {vcore: 2}}\n");
    world_submit(&world, "app", "root.p.x.y", "joe");
    const struct yk_queue *leaf = world_queue(&world, "root.p.x.y");
    assert_non_null(leaf);
    assert_int_equal(leaf->max_apps, 3);
    assert_true(leaf->has_max);
    assert_int_equal(yk_resvec_get(&leaf->max, YK_RESTYPE_VCORE), 2000);
    assert_int_equal(leaf->settings.app_sort, YK_APP_SORT_FAIR);
    assert_false(leaf->managed);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_queue_and_removed_queue),
        cmocka_unit_test(draining_queue_comes_back),
        cmocka_unit_test(raised_maximum_wakes_lowered_one_converges),
        cmocka_unit_test(the_default_partition_is_kept),
        cmocka_unit_test(refused_configuration_changes_nothing),
        cmocka_unit_test(leaf_turned_parent_serves_its_applications),
        cmocka_unit_test(dynamic_leaves_take_the_template),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
