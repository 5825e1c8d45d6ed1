/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of queues.md that are about what must not happen, or no longer does: C6, C19, R22, R34, P11, O10,
 * O13. */
#include "partition/housekeeping.h"
#include "scheduler/world.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"                     \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"

/* C6: at the start nothing is registered, on a reload all of the old one stays. */
static void an_invalid_configuration_leaves_what_was(void **state)
{
    (void)state;
    static const char bad[] =
        HEAD "    - {name: a, maxapplications: 7}\n    - {name: b, resources: {max: {vcore: "
             "x}}}\n";
    struct world world;
    struct yk_err err = {0};
    struct yk_si_register request = {.rm_id = "other", .policy_group = "queues", .config = YK_STR(bad)};
    static const struct yk_si_callbacks callbacks;
    yk_clock_virtual_init(&world.clock, INT64_C(1700000000) * YK_NS_PER_S);
    yk_timers_init(&world.timers, &world.clock);
    const struct yk_core_options options = {.clock = &world.clock, .timers = &world.timers, .manual = true};
    struct yk_core *core = yk_core_new(&options);
    assert_int_equal(yk_core_register(core, &request, &callbacks, NULL, &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "queue 'root.b': max: invalid quantity 'x'"));
    struct yk_si_new_app app = {.application_id = "app"};
    assert_int_equal(yk_core_add_app(core, "other", &app), YK_ERR_NOT_FOUND);
    yk_core_free(core);
    yk_timers_done(&world.timers);

    world_init(&world, HEAD "    - {name: a, maxapplications: 1}\n    - {name: c}\n");
    const char *refusal = world_reload(&world, bad);
    assert_non_null(refusal);
    assert_non_null(strstr(refusal, "queue 'root.b'"));
    assert_int_equal(world_queue(&world, "root.a")->max_apps, 1);
    assert_int_equal(world_queue(&world, "root.c")->state, YK_STATE_ACTIVE);
    assert_null(world_queue(&world, "root.b"));
    world_check(&world);
    world_done(&world);
}

/* C19: who names no partition means default; another one has its queues and stays empty. */
static void other_partitions_stay_empty(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: a}\n- name: gpu\n  queues:\n  - name: root\n    submitacl: '*'\n"
                            "    queues: [{name: a}]\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "app", "root.a", "joe");
    world_ask(&world, "app", "k", 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    const struct yk_partition *other = yk_core_find_partition(world.core, YK_STR("gpu"));
    assert_non_null(other);
    assert_non_null(yk_queue_find(other->root, YK_STR("root.a")));
    assert_int_equal(other->node_count, 0);
    assert_int_equal(other->apps.count, 0);
    assert_false(other->root->has_max);
    assert_int_equal(world_partition(&world)->node_count, 1);
    world_done(&world);
}

/* R22: whatever time passes, a queue with an application in it stays. */
static void nothing_is_removed_by_force(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: a}\n    - {name: b}\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "app", "root.a", "joe");
    world_ask(&world, "app", "k", 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_null(world_reload(&world, HEAD "    - {name: b}\n"));
    for (int day = 0; day < 30; day++)
        world_advance(&world, INT64_C(24) * 3600);
    const struct yk_queue *draining = world_queue(&world, "root.a");
    assert_non_null(draining);
    assert_int_equal(draining->state, YK_STATE_DRAINING);
    assert_int_equal(yk_resvec_get(&draining->allocated, YK_RESTYPE_VCORE), 1000);
    assert_int_equal(yk_core_remove_app(world.core, "rm", "app", NULL), YK_OK);
    world_advance(&world, 30);
    assert_null(world_queue(&world, "root.a"));
    world_done(&world);
}

/* R34: a full queue takes applications and asks; they wait. */
static void a_quota_refuses_no_submission(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: a, resources: {max: {vcore: 1}}, maxapplications: 1}\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "first", "root.a", "joe");
    world_ask(&world, "first", "k1", 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    world_submit(&world, "second", "root.a", "joe");
    world_ask(&world, "first", "k2", 1000, 10);
    world_ask(&world, "second", "l1", 5000, 10);
    assert_int_equal(world.app_rejected + world.alloc_rejected, 0);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(yk_resvec_get(&world_queue(&world, "root.a")->pending, YK_RESTYPE_VCORE), 6000);
    world_release(&world, "first", "k1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "k2");
    world_done(&world);
}

/* P11: a rule that denies does not reject: the next one is asked; only the end of all rules is a
 * rejection. */
static void denied_is_not_rejected(void **state)
{
    (void)state;
    static const char rules[] = "partitions:\n- name: default\n  placementrules:\n"
                                "  - {name: fixed, value: closed}\n"
                                "  - {name: user, create: true, filter: {type: deny, users: [joe, x]}}\n"
                                "  - {name: fixed, value: open, filter: {users: [joe, y]}}\n"
                                "  queues:\n  - name: root\n    queues:\n    - {name: closed, submitacl: "
                                "ann}\n    - {name: open, submitacl: "
                                "joe}\n";
    struct world world;
    world_init(&world, rules);
    world_submit(&world, "a", "", "joe");
    assert_int_equal(world.app_rejected, 0);
    assert_string_equal(world_app(&world, "a")->queue_path, "root.open");
    world_submit(&world, "b", "", "bob");
    assert_int_equal(world.app_rejected, 1);
    assert_string_equal(world.last_reason,
                        "failed to place application b: application rejected: no placement rule matched");
    world_done(&world);
}

/* O10: x uses half of what it is guaranteed, y without a guarantee 0.3 of what there is: the share of y is
 * the smaller one, though it has more. Queues below their guarantee go first all the same (O8). */
static void shares_fall_back_to_the_fair_maximum(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: x, resources: {guaranteed: {vcore: 4}}}\n    - {name: y}\n");
    world_node(&world, "n1", 10000, 10240);
    world_submit(&world, "ax", "root.x", "joe");
    world_submit(&world, "ay", "root.y", "joe");
    world_ask_full(&world, "ax", "x1", 2000, 1, 0, YK_SI_CLASS_ANY, "n1");
    world_ask_full(&world, "ay", "y1", 3000, 1, 0, YK_SI_CLASS_ANY, "n1");
    world_ask(&world, "ax", "x2", 100, 1);
    world_ask(&world, "ay", "y2", 100, 1);
    assert_true(world_queue(&world, "root.y")->share < world_queue(&world, "root.x")->share);
    assert_int_equal(world_schedule_one(&world), 1);
    assert_string_equal(world.last_key, "x2");
    world_done(&world);
}

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
        cmocka_unit_test(an_invalid_configuration_leaves_what_was),
        cmocka_unit_test(other_partitions_stay_empty),
        cmocka_unit_test(nothing_is_removed_by_force),
        cmocka_unit_test(a_quota_refuses_no_submission),
        cmocka_unit_test(denied_is_not_rejected),
        cmocka_unit_test(shares_fall_back_to_the_fair_maximum),
        cmocka_unit_test(nodes_are_compared_by_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
