/* SPDX-License-Identifier: Apache-2.0 */
/* Levels of the log that hold for a limited time. */
#include "lib/core_world.h"

#include "base/log.h"
#include "web/log_period.h"

static const char config[] = "partitions: [{name: default, queues: [{name: root}]}]";

static enum yk_log_level level_of_rest(void)
{
    return (enum yk_log_level)atomic_load(&YK_LOGGER(yk_log_rest)->level);
}

/* The world, with the level of one logger in its settings. */
static void init(struct world *world)
{
    static const struct yk_si_tag tags[] = {{"log.level", "ERROR"}, {"log.core.rest.level", "WARN"}};
    const struct yk_si_register request = {
        .rm_id = "rm", .config = yk_str_from(config), .extra_config = tags, .extra_count = 2};
    struct yk_err err = {0};
    world_init(world, config);
    if (yk_core_update_config(world->core, &request, &err) != YK_OK)
        fail_msg("%s", err.text);
}

static void levels_return_to_the_settings(void **state)
{
    (void)state;
    struct world world;
    struct yk_log_period period = {0};
    init(&world);
    (void)yk_log_set_level(YK_STR(""), YK_LOG_DEBUG);
    yk_log_period_begin(&period, &world.timers, world.core, 60 * YK_NS_PER_S);
    world_advance(&world, 59);
    assert_int_equal(level_of_rest(), YK_LOG_DEBUG);
    world_advance(&world, 1);
    assert_int_equal(level_of_rest(), YK_LOG_WARN);
    assert_int_equal(atomic_load(&YK_LOGGER(yk_log_sched)->level), YK_LOG_ERROR);
    yk_log_period_done(&period);
    world_done(&world);
}

static void a_second_period_replaces_the_first(void **state)
{
    (void)state;
    struct world world;
    struct yk_log_period period = {0};
    init(&world);
    yk_log_period_begin(&period, &world.timers, world.core, 10 * YK_NS_PER_S);
    world_advance(&world, 5);
    (void)yk_log_set_level(YK_STR(""), YK_LOG_DEBUG);
    yk_log_period_begin(&period, &world.timers, world.core, 10 * YK_NS_PER_S);
    world_advance(&world, 9);
    assert_int_equal(level_of_rest(), YK_LOG_DEBUG);
    yk_log_period_done(&period);
    world_advance(&world, 60);
    assert_int_equal(level_of_rest(), YK_LOG_DEBUG); /* ended without an effect */
    (void)yk_log_set_level(YK_STR(""), YK_LOG_INFO);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels_return_to_the_settings),
                                       cmocka_unit_test(a_second_period_replaces_the_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
