/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Capacity below a limit that is held for the first in order, when that begins and ends with a reload, and
 * when the holder goes (queues.md 8.5).
 */
#include "lib/core_world.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"        \
    "    submitacl: '*'\n    queues:\n    - name: q\n"
#define LEAVES   "      queues: [{name: one}, {name: two}]\n"
#define MAX(n)   "      resources: {max: {vcore: " n "}}\n"
#define USER(n)  "      limits: [{limit: x, users: [joe], maxresources: {vcore: " n "}}]\n"
#define GROUP(n) "      limits: [{limit: x, groups: [team], maxresources: {vcore: " n "}}]\n"
#define HOLD(delay)                                                                                          \
    "      properties: {application.sort.hold: strict, application.sort.hold.delay: " delay "}\n"

/* One limit of four cores, without a hold and with holds of several delays. */
static const struct kind {
    const char *what, *none, *at_once, *second, *hour, *smaller; /* the last one: of two cores */
} kinds[] = {
    {"maximum of a queue", HEAD MAX("4") LEAVES, HEAD MAX("4") HOLD("0s") LEAVES,
     HEAD MAX("4") HOLD("1s") LEAVES, HEAD MAX("4") HOLD("1h") LEAVES, HEAD MAX("2") HOLD("0s") LEAVES},
    {"limit of a user", HEAD USER("4") LEAVES, HEAD USER("4") HOLD("0s") LEAVES,
     HEAD USER("4") HOLD("1s") LEAVES, HEAD USER("4") HOLD("1h") LEAVES, HEAD USER("2") HOLD("0s") LEAVES},
    {"limit of a group", HEAD GROUP("4") LEAVES, HEAD GROUP("4") HOLD("0s") LEAVES,
     HEAD GROUP("4") HOLD("1s") LEAVES, HEAD GROUP("4") HOLD("1h") LEAVES, HEAD GROUP("2") HOLD("0s") LEAVES},
};

static void submit(struct world *world, const char *id, const char *queue, int64_t vcore)
{
    world_submit_in_group(world, id, queue, "joe", "team");
    world_ask(world, id, id, vcore, 1);
    world_advance(world, 1);
}

static bool is_allocated(struct world *world, const char *id)
{
    const struct yk_ask *ask = yk_app_find_ask(world_app(world, id), yk_str_from(id));
    return ask != NULL && ask->node != NULL;
}

static void release(struct world *world, const char *id)
{
    world_release(world, id, id, YK_SI_STOPPED_BY_RM);
}

/* The limit is used up by leaf two: leaf one comes first. There a large pod waits, in leaf two
 * small ones. */
static void begin(struct world *world, const char *config)
{
    static const char *const running[] = {"r0", "r1", "r2", "r3"}, *const small[] = {"s1", "s2", "s3", "s4"};
    world_init(world, config);
    world_node(world, "n1", 100000, 1000000);
    for (size_t i = 0; i < YK_COUNT(running); i++)
        submit(world, running[i], "root.q.two", 1000);
    assert_int_equal(world_schedule(world), 4);
    submit(world, "large", "root.q.one", 3000);
    for (size_t i = 0; i < YK_COUNT(small); i++)
        submit(world, small[i], "root.q.two", 1000);
    assert_int_equal(world_schedule(world), 0);
}

static void expect(const struct kind *kind, struct world *world, size_t decided, const char *last)
{
    size_t got = world_schedule(world);
    if (got != decided || (decided > 0 && strcmp(world->last_key, last) != 0))
        fail_msg("%s: %zu decisions instead of %zu, '%s' was the last", kind->what, got, decided,
                 world->last_key);
}

static void what_waits_takes_part_when_it_is_switched_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        struct world world;
        begin(&world, kinds[i].none);
        assert_null(world_reload(&world, kinds[i].second));
        expect(&kinds[i], &world, 0, NULL);
        world_advance(&world, 10);
        release(&world, "r1");
        expect(&kinds[i], &world, 0, NULL);
        release(&world, "r2");
        expect(&kinds[i], &world, 0, NULL);
        release(&world, "r3");
        expect(&kinds[i], &world, 1, "large");
        world_done(&world);
    }
}

/* The delay counts from the reload. */
static void the_delay_begins_with_the_reload(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        struct world world;
        begin(&world, kinds[i].none);
        assert_null(world_reload(&world, kinds[i].hour));
        expect(&kinds[i], &world, 0, NULL);
        world_advance(&world, 3590);
        release(&world, "r1");
        expect(&kinds[i], &world, 1, "s1");
        world_advance(&world, 20);
        release(&world, "r2");
        expect(&kinds[i], &world, 0, NULL);
        world_done(&world);
    }
}

