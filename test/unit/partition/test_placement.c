/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placement as part of a submission (docs/reference/queues.md, P4 to P10, R6 to R8): the answer to the resource
 * manager, and the queues afterwards.
 */
#include "lib/core_world.h"

static const char config[] =
    "partitions:\n- name: default\n"
    "  placementrules:\n"
    "  - {name: provided, create: true}\n"
    "  - {name: user, create: true, parent: {name: secondarygroup, create: true}}\n"
    "  - {name: applicationtype, create: true, parent: {name: fixed, value: types}}\n"
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
    "    - {name: open}\n"
    "    - {name: types, parent: true}\n";

struct submission {
    const char *what, *queue, *user, *groups[3], *type;
    bool forced;
    const char *want; /* path; NULL: rejected */
    const char *reason;
};

static void submit(struct world *world, const char *id, const struct submission *one)
{
    struct yk_si_tag tags[2] = {{YK_SI_TAG_FORCE_CREATE, one->forced ? "true" : "false"},
                                {"Application.Type", one->type}};
    struct yk_si_new_app app = {.application_id = id,
                                .queue = one->queue,
                                .ugi = {.user = one->user, .groups = one->groups},
                                .tags = tags,
                                .tag_count = one->type != NULL ? 2 : 1};
    while (app.ugi.group_count < YK_COUNT(one->groups) && one->groups[app.ugi.group_count] != NULL)
        app.ugi.group_count++;
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
}

static void check(struct world *world, const struct submission *one)
{
    submit(world, "app-1", one);
    const struct yk_app *app = world_app(world, "app-1");
    const char *got = app != NULL ? app->queue_path : "a rejection";
    if (strcmp(got, one->want != NULL ? one->want : "a rejection") != 0)
        fail_msg("%s: got %s (%s)", one->what, got, world->last_reason);
    assert_int_equal(world->app_rejected, one->want == NULL);
    if (one->reason != NULL && strcmp(world->last_reason, one->reason) != 0)
        fail_msg("%s: reason '%s'", one->what, world->last_reason);
    if (one->want != NULL &&
        (world_queue(world, one->want) == NULL || !world_queue(world, one->want)->is_leaf))
        fail_msg("%s: %s is not a leaf", one->what, one->want);
    world_check(world);
}

