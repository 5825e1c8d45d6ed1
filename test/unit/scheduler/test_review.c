/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile input through the scheduler interface, long-lived state, and values that must match naive
 * recomputations. */
#include "scheduler/world.h"

#include "base/random.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - "      \
    "name: root\n"                                                                                           \
    "    submitacl: '*'\n    queues:\n"
#define OPEN HEAD "    - name: a\n    - {name: dyn, parent: true}\n"

static enum yk_status ask(struct world *world, const struct yk_si_allocation *request)
{
    return yk_core_update_allocation(world->core, "rm", request);
}

/* ---- hostile input ---- */

static void texts_that_are_missing(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, OPEN);
    world_node(&world, "n1", 4000, 4096);
    const struct yk_si_tag nameless[] = {{NULL, NULL}, {NULL, "x"}, {"", ""}, {"k", NULL}};
    const char *const no_groups[] = {NULL};
    struct yk_resvec size = world_size(1, 1);
    struct yk_si_new_app apps[] = {
        {0},
        {.application_id = ""},
        {.application_id = "a", .ugi = {.user = NULL}},
        {.application_id = "b",
         .queue = "root.a",
         .ugi = {.user = "joe", .groups = no_groups, .group_count = 1}},
        {.application_id = "c", .partition = "nowhere"},
    };
    for (size_t i = 0; i < YK_COUNT(apps); i++)
        assert_int_equal(yk_core_add_app(world.core, "rm", &apps[i]), YK_OK);
    assert_int_equal(world.app_rejected, YK_COUNT(apps));
    struct yk_si_new_app tagged = {
        .application_id = "ok", .queue = "root.a", .ugi = {.user = "joe"}, .tags = nameless, .tag_count = 4};
    assert_int_equal(yk_core_add_app(world.core, "rm", &tagged), YK_OK);
    assert_int_equal(world.app_accepted, 1);

    struct yk_si_allocation asks[] = {
        {0},
        {.key = "k"},
        {.key = "k", .application_id = "ok"},
        {.key = "k", .application_id = "nobody", .resource = &size},
        {.key = "k", .application_id = "ok", .resource = &size, .node_id = "nowhere"},
        {.key = "k", .application_id = "ok", .resource = &size, .placeholder = true},
        {.key = "k", .foreign = true, .resource = &size},
        {.key = "k", .application_id = "ok", .resource = &size, .partition = "nowhere"},
        {.application_id = "ok", .resource = &size},
    };
    for (size_t i = 0; i < YK_COUNT(asks); i++)
        assert_int_equal(ask(&world, &asks[i]), YK_OK);
    assert_int_equal(world.alloc_rejected, YK_COUNT(asks));

    struct yk_si_release releases[] = {
        {0}, {.application_id = "nobody"}, {.key = "nothing"}, {.partition = "nowhere"}};
    for (size_t i = 0; i < YK_COUNT(releases); i++)
        assert_int_equal(yk_core_release(world.core, "rm", &releases[i]), YK_OK);

    struct yk_si_node nodes[] = {
        {.action = YK_SI_NODE_CREATE},
        {.node_id = "", .action = YK_SI_NODE_CREATE},
        {.node_id = "x", .partition = "nowhere", .action = YK_SI_NODE_CREATE},
    };
    for (size_t i = 0; i < YK_COUNT(nodes); i++)
        assert_int_equal(yk_core_update_node(world.core, "rm", &nodes[i]), YK_OK);
    assert_int_equal(world.node_rejected, YK_COUNT(nodes));
    struct yk_si_node empty = {
        .node_id = "bare", .action = YK_SI_NODE_CREATE, .attributes = nameless, .attribute_count = 4};
    assert_int_equal(yk_core_update_node(world.core, "rm", &empty), YK_OK);
    assert_int_equal(world.node_accepted, 2);

    assert_int_equal(yk_core_add_app(world.core, NULL, &tagged), YK_ERR_NOT_FOUND);
    assert_int_equal(yk_core_remove_app(world.core, "rm", NULL, NULL), YK_OK);
    world_check(&world);
    world_done(&world);
}