static void what_was_held_back_starts_when_it_is_switched_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        const char *const without[] = {kinds[i].none, kinds[i].hour};
        for (size_t k = 0; k < YK_COUNT(without); k++) {
            struct world world;
            begin(&world, kinds[i].second);
            world_advance(&world, 10);
            release(&world, "r1");
            release(&world, "r2");
            expect(&kinds[i], &world, 0, NULL);
            assert_null(world_reload(&world, without[k]));
            expect(&kinds[i], &world, 2, "s2");
            world_done(&world);
        }
    }
}

/* When the holder goes, the next in order that the limit refuses takes its place. */
static void the_next_one_holds(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        struct world world;
        begin(&world, kinds[i].at_once);
        submit(&world, "next", "root.q.one", 2000);
        expect(&kinds[i], &world, 0, NULL);
        release(&world, "large");
        expect(&kinds[i], &world, 0, NULL);
        release(&world, "r1");
        expect(&kinds[i], &world, 0, NULL);
        release(&world, "r2");
        expect(&kinds[i], &world, 1, "next");
        world_done(&world);
    }
}

/* A limit that becomes smaller than what the holder asks for has no holder. */
static void a_holder_that_can_never_fit_any_longer(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        struct world world;
        begin(&world, kinds[i].at_once);
        assert_null(world_reload(&world, kinds[i].smaller));
        release(&world, "r1");
        release(&world, "r2");
        expect(&kinds[i], &world, 0, NULL);
        release(&world, "r3");
        expect(&kinds[i], &world, 1, "s1");
        world_done(&world);
    }
}

/* A queue that the configuration no longer names drains. It no longer has limits of users and groups, and so
 * no holders of these. */
static void its_queue_is_no_longer_configured(void **state)
{
    static const char other[] =
        "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"
        "    submitacl: '*'\n    queues: [{name: other}]\n";
    (void)state;
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        struct world world;
        begin(&world, kinds[i].at_once);
        assert_null(world_reload(&world, other));
        (void)world_schedule(&world); /* a maximum of the queue stays until it is removed */
        world_check(&world);
        release(&world, "r1");
        release(&world, "r2");
        release(&world, "r3");
        (void)world_schedule(&world);
        world_check(&world);
        assert_true(is_allocated(&world, "large"));
        world_done(&world);
    }
}

/* The limit has room for the holder, but no node has: small asks do not use the limit up again meanwhile. */
static void while_it_waits_for_a_node(void **state)
{
    static const char *const running[] = {"r1", "r2", "r3", "r4", "r5", "r6"};
    (void)state;
    struct world world;
    world_init(&world, HEAD MAX("6") HOLD("0s") LEAVES);
    world_node(&world, "n1", 4000, 1000000);
    world_node(&world, "n2", 4000, 1000000);
    for (size_t i = 0; i < YK_COUNT(running); i++) {
        world_submit(&world, running[i], "root.q.two", "joe");
        world_ask_full(&world, running[i], running[i], 1000, 1, 0, YK_SI_CLASS_ANY, i < 3 ? "n1" : "n2");
    }
    submit(&world, "large", "root.q.one", 4000);
    submit(&world, "small", "root.q.two", 1000);
    static const char *const first[] = {"r1", "r2", "r4", "r5"};
    for (size_t i = 0; i < YK_COUNT(first); i++) {
        assert_int_equal(world_schedule(&world), 0);
        release(&world, first[i]);
    }
    assert_int_equal(world_schedule(&world), 0); /* 2 of 6 cores in use, 3 free on each node */
    world_advance(&world, 30);
    assert_int_equal(world_schedule(&world), 0);
    release(&world, "r3");
    release(&world, "r6");
    assert_int_equal(world_schedule(&world), 2);
    assert_true(is_allocated(&world, "large") && is_allocated(&world, "small"));
    world_check(&world);
    world_done(&world);
}

/* When no node can be reserved for the holder, it holds nothing. */
static void no_node_could_serve_it(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD MAX("6") HOLD("0s") LEAVES);
    world_node(&world, "n1", 4000, 1000000);
    submit(&world, "running", "root.q.two", 2000);
    assert_int_equal(world_schedule(&world), 1);
    submit(&world, "large", "root.q.one", 5000);
    submit(&world, "small", "root.q.two", 1000);
    (void)world_schedule(&world); /* whether the small one starts at once is not the question */
    release(&world, "running");
    (void)world_schedule(&world);
    assert_true(is_allocated(&world, "small"));
    world_check(&world);
    world_done(&world);
}

