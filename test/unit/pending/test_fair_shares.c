/* SPDX-License-Identifier: Apache-2.0 */
/* Fair shares follow the capacity of the nodes in steps; nothing is decided in between. */
#include "pending/fair_shares.h"

#include "lib/core_world.h"

enum { STEP_QUEUES = 64 }; /* as in pending/fair_shares.c */

/* Leaves q-000 and on; with the root, `queues` in all. */
static void begin(struct world *world, int queues)
{
    struct yk_buf config = {.max = 64 << 10};
    yk_buf_text(&config, "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
                         "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n");
    for (int i = 0; i < queues - 1; i++)
        yk_buf_printf(&config, "    - name: q-%03d\n", i);
    world_init(world, yk_buf_cstr(&config));
    yk_buf_done(&config);
    world_node(world, "n1", 10000, 10240);
    world_submit(world, "app", "root.q-001", "joe");
    world_ask(world, "app", "first", 100, 1);
    assert_int_equal(world_schedule(world), 1);
}

/* As the engine does: a step ends it. */
static size_t slice(struct world *world)
{
    return yk_core_schedule(world->core, SIZE_MAX, INT64_MAX - 1);
}

static bool is_fresh(struct world *world)
{
    return yk_fair_shares_are_fresh(world_partition(world));
}

static void a_pass_goes_before_the_next_decision(void **state)
{
    (void)state;
    struct world world;
    begin(&world, 3 * STEP_QUEUES);
    double before = world_queue(&world, "root.q-001")->share;
    world_node(&world, "n2", 10000, 10240);
    world_ask(&world, "app", "second", 100, 1);
    assert_int_equal(slice(&world), 0);
    assert_int_equal(slice(&world), 0);
    assert_true(yk_core_has_work(world.core));
    assert_false(is_fresh(&world));
    assert_int_equal(slice(&world), 1);
    assert_true(is_fresh(&world));
    double after = world_queue(&world, "root.q-001")->share; /* twice as many pods of twice as much */
    assert_true(after <= before && after >= before);
    world_done(&world);
}

/* Nodes that change all the time delay decisions, but do not prevent them. */
static void a_change_during_a_pass_waits(void **state)
{
    (void)state;
    struct world world;
    begin(&world, 3 * STEP_QUEUES);
    size_t decisions = 0;
    for (int i = 0; i < 8; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "ask-%d", i);
        world_ask(&world, "app", name, 100, 1);
    }
    for (int i = 0; i < 12; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "node-%d", i);
        world_node(&world, name, 1000, 1024);
        decisions += slice(&world);
    }
    assert_true(decisions >= 4);
    decisions += world_schedule(&world);
    assert_int_equal(decisions, 8);
    assert_true(is_fresh(&world));
    world_done(&world);
}

static void a_queue_may_go_during_a_pass(void **state)
{
    (void)state;
    struct world world;
    begin(&world, STEP_QUEUES);
    world_submit(&world, "short", "root.zz-dynamic", "joe");
    world_node(&world, "n2", 10000, 10240);
    world_ask(&world, "app", "second", 100, 1);
    assert_int_equal(slice(&world), 0);
    assert_ptr_equal(world_partition(&world)->pending.shares_next, world_queue(&world, "root.zz-dynamic"));
    assert_int_equal(yk_core_remove_app(world.core, "rm", "short", NULL), YK_OK);
    world_advance(&world, 60);
    assert_null(world_queue(&world, "root.zz-dynamic"));
    assert_true(world_schedule(&world) <= 1); /* the clock may have decided */
    assert_int_equal(yk_resvec_get(&world_queue(&world, "root")->allocated, YK_RESTYPE_VCORE), 200);
    assert_true(is_fresh(&world));
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_goes_before_the_next_decision),
        cmocka_unit_test(a_change_during_a_pass_waits),
        cmocka_unit_test(a_queue_may_go_during_a_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
