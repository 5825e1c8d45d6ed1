/* SPDX-License-Identifier: Apache-2.0 */
/* Moving applications between queues (queues.md A8), alone and among everything else that happens. */
#include "partition/move.h"

#include "base/random.h"
#include "lib/core_world.h"
#include "scheduler/kill.h"

static const char config[] = "partitions:\n"
                             "- name: default\n"
                             "  placementrules: [{name: provided, create: true}]\n"
                             "  queues:\n"
                             "  - name: root\n"
                             "    submitacl: '*'\n"
                             "    queues:\n"
                             "    - {name: a, resources: {max: {vcore: 2}}}\n"
                             "    - {name: b, maxapplications: 1}\n"
                             "    - {name: c, parent: true, queues: [{name: d}, {name: e, properties: "
                             "{application.sort.policy: fair}, resources: {guaranteed: {vcore: 1}}}]}\n"
                             "    - {name: dyn, parent: true}\n"
                             "    - {name: gone}\n";
static const char without_gone[] = "partitions:\n"
                                   "- name: default\n"
                                   "  placementrules: [{name: provided, create: true}]\n"
                                   "  queues:\n"
                                   "  - name: root\n"
                                   "    submitacl: '*'\n"
                                   "    queues:\n"
                                   "    - {name: a, resources: {max: {vcore: 2}}}\n"
                                   "    - {name: b, maxapplications: 1}\n";

static enum yk_status move(struct world *world, const char *app, const char *queue, struct yk_err *err)
{
    struct yk_app *moving = world_app(world, app);
    struct yk_queue *target = world_queue(world, queue);
    assert_non_null(moving);
    assert_non_null(target);
    enum yk_status st = yk_app_move(moving, target, "ann", err);
    world_check(world);
    return st;
}

static int64_t vcores(struct world *world, const char *queue)
{
    return yk_resvec_get(&world_queue(world, queue)->allocated, YK_RESTYPE_VCORE);
}

static size_t told_of_moves(const struct world *world)
{
    const struct yk_ring *ring = world->core->events.ring;
    size_t told = 0;
    for (uint64_t at = yk_ring_lowest(ring); at < yk_ring_next(ring); at++) {
        YK_EVENT(event);
        assert_true(yk_ring_get(ring, at, &event));
        told += yk_str_starts(event.message, "moved from queue");
    }
    return told;
}

static void everything_comes_along(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    world_init(&world, config);
    yk_core_find_partition(world.core, YK_STR("default"))->core->events.on = true;
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "app", "root.a", "joe");
    for (int i = 0; i < 3; i++)
        world_ask(&world, "app", (const char *[]){"k0", "k1", "k2"}[i], 1000, 100);
    assert_int_equal(world_schedule(&world), 2); /* the third is above root.a's maximum */
    assert_int_equal(move(&world, "app", "root.c.d", &err), YK_OK);
    const struct yk_app *app = world_app(&world, "app");
    assert_string_equal(app->queue_path, "root.c.d");
    assert_int_equal(vcores(&world, "root.a"), 0);
    assert_int_equal(vcores(&world, "root.c"), 2000);
    assert_int_equal(vcores(&world, "root"), 2000);
    assert_int_equal(world_queue(&world, "root.a")->running_apps, 0);
    assert_int_equal(world_queue(&world, "root.c")->running_apps, 1);
    assert_int_equal(world_queue(&world, "root.c.d")->app_count, 1);
    assert_ptr_equal(app->limit.user->queue, app->leaf);
    assert_int_equal(yk_resvec_get(&app->limit.user->allocated, YK_RESTYPE_VCORE), 2000);
    assert_int_equal(told_of_moves(&world), 3);  /* left, arrived, moved */
    assert_int_equal(world_schedule(&world), 1); /* it no longer waits for the old queue */
    world_done(&world);
}

