/* SPDX-License-Identifier: Apache-2.0 */
/* The reason of asks that wait for nodes, and the sentence from the same look at the nodes. */
#include "report/reason.h"

#include "lib/core_world.h"
#include "report/obstacles.h"
#include "report/outstanding.h"

static const char config[] = "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: "
                             "[{name: fill}, {name: leaf}]}]}]";

enum { OTHER_CLASS = 1 };

static const struct yk_ask *ask_of(struct world *world, const char *app, const char *key)
{
    return yk_app_find_ask(world_app(world, app), yk_str_from(key));
}

#define NONE      YK_REASON_NONE
#define RESOURCES YK_REASON_NODE_RESOURCES
#define FILTERS   YK_REASON_PREDICATES
#define VOLUMES   YK_REASON_VOLUMES
#define RESERVED  YK_REASON_RESERVED
#define UNTRIED   YK_REASON_NOT_ATTEMPTED

static void what_a_look_means(void **state)
{
    static const struct {
        const char *what;
        struct yk_node_look look;
        enum yk_si_reason found, filter, want, want_without_constraints;
    } cases[] = {
        {"no nodes", {.total = 0}, NONE, NONE, RESOURCES, RESOURCES},
        {"no node is allowed", {.total = 3}, NONE, NONE, FILTERS, FILTERS},
        {"nothing fits", {.total = 3, .allowed = 2}, NONE, NONE, RESOURCES, RESOURCES},
        {"nothing fits, filters refuse what is full as well",
         {.total = 3, .allowed = 2},
         RESOURCES,
         FILTERS,
         RESOURCES,
         RESOURCES},
        {"nothing fits, but filters refuse all nodes before",
         {.total = 3, .allowed = 2},
         FILTERS,
         FILTERS,
         FILTERS,
         FILTERS},
        {"a claim is missing", {.total = 3, .allowed = 2}, VOLUMES, VOLUMES, VOLUMES, VOLUMES},
        {"all that fit are reserved, one does not fit",
         {.total = 3, .allowed = 3, .fitting = 2, .reserved = 2},
         RESOURCES,
         NONE,
         RESERVED,
         RESERVED},
        {"all are reserved",
         {.total = 2, .allowed = 2, .fitting = 2, .reserved = 2},
         NONE,
         NONE,
         RESERVED,
         RESERVED},
        {"filters refuse what is reserved",
         {.total = 2, .allowed = 2, .fitting = 2, .reserved = 2},
         FILTERS,
         FILTERS,
         FILTERS,
         FILTERS},
        {"one is free, nothing is stored",
         {.total = 2, .allowed = 2, .fitting = 2, .reserved = 1},
         NONE,
         NONE,
         FILTERS,
         UNTRIED},
        {"one is free, a filter refuses it",
         {.total = 2, .allowed = 2, .fitting = 1},
         RESOURCES,
         FILTERS,
         FILTERS,
         FILTERS},
        {"one is free, its volumes are elsewhere",
         {.total = 2, .allowed = 2, .fitting = 1},
         RESOURCES,
         VOLUMES,
         VOLUMES,
         VOLUMES},
        {"one has become free since",
         {.total = 2, .allowed = 2, .fitting = 1},
         RESOURCES,
         NONE,
         UNTRIED,
         UNTRIED},
    };
    struct world world;
    (void)state;
    world_init(&world, config);
    world_submit(&world, "app", "root.leaf", "ann");
    world_ask_full(&world, "app", "any", 1000, 1, 0, YK_SI_CLASS_ANY, NULL);
    world_ask_full(&world, "app", "some", 1000, 1, 0, OTHER_CLASS, NULL);
    assert_int_equal(world_schedule(&world), 0); /* there are no nodes, so both wait for them */
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        world.node_reason = (struct yk_si_node_reason){NONE, cases[i].found, cases[i].filter, false, false};
        enum yk_si_reason some = yk_why_of_look(ask_of(&world, "app", "some"), &cases[i].look);
        enum yk_si_reason any = yk_why_of_look(ask_of(&world, "app", "any"), &cases[i].look);
        if (some != cases[i].want || any != cases[i].want_without_constraints)
            fail_msg("%s: %s, without constraints %s", cases[i].what, yk_si_reason_token(some),
                     yk_si_reason_token(any));
    }
    world_done(&world);
}

static void says(struct world *world, const char *key, const char *want)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    const struct yk_ask *ask = ask_of(world, "small", key);
    struct yk_why why = yk_why_in_detail(ask, NULL);
    yk_buf_printf(&text, "%s: ", yk_si_reason_token(why.reason));
    yk_why_ask_sentence(ask, &why, &text);
    assert_string_equal(yk_buf_cstr(&text), want);
}

