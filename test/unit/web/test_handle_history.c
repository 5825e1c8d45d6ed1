/* SPDX-License-Identifier: Apache-2.0 */
/* What ran over the last day (endpoints 5 and 6), and how full the nodes are (25). */
#include "scheduler/history.h"
#include "web/browser.h"

#define APPS         "/ws/v1/history/apps"
#define CONTAINERS   "/ws/v1/history/containers"
#define UTILIZATIONS "/ws/v1/scheduler/node-utilizations"

static const char config[] =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf}]}]}]";

static void empty_before_the_first(void **state)
{
    (void)state;
    static const char *const paths[] = {APPS, CONTAINERS};
    struct world world;
    world_init(&world, config);
    for (size_t i = 0; i < YK_COUNT(paths); i++) {
        struct yk_answer answer = browse(&world, paths[i], 200);
        assert_string_equal(yk_buf_cstr(&answer.body), "[]\n");
        yk_answer_done(&answer);
    }
    world_done(&world);
}

static void a_record_per_minute(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    yk_history_start(&world.core->history);
    world_node(&world, "n1", 1000, 1000);
    world_advance(&world, 60);
    world_submit(&world, "a", "root.leaf", "ann");
    world_ask(&world, "a", "k1", 100, 1);
    world_ask(&world, "a", "k2", 100, 1);
    assert_int_equal(world_schedule(&world), 2);
    world_advance(&world, 60);
    json_t *apps = browse_json(&world, APPS), *containers = browse_json(&world, CONTAINERS);
    assert_int_equal(json_array_size(apps), 2);
    assert_int_equal(json_array_size(containers), 2);
    assert_string_equal(look_text(apps, "0.totalApplications"), "0");
    assert_string_equal(look_text(apps, "1.totalApplications"), "1");
    assert_string_equal(look_text(containers, "1.totalContainers"), "2");
    assert_int_equal(look_int(apps, "1.timestamp") - look_int(apps, "0.timestamp"), 60 * YK_NS_PER_S);
    assert_int_equal(json_object_size(look(apps, "1")), 2);
    assert_int_equal(json_object_size(look(containers, "1")), 2);
    json_decref(apps);
    json_decref(containers);
    world_done(&world);
}

/* The oldest go. */
static void a_day_is_kept(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    int64_t start_ns = yk_core_now(world.core);
    for (int i = 0; i < YK_HISTORY_MAX + 7; i++) {
        yk_history_record(&world.core->history);
        world.clock.wall_ns += YK_NS_PER_S;
    }
    json_t *json = browse_json(&world, APPS);
    assert_int_equal(json_array_size(json), YK_HISTORY_MAX);
    assert_int_equal(look_int(json, "0.timestamp"), start_ns + 7 * YK_NS_PER_S);
    assert_int_equal(look_int(json, "1439.timestamp"), start_ns + (YK_HISTORY_MAX + 6) * YK_NS_PER_S);
    json_decref(json);
    world_done(&world);
}

static const json_t *tenth(const json_t *json, const char *type, size_t at)
{
    const json_t *entry;
    size_t i;
    json_array_foreach(look(json, "0.utilizations"), i, entry)
    {
        if (strcmp(look_text(entry, "type"), type) == 0)
            return json_array_get(look(entry, "utilization"), at);
    }
    fail_msg("no type %s", type);
    return NULL;
}

/* Nothing else goes there. */
static void fill_a_node(struct world *world, const char *id, int64_t vcore)
{
    world_node(world, id, 1000, 1000);
    world_ask(world, "a", id, vcore, 1);
    assert_int_equal(world_schedule(world), 1);
    assert_string_equal(world->last_node, id);
    world_node_action(world, id, YK_SI_NODE_DRAIN);
}

static void nodes_by_tenth(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_submit(&world, "a", "root.leaf", "ann");
    fill_a_node(&world, "n3", 1000); /* all */
    fill_a_node(&world, "n1", 100);  /* 10 %: the first tenth */
    fill_a_node(&world, "n2", 110);  /* 11 %: the second */
    json_t *json = browse_json(&world, UTILIZATIONS);
    assert_int_equal(json_array_size(json), 1);
    assert_string_equal(look_text(json, "0.clusterId"), "rm");
    assert_string_equal(look_text(json, "0.partition"), "default");
    assert_string_equal(look_text(json, "0.utilizations.0.type"), "memory");
    assert_int_equal(json_array_size(look(json, "0.utilizations.0.utilization")), 10);
    assert_string_equal(look_text(tenth(json, "vcore", 0), "bucketName"), "0-10%");
    assert_string_equal(look_text(tenth(json, "vcore", 9), "bucketName"), "90-100%");
    assert_string_equal(look_text(tenth(json, "vcore", 0), "nodeNames.0"), "n1");
    assert_string_equal(look_text(tenth(json, "vcore", 1), "nodeNames.0"), "n2");
    assert_int_equal(look_int(tenth(json, "vcore", 1), "numOfNodes"), 1);
    assert_string_equal(look_text(tenth(json, "vcore", 9), "nodeNames.0"), "n3");
    assert_null(look(tenth(json, "vcore", 5), "numOfNodes"));
    assert_null(look(tenth(json, "vcore", 5), "nodeNames"));
    assert_int_equal(look_int(tenth(json, "memory", 0), "numOfNodes"), 3); /* nothing in use */
    json_decref(json);
    world_done(&world);
}

