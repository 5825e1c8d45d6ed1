/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reservations for asks that were overtaken: when they are made, on which node, who may use the node, and how
 * they end. One test for each statement of docs/reference/scheduling.md 4 (D10, D13).
 *
 * Applications of one leaf are tried in the order in which they were submitted: "before", "first", "second"
 * and "late", which overtakes the others.
 */
#include "lib/core_world.h"
#include "reservation/reservations.h"

enum { BIG = 4000, CRUMB = 100 }; /* millicores: a whole node, and what overtakes */

static void begin_with(struct world *world, const char *queues)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf config = {0};
    yk_buf_printf(&config,
                  "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                  "    queues: [{name: fill}, {name: b}, %s]\n",
                  queues);
    world_init(world, yk_buf_cstr(&config));
    world_submit(world, "fill", "root.fill", "joe");
}

/* Later than all that were submitted before. */
static void submit(struct world *world, const char *app, const char *queue)
{
    yk_clock_advance(&world->clock, 1);
    world_submit(world, app, queue, "joe");
}

/* A node of 4 cores, and a pod on it that leaves `free_vcore`. Its key is that of the node with an 'f'. */
static void add_node(struct world *world, const char *node, int64_t free_vcore)
{
    char key[16];
    (void)snprintf(key, sizeof(key), "f-%s", node);
    world_node(world, node, BIG, 8192);
    world_ask_full(world, "fill", key, BIG - free_vcore, 10, 0, YK_SI_CLASS_ANY, node);
}

/* 1 core is free on n1 and 2 on n2, which lacks less of a big ask and is the first in node order. */
static void begin(struct world *world, const char *leaf)
{
    char path[32];
    begin_with(world, leaf);
    add_node(world, "n1", 1000);
    add_node(world, "n2", 2000);
    (void)snprintf(path, sizeof(path), "root.%s", strstr(leaf, "limited") != NULL ? "limited" : "a");
    submit(world, "before", path);
    submit(world, "first", path);
    submit(world, "second", path);
    submit(world, "late", path);
}

#define LEAF_A "{name: a}"

static const struct yk_ask *ask_of(struct world *world, const char *app, const char *key)
{
    const struct yk_app *found = world_app(world, app);
    return found == NULL ? NULL : yk_app_find_ask(found, yk_str_from(key));
}

/* "" for none. */
static const char *reserved_by(struct world *world, const char *app, const char *key)
{
    const struct yk_ask *ask = ask_of(world, app, key);
    return ask == NULL || yk_ask_reservation(ask) == NULL ? "" : yk_ask_reservation(ask)->node->id;
}

static const char *node_of(struct world *world, const char *app, const char *key)
{
    const struct yk_ask *ask = ask_of(world, app, key);
    return ask == NULL || ask->node == NULL ? "" : ask->node->id;
}

static uint32_t reservations(struct world *world)
{
    return world_partition(world)->reservation.count;
}

static void pass(struct world *world, int64_t seconds)
{
    world_advance(world, seconds);
    (void)world_schedule(world); /* how many decisions is not the question */
}

static unsigned crumbs; /* asks of `late` so far */

static const char *last_crumb(void)
{
    static char key[16];
    (void)snprintf(key, sizeof(key), "crumb-%u", crumbs);
    return key;
}

/* An ask of `late` is placed. */
static void overtake_by(struct world *world, int64_t vcore)
{
    crumbs++;
    world_ask(world, "late", last_crumb(), vcore, 10);
    assert_int_equal(world_schedule(world), 1);
}

static void overtake(struct world *world)
{
    overtake_by(world, CRUMB);
}

static void end(struct world *world, const char *app, const char *key)
{
    world_release(world, app, key, YK_SI_STOPPED_BY_RM);
    (void)world_schedule(world); /* what follows is looked at by the test */
}

/* `first` waits with an ask for a whole node, and n2 is reserved for it. */
static void begin_reserved(struct world *world, const char *leaf)
{
    begin(world, leaf);
    world_ask(world, "first", "big", BIG, 10);
    assert_int_equal(world_schedule(world), 0);
    overtake(world);
    pass(world, 2);
    assert_string_equal(reserved_by(world, "first", "big"), "n2");
}

/* ---- 4.1: when ---- */

/* An ask that is never overtaken gets none, however long it waits. */
static void waiting_alone_reserves_nothing(void **state)
{
    struct world world;
    (void)state;
    begin(&world, LEAF_A);
    world_ask(&world, "first", "big", BIG, 10);
    for (int i = 0; i < 10; i++) {
        pass(&world, 600);
        assert_int_equal(reservations(&world), 0);
    }
    world_done(&world);
}

/* It has been overtaken for 2 s. */
static void two_seconds_after_it_was_overtaken(void **state)
{
    struct world world;
    (void)state;
    begin(&world, LEAF_A);
    world_ask(&world, "first", "big", BIG, 10);
    pass(&world, 100);
    overtake(&world);
    assert_int_equal(reservations(&world), 0);
    pass(&world, 1);
    assert_int_equal(reservations(&world), 0);
    overtake(&world); /* the first time counts */
    pass(&world, 1);
    assert_string_equal(reserved_by(&world, "first", "big"), "n2");
    assert_int_equal(world_events(&world, YK_EVENT_NODE_RESERVATION), 1);
    world_done(&world);
}

/* It is older than 2 s itself: its group was overtaken before it came. */
static void not_before_it_is_two_seconds_old(void **state)
{
    struct world world;
    (void)state;
    begin(&world, LEAF_A);
    world_ask(&world, "first", "old", BIG, 10);
    assert_int_equal(world_schedule(&world), 0);
    overtake(&world);
    world_advance(&world, 1);
    world_ask(&world, "first", "young", BIG, 10);
    end(&world, "first", "old");
    pass(&world, 1);
    assert_string_equal(reserved_by(&world, "first", "young"), "");
    pass(&world, 1);
    assert_string_equal(reserved_by(&world, "first", "young"), "n2");
    world_done(&world);
}

/* And for a quarter of the longest run time of what has ended. */
static void a_quarter_of_the_longest_run_time_later(void **state)
{
    struct world world;
    (void)state;
    begin(&world, LEAF_A);
    world_ask_full(&world, "fill", "ran", 500, 10, 0, YK_SI_CLASS_ANY, "n1");
    world_advance(&world, 40);
    end(&world, "fill", "ran");
    world_ask(&world, "first", "big", BIG, 10);
    assert_int_equal(world_schedule(&world), 0);
    overtake(&world);
    pass(&world, 9);
    assert_int_equal(reservations(&world), 0);
    pass(&world, 1);
    assert_string_equal(reserved_by(&world, "first", "big"), "n2");
    world_done(&world);
}

/* An ask is overtaken only on a node where it could run, and only by one whose turn is later. */
static void not_overtaken(void **state)
{
    static const struct {
        const char *what, *by, *node;
        int64_t vcore;
        yk_si_class class_;
    } cases[] = {
        {"the node is too small", "late", NULL, BIG + 1, YK_SI_CLASS_ANY},
        {"the class forbids the node", "late", NULL, BIG, 1},
        {"the other comes before it", "before", NULL, BIG, YK_SI_CLASS_ANY},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_with(&world, LEAF_A);
        world.class_letter = 'm';
        submit(&world, "before", "root.a");
        submit(&world, "first", "root.a");
        submit(&world, "late", "root.a");
        add_node(&world, "n1", 1000);
        world_node(&world, "m1", 100000, 8192); /* it waits for this one, which takes nothing new */
        world_node_action(&world, "m1", YK_SI_NODE_DRAIN);
        world_ask_full(&world, "first", "big", cases[i].vcore, 10, 0, cases[i].class_, NULL);
        assert_int_equal(world_schedule(&world), 0);
        world_ask(&world, cases[i].by, "other", CRUMB, 10);
        assert_int_equal(world_schedule(&world), 1);
        pass(&world, 10);
        if (reservations(&world) != 0)
            fail_msg("%s", cases[i].what);
        world_done(&world);
    }
}

/* A limit of its queue or user refuses it, or its application may not start: the ask gets none, and loses the
 * one that it has. */
