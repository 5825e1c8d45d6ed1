/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many asks come before one: exactly, or in a range once there are more than are looked at. Which starts
 * an estimate is made from, how long pauses between them make its range, and when there is none. Whether waiting may help depends on the nodes for some
 * reasons, and an estimate for a like ask saves the look.
 */
#include "report/start_estimate.h"

#include "lib/core_world.h"
#include "report/drain.h"

static const char config[] =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf}]}]}]";

static void expect_range(struct world *world, const char *key, uint64_t min, uint64_t max)
{
    const struct yk_app *app = yk_strmap_get(&world_partition(world)->apps, YK_STR("app"));
    const struct yk_ask *ask = yk_app_find_ask(app, yk_str_from(key));
    struct yk_ahead_range own = yk_start_ahead_of_own(ask);
    assert_int_equal(yk_start_ahead_of_others(ask).max, 0);
    if (own.min != min || own.max != max)
        fail_msg("%s: %llu to %llu", key, (unsigned long long)own.min, (unsigned long long)own.max);
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
    struct yk_si_start start = yk_start_estimate(yk_app_find_ask(app, yk_str_from(key)), reason, like, NULL);
    assert_true(start.waits);
    assert_true(start.is_by_nodes);
    return start.ends_by_itself;
}

/* What starts at once fills capacity that was free; only asks that waited show that capacity comes free. */
static void starts_without_a_wait_do_not_count(void **state)
{
    struct world world;
    char key[16];
    (void)state;
    world_init(&world, config);
    world_node(&world, "n1", 5000, 10);
    world_submit(&world, "app", "root.leaf", "ann");
    for (int i = 0; i < 6; i++) {
        (void)snprintf(key, sizeof(key), "k%d", i);
        world_ask(&world, "app", key, 1000, 0);
        (void)world_schedule(&world);
        world_advance(&world, 10);
    }
    const struct yk_ask *last = yk_app_find_ask(world_app(&world, "app"), YK_STR("k5"));
    assert_int_equal(yk_start_estimate(last, YK_REASON_NODE_RESOURCES, NULL, NULL).starts, 0);
    const struct yk_leaf_starts *of_leaf = &world_queue(&world, "root.leaf")->report.starts;
    assert_int_equal(yk_drain_of(&of_leaf->all_asks, 5, yk_core_now(world.core)).starts, 5);
    world_ask(&world, "app", "next", 1000, 0);
    world_release(&world, "app", "k0", YK_SI_STOPPED_BY_RM);
    (void)world_schedule(&world);
    const struct yk_ask *next = yk_app_find_ask(world_app(&world, "app"), YK_STR("next"));
    assert_int_equal(yk_start_estimate(next, YK_REASON_NODE_RESOURCES, NULL, NULL).starts, 1);
    world_done(&world);
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

/* Volumes that no node can use do not come by themselves. Where a node can use them, it may become free. */
static void whether_a_node_can_use_its_volumes(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, config);
    world_node(&world, "n1", 10000, 10);
    world_submit(&world, "app", "root.leaf", "ann");
    world_ask(&world, "app", "fits", 10000, 1);
    const struct yk_ask *ask = yk_app_find_ask(world_app(&world, "app"), YK_STR("fits"));
    world.node_reason.found = world.node_reason.filter = YK_REASON_VOLUMES;
    assert_false(yk_start_estimate(ask, YK_REASON_VOLUMES, NULL, NULL).ends_by_itself);
    world.node_reason.volumes_come_free = true;
    assert_true(yk_start_estimate(ask, YK_REASON_VOLUMES, NULL, NULL).ends_by_itself);
    assert_true(yk_start_estimate(ask, YK_REASON_VOLUMES, NULL, NULL).needs_others);
    world.node_reason.volumes_come_free = false;
    struct yk_si_start start = yk_start_estimate(ask, YK_REASON_USER_QUOTA, NULL, NULL);
    assert_false(start.ends_by_itself);
    assert_false(start.is_by_nodes);
    assert_false(yk_start_estimate(ask, YK_REASON_BACKOFF, NULL, NULL).ends_by_itself);
    assert_true(yk_start_estimate(ask, YK_REASON_PREEMPTION, NULL, NULL).ends_by_itself);
    assert_true(yk_start_estimate(ask, YK_REASON_NOT_ATTEMPTED, NULL, NULL).ends_by_itself);
    world.node_reason.found = YK_REASON_NODE_RESOURCES;
    assert_true(yk_start_estimate(ask, YK_REASON_VOLUMES, NULL, NULL).ends_by_itself);
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
    assert_true(yk_start_estimate(fits, YK_REASON_QUEUE_MAX_APPS, NULL, NULL).ends_by_itself);
    struct yk_si_start start = yk_start_estimate(never, YK_REASON_QUEUE_MAX_APPS, NULL, NULL);
    assert_false(start.ends_by_itself);
    assert_false(start.is_by_nodes); /* it says nothing about a like ask of another queue */
    world_done(&world);
}

