/* SPDX-License-Identifier: Apache-2.0 */
/* Long answers: order, window, and slices between which the cluster changes. */
#include "web/browser.h"

#define P "/ws/v1/partition/default"

static const char config[] =
    "partitions: [{name: default, placementrules: [{name: provided, create: true}], "
    "queues: [{name: root, submitacl: '*', queues: [{name: leaf}, {name: dyn, parent: true}]}]}]";

struct change { /* what happens between two slices */
    struct world *world;
    int slices;
    void (*act)(struct change *change);
};

static void between(void *context)
{
    struct change *change = context;
    change->slices++;
    if (change->act != NULL)
        change->act(change);
}

static json_t *browse_in_slices(struct change *change, const char *target)
{
    return browse_slices(change->world, target, between, change);
}

static void add_nodes(struct world *world, int count)
{
    for (int i = count; i > 0; i--) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%05d", i);
        world_node(world, id, 1000, 1000);
    }
}

/* Slices give what one go gives. */
static void same_bytes_in_slices(void **state)
{
    (void)state;
    static const char *const targets[] = {P "/nodes",
                                          P "/queues",
                                          P "/queue/root.dyn?subtree",
                                          P "/applications/active",
                                          P "/application/big",
                                          P "/applications/completed",
                                          "/ws/v1/partitions"};
    struct world world;
    world_init(&world, config);
    add_nodes(&world, 20);
    for (int i = 0; i < 10; i++) {
        char id[32], queue[32];
        (void)snprintf(id, sizeof(id), "app-%d", i);
        (void)snprintf(queue, sizeof(queue), "root.dyn.a%d.b", i % 3);
        world_submit(&world, id, queue, "ann");
        world_ask(&world, id, id, 1, 1);
    }
    world_submit(&world, "big", "root.leaf", "ann");
    for (int i = 0; i < 600; i++) { /* more than are written at once */
        char key[32];
        (void)snprintf(key, sizeof(key), "key-%d", i);
        world_ask(&world, "big", key, 50, 1);
    }
    assert_true(world_schedule(&world) > 300);
    world_release(&world, "app-3", "app-3", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 31);
    for (size_t i = 0; i < YK_COUNT(targets); i++) {
        struct change change = {.world = &world};
        json_t *whole = browse_json(&world, targets[i]), *sliced = browse_in_slices(&change, targets[i]);
        if (!json_equal(whole, sliced))
            fail_msg("%s differs", targets[i]);
        json_decref(whole);
        json_decref(sliced);
    }
    json_t *json = browse_json(&world, P "/application/big");
    assert_int_equal(json_array_size(look(json, "requests")) + json_array_size(look(json, "allocations")),
                     600);
    assert_true(json_array_size(look(json, "requests")) > 0);
    json_decref(json);
    world_done(&world);
}

static void remove_nodes(struct change *change)
{
    char id[32];
    (void)snprintf(id, sizeof(id), "node-%05d", change->slices * 3);
    world_node_action(change->world, id, YK_SI_NODE_DECOMMISSION);
    (void)snprintf(id, sizeof(id), "later-%05d", change->slices);
    world_node(change->world, id, 1, 1);
}

static void nodes_come_and_go(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    add_nodes(&world, 100);
    struct change change = {.world = &world, .act = remove_nodes};
    json_t *json = browse_in_slices(&change, P "/nodes");
    size_t count = json_array_size(json);
    assert_true(change.slices > 50);
    assert_true(count > 60 && count < 100); /* gone before their turn: left out */
    for (size_t i = 1; i < count; i++)
        assert_true(strcmp(json_string_value(json_object_get(json_array_get(json, i - 1), "nodeID")),
                           json_string_value(json_object_get(json_array_get(json, i), "nodeID"))) < 0);
    json_decref(json);
    world_done(&world);
}

static void remove_apps(struct change *change)
{
    char id[32];
    (void)snprintf(id, sizeof(id), "app-%d", change->slices * 2);
    assert_int_equal(yk_core_remove_app(change->world->core, "rm", id, NULL), YK_OK);
    world_advance(change->world, 30); /* and its queue */
}

static void queues_and_apps_go(void **state)
{
    (void)state;
    static const char *const targets[] = {P "/queues", P "/queue/root.dyn?subtree", P "/applications/active"};
    for (size_t t = 0; t < YK_COUNT(targets); t++) {
        struct world world;
        world_init(&world, config);
        for (int i = 0; i < 40; i++) {
            char id[32], queue[64];
            (void)snprintf(id, sizeof(id), "app-%d", i);
            (void)snprintf(queue, sizeof(queue), "root.dyn.a%d.b%d", i % 7, i);
            world_submit(&world, id, queue, "ann");
        }
        struct change change = {.world = &world, .act = remove_apps};
        json_t *json = browse_in_slices(&change, targets[t]);
        assert_true(change.slices > 10);
        json_decref(json);
        world_done(&world);
    }
}

static void remove_everything(struct change *change)
{
    if (change->slices == 3)
        assert_int_equal(yk_core_remove_app(change->world->core, "rm", "big", NULL), YK_OK);
}

static void large_application_goes_in_the_middle(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_submit(&world, "big", "root.leaf", "ann");
    for (int i = 0; i < 600; i++) {
        char key[32];
        (void)snprintf(key, sizeof(key), "key-%d", i);
        world_ask(&world, "big", key, 50, 1);
    }
    struct change change = {.world = &world, .act = remove_everything};
    json_t *json = browse_in_slices(&change, P "/application/big");
    assert_string_equal(look_text(json, "applicationID"), "big");
    assert_true(json_array_size(look(json, "requests")) < 600);
    json_decref(json);
    world_done(&world);
}