static void a_limit_refuses_it(void **state)
{
    static const struct {
        const char *what, *leaf;
    } cases[] = {
        {"queue", "{name: limited, resources: {max: {vcore: 5}}}"},
        {"user", "{name: limited, limits: [{limit: l, users: [joe], maxresources: {vcore: 5}}]}"},
        {"applications", "{name: limited, maxapplications: 2}"},
        {"applications of the user",
         "{name: limited, limits: [{limit: l, users: [joe], maxapplications: 2}]}"},
    };
    (void)state;
    for (size_t i = 0; i < 2 * YK_COUNT(cases); i++) {
        struct world world;
        bool before = i % 2 == 0; /* the limit is reached before the reservation would be made */
        begin(&world, cases[i / 2].leaf);
        world_ask(&world, "first", "big", BIG, 10);
        assert_int_equal(world_schedule(&world), 0);
        overtake(&world);
        if (!before)
            pass(&world, 3);
        assert_int_equal(reservations(&world), !before);
        world_ask_full(&world, "second", "more", 950, 10, 0, YK_SI_CLASS_ANY, "n1");
        pass(&world, before ? 3 : 1);
        if (reservations(&world) != 0)
            fail_msg("%s, %s", cases[i / 2].what, before ? "before" : "after");
        end(&world, "second", "more");
        pass(&world, 31); /* an application that may go on, and one that has ended */
        overtake(&world);
        pass(&world, 10);
        if (reservations(&world) != 1)
            fail_msg("%s: none when the limit has capacity", cases[i / 2].what);
        world_done(&world);
    }
}

/* An application with a gang of placeholders of 4 cores, which is before "late". */
static void submit_gang(struct world *world, int members)
{
    struct yk_resvec size = world_size(BIG, 10), total = size;
    yk_resvec_mul(&total, members);
    const struct yk_si_new_app app = {
        .application_id = "gang", .queue = "root.a", .ugi = {.user = "joe"}, .placeholder_ask = &total};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
    for (int i = 0; i < members; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "g-%d", i);
        const struct yk_si_allocation ask = {.key = key,
                                             .application_id = "gang",
                                             .resource = &size,
                                             .task_group = "members",
                                             .placeholder = true,
                                             .create_wall_ns = yk_clock_wall_ns(&world->clock),
                                             .scheduling_class = YK_SI_CLASS_ANY};
        assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
    }
}

/* Placeholders that get their nodes one by one reserve as other asks do; those of a gang that is placed only
 * as a whole, or that can never start, do not. */
static void placeholders_of_a_gang(void **state)
{
    static const struct {
        const char *leaf;
        int members;
        bool reserves;
    } cases[] = {
        {"{name: a}", 2, true},
        {"{name: a, properties: {gang.placement: whole}}", 2, false},
        {"{name: a}", 3, false}, /* two nodes have 8 cores */
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_with(&world, cases[i].leaf);
        add_node(&world, "n1", 1000);
        add_node(&world, "n2", 2000);
        submit_gang(&world, cases[i].members);
        submit(&world, "late", "root.a");
        pass(&world, 3);
        overtake(&world);
        pass(&world, 3);
        if ((reservations(&world) > 0) != cases[i].reserves)
            fail_msg("case %zu: %u reservations", i, reservations(&world));
        world_done(&world);
    }
}

/* A gang that turns out to be too large, when a node has gone, gives up what is reserved for it. */
static void a_gang_that_can_no_longer_start(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, LEAF_A);
    add_node(&world, "n1", 1000);
    add_node(&world, "n2", 2000);
    add_node(&world, "n3", 0);
    submit_gang(&world, 3);
    submit(&world, "late", "root.a");
    pass(&world, 3);
    overtake(&world);
    pass(&world, 3);
    assert_int_equal(reservations(&world), 1);
    assert_string_equal(reserved_by(&world, "gang", "g-0"), "n2");
    world_node_action(&world, "n3", YK_SI_NODE_DECOMMISSION);
    pass(&world, 2);
    overtake(&world);
    pass(&world, 10);
    assert_int_equal(reservations(&world), 0);
    world_done(&world);
}

/* Nothing is reserved while something else can be decided. */
static void when_nothing_else_can_be_decided(void **state)
{
    struct world world;
    (void)state;
    begin(&world, LEAF_A);
    world_ask(&world, "first", "big", BIG, 10);
    assert_int_equal(world_schedule(&world), 0);
    overtake(&world);
    world_advance(&world, 3);
    world_ask(&world, "late", "crumb-a", CRUMB, 10);
    world_ask(&world, "late", "crumb-b", CRUMB, 10);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(world_schedule_one(&world), 1);
        assert_int_equal(reservations(&world), 0);
    }
    assert_int_equal(world_schedule_one(&world), 0);
    assert_string_equal(reserved_by(&world, "first", "big"), "n2");
    world_done(&world);
}

/* Of two overtaken asks the first in the order of the walk gets it, whichever was overtaken first. */
static void the_first_in_order(void **state)
{
    struct world world;
    (void)state;
    begin(&world, LEAF_A);
    world_ask(&world, "second", "big", BIG, 10);
    assert_int_equal(world_schedule(&world), 0);
    overtake(&world);
    world_advance(&world, 1);
    world_ask(&world, "first", "big", BIG - 1, 10);
    assert_int_equal(world_schedule(&world), 0);
    overtake(&world);
    world_advance(&world, 5);     /* both are overtaken for long enough */
    (void)world_schedule(&world); /* only to reserve */
    assert_string_equal(reserved_by(&world, "first", "big"), "n2");
    assert_string_equal(reserved_by(&world, "second", "big"), "");
    assert_int_equal(world_events(&world, YK_EVENT_NODE_RESERVATION), 1); /* not handed on afterwards */
    world_done(&world);
}

/* The order of the queues is that of the moment: the share of `a` falls below that of `c` after both were
 * overtaken. */
static void the_order_as_it_is_then(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, "{name: a}, {name: c}");
    add_node(&world, "n1", 2000);
    add_node(&world, "n2", 2500);
    submit(&world, "in-a", "root.a");
    submit(&world, "in-b", "root.b");
    submit(&world, "in-c", "root.c");
    world_ask_full(&world, "in-a", "runs", 600, 10, 0, YK_SI_CLASS_ANY, "n1");
    world_ask_full(&world, "in-c", "runs", 300, 10, 0, YK_SI_CLASS_ANY, "n1");
    world_ask_full(&world, "in-b", "runs", 1000, 10, 0, YK_SI_CLASS_ANY, "n1");
    static const char *const apps[] = {"in-a", "in-c"};
    for (size_t i = 0; i < YK_COUNT(apps); i++) {
        world_ask(&world, apps[i], "big", BIG - (int64_t)i, 10);
        assert_int_equal(world_schedule(&world), 0);
        world_ask(&world, "in-b", apps[i], CRUMB, 10); /* whose share is largest */
        assert_int_equal(world_schedule(&world), 1);
    }
    world_advance(&world, 5);
    world_release(&world, "in-a", "runs", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 1);
    (void)world_schedule(&world); /* only to reserve */
    assert_string_not_equal(reserved_by(&world, "in-a", "big"), "");
    assert_string_equal(reserved_by(&world, "in-c", "big"), "");
    assert_int_equal(world_events(&world, YK_EVENT_NODE_RESERVATION), 1); /* not handed on afterwards */
    world_done(&world);
}

/* An ask that starts makes up for what later asks took: the next one of its group has to be overtaken
 * again. */
static void overtaken_again_after_a_start(void **state)
{
    struct world world;
    (void)state;
    begin_reserved(&world, LEAF_A);
    world_ask(&world, "first", "next", BIG, 10);
    assert_int_equal(world_schedule(&world), 0);
    end(&world, "fill", "f-n2");
    for (int i = 0; i < 1000; i++) { /* the crumb that overtook is there as well */
        char key[16];
        (void)snprintf(key, sizeof(key), "crumb-%d", i);
        if (ask_of(&world, "late", key) != NULL)
            end(&world, "late", key);
    }
    assert_string_equal(node_of(&world, "first", "big"), "n2");
    pass(&world, 20);
    assert_string_equal(reserved_by(&world, "first", "next"), "");
    overtake(&world);
    pass(&world, 20);
    assert_string_equal(reserved_by(&world, "first", "next"), "n1");
    world_done(&world);
}

