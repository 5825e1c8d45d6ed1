/* SPDX-License-Identifier: Apache-2.0 */
/* Input through the scheduler interface that is missing, too long, too deep, too large or sent twice. */
#include "base/random.h"
#include "lib/core_world.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - "      \
    "name: root\n"                                                                                           \
    "    submitacl: '*'\n    queues:\n"

#define OPEN HEAD "    - name: a\n    - {name: dyn, parent: true}\n"

static enum yk_status ask(struct world *world, const struct yk_si_allocation *request)
{
    return yk_core_update_allocation(world->core, "rm", request);
}

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
    before = world.alloc_rejected; /* no other application is kept out */
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
        cmocka_unit_test(deep_and_wide_configurations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
