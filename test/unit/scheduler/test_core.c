/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of a resource manager, and configurations that are refused (queues.md C3, C4, C6, C19). */
#include "base/random.h"
#include "lib/core_world.h"
#include "partition/housekeeping.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - "      \
    "name: root\n"                                                                                           \
    "    submitacl: '*'\n    queues:\n"

#define OPEN HEAD "    - name: a\n    - {name: dyn, parent: true}\n"

static const struct yk_si_callbacks deaf = {0};

static void registering_again_starts_from_nothing(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, OPEN);
    world_node(&world, "n1", 4000, 4096);
    world_submit(&world, "app", "root.dyn.x", "joe");
    world_submit(&world, "refused", "root.a.b.c", "joe");
    world_ask(&world, "app", "k1", 3000, 10);
    world_ask(&world, "app", "k2", 3000, 10);
    assert_int_equal(world_schedule(&world), 1);
    struct yk_err err = {0};
    struct yk_si_register again = {.rm_id = "rm"}; /* the built-in configuration */
    assert_int_equal(yk_core_register(world.core, &again, &deaf, NULL, &err), YK_OK);
    assert_int_equal(world_partition(&world)->allocation_count, 0);
    assert_int_equal(world_partition(&world)->node_count, 0);
    assert_null(world_app(&world, "app"));
    world_check(&world);
    world_node(&world, "n1", 4000, 4096);
    struct yk_si_tag space = {"namespace", "team"};
    struct yk_si_new_app app = {
        .application_id = "app", .ugi = {.user = "joe"}, .tags = &space, .tag_count = 1};
    assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
    assert_string_equal(world_app(&world, "app")->queue_path, "root.team");
    world_ask(&world, "app", "k1", 3000, 10);
    assert_int_equal(world_schedule(&world), 1);
    struct yk_si_register bad = {.rm_id = "rm", .config = YK_STR("partitions: 5")};
    assert_int_not_equal(yk_core_register(world.core, &bad, &deaf, NULL, &err), YK_OK);
    assert_int_equal(world.core->rms.count, 0);
    assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_ERR_NOT_FOUND);
    world_done(&world);
}

#define HEAD_rows                                                                                            \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"                     \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"

/* C6: at the start nothing is registered, on a reload all of the old one stays. */
static void an_invalid_configuration_leaves_what_was(void **state)
{
    (void)state;
    static const char bad[] =
        HEAD_rows "    - {name: a, maxapplications: 7}\n    - {name: b, resources: {max: {vcore: "
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

    world_init(&world, HEAD_rows "    - {name: a, maxapplications: 1}\n    - {name: c}\n");
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
    world_init(&world,
               HEAD_rows "    - {name: a}\n- name: gpu\n  queues:\n  - name: root\n    submitacl: '*'\n"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registering_again_starts_from_nothing),
        cmocka_unit_test(an_invalid_configuration_leaves_what_was),
        cmocka_unit_test(other_partitions_stay_empty),
        cmocka_unit_test(comments_remove_nothing),
        cmocka_unit_test(what_is_refused_at_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