/* 4.2: it moves to a node where something has ended and for which waiting costs less. */
static void moves_to_where_waiting_costs_less(void **state)
{
    struct world world;
    (void)state;
    begin_reserved(&world, LEAF_A);
    world_ask_full(&world, "fill", "more", 900, 10, 0, YK_SI_CLASS_ANY, "n1"); /* n1 is as good as full */
    end(&world, "fill", "more");                                               /* 1 core is free, 1.9 on n2 */
    assert_string_equal(reserved_by(&world, "first", "big"), "n2");
    end(&world, "fill", "f-n1");
    assert_string_equal(node_of(&world, "first", "big"), "n1");
    world_done(&world);

    /* In both cases 3.5 of 4 cores become free on n1, and 2 cores are free on n2. */
    static const struct {
        bool is_short; /* what stays on n1 is of a group that runs for a second */
        const char *node;
    } cases[] = {{true, "n1"}, {false, "n2"}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        begin_reserved(&world, LEAF_A);
        world_ask_full(&world, "fill", "stays", 500, 10, 0, YK_SI_CLASS_ANY, "n1");
        if (cases[i].is_short) {
            world_ask_full(&world, "fill", "ends", 500, 10, 0, YK_SI_CLASS_ANY, "n1");
            pass(&world, 1);
            end(&world, "fill", "ends");
            assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        }
        end(&world, "fill", "f-n1");
        assert_string_equal(reserved_by(&world, "first", "big"), cases[i].node);
        assert_int_equal(reservations(&world), 1);
        world_done(&world);
    }
}

/* ---- 4.1: how many ---- */

/* `count` nodes of 4 cores of which 2 are free. */
static void begin_many(struct world *world, const char *queues, int count)
{
    begin_with(world, queues);
    for (int i = 0; i < count; i++) {
        char node[16];
        (void)snprintf(node, sizeof(node), "n%03d", i);
        add_node(world, node, 2000);
    }
}

/* 7 % of what is in use, at least 1 and at most 64. Each ask is as large as a node, and half of each is in
 * use. */
static void a_part_of_the_capacity(void **state)
{
    static const struct {
        int nodes;
        uint32_t reserved;
    } cases[] = {{1, 1}, {9, 1}, {55, 1}, {59, 2}, {116, 4}, {1850, 64}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_many(&world, LEAF_A, cases[i].nodes);
        submit(&world, "first", "root.a");
        submit(&world, "late", "root.a");
        for (int j = 0; j < 70; j++) {
            char key[16];
            (void)snprintf(key, sizeof(key), "big-%d", j);
            world_ask(&world, "first", key, BIG, 10);
        }
        (void)world_schedule(&world); /* nothing fits */
        world.core->reservation_delay_ns =
            YK_NS_PER_MS; /* so that all are made before the first is dropped */
        /* So that none is made because the group was overtaken for 1.5 times the longest run time. */
        world_partition(&world)->reservation.longest_run_ns = YK_NS_PER_S;
        for (uint32_t j = 0; j < 2 * cases[i].reserved + 3; j++) { /* each takes half of what an ask needs */
            world_ask(&world, "late", "crumb", BIG / 2, 1);
            (void)yk_core_schedule(world.core, SIZE_MAX, INT64_MAX); /* overtakes */
            yk_clock_advance(&world.clock, YK_NS_PER_MS);
            world_advance(&world, 0);
            (void)yk_core_schedule(world.core, SIZE_MAX, INT64_MAX); /* reserves */
            world_release(&world, "late", "crumb", YK_SI_STOPPED_BY_RM);
        }
        world_check(&world);
        if (reservations(&world) != cases[i].reserved)
            fail_msg("%d nodes: %u", cases[i].nodes, reservations(&world));
        world_done(&world);
    }
}

/* Asks of several applications, too: the one that has its reservation does not hide the others. */
static void several_applications(void **state)
{
    struct world world;
    (void)state;
    begin_many(&world, LEAF_A, 60);
    submit(&world, "first", "root.a");
    submit(&world, "second", "root.a");
    submit(&world, "late", "root.a");
    world_ask(&world, "first", "big", BIG, 10);
    world_ask(&world, "second", "big", BIG, 10);
    assert_int_equal(world_schedule(&world), 0);
    for (int i = 0; i < 2; i++) {
        overtake(&world);
        pass(&world, 2);
    }
    assert_string_not_equal(reserved_by(&world, "first", "big"), "");
    assert_string_not_equal(reserved_by(&world, "second", "big"), "");
    world_done(&world);
}

/* A group for which as much was added up as may be does not hide those behind it, though most of its asks
 * have no reservation. */
static void enough_for_the_first_group(void **state)
{
    struct world world;
    (void)state;
    begin_many(&world, LEAF_A, 60);
    submit(&world, "first", "root.a");
    submit(&world, "second", "root.a");
    submit(&world, "late", "root.a");
    for (int i = 0; i < 9; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "big-%d", i);
        world_ask(&world, "first", key, BIG, 10);
    }
    world_ask(&world, "second", "big", BIG, 10);
    assert_int_equal(world_schedule(&world), 0);
    overtake_by(&world, 1800);
    overtake_by(&world, 1800);
    overtake_by(&world, 1800); /* 1.35 of what one of them needs */
    assert_true(yk_list_linked(&ask_of(&world, "first", "big-0")->group->reservation.in_overtaken));
    assert_false(yk_list_linked(&ask_of(&world, "second", "big")->group->reservation.in_overtaken));
    overtake_by(&world, 1800);
    assert_true(yk_list_linked(&ask_of(&world, "second", "big")->group->reservation.in_overtaken));
    world_done(&world);
}

/* Leaves with overtaken asks have equal parts, of at least 1. A leaf that only waits has none. */
static void equal_parts_for_leaves(void **state)
{
    static const struct {
        int nodes;
        enum { OTHER_IDLE, OTHER_WAITS, OTHER_OVERTAKEN } other;
        uint32_t in_a, in_other;
    } cases[] = {{60, OTHER_IDLE, 2, 0},
                 {60, OTHER_WAITS, 2, 0},
                 {60, OTHER_OVERTAKEN, 1, 1},
                 {118, OTHER_OVERTAKEN, 2, 1},
                 {20, OTHER_OVERTAKEN, 0, 1}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_many(&world, LEAF_A, cases[i].nodes);
        submit(&world, "first", "root.a");
        submit(&world, "late", "root.a");
        submit(&world, "other", "root.b");
        for (int j = 0; j < 5; j++) {
            char key[16];
            (void)snprintf(key, sizeof(key), "big-%d", j);
            world_ask(&world, "first", key, BIG, 10);
        }
        if (cases[i].other == OTHER_WAITS) /* b comes last */
            world_ask_full(&world, "other", "runs", 1900, 10, 0, YK_SI_CLASS_ANY, "n000");
        if (cases[i].other != OTHER_IDLE)
            world_ask(&world, "other", "waits", BIG, 10);
        (void)world_schedule(&world); /* nothing fits */
        for (int j = 0; j < 10; j++) {
            overtake_by(&world, 1300); /* so little that b is not far behind a, which has a reservation */
            world_release(&world, "late", last_crumb(), YK_SI_STOPPED_BY_RM);
            pass(&world, 2);
        }
        uint32_t in_other = *reserved_by(&world, "other", "waits") != '\0';
        if (reservations(&world) - in_other != cases[i].in_a || in_other != cases[i].in_other)
            fail_msg("%d nodes: %u, %u", cases[i].nodes, reservations(&world) - in_other, in_other);
        world_done(&world);
    }
}

/* When all are in use, the last in order is handed on to an overtaken ask that comes before it, with its node
 * if the node can serve that ask. */
static void handed_on_to_an_earlier_ask(void **state)
{
    static const struct {
        yk_si_class class_;
        const char *node;
    } cases[] = {{YK_SI_CLASS_ANY, "n2"}, {1, "m1"}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world, LEAF_A);
        add_node(&world, "m1", 3000);
        world.class_letter = 'm';
        world_ask(&world, "second", "other", 3500, 10);
        world_ask_full(&world, "late", "holds-m1", 2900, 10, 0, YK_SI_CLASS_ANY, "m1");
        assert_int_equal(world_schedule(&world), 0);
        overtake(&world);
        pass(&world, 2);
        assert_string_equal(reserved_by(&world, "second", "other"), "n2");
        world_ask_full(&world, "first", "big", BIG, 10, 0, cases[i].class_, NULL);
        assert_int_equal(world_schedule(&world), 0);
        assert_string_equal(reserved_by(&world, "second", "other"), "n2");
        world_ask_full(&world, "late", "on-m1", 50, 10, 0, 1, NULL); /* on a node that suits all */
        assert_int_equal(world_schedule(&world), 1);
        pass(&world, 2);
        assert_string_equal(reserved_by(&world, "second", "other"), "");
        assert_string_equal(reserved_by(&world, "first", "big"), cases[i].node);
        assert_int_equal(reservations(&world), 1);
        world_done(&world);
    }
}