static void outcomes(void **state)
{
    (void)state;
    static const struct submission cases[] = {
        {"P9: the path replaces what was submitted", "OPEN", "ann", {0}, NULL, false, "root.open", NULL},
        {"R6: several levels are made", "root.a.b.c", "ann", {0}, NULL, false, "root.a.b.c", NULL},
        {"groups that were submitted",
         "",
         "ann",
         {"ann", "Team.x"},
         NULL,
         false,
         "root.team_dot_x.ann",
         NULL},
        {"the type of the application", "", "ann", {0}, "Spark", false, "root.types.spark", NULL},
        {"P7: nothing matches",
         "",
         "ann",
         {0},
         NULL,
         false,
         NULL,
         "failed to place application app-1: application rejected: no placement rule matched"},
        {"P4: a rule fails",
         "a b",
         "ann",
         {0},
         NULL,
         false,
         NULL,
         "failed to place application app-1: invalid queue name: 'a b'"},
        {"P4: the user comes first", "a b", "", {0}, NULL, false, NULL, "empty user cannot resolve"},
        {"P6: recovered", "", "ann", {0}, NULL, true, "root.@recovery@", NULL},
        {"R8: closed to others",
         "root.@recovery@",
         "ann",
         {0},
         NULL,
         false,
         NULL,
         "failed to place application app-1: application rejected: no placement rule matched, queue "
         "'root.@recovery@' does not exist"},
        {"R8: nothing is made below it",
         "root.@recovery@.x",
         "ann",
         {0},
         NULL,
         false,
         NULL,
         "failed to place application app-1: application rejected: no placement rule matched, queue "
         "'root.@recovery@.x' does not exist"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        world_init(&world, config);
        check(&world, &cases[i]);
        world_done(&world);
    }
}

/* BUG-7: what the configuration says about the recovery queue does not matter. */
static void configured_recovery_queue(void **state)
{
    (void)state;
    static const char *const queues[] = {
        "{name: '@recovery@'}",
        "{name: '@Recovery@', parent: true, submitacl: '*'}",
        "{name: '@recovery@', adminacl: '*', queues: [{name: x}]}",
    };
    static const struct submission forced = {"forced", "", "ann", {0}, NULL, true, "root.@recovery@", NULL};
    static const struct submission other = {"not forced", "root.@recovery@", "ann", {0}, NULL, false, NULL,
                                            NULL};
    for (size_t i = 0; i < YK_COUNT(queues); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_printf(&text,
                      "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
                      "  queues:\n  - name: root\n    submitacl: '*'\n    queues: [%s]\n",
                      queues[i]);
        struct world world;
        world_init(&world, yk_buf_cstr(&text));
        check(&world, &forced);
        world_done(&world);
        world_init(&world, yk_buf_cstr(&text));
        check(&world, &other);
        world_done(&world);
    }
}

/* P10: a reload moves no application, and its rules are for those that come after it. */
static void reload_leaves_what_is_placed(void **state)
{
    (void)state;
    static const struct submission first = {"before", "root.open", "ann",       {0},
                                            NULL,     false,       "root.open", NULL};
    static const struct submission second = {"after", "root.open",      "ann", {0}, NULL,
                                             false,   "root.types.new", NULL};
    struct world world;
    world_init(&world, config);
    check(&world, &first);
    assert_null(world_reload(&world, "partitions:\n- name: default\n"
                                     "  placementrules: [{name: fixed, value: types.new, create: true}]\n"
                                     "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
                                     "    - {name: open}\n    - {name: types, parent: true}\n"));
    assert_string_equal(world_app(&world, "app-1")->queue_path, "root.open");
    submit(&world, "app-2", &second);
    assert_string_equal(world_app(&world, "app-2")->queue_path, second.want);
    world_check(&world);
    world_done(&world);
}

/* P4: queues that were made for an application that is then refused go to the cleaner. */
static void queues_made_for_nobody_go(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
                       "  queues:\n  - name: root\n    submitacl: '*'\n"
                       "    childtemplate: {properties: {application.sort.policy: fair}}\n");
    struct yk_resvec gang = world_size(1, 1);
    struct yk_si_new_app app = {
        .application_id = "app-1", .queue = "root.a.b", .ugi = {.user = "ann"}, .placeholder_ask = &gang};
    assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
    assert_int_equal(world.app_rejected, 1);
    assert_non_null(world_queue(&world, "root.a.b"));
    world_advance(&world, 11);
    world_advance(&world, 11);
    assert_null(world_queue(&world, "root.a"));
    world_check(&world);
    world_done(&world);
}

static void submit_with_max_apps(struct world *world, const char *id, const char *max_apps)
{
    struct yk_si_tag tag = {"namespace.resourcemaxapps", max_apps};
    struct yk_si_new_app app = {
        .application_id = id, .queue = "root.dyn", .ugi = {.user = "ann"}, .tags = &tag, .tag_count = 1};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
}

/* R41: a later application brings a larger number, and those that wait for a slot may start. */
static void raised_max_apps_wakes_those_who_wait(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 10000, 10000);
    submit_with_max_apps(&world, "app-1", "1");
    submit_with_max_apps(&world, "app-2", "1");
    world_ask(&world, "app-1", "one", 100, 100);
    world_ask(&world, "app-2", "two", 100, 100);
    assert_int_equal(world_schedule(&world), 1);
    submit_with_max_apps(&world, "app-3", "2");
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes),
        cmocka_unit_test(configured_recovery_queue),
        cmocka_unit_test(reload_leaves_what_is_placed),
        cmocka_unit_test(queues_made_for_nobody_go),
        cmocka_unit_test(raised_max_apps_wakes_those_who_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
