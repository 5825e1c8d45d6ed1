/* SPDX-License-Identifier: Apache-2.0 */
/* Queues that go, and those that stay (queues.md R17, R18, R22). */
#include "base/random.h"
#include "lib/core_world.h"
#include "partition/housekeeping.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - "      \
    "name: root\n"                                                                                           \
    "    submitacl: '*'\n    queues:\n"

static void queue_made_for_a_refused_gang_is_cleaned(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               HEAD "    - {name: dyn, parent: true, childtemplate: {resources: {max: {vcore: 1}}}}\n");
    struct yk_resvec gang = world_size(5000, 10);
    struct yk_si_new_app app = {
        .application_id = "gang", .queue = "root.dyn.x.y", .ugi = {.user = "joe"}, .placeholder_ask = &gang};
    assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
    assert_int_equal(world.app_rejected, 1);
    world_advance(&world, 11);
    assert_int_equal(world_queue(&world, "root.dyn")->children.count, 0);
    world_done(&world);
}

#define HEAD_rows                                                                                            \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"                     \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"

/* R22: whatever time passes, a queue with an application in it stays. */
static void nothing_is_removed_by_force(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD_rows "    - {name: a}\n    - {name: b}\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "app", "root.a", "joe");
    world_ask(&world, "app", "k", 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_null(world_reload(&world, HEAD_rows "    - {name: b}\n"));
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

#define ROOT                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - "      \
    "name: root\n"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue_made_for_a_refused_gang_is_cleaned),
        cmocka_unit_test(nothing_is_removed_by_force),
        cmocka_unit_test(the_cleaner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