/* An overtaken ask that comes after the holder takes nothing from it. */
static void not_handed_on_to_a_later_ask(void **state)
{
    struct world world;
    (void)state;
    begin_reserved(&world, LEAF_A);
    world_ask(&world, "second", "other", 3500, 10);
    for (int i = 0; i < 3; i++) {
        overtake(&world);
        pass(&world, 5);
        assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        assert_int_equal(reservations(&world), 1);
    }
    world_done(&world);
}

/* ---- 4.2: which node ---- */

/* The node that lacks least of the ask, summed over types. */
static void the_node_that_lacks_least(void **state)
{
    static const struct {
        const char *what;
        int64_t vcore, memory, used[3][2]; /* of the ask; of three nodes with 4 cores and 8192 MiB */
        const char *node;
    } cases[] = {
        {"cores", 4000, 10, {{3000, 10}, {1000, 10}, {2000, 10}}, "n2"},
        {"memory", 100, 8000, {{100, 3000}, {100, 7000}, {100, 2000}}, "n3"},
        {"the sum of both", 4000, 8192, {{2000, 10}, {400, 7000}, {1900, 6000}}, "n1"},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_with(&world, LEAF_A);
        submit(&world, "first", "root.a");
        submit(&world, "late", "root.a");
        for (int n = 0; n < 3; n++) {
            char node[8];
            (void)snprintf(node, sizeof(node), "n%d", n + 1);
            world_node(&world, node, 4000, 8192);
            world_ask_full(&world, "fill", node, cases[i].used[n][0], cases[i].used[n][1], 0, YK_SI_CLASS_ANY,
                           node);
        }
        world_ask(&world, "first", "big", cases[i].vcore, cases[i].memory);
        assert_int_equal(world_schedule(&world), 0);
        world_ask(&world, "late", "crumb", 1, 1);
        assert_int_equal(world_schedule(&world), 1);
        pass(&world, 2);
        if (strcmp(reserved_by(&world, "first", "big"), cases[i].node) != 0)
            fail_msg("%s: %s", cases[i].what, reserved_by(&world, "first", "big"));
        world_done(&world);
    }
}

/* Asks of class 1 run on nodes whose name begins with z: a crumb of `late` overtakes there and changes
 * nothing about the others. */
static void begin_with_z(struct world *world)
{
    begin_with(world, LEAF_A);
    world->class_letter = 'z';
    submit(world, "first", "root.a");
    submit(world, "late", "root.a");
    add_node(world, "z1", CRUMB);
}

static void overtake_on_z(struct world *world)
{
    world_ask_full(world, "late", "on-z", CRUMB, 10, 0, 1, NULL);
    assert_int_equal(world_schedule(world), 1);
}

/* Of nodes that lack the same, the one where something ended last; else the first in node order. */
static void the_node_where_something_ended_last(void **state)
{
    static const struct {
        const char *ended[2], *node;
    } cases[] = {{{NULL, NULL}, "n1"}, {{"n2", "n3"}, "n3"}, {{"n3", "n2"}, "n2"}, {{"n3", "n1"}, "n1"}};
    static const char *const nodes[] = {"n1", "n2", "n3"};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_with_z(&world);
        for (size_t n = 0; n < YK_COUNT(nodes); n++) {
            add_node(&world, nodes[n], 2000);
            world_ask_full(&world, "fill", nodes[n], 500, 10, 0, YK_SI_CLASS_ANY, nodes[n]);
        }
        world_ask(&world, "first", "big", BIG, 10);
        assert_int_equal(world_schedule(&world), 0);
        for (size_t j = 0; j < YK_COUNT(cases[i].ended) && cases[i].ended[j] != NULL; j++) {
            const char *node = cases[i].ended[j];
            world_advance(&world, 1);
            world_release(&world, "fill", node, YK_SI_STOPPED_BY_RM);
            world_ask_full(&world, "fill", node, 500, 10, 0, YK_SI_CLASS_ANY, node);
        }
        overtake_on_z(&world);
        pass(&world, 2);
        assert_string_equal(reserved_by(&world, "first", "big"), cases[i].node);
        world_done(&world);
    }
}

/* Nodes on which something was placed within twice the longest run time, and at least a minute, go first. */
static void nodes_where_something_was_placed_lately(void **state)
{
    static const struct {
        int64_t longest_run_s, placed_before_s;
        const char *node;
    } cases[] = {{0, 50, "n1"}, {0, 70, "n2"}, {100, 190, "n1"}, {100, 210, "n2"}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_with_z(&world);
        world_advance(&world, 1000); /* after a start all nodes are alike */
        if (cases[i].longest_run_s > 0) {
            world_ask_full(&world, "fill", "ran", 1, 1, 0, YK_SI_CLASS_ANY, "z1");
            world_advance(&world, cases[i].longest_run_s);
            end(&world, "fill", "ran");
        }
        add_node(&world, "n1", 3000); /* lacks less */
        world_advance(&world, cases[i].placed_before_s - 30);
        add_node(&world, "n2", 1000);
        world_ask(&world, "first", "big", BIG, 10);
        assert_int_equal(world_schedule(&world), 0);
        overtake_on_z(&world);
        pass(&world, 30);
        if (strcmp(reserved_by(&world, "first", "big"), cases[i].node) != 0)
            fail_msg("case %zu: %s", i, reserved_by(&world, "first", "big"));
        world_done(&world);
    }
}

/* ---- 4.3: who may use the node ---- */

/* Asks that come later may not, asks that come before all that have reservations may. n2 has capacity for it,
 * n1 has not. */
static void the_turn_decides_who_uses_the_node(void **state)
{
    static const struct {
        const char *app, *node;
    } cases[] = {{"before", "n2"}, {"second", ""}, {"late", ""}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_reserved(&world, LEAF_A);
        world_ask(&world, cases[i].app, "ask", 1500, 10);
        assert_int_equal(world_schedule(&world), 0); /* what comes free elsewhere would be for `before` */
        pass(&world, 1);
        assert_string_equal(node_of(&world, cases[i].app, "ask"), "");
        pass(&world, 1);
        assert_string_equal(node_of(&world, cases[i].app, "ask"), cases[i].node);
        assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        world_done(&world);
    }
}

/* An ask of another queue uses the reserved node only if its queue is far behind that of the holder with it, by
 * priority, or if no ask like it was placed for 10 s. Queue a uses 1600 and `in_use`, and b 1500 with the ask. */
static void not_for_a_small_difference_of_shares(void **state)
{
    static const struct {
        int64_t in_use;
        int32_t priority;
        const char *node;
    } cases[] = {{400, 0, ""}, {400, 1, "n2"}, {500, 0, "n2"}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_reserved(&world, LEAF_A); /* with a crumb of 100 */
        world_node(&world, "n3", cases[i].in_use, 8192);
        world_ask_full(&world, "late", "in-use", cases[i].in_use, 10, 0, YK_SI_CLASS_ANY, "n3");
        world_ask_full(&world, "fill", "ends", 100, 10, 0, YK_SI_CLASS_ANY, "n2");
        world_node(&world, "n4", 1500, 8192);
        world_ask(&world, "late", "like", 1500, 10);
        assert_int_equal(world_schedule(&world), 1);
        end(&world, "fill", "ends");
        submit(&world, "other", "root.b");
        world_ask_full(&world, "other", "ask", 1500, 10, cases[i].priority, YK_SI_CLASS_ANY, NULL);
        pass(&world, 2);
        pass(&world, 7);
        assert_string_equal(node_of(&world, "other", "ask"), cases[i].node);
        assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        pass(&world, 1);
        assert_string_equal(node_of(&world, "other", "ask"), "n2");
        world_done(&world);
    }
}