static void sweep(struct change *change)
{
    if (change->slices == 5)
        world_advance(change->world, 5 * 24 * 3600); /* the ended ones expire, and are freed a sweep later */
}

static void the_daily_sweep_comes_in_between(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    for (int i = 0; i < 30; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "bad-%d", i);
        world_submit(&world, id, "root.leaf.below", "ann");
    }
    struct change change = {.world = &world, .act = sweep};
    json_t *json = browse_in_slices(&change, P "/applications/rejected");
    assert_true(change.slices > 5);
    json_decref(json);
    world_advance(&world, 2 * 24 * 3600);
    change = (struct change){.world = &world};
    json = browse_in_slices(&change, P "/applications/rejected");
    assert_int_equal(json_array_size(json), 0);
    json_decref(json);
    world_done(&world);
}

static void re_register(struct change *change)
{
    struct yk_si_register request = {.rm_id = "rm", .policy_group = "queues", .config = yk_str_from(config)};
    static const struct yk_si_callbacks none = {0};
    struct yk_err err = {0};
    if (change->slices == 4)
        assert_int_equal(yk_core_register(change->world->core, &request, &none, NULL, &err), YK_OK);
}

/* Everything is removed and made again while an answer is written. */
static void a_new_registration_in_between(void **state)
{
    (void)state;
    static const char *const targets[] = {P "/nodes", P "/queues", P "/applications/active",
                                          P "/applications/rejected"};
    for (size_t t = 0; t < YK_COUNT(targets); t++) {
        struct world world;
        world_init(&world, config);
        add_nodes(&world, 10);
        for (int i = 0; i < 10; i++) {
            char id[32], queue[64];
            (void)snprintf(id, sizeof(id), "app-%d", i);
            (void)snprintf(queue, sizeof(queue), i % 2 == 0 ? "root.dyn.q%d" : "root.leaf.q%d", i);
            world_submit(&world, id, queue, "ann");
        }
        struct change change = {.world = &world, .act = re_register};
        json_decref(browse_in_slices(&change, targets[t]));
        world_done(&world);
    }
}

static void windows(void **state)
{
    (void)state;
    static const struct {
        const char *query;
        size_t count;
        const char *first;
    } cases[] = {
        {"", 10, "node-00001"},
        {"?limit=3", 3, "node-00001"},
        {"?offset=8", 2, "node-00009"},
        {"?limit=3&offset=8", 2, "node-00009"},
        {"?limit=0", 0, NULL},
        {"?offset=10", 0, NULL},
        {"?offset=18446744073709551615&limit=18446744073709551615", 0, NULL},
        {"?limit=&offset=", 10, "node-00001"},
    };
    struct world world;
    world_init(&world, config);
    add_nodes(&world, 10);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char target[128];
        (void)snprintf(target, sizeof(target), P "/nodes%s", cases[i].query);
        json_t *json = browse_json(&world, target);
        if (json_array_size(json) != cases[i].count)
            fail_msg("%s: %zu", target, json_array_size(json));
        if (cases[i].first != NULL)
            assert_string_equal(look_text(json, "0.nodeID"), cases[i].first);
        json_decref(json);
    }
    world_done(&world);
}

/* Applications come by submission time, then by id; a status filters them. */
static void order_and_status_of_applications(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n", 1000, 1000);
    world_submit(&world, "c", "root.leaf", "ann");
    world_submit(&world, "b", "root.leaf", "ann");
    world_advance(&world, 1);
    world_submit(&world, "a", "root.leaf", "ann");
    world_ask(&world, "a", "k", 1, 1);
    assert_int_equal(world_schedule(&world), 1);
    json_t *json = browse_json(&world, P "/applications/active");
    assert_string_equal(look_text(json, "0.applicationID"), "b");
    assert_string_equal(look_text(json, "1.applicationID"), "c");
    assert_string_equal(look_text(json, "2.applicationID"), "a");
    json_decref(json);
    json = browse_json(&world, P "/queue/root.leaf/applications/active?status=rUnning");
    assert_int_equal(json_array_size(json), 1);
    assert_string_equal(look_text(json, "0.applicationID"), "a");
    json_decref(json);
    json = browse_json(&world, P "/applications/active?status=new&limit=1");
    assert_int_equal(json_array_size(json), 1);
    json_decref(json);
    world_done(&world);
}

/* A thousand levels are written, and read by who allows that. */
static void deep_tree(void **state)
{
    (void)state;
    struct world world;
    YK_CLEANUP(yk_buf_done) struct yk_buf queue = {0};
    world_init(&world, config);
    yk_buf_text(&queue, "root.dyn");
    for (int i = 0; i < 900; i++)
        yk_buf_text(&queue, ".a");
    world_submit(&world, "deep", yk_buf_cstr(&queue), "ann");
    assert_int_equal(world.app_accepted, 1);
    struct yk_answer answer = browse(&world, P "/queues", 200);
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "}]}]}]}]}]}]}"));
    assert_false(answer.body.failed);
    yk_answer_done(&answer);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_in_slices),
        cmocka_unit_test(nodes_come_and_go),
        cmocka_unit_test(queues_and_apps_go),
        cmocka_unit_test(large_application_goes_in_the_middle),
        cmocka_unit_test(the_daily_sweep_comes_in_between),
        cmocka_unit_test(a_new_registration_in_between),
        cmocka_unit_test(windows),
        cmocka_unit_test(order_and_status_of_applications),
        cmocka_unit_test(deep_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
