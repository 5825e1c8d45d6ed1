/* SPDX-License-Identifier: Apache-2.0 */
/* Killing an application (queues.md A8): what is reported, what stays counted, and when it has failed. */
#include "scheduler/kill.h"

#include "lib/core_world.h"

static const char config[] = "partitions: [{name: default, placementrules: [{name: provided}], "
                             "queues: [{name: root, submitacl: '*', queues: [{name: leaf}]}]}]";

static void set_up(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 2000, 8192);
    world_submit(world, "app", "root.leaf", "joe");
}

static void allocations_stay_until_they_have_ended(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    set_up(&world);
    for (int i = 0; i < 3; i++)
        world_ask(&world, "app", (const char *[]){"k0", "k1", "k2"}[i], 1000, 10);
    assert_int_equal(world_schedule(&world), 2);
    struct yk_app *app = world_app(&world, "app");
    assert_int_equal(yk_app_kill(app, "ann", &err), YK_OK);
    world_check(&world);
    assert_string_equal(world.last_state, "Failing");
    assert_non_null(strstr(world.last_message, "ann"));
    assert_int_equal(world.released, 2);
    assert_int_equal(world.last_termination, YK_SI_KILLED);
    assert_true(yk_resvec_is_zero(&app->pending)); /* what waited is dropped */
    assert_int_equal(app->allocation_count, 2);
    assert_int_equal(world_queue(&world, "root.leaf")->running_apps, 0);
    world_submit(&world, "next", "root.leaf", "joe");
    world_ask(&world, "next", "l0", 1000, 10);
    assert_int_equal(world_schedule(&world), 0); /* their node is not free before */

    assert_int_equal(yk_app_kill(app, "jim", &err), YK_ERR_STATE);
    assert_string_equal(err.text, "application 'app' is Failing and cannot be killed");
    world_release(&world, "app", "k0", YK_SI_KILLED);
    assert_int_equal(world.released, 2);               /* a confirmation is not answered */
    assert_string_equal(world.last_state, "Accepted"); /* of the next one */
    world_release(&world, "app", "k1", YK_SI_KILLED);
    assert_string_equal(world.last_state, "Failed");
    assert_null(world_app(&world, "app"));
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

/* An allocation that ends because it was preempted keeps that reason. */
static void what_ends_already_is_not_asked_again(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    set_up(&world);
    world_ask(&world, "app", "k0", 1000, 10);
    world_ask(&world, "app", "k1", 1000, 10);
    assert_int_equal(world_schedule(&world), 2);
    struct yk_ask *preempted = yk_app_find_ask(world_app(&world, "app"), YK_STR("k0"));
    preempted->flags |= YK_ASK_PREEMPTED;
    assert_int_equal(yk_app_kill(world_app(&world, "app"), "ann", &err), YK_OK);
    assert_int_equal(world.released, 1);
    preempted->flags &= ~YK_ASK_PREEMPTED;
    world_done(&world);
}

static void nothing_new_is_taken(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    set_up(&world);
    world_ask(&world, "app", "k0", 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_int_equal(yk_app_kill(world_app(&world, "app"), "ann", &err), YK_OK);
    world_ask(&world, "app", "k1", 100, 10);
    assert_int_equal(world.alloc_rejected, 1);
    assert_non_null(strstr(world.last_reason, "being ended"));
    /* A binding that failed does not bring it back either. */
    world_release(&world, "app", "k0", YK_SI_SCHEDULING_FAILED_ON_RM);
    world_check(&world);
    assert_null(world_app(&world, "app"));
    assert_string_equal(world.last_state, "Failed");
    world_done(&world);
}

static void without_allocations_it_has_failed_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *what, *want;
        int asks;
        bool schedule;
    } cases[] = {
        {"new", "Failed", 0, false},
        {"waiting", "Failed", 2, false},
        {"completing", "Completed", 1, true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct yk_err err = {0};
        set_up(&world);
        for (int ask = 0; ask < cases[i].asks; ask++)
            world_ask(&world, "app", ask == 0 ? "k0" : "k1", 100, 10);
        if (cases[i].schedule) {
            assert_int_equal(world_schedule(&world), 1);
            world_release(&world, "app", "k0", YK_SI_STOPPED_BY_RM);
        }
        assert_int_equal(yk_app_kill(world_app(&world, "app"), "ann", &err), YK_OK);
        world_check(&world);
        if (strcmp(world.last_state, cases[i].want) != 0 || world_app(&world, "app") != NULL)
            fail_msg("%s: %s", cases[i].what, world.last_state);
        world_submit(&world, "app", "root.leaf", "joe"); /* its id is free */
        assert_non_null(world_app(&world, "app"));
        world_done(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_stay_until_they_have_ended),
        cmocka_unit_test(what_ends_already_is_not_asked_again),
        cmocka_unit_test(nothing_new_is_taken),
        cmocka_unit_test(without_allocations_it_has_failed_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
