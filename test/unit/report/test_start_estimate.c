/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many asks come before one: exactly, or in a range once there are more than are looked at. Whether
 * waiting may help depends on the nodes for some reasons, and an estimate for a like ask saves the look.
 */
#include "report/start_estimate.h"

#include "lib/core_world.h"
#include "report/drain.h"

static const char config[] =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf}]}]}]";

static struct yk_ahead_range ahead_of(struct world *world, const char *key)
{
    const struct yk_app *app = yk_strmap_get(&world_partition(world)->apps, YK_STR("app"));
    return yk_start_ahead(yk_app_find_ask(app, yk_str_from(key)));
}

static void expect_range(struct world *world, const char *key, uint64_t min, uint64_t max)
{
    struct yk_ahead_range ahead = ahead_of(world, key);
    if (ahead.min != min || ahead.max != max)
        fail_msg("%s: %llu to %llu", key, (unsigned long long)ahead.min, (unsigned long long)ahead.max);
}

/* Each ask is a group of its own. */
static void asks_before_one(void **state)
{
    struct world world;
    char key[16];
    (void)state;
    world_init(&world, config);
    world_node(&world, "n1", 10, 10);
    world_submit(&world, "app", "root.leaf", "ann");
    for (int i = 0; i < 300; i++) {
        (void)snprintf(key, sizeof(key), "k%d", i);
        world_advance(&world, 1);
        world_ask(&world, "app", key, 1000 + i, 1);
    }
    expect_range(&world, "k0", 0, 0);
    expect_range(&world, "k100", 100, 100);
    expect_range(&world, "k255", 255, 255);
    expect_range(&world, "k256", 256, 299);
    expect_range(&world, "k299", 256, 299);
    world_done(&world);
}

static bool may_end(struct world *world, const char *key, enum yk_si_reason reason,
                    const struct yk_si_start *like)
{
    const struct yk_app *app = yk_strmap_get(&world_partition(world)->apps, YK_STR("app"));
    struct yk_si_start start = yk_start_estimate(yk_app_find_ask(app, yk_str_from(key)), reason,
                                                 (struct yk_ahead_range){0, 0}, like);
    assert_true(start.waits);
    assert_true(start.is_by_nodes);
    return start.ends_by_itself;
}

static void whether_a_node_is_large_enough(void **state)
{
    static const struct yk_si_start large = {.waits = true,
                                             .is_by_nodes = true,
                                             .ends_by_itself = true,
                                             .scheduling_class = YK_SI_CLASS_ANY},
                                    small = {.waits = true,
                                             .is_by_nodes = true,
                                             .scheduling_class = YK_SI_CLASS_ANY},
                                    other_class = {.waits = true, .is_by_nodes = true, .scheduling_class = 1},
                                    other = {.waits = true,
                                             .ends_by_itself = true,
                                             .scheduling_class = YK_SI_CLASS_ANY};
    struct world world;
    (void)state;
    world_init(&world, config);
    world_node(&world, "n1", 10000, 10);
    world_submit(&world, "app", "root.leaf", "ann");
    world_ask(&world, "app", "fits", 10000, 1);
    world_ask(&world, "app", "never", 20000, 1);
    assert_true(may_end(&world, "fits", YK_REASON_NODE_RESOURCES, NULL));
    assert_false(may_end(&world, "never", YK_REASON_NODE_RESOURCES, NULL));
    assert_false(may_end(&world, "never", YK_REASON_PREDICATES, NULL));
    assert_true(may_end(&world, "fits", YK_REASON_QUEUE_QUOTA, NULL));
    assert_false(may_end(&world, "never", YK_REASON_QUEUE_QUOTA, NULL)); /* an obstacle behind the first */
    assert_false(may_end(&world, "never", YK_REASON_QUEUE_MAX_APPS, NULL));
    assert_true(may_end(&world, "never", YK_REASON_NODE_RESOURCES, &large));
    assert_false(may_end(&world, "fits", YK_REASON_NODE_RESOURCES, &small));
    assert_false(
        may_end(&world, "never", YK_REASON_NODE_RESOURCES, &other)); /* it says nothing about nodes */
    assert_true(may_end(&world, "never", YK_REASON_QUEUE_QUOTA, &large));
    assert_true(may_end(&world, "fits", YK_REASON_QUEUE_QUOTA, &other_class));
    world_done(&world);
}

static void whether_a_maximum_is_large_enough(void **state)
{
    static const char limited[] =
        "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues:\n"
        "  [{name: leaf, resources: {max: {vcore: 5}}}]}]}]";
    struct world world;
    (void)state;
    world_init(&world, limited);
    world_node(&world, "n1", 10000, 10);
    world_submit(&world, "app", "root.leaf", "ann");
    world_ask(&world, "app", "fits", 5000, 1);
    world_ask(&world, "app", "never", 6000, 1);
    struct yk_app *app = world_app(&world, "app");
    const struct yk_ask *fits = yk_app_find_ask(app, YK_STR("fits")),
                        *never = yk_app_find_ask(app, YK_STR("never"));
    struct yk_ahead_range first = {0, 0};
    assert_true(yk_start_estimate(fits, YK_REASON_QUEUE_MAX_APPS, first, NULL).ends_by_itself);
    struct yk_si_start start = yk_start_estimate(never, YK_REASON_QUEUE_MAX_APPS, first, NULL);
    assert_false(start.ends_by_itself);
    assert_false(start.is_by_nodes); /* it says nothing about a like ask of another queue */
    world_done(&world);
}

/* The clock is set back by an hour: what starts from then on is counted. */
static void starts_after_the_clock_was_set_back(void **state)
{
    enum { STARTS = 5 };
    struct world world;
    (void)state;
    world_init(&world, config);
    struct yk_queue *leaf = world_queue(&world, "root.leaf");
    int64_t now_ns = yk_clock_wall_ns(&world.clock);
    yk_drain_count(leaf, now_ns);
    now_ns -= 3600 * YK_NS_PER_S;
    for (int i = 0; i < STARTS; i++)
        yk_drain_count(leaf, now_ns);
    struct yk_drain_estimate estimate = yk_drain_estimate(leaf, 0, now_ns + YK_NS_PER_S);
    assert_true(estimate.is_known);
    assert_int_equal(estimate.starts, STARTS);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whether_a_node_is_large_enough),
        cmocka_unit_test(whether_a_maximum_is_large_enough),
        cmocka_unit_test(asks_before_one),
        cmocka_unit_test(starts_after_the_clock_was_set_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
