/* SPDX-License-Identifier: Apache-2.0 */
/* Types without a column of their own: limits of queues and users, what REST and the metrics say of them
 * (queues.md C7). */
#include "web/browser.h"

#define P "/ws/v1/partition/default"

enum { CARDS = 60, LIMITED = 50, OF_USER = 51 };

static const char config[] =
    "partitions:\n"
    "  - name: default\n"
    "    queues:\n"
    "      - name: root\n"
    "        submitacl: '*'\n"
    "        queues:\n"
    "          - name: a\n"
    "            resources: {guaranteed: {card.example/50: 1}, max: {card.example/50: %d}}\n"
    "            limits:\n"
    "              - limit: bob\n"
    "                users: [bob]\n"
    "                maxresources: {card.example/51: 3}\n";

static const char *card(int number)
{
    static char name[32];
    (void)snprintf(name, sizeof(name), "card.example/%d", number);
    return name;
}

/* Added if new. */
static int type_of(int number)
{
    int type = -1;
    assert_int_equal(yk_restype_add(yk_str_from(card(number)), &type, NULL), YK_OK);
    return type;
}

static void config_with(char text[], size_t size, int max)
{
    (void)snprintf(text, size, config, max);
}

static void ask(struct world *world, const char *key, int number, int64_t amount)
{
    YK_RESVEC(size);
    yk_resvec_put(&size, YK_RESTYPE_VCORE, 10);
    yk_resvec_put(&size, type_of(number), amount);
    struct yk_si_allocation request = {
        .key = key, .application_id = "app", .resource = &size, .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &request), YK_OK);
}

/* n1 offers 10 of each card; n2 offers none. */
static void init(struct world *world)
{
    YK_RESVEC(capacity);
    char text[sizeof(config) + 16];
    yk_resvec_put(&capacity, YK_RESTYPE_VCORE, 64000);
    for (int i = 0; i < CARDS; i++)
        yk_resvec_put(&capacity, type_of(i), 10);
    assert_true(type_of(LIMITED) >= YK_RESTYPE_DENSE);
    config_with(text, sizeof(text), 3);
    world_init(world, text);
    world_node(world, "n2", 64000, 8192);
    struct yk_si_node node = {.node_id = "n1", .action = YK_SI_NODE_CREATE, .capacity = &capacity};
    assert_int_equal(yk_core_update_node(world->core, "rm", &node), YK_OK);
    world_submit(world, "app", "root.a", "bob");
}

static void a_queue_limits_it(void **state)
{
    (void)state;
    struct world world;
    char text[sizeof(config) + 16];
    init(&world);
    ask(&world, "k1", LIMITED, 2);
    ask(&world, "k2", LIMITED, 2);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_node, "n1");
    ask(&world, "k3", LIMITED - 1, 9); /* of another type there is no limit */
    assert_int_equal(world_schedule(&world), 1);
    config_with(text, sizeof(text), 4);
    assert_null(world_reload(&world, text));
    assert_int_equal(world_schedule(&world), 1);
    ask(&world, "k4", LIMITED, 1);
    assert_int_equal(world_schedule(&world), 0);
    world_release(&world, "app", "k1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

static void a_user_is_limited(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    ask(&world, "k1", OF_USER, 2);
    ask(&world, "k2", OF_USER, 2);
    ask(&world, "k3", OF_USER, 1);
    assert_int_equal(world_schedule(&world), 2); /* k1 and k3, or k1 only where k2 is held for */
    world_release(&world, "app", "k1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

static json_int_t amount(const json_t *json, const char *path, int number)
{
    const json_t *amounts = look(json, path);
    assert_non_null(amounts);
    return json_integer_value(json_object_get(amounts, card(number)));
}

static void nodes_and_queues_show_it(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    ask(&world, "k1", LIMITED, 2);
    ask(&world, "k2", LIMITED, 2);
    assert_int_equal(world_schedule(&world), 1);

    json_t *node = browse_json(&world, P "/node/n1");
    assert_int_equal(json_object_size(look(node, "capacity")), CARDS + 1);
    for (int i = 0; i < CARDS; i++)
        assert_int_equal(amount(node, "capacity", i), 10);
    assert_int_equal(amount(node, "allocated", LIMITED), 2);
    assert_int_equal(amount(node, "available", LIMITED), 8);
    assert_int_equal(amount(node, "available", LIMITED + 1), 10);
    assert_int_equal(amount(node, "utilized", LIMITED), 20);
    json_decref(node);

    json_t *queue = browse_json(&world, P "/queue/root.a");
    assert_int_equal(amount(queue, "maxResource", LIMITED), 3);
    assert_int_equal(amount(queue, "guaranteedResource", LIMITED), 1);
    assert_int_equal(amount(queue, "allocatedResource", LIMITED), 2);
    assert_int_equal(amount(queue, "pendingResource", LIMITED), 2);
    assert_int_equal(amount(queue, "headroom", LIMITED), 1);
    json_decref(queue);

    json_t *root = browse_json(&world, P "/queue/root");
    assert_int_equal(amount(root, "maxResource", CARDS - 1), 10);
    json_decref(root);
    world_done(&world);
}

/* The value of a metric without labels. */
static long long metric(struct world *world, const char *name)
{
    YK_CLEANUP(yk_answer_done) struct yk_answer answer = browse(world, "/ws/v1/metrics", 200);
    char line[128];
    (void)snprintf(line, sizeof(line), "\n%s ", name);
    const char *at = strstr(yk_buf_cstr(&answer.body), line);
    assert_non_null(at);
    return strtoll(at + strlen(line), NULL, 10);
}

static void metrics_count_the_types(void **state)
{
    (void)state;
    static const char in_use[] = "yunikorn_scheduler_resource_types";
    struct world world;
    YK_RESVEC(many);
    init(&world);
    long long before = metric(&world, in_use);
    assert_true(before >= CARDS);
    assert_int_equal(metric(&world, "yunikorn_scheduler_resource_types_limit"), YK_RESTYPE_MAX);
    for (int i = CARDS; i < CARDS + YK_RESTYPE_MAX / 2; i++)
        yk_resvec_put(&many, type_of(i), 1);
    assert_int_equal(metric(&world, in_use), before + YK_RESTYPE_MAX / 2);
    yk_resvec_clear(&many);
    assert_int_equal(metric(&world, in_use), before);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_limits_it),
        cmocka_unit_test(a_user_is_limited),
        cmocka_unit_test(nodes_and_queues_show_it),
        cmocka_unit_test(metrics_count_the_types),
    };
    return cmocka_run_group_tests_name("web/many_types", tests, NULL, NULL);
}