static void only_new_nodes_get_answers(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, OPEN);
    for (int action = -3; action < 10; action++) {
        if (action == YK_SI_NODE_CREATE || action == YK_SI_NODE_CREATE_DRAIN)
            continue;
        struct yk_si_node update = {.node_id = "ghost", .action = (enum yk_si_node_action)action};
        assert_int_equal(yk_core_update_node(world.core, "rm", &update), YK_OK);
        update.partition = "nowhere";
        assert_int_equal(yk_core_update_node(world.core, "rm", &update), YK_OK);
        update = (struct yk_si_node){.action = (enum yk_si_node_action)action};
        assert_int_equal(yk_core_update_node(world.core, "rm", &update), YK_OK);
    }
    assert_int_equal(world.node_rejected + world.node_accepted, 0);
    assert_int_equal(world.core->metrics.nodes_failed, 0);
    world_done(&world);
}

static void names_that_are_too_long(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, OPEN);
    char *huge = yk_alloc0(1 << 20);
    memset(huge, 'x', (1 << 20) - 1);
    struct yk_resvec size = world_size(1, 1);
    world_submit(&world, "app", "root.a", "joe");
    struct yk_si_new_app apps[] = {
        {.application_id = huge, .queue = "root.a", .ugi = {.user = "joe"}},
        {.application_id = "b", .queue = huge, .ugi = {.user = "joe"}},
        {.application_id = "c", .queue = "root.a", .ugi = {.user = huge}},
    };
    for (size_t i = 0; i < YK_COUNT(apps); i++)
        assert_int_equal(yk_core_add_app(world.core, "rm", &apps[i]), YK_OK);
    assert_int_equal(world.app_rejected, 3);
    struct yk_si_allocation too_long = {.key = huge, .application_id = "app", .resource = &size};
    assert_int_equal(ask(&world, &too_long), YK_OK);
    too_long = (struct yk_si_allocation){.key = "k", .application_id = huge, .resource = &size};
    assert_int_equal(ask(&world, &too_long), YK_OK);
    assert_int_equal(world.alloc_rejected, 2);
    struct yk_si_node node = {.node_id = huge, .action = YK_SI_NODE_CREATE, .capacity = &size};
    assert_int_equal(yk_core_update_node(world.core, "rm", &node), YK_OK);
    assert_int_equal(world.node_rejected, 1);
    free(huge);
    world_check(&world);
    world_done(&world);
}

/* "root.dyn.q.q. ... .q" */
static char *path_of(size_t levels)
{
    struct yk_buf path = {0};
    yk_buf_text(&path, "root.dyn");
    for (size_t i = 0; i < levels; i++)
        yk_buf_text(&path, ".q");
    return yk_buf_take(&path);
}

static void deep_queue_paths(void **state)
{
    (void)state;
    static const struct {
        size_t levels;
        bool accepted;
    } cases[] = {{999, true}, {1000, false}, {2044, false}, {2045, false}, {100000, false}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        world_init(&world, OPEN);
        world_node(&world, "n1", 4000, 4096);
        char *path = path_of(cases[i].levels);
        world_submit(&world, "app", path, "joe");
        if ((world.app_accepted == 1) != cases[i].accepted)
            fail_msg("%zu levels: %s", cases[i].levels, world.last_reason);
        if (!cases[i].accepted) {
            assert_int_equal(world_queue(&world, "root.dyn")->children.count, 0);
            free(path);
            world_done(&world);
            continue;
        }
        world_ask_full(&world, "app", "k", 100, 10, INT32_MAX, YK_SI_CLASS_ANY, NULL);
        assert_int_equal(world_schedule(&world), 1);
        world_release(&world, "app", "", YK_SI_STOPPED_BY_RM);
        assert_int_equal(yk_core_remove_app(world.core, "rm", "app", NULL), YK_OK);
        world_advance(&world, 11);
        assert_int_equal(world_queue(&world, "root.dyn")->children.count, 0); /* all levels are gone */
        free(path);
        world_done(&world);
    }
}