/* 4.3: a stream of small pods that come before the holder does not keep it from its node without end. */
static void a_stream_does_not_starve_the_holder(void **state)
{
    struct world world;
    (void)state;
    begin_reserved(&world, LEAF_A);
    for (int i = 0; i < 20; i++) { /* each ends before the next one comes, on another node */
        char key[16];
        (void)snprintf(key, sizeof(key), "small-%d", i);
        world_ask(&world, "before", key, 1500, 10);
        pass(&world, 1);
        assert_string_not_equal(node_of(&world, "before", key), "n2");
        world_release(&world, "before", key, YK_SI_STOPPED_BY_RM);
    }
    assert_string_equal(reserved_by(&world, "first", "big"), "n2");
    world_done(&world);
}

/* Before one of two asks with reservations is not enough. */
static void between_two_reservations(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, LEAF_A);
    world.class_letter = 'm';
    for (int i = 0; i < 58; i++) { /* 4 % of the capacity are two nodes */
        char node[8];
        (void)snprintf(node, sizeof(node), "x%02d", i);
        add_node(&world, node, 100);
    }
    add_node(&world, "n1", 2000);
    add_node(&world, "m1", 3000);
    static const char *const apps[] = {"first", "second", "third", "late"};
    for (size_t i = 0; i < YK_COUNT(apps); i++)
        submit(&world, apps[i], "root.a");
    world_ask_full(&world, "first", "big", BIG, 10, 0, 1, NULL);
    assert_int_equal(world_schedule(&world), 0);
    for (int i = 0; i < 2; i++) {
        overtake(&world); /* on m1, then on another node */
        pass(&world, 2);
        world_ask(&world, "third", "big", BIG, 10);
        assert_int_equal(world_schedule(&world), 0);
    }
    assert_string_equal(reserved_by(&world, "first", "big"), "m1");
    assert_string_equal(reserved_by(&world, "third", "big"), "n1");
    world_ask(&world, "second", "ask", 1500, 10);
    world_advance(&world, 2);
    assert_int_equal(world_schedule(&world), 0);
    world_release(&world, "first", "big", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

/* The holder takes its node when its turn comes: what comes before it goes first. */
static void the_holder_waits_for_its_turn(void **state)
{
    static const struct {
        int64_t waited_s; /* what comes before it */
        const char *before, *first;
    } cases[] = {{2, "n2", ""}, {1, "", "n2"}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world, LEAF_A);
        world_ask(&world, "first", "big", BIG - CRUMB, 10);
        assert_int_equal(world_schedule(&world), 0);
        overtake(&world);
        pass(&world, 2);
        assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        world_ask(&world, "before", "whole", BIG - CRUMB, 10);
        pass(&world, cases[i].waited_s);
        end(&world, "fill", "f-n2"); /* there is capacity for one of them */
        assert_string_equal(node_of(&world, "before", "whole"), cases[i].before);
        assert_string_equal(node_of(&world, "first", "big"), cases[i].first);
        world_done(&world);
    }
}

/* An ask within the guarantee of its queue, if the holder belongs to another queue and is not within its
 * own. */
static void within_a_guarantee(void **state)
{
    static const struct {
        const char *what, *queues, *queue;
        int64_t used; /* by the queue of the ask already */
        const char *node;
    } cases[] = {
        {"within", "{name: a}, {name: g, resources: {guaranteed: {vcore: 4}}}", "root.g", 2500, "n2"},
        {"above", "{name: a}, {name: g, resources: {guaranteed: {vcore: 4}}}", "root.g", 4000, ""},
        {"no guarantee", "{name: a}, {name: g}", "root.g", 1000, ""},
        {"both are within",
         "{name: a, resources: {guaranteed: {vcore: 8}}}, {name: g, resources: {guaranteed: {vcore: 4}}}",
         "root.g", 2500, ""},
        {"the same queue", "{name: a, resources: {guaranteed: {vcore: 3}}}, {name: g}", "root.a", 0, ""},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world, cases[i].queues);
        world_node(&world, "spare", 100000, 8192);
        submit(&world, "other", cases[i].queue);
        if (cases[i].used > 0)
            world_ask_full(&world, "other", "runs", cases[i].used, 10, 0, YK_SI_CLASS_ANY, "spare");
        world_node_action(&world, "spare", YK_SI_NODE_DRAIN);
        world_ask(&world, "first", "big", BIG, 10);
        assert_int_equal(world_schedule(&world), 0);
        overtake(&world);
        pass(&world, 2);
        assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        world_ask(&world, "other", "ask", 1500, 10);
        (void)world_schedule(&world); /* where it goes is the question */
        if (strcmp(node_of(&world, "other", "ask"), cases[i].node) != 0)
            fail_msg("%s: '%s'", cases[i].what, node_of(&world, "other", "ask"));
        world_done(&world);
    }
}

/* What came free on the node less than 10 s ago is for the holder, although the ask is within its guarantee, while
 * asks of the same shape get nodes elsewhere. Not for a holder whose queue is guaranteed something. */
static void while_others_get_nodes_elsewhere(void **state)
{
    enum { SIZE = 900 }; /* what is free on n1 */
    static const struct {
        const char *holder; /* its queue */
        bool others;        /* one before the ask is placed on n1 each second, and ends */
        int64_t until_s;
    } cases[] = {
        {LEAF_A, false, 2}, {LEAF_A, true, 10}, {"{name: a, resources: {guaranteed: {vcore: 1}}}", true, 0}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        static const char app[] = "other";
        struct world world;
        char queues[128];
        (void)snprintf(queues, sizeof(queues), "%s, {name: g, resources: {guaranteed: {vcore: 8}}}",
                       cases[i].holder);
        begin(&world, queues);
        submit(&world, "other", "root.g");
        world_ask_full(&world, app, "old", 1, 10, 0, YK_SI_CLASS_ANY, "n2");
        world_ask(&world, "first", "big", BIG, 10);
        assert_int_equal(world_schedule(&world), 0);
        overtake(&world);
        pass(&world, 2);
        assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        world_ask_full(&world, app, "beside-0", SIZE, 10, 1, YK_SI_CLASS_ANY, NULL);
        world_ask(&world, app, "ask", SIZE, 10);
        assert_int_equal(world_schedule(&world), cases[i].until_s > 0 ? 1 : 2);
        end(&world, app, "old");
        for (int64_t second = 1; second <= cases[i].until_s; second++) {
            assert_string_equal(node_of(&world, app, "ask"), "");
            char ended[16], key[16];
            (void)snprintf(ended, sizeof(ended), "beside-%d", (int)second - 1);
            (void)snprintf(key, sizeof(key), "beside-%d", (int)second);
            if (cases[i].others) {
                world_ask_full(&world, app, key, SIZE, 10, 1, YK_SI_CLASS_ANY, NULL);
                end(&world, app, ended);
                assert_string_equal(node_of(&world, app, key), "n1");
            }
            pass(&world, 1);
        }
        assert_string_equal(node_of(&world, app, "ask"), "n2");
        world_done(&world);
    }
}

