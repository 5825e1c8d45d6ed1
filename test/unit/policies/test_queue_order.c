/* SPDX-License-Identifier: Apache-2.0 */
/* The order of queues and applications, read from a core: shares, turns and priorities. */
#include "base/random.h"
#include "lib/core_world.h"
#include "partition/housekeeping.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - "      \
    "name: root\n"                                                                                           \
    "    submitacl: '*'\n    queues:\n"

/*
 * Applications of a fair leaf: some may be tried, the others wait for a node. A release changes the usage of
 * one of the former and frees the node that the latter wait for: both are in order afterwards
 * (world_check()).
 */
static void release_keeps_fair_applications_in_order(void **state)
{
    (void)state;
    enum { READY = 6, WAITING = 6, NODE = 60000 };
    struct yk_random random;
    yk_random_init(&random, 3);
    for (int round = 0; round < 60; round++) {
        struct world world;
        char app[16];
        int64_t free_now = NODE;
        world_init(&world, HEAD "    - {name: a, properties: {application.sort.policy: fair}}\n");
        world_node(&world, "n1", NODE, 8192);
        for (int i = 0; i < READY + WAITING; i++) {
            int64_t vcore = 100 + (int64_t)yk_random_below(&random, 4000);
            free_now -= vcore;
            (void)snprintf(app, sizeof(app), "p%d", i);
            world_submit(&world, app, "root.a", "joe");
            world_ask(&world, app, "placed", vcore, 0);
        }
        assert_int_equal(world_schedule(&world), READY + WAITING);
        for (int i = READY; i < READY + WAITING; i++) {
            (void)snprintf(app, sizeof(app), "p%d", i);
            world_ask(&world, app, "large", free_now + 1, 0);
        }
        assert_int_equal(world_schedule(&world), 0);
        for (int i = 0; i < READY; i++) {
            (void)snprintf(app, sizeof(app), "p%d", i);
            world_ask(&world, app, "small", 10, 0);
        }
        (void)snprintf(app, sizeof(app), "p%d", (int)yk_random_below(&random, READY));
        world_release(&world, app, "placed", YK_SI_STOPPED_BY_RM);
        world_check(&world);
        assert_int_equal(world_queue(&world, "root.a")->active_apps.count, READY);
        assert_int_equal(world_queue(&world, "root.a")->waiting.apps.count, WAITING);
        world_done(&world);
    }
}

static void equal_queues_take_turns(void **state)
{
    (void)state;
    struct world world;
    char order[8] = {0};
    world_init(&world, HEAD "    - name: c\n    - name: b\n    - name: a\n");
    /* No maximum below the root and no share yet: the nodes are huge, so shares stay equal in steps of
     * three. */
    world_node(&world, "n1", 9000, 9000);
    static const char *const queues[] = {"root.c", "root.b", "root.a"};
    for (size_t i = 0; i < YK_COUNT(queues); i++) {
        world_submit(&world, queues[i], queues[i], "joe");
        world_ask(&world, queues[i], "1", 100, 10);
        world_ask(&world, queues[i], "2", 100, 10);
    }
    for (int i = 0; i < 6; i++) {
        assert_int_equal(world_schedule_one(&world), 1);
        const struct yk_node *node = yk_partition_find_node(world_partition(&world), "n1");
        const struct yk_ask *last = YK_CONTAINER(node->allocations.prev, struct yk_ask, in_node);
        order[i] = yk_ask_app(last)->id[5];
    }
    assert_string_equal(order, "abcabc");
    world_done(&world);
}

static int32_t naive_priority(const struct yk_queue *queue)
{
    int32_t highest = INT32_MIN;
    const struct yk_app *app;
    yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf) {
        const struct yk_ask *each;
        yk_text_set_foreach (each, &app->asks) {
            if (yk_ask_is_pending(each) && yk_group_lends_priority(each->group))
                highest = YK_MAX(highest, yk_ask_priority(each));
        }
    }
    const struct yk_queue *child;
    yk_list_foreach (child, &queue->child_list, struct yk_queue, in_children)
        highest = YK_MAX(highest, naive_priority(child));
    if (highest == INT32_MIN)
        return INT32_MIN;
    if (queue->settings.priority_policy == YK_PRIORITY_FENCE)
        return queue->settings.priority_offset;
    int64_t sum = (int64_t)highest + queue->settings.priority_offset;
    return sum > INT32_MAX ? INT32_MAX : sum <= INT32_MIN ? INT32_MIN + 1 : (int32_t)sum;
}

