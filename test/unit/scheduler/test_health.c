/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/rest.md 6, scheduling.md 3.10: what makes each health check fail, and what it says of errors
 * that are over (D12). */
#include "lib/core_world.h"

static const struct yk_health_check *errors_check(const struct world *world)
{
    const struct yk_health_check *check = &world->core->health.checks[0];
    assert_string_equal(check->name, "Scheduling errors");
    return check;
}

/* The core refuses an allocation on a node that it does not know. */
static void provoke_error(struct world *world, const char *key)
{
    size_t before = world->alloc_rejected;
    world_ask_full(world, "app", key, 1, 1, 0, 0, "nowhere");
    assert_int_equal(world->alloc_rejected, before + 1);
}

static void errors_count_until_the_next_inspection(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    world_submit(&world, "app", "root.a", "ann");
    static const struct {
        const char *what;
        int errors;
        bool succeeded;
        const char *diagnosis;
    } inspections[] = {
        {"nothing yet", 0, true, "There were 0 scheduling errors logged in the metrics"},
        {"two errors", 2, false, "There were 2 scheduling errors logged in the metrics"},
        {"none since", 0, true, "There were 2 scheduling errors logged in the metrics"},
        {"another", 1, false, "There were 3 scheduling errors logged in the metrics"},
        {"and none since", 0, true, "There were 3 scheduling errors logged in the metrics"},
    };
    int number = 0;
    for (size_t i = 0; i < YK_COUNT(inspections); i++) {
        for (int n = 0; n < inspections[i].errors; n++) {
            char key[16];
            (void)snprintf(key, sizeof(key), "key-%d", number++);
            provoke_error(&world, key);
        }
        yk_health_run(world.core);
        const struct yk_health_check *check = errors_check(&world);
        if (check->succeeded != inspections[i].succeeded || world.core->health.healthy != check->succeeded)
            fail_msg("%s: %s", inspections[i].what, check->diagnosis);
        assert_string_equal(check->diagnosis, inspections[i].diagnosis);
    }
    world_done(&world);
}

/* ---- each check finds what it is for, and nothing else ---- */

struct scene {
    struct world world;
    struct yk_partition *partition;
    struct yk_node *node;
    struct yk_app *app;
    struct yk_ask *ask;
};

static void add(struct yk_resvec *amounts, int64_t by)
{
    yk_resvec_put(amounts, YK_RESTYPE_VCORE, yk_resvec_get(amounts, YK_RESTYPE_VCORE) + by);
}
static void root_below_zero(struct scene *scene, bool broken)
{
    add(&scene->partition->root->allocated, broken ? -5000 : 5000);
}
static void node_below_zero(struct scene *scene, bool broken)
{
    struct yk_resvec capacity = world_size(broken ? 500 : 4000, 4096); /* it shrank below what it runs */
    const struct yk_si_node request = {.node_id = "n", .action = YK_SI_NODE_UPDATE, .capacity = &capacity};
    yk_resvec_put(&capacity, YK_RESTYPE_PODS, 110);
    assert_int_equal(yk_core_update_node(scene->world.core, "rm", &request), YK_OK);
}
static void total_is_wrong(struct scene *scene, bool broken)
{
    add(&scene->partition->root->max, broken ? 1 : -1);
}
static void node_does_not_add_up(struct scene *scene, bool broken)
{
    add(scene->node->available, broken ? 1 : -1);
}
static void unknown_to_its_application(struct scene *scene, bool broken)
{
    if (broken)
        (void)yk_text_set_remove(&scene->app->asks, yk_ask_key(scene->ask));
    else
        yk_text_set_add(&scene->app->asks, scene->ask, scene->ask->key_hash);
}
static void node_failed(struct scene *scene, bool broken)
{
    scene->world.core->metrics.nodes_failed += broken;
}

