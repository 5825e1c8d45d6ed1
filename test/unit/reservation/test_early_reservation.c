/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reservations that are made before a later ask is placed (docs/reference/scheduling.md 4.1).
 *
 * There are two nodes of 4 cores. Each has 3 cores in use by "runs" of queue b, and 1 core free. The
 * application "large" of queue a waits with asks of 4 cores; "small" of queue b asks for 1 core.
 */
#include "lib/core_world.h"
#include "reservation/reservations.h"

enum { NODE = 4000, IN_USE = 3000, SMALL = 1000 }; /* millicores */

static void nodes_in_use(struct world *world, int first, int last)
{
    for (int i = first; i <= last; i++) {
        char node[8], key[16];
        (void)snprintf(node, sizeof(node), "n%d", i);
        (void)snprintf(key, sizeof(key), "runs-%d", i);
        world_node(world, node, NODE, 8192);
        world_ask_full(world, "runs", key, IN_USE, 10, 0, YK_SI_CLASS_ANY, node);
    }
}

/* With these, 24 cores are in use. */
static void more_nodes(struct world *world)
{
    nodes_in_use(world, 3, 8);
}

static void begin_with(struct world *world, const char *a, const char *b, int64_t large)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf config = {0};
    yk_buf_printf(&config,
                  "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                  "    queues: [{name: a%s}, {name: b%s}]\n",
                  a, b);
    world_init(world, yk_buf_cstr(&config));
    world_submit(world, "runs", "root.b", "joe");
    world_submit(world, "small", "root.b", "joe");
    world_submit(world, "large", "root.a", "joe");
    nodes_in_use(world, 1, 2);
    world_ask(world, "large", "large-1", large, 10);
    assert_int_equal(world_schedule(world), 0);
}

static const struct yk_ask *ask_of(struct world *world, const char *app, const char *key)
{
    return yk_app_find_ask(world_app(world, app), yk_str_from(key));
}

static bool is_reserved(struct world *world, const char *key)
{
    return yk_ask_reservation(ask_of(world, "large", key)) != NULL;
}

static bool is_placed(struct world *world, const char *app, const char *key)
{
    return ask_of(world, app, key)->node != NULL;
}

static void ask_small(struct world *world, const char *key)
{
    world_ask(world, "small", key, SMALL, 10);
    (void)world_schedule(world); /* what is placed is looked at by the test */
}

static void wait_two_seconds(struct world *world)
{
    world_advance(world, 2);
    assert_int_equal(world_schedule(world), 0);
}

/* Queue b would use 7 cores and queue a 4. The large ask gets a node, the small one goes to the other node. */
static void before_a_later_ask(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, "", "", NODE);
    wait_two_seconds(&world);
    assert_int_equal(world_partition(&world)->reservation.count, 0); /* no ask is placed, so none overtakes */
    ask_small(&world, "small-1");
    assert_true(is_reserved(&world, "large-1"));
    assert_true(is_placed(&world, "small", "small-1"));
    assert_ptr_not_equal(ask_of(&world, "small", "small-1")->node,
                         yk_ask_reservation(ask_of(&world, "large", "large-1"))->node);
    world_done(&world);
}

/* A later small ask does not get the reserved node, though it has room. */
static void the_node_is_kept(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, "", "", NODE);
    wait_two_seconds(&world);
    ask_small(&world, "small-1");
    ask_small(&world, "small-2");
    assert_false(is_placed(&world, "small", "small-2"));
    world_release(&world, "runs", "runs-1", YK_SI_STOPPED_BY_RM);
    world_release(&world, "runs", "runs-2", YK_SI_STOPPED_BY_RM);
    (void)world_schedule(&world); /* one node is empty now */
    assert_true(is_placed(&world, "large", "large-1"));
    world_done(&world);
}

static void not_before_it_is_two_seconds_old(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, "", "", NODE);
    world_advance(&world, 1);
    ask_small(&world, "small-1");
    assert_false(is_reserved(&world, "large-1"));
    assert_true(is_placed(&world, "small", "small-1"));
    world_done(&world);
}