static void amounts_that_do_not_add_up(void **state)
{
    (void)state;
    static const int64_t refused[] = {INT64_MAX, INT64_MAX / 2, INT64_MIN, -1, YK_SI_AMOUNT_MAX + 1, 0};
    struct world world;
    world_init(&world, OPEN);
    world_node(&world, "n1", 4000, 4096);
    world_submit(&world, "app", "root.a", "joe");
    world_ask(&world, "app", "good", 100, 10);
    assert_int_equal(world_schedule(&world), 1);
    for (size_t i = 0; i < YK_COUNT(refused); i++) {
        YK_RESVEC(size);
        yk_resvec_put(&size, YK_RESTYPE_MEMORY, refused[i]);
        struct yk_si_allocation requests[] = {
            {.key = "one", .application_id = "app", .resource = &size},
            {.key = "two", .application_id = "app", .resource = &size},
            {.key = "good", .application_id = "app", .resource = &size},
            {.key = "bound", .application_id = "app", .resource = &size, .node_id = "n1"},
            {.key = "foreign", .resource = &size, .node_id = "n1", .foreign = true},
        };
        for (size_t r = 0; r < YK_COUNT(requests); r++)
            assert_int_equal(ask(&world, &requests[r]), YK_OK);
        world_check(&world);
    }
    assert_int_equal(world.alloc_rejected, YK_COUNT(refused) * 5);
    assert_int_equal(world_app(&world, "app")->asks.count, 1);

    /* As many of the largest as the books take, then one refusal; all of them come off again exactly. */
    YK_RESVEC(largest);
    yk_resvec_put(&largest, YK_RESTYPE_MEMORY, YK_SI_AMOUNT_MAX);
    size_t before = world.alloc_rejected;
    for (int i = 0; i < 8200; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "k%d", i);
        struct yk_si_allocation request = {.key = key, .application_id = "app", .resource = &largest};
        assert_int_equal(ask(&world, &request), YK_OK);
    }
    assert_true(world.alloc_rejected > before);
    world_check(&world);
    before = world.alloc_rejected; /* nobody else is kept out */
    world_ask(&world, "app", "ordinary", 100, 10);
    assert_int_equal(world.alloc_rejected, before);
    assert_int_equal(world_schedule(&world), 1);
    world_check(&world);
    world_release(&world, "app", "", YK_SI_STOPPED_BY_RM);
    world_check(&world);
    assert_true(yk_resvec_is_zero(&world_partition(&world)->root->pending));
    world_done(&world);
}

static void node_capacities_that_do_not_add_up(void **state)
{
    (void)state;
    static const int64_t refused[] = {INT64_MAX, INT64_MIN, -1, YK_SI_AMOUNT_MAX + 1};
    struct world world;
    world_init(&world, OPEN);
    world_node(&world, "n1", 4000, 4096);
    for (size_t i = 0; i < YK_COUNT(refused); i++) {
        YK_RESVEC(capacity);
        yk_resvec_put(&capacity, YK_RESTYPE_MEMORY, refused[i]);
        struct yk_si_node create = {.node_id = "n2", .action = YK_SI_NODE_CREATE, .capacity = &capacity};
        struct yk_si_node update = {.node_id = "n1", .action = YK_SI_NODE_UPDATE, .capacity = &capacity};
        assert_int_equal(yk_core_update_node(world.core, "rm", &create), YK_OK);
        assert_int_equal(yk_core_update_node(world.core, "rm", &update), YK_OK);
    }
    assert_int_equal(world.node_rejected, YK_COUNT(refused));
    struct yk_resvec want = world_size(4000, 4096);
    yk_resvec_put(&want, YK_RESTYPE_PODS, 110);
    assert_true(yk_resvec_eq(&world_partition(&world)->root->max, &want));
    world_node_action(&world, "n1", YK_SI_NODE_DECOMMISSION);
    assert_false(world_partition(&world)->root->has_max);
    world_done(&world);
}

