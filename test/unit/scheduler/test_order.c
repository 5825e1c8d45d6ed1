/* SPDX-License-Identifier: Apache-2.0 */
/* Who goes first: queues, applications and asks (queues.md, section 8; R45, R46; BUG-19). */
#include "lib/core_world.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"        \
    "    submitacl: '*'\n"

/* One application per queue, called like its leaf; ask N of it is "leaf-N". */
static void ask_with(struct world *world, const char *app, const char *key, int64_t vcore, int32_t priority,
                     const char *node)
{
    world_ask_full(world, app, key, vcore, 1, priority, YK_SI_CLASS_ANY, node);
}

static void next_is(struct world *world, const char *key)
{
    assert_int_equal(world_schedule_one(world), 1);
    assert_string_equal(world->last_key, key);
}

static void submit_in_a_row(struct world *world, const char *const *ids, size_t count, const char *queue)
{
    for (size_t i = 0; i < count; i++) {
        char path[64];
        (void)snprintf(path, sizeof(path), "%s%s", queue, queue[strlen(queue) - 1] == '.' ? ids[i] : "");
        world_submit(world, ids[i], path, "joe");
        world_advance(world, 1);
    }
}

static void begin(struct world *world, const char *config)
{
    world_init(world, config);
    world_node(world, "n1", 20000, 100000);
}

/* ---- queues ---- */

/* O9: the example of the rule: x uses half of its guarantee, y three tenths of what it may have. */
static void shares_against_guarantee_or_maximum(void **state)
{
    (void)state;
    static const char *const ids[] = {"x", "y"};
    struct world world;
    begin(&world, HEAD "    queues:\n    - name: p\n      resources: {max: {vcore: 10}}\n"
                       "      queues: [{name: x, resources: {guaranteed: {vcore: 4}}}, {name: y}]\n");
    submit_in_a_row(&world, ids, 2, "root.p.");
    ask_with(&world, "x", "x-1", 2000, 0, "n1");
    ask_with(&world, "y", "y-1", 3000, 0, "n1");
    ask_with(&world, "x", "x-2", 500, 0, NULL);
    ask_with(&world, "y", "y-2", 500, 0, NULL);
    next_is(&world, "x-2"); /* its share is larger; it is below its guarantee */
    next_is(&world, "y-2");
    world_done(&world);
}

/* A queue that has its guarantee is compared by its share only. */
static void a_full_guarantee_does_not_go_first(void **state)
{
    (void)state;
    static const char *const ids[] = {"x", "y"};
    struct world world;
    begin(&world, HEAD "    queues:\n    - name: p\n      resources: {max: {vcore: 10}}\n"
                       "      queues: [{name: x, resources: {guaranteed: {vcore: 4}}}, {name: y}]\n");
    submit_in_a_row(&world, ids, 2, "root.p.");
    ask_with(&world, "x", "x-1", 4000, 0, "n1");
    ask_with(&world, "y", "y-1", 3000, 0, "n1");
    ask_with(&world, "x", "x-2", 500, 0, NULL);
    ask_with(&world, "y", "y-2", 500, 0, NULL);
    next_is(&world, "y-2");
    next_is(&world, "x-2");
    world_done(&world);
}

/* O9, BUG-19: each queue is compared with its own maximum, in whatever order they stand. */
static void each_queue_against_its_own_maximum(void **state)
{
    (void)state;
    static const char *const ids[] = {"a", "b", "c"};
    struct world world;
    begin(&world, HEAD
          "    queues:\n    - {name: a, resources: {max: {vcore: 2}}}\n"
          "    - {name: b, resources: {max: {vcore: 10}}}\n    - {name: c, resources: {max: {vcore: 4}}}\n");
    submit_in_a_row(&world, ids, 3, "root.");
    ask_with(&world, "a", "a-1", 1000, 0, "n1"); /* 0.5 */
    ask_with(&world, "b", "b-1", 2000, 0, "n1"); /* 0.2 */
    ask_with(&world, "c", "c-1", 1000, 0, "n1"); /* 0.25 */
    for (size_t i = 0; i < 3; i++) {
        char key[8];
        (void)snprintf(key, sizeof(key), "%s-2", ids[i]);
        ask_with(&world, ids[i], key, 100, 0, NULL);
    }
    next_is(&world, "b-2");
    next_is(&world, "c-2");
    next_is(&world, "a-2");
    world_done(&world);
}