static void no_maximum_is_asked(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    world_init(&world, config);
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "one", "root.b", "joe");
    world_submit(&world, "two", "root.c.d", "joe");
    world_ask(&world, "one", "k1", 1000, 10);
    for (int i = 0; i < 3; i++)
        world_ask(&world, "two", (const char *[]){"l0", "l1", "l2"}[i], 1000, 10);
    assert_int_equal(world_schedule(&world), 4);
    assert_int_equal(move(&world, "two", "root.b", &err), YK_OK); /* R30: two run where one may */
    assert_int_equal(world_queue(&world, "root.b")->running_apps, 2);
    assert_int_equal(move(&world, "two", "root.a", &err), YK_OK); /* and 3 cores where 2 may be used */
    assert_int_equal(vcores(&world, "root.a"), 3000);
    world_ask(&world, "two", "l3", 1000, 10);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(move(&world, "two", "root.c.e", &err), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

/* R44: who comes may put a queue above its maximum, and who goes below; what is above both is not touched. */
static void the_quota_clocks_follow(void **state)
{
    (void)state;
#define DELAY "properties: {quota.preemption.delay: 10s}"
    static const char head[] = "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                               "    queues:\n    - name: p\n      " DELAY "\n";
    static const char below[] = "      queues:\n      - {name: a, properties: {quota.preemption.delay: 0s}}\n"
                                "      - {name: b, resources: {max: {vcore: 1}}, " DELAY "}\n";
    struct world world;
    char config_of_two[1024];
    struct yk_err err = {0};
    (void)snprintf(config_of_two, sizeof(config_of_two), "%s%s", head, below);
    world_init(&world, config_of_two);
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "app", "root.p.a", "joe");
    world_ask(&world, "app", "k1", 2000, 10);
    assert_int_equal(world_schedule(&world), 1);
    (void)snprintf(config_of_two, sizeof(config_of_two), "%s      resources: {max: {vcore: 1}}\n%s", head,
                   below);
    assert_null(world_reload(&world, config_of_two));
    const struct yk_queue *p = world_queue(&world, "root.p"), *b = world_queue(&world, "root.p.b");
    int64_t due = p->quota.due_mono_ns;
    assert_true(yk_list_linked(&p->quota.in_due));
    world_advance(&world, 1);
    assert_int_equal(move(&world, "app", "root.p.b", &err), YK_OK);
    assert_true(yk_list_linked(&b->quota.in_due));
    assert_true(yk_list_linked(&p->quota.in_due));
    assert_int_equal(p->quota.due_mono_ns, due);
    assert_int_equal(move(&world, "app", "root.p.a", &err), YK_OK);
    assert_false(yk_list_linked(&b->quota.in_due));
    assert_true(yk_list_linked(&p->quota.in_due));
    yk_list_remove(&world_queue(&world, "root.p")->quota.in_due); /* its turn is over */
    assert_int_equal(move(&world, "app", "root.p.b", &err), YK_OK);
    assert_false(yk_list_linked(&p->quota.in_due)); /* it has no more than before */
    world_done(&world);
#undef DELAY
}

static void gates_follow(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    world_init(&world, config);
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "one", "root.b", "joe");
    world_submit(&world, "two", "root.b", "joe");
    world_submit(&world, "three", "root.b", "joe");
    world_ask(&world, "one", "k1", 1000, 10);
    world_ask(&world, "two", "l1", 1000, 10);
    world_ask(&world, "three", "m1", 1000, 10);
    assert_int_equal(world_schedule(&world), 1); /* root.b runs one */
    assert_int_equal(move(&world, "two", "root.c.d", &err), YK_OK);
    assert_int_equal(world_schedule(&world), 1); /* the one that was held back there runs here */
    assert_int_equal(move(&world, "one", "root.c.d", &err), YK_OK);
    assert_int_equal(world_schedule(&world), 1); /* and its going lets the last one start */
    assert_string_equal(world.last_key, "m1");
    world_done(&world);
}

static void a_dynamic_queue_goes_when_its_last_application_has_moved(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    world_init(&world, config);
    world_submit(&world, "app", "root.dyn.x", "joe");
    assert_int_equal(move(&world, "app", "root.a", &err), YK_OK);
    world_advance(&world, 11);
    assert_null(world_queue(&world, "root.dyn.x"));
    world_done(&world);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *what, *app, *queue, *want;
        enum yk_status status;
    } cases[] = {
        {"a parent", "app", "root.c", "is a parent", YK_ERR_INVALID},
        {"root", "app", "root", "is a parent", YK_ERR_INVALID},
        {"where it is", "app", "root.a", "already", YK_ERR_STATE},
        {"a draining queue", "app", "root.gone", "being drained", YK_ERR_STATE},
        {"the recovery queue", "app", "root.@recovery@", "recovered", YK_ERR_INVALID},
        {"an application that fails", "failing", "root.b", "Failing", YK_ERR_STATE},
        {"a gang into a fair leaf", "gang", "root.c.e", "fifo", YK_ERR_STATE},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct yk_err err = {0};
        world_init(&world, config);
        world_node(&world, "n1", 8000, 8192);
        world_submit(&world, "stays", "root.gone", "joe");
        world_submit(&world, "app", "root.a", "joe");
        world_submit(&world, "failing", "root.a", "joe");
        world_submit(&world, "gang", "root.a", "joe");
        world_ask_full(&world, "failing", "f1", 100, 10, 0, YK_SI_CLASS_ANY, "n1");
        struct yk_resvec size = world_size(100, 10);
        struct yk_si_allocation placeholder = {.key = "g1",
                                               .application_id = "gang",
                                               .resource = &size,
                                               .placeholder = true,
                                               .scheduling_class = YK_SI_CLASS_ANY,
                                               .task_group = "workers"};
        assert_int_equal(yk_core_update_allocation(world.core, "rm", &placeholder), YK_OK);
        assert_int_equal(world_schedule(&world), 1);
        assert_int_equal(yk_app_kill(world_app(&world, "failing"), "ann", &err), YK_OK);
        struct yk_si_tag force = {"application.create.force", "true"};
        struct yk_si_new_app lost = {.application_id = "lost",
                                     .queue = "root.a.below",
                                     .ugi = {.user = "joe"},
                                     .tags = &force,
                                     .tag_count = 1};
        assert_int_equal(yk_core_add_app(world.core, "rm", &lost), YK_OK);
        if (strcmp(cases[i].queue, "root.gone") == 0)
            assert_null(world_reload(&world, without_gone));
        enum yk_status st = move(&world, cases[i].app, cases[i].queue, &err);
        if (st != cases[i].status || strstr(err.text, cases[i].want) == NULL)
            fail_msg("%s: got %d (%s)", cases[i].what, st, err.text);
        world_done(&world);
    }
}