/* M4: a type that no node offers is refused only if some of it is asked for. */
static void nothing_of_a_type_fits_anywhere(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, OPEN);
    world_node(&world, "n1", 4000, 4096);
    world_submit(&world, "app", "root.a", "joe");
    struct yk_resvec size = world_size(100, 10);
    yk_resvec_put(&size, YK_RESTYPE_EPHEMERAL_STORAGE, 0);
    struct yk_si_allocation request = {
        .key = "k", .application_id = "app", .resource = &size, .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(ask(&world, &request), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    yk_resvec_put(&size, YK_RESTYPE_EPHEMERAL_STORAGE, 1);
    request.key = "k2";
    assert_int_equal(ask(&world, &request), YK_OK);
    assert_int_equal(world_schedule(&world), 0);
    world_done(&world);
}

static void everything_twice(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, OPEN);
    for (int round = 0; round < 2; round++) {
        world_node(&world, "n1", 4000, 4096);
        world_node(&world, "n2", 4000, 4096);
        world_submit(&world, "app", "root.dyn.x", "joe");
        for (int i = 0; i < 2; i++) {
            world_ask(&world, "app", "k1", 3000, 10);
            world_ask(&world, "app", "k2", 3000, 10);
            world_ask(&world, "app", "k3", 3000, 10);
        }
        (void)world_schedule(&world);
    }
    assert_int_equal(world.allocated, 2);
    assert_int_equal(world.node_rejected, 2);
    assert_int_equal(world.app_rejected, 1);
    static const char *const keys[] = {"k1", "k2", "k3", "", "none"};
    for (int termination = -1; termination < 8; termination++) {
        for (size_t i = 0; i < YK_COUNT(keys); i++) {
            world_release(&world, "app", keys[i], (enum yk_si_termination)termination);
            world_release(&world, "app", keys[i], (enum yk_si_termination)termination);
            world_check(&world);
        }
        world_node_action(&world, "n1", YK_SI_NODE_DECOMMISSION);
        world_node_action(&world, "n1", YK_SI_NODE_DECOMMISSION);
        world_node(&world, "n1", 4000, 4096);
        world_ask(&world, "app", "k1", 3000, 10);
        (void)world_schedule(&world);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(yk_core_remove_app(world.core, "rm", "app", NULL), YK_OK);
    world_check(&world);
    assert_int_equal(world_partition(&world)->allocation_count, 0);
    assert_int_equal(world_partition(&world)->shapes.count, 0);
    world_done(&world);
}

/* ---- orders ---- */

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
        assert_int_equal(world_queue(&world, "root.a")->waiting_apps.count, WAITING);
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

/* ---- priorities ---- */

static int32_t naive_priority(const struct yk_queue *queue)
{
    int32_t highest = INT32_MIN;
    const struct yk_app *app;
    yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf) {
        const struct yk_ask *each;
        yk_text_set_foreach (each, &app->asks) {
            if (yk_ask_is_pending(each))
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

/* ---- dynamic queues ---- */

static void submit_tagged(struct world *world, const char *id, const char *queue, const char *max,
                          const char *guaranteed, const char *apps)
{
    struct yk_si_tag tags[3];
    size_t count = 0;
    if (max != NULL)
        tags[count++] = (struct yk_si_tag){"namespace.resourcequota", max};
    if (guaranteed != NULL)
        tags[count++] = (struct yk_si_tag){"Namespace.ResourceGuaranteed", guaranteed};
    if (apps != NULL)
        tags[count++] = (struct yk_si_tag){"namespace.resourcemaxapps", apps};
    struct yk_si_new_app app = {
        .application_id = id, .queue = queue, .ugi = {.user = "joe"}, .tags = tags, .tag_count = count};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
}

/* R40: each line on top of those before. 0: not set. */
static void namespace_tags(void **state)
{
    (void)state;
#define VCORE(n) "{\"resources\":{\"vcore\":{\"value\":" n "}}}"
    static const struct {
        const char *what, *max, *guaranteed, *apps;
        int64_t want_max, want_guaranteed;
        uint64_t want_apps;
    } lines[] = {
        {"the template", NULL, NULL, NULL, 7000, 6000, 9},
        {"only a maximum clears the guarantee", VCORE("5000"), NULL, NULL, 5000, 0, 9},
        {"only applications", NULL, NULL, "4", 5000, 0, 4},
        {"0 applications says nothing", NULL, NULL, "0", 5000, 0, 4},
        {"a negative number says nothing", NULL, NULL, "-1", 5000, 0, 4},
        {"only a guarantee clears the maximum", NULL, VCORE("1000"), NULL, 0, 1000, 4},
        {"both", VCORE("3000"), VCORE("2000"), "5", 3000, 2000, 5},
        {"no tag at all", NULL, NULL, NULL, 3000, 2000, 5},
        {"not JSON", "{", "[]", "x", 3000, 2000, 5},
        {"zero", VCORE("0"), NULL, NULL, 3000, 2000, 5},
        {"negative", VCORE("-5"), NULL, NULL, 3000, 2000, 5},
        {"a text for a number", VCORE("\"5\""), NULL, NULL, 3000, 2000, 5},
        {"too large for a number", VCORE("92233720368547758080"), NULL, NULL, 3000, 2000, 5},
        {"empty", "", "{}", "", 3000, 2000, 5},
        {"a type that nobody has, alone", "{\"resources\":{\"example.com/odd\":{\"value\":1}}}", NULL, NULL,
         0, 0, 5},
    };
    struct world world;
    world_init(&world, HEAD "    - {name: dyn, parent: true, childtemplate: {maxapplications: 9, "
                            "resources: {max: {vcore: 7}, guaranteed: {vcore: 6}}}}\n    - name: managed\n");
    int types = yk_restype_count();
    for (size_t i = 0; i < YK_COUNT(lines); i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "app%zu", i);
        submit_tagged(&world, id, "root.dyn.ns", lines[i].max, lines[i].guaranteed, lines[i].apps);
        const struct yk_queue *queue = world_queue(&world, "root.dyn.ns");
        int64_t max = queue->has_max ? yk_resvec_get(&queue->max, YK_RESTYPE_VCORE) : 0;
        int64_t guaranteed = queue->has_guaranteed ? yk_resvec_get(&queue->guaranteed, YK_RESTYPE_VCORE) : 0;
        if (max != lines[i].want_max || guaranteed != lines[i].want_guaranteed ||
            queue->max_apps != lines[i].want_apps)
            fail_msg("%s: max %lld, guaranteed %lld, applications %llu", lines[i].what, (long long)max,
                     (long long)guaranteed, (unsigned long long)queue->max_apps);
    }
    assert_int_equal(yk_restype_count(), types); /* nobody can use up the table of types */
    submit_tagged(&world, "m", "root.managed", VCORE("1"), VCORE("1"), "1");
    assert_false(world_queue(&world, "root.managed")->has_max);
    assert_int_equal(world_queue(&world, "root.managed")->max_apps, 0);
    world_check(&world);
    world_done(&world);
#undef VCORE
}

/* R40: a quota on a type that no node has yet counts as soon as one has it, also for who runs already. */
static void namespace_tags_wait_for_their_type(void **state)
{
    (void)state;
    static const char quota[] =
        "{\"resources\":{\"vcore\":{\"value\":5000},\"example.com/later\":{\"value\":2}}}";
    struct world world;
    int type;
    world_init(&world, HEAD "    - {name: dyn, parent: true}\n");
    world_node(&world, "n1", 8000, 8192);
    submit_tagged(&world, "a", "root.dyn.ns", quota, NULL, NULL);
    submit_tagged(&world, "b", "root.dyn.gone", quota, quota, NULL);
    const struct yk_queue *leaf = world_queue(&world, "root.dyn.ns");
    assert_int_equal(yk_resvec_get(&leaf->max, YK_RESTYPE_VCORE), 5000);
    assert_int_equal(yk_resvec_count(&leaf->max), 1);
    assert_int_equal(yk_core_remove_app(world.core, "rm", "b", NULL), YK_OK);
    world_advance(&world, 30);
    assert_null(world_queue(&world, "root.dyn.gone")); /* it waits no more */
    assert_int_equal(yk_restype_add(YK_STR("example.com/later"), &type, NULL), YK_OK);
    world_node(&world, "n2", 8000, 8192);
    assert_int_equal(yk_resvec_get(&leaf->max, type), 2);
    assert_int_equal(yk_resvec_get(&leaf->max, YK_RESTYPE_VCORE), 5000);
    assert_true(yk_list_empty(&world_partition(&world)->type_waits));
    world_check(&world);
    world_done(&world);
}

static void queue_made_for_a_refused_gang_is_cleaned(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               HEAD "    - {name: dyn, parent: true, childtemplate: {resources: {max: {vcore: 1}}}}\n");
    struct yk_resvec gang = world_size(5000, 10);
    struct yk_si_new_app app = {
        .application_id = "gang", .queue = "root.dyn.x.y", .ugi = {.user = "joe"}, .placeholder_ask = &gang};
    assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
    assert_int_equal(world.app_rejected, 1);
    world_advance(&world, 11);
    assert_int_equal(world_queue(&world, "root.dyn")->children.count, 0);
    world_done(&world);
}

/* ---- registration and configuration ---- */

static const struct yk_si_callbacks deaf = {0};

static void registering_again_starts_from_nothing(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, OPEN);
    world_node(&world, "n1", 4000, 4096);
    world_submit(&world, "app", "root.dyn.x", "joe");
    world_submit(&world, "refused", "root.a.b.c", "joe");
    world_ask(&world, "app", "k1", 3000, 10);
    world_ask(&world, "app", "k2", 3000, 10);
    assert_int_equal(world_schedule(&world), 1);
    struct yk_err err = {0};
    struct yk_si_register again = {.rm_id = "rm"}; /* the built-in configuration */
    assert_int_equal(yk_core_register(world.core, &again, &deaf, NULL, &err), YK_OK);
    assert_int_equal(world_partition(&world)->allocation_count, 0);
    assert_int_equal(world_partition(&world)->node_count, 0);
    assert_null(world_app(&world, "app"));
    world_check(&world);
    world_node(&world, "n1", 4000, 4096);
    struct yk_si_tag space = {"namespace", "team"};
    struct yk_si_new_app app = {
        .application_id = "app", .ugi = {.user = "joe"}, .tags = &space, .tag_count = 1};
    assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
    assert_string_equal(world_app(&world, "app")->queue_path, "root.team");
    world_ask(&world, "app", "k1", 3000, 10);
    assert_int_equal(world_schedule(&world), 1);
    struct yk_si_register bad = {.rm_id = "rm", .config = YK_STR("partitions: 5")};
    assert_int_not_equal(yk_core_register(world.core, &bad, &deaf, NULL, &err), YK_OK);
    assert_int_equal(world.core->rms.count, 0);
    assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_ERR_NOT_FOUND);
    world_done(&world);
}

