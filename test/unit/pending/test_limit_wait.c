/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits for limits of users and groups is tried in order, one at a time: a release costs what it starts
 * (scheduling.md 3.5; queues.md L11 to L13, 8.5).
 */
#include "lib/core_world.h"
#include "scheduler/cycle.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"        \
    "    submitacl: '*'\n"
#define LEAVES "      queues: [{name: one}, {name: two}]\n"

enum { MANY = 400, TURNS_MAX = 4 };

static const char user_max[] = HEAD
    "    queues:\n    - name: q\n      limits: [{limit: x, users: [joe], maxresources: {vcore: 4}}]\n" LEAVES;
static const char group_max[] = HEAD "    queues:\n    - name: q\n      limits: [{limit: x, groups: [team], "
                                     "maxresources: {vcore: 4}}]\n" LEAVES;
static const char user_apps[] =
    HEAD "    queues:\n    - name: q\n      limits: [{limit: x, users: [joe], maxapplications: 4}]\n" LEAVES;
static const char user_hold[] =
    HEAD "    queues:\n    - name: q\n      properties: {application.sort.hold: strict, "
         "application.sort.hold.delay: 1s}\n"
         "      limits: [{limit: x, users: [joe], maxresources: {vcore: 4}}]\n" LEAVES;

static void begin(struct world *world, const char *config)
{
    world_init(world, config);
    world_node(world, "n1", 100000, 1000000);
}

static void submit(struct world *world, const char *id, const char *queue, int64_t vcore)
{
    world_submit_in_group(world, id, queue, "joe", "team");
    world_ask(world, id, id, vcore, 1);
    world_advance(world, 1);
}

static void submit_many(struct world *world, const char *prefix, int count, int64_t vcore)
{
    for (int i = 0; i < count; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "%s%03d", prefix, i);
        submit(world, id, i % 2 == 0 ? "root.q.one" : "root.q.two", vcore);
    }
}

/* Everything that can be decided; how many turns it took. */
static size_t turns(struct world *world, size_t *ret_decided)
{
    size_t count = 0;
    *ret_decided = 0;
    for (;; count++) {
        enum yk_turn turn = yk_partition_turn(world_partition(world), &(struct yk_step_timer){.clock = NULL});
        if (turn == YK_TURN_IDLE)
            break;
        *ret_decided += turn == YK_TURN_DECIDED;
    }
    world_check(world);
    return count;
}

/* Ends `gone`: `next` starts (NULL: nothing does), and nothing else is tried. */
static void after_release(struct world *world, const char *gone, const char *next)
{
    size_t decided, expected = next != NULL;
    world_release(world, gone, gone, YK_SI_STOPPED_BY_RM);
    size_t count = turns(world, &decided);
    if (decided != expected || count > TURNS_MAX || (next != NULL && strcmp(world->last_key, next) != 0))
        fail_msg("after '%s': '%s' instead of '%s', %zu decisions in %zu turns", gone, world->last_key,
                 next != NULL ? next : "nothing", decided, count);
}

static void the_first_in_order_is_tried(void **state)
{
    (void)state;
    static const char *const configs[] = {user_max, group_max, user_apps};
    for (size_t i = 0; i < YK_COUNT(configs); i++) {
        struct world world;
        begin(&world, configs[i]);
        submit_many(&world, "m", MANY, 1000);
        assert_int_equal(world_schedule(&world), 4);
        /* The queues take turns: equal shares before, so the one whose pod ended has less. */
        after_release(&world, "m000", "m004");
        after_release(&world, "m001", "m005");
        after_release(&world, "m002", "m006");
        after_release(&world, "m003", "m007");
        world_done(&world);
    }
}

static void what_does_not_fit_is_passed(void **state)
{
    (void)state;
    struct world world;
    begin(&world, user_max);
    submit_many(&world, "run", 4, 1000);
    assert_int_equal(world_schedule(&world), 4);
    submit_many(&world, "large", MANY, 3000);
    submit(&world, "small", "root.q.two", 1000);
    assert_int_equal(world_schedule(&world), 0);
    after_release(&world, "run000", "small");
    after_release(&world, "run001", NULL);
    after_release(&world, "run002", NULL);
    after_release(&world, "run003", "large000");
    world_done(&world);
}

/* The leaf whose turn is first has the least of each type, but nothing that fits: of the others the first
 * starts. */
static void the_next_leaf_starts(void **state)
{
    (void)state;
    static const char config[] =
        HEAD "    queues:\n    - name: q\n      limits: [{limit: x, users: [joe], maxresources: {vcore: 4, "
             "memory: 100Mi}}]\n      queues: [{name: one}, {name: two}, {name: three}]\n";
    struct world world;
    begin(&world, config);
    for (int i = 0; i < 4; i++) {
        char id[8];
        (void)snprintf(id, sizeof(id), "run%d", i);
        submit(&world, id, i < 3 ? "root.q.two" : "root.q.three", 1000);
    }
    assert_int_equal(world_schedule(&world), 4);
    world_submit(&world, "low", "root.q.one", "joe");
    world_ask(&world, "low", "low", 1000, 99);
    submit(&world, "high", "root.q.one", 3500);
    submit(&world, "two", "root.q.two", 1000);
    submit(&world, "three", "root.q.three", 1000);
    assert_int_equal(world_schedule(&world), 0);
    after_release(&world, "run0", "three");
    after_release(&world, "run1", "two");
    after_release(&world, "run2", NULL);
    world_done(&world);
}

/* What comes behind the holder is not tried, however much waits there. */
static void a_hold_tries_nobody_behind_it(void **state)
{
    (void)state;
    struct world world;
    begin(&world, user_hold);
    submit_many(&world, "run", 4, 1000);
    assert_int_equal(world_schedule(&world), 4);
    submit(&world, "large", "root.q.one", 3000);
    assert_int_equal(world_schedule(&world), 0);
    world_advance(&world, 10);
    submit_many(&world, "small", MANY, 1000);
    assert_int_equal(world_schedule(&world), 0);
    /* Leaf one has the smaller share from here on, so that the holder comes first. */
    after_release(&world, "run000", NULL);
    after_release(&world, "run002", NULL);
    after_release(&world, "run001", "large");
    world_done(&world);
}

static void a_raised_limit_lets_more_start(void **state)
{
    (void)state;
    static const char raised[] = HEAD "    queues:\n    - name: q\n      limits: [{limit: x, users: [joe], "
                                      "maxresources: {vcore: 6}}]\n" LEAVES;
    static const char unlimited[] = HEAD "    queues:\n    - name: q\n" LEAVES;
    struct world world;
    begin(&world, user_max);
    submit_many(&world, "m", 20, 1000);
    assert_int_equal(world_schedule(&world), 4);
    assert_null(world_reload(&world, raised));
    assert_int_equal(world_schedule(&world), 2);
    assert_null(world_reload(&world, unlimited));
    assert_int_equal(world_schedule(&world), 14);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_in_order_is_tried),    cmocka_unit_test(what_does_not_fit_is_passed),
        cmocka_unit_test(the_next_leaf_starts),           cmocka_unit_test(a_hold_tries_nobody_behind_it),
        cmocka_unit_test(a_raised_limit_lets_more_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