/* A claim that is missing has nothing to do with nodes, so neither the sentence nor the remedy is about them. */
static void volumes_that_are_missing_or_elsewhere(void **state)
{
    static const struct {
        bool are_missing;
        const char *sentence, *remedy;
    } cases[] = {
        {true, "VolumeBinding: a claim or a volume that it needs is missing or not bound",
         "create the claim or the volume, or find out why the claim is not bound"},
        {false, "VolumeBinding: its volumes are not available on a node that has capacity for it",
         "create the claim or the volume, or free capacity where the volume is"},
    };
    struct world world;
    (void)state;
    world_init(&world, config);
    world_node(&world, "n1", 4000, 8192);
    world_submit(&world, "small", "root.leaf", "ann");
    world_ask_full(&world, "small", "crumb", 5000, 1, 0, OTHER_CLASS, NULL);
    assert_int_equal(world_schedule(&world), 0);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf remedy = {0};
        const struct yk_ask *ask = ask_of(&world, "small", "crumb");
        world.node_reason =
            (struct yk_si_node_reason){VOLUMES, VOLUMES, VOLUMES, false, cases[i].are_missing};
        says(&world, "crumb", cases[i].sentence);
        struct yk_why why = yk_why_in_detail(ask, NULL);
        yk_why_remedy(ask, &why, false, NULL, &remedy);
        assert_string_equal(yk_buf_cstr(&remedy), cases[i].remedy);
    }
    world_done(&world);
}

/* n1 has 1 core free; n2 has nearly 2, and is reserved for an ask that needs all of it. What was stored
 * before is that capacity is lacking. Counts keep to it, but where there is a sentence, the reason is that of
 * the sentence. */
static void a_sentence_and_its_reason_are_of_one_look(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, config);
    world_submit(&world, "fill", "root.fill", "joe");
    world_node(&world, "n1", 4000, 8192);
    world_node(&world, "n2", 4000, 8192);
    world_ask_full(&world, "fill", "f1", 3000, 10, 0, YK_SI_CLASS_ANY, "n1");
    world_ask_full(&world, "fill", "f2", 2000, 10, 0, YK_SI_CLASS_ANY, "n2");
    world_submit(&world, "large", "root.leaf", "bob");
    world_ask(&world, "large", "all", 4000, 10);
    assert_int_equal(world_schedule(&world), 0);
    yk_clock_advance(&world.clock, 1);
    world_submit(&world, "small", "root.leaf", "ann");
    world_ask(&world, "small", "crumb", 100, 10); /* overtakes */
    assert_int_equal(world_schedule(&world), 1);
    world_advance(&world, 2);
    (void)world_schedule(&world);
    world_ask(&world, "small", "two", 1500, 10);
    world_ask(&world, "small", "three", 3000, 10);
    assert_int_equal(world_schedule(&world), 0);
    world.node_reason = (struct yk_si_node_reason){RESOURCES, RESOURCES, NONE, false, false};
    assert_int_equal(yk_why_of_ask(ask_of(&world, "small", "two")).reason, RESOURCES);
    says(&world, "two",
         "Reserved: needs 1.5 cores and 10 Mi; node n2, which has it, is reserved for bob's application "
         "large, whose "
         "pod all comes first");
    says(&world, "three",
         "InsufficientNodeResources: needs 3 cores; of 2 nodes that it may use, n2 comes nearest and has 1.9 "
         "of 4 "
         "cores free; joe's application fill holds 2 cores there");
    world.node_reason.told = UNTRIED; /* what was said last decides nothing */
    assert_int_equal(yk_why_of_ask(ask_of(&world, "small", "two")).reason, UNTRIED);
    says(&world, "two",
         "Reserved: needs 1.5 cores and 10 Mi; node n2, which has it, is reserved for bob's application "
         "large, whose "
         "pod all comes first");
    world_done(&world);
}

struct listed {
    size_t count;
    enum yk_si_reason reasons[4];
};

static void note(void *context, const struct yk_why *why)
{
    struct listed *listed = context;
    assert_true(listed->count < YK_COUNT(listed->reasons));
    listed->reasons[listed->count++] = why->reason;
}

/* Behind a limit, what is stored about nodes is an obstacle, too. If nothing is stored and a node is free,
 * there is none: an ask that waits for a limit has not been tried there. */
