/* SPDX-License-Identifier: Apache-2.0 */
/* Configurations in a row, during recovery, and a stop before they came. */
#include "bind/pod_status.h"
#include "cache/config_merge.h"
#include "lib/cmocka_headers.h"
#include "shim/configuration.h"
#include "shim/world.h"

static void up_to_the_pods(struct world *world)
{
    listed_nodes(world, 1);
    settle(world);
}

static void configurations_in_a_row(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_config_map *defaults = make_config_map("yunikorn", "yunikorn-defaults", next_version(world));
    add_pair(&defaults->object, &defaults->data, "queues.yaml", "of the defaults");
    upsert(world, defaults);
    upsert(world, config(world, "a", "b"));
    told(world, "reload mycluster"); /* once, with both */
    assert_string_equal(yk_buf_cstr(&world->core.config), "queues");
    world->core.refuse_config = "bad";
    upsert(world, config(world, "a", "c"));
    told(world, "");
    world->core.refuse_config = NULL;
    upsert(world, config(world, "a", "d"));
    told(world, "reload mycluster");
    removed(world, config(world, "a", "d"));
    told(world, "reload mycluster");
    assert_string_equal(yk_buf_cstr(&world->core.config), "of the defaults");
    assert_non_null(strstr(world->core.last_source, "ConfigMap yunikorn/yunikorn-defaults"));
    removed(world, make_config_map("yunikorn", "yunikorn-defaults", next_version(world)));
    told(world, "reload mycluster");
    assert_string_equal(world->core.last_source, "no ConfigMap: the built-in queues");
}

/* An entry that cannot be unpacked counts nowhere: the text comes from somewhere else, and the source says so. */
static void a_source_is_the_entry_that_counts(void **state)
{
    struct world *world = *state;
    YK_CLEANUP(yk_buf_done) struct yk_buf packed = {0};
    struct yk_config_map *defaults = make_config_map("yunikorn", "yunikorn-defaults", "3");
    struct yk_config_map *broken = make_config_map("yunikorn", "yunikorn-configs", next_version(world));
    struct yk_config_map *mended = make_config_map("yunikorn", "yunikorn-configs", "99");
    running(world);
    add_pair(&defaults->object, &defaults->data, "queues.yaml", "of the defaults");
    upsert(world, defaults);
    add_pair(&broken->object, &broken->binary_data, "queues.yaml.gz", "no gzip");
    add_pair(&broken->object, &broken->binary_data, "other.yaml.gz", "no gzip either");
    upsert(world, broken);
    told(world, "reload mycluster");
    assert_string_equal(yk_buf_cstr(&world->core.config), "of the defaults");
    assert_string_equal(
        world->core.last_source,
        "ConfigMap yunikorn/yunikorn-defaults, resource version 3; queues.yaml.gz of ConfigMap "
        "yunikorn/yunikorn-configs is ignored: not valid gzip: incorrect header check");
    removed(world, make_config_map("yunikorn", "yunikorn-defaults", next_version(world)));
    told(world, "reload mycluster");
    assert_string_equal(world->core.last_source,
                        "no ConfigMap: the built-in queues; queues.yaml.gz of ConfigMap "
                        "yunikorn/yunikorn-configs is ignored: not valid gzip: incorrect header check");
    yk_gzip(YK_STR("packed"), &packed);
    add_pair(&mended->object, &mended->binary_data, "queues.yaml.GZ", "");
    mended->binary_data.items[0].value = yk_arena_str(&mended->object.arena, yk_buf_view(&packed));
    upsert(world, mended);
    told(world, "reload mycluster");
    assert_string_equal(yk_buf_cstr(&world->core.config), "packed");
    assert_string_equal(
        world->core.last_source,
        "ConfigMap yunikorn/yunikorn-configs, binaryData queues.yaml.GZ, resource version 99");
}

/* Nodes that came while their partition did not exist. */
static void nodes_are_offered_again_with_a_new_partition(void **state)
{
    struct world *world = *state;
    running(world);
    world->core.refuse_node = true;
    upsert(world, node(world, "n9"));
    told(world, "node n9 6 capacity");
    upsert(world, config(world, "a", "b"));
    told(world, "reload mycluster");
    world->core.refuse_node = false;
    world->core.adds_partitions = true;
    upsert(world, config(world, "a", "c"));
    told(world, "reload mycluster; node n9 6 capacity; node n9 5");
    upsert(world, config(world, "a", "d"));
    told(world, "reload mycluster");
}

static void configuration_changes_during_recovery(void **state)
{
    struct world *world = *state;
    up_to_the_pods(world);
    upsert(world, config(world, "a", "b"));
    told(world, "reload mycluster");
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    upsert(world, config(world, "a", "c"));
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    told(world, "reload mycluster; node n1 5");
    assert_true(yk_shim_is_ready(world->shim));
}

static void stopped_before_the_configuration(void **state)
{
    struct world *world = *state;
    yk_shim_stop(world->shim);
    assert_true(yk_shim_is_stopped(world->shim));
    assert_int_equal(yk_shim_config(world->shim), YK_SHIM_CONFIG_NONE);
    empty_list(world, YK_KIND_CONFIG_MAP);
    told(world, "");
    assert_null(world->api.sinks[YK_KIND_NODE]);
}

static void stopped_while_recovering(void **state)
{
    struct world *world = *state;
    up_to_the_pods(world);
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    upsert(world, pod(world, "p"));
    yk_shim_stop(world->shim);
    upsert(world, pod_on(world, "q", "n1"));
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    told(world, "");
    assert_false(yk_shim_is_ready(world->shim));
    assert_true(yk_shim_is_stopped(world->shim));
}

static void nothing_changed(void *context)
{
    (void)context;
}

/* As everywhere, a caller that does not want the sentence passes no struct yk_err. */
static void a_faulty_setting_without_an_error_text(void **state)
{
    struct world *world = *state;
    struct yk_core_config config;
    struct yk_settings *in_force = NULL;
    struct yk_config_map *map = make_config_map("yunikorn", "yunikorn-configs", next_version(world));
    add_pair(&map->object, &map->data, "service.schedulingInterval", "soon");
    const struct yk_cache_observer deaf = {.config_changed = nothing_changed};
    struct yk_cache cache;
    assert_int_equal(yk_settings_parse(NULL, 0, &in_force, NULL), YK_OK);
    yk_cache_init(&cache, &deaf, "yunikorn");
    yk_cache_apply(&cache, YK_KIND_CONFIG_MAP, YK_WATCH_UPSERT, &map->object);
    assert_int_equal(yk_core_config_load(&cache, NULL, &config, NULL), YK_ERR_INVALID);
    assert_null(config.refusal);
    yk_core_config_done(&config);
    assert_int_equal(yk_core_config_load(&cache, in_force, &config, NULL), YK_ERR_INVALID);
    assert_non_null(strstr(config.refusal, "service.schedulingInterval"));
    yk_core_config_done(&config);
    yk_settings_free(in_force);
    yk_cache_done(&cache);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(configurations_in_a_row),
        CASE(a_source_is_the_entry_that_counts),
        CASE(nodes_are_offered_again_with_a_new_partition),
        CASE(configuration_changes_during_recovery),
        CASE(stopped_before_the_configuration),
        CASE(stopped_while_recovering),
        CASE(a_faulty_setting_without_an_error_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