/* Another ask that comes before both and is younger is passed over. */
static void a_younger_one_is_passed_over(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, "", "", NODE);
    wait_two_seconds(&world);
    world_submit(&world, "young", "root.a", "joe");
    world_ask_full(&world, "young", "young-1", NODE, 10, 1, YK_SI_CLASS_ANY, NULL);
    ask_small(&world, "small-1");
    assert_true(is_reserved(&world, "large-1"));
    assert_true(is_placed(&world, "small", "small-1"));
    world_done(&world);
}

/* Queue b would use 7 of its maximum of `max`, queue a 4 of 8 cores. */
static void only_if_far_behind(void **state)
{
    static const struct {
        int max;
        bool reserves;
    } cases[] = {{7, true}, {10, true}, {11, false}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        char b[64];
        (void)snprintf(b, sizeof(b), ", resources: {max: {vcore: %d}}", cases[i].max);
        begin_with(&world, "", b, NODE);
        wait_two_seconds(&world);
        ask_small(&world, "small-1");
        assert_int_equal(is_reserved(&world, "large-1"), cases[i].reserves);
        world_done(&world);
    }
}

/* Queue a keeps its guarantee of 4 cores (share 1). Queue b goes beyond its own, or has a share of 7/8. */
static void within_a_guarantee(void **state)
{
    static const struct {
        const char *b;
        bool reserves;
    } cases[] = {{", resources: {guaranteed: {vcore: 6}}", true},
                 {", resources: {guaranteed: {vcore: 7}}", false},
                 {"", true}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_with(&world, ", resources: {guaranteed: {vcore: 4}}", cases[i].b, NODE);
        wait_two_seconds(&world);
        ask_small(&world, "small-1");
        assert_int_equal(is_reserved(&world, "large-1"), cases[i].reserves);
        world_done(&world);
    }
}

/* With the first reservation queue a would use 4 cores, so with one more ask it is not behind: 8 to 7. */
static void what_is_reserved_counts(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, "", "", NODE);
    world_ask(&world, "large", "large-2", NODE, 10);
    wait_two_seconds(&world);
    ask_small(&world, "small-1");
    assert_true(is_reserved(&world, "large-1"));
    assert_false(is_reserved(&world, "large-2"));
    assert_true(is_placed(&world, "small", "small-1"));
    world_done(&world);
}

/* At most 30 % of what is in use: 2 asks of 3.9 cores are 33 % of 24 cores. The first one is always allowed. */
static void a_part_of_what_is_in_use(void **state)
{
    static const struct {
        int64_t second;
        bool reserves;
    } cases[] = {{3900, false}, {3200, true}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_with(&world, "", "", 3900);
        more_nodes(&world);
        world_ask(&world, "large", "large-2", cases[i].second, 10);
        (void)world_schedule(&world); /* nothing fits */
        wait_two_seconds(&world);
        ask_small(&world, "small-1");
        assert_true(is_reserved(&world, "large-1"));
        assert_int_equal(is_reserved(&world, "large-2"), cases[i].reserves);
        world_done(&world);
    }
}

/* A limit that allows one of two asks of 3.2 cores: no node is reserved for the second one. */
static void a_limit_counts_what_is_reserved(void **state)
{
    static const struct {
        const char *limits;
        bool reserves;
    } cases[] = {{", limits: [{limit: l, users: [joe], maxresources: {vcore: 6}}]", false},
                 {", limits: [{limit: l, users: [joe], maxresources: {vcore: 7}}]", true},
                 {", limits: [{limit: l, users: [ann], maxresources: {vcore: 6}}]", true},
                 {", limits: [{limit: l, users: [joe], maxresources: {memory: 15Mi}}]", false}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_with(&world, cases[i].limits, "", 3200);
        more_nodes(&world);
        world_ask(&world, "large", "large-2", 3200, 10);
        (void)world_schedule(&world); /* nothing fits */
        wait_two_seconds(&world);
        ask_small(&world, "small-1");
        assert_true(is_reserved(&world, "large-1"));
        assert_int_equal(is_reserved(&world, "large-2"), cases[i].reserves);
        world_done(&world);
    }
}