/* The holder of one limit waits for a second one: it holds both, so others do not use the first one up again. */
static void two_limits(void **state)
{
    static const char config[] =
        HEAD USER("4") HOLD("0s") "      queues: [{name: one, resources: {max: {vcore: 6}}}, {name: two}]\n";
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 100000, 1000000);
    submit(&world, "r1", "root.q.two", 2000);
    static const char *const others[] = {"o1", "o2"};
    for (size_t i = 0; i < YK_COUNT(others); i++) {
        world_submit(&world, others[i], "root.q.one", "ann");
        world_ask(&world, others[i], others[i], 2000, 1);
    }
    assert_int_equal(world_schedule(&world), 3);
    world_submit(&world, "large", "root.q.one", "joe");
    world_ask_full(&world, "large", "large", 4000, 1, 5, YK_SI_CLASS_ANY, NULL);
    world_advance(&world, 1);
    submit(&world, "small", "root.q.two", 1000);
    assert_int_equal(world_schedule(&world), 0);
    release(&world, "r1"); /* the user has room for the large one, its queue has not */
    assert_int_equal(world_schedule(&world), 0);
    release(&world, "o1");
    assert_int_equal(world_schedule(&world), 1);
    assert_true(is_allocated(&world, "large"));
    world_check(&world);
    world_done(&world);
}

static void ask(struct world *world, const char *id, const char *queue, const char *user, int64_t vcore,
                int32_t priority)
{
    world_submit(world, id, queue, user);
    world_ask_full(world, id, id, vcore, 1, priority, YK_SI_CLASS_ANY, NULL);
    world_advance(world, 1);
}

/* The same while another group of the same shape waits for nodes, so that the holder is not tried. */
static void two_limits_of_a_parked_shape(void **state)
{
    static const char config[] = HEAD USER("4") HOLD(
        "0s") "      queues: [{name: one, resources: {max: {vcore: 6}}}, {name: two}]\n    - name: other\n";
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 8000, 1000000);
    ask(&world, "r1", "root.q.two", "joe", 2000, 0);
    ask(&world, "o1", "root.q.one", "ann", 2000, 0);
    ask(&world, "o2", "root.q.one", "ann", 2000, 0);
    ask(&world, "other", "root.other", "bob", 2000, 0);
    assert_int_equal(world_schedule(&world), 4);
    ask(&world, "large", "root.q.one", "joe", 4000, 5);
    assert_int_equal(world_schedule(&world), 0);
    ask(&world, "parked", "root.other", "bob", 4000, 5);
    ask(&world, "small", "root.q.two", "joe", 1000, 0);
    assert_int_equal(world_schedule(&world), 0);
    release(&world, "r1");
    (void)world_schedule(&world); /* nothing may start */
    assert_false(is_allocated(&world, "small"));
    world_check(&world);
    world_done(&world);
}

/* An earlier ask uses the second limit up while the holder waits for a node: it holds both. */
static void another_limit_refuses_it_later(void **state)
{
    static const char *const running[] = {"r1", "r2", "r3", "r4", "r5", "r6"}, *const ended[] = {"r1", "r2",
                                                                                                 "r4", "r5"};
    static const char config[] = HEAD MAX("6") USER("5") HOLD("0s") LEAVES "    - name: other\n";
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 4000, 1000000);
    world_node(&world, "n2", 4000, 1000000);
    for (size_t i = 0; i < YK_COUNT(running); i++) {
        world_submit(&world, running[i], "root.q.two", "ann");
        world_ask_full(&world, running[i], running[i], 1000, 1, 0, YK_SI_CLASS_ANY, i < 3 ? "n1" : "n2");
    }
    ask(&world, "large", "root.q.one", "joe", 4000, 0);
    ask(&world, "small", "root.q.one", "ann", 1000, 0);
    for (size_t i = 0; i < YK_COUNT(ended); i++) {
        assert_int_equal(world_schedule(&world), 0);
        release(&world, ended[i]);
    }
    assert_int_equal(world_schedule(&world), 0);
    ask(&world, "first", "root.q.one", "joe", 2000, 10);
    (void)world_schedule(&world); /* the first one starts */
    world_advance(&world, 5);
    (void)world_schedule(&world); /* nothing more may start */
    assert_true(is_allocated(&world, "first"));
    assert_false(is_allocated(&world, "small") || is_allocated(&world, "large"));
    world_check(&world);
    world_done(&world);
}