/* A pod with a run limit; `node` NULL: an ask. `before_s`: how long it has run already. */
static void limited_ask_since(struct world *world, const char *app, const char *key, int64_t vcore,
                              int64_t limit_s, const char *node, int64_t before_s)
{
    struct yk_resvec size = world_size(vcore, 10);
    struct yk_si_allocation ask = {
        .key = key,
        .application_id = app,
        .node_id = node,
        .resource = &size,
        .run_limit_ns = limit_s * YK_NS_PER_S,
        .start_wall_ns = before_s > 0 ? yk_clock_wall_ns(&world->clock) - before_s * YK_NS_PER_S : 0,
        .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

static void limited_ask(struct world *world, const char *app, const char *key, int64_t vcore, int64_t limit_s,
                        const char *node)
{
    limited_ask_since(world, app, key, vcore, limit_s, node, 0);
}

/* Backfill: an ask with a run limit that is over before the node has the capacity by the limits there. */
static void backfill(void **state)
{
    static const struct {
        const char *what;
        int64_t running_s, ask_s; /* run limits; 0: none */
        const char *node;
    } cases[] = {
        {"shorter", 100, 50, "n2"}, {"as long as what remains", 100, 97, "n2"}, {"longer", 100, 98, ""},
        {"no limit", 100, 0, ""},   {"what runs has none", 0, 1, ""},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_with(&world, LEAF_A);
        submit(&world, "first", "root.a");
        submit(&world, "late", "root.a");
        add_node(&world, "n1", 1000);
        world_node(&world, "n2", BIG, 8192);
        limited_ask(&world, "fill", "runs", 2000, cases[i].running_s, "n2");
        world_ask(&world, "first", "big", BIG - CRUMB, 10);
        assert_int_equal(world_schedule(&world), 0);
        overtake(&world);
        pass(&world, 3);
        assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        limited_ask(&world, "late", "ask", 1500, cases[i].ask_s, NULL);
        (void)world_schedule(&world); /* where it goes is the question */
        if (strcmp(node_of(&world, "late", "ask"), cases[i].node) != 0)
            fail_msg("%s: '%s'", cases[i].what, node_of(&world, "late", "ask"));
        world_done(&world);
    }
}

/* The limit counts from when the pod started, which may be before this process did; a changed one counts at
 * once. */
static void run_limits_of_what_runs(void **state)
{
    static const struct {
        const char *what;
        int64_t limit_s, started_before_s, changed_to_s; /* 0: it started now; the limit is not changed */
        const char *node;                                /* of an ask with a limit of 50 s */
    } cases[] = {
        {"started now", 100, 0, 0, "n2"},
        {"found at a restart", 100, 70, 0, ""},
        {"found, with time left", 200, 70, 0, "n2"},
        {"lowered", 100, 0, 30, ""},
        {"raised", 30, 0, 100, "n2"},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_with(&world, LEAF_A);
        submit(&world, "first", "root.a");
        submit(&world, "late", "root.a");
        add_node(&world, "n1", 1000);
        world_node(&world, "n2", BIG, 8192);
        limited_ask_since(&world, "fill", "runs", 2000, cases[i].limit_s, "n2", cases[i].started_before_s);
        world_ask(&world, "first", "big", BIG - CRUMB, 10);
        assert_int_equal(world_schedule(&world), 0);
        overtake(&world);
        pass(&world, 3);
        assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        if (cases[i].changed_to_s == 0 || cases[i].changed_to_s > cases[i].limit_s)
            limited_ask(&world, "late", "ask", 1500, 50, NULL);
        (void)world_schedule(&world); /* where it goes is the question */
        if (cases[i].changed_to_s > 0)
            limited_ask(&world, "fill", "runs", 2000, cases[i].changed_to_s, "n2");
        limited_ask(&world, "late", "ask", 1500, 50, NULL);
        (void)world_schedule(&world);
        if (strcmp(node_of(&world, "late", "ask"), cases[i].node) != 0)
            fail_msg("%s: '%s'", cases[i].what, node_of(&world, "late", "ask"));
        world_done(&world);
    }
}

/* An ask that waits may use the node once its own limit was lowered. */
static void a_lowered_limit_of_an_ask(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, LEAF_A);
    submit(&world, "first", "root.a");
    submit(&world, "late", "root.a");
    add_node(&world, "n1", 1000);
    world_node(&world, "n2", BIG, 8192);
    limited_ask(&world, "fill", "runs", 2000, 100, "n2");
    world_ask(&world, "first", "big", BIG - CRUMB, 10);
    assert_int_equal(world_schedule(&world), 0);
    overtake(&world);
    pass(&world, 3);
    limited_ask(&world, "late", "ask", 1500, 98, NULL);
    assert_int_equal(world_schedule(&world), 0);
    limited_ask(&world, "late", "ask", 1500, 50, NULL);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(node_of(&world, "late", "ask"), "n2");
    world_done(&world);
}

/* ---- 4.4: the end ---- */

static void update_node(struct world *world, int64_t vcore, bool constraints)
{
    struct yk_resvec capacity = world_size(vcore, 8192);
    yk_resvec_put(&capacity, YK_RESTYPE_PODS, 110);
    struct yk_si_node update = {.node_id = "n2",
                                .action = YK_SI_NODE_UPDATE,
                                .capacity = &capacity,
                                .constraints_changed = constraints,
                                .cookie = (void *)(uintptr_t)'n'};
    assert_int_equal(yk_core_update_node(world->core, "rm", &update), YK_OK);
}

static void remove_ask(struct world *world)
{
    world_release(world, "first", "big", YK_SI_STOPPED_BY_RM);
}

static void remove_application(struct world *world)
{
    assert_int_equal(yk_core_remove_app(world->core, "rm", "first", NULL), YK_OK);
}

static void remove_node(struct world *world)
{
    world_node_action(world, "n2", YK_SI_NODE_DECOMMISSION);
}

static void drain_node(struct world *world)
{
    world_node_action(world, "n2", YK_SI_NODE_DRAIN);
}

static void shrink_node(struct world *world)
{
    update_node(world, BIG - 1, false);
}

static void change_constraints(struct world *world)
{
    world->class_letter = 'x';
    update_node(world, BIG, true);
}

/* A pod that never ends takes a part of the node. */
static void add_static_pod(struct world *world)
{
    struct yk_resvec part = world_size(1, 1);
    struct yk_si_allocation pod = {
        .key = "mirror", .node_id = "n2", .resource = &part, .foreign = true, .foreign_static = true};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &pod), YK_OK);
}

/* An ask that may run on this node only. */
static void add_daemon(struct world *world)
{
    struct yk_resvec size = world_size(3000, 10);
    struct yk_si_allocation daemon = {.key = "daemon",
                                      .application_id = "before",
                                      .resource = &size,
                                      .required_node = "n2",
                                      .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &daemon), YK_OK);
}

/* A node on which a daemon set leaves too little is not reserved: its pod never ends. */
static void not_beside_a_daemon_set(void **state)
{
    struct world world;
    (void)state;
    begin(&world, LEAF_A);
    world_ask(&world, "first", "big", BIG, 10);
    assert_int_equal(world_schedule(&world), 0);
    for (int i = 0; i < 2; i++) {
        const char *const keys[] = {"d-1", "d-2"}, *const nodes[] = {"n1", "n2"};
        struct yk_resvec size = world_size(100, 10);
        const struct yk_si_allocation daemon = {.key = keys[i],
                                                .application_id = "before",
                                                .resource = &size,
                                                .required_node = nodes[i],
                                                .scheduling_class = YK_SI_CLASS_ANY};
        assert_int_equal(yk_core_update_allocation(world.core, "rm", &daemon), YK_OK);
    }
    assert_int_equal(world_schedule(&world), 2);
    overtake(&world);
    pass(&world, 60);
    assert_int_equal(reservations(&world), 0);
    end(&world, "before", "d-2");
    overtake(&world);
    pass(&world, 60);
    assert_string_equal(reserved_by(&world, "first", "big"), "n2");
    world_done(&world);
}

/* What the event of the last reservation that ended says. */
static const char *said_at_the_end(const struct world *world)
{
    static char text[YK_EVENT_MESSAGE_MAX];
    const struct yk_ring *ring = world->core->events.ring;
    YK_EVENT(event);
    text[0] = '\0';
    for (uint64_t id = 0; id < yk_ring_next(ring); id++) {
        if (yk_ring_get(ring, id, &event) && event.detail == YK_EVENT_NODE_RESERVATION &&
            event.change == YK_EVENT_REMOVE)
            (void)snprintf(text, sizeof(text), YK_STR_FMT, YK_STR_ARG(event.message));
    }
    return text;
}

/* Dropped at once. Where the node stays, what waits uses it. */
static void dropped(void **state)
{
    static const struct {
        const char *what;
        void (*happens)(struct world *world);
        bool opens_node;
    } cases[] = {
        {"the ask goes", remove_ask, true},
        {"its application goes", remove_application, true},
        {"the node goes", remove_node, false},
        {"the node is drained", drain_node, false},
        {"the node shrinks", shrink_node, true},
        {"its constraints change", change_constraints, true},
        {"a static pod of others", add_static_pod, true},
        {"an ask for this node only", add_daemon, false},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world, LEAF_A);
        world.class_letter = 'n';
        world_ask_full(&world, "first", "big", BIG, 10, 0, 1, NULL);
        assert_int_equal(world_schedule(&world), 0);
        overtake(&world);
        pass(&world, 2);
        assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        world_ask(&world, "second", "ask", 1500, 10);
        assert_int_equal(world_schedule(&world), 0);
        cases[i].happens(&world);
        (void)world_schedule(&world);                               /* where it goes is the question */
        if (strcmp(reserved_by(&world, "first", "big"), "n2") == 0) /* another node may be */
            fail_msg("%s: still reserved", cases[i].what);
        if (strcmp(said_at_the_end(&world), "reservation was dropped") != 0)
            fail_msg("%s: '%s'", cases[i].what, said_at_the_end(&world));
        if (strcmp(node_of(&world, "second", "ask"), cases[i].opens_node ? "n2" : "") != 0)
            fail_msg("%s: '%s'", cases[i].what, node_of(&world, "second", "ask"));
        world_done(&world);
    }
}