/* Within one leaf the time counts. The first ask gets a reservation because it was overtaken. The second one
 * would be more than 7 % of what is in use, so it gets one only when the group has been overtaken for 1.5
 * times the longest run time, which is 10 s. */
static void within_a_leaf(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, "", "", 3200);
    more_nodes(&world);
    world_submit(&world, "later", "root.a", "joe");
    world_ask(&world, "large", "large-2", 3200, 10);
    wait_two_seconds(&world);
    world_ask(&world, "later", "later-1", 200, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_false(is_reserved(&world, "large-1"));
    world_advance(&world, 10);
    world_release(&world, "later", "later-1", YK_SI_STOPPED_BY_RM);
    (void)world_schedule(&world); /* makes the reservation */
    assert_true(is_reserved(&world, "large-1"));
    world_advance(&world, 4);
    world_ask(&world, "later", "later-2", 200, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_false(is_reserved(&world, "large-2"));
    world_advance(&world, 1);
    world_ask(&world, "later", "later-3", 200, 10);
    assert_int_equal(world_schedule(&world), 1);
    assert_true(is_reserved(&world, "large-2"));
    world_done(&world);
}

/* "small" pauses, and may then be tried again. Node n1 is found for both of its asks. While the first one is
 * tried, n1 is reserved for the large ask. The second one has another node. */
static void the_node_of_two_asks_is_reserved(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, "",
               ", properties: {application.unschedasks.backoff: '2', "
               "application.unschedasks.backoff.delay: 30s}",
               NODE);
    world_node_action(&world, "n2", YK_SI_NODE_DECOMMISSION);
    static const struct {
        const char *node;
        int64_t total, in_use; /* millicores */
    } full[] = {{"n1", NODE, SMALL}, {"n3", 3000, 3000}, {"n4", 3900, 3900}};
    for (size_t i = 0; i < YK_COUNT(full); i++) {
        if (i > 0)
            world_node(&world, full[i].node, full[i].total, 8192);
        world_ask_full(&world, "runs", full[i].node, full[i].in_use, 10, 0, YK_SI_CLASS_ANY, full[i].node);
    }
    world_ask(&world, "small", "small-1", 2000, 10);
    world_ask(&world, "small", "small-2", SMALL, 10);
    assert_int_equal(world_schedule(&world), 0);                  /* "small" pauses now */
    world_release(&world, "runs", "runs-1", YK_SI_STOPPED_BY_RM); /* n1 has 3 cores free */
    world_release(&world, "runs", "n3", YK_SI_STOPPED_BY_RM);
    world_ask_full(&world, "runs", "n3", 2000, 10, 0, YK_SI_CLASS_ANY, "n3"); /* n3 has 1 core free */
    assert_int_equal(world_schedule(&world), 0);
    world_advance(&world, 30);
    assert_int_equal(world_schedule(&world), 1);
    assert_true(is_reserved(&world, "large-1"));
    assert_string_equal(yk_ask_reservation(ask_of(&world, "large", "large-1"))->node->id, "n1");
    assert_false(is_placed(&world, "small", "small-1"));
    assert_true(is_placed(&world, "small", "small-2"));
    world_done(&world);
}

static void switched_off(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, "", "", NODE);
    world.core->reservation_delay_ns = INT64_MAX;
    wait_two_seconds(&world);
    ask_small(&world, "small-1");
    assert_false(is_reserved(&world, "large-1"));
    assert_true(is_placed(&world, "small", "small-1"));
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_a_later_ask),
        cmocka_unit_test(the_node_is_kept),
        cmocka_unit_test(not_before_it_is_two_seconds_old),
        cmocka_unit_test(a_younger_one_is_passed_over),
        cmocka_unit_test(only_if_far_behind),
        cmocka_unit_test(within_a_guarantee),
        cmocka_unit_test(what_is_reserved_counts),
        cmocka_unit_test(a_part_of_what_is_in_use),
        cmocka_unit_test(a_limit_counts_what_is_reserved),
        cmocka_unit_test(within_a_leaf),
        cmocka_unit_test(the_node_of_two_asks_is_reserved),
        cmocka_unit_test(switched_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