static char *nested_config(size_t levels)
{
    struct yk_buf text = {0};
    yk_buf_text(&text, "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [");
    for (size_t i = 0; i < levels; i++)
        yk_buf_text(&text, "{name: q, queues: [");
    yk_buf_text(&text, "{name: leaf}");
    for (size_t i = 0; i < levels; i++)
        yk_buf_text(&text, "]}");
    yk_buf_text(&text, "]}]}]");
    return yk_buf_take(&text);
}

static char *wide_config(size_t queues)
{
    struct yk_buf text = {0};
    yk_buf_text(&text, HEAD);
    for (size_t i = 0; i < queues; i++)
        yk_buf_printf(&text, "    - {name: q%zu, resources: {max: {vcore: 1}}}\n", i);
    return yk_buf_take(&text);
}

static void deep_and_wide_configurations(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, OPEN);
    static const size_t depths[] = {50, 500, 990, 1100, 20000};
    for (size_t i = 0; i < YK_COUNT(depths); i++) {
        char *text = nested_config(depths[i]);
        const char *refusal = world_reload(&world, text);
        if (depths[i] > 1000 && refusal == NULL)
            fail_msg("%zu levels accepted", depths[i]);
        if (depths[i] == 50 && refusal != NULL)
            fail_msg("%zu levels refused: %s", depths[i], refusal);
        world_check(&world);
        free(text);
    }
    char *text = wide_config(5000);
    assert_null(world_reload(&world, text));
    assert_non_null(world_queue(&world, "root.q4999"));
    free(text);
    assert_null(world_reload(&world, OPEN));
    world_advance(&world, 11);
    assert_int_equal(world_queue(&world, "root")->children.count, 2);
    world_done(&world);
}