/* The ask starts on its node, or on another one: then the reserved node is open to others at once. */
static void used(void **state)
{
    static const struct {
        const char *ended, *node;
    } cases[] = {{"f-n1", "n1"}, {"f-n2", "n2"}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world, LEAF_A);
        world_ask(&world, "first", "big", BIG - CRUMB, 10);
        assert_int_equal(world_schedule(&world), 0);
        overtake(&world);
        pass(&world, 2);
        world_ask(&world, "second", "ask", 1000, 10);
        assert_int_equal(world_schedule(&world), 1); /* on n1 */
        world_release(&world, "second", "ask", YK_SI_STOPPED_BY_RM);
        world_ask(&world, "second", "more", 1900, 10);
        assert_int_equal(world_schedule(&world), 0);
        end(&world, "fill", cases[i].ended);
        assert_string_equal(node_of(&world, "first", "big"), cases[i].node);
        assert_int_equal(reservations(&world), 0);
        assert_string_equal(node_of(&world, "second", "more"), i == 0 ? "n2" : "");
        assert_int_equal(world_events(&world, YK_EVENT_NODE_RESERVATION), 2); /* made and ended */
        assert_string_equal(said_at_the_end(&world), "reservation was used");
        world_done(&world);
    }
}

/* If the ask starts elsewhere, the next one of its group inherits the reservation only within the guarantee of its
 * queue. Otherwise it gets one when it is overtaken. */
static void the_next_of_its_group(void **state)
{
    static const struct {
        const char *leaf, *node; /* that is reserved for the next one then */
    } cases[] = {
        {LEAF_A, ""},
        {"{name: a, resources: {guaranteed: {vcore: 8}}}", "n2"},
        {"{name: a, resources: {guaranteed: {vcore: 4}}}", ""}, /* with what has overtaken it, it has more */
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_reserved(&world, cases[i].leaf);
        world_ask(&world, "first", "next", BIG, 10);
        assert_int_equal(world_schedule(&world), 0);
        world_node(&world, "n3", BIG, 8192);
        assert_int_equal(world_schedule(&world), 1);
        assert_string_equal(node_of(&world, "first", "big"), "n3");
        pass(&world, 10);
        assert_string_equal(reserved_by(&world, "first", "next"), cases[i].node);
        for (int j = 0; j < 11 && cases[i].node[0] == '\0'; j++)
            overtake(&world);
        pass(&world, 2);
        assert_string_not_equal(reserved_by(&world, "first", "next"), "");
        world_done(&world);
    }
}

/* Nothing has ended on the node for twice the longest run time, and at least a minute. */
static void nothing_ends_there(void **state)
{
    static const struct {
        int64_t longest_run_s, ends_after_s, kept_s;
    } cases[] = {{0, 0, 60}, {0, 40, 100}, {50, 0, 100}, {50, 90, 190}};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world, LEAF_A);
        world_ask_full(&world, "fill", "ran", 10, 10, 0, YK_SI_CLASS_ANY, "n1");
        world_advance(&world, cases[i].longest_run_s);
        end(&world, "fill", "ran");
        world_ask(&world, "first", "big", BIG, 10);
        assert_int_equal(world_schedule(&world), 0);
        overtake(&world);
        pass(&world, 15);
        assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        int64_t left_s = cases[i].kept_s;
        if (cases[i].ends_after_s > 0) {
            pass(&world, cases[i].ends_after_s);
            left_s -= cases[i].ends_after_s;
            world_partition(&world)->reservation.longest_run_ns = cases[i].longest_run_s * YK_NS_PER_S;
            int64_t longest_ns = world_partition(&world)->reservation.longest_run_ns;
            limited_ask(&world, "fill", "short", 1, 0, "n2");
            end(&world, "fill", "short");
            assert_true(world_partition(&world)->reservation.longest_run_ns <= longest_ns);
        }
        pass(&world, left_s - 1);
        assert_string_equal(reserved_by(&world, "first", "big"), "n2");
        pass(&world, 1);
        if (reservations(&world) != 0)
            fail_msg("case %zu", i);
        world_done(&world);
    }
}

/* 2.4: in a stateaware leaf another application is starting. */
static void its_application_may_not_start(void **state)
{
    struct world world;
    (void)state;
    begin_with(&world, "{name: a, properties: {application.sort.policy: stateaware}}");
    add_node(&world, "n1", 1000);
    submit(&world, "early", "root.a");
    submit(&world, "first", "root.a");
    submit(&world, "other", "root.b");
    world_ask_full(&world, "other", "runs", 100, 10, 0, YK_SI_CLASS_ANY, "n1");
    world_ask(&world, "first", "big", BIG, 10);
    assert_int_equal(world_schedule(&world), 0);
    world_ask(&world, "other", "crumb", CRUMB, 10);
    assert_int_equal(world_schedule(&world), 1);
    pass(&world, 2);
    assert_string_equal(reserved_by(&world, "first", "big"), "n1");
    world_ask(&world, "early", "small", 500, 10);
    world_ask(&world, "early", "large", BIG + 1, 10);
    (void)world_schedule(&world); /* it is the older one, so it goes first */
    assert_int_equal(world_app(&world, "early")->state, YK_APP_STARTING);
    assert_string_equal(node_of(&world, "early", "small"), "n1");
    assert_int_equal(reservations(&world), 0);
    world_done(&world);
}

/* DISABLE_RESERVATION: none for asks that were overtaken. */
static void switched_off(void **state)
{
    struct world world;
    (void)state;
    begin(&world, LEAF_A);
    world.core->reservation_delay_ns = INT64_MAX;
    world_ask(&world, "first", "big", BIG, 10);
    assert_int_equal(world_schedule(&world), 0);
    for (int i = 0; i < 3; i++) {
        overtake(&world);
        pass(&world, 1000);
        assert_int_equal(reservations(&world), 0);
        overtake(&world);
    }
    world_done(&world);
}

/* Nothing is to be done while nothing can change. */
static void sleeps(void **state)
{
    struct world world;
    (void)state;
    begin_reserved(&world, LEAF_A);
    world_ask(&world, "second", "huge", 40000, 10);
    pass(&world, 1);
    assert_false(yk_core_has_work(world.core));
    assert_true(yk_timers_next_ns(&world.timers) - yk_clock_mono_ns(&world.clock) > 50 * YK_NS_PER_S);
    pass(&world, 200); /* given up */
    pass(&world, 200);
    assert_false(yk_core_has_work(world.core));
    assert_int_equal(reservations(&world), 0);
    world_done(&world);
}

/* An ask that waited for its queue first, and then for nodes, is overtaken and reserves like the others. */
static void waited_for_its_queue_first(void **state)
{
    struct world world;
    (void)state;
    begin(&world, "{name: limited, resources: {max: {vcore: 4}}}");
    world_ask_full(&world, "before", "runs", 1000, 10, 0, YK_SI_CLASS_ANY, "n1");
    world_ask(&world, "first", "big", 3500, 10);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(ask_of(&world, "first", "big")->group->wait, YK_WAIT_QUEUE_QUOTA);
    end(&world, "before", "runs");
    assert_int_equal(ask_of(&world, "first", "big")->group->wait, YK_WAIT_NODES);
    overtake(&world);
    pass(&world, 2);
    assert_string_equal(reserved_by(&world, "first", "big"), "n2");
    world_done(&world);
}

