/* SPDX-License-Identifier: Apache-2.0 */
/* Applications from submission to oblivion, and what is refused on the way (scheduling.md 1.5, 2.1 to
 * 2.5). */
#include "lib/core_world.h"

static const char config[] = "partitions:\n"
                             "- name: default\n"
                             "  placementrules:\n"
                             "  - {name: provided, create: true}\n"
                             "  - {name: fixed, value: root.fallback}\n"
                             "  queues:\n"
                             "  - name: root\n"
                             "    queues:\n"
                             "    - {name: open, submitacl: '*'}\n"
                             "    - {name: joes, submitacl: 'joe'}\n"
                             "    - {name: fallback, submitacl: 'joe,jim'}\n"
                             "    - {name: parent, parent: true, submitacl: '*'}\n";

static void placement(void **state)
{
    (void)state;
    static const struct {
        const char *what, *queue, *user, *want; /* NULL: rejected */
    } cases[] = {
        {"P13: the submitted queue", "root.open", "ann", "root.open"},
        {"upper case", "Root.OPEN", "ann", "root.open"},
        {"without root: below it", "joes", "joe", "root.joes"},
        {"ACL says no: next rule", "root.joes", "jim", "root.fallback"},
        {"ACL says no everywhere", "root.joes", "ann", NULL},
        {"created below a parent", "root.parent.new", "ann", "root.parent.new"},
        {"P8: not below a leaf: next rule", "root.open.new", "joe", "root.fallback"},
        {"a parent takes no applications", "root.parent", "joe", "root.fallback"},
        {"no queue given", "", "jim", "root.fallback"},
        {"an illegal name fails the placement", "root.open.a b", "joe", NULL},
        {"R8: the recovery queue is closed", "root.@recovery@", "joe", "root.fallback"},
        {"no user", "root.open", "", NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        world_init(&world, config);
        world_submit(&world, "app", cases[i].queue, cases[i].user);
        const struct yk_app *app = world_app(&world, "app");
        const char *got = app == NULL ? NULL : app->queue_path;
        if ((got == NULL) != (cases[i].want == NULL) || (got != NULL && strcmp(got, cases[i].want) != 0))
            fail_msg("%s: got %s (%s)", cases[i].what, got != NULL ? got : "rejection", world.last_reason);
        assert_int_equal(world.app_rejected, cases[i].want == NULL);
        assert_int_equal(world_partition(&world)->rejected_count, cases[i].want == NULL);
        world_done(&world);
    }
}

static void forced_application_is_recovered(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    struct yk_si_tag tags[] = {{"application.create.force", "true"}};
    struct yk_si_new_app app = {.application_id = "old",
                                .queue = "root.gone.queue",
                                .ugi = {.user = "ann"},
                                .tags = tags,
                                .tag_count = 1};
    assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
    assert_string_equal(world_app(&world, "old")->queue_path, "root.@recovery@");
    world_node(&world, "n1", 1000, 1024);
    world_ask_full(&world, "old", "k1", 4000, 1024, 0, YK_SI_CLASS_ANY,
                   "n1"); /* even above what the node has */
    assert_int_equal(world.allocated, 1);
    assert_string_equal(yk_app_state_name(world_app(&world, "old")->state), "Running");
    world_check(&world);
    world_release(&world, "old", "k1", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 31);
    assert_null(world_app(&world, "old"));
    world_advance(&world, 11);
    assert_null(world_queue(&world, "root.@recovery@")); /* R7: removed when empty */
    world_done(&world);
}

static void timers(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 1000, 1024);
    world_submit(&world, "app", "root.open", "ann");
    assert_string_equal(yk_app_state_name(world_app(&world, "app")->state), "New");
    world_ask(&world, "app", "k1", 100, 10);
    assert_string_equal(world.last_state, "Accepted");
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_state, "Running");
    world_release(&world, "app", "k1", YK_SI_STOPPED_BY_RM);
    assert_string_equal(world.last_state, "Completing");
    world_advance(&world, 29);
    world_ask(&world, "app", "k2", 100, 10); /* a late ask brings it back */
    assert_string_equal(world.last_state, "Running");
    world_release(&world, "app", "k2", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 29);
    assert_string_equal(world.last_state, "Completing");
    world_advance(&world, 1);
    assert_string_equal(world.last_state, "Completed");
    assert_null(world_app(&world, "app"));
    assert_int_equal(world_queue(&world, "root.open")->app_count, 0);
    assert_int_equal(world_partition(&world)->completed_count, 1);
    world_submit(&world, "app", "root.open", "ann"); /* the id is free at once */
    assert_non_null(world_app(&world, "app"));
    world_advance(&world, 72 * 3600);
    world_advance(&world, 24 * 3600);
    assert_int_equal(world_partition(&world)->completed_count, 0);
    world_check(&world);
    world_done(&world);
}