/* O8, R45, R46: priority of what is pending below, with offsets and fences, before or behind the share. */
static void priorities_of_queues(void **state)
{
    (void)state;
    static const struct {
        const char *what, *parent, *a, *b;
        int32_t priority_a, priority_b;
        const char *first;
    } cases[] = {
        {"a higher one goes first", "", "", "", 1, 5, "b"},
        {"the share goes first", "properties: {application.sort.priority: disabled}", "", "", 1, 5, "a"},
        {"an offset counts", "", "properties: {priority.offset: '5'}", "", 1, 5, "a"},
        {"a fence hides what is behind it", "", "", "properties: {priority.policy: fence}", 1, 5, "a"},
        {"a fence shows its offset", "", "", "properties: {priority.policy: fence, priority.offset: '3'}", 1,
         0, "b"},
        {"sums end at the largest", "", "properties: {priority.offset: '1'}", "", INT32_MAX, INT32_MAX, "a"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        static const char *const ids[] = {"a", "b"};
        struct world world;
        char config[1024];
        (void)snprintf(config, sizeof(config),
                       HEAD
                       "    queues:\n    - name: p\n      %s\n      queues:\n      - name: a\n        %s\n"
                       "      - name: b\n        %s\n",
                       cases[i].parent, cases[i].a, cases[i].b);
        begin(&world, config);
        submit_in_a_row(&world, ids, 2, "root.p.");
        ask_with(&world, "b", "b-1", 1000, 0, "n1"); /* a has used nothing: by shares it goes first */
        ask_with(&world, "a", "a", 100, cases[i].priority_a, NULL);
        ask_with(&world, "b", "b", 100, cases[i].priority_b, NULL);
        assert_int_equal(world_schedule_one(&world), 1);
        if (strcmp(world.last_key, cases[i].first) != 0)
            fail_msg("%s: %s went first", cases[i].what, world.last_key);
        world_done(&world);
    }
}

/* R46: a reload that changes offsets counts at once. */
static void a_reload_changes_priorities(void **state)
{
    (void)state;
    static const char *const ids[] = {"a", "b"};
    struct world world;
    begin(&world, HEAD "    queues: [{name: a}, {name: b}]\n");
    submit_in_a_row(&world, ids, 2, "root.");
    for (int i = 0; i < 4; i++) {
        ask_with(&world, "a", (const char *[]){"a-1", "a-2", "a-3", "a-4"}[i], 100, 2, NULL);
        ask_with(&world, "b", (const char *[]){"b-1", "b-2", "b-3", "b-4"}[i], 100, 1, NULL);
    }
    next_is(&world, "a-1");
    next_is(&world, "a-2");
    assert_null(world_reload(&world, HEAD
                             "    queues: [{name: a}, {name: b, properties: {priority.offset: '2'}}]\n"));
    next_is(&world, "b-1");
    next_is(&world, "b-2");
    assert_null(world_reload(&world, HEAD "    queues: [{name: a}, {name: b}]\n"));
    next_is(&world, "a-3");
    world_done(&world);
}

/* O8: with equal shares the queue that waits for more of everything goes first. */
static void larger_pending(void **state)
{
    (void)state;
    static const char *const ids[] = {"a", "b"};
    struct world world;
    begin(&world, HEAD "    queues: [{name: a}, {name: b}]\n");
    submit_in_a_row(&world, ids, 2, "root.");
    ask_with(&world, "a", "a-1", 100, 0, NULL);
    ask_with(&world, "b", "b-1", 100, 0, NULL);
    ask_with(&world, "b", "b-2", 100, 0, NULL);
    next_is(&world, "b-1");
    world_done(&world);
}

/* O1, O2: after each decision everything is compared again, and equal queues take turns: none starves. */
static void equal_queues_take_turns(void **state)
{
    (void)state;
    static const char *const ids[] = {"a", "b", "c"};
    struct world world;
    char keys[3][20][8];
    size_t served[3] = {0};
    begin(&world, HEAD "    queues: [{name: a}, {name: b}, {name: c}]\n");
    submit_in_a_row(&world, ids, 3, "root.");
    for (int i = 0; i < 20; i++) {
        for (int q = 0; q < 3; q++) {
            (void)snprintf(keys[q][i], sizeof(keys[q][i]), "%s-%d", ids[q], i);
            ask_with(&world, ids[q], keys[q][i], 100, 0, NULL);
        }
    }
    for (int round = 0; round < 20; round++) {
        for (int q = 0; q < 3; q++) {
            assert_int_equal(world_schedule_one(&world), 1);
            served[world.last_key[0] - 'a']++;
        }
        for (int q = 0; q < 3; q++)
            assert_int_equal(served[q], round + 1);
    }
    world_done(&world);
}

/* O2: a share that is at its end (M20: something of what is guaranteed as 0) never differs again; the queue
 * with less to do has its turns all the same. */
static void equal_for_good(void **state)
{
    (void)state;
    static const char *const ids[] = {"a", "b"};
    struct world world;
    char keys[20][8];
    begin(&world, HEAD "    queues:\n    - {name: a, resources: {guaranteed: {vcore: 0, memory: 1}}}\n"
                       "    - {name: b, resources: {guaranteed: {vcore: 0, memory: 1}}}\n");
    submit_in_a_row(&world, ids, 2, "root.");
    ask_with(&world, "b", "b-1", 100, 0, NULL);
    ask_with(&world, "b", "b-2", 100, 0, NULL);
    for (int i = 0; i < 20; i++) {
        (void)snprintf(keys[i], sizeof(keys[i]), "a-%d", i);
        ask_with(&world, "a", keys[i], 100, 0, NULL);
    }
    assert_int_equal(world_schedule_one(&world), 1);
    next_is(&world, "b-1");
    assert_int_equal(world_schedule_one(&world), 1);
    next_is(&world, "b-2");
    world_done(&world);
}

/* ---- applications ---- */

/* 8.2: both policies with both settings of priority. */
static void applications_in_a_leaf(void **state)
{
    (void)state;
    static const struct {
        const char *what, *properties, *order[3];
    } cases[] = {
        {"fifo: priority, then submission", "{}", {"new", "old", "busy"}},
        {"fifo: submission", "{application.sort.priority: disabled}", {"busy", "old", "new"}},
        {"fair: priority, then use", "{application.sort.policy: fair}", {"new", "old", "busy"}},
        {"fair: use, then priority",
         "{application.sort.policy: fair, application.sort.priority: disabled}",
         {"new", "old", "busy"}},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        static const char *const ids[] = {"busy", "old", "new"};
        struct world world;
        char config[512];
        (void)snprintf(config, sizeof(config), HEAD "    queues: [{name: q, properties: %s}]\n",
                       cases[i].properties);
        begin(&world, config);
        submit_in_a_row(&world, ids, 3, "root.q");
        ask_with(&world, "busy", "busy-1", 1000, 0, "n1");
        ask_with(&world, "old", "old-1", 10, 0, "n1");
        ask_with(&world, "busy", "busy", 100, 0, NULL);
        ask_with(&world, "old", "old", 100, 3, NULL);
        ask_with(&world, "new", "new", 100, 7, NULL);
        for (size_t at = 0; at < 3; at++) {
            assert_int_equal(world_schedule_one(&world), 1);
            if (strcmp(world.last_key, cases[i].order[at]) != 0)
                fail_msg("%s: %zu: %s, not %s", cases[i].what, at, world.last_key, cases[i].order[at]);
        }
        world_done(&world);
    }
}

/* O5: use is compared against the queue's own guarantee, type by type, the largest ratio first. */
static void fair_against_the_guarantee(void **state)
{
    (void)state;
    static const char *const ids[] = {"cpu", "mem"};
    static const struct {
        const char *guaranteed, *first;
    } cases[] = {{"{vcore: 10, memory: 100Mi}", "cpu"},  /* 0.1 of vcore against 0.2 of memory */
                 {"{vcore: 2, memory: 1000Mi}", "mem"}}; /* 0.5 against 0.02 */
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        char config[512];
        (void)snprintf(config, sizeof(config),
                       HEAD "    queues: [{name: q, resources: {guaranteed: %s}, properties: "
                            "{application.sort.policy: fair}}]\n",
                       cases[i].guaranteed);
        begin(&world, config);
        submit_in_a_row(&world, ids, 2, "root.q");
        world_ask_full(&world, "cpu", "cpu-1", 1000, 1, 0, YK_SI_CLASS_ANY, "n1");
        world_ask_full(&world, "mem", "mem-1", 10, 20, 0, YK_SI_CLASS_ANY, "n1");
        world_ask(&world, "cpu", "cpu", 100, 1);
        world_ask(&world, "mem", "mem", 100, 1);
        next_is(&world, cases[i].first);
        world_done(&world);
    }
}