static void each_check_finds_its_fault(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        void (*fault)(struct scene *scene, bool broken);
        int check;
        const char *name, *diagnosis;
    } cases[] = {
        {"root", root_below_zero, 2, "Negative resources", "[rm]default"},
        {"node", node_below_zero, 3, "Negative resources", "\"n\""},
        {"partition", total_is_wrong, 4, "Consistency of data", "[rm]default"},
        {"sums of a node", node_does_not_add_up, 5, "Consistency of data", "\"n\""},
        {"orphan", unknown_to_its_application, 7, "Orphan allocation on node check", "allocationKey k"},
        {"failed node", node_failed, 1, "Failed nodes", "1 failed nodes"},
    };
    struct scene scene;
    world_init(&scene.world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    world_node(&scene.world, "n", 4000, 4096);
    world_submit(&scene.world, "app", "root.a", "ann");
    world_ask(&scene.world, "app", "k", 1000, 10);
    assert_int_equal(world_schedule(&scene.world), 1);
    scene.partition = world_partition(&scene.world);
    scene.node = yk_partition_find_node(scene.partition, "n");
    scene.app = world_app(&scene.world, "app");
    scene.ask = yk_app_find_ask(scene.app, YK_STR("k"));
    const struct yk_health *health = &scene.world.core->health;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        const struct yk_health_check *check = &health->checks[cases[i].check];
        yk_health_run(scene.world.core);
        assert_true(health->healthy);
        cases[i].fault(&scene, true);
        yk_health_run(scene.world.core);
        assert_string_equal(check->name, cases[i].name);
        if (health->healthy || check->succeeded || strstr(check->diagnosis, cases[i].diagnosis) == NULL)
            fail_msg("%s: %s", cases[i].what, check->diagnosis);
        for (int other = 0; other < YK_HEALTH_CHECKS; other++) {
            if (other != cases[i].check && !health->checks[other].succeeded)
                fail_msg("%s: %s fails, too", cases[i].what, health->checks[other].name);
        }
        assert_true(health->checks[6].succeeded); /* reservations: for information */
        cases[i].fault(&scene, false);
    }
    yk_health_run(scene.world.core);
    assert_true(health->healthy);
    world_done(&scene.world);
}

/* ---- steps ---- */

enum { NODES = 30, APPS = 20, PODS = 100, STEP = 512 };

static void fill(struct world *world)
{
    for (int i = 0; i < NODES; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "n%02d", i);
        world_node(world, id, 100000, 65536);
    }
    for (int i = 0; i < APPS; i++) {
        char app[16], key[32];
        (void)snprintf(app, sizeof(app), "app-%d", i);
        world_submit(world, app, "root.a", "ann");
        for (int pod = 0; pod < PODS; pod++) {
            (void)snprintf(key, sizeof(key), "%s-%d", app, pod);
            world_ask(world, app, key, 1000, 10);
        }
    }
    assert_int_equal(world_schedule(world), APPS * PODS);
}

/* A pass takes steps of bounded cost. What comes and goes between two of them is no fault. */
static void in_steps(void **state)
{
    (void)state;
    struct world world;
    size_t steps = 0;
    world_init(&world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    fill(&world);
    world.core->health.has_run = false;
    yk_health_begin(world.core);
    for (steps = 1; !world.core->health.has_run; steps++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "n%02d", (int)steps);
        world_node_action(&world, name, YK_SI_NODE_DECOMMISSION);
        (void)snprintf(name, sizeof(name), "new-%zu", steps);
        world_node(&world, name, 100000, 65536);
        world_submit(&world, name, "root.a", "ann");
        world_ask(&world, name, name, 1000, 10);
        (void)world_schedule(&world);
        yk_clock_advance(&world.clock, 10 * YK_NS_PER_MS);
        (void)yk_timers_run(&world.timers);
    }
    assert_true(world.core->health.healthy);
    assert_true(steps >= (size_t)(APPS * PODS) * 2 / STEP); /* each is on a node, and in an application */
    assert_false(yk_health_step(world.core));
    yk_health_begin(world.core); /* is given up with the core */
    world_done(&world);
}