static void refusals(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 1000, 1024);
    world_node(&world, "n1", 1000, 1024);
    assert_int_equal(world.node_rejected, 1);
    world_submit(&world, "app", "root.open", "ann");
    world_submit(&world, "app", "root.open", "ann");
    assert_int_equal(world.app_rejected, 1);
    assert_non_null(strstr(world.last_reason, "'app' is active already"));

    struct yk_resvec nothing = {0}, negative = world_size(-1, 1), some = world_size(1, 1);
    const struct {
        const char *what;
        struct yk_si_allocation ask;
    } cases[] = {
        {"zero resource", {.key = "k", .application_id = "app", .resource = &nothing}},
        {"negative resource", {.key = "k", .application_id = "app", .resource = &negative}},
        {"unknown application", {.key = "k", .application_id = "none", .resource = &some}},
        {"unknown node", {.key = "k", .application_id = "app", .resource = &some, .node_id = "none"}},
        {"placeholder without group",
         {.key = "k", .application_id = "app", .resource = &some, .placeholder = true}},
        {"foreign without node", {.key = "k", .resource = &some, .foreign = true}},
        {"no key", {.key = "", .application_id = "app", .resource = &some}},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        size_t before = world.alloc_rejected;
        assert_int_equal(yk_core_update_allocation(world.core, "rm", &cases[i].ask), YK_OK);
        if (world.alloc_rejected != before + 1)
            fail_msg("%s: accepted", cases[i].what);
        world_check(&world);
    }
    assert_int_equal(yk_core_update_allocation(world.core, "other", &cases[0].ask), YK_ERR_NOT_FOUND);
    world_done(&world);
}

static void registering_again_starts_from_nothing(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 1000, 1024);
    world_submit(&world, "app", "root.open", "ann");
    world_ask(&world, "app", "k1", 100, 10);
    assert_int_equal(world_schedule(&world), 1);
    struct yk_rm *rm = yk_core_find_rm(world.core, "rm");
    struct yk_si_callbacks callbacks = rm->callbacks;
    struct yk_si_register request = {.rm_id = "rm", .config = yk_str_from(config)};
    assert_int_equal(yk_core_register(world.core, &request, &callbacks, &world, NULL), YK_OK);
    assert_null(world_app(&world, "app"));
    assert_int_equal(world_partition(&world)->node_count, 0);
    world_check(&world);
    world_done(&world);
}

static void removed_application_leaves_nothing(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 1000, 1024);
    world_submit(&world, "app", "root.parent.dyn", "ann");
    world_ask(&world, "app", "k1", 100, 10);
    world_ask(&world, "app", "k2", 5000, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_int_equal(yk_core_remove_app(world.core, "rm", "app", NULL), YK_OK);
    world_check(&world);
    assert_int_equal(world.released, 1);
    assert_true(yk_resvec_is_zero(&world_partition(&world)->root->allocated));
    assert_true(yk_resvec_is_zero(&world_partition(&world)->root->pending));
    assert_int_equal(world_partition(&world)->root->running_apps, 0);
    assert_int_equal(world_partition(&world)->shapes.count, 0);
    world_advance(&world, 10);
    assert_null(world_queue(&world, "root.parent.dyn"));
    assert_non_null(world_queue(&world, "root.parent"));
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placement),
        cmocka_unit_test(forced_application_is_recovered),
        cmocka_unit_test(timers),
        cmocka_unit_test(refusals),
        cmocka_unit_test(registering_again_starts_from_nothing),
        cmocka_unit_test(removed_application_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