static void ask_created(struct world *world, const char *app, const char *key, int64_t create_wall_ns)
{
    struct yk_resvec size = world_size(100, 1);
    const struct yk_si_allocation ask = {.key = key,
                                         .application_id = app,
                                         .resource = &size,
                                         .create_wall_ns = create_wall_ns,
                                         .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

/* O4: the oldest pod says when an application came, so that a restart does not change the order. */
static void submission_is_as_old_as_the_oldest_ask(void **state)
{
    (void)state;
    static const char *const ids[] = {"first", "second"};
    struct world world;
    begin(&world, HEAD "    queues: [{name: q}]\n");
    submit_in_a_row(&world, ids, 2, "root.q");
    int64_t now = yk_clock_wall_ns(&world.clock);
    ask_created(&world, "first", "first-1", now);
    ask_created(&world, "second", "second-1", now - 1000 * YK_NS_PER_S);
    next_is(&world, "second-1");
    next_is(&world, "first-1");
    world_done(&world);
}

/* O2: two of the same moment stand by their ids. */
static void equal_applications_stand_by_id(void **state)
{
    (void)state;
    struct world world;
    begin(&world, HEAD "    queues: [{name: q}]\n");
    world_submit(&world, "z", "root.q", "joe");
    world_submit(&world, "a", "root.q", "joe");
    world_ask(&world, "z", "z-1", 100, 1);
    world_ask(&world, "a", "a-1", 100, 1);
    next_is(&world, "a-1");
    world_done(&world);
}

/* ---- asks ---- */

/* O14: priority, creation, arrival. */
static void asks_of_an_application(void **state)
{
    (void)state;
    struct world world;
    begin(&world, HEAD "    queues: [{name: q}]\n");
    world_submit(&world, "app", "root.q", "joe");
    int64_t now = yk_clock_wall_ns(&world.clock);
    ask_created(&world, "app", "young", now);
    ask_created(&world, "app", "also", now);
    ask_created(&world, "app", "old", now - YK_NS_PER_S);
    ask_with(&world, "app", "high", 100, 9, NULL);
    world_ask(&world, "app", "other", 300, 1); /* another size, the same age as "young": came later */
    next_is(&world, "high");
    next_is(&world, "old");
    next_is(&world, "young");
    next_is(&world, "also");
    next_is(&world, "other");
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_against_guarantee_or_maximum),
        cmocka_unit_test(a_full_guarantee_does_not_go_first),
        cmocka_unit_test(each_queue_against_its_own_maximum),
        cmocka_unit_test(priorities_of_queues),
        cmocka_unit_test(a_reload_changes_priorities),
        cmocka_unit_test(larger_pending),
        cmocka_unit_test(equal_queues_take_turns),
        cmocka_unit_test(equal_for_good),
        cmocka_unit_test(applications_in_a_leaf),
        cmocka_unit_test(fair_against_the_guarantee),
        cmocka_unit_test(submission_is_as_old_as_the_oldest_ask),
        cmocka_unit_test(equal_applications_stand_by_id),
        cmocka_unit_test(asks_of_an_application),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