/* What leaves room for the holder starts, also behind one that does not. */
static void beside_the_holder(void **state)
{
    static const char config[] =
        HEAD USER("10") HOLD("0s") "      queues: [{name: one, resources: {max: {vcore: 6}}}, {name: two}]\n";
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 100000, 1000000);
    ask(&world, "o1", "root.q.one", "ann", 4000, 0);
    ask(&world, "r1", "root.q.two", "joe", 4000, 0);
    ask(&world, "r2", "root.q.two", "joe", 2000, 0);
    assert_int_equal(world_schedule(&world), 3);
    ask(&world, "large", "root.q.one", "joe", 5000, 5);
    ask(&world, "s1", "root.q.two", "joe", 2000, 0);
    ask(&world, "s2", "root.q.two", "joe", 1000, 0);
    assert_int_equal(world_schedule(&world), 0);
    release(&world, "r2"); /* 4 of 10 cores are in use, and 5 are for the large one */
    assert_int_equal(world_schedule(&world), 1);
    assert_true(is_allocated(&world, "s2"));
    world_check(&world);
    world_done(&world);
}

#define THREE HEAD MAX("8") HOLD("0s") "      queues: [{name: one}, {name: two}, {name: three}]\n"

static void expect_small_within_a_second(struct world *world)
{
    for (int i = 0; i < 2 && !is_allocated(world, "small"); i++) {
        world_advance(world, 1);
        (void)world_schedule(world); /* whether the small one starts is asked below */
    }
    assert_true(is_allocated(world, "small"));
    world_check(world);
}

/* After another ask of the leaf of the holder has started, the small one comes before the holder. */
static void the_order_changes(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, THREE);
    world_node(&world, "n1", 100000, 1000000);
    ask(&world, "running", "root.q.three", "ann", 5000, 0);
    assert_int_equal(world_schedule(&world), 1);
    ask(&world, "large", "root.q.one", "joe", 4000, 0);
    ask(&world, "small", "root.q.two", "joe", 2000, 0);
    assert_int_equal(world_schedule(&world), 0);
    ask(&world, "first", "root.q.one", "joe", 1000, 10);
    (void)world_schedule(&world); /* the first one starts; the small one perhaps a second later */
    assert_true(is_allocated(&world, "first"));
    expect_small_within_a_second(&world);
    world_done(&world);
}

/* The same while the holder waits for a node. */
static void the_order_changes_while_it_waits_for_a_node(void **state)
{
    static const char *const running[] = {"r1", "r2", "r3", "r4", "r5", "r6", "r7"}, *const ended[] = {
                                                                                         "r1", "r2", "r4",
                                                                                         "r7"};
    (void)state;
    struct world world;
    world_init(&world, THREE);
    world_node(&world, "n1", 4000, 1000000);
    world_node(&world, "n2", 4000, 1000000);
    world_node(&world, "n3", 3000, 1000000);
    for (size_t i = 0; i < YK_COUNT(running); i++) {
        world_submit(&world, running[i], "root.q.three", "ann");
        world_ask_full(&world, running[i], running[i], 1000, 1, 0, YK_SI_CLASS_ANY,
                       i < 3   ? "n1"
                       : i < 6 ? "n2"
                               : "n3");
    }
    ask(&world, "large", "root.q.one", "joe", 4000, 0);
    ask(&world, "small", "root.q.two", "ann", 2000, 0);
    for (size_t i = 0; i < YK_COUNT(ended); i++) {
        assert_int_equal(world_schedule(&world), 0);
        release(&world, ended[i]);
    }
    assert_int_equal(world_schedule(&world), 0);
    ask(&world, "first", "root.q.one", "joe", 1000, 10);
    (void)world_schedule(&world); /* as above */
    assert_true(is_allocated(&world, "first"));
    expect_small_within_a_second(&world);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_takes_part_when_it_is_switched_on),
        cmocka_unit_test(the_delay_begins_with_the_reload),
        cmocka_unit_test(what_was_held_back_starts_when_it_is_switched_off),
        cmocka_unit_test(the_next_one_holds),
        cmocka_unit_test(a_holder_that_can_never_fit_any_longer),
        cmocka_unit_test(its_queue_is_no_longer_configured),
        cmocka_unit_test(while_it_waits_for_a_node),
        cmocka_unit_test(no_node_could_serve_it),
        cmocka_unit_test(two_limits),
        cmocka_unit_test(two_limits_of_a_parked_shape),
        cmocka_unit_test(another_limit_refuses_it_later),
        cmocka_unit_test(beside_the_holder),
        cmocka_unit_test(the_order_changes),
        cmocka_unit_test(the_order_changes_while_it_waits_for_a_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