/* 3.10: at the start, then every 30 seconds, or as the setting says; zero or less: never again. */
static void how_often(void **state)
{
    (void)state;
    static const struct {
        const char *interval; /* NULL: not set */
        int64_t quiet_s, due_s;
    } cases[] = {{NULL, 29, 1}, {"5s", 4, 1}, {"0s", 1000, -1}, {"-1s", 1000, -1}, {"soon", 29, 1}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_clock clock;
        struct yk_timers timers;
        struct yk_err err = {0};
        static const struct yk_si_callbacks deaf;
        const struct yk_si_tag tag = {"health.checkInterval", cases[i].interval};
        const struct yk_si_register request = {
            .rm_id = "rm", .extra_config = &tag, .extra_count = cases[i].interval != NULL};
        yk_clock_virtual_init(&clock, INT64_C(1700000000) * YK_NS_PER_S);
        yk_timers_init(&timers, &clock);
        const struct yk_core_options options = {.clock = &clock, .timers = &timers};
        struct yk_core *core = yk_core_new(&options);
        assert_false(core->health.has_run);
        assert_int_equal(yk_core_register(core, &request, &deaf, NULL, &err), YK_OK);
        assert_true(core->health.has_run);
        core->health.has_run = false;
        yk_clock_advance(&clock, cases[i].quiet_s * YK_NS_PER_S);
        (void)yk_timers_run(&timers);
        assert_false(core->health.has_run);
        if (cases[i].due_s > 0) {
            yk_clock_advance(&clock, cases[i].due_s * YK_NS_PER_S);
            (void)yk_timers_run(&timers);
            if (!core->health.has_run)
                fail_msg("%s: not run", cases[i].interval != NULL ? cases[i].interval : "default");
        }
        yk_core_free(core);
        yk_timers_done(&timers);
    }
}

/* Reloads put off no check unless they change the interval. */
static void reloads_put_off_no_check(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    const struct yk_si_tag tag = {"health.checkInterval", "5s"};
    struct yk_si_register request = {.rm_id = "rm"};
    world_init(&world, "partitions: [{name: default, queues: [{name: root}]}]");
    world.core->manual = false;
    world.core->health.has_run = false;
    for (int i = 0; i < 3; i++) { /* the first one arms the timer */
        assert_false(world.core->health.has_run);
        assert_int_equal(yk_core_update_config(world.core, &request, &err), YK_OK);
        yk_clock_advance(&world.clock, 10 * YK_NS_PER_S);
        (void)yk_timers_run(&world.timers);
    }
    assert_true(world.core->health.has_run);
    world.core->health.has_run = false;
    request.extra_config = &tag, request.extra_count = 1;
    assert_int_equal(yk_core_update_config(world.core, &request, &err), YK_OK);
    yk_clock_advance(&world.clock, 5 * YK_NS_PER_S);
    (void)yk_timers_run(&world.timers);
    assert_true(world.core->health.has_run);
    world_done(&world);
}

/* ---- allocations and objects ---- */

static struct {         /* what the resource manager has */
    bool lost;          /* no object is where its allocation is */
    size_t unallocated; /* objects without an allocation: "ns/pod-0000", ... */
    size_t calls;
} real;

static bool is_placed(void *rm, void *ask_cookie, void *node_cookie)
{
    (void)rm, (void)ask_cookie, (void)node_cookie;
    return !real.lost;
}

/* Has a table of 2,000 slots and names each object at a slot of its own. */
static bool find_unallocated(void *rm, uint64_t *cursor, size_t max, yk_si_name_sink *sink,
                             void *sink_context)
{
    (void)rm;
    real.calls++;
    for (; max > 0 && *cursor < 2000; max--, (*cursor)++) {
        char name[32];
        snprintf(name, sizeof(name), "ns/pod-%04d", (int)(1999 - *cursor));
        if (1999 - *cursor < real.unallocated)
            sink(sink_context, name);
    }
    return *cursor < 2000;
}

/* One inspection, and the whole pass that it begins. */
static void inspect(struct world *world, int64_t seconds)
{
    yk_clock_advance(&world->clock, seconds * YK_NS_PER_S);
    yk_health_run(world->core);
    yk_cross_check_begin(&world->core->cross_check);
    while (yk_cross_check_step(&world->core->cross_check))
        ;
}