/* ---- what stays ---- */

static void same_rejected_application_takes_one_place(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, OPEN);
    for (int i = 0; i < 100; i++)
        world_submit(&world, "nobody's", "root.a", "");
    world_submit(&world, "another", "root.a", "");
    assert_int_equal(world.app_rejected, 101);
    const struct yk_partition *partition = world_partition(&world);
    assert_int_equal(partition->rejected_count, 2);
    assert_int_equal(partition->apps_by_state[YK_APP_REJECTED], 2);
    for (int day = 0; day < 5; day++)
        world_advance(&world, 86400);
    assert_int_equal(partition->rejected_count, 0);
    assert_int_equal(partition->rejected_by_id.count, 0);
    world_submit(&world, "nobody's", "root.a", "");
    assert_int_equal(partition->rejected_count, 1);
    world_done(&world);
}

static void hundred_thousand_applications_leave_nothing(void **state)
{
    (void)state;
    enum { APPS = 100000, AT_ONCE = 100 };
    struct world world;
    world_init(&world, OPEN);
    world_node(&world, "n1", 1000000, 1000000);
    struct yk_partition *partition = world_partition(&world);
    for (int i = 0; i < APPS; i++) {
        char id[16], queue[32], user[16];
        (void)snprintf(id, sizeof(id), "p%d", i);
        (void)snprintf(queue, sizeof(queue), "root.dyn.q%d", i % 500);
        (void)snprintf(user, sizeof(user), "u%d", i % 300);
        world_submit(&world, id, queue, user);
        world_ask(&world, id, "k", 1 + i % 7, 1);
        if (i % AT_ONCE < AT_ONCE - 1)
            continue;
        assert_int_equal(yk_core_schedule(world.core, SIZE_MAX, INT64_MAX), AT_ONCE);
        for (int back = 0; back < AT_ONCE; back++) {
            (void)snprintf(id, sizeof(id), "p%d", i - back);
            world_release(&world, id, "k", YK_SI_STOPPED_BY_RM);
        }
        world_advance(&world, 31);
    }
    world_advance(&world, 31);
    assert_int_equal(partition->apps.count, 0);
    assert_int_equal(partition->completed_count, APPS);
    for (int day = 0; day < 5; day++)
        world_advance(&world, 86400);
    assert_int_equal(partition->completed_count, 0);
    assert_int_equal(partition->usages.users.count, 0);
    assert_int_equal(partition->shapes.count, 0);
    assert_int_equal(partition->allocation_count, 0);
    assert_int_equal(partition->root->children.count, 2);
    assert_int_equal(world_queue(&world, "root.dyn")->children.count, 0);
    assert_true(yk_resvec_is_empty(&partition->root->allocated) &&
                yk_resvec_is_empty(&partition->root->pending));
    assert_int_equal(partition->root->priorities.count, 0);
    for (int s = 0; s < YK_APP_STATE_COUNT; s++)
        assert_int_equal(partition->apps_by_state[s], 0);
    assert_true(world.timers.heap.count <= 2); /* sweep, cleaner */
    world_check(&world);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_that_are_missing),
        cmocka_unit_test(only_new_nodes_get_answers),
        cmocka_unit_test(names_that_are_too_long),
        cmocka_unit_test(deep_queue_paths),
        cmocka_unit_test(amounts_that_do_not_add_up),
        cmocka_unit_test(node_capacities_that_do_not_add_up),
        cmocka_unit_test(nothing_of_a_type_fits_anywhere),
        cmocka_unit_test(everything_twice),
        cmocka_unit_test(release_keeps_fair_applications_in_order),
        cmocka_unit_test(equal_queues_take_turns),
        cmocka_unit_test(priorities_reach_the_root),
        cmocka_unit_test(namespace_tags),
        cmocka_unit_test(namespace_tags_wait_for_their_type),
        cmocka_unit_test(queue_made_for_a_refused_gang_is_cleaned),
        cmocka_unit_test(registering_again_starts_from_nothing),
        cmocka_unit_test(deep_and_wide_configurations),
        cmocka_unit_test(same_rejected_application_takes_one_place),
        cmocka_unit_test(hundred_thousand_applications_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