/* The clock of a recording may begin anywhere. */
static void starts_in_the_first_minutes_of_the_epoch(void **state)
{
    (void)state;
    struct yk_starts starts = {0};
    yk_drain_count_in(&starts, 60 * YK_NS_PER_S);
    struct yk_drain drain = yk_drain_of(&starts, YK_STARTS_MINUTES, 60 * YK_NS_PER_S);
    assert_int_equal(drain.starts, 0);
    yk_drain_count_in(&starts, YK_STARTS_MINUTES * 60 * YK_NS_PER_S);
    drain = yk_drain_of(&starts, YK_STARTS_MINUTES, YK_STARTS_MINUTES * 60 * YK_NS_PER_S);
    assert_int_equal(drain.starts, 1);
    drain = yk_drain_of(&starts, YK_STARTS_MINUTES, 0); /* the clock was set back */
    assert_int_equal(drain.starts, 0);
}

/* The clock is set back by an hour: what starts from then on is counted. */
static void starts_after_the_clock_was_set_back(void **state)
{
    enum { STARTS = 5 };
    struct yk_starts starts = {0};
    int64_t now_ns = INT64_C(1800000000) * YK_NS_PER_S;
    (void)state;
    yk_drain_count_in(&starts, now_ns);
    now_ns -= 3600 * YK_NS_PER_S;
    for (int i = 0; i < STARTS; i++)
        yk_drain_count_in(&starts, now_ns + i * 3 * YK_NS_PER_S);
    struct yk_drain drain = yk_drain_of(&starts, 5, now_ns + 20 * YK_NS_PER_S);
    assert_true(yk_drain_is_enough(&drain));
    assert_int_equal(drain.starts, STARTS);
    assert_int_equal(drain.batches, STARTS);
    assert_int_equal(drain.window_ns, 20 * YK_NS_PER_S);
}

/* ---- which starts count ---- */

/* Two applications with asks that wait, "old" before "young". */
static struct yk_queue *begin_two(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 10, 10);
    for (int app = 0; app < 2; app++) {
        const char *id = app == 0 ? "old" : "young";
        world_advance(world, 100);
        world_submit(world, id, "root.leaf", "ann");
        for (int i = 0; i < 10; i++) {
            char key[16];
            (void)snprintf(key, sizeof(key), "%s-%d", id, i);
            world_ask(world, id, key, 1000, 1);
        }
    }
    return world_queue(world, "root.leaf");
}

/* `count` starts in `starts`, one every `every_s` seconds, the last one now. */
static void have_started(struct world *world, struct yk_starts *starts, int count, int every_s)
{
    int64_t now_ns = yk_core_now(world->core);
    for (int i = count - 1; i >= 0; i--)
        yk_drain_count_in(starts, now_ns - (int64_t)i * every_s * YK_NS_PER_S);
}

/* Starts of the leaf, as of asks that have waited. */
static void have_started_in(struct world *world, struct yk_queue *leaf, int count, int every_s)
{
    have_started(world, &leaf->report.starts.asks, count, every_s);
    have_started(world, &leaf->report.starts.all_asks, count, every_s);
}

static struct yk_si_start start_of(struct world *world, const char *app, const char *key)
{
    return yk_core_start(
        world->core, "rm", app, key,
        &(struct yk_si_start){
            .waits = true, .is_by_nodes = true, .ends_by_itself = true, .scheduling_class = YK_SI_CLASS_ANY});
}

/* The range has the time after which `asks` asks have started, one every `every_s` seconds, and its upper end
 * is not more than five times as far away. */
static void expect_start(struct world *world, const struct yk_si_start *start, int asks, int every_s)
{
    int64_t wait_ns = (int64_t)asks * every_s * YK_NS_PER_S, now_ns = yk_core_now(world->core);
    assert_true(start->is_known);
    assert_in_range(now_ns + wait_ns, start->earliest_wall_ns, start->latest_wall_ns);
    assert_in_range(start->latest_wall_ns, now_ns, now_ns + 5 * wait_ns);
}

