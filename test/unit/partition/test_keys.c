/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of asks that belong to the resource manager, and taking itself off (docs/reference/scheduling.md
 * 1.2). */
#include "lib/core_world.h"
#include "partition/lifecycle.h"

static const char config[] = "partitions: [{name: default, placementrules: [{name: provided}], "
                             "queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]";

struct scene {
    struct world world;
    char *key; /* gone before the core is */
};

static void ask_for(struct scene *scene, const char *app, const char *node)
{
    struct yk_resvec size = world_size(100, 100);
    const struct yk_si_allocation ask = {.key = scene->key,
                                         .key_stays = true,
                                         .application_id = app,
                                         .resource = &size,
                                         .node_id = node,
                                         .foreign = app == NULL,
                                         .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(scene->world.core, "rm", &ask), YK_OK);
}

static void begin(struct scene *scene)
{
    world_init(&scene->world, config);
    world_node(&scene->world, "n1", 1000, 1000);
    world_submit(&scene->world, "app", "root.a", "u");
    scene->key = yk_strdup("uid-1");
}

static void end(struct scene *scene)
{
    free(yk_move(scene->key));
    world_done(&scene->world);
}

static struct yk_ask *ask_of(struct scene *scene)
{
    return yk_app_find_ask(world_app(&scene->world, "app"), YK_STR("uid-1"));
}

static void a_key_that_stays_is_borrowed(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    ask_for(&scene, "app", NULL);
    assert_ptr_equal(ask_of(&scene)->key, scene.key);
    char *same = yk_strdup(scene.key), *first = scene.key;
    scene.key = same; /* another word about the same ask: it is known by its first text */
    ask_for(&scene, "app", NULL);
    assert_ptr_equal(ask_of(&scene)->key, first);
    assert_int_equal(world_schedule(&scene.world), 1);
    world_release(&scene.world, "app", "uid-1", YK_SI_STOPPED_BY_RM);
    assert_null(ask_of(&scene));
    free(first);
    world_check(&scene.world);
    end(&scene);
}

/* The texts are the call's own (1.8). */
static void what_is_repeated_has_keys_of_its_own(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    struct yk_resvec size = world_size(100, 100);
    const struct yk_si_allocation ask = {.key = scene.key,
                                         .key_stays = true,
                                         .application_id = "app",
                                         .resource = &size,
                                         .scheduling_class = YK_SI_CLASS_ANY};
    struct yk_err err;
    assert_int_equal(yk_core_repeat_ask(scene.world.core, "rm", &ask, 3, &err), YK_OK);
    assert_int_equal(world_schedule(&scene.world), 3);
    assert_non_null(yk_app_find_ask(world_app(&scene.world, "app"), YK_STR("uid-1-0")));
    assert_non_null(yk_app_find_ask(world_app(&scene.world, "app"), YK_STR("uid-1-2")));
    end(&scene);
}

/* Pending, allocated or foreign: the text may go right afterwards. */
static void who_takes_itself_off_leaves_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *what, *app, *node;
        bool decided;
    } cases[] = {
        {"pending", "app", NULL, false},
        {"decided", "app", NULL, true},
        {"found at start", "app", "n1", false},
        {"foreign", NULL, "n1", false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct scene scene;
        begin(&scene);
        ask_for(&scene, cases[i].app, cases[i].node);
        if (cases[i].decided)
            assert_int_equal(world_schedule(&scene.world), 1);
        size_t released = scene.world.released;
        yk_core_unregister(scene.world.core, "rm");
        memset(scene.key, 'x', strlen(scene.key));
        free(yk_move(scene.key));
        const struct yk_si_release late = {.application_id = "app", .key = "uid-1"};
        if (yk_core_release(scene.world.core, "rm", &late) != YK_ERR_NOT_FOUND ||
            scene.world.released != released || yk_core_has_work(scene.world.core))
            fail_msg("%s: something is left", cases[i].what);
        yk_core_unregister(scene.world.core, "rm"); /* no manager: no effect */
        world_advance(&scene.world, 3600);
        world_done(&scene.world);
    }
}

/* 7.4, D23: who only makes sure that nothing is left does not end an application that has nothing yet. */
static void absence_says_nothing(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    ask_for(&scene, "app", NULL);
    world_release(&scene.world, "app", "uid-1", YK_SI_TERMINATION_UNKNOWN);
    assert_null(ask_of(&scene));
    world_submit(&scene.world, "other", "root.a", "u");
    const struct yk_app *other = world_app(&scene.world, "other");
    assert_true(
        yk_lifecycle_fire(world_app(&scene.world, "other"), YK_APP_RUN, NULL)); /* as if it had resumed */
    assert_int_equal(other->state, YK_APP_ACCEPTED);
    world_release(&scene.world, "other", "unknown", YK_SI_TERMINATION_UNKNOWN);
    assert_int_equal(other->state, YK_APP_ACCEPTED);
    world_release(&scene.world, "other", "unknown", YK_SI_STOPPED_BY_RM);
    assert_int_equal(other->state, YK_APP_COMPLETING);
    end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_that_stays_is_borrowed),
        cmocka_unit_test(what_is_repeated_has_keys_of_its_own),
        cmocka_unit_test(who_takes_itself_off_leaves_nothing),
        cmocka_unit_test(absence_says_nothing),
    };
    return cmocka_run_group_tests_name("scheduler/keys", tests, NULL, NULL);
}