static void differences_are_named_when_they_stay(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        bool lost;
        size_t unallocated;
        int64_t seconds; /* between the pass that finds it first and the one before the inspection */
        const char *allocations, *objects; /* diagnoses */
    } cases[] = {
        {"all is well", false, 0, 60, "Allocations without a placed object: []",
         "Placed objects without an allocation: []"},
        {"not yet 30 s old", true, 1, 29, "Allocations without a placed object: []",
         "Placed objects without an allocation: []"},
        {"allocations", true, 0, 30,
         "Allocations without a placed object: [\"allocationKey k, applicationID app, node n\"]",
         "Placed objects without an allocation: []"},
        {"objects", false, 2, 30, "Allocations without a placed object: []",
         "Placed objects without an allocation: [\"ns/pod-0000\" \"ns/pod-0001\"]"},
    };
    struct world world;
    world_init(&world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    struct yk_rm *rm = world.core->rms.items[0];
    rm->callbacks.is_placed = is_placed;
    rm->callbacks.find_unallocated = find_unallocated;
    world_node(&world, "n", 4000, 4096);
    world_submit(&world, "app", "root.a", "ann");
    world_ask(&world, "app", "k", 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    const struct yk_health_check *checks = world.core->health.checks;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        real.lost = cases[i].lost;
        real.unallocated = cases[i].unallocated;
        inspect(&world, 0);
        inspect(&world, cases[i].seconds);
        yk_health_run(world.core);
        if (strcmp(checks[9].diagnosis, cases[i].allocations) != 0 ||
            strcmp(checks[10].diagnosis, cases[i].objects) != 0)
            fail_msg("%s: %s, %s", cases[i].what, checks[9].diagnosis, checks[10].diagnosis);
        assert_int_equal(checks[9].succeeded, strstr(checks[9].diagnosis, "[]") != NULL);
        assert_int_equal(checks[10].succeeded, strstr(checks[10].diagnosis, "[]") != NULL);
        assert_int_equal(world.core->health.healthy, checks[9].succeeded && checks[10].succeeded);
        real.lost = false;
        real.unallocated = 0;
        inspect(&world, 30); /* what has gone is forgotten */
        real.lost = cases[i].lost;
        real.unallocated = cases[i].unallocated;
        inspect(&world, 0);
        yk_clock_advance(&world.clock, 60 * YK_NS_PER_S);
        yk_health_run(world.core);
        assert_true(world.core->health.healthy); /* one pass has found it, however long ago that is */
        real.lost = false;
        real.unallocated = 0;
        inspect(&world, 30);
        yk_health_run(world.core);
        assert_true(world.core->health.healthy);
    }
    world_done(&world);
}

/* A flood of them costs bounded memory and a bounded diagnosis, and each step is short. */
static void many_differences_are_counted(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions: [{name: default, queues: [{name: root, submitacl: '*'}]}]");
    struct yk_rm *rm = world.core->rms.items[0];
    rm->callbacks.find_unallocated = find_unallocated;
    real.unallocated = 2000;
    real.calls = 0;
    inspect(&world, 0);
    assert_int_equal(real.calls, (2000 + YK_CROSS_CHECK_STEP - 1) / YK_CROSS_CHECK_STEP);
    inspect(&world, 30);
    yk_health_run(world.core);
    const struct yk_health_check *check = &world.core->health.checks[10];
    assert_false(check->succeeded);
    assert_non_null(strstr(check->diagnosis, "] and 1980 more"));
    assert_int_equal(world.core->cross_check.known[YK_DIFFERENCE_NO_ALLOCATION].items.count,
                     YK_CROSS_CHECK_SUSPECTS);
    real.unallocated = 0;
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_count_until_the_next_inspection),
        cmocka_unit_test(each_check_finds_its_fault),
        cmocka_unit_test(in_steps),
        cmocka_unit_test(how_often),
        cmocka_unit_test(reloads_put_off_no_check),
        cmocka_unit_test(differences_are_named_when_they_stay),
        cmocka_unit_test(many_differences_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