static void check_priorities(struct world *world)
{
    struct yk_queue *root = world_partition(world)->root;
    for (const struct yk_queue *queue = root; queue != NULL; queue = yk_queue_next(queue, root)) {
        if (queue->priority != naive_priority(queue))
            fail_msg("priority of %s is %d, not %d", queue->path, queue->priority, naive_priority(queue));
    }
}

static void priorities_reach_the_root(void **state)
{
    (void)state;
    static const char *const configs[] = {
        HEAD
        "    - {name: a, parent: true, properties: {priority.offset: '5'}, queues: [{name: x}, "
        "{name: y, properties: {priority.offset: '-2147483648'}}]}\n"
        "    - {name: b, properties: {priority.policy: fence, priority.offset: '-7'}}\n"
        "    - {name: dyn, parent: true, childtemplate: {properties: {priority.offset: '2147483647'}}}\n",
        HEAD "    - {name: a, parent: true, properties: {priority.policy: fence}, queues: [{name: x}, {name: "
             "y}]}\n"
             "    - {name: b, properties: {application.sort.priority: disabled}}\n    - {name: dyn, parent: "
             "true}\n",
    };
    static const char *const queues[] = {"root.a.x", "root.a.y", "root.b", "root.dyn.d", "root.dyn.e"};
    static const int32_t priorities[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, 100, INT32_MAX - 1, INT32_MAX};
    struct yk_random random;
    struct world world;
    yk_random_init(&random, 5);
    world_init(&world, configs[0]);
    world_node(&world, "n1", 2000, 2048);
    for (int step = 0; step < 3000; step++) {
        char app[16], key[16];
        (void)snprintf(app, sizeof(app), "p%d", (int)yk_random_below(&random, 8));
        (void)snprintf(key, sizeof(key), "k%d", (int)yk_random_below(&random, 4));
        uint64_t choice = yk_random_below(&random, 20);
        if (choice < 4)
            world_submit(&world, app, queues[yk_random_below(&random, YK_COUNT(queues))], "joe");
        else if (choice < 12)
            world_ask_full(&world, app, key, 100 * (int64_t)(1 + yk_random_below(&random, 3)), 10,
                           priorities[yk_random_below(&random, YK_COUNT(priorities))], YK_SI_CLASS_ANY, NULL);
        else if (choice < 15)
            world_release(&world, app, key, YK_SI_STOPPED_BY_RM);
        else if (choice < 16)
            assert_int_equal(yk_core_remove_app(world.core, "rm", app, NULL), YK_OK);
        else if (choice < 18)
            (void)world_schedule_one(&world);
        else if (choice < 19)
            world_advance(&world, 12);
        else
            assert_null(world_reload(&world, configs[yk_random_below(&random, YK_COUNT(configs))]));
        world_check(&world);
        check_priorities(&world);
    }
    world_done(&world);
}

#define HEAD_rows                                                                                            \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"                     \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"

/* O10: x uses half of what it is guaranteed, y without a guarantee 0.3 of what there is: the share of y is
 * the smaller one, though it has more. Queues below their guarantee go first all the same (O8). */
static void shares_fall_back_to_the_fair_maximum(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD_rows "    - {name: x, resources: {guaranteed: {vcore: 4}}}\n    - {name: y}\n");
    world_node(&world, "n1", 10000, 10240);
    world_submit(&world, "ax", "root.x", "joe");
    world_submit(&world, "ay", "root.y", "joe");
    world_ask_full(&world, "ax", "x1", 2000, 1, 0, YK_SI_CLASS_ANY, "n1");
    world_ask_full(&world, "ay", "y1", 3000, 1, 0, YK_SI_CLASS_ANY, "n1");
    world_ask(&world, "ax", "x2", 100, 1);
    world_ask(&world, "ay", "y2", 100, 1);
    assert_true(world_queue(&world, "root.y")->share < world_queue(&world, "root.x")->share);
    assert_int_equal(world_schedule_one(&world), 1);
    assert_string_equal(world.last_key, "x2");
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(release_keeps_fair_applications_in_order),
        cmocka_unit_test(equal_queues_take_turns),
        cmocka_unit_test(priorities_reach_the_root),
        cmocka_unit_test(shares_fall_back_to_the_fair_maximum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
