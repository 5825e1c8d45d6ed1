/* SPDX-License-Identifier: Apache-2.0 */
/* Applications that are placed, refused and removed (queues.md A7, P8, P10, P11, R34). */
#include "base/random.h"
#include "lib/core_world.h"
#include "lib/one_thread.h"
#include "partition/housekeeping.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - "      \
    "name: root\n"                                                                                           \
    "    submitacl: '*'\n    queues:\n"

#define OPEN HEAD "    - name: a\n    - {name: dyn, parent: true}\n"

static void same_rejected_application_takes_one_place(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, OPEN);
    for (int i = 0; i < 100; i++)
        world_submit(&world, "no user", "root.a", "");
    world_submit(&world, "another", "root.a", "");
    assert_int_equal(world.app_rejected, 101);
    const struct yk_partition *partition = world_partition(&world);
    assert_int_equal(partition->rejected_count, 2);
    assert_int_equal(partition->apps_by_state[YK_APP_REJECTED], 2);
    for (int day = 0; day < 5; day++)
        world_advance(&world, 86400);
    assert_int_equal(partition->rejected_count, 0);
    assert_int_equal(partition->rejected_by_id.count, 0);
    world_submit(&world, "no user", "root.a", "");
    assert_int_equal(partition->rejected_count, 1);
    world_done(&world);
}

static void many_applications_leave_nothing(void **state)
{
    (void)state;
    enum { APPS = 100000 / ONE_THREAD_PART, AT_ONCE = 100 };
    struct world world;
    world_init(&world, OPEN);
    world_node(&world, "n1", 1000000, 1000000);
    struct yk_partition *partition = world_partition(&world);
    for (int i = 0; i < APPS; i++) {
        char id[16], queue[32], user[16];
        (void)snprintf(id, sizeof(id), "p%d", i);
        (void)snprintf(queue, sizeof(queue), "root.dyn.q%d", i % 500);
        (void)snprintf(user, sizeof(user), "u%d", i % 300);
        world_submit(&world, id, queue, user);
        world_ask(&world, id, "k", 1 + i % 7, 1);
        if (i % AT_ONCE < AT_ONCE - 1)
            continue;
        assert_int_equal(yk_core_schedule(world.core, SIZE_MAX, INT64_MAX), AT_ONCE);
        for (int back = 0; back < AT_ONCE; back++) {
            (void)snprintf(id, sizeof(id), "p%d", i - back);
            world_release(&world, id, "k", YK_SI_STOPPED_BY_RM);
        }
        world_advance(&world, 31);
    }
    world_advance(&world, 31);
    assert_int_equal(partition->apps.count, 0);
    assert_true(partition->apps_by_number.count <= 2 * AT_ONCE); /* numbers are used again */
    for (size_t i = 0; i < partition->apps_by_number.count; i++)
        assert_null(partition->apps_by_number.items[i]);
    assert_int_equal(partition->completed_count, APPS);
    for (int day = 0; day < 5; day++)
        world_advance(&world, 86400);
    assert_int_equal(partition->completed_count, 0);
    assert_int_equal(partition->usages.users.count, 0);
    assert_int_equal(partition->shapes.count, 0);
    assert_int_equal(partition->allocation_count, 0);
    assert_int_equal(partition->root->children.count, 2);
    assert_int_equal(world_queue(&world, "root.dyn")->children.count, 0);
    assert_true(yk_resvec_is_empty(&partition->root->allocated) &&
                yk_resvec_is_empty(&partition->root->pending));
    assert_int_equal(partition->root->priorities.count, 0);
    for (int s = 0; s < YK_APP_STATE_COUNT; s++)
        assert_int_equal(partition->apps_by_state[s], 0);
    assert_true(world.timers.heap.count <= 2); /* sweep, cleaner */
    world_check(&world);
    world_done(&world);
}

#define HEAD_rows                                                                                            \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"                     \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"

/* R34: a full queue takes applications and asks; they wait. */
static void a_quota_refuses_no_submission(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD_rows "    - {name: a, resources: {max: {vcore: 1}}, maxapplications: 1}\n");
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

#define ROOT                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - "      \
    "name: root\n"

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
        cmocka_unit_test(same_rejected_application_takes_one_place),
        cmocka_unit_test(many_applications_leave_nothing),
        cmocka_unit_test(a_quota_refuses_no_submission),
        cmocka_unit_test(denied_is_not_rejected),
        cmocka_unit_test(nothing_is_made_below_a_leaf),
        cmocka_unit_test(acls_are_for_those_who_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