static void starts_of_the_queue(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    have_started_in(&world, leaf, 20, 10);
    struct yk_si_start start = start_of(&world, "young", "young-4");
    expect_start(&world, &start, 15, 10);
    assert_null(start.application);
    assert_int_equal(start.ahead, 14);
    world_done(&world);
}

/* All at once: the capacity was there before, and says nothing about when it is there again. */
static void one_batch_is_not_enough(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    have_started_in(&world, leaf, 100, 0);
    struct yk_si_start start = start_of(&world, "old", "old-0");
    assert_false(start.is_known);
    assert_false(start.is_overtaken);
    assert_int_equal(start.starts, 100);
    world_done(&world);
}

/* A batch of four every 40 s: the range is as wide as for one start every 40 s. */
static void batches_make_the_range_wide(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    int64_t now_ns = yk_core_now(world.core);
    for (int i = 5; i >= 0; i--) {
        for (int member = 0; member < 4; member++)
            yk_drain_count_in(&leaf->report.starts.asks, now_ns - i * 40 * YK_NS_PER_S);
    }
    struct yk_si_start start = start_of(&world, "old", "old-0");
    assert_true(start.is_known);
    assert_true(start.latest_wall_ns > now_ns + 80 * YK_NS_PER_S);
    world_done(&world);
}

/* The application gets one of twenty starts of its queue. */
static void starts_of_the_application(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    struct yk_app *young = world_app(&world, "young");
    young->report.starts = yk_new0(struct yk_starts);
    have_started_in(&world, leaf, 200, 1);
    have_started(&world, young->report.starts, 10, 20);
    struct yk_si_start start = start_of(&world, "young", "young-4");
    expect_start(&world, &start, 5, 20);
    assert_string_equal(start.application, "young");
    assert_int_equal(start.ahead, 4);
    world_done(&world);
}

/* Ten starts of "young", the last one 200 s ago: its asks wait while those of "old", which come first,
 * start. */
static void starts_of_the_application_have_ended(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    struct yk_app *young = world_app(&world, "young");
    young->report.starts = yk_new0(struct yk_starts);
    have_started(&world, young->report.starts, 10, 10);
    world_advance(&world, 30); /* three were due */
    have_started_in(&world, leaf, 100, 1);
    assert_true(start_of(&world, "young", "young-4").is_known);
    world_advance(&world, 170);
    have_started_in(&world, leaf, 100, 1);
    struct yk_si_start start = start_of(&world, "young", "young-4");
    assert_false(start.is_known);
    assert_true(start.is_overtaken);
    assert_string_equal(start.application, "young");
    world_done(&world);
}

/* The same for the first application: none comes first, and the pause may last as long again. */
static void the_first_application_pauses(void **state)
{
    struct world world;
    (void)state;
    begin_two(&world);
    struct yk_app *old = world_app(&world, "old");
    old->report.starts = yk_new0(struct yk_starts);
    have_started(&world, old->report.starts, 40, 1);
    world_advance(&world, 200);
    struct yk_si_start start = start_of(&world, "old", "old-0");
    assert_true(start.is_known);
    assert_int_equal(start.latest_wall_ns, yk_core_now(world.core) + 200 * YK_NS_PER_S);
    world_done(&world);
}

/* A start every second, but the first one after a wait of 150 s: such a pause may come again. */
static void a_pause_may_come_again(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    int64_t now_ns = yk_core_now(world.core), begin_ns = now_ns - 60 * YK_NS_PER_S;
    yk_drain_count_in(&leaf->report.starts.asks, begin_ns - 200 * YK_NS_PER_S);
    yk_drain_count_wait_in(&leaf->report.starts.asks, begin_ns - 150 * YK_NS_PER_S, begin_ns);
    for (int i = 1; i <= 60; i++)
        yk_drain_count_wait_in(&leaf->report.starts.asks, begin_ns - 200 * YK_NS_PER_S,
                               begin_ns + i * YK_NS_PER_S);
    struct yk_drain drain = yk_drain_of(&leaf->report.starts.asks, 5, now_ns);
    assert_int_equal(drain.longest_ns, 150 * YK_NS_PER_S); /* the others waited behind that one */
    struct yk_si_start start = start_of(&world, "old", "old-0");
    assert_true(start.is_known);
    assert_int_equal(start.latest_wall_ns, now_ns + 150 * YK_NS_PER_S);
    drain = yk_drain_of(&leaf->report.starts.asks, 5, now_ns + 4 * 60 * YK_NS_PER_S);
    assert_int_equal(drain.longest_ns, 150 * YK_NS_PER_S); /* also behind the minutes of the starts */
    world_done(&world);
}