/* 6.1 step 4: whose reservation a preemptor may cancel. */
static void who_yields_to_a_preemptor(void **state)
{
    static const char queues[] = "{name: a}, {name: none}, {name: has, resources: {guaranteed: {vcore: 4}}}";
    static const struct {
        const char *queue;
        int32_t priority;
        int64_t age_s;
        bool used_up, yields;
    } cases[] = {
        {"root.none", 0, 3, false, true},     {"root.none", 100, 3, false, true},
        {"root.has", 0, 3, false, false},     {"root.has", 9, 3700, false, true},
        {"root.has", 10, 3700, false, false}, {"root.has", 0, 3, true, true},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin_with(&world, queues);
        add_node(&world, "n1", 3000);
        world_node(&world, "spare", 100000, 8192);
        submit(&world, "keeper", cases[i].queue);
        submit(&world, "preemptor", "root.a");
        world_ask_full(&world, "keeper", "runs", cases[i].used_up ? 1000 : 0, 10, 0, YK_SI_CLASS_ANY,
                       "spare");
        world_node_action(&world, "spare", YK_SI_NODE_DRAIN);
        world_ask_full(&world, "keeper", "big", 4000, 10, cases[i].priority, YK_SI_CLASS_ANY, NULL);
        assert_true(yk_reserve(world_partition(&world),
                               yk_app_find_ask(world_app(&world, "keeper"), YK_STR("big")),
                               yk_partition_find_node(world_partition(&world), "n1"), YK_RESERVE_WAITING));
        yk_clock_advance(&world.clock, cases[i].age_s * YK_NS_PER_S);
        world_ask_full(&world, "preemptor", "p", 4000, 10, 10, YK_SI_CLASS_ANY, NULL);
        const struct yk_node *node = yk_ask_reservation(ask_of(&world, "keeper", "big"))->node;
        if (yk_reservations_may_yield(world_partition(&world), node, ask_of(&world, "preemptor", "p")) !=
            cases[i].yields)
            fail_msg("case %zu", i);
        world_done(&world);
    }
}

/* ---- in the long run ---- */

enum { PENDING_MAX = 20000, CORES = 32, RUN_STEPS = 150, STEPS_A = 750, STEPS = 4500 };

/* Allocated pods in the order in which they end: each runs for a minute, 150 steps of 400 ms. */
struct stream {
    struct world world;
    char running[PENDING_MAX][12];
    int ends_at[PENDING_MAX], step;
    size_t begun, ended, placed[2], killed;
};

static void on_placed(void *context, const char *key, const char *node)
{
    struct stream *stream = context;
    (void)node;
    (void)snprintf(stream->running[stream->begun], sizeof(stream->running[0]), "%s", key);
    stream->ends_at[stream->begun++] = stream->step + RUN_STEPS;
    stream->placed[key[0] - 'a'] += stream->step >= 2 * STEPS_A;
}

static void on_killed(void *context, const char *key)
{
    struct stream *stream = context;
    (void)key;
    stream->killed += stream->world.last_termination == YK_SI_PREEMPTED_BY_SCHEDULER;
}

static void ask_for_a_core(struct world *world, const char *app, const char *key)
{
    struct yk_resvec size = world_size(1000, 100);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = app,
                                   .resource = &size,
                                   .scheduling_class = YK_SI_CLASS_ANY,
                                   .allow_preempt_self = true,
                                   .allow_preempt_other = true};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

static void one_step(struct stream *stream)
{
    for (int i = 0; i < 2; i++) {
        char app[2] = {(char)('a' + i), '\0'}, key[16];
        (void)snprintf(key, sizeof(key), "%s%d", app, stream->step);
        if (i == 0 || stream->step >= STEPS_A)
            ask_for_a_core(&stream->world, app, key);
    }
    for (; stream->ended < stream->begun && stream->ends_at[stream->ended] <= stream->step; stream->ended++) {
        char app[2] = {stream->running[stream->ended][0], '\0'};
        world_release(&stream->world, app, stream->running[stream->ended], YK_SI_STOPPED_BY_RM);
    }
    (void)yk_core_schedule(stream->world.core, SIZE_MAX, INT64_MAX); /* counted by on_placed() */
    yk_clock_advance(&stream->world.clock, 400 * YK_NS_PER_MS);
    (void)yk_timers_run(&stream->world.timers); /* how many fired is not the question */
    stream->step++;
}

/* Two equal queues with one-core pods, more than there are cores; b begins five minutes later. Each gets
 * half, with a guarantee of half the cores as well, and nothing is killed after the first deficit was
 * restored. */
static void equal_queues_get_half_each(void **state)
{
    static const char *const configs[] = {
        "{name: a}, {name: c}",
        "{name: a, resources: {guaranteed: {vcore: 16}}}, {name: c, resources: {guaranteed: {vcore: 16}}}"};
    static struct stream stream;
    (void)state;
    for (size_t i = 0; i < YK_COUNT(configs); i++) {
        stream = (struct stream){0};
        begin_with(&stream.world, configs[i]);
        for (int n = 0; n < 4; n++) {
            char node[8];
            (void)snprintf(node, sizeof(node), "n%d", n);
            world_node(&stream.world, node, 8000, 65536);
        }
        world_submit(&stream.world, "a", "root.a", "joe");
        world_submit(&stream.world, "b", "root.c", "joe");
        stream.world.watcher = &stream;
        stream.world.watch_allocated = on_placed;
        stream.world.watch_released = on_killed;
        while (stream.step < STEPS)
            one_step(&stream);
        world_check(&stream.world);
        size_t all = stream.placed[0] + stream.placed[1];
        size_t possible = (size_t)CORES * (STEPS - 2 * STEPS_A) / RUN_STEPS;
        print_message("a %zu, b %zu of %zu, %zu killed\n", stream.placed[0], stream.placed[1], possible,
                      stream.killed);
        assert_true(all >= possible * 98 / 100);
        assert_in_range(stream.placed[1], all * 48 / 100, all * 52 / 100);
        assert_true(stream.killed <= CORES / 2);
        world_done(&stream.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* 4.1 */
        cmocka_unit_test(waiting_alone_reserves_nothing),
        cmocka_unit_test(two_seconds_after_it_was_overtaken),
        cmocka_unit_test(not_before_it_is_two_seconds_old),
        cmocka_unit_test(a_quarter_of_the_longest_run_time_later),
        cmocka_unit_test(not_overtaken),
        cmocka_unit_test(a_limit_refuses_it),
        cmocka_unit_test(placeholders_of_a_gang),
        cmocka_unit_test(a_gang_that_can_no_longer_start),
        cmocka_unit_test(when_nothing_else_can_be_decided),
        cmocka_unit_test(the_first_in_order),
        cmocka_unit_test(the_order_as_it_is_then),
        cmocka_unit_test(overtaken_again_after_a_start),
        cmocka_unit_test(moves_to_where_waiting_costs_less),
        cmocka_unit_test(a_part_of_the_capacity),
        cmocka_unit_test(several_applications),
        cmocka_unit_test(enough_for_the_first_group),
        cmocka_unit_test(equal_parts_for_leaves),
        cmocka_unit_test(handed_on_to_an_earlier_ask),
        cmocka_unit_test(not_handed_on_to_a_later_ask),
        cmocka_unit_test(waited_for_its_queue_first),
        /* 4.2 */
        cmocka_unit_test(the_node_that_lacks_least),
        cmocka_unit_test(the_node_where_something_ended_last),
        cmocka_unit_test(nodes_where_something_was_placed_lately),
        /* 4.3 */
        cmocka_unit_test(the_turn_decides_who_uses_the_node),
        cmocka_unit_test(not_for_a_small_difference_of_shares),
        cmocka_unit_test(a_stream_does_not_starve_the_holder),
        cmocka_unit_test(between_two_reservations),
        cmocka_unit_test(the_holder_waits_for_its_turn),
        cmocka_unit_test(within_a_guarantee),
        cmocka_unit_test(while_others_get_nodes_elsewhere),
        cmocka_unit_test(backfill),
        cmocka_unit_test(run_limits_of_what_runs),
        cmocka_unit_test(a_lowered_limit_of_an_ask),
        /* 4.4 */
        cmocka_unit_test(used),
        cmocka_unit_test(the_next_of_its_group),
        cmocka_unit_test(not_beside_a_daemon_set),
        cmocka_unit_test(dropped),
        cmocka_unit_test(nothing_ends_there),
        cmocka_unit_test(its_application_may_not_start),
        cmocka_unit_test(switched_off),
        cmocka_unit_test(sleeps),
        cmocka_unit_test(who_yields_to_a_preemptor),
        cmocka_unit_test(equal_queues_get_half_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