/* The web UI takes no null. */
static void lists_without_nodes(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    json_t *json = browse_json(&world, UTILIZATIONS);
    assert_int_equal(json_array_size(json), 1);
    assert_true(json_is_array(look(json, "0.utilizations")));
    assert_int_equal(json_array_size(look(json, "0.utilizations")), 0);
    json_decref(json);
    world_done(&world);
}

struct leaving {
    struct world *world;
    int slices;
};

static void remove_a_node(void *context)
{
    struct leaving *leaving = context;
    char id[32];
    (void)snprintf(id, sizeof(id), "node-%03d", leaving->slices++ % 100);
    if (leaving->slices < 120)
        world_node_action(leaving->world, id, YK_SI_NODE_DECOMMISSION);
}

static void nodes_go_meanwhile(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    for (int i = 0; i < 200; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%03d", i);
        world_node(&world, id, 1000, 1000);
    }
    struct leaving leaving = {.world = &world};
    json_t *json = browse_slices(&world, UTILIZATIONS, remove_a_node, &leaving);
    json_int_t count = look_int(tenth(json, "vcore", 0), "numOfNodes");
    assert_true(leaving.slices > 100);
    assert_true(count >= 100 && count < 200);
    assert_int_equal(json_array_size(look(tenth(json, "vcore", 0), "nodeNames")), count);
    json_decref(json);
    world_done(&world);
}

static size_t count_names(const json_t *json)
{
    return json_array_size(look(tenth(json, "memory", 0), "nodeNames"));
}

/* Names are not kept, so many nodes need little memory; each is there once nevertheless, by name. */
static void many_nodes_in_windows(void **state)
{
    (void)state;
    enum { NODES = 200, WINDOW = 2048 };
    struct world world;
    world_init(&world, config);
    for (int i = NODES - 1; i >= 0; i--) {
        char id[16];
        (void)snprintf(id, sizeof(id), "m%04d", i);
        world_node(&world, id, 1000, 1000);
    }
    const struct yk_web_query query = {.target = UTILIZATIONS, .tiny_slices = true, .window_bytes = WINDOW};
    struct yk_answer answer;
    yk_web_render(world.core, NULL, &query, &answer);
    json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL),
           *whole = browse_json(&world, UTILIZATIONS);
    assert_true(json_equal(json, whole));
    assert_int_equal(count_names(json), NODES);
    assert_string_equal(json_string_value(look(tenth(json, "memory", 0), "nodeNames.7")), "m0007");
    yk_answer_done(&answer);
    json_decref(json);
    json_decref(whole);
    world_done(&world);
}

/* The last node goes when all nodes have been noted, and another one gets its index. */
static void replace_a_node(void *context)
{
    struct leaving *leaving = context;
    if (leaving->slices++ != 206)
        return;
    world_node_action(leaving->world, "m0199", YK_SI_NODE_DECOMMISSION);
    world_node(leaving->world, "other", 1000, 1000);
}

static void a_node_in_the_place_of_another(void **state)
{
    (void)state;
    enum { NODES = 200 };
    struct world world;
    world_init(&world, config);
    for (int i = 0; i < NODES; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "m%04d", i);
        world_node(&world, id, 1000, 1000);
    }
    struct leaving leaving = {&world, 0};
    json_t *json = browse_slices(&world, UTILIZATIONS, replace_a_node, &leaving);
    assert_int_equal(count_names(json), NODES - 1);
    assert_int_equal(look_int(tenth(json, "memory", 0), "numOfNodes"),
                     NODES - 1); /* although all were noted */
    assert_string_equal(json_string_value(look(tenth(json, "memory", 0), "nodeNames.198")), "m0198");
    json_decref(json);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_before_the_first), cmocka_unit_test(a_record_per_minute),
        cmocka_unit_test(a_day_is_kept),          cmocka_unit_test(nodes_by_tenth),
        cmocka_unit_test(lists_without_nodes),    cmocka_unit_test(nodes_go_meanwhile),
        cmocka_unit_test(many_nodes_in_windows),  cmocka_unit_test(a_node_in_the_place_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