/* A start every second, after 6 hours in which none is known, such as before a restart: the first start does
 * not end a pause. */
static void the_first_start_ends_no_pause(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    int64_t now_ns = yk_core_now(world.core), begin_ns = now_ns - 60 * YK_NS_PER_S;
    for (int i = 0; i <= 60; i++)
        yk_drain_count_wait_in(&leaf->report.starts.asks, begin_ns - 6 * 3600 * YK_NS_PER_S,
                               begin_ns + i * YK_NS_PER_S);
    struct yk_drain drain = yk_drain_of(&leaf->report.starts.asks, 5, now_ns);
    assert_int_equal(drain.starts, 61);
    assert_int_equal(drain.longest_ns, YK_NS_PER_S);
    struct yk_si_start start = start_of(&world, "old", "old-0");
    assert_true(start.is_known);
    assert_true(start.latest_wall_ns < now_ns + 60 * YK_NS_PER_S);
    world_done(&world);
}

/* As many asks join the older application as start: the younger one does not come nearer. */
static void others_overtake_it(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    have_started_in(&world, leaf, 20, 10);
    have_started(&world, &leaf->report.starts.added, 19, 10);
    struct yk_si_start start = start_of(&world, "young", "young-4");
    assert_false(start.is_known);
    assert_true(start.is_overtaken);
    have_started_in(&world, leaf, 38, 0);
    start = start_of(&world, "young", "young-4");
    assert_true(start.is_known);
    assert_false(start.is_overtaken);
    world_done(&world);
}

/* Asks that join its own application come later: the same rates overtake it only if others' asks join. */
static void own_asks_do_not_overtake(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    struct yk_app *young = world_app(&world, "young");
    have_started_in(&world, leaf, 20, 10);
    have_started(&world, &leaf->report.starts.added, 20, 10);
    assert_true(start_of(&world, "young", "young-4").is_overtaken);
    young->report.added = yk_new0(struct yk_starts);
    have_started(&world, young->report.added, 20, 10);
    struct yk_si_start start = start_of(&world, "young", "young-4");
    assert_false(start.is_overtaken);
    expect_start(&world, &start, 15, 10);
    assert_true(start_of(&world, "old", "old-4").is_overtaken);
    world_done(&world);
}

/* Asks join, but none starts. */
static void asks_that_join_without_a_start(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    have_started(&world, &leaf->report.starts.added, 20, 10);
    struct yk_si_start start = start_of(&world, "young", "young-4");
    assert_false(start.is_known);
    assert_false(start.is_overtaken);
    assert_int_equal(start.starts, 0);
    world_done(&world);
}

/* Twenty starts in 200 s; ten asks that joined, but in the last 90 s: more per second than started. */
static void asks_that_join_count_by_rate(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    have_started_in(&world, leaf, 20, 10);
    have_started(&world, &leaf->report.starts.added, 10, 10);
    assert_true(start_of(&world, "young", "young-4").is_overtaken);
    world_done(&world);
}

/* Half of the starts are of small asks that fit beside what runs: these have joined, too, and are no sign that the
 * others are overtaken. */
static void asks_that_start_at_once_count_on_both_sides(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    have_started(&world, &leaf->report.starts.asks, 20, 10);
    have_started(&world, &leaf->report.starts.all_asks, 40, 5);
    have_started(&world, &leaf->report.starts.added, 20, 10);
    struct yk_si_start start = start_of(&world, "young", "young-4");
    assert_true(start.is_known);
    assert_false(start.is_overtaken);
    have_started(&world, &leaf->report.starts.added, 20, 0);
    assert_true(start_of(&world, "young", "young-4").is_overtaken);
    world_done(&world);
}

/* Asks of an application that is a minute old are counted, those of a new one and old asks are not. */
static void asks_that_join(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    int64_t now_ns = yk_core_now(world.core);
    assert_int_equal(yk_drain_of(&leaf->report.starts.added, 5, now_ns).starts, 0);
    world_advance(&world, 61);
    world_ask(&world, "young", "later", 1000, 1);
    now_ns = yk_core_now(world.core);
    assert_int_equal(yk_drain_of(&leaf->report.starts.added, 5, now_ns).starts, 1);
    struct yk_ask old = *yk_app_find_ask(world_app(&world, "young"), YK_STR("later"));
    old.create_wall_ns = now_ns - 61 * YK_NS_PER_S;
    yk_drain_count_added(&old, now_ns);
    assert_int_equal(yk_drain_of(&leaf->report.starts.added, 5, now_ns).starts, 1);
    assert_int_equal(yk_drain_of(world_app(&world, "young")->report.added, 5, now_ns).starts, 1);
    assert_null(world_app(&world, "old")->report.added);
    world_done(&world);
}