static void nodes_behind_a_limit(void **state)
{
    static const struct {
        const char *what;
        enum yk_si_reason found, filter, want;
    } cases[] = {
        {"nothing is stored", NONE, NONE, NONE},
        {"each node takes it", UNTRIED, NONE, NONE},
        {"a node has become free", RESOURCES, NONE, NONE},
        {"a claim is missing", VOLUMES, VOLUMES, VOLUMES},
        {"filters refuse all nodes", FILTERS, FILTERS, FILTERS},
        {"filters refuse the free node", RESOURCES, FILTERS, FILTERS},
        {"its volumes are not on the free node", RESOURCES, VOLUMES, VOLUMES},
    };
    static const char limited[] =
        "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf, limits: "
        "[{limit: '', users: [ann], maxresources: {vcore: 1}}]}]}]}]";
    struct world world;
    (void)state;
    world_init(&world, limited);
    world_node(&world, "n1", 4000, 100);
    world_submit(&world, "app", "root.leaf", "ann");
    world_ask_full(&world, "app", "first", 1000, 1, 0, OTHER_CLASS, NULL);
    world_ask_full(&world, "app", "second", 1000, 1, 0, OTHER_CLASS, NULL);
    assert_int_equal(world_schedule(&world), 1);
    const struct yk_ask *ask = ask_of(&world, "app", "second");
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct listed listed = {0};
        world.node_reason = (struct yk_si_node_reason){NONE, cases[i].found, cases[i].filter, false, false};
        struct yk_why why = yk_why_of_ask(ask);
        yk_obstacles_of_ask(ask, &why, NULL, note, &listed);
        assert_int_equal(listed.reasons[0], YK_REASON_USER_QUOTA);
        enum yk_si_reason second = listed.count > 1 ? listed.reasons[1] : NONE;
        if (listed.count > 2 || second != cases[i].want)
            fail_msg("%s: %zu obstacles, the second is %s", cases[i].what, listed.count,
                     yk_si_reason_token(second));
    }
    world_done(&world);
}

/* A pod of the same size waits for a node, so the next one is not tried, and waits for nodes as well. The limit
 * that has no room for it is the reason all the same, and it is listed once. */
static void a_full_limit_of_an_ask_that_was_never_tried(void **state)
{
    static const struct {
        const char *limit;
        enum yk_si_reason want;
    } cases[] = {
        {"resources: {max: {vcore: 1}}", YK_REASON_QUEUE_QUOTA},
        {"limits: [{limit: '', users: [ann], maxresources: {vcore: 1}}]", YK_REASON_USER_QUOTA},
        {"limits: [{limit: '', groups: [dev], maxresources: {vcore: 1}}]", YK_REASON_GROUP_QUOTA},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct listed listed = {0};
        char limited[256];
        (void)snprintf(limited, sizeof(limited),
                       "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: "
                       "[{name: fill}, {name: leaf, %s}]}]}]",
                       cases[i].limit);
        world_init(&world, limited);
        world_node(&world, "n1", 2000, 100);
        world_submit_in_group(&world, "runs", "root.leaf", "ann", "dev");
        world_ask(&world, "runs", "runs", 1000, 1);
        world_submit(&world, "fill", "root.fill", "joe");
        world_ask(&world, "fill", "fill", 1000, 1);
        assert_int_equal(world_schedule(&world), 2);
        world_submit(&world, "first", "root.fill", "joe");
        world_ask(&world, "first", "first", 1000, 1);
        assert_int_equal(world_schedule(&world), 0);
        world_submit_in_group(&world, "small", "root.leaf", "ann", "dev");
        world_ask(&world, "small", "w", 1000, 1);
        assert_int_equal(world_schedule(&world), 0);
        for (int step = 0; step < 8; step++)
            yk_outstanding_report(world_partition(&world));
        const struct yk_ask *ask = ask_of(&world, "small", "w");
        assert_int_equal(ask->group->wait, YK_WAIT_NODES);
        assert_int_equal(yk_why_of_group(ask->group).reason, cases[i].want);
        struct yk_why why = yk_why_in_detail(ask, NULL);
        yk_obstacles_of_ask(ask, &why, NULL, note, &listed);
        assert_int_equal(listed.count, 2);
        assert_int_equal(listed.reasons[0], cases[i].want);
        assert_int_equal(listed.reasons[1], RESOURCES);
        world_done(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_look_means),
        cmocka_unit_test(volumes_that_are_missing_or_elsewhere),
        cmocka_unit_test(a_sentence_and_its_reason_are_of_one_look),
        cmocka_unit_test(nodes_behind_a_limit),
        cmocka_unit_test(a_full_limit_of_an_ask_that_was_never_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