/* ---- among everything else ---- */

enum { APPS = 8, STEPS = 12000 };

static const char *app_name(struct yk_random *random)
{
    static const char *const names[APPS] = {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};
    return names[yk_random_below(random, APPS)];
}

static void random_step(struct world *world, struct yk_random *random, size_t *moves, size_t *kills)
{
    static const char *const queues[] = {"root.a",   "root.b",     "root.c.d",
                                         "root.c.e", "root.dyn.x", "root.gone"};
    const char *queue = queues[yk_random_below(random, YK_COUNT(queues))], *id = app_name(random);
    struct yk_app *app = world_app(world, id);
    struct yk_queue *target = world_queue(world, queue);
    char key[16];
    (void)snprintf(key, sizeof(key), "%s-%u", id, (unsigned)yk_random_below(random, 8));
    struct yk_err err = {0};
    switch (yk_random_below(random, 12)) {
    case 0:
        world_submit(world, id, queue, yk_random_below(random, 2) == 0 ? "joe" : "jim");
        break;
    case 1:
    case 2:
    case 3:
    case 4:
        world_ask_full(world, id, key, (int64_t)(1 + yk_random_below(random, 3)) * 700, 10,
                       (int32_t)yk_random_below(random, 3), YK_SI_CLASS_ANY, NULL);
        break;
    case 5:
    case 6:
        world_release(world, id, key,
                      yk_random_below(random, 3) == 0 ? YK_SI_SCHEDULING_FAILED_ON_RM : YK_SI_STOPPED_BY_RM);
        break;
    case 7:
        (void)world_schedule_one(world); /* leaves the rest for later */
        break;
    case 8:
        (void)world_schedule(world); /* how many depends on the run */
        break;
    case 9:
        world_advance(world, (int64_t)yk_random_below(random, 20));
        break;
    case 10:
        if (app != NULL && yk_random_below(random, 4) == 0)
            *kills += yk_app_kill(app, "ann", &err) == YK_OK; /* it may be ending already */
        break;
    default:
        if (app != NULL && target != NULL)
            *moves += yk_app_move(app, target, "ann", &err) == YK_OK; /* it may be there already */
        break;
    }
    world_check(world);
}

static void moves_among_everything_else_keep_the_invariants(void **state)
{
    (void)state;
    uint64_t seed = yk_random_system_seed();
    size_t moves = 0, kills = 0;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct world world;
    struct yk_random random;
    yk_random_init(&random, seed);
    world_init(&world, config);
    world_node(&world, "n1", 8000, 8192);
    world_node(&world, "n2", 3000, 8192);
    for (int step = 0; step < STEPS; step++)
        random_step(&world, &random, &moves, &kills);
    assert_true(world.allocated > STEPS / 100 && moves > STEPS / 100 && kills > 10);
    for (int i = 0; i < APPS; i++) {
        char id[8];
        (void)snprintf(id, sizeof(id), "p%d", i);
        assert_int_equal(yk_core_remove_app(world.core, "rm", id, NULL), YK_OK);
    }
    world_check(&world);
    assert_int_equal(vcores(&world, "root"), 0);
    assert_int_equal(world_queue(&world, "root")->running_apps, 0);
    assert_int_equal(world_partition(&world)->usages.users.count, 0);
    world_done(&world);
}

/* O7: when the one that starts has moved away, the next one may. */
static void who_moves_while_starting_lets_the_next_one_start(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err;
    world_init(&world, "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                       "    queues:\n    - {name: s, properties: {application.sort.policy: stateaware}}\n"
                       "    - {name: b}\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "first", "root.s", "joe");
    world_ask(&world, "first", "k1", 1000, 10);
    world_submit(&world, "next", "root.s", "joe");
    world_ask(&world, "next", "k2", 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_int_equal(world_app(&world, "first")->state, YK_APP_STARTING);
    assert_int_equal(move(&world, "first", "root.b", &err), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "k2");
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_comes_along),
        cmocka_unit_test(no_maximum_is_asked),
        cmocka_unit_test(the_quota_clocks_follow),
        cmocka_unit_test(gates_follow),
        cmocka_unit_test(who_moves_while_starting_lets_the_next_one_start),
        cmocka_unit_test(a_dynamic_queue_goes_when_its_last_application_has_moved),
        cmocka_unit_test(refusals),
        cmocka_unit_test(moves_among_everything_else_keep_the_invariants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