/* Enough asks of the leaf started, but those of an application that has to start come after other applications, which
 * start one at a time. The first in order has an estimate. */
static void one_application_starts_at_a_time(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    leaf->settings.app_sort = YK_APP_SORT_STATEAWARE;
    have_started_in(&world, leaf, 20, 10);
    leaf->start.may_start = world_app(&world, "old");
    struct yk_si_start start = start_of(&world, "young", "young-4");
    assert_false(start.is_known);
    assert_true(start.waits_to_start);
    assert_true(start.ends_by_itself);
    start = start_of(&world, "old", "old-4");
    expect_start(&world, &start, 5, 10);
    assert_false(start.waits_to_start);
    leaf->settings.app_sort = YK_APP_SORT_FIFO;
    leaf->start.may_start = NULL;
    world_done(&world);
}

/* ---- gangs ---- */

static void ask_in_task_group(struct world *world, const char *app, const char *key, bool is_placeholder)
{
    struct yk_resvec size = world_size(1000, 1);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = app,
                                   .resource = &size,
                                   .task_group = "g",
                                   .placeholder = is_placeholder,
                                   .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
    yk_resvec_done(&size);
}

/* Only placeholders come before a placeholder, and all others of its own gang do. */
static void placeholders_before_one(void **state)
{
    struct world world;
    (void)state;
    begin_two(&world);
    ask_in_task_group(&world, "old", "old-p1", true);
    ask_in_task_group(&world, "old", "old-p2", true);
    for (int i = 0; i < 3; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "young-p%d", i);
        ask_in_task_group(&world, "young", key, true);
    }
    const struct yk_ask *ask = yk_app_find_ask(world_app(&world, "young"), YK_STR("young-p0"));
    struct yk_ahead_range others = yk_start_ahead_of_others(ask), own = yk_start_ahead_of_own(ask);
    assert_int_equal(others.min, 2);
    assert_int_equal(others.max, 2);
    assert_int_equal(own.min, 2);
    assert_int_equal(own.max, 2);
    ask = yk_app_find_ask(world_app(&world, "old"), YK_STR("old-p1"));
    assert_int_equal(yk_start_ahead_of_others(ask).max, 0);
    assert_int_equal(yk_start_ahead_of_own(ask).max, 1);
    world_done(&world);
}

/* Members of a gang take the places of its placeholders, and no other ask has to wait for them. */
static void members_of_gangs_do_not_join(void **state)
{
    struct world world;
    (void)state;
    struct yk_queue *leaf = begin_two(&world);
    world_advance(&world, 61);
    ask_in_task_group(&world, "old", "placeholder", true);
    ask_in_task_group(&world, "old", "member", false);
    assert_int_equal(yk_drain_of(&leaf->report.starts.added, 5, yk_core_now(world.core)).starts, 0);
    world_ask(&world, "old", "other", 1000, 1);
    assert_int_equal(yk_drain_of(&leaf->report.starts.added, 5, yk_core_now(world.core)).starts, 1);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_without_a_wait_do_not_count),
        cmocka_unit_test(whether_a_node_is_large_enough),
        cmocka_unit_test(whether_a_node_can_use_its_volumes),
        cmocka_unit_test(whether_a_maximum_is_large_enough),
        cmocka_unit_test(asks_before_one),
        cmocka_unit_test(starts_in_the_first_minutes_of_the_epoch),
        cmocka_unit_test(starts_after_the_clock_was_set_back),
        cmocka_unit_test(starts_of_the_queue),
        cmocka_unit_test(one_batch_is_not_enough),
        cmocka_unit_test(batches_make_the_range_wide),
        cmocka_unit_test(starts_of_the_application),
        cmocka_unit_test(starts_of_the_application_have_ended),
        cmocka_unit_test(the_first_application_pauses),
        cmocka_unit_test(a_pause_may_come_again),
        cmocka_unit_test(the_first_start_ends_no_pause),
        cmocka_unit_test(others_overtake_it),
        cmocka_unit_test(own_asks_do_not_overtake),
        cmocka_unit_test(asks_that_join_count_by_rate),
        cmocka_unit_test(asks_that_join_without_a_start),
        cmocka_unit_test(asks_that_start_at_once_count_on_both_sides),
        cmocka_unit_test(asks_that_join),
        cmocka_unit_test(one_application_starts_at_a_time),
        cmocka_unit_test(placeholders_before_one),
        cmocka_unit_test(members_of_gangs_do_not_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
