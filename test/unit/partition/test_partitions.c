/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several partitions (queues.md C18 to C21), what namespaces say about dynamic queues (R39 to R41) and what
 * is asked of a gang when it is submitted (R24, R42).
 */
#include "lib/core_world.h"

#define PARTITION(name, queues)                                                                              \
    "- name: " name "\n  placementrules: [{name: provided, create: true}]\n"                                 \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues: [" queues "]\n"

static struct yk_partition *partition(struct world *world, const char *name)
{
    return yk_core_find_partition(world->core, yk_str_from(name));
}

static void add_node(struct world *world, const char *id, const char *name)
{
    struct yk_resvec capacity = world_size(4000, 4096);
    struct yk_si_node node = {
        .node_id = id, .partition = name, .action = YK_SI_NODE_CREATE, .capacity = &capacity};
    assert_int_equal(yk_core_update_node(world->core, "rm", &node), YK_OK);
}

static void submit_to(struct world *world, const char *id, const char *name)
{
    struct yk_si_new_app app = {
        .application_id = id, .queue = "root.q", .partition = name, .ugi = {.user = "joe"}};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
}

static char failed_with[64];

static void on_update(void *rm, const struct yk_si_app_update *update)
{
    (void)rm;
    (void)snprintf(failed_with, sizeof(failed_with), "%s", update->message);
}

/* C18, C20, BUG-21 */
static void partitions_come_and_go(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions:\n" PARTITION("default", "{name: q}"));
    ((struct yk_rm *)world.core->rms.items[0])->callbacks.app_updated = on_update;
    assert_null(partition(&world, "gpu"));
    assert_null(world_reload(&world, "partitions:\n" PARTITION("default", "{name: q}")
                                         PARTITION("gpu", "{name: q, maxapplications: 3}")));
    assert_string_equal(partition(&world, "gpu")->full_name, "[rm]gpu");
    assert_int_equal(yk_core_first_rm(world.core)->last_change.kinds[YK_CHANGE_PARTITION_ADDED].count, 1);
    assert_null(world_queue(&world, "root.other"));
    add_node(&world, "n1", "gpu");
    add_node(&world, "n2", NULL);
    submit_to(&world, "there", "gpu");
    submit_to(&world, "here", NULL);
    struct yk_resvec size = world_size(1000, 10);
    struct yk_si_allocation ask = {.key = "k",
                                   .application_id = "there",
                                   .partition = "gpu",
                                   .resource = &size,
                                   .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &ask), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_node, "n1");

    /* changed, and only there */
    assert_null(world_reload(&world, "partitions:\n" PARTITION("default", "{name: q}")
                                         PARTITION("gpu", "{name: q, maxapplications: 4}")));
    assert_int_equal(yk_queue_find(partition(&world, "gpu")->root, YK_STR("root.q"))->max_apps, 4);
    assert_int_equal(yk_core_first_rm(world.core)->last_change.kinds[YK_CHANGE_CHANGED].count, 1);

    /* gone: its applications fail, its allocations are released */
    size_t released = world.released;
    assert_null(world_reload(&world, "partitions:\n" PARTITION("default", "{name: q}")));
    assert_null(partition(&world, "gpu"));
    assert_string_equal(failed_with, "PartitionRemoved");
    assert_int_equal(world.released, released + 1);
    assert_int_equal(yk_core_first_rm(world.core)->last_change.kinds[YK_CHANGE_PARTITION_REMOVED].count, 1);
    assert_non_null(world_app(&world, "here"));
    submit_to(&world, "late", "gpu");
    assert_string_equal(world.last_reason, "the partition does not exist");

    /* and back again, empty */
    assert_null(world_reload(&world, "partitions:\n" PARTITION("default", "{name: q}") PARTITION("gpu", "")));
    assert_int_equal(partition(&world, "gpu")->node_count, 0);
    assert_int_equal(partition(&world, "gpu")->apps.count, 0);
    world_check(&world);
    world_done(&world);
}

/* One refused partition leaves all as they are (R9). */
static void partitions_change_together(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions:\n" PARTITION("default", "{name: q}"));
    const char *refusal =
        world_reload(&world, "partitions:\n" PARTITION(
                                 "default", "{name: r}") "- name: gpu\n  placementrules: [{name: nonsense}]\n"
                                                         "  queues: [{name: root}]\n");
    assert_non_null(refusal);
    assert_non_null(strstr(refusal, "gpu"));
    assert_non_null(world_queue(&world, "root.q"));
    assert_null(world_queue(&world, "root.r"));
    assert_null(partition(&world, "gpu"));
    world_done(&world);
}

/* ---- namespaces ---- */

static void submit_with(struct world *world, const char *id, const char *queue, const char *quota,
                        const char *guaranteed, const char *max_apps)
{
    struct yk_si_tag tags[3];
    size_t count = 0;
    if (quota != NULL)
        tags[count++] = (struct yk_si_tag){"Namespace.ResourceQuota", quota}; /* R39: any case */
    if (guaranteed != NULL)
        tags[count++] = (struct yk_si_tag){"namespace.resourceguaranteed", guaranteed};
    if (max_apps != NULL)
        tags[count++] = (struct yk_si_tag){"namespace.resourcemaxapps", max_apps};
    struct yk_si_new_app app = {
        .application_id = id, .queue = queue, .ugi = {.user = "joe"}, .tags = tags, .tag_count = count};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
    assert_non_null(world_app(world, id));
}

#define AMOUNT(n) "{\"resources\":{\"vcore\":{\"value\":" #n "}}}"

static void namespaces_set_the_limits_of_dynamic_leaves(void **state)
{
    (void)state;
    static const struct {
        const char *what, *quota, *guaranteed, *max_apps;
        int64_t want_max, want_guaranteed; /* -1: none */
        uint64_t want_apps;
    } cases[] = {
        /* one after the other in the same queue, whose template says 5000, 1000 and 4 */
        {"no tag: the template's (T3)", NULL, NULL, NULL, 5000, 1000, 4},
        {"a quota clears the guarantee (T5, R40)", AMOUNT(3000), NULL, NULL, 3000, -1, 4},
        {"applications alone change nothing else", NULL, NULL, "7", 3000, -1, 7},
        {"refreshed by the next application (R41)", AMOUNT(2000), AMOUNT(500), NULL, 2000, 500, 7},
        {"bad JSON is ignored", "{", NULL, NULL, 2000, 500, 7},
        {"not positive is ignored", AMOUNT(0), AMOUNT(-1), NULL, 2000, 500, 7},
        {"not an amount", "{\"resources\":{\"vcore\":{\"value\":\"1\"}}}", NULL, NULL, 2000, 500, 7},
        {"zero applications say nothing", NULL, NULL, "0", 2000, 500, 7},
        {"so does a word", NULL, NULL, "many", 2000, 500, 7},
        {"a bad one beside a good one is absent", "x", AMOUNT(700), NULL, -1, 700, 7},
        {"no tag does not lift it", NULL, NULL, NULL, -1, 700, 7},
    };
    struct world world;
    world_init(&world,
               "partitions:\n" PARTITION(
                   "default", "{name: p, parent: true, childtemplate: {maxapplications: 4, resources: "
                              "{max: {vcore: 5}, guaranteed: {vcore: 1}}}}"));
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "app-%zu", i);
        submit_with(&world, id, "root.p.x", cases[i].quota, cases[i].guaranteed, cases[i].max_apps);
        const struct yk_queue *leaf = world_queue(&world, "root.p.x");
        int64_t max = leaf->has_max ? yk_resvec_get(&leaf->max, YK_RESTYPE_VCORE) : -1;
        int64_t guaranteed = leaf->has_guaranteed ? yk_resvec_get(&leaf->guaranteed, YK_RESTYPE_VCORE) : -1;
        if (max != cases[i].want_max || guaranteed != cases[i].want_guaranteed ||
            leaf->max_apps != cases[i].want_apps)
            fail_msg("%s: max %lld, guaranteed %lld, %llu applications", cases[i].what, (long long)max,
                     (long long)guaranteed, (unsigned long long)leaf->max_apps);
        world_check(&world);
    }
    world_done(&world);
}

static void raised_namespace_quota_wakes_what_waits(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions:\n" PARTITION("default", "{name: m}"));
    world_node(&world, "n1", 8000, 8192);
    submit_with(&world, "one", "root.x", AMOUNT(1000), NULL, "1");
    world_ask(&world, "one", "1", 1000, 10);
    world_ask(&world, "one", "2", 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    submit_with(&world, "two", "root.x", AMOUNT(2000), NULL, "2");
    assert_int_equal(world_schedule(&world), 1);
    submit_with(&world, "three", "root.m", AMOUNT(1), AMOUNT(1), "1"); /* a configured queue takes none */
    assert_false(world_queue(&world, "root.m")->has_max);
    assert_int_equal(world_queue(&world, "root.m")->max_apps, 0);
    world_done(&world);
}

/* ---- gangs ---- */

static void gangs_are_checked_when_submitted(void **state)
{
    (void)state;
    static const struct {
        const char *what, *queue;
        int64_t vcore; /* of all placeholders; 0: not a gang */
        bool taken;
    } cases[] = {
        {"fits the path without the root, with no node there (R24)", "root.q.fifo", 4000, true},
        {"larger than the parent's maximum", "root.q.fifo", 4001, false},
        {"larger than its own", "root.q.small", 1001, false},
        {"fair: no gang", "root.q.fair", 1, false},
        {"fair: others", "root.q.fair", 0, true},
        {"stateaware", "root.q.aware", 1, true},
        {"no maximum", "root.free", INT64_C(1) << 40, true},
    };
    struct world world;
    world_init(&world,
               "partitions:\n" PARTITION(
                   "default", "{name: q, resources: {max: {vcore: 4}}, queues: [{name: fifo}, {name: small, "
                              "resources: {max: {vcore: 1}}}, {name: fair, properties: "
                              "{application.sort.policy: fair}}, {name: aware, properties: "
                              "{application.sort.policy: stateaware}}]}, {name: free}"));
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char id[16];
        YK_RESVEC(gang);
        (void)snprintf(id, sizeof(id), "app-%zu", i);
        yk_resvec_put(&gang, YK_RESTYPE_VCORE, cases[i].vcore);
        yk_resvec_put(&gang, YK_RESTYPE_PODS, 0);
        struct yk_si_new_app app = {
            .application_id = id, .queue = cases[i].queue, .ugi = {.user = "joe"}, .placeholder_ask = &gang};
        assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
        if ((world_app(&world, id) != NULL) != cases[i].taken)
            fail_msg("%s: %s", cases[i].what, cases[i].taken ? world.last_reason : "taken");
    }
    world_done(&world);
}

/* P09 of kubernetes.md: without waiting for the next application. */
static void a_namespace_changes_its_limits(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions:\n" PARTITION("default", "{name: m}"));
    world_node(&world, "n1", 8000, 8192);
    submit_with(&world, "one", "root.x", AMOUNT(1000), NULL, NULL);
    world_ask(&world, "one", "1", 1000, 10);
    world_ask(&world, "one", "2", 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    const struct yk_si_tag more[] = {{"namespace.resourcequota", AMOUNT(2000)},
                                     {"namespace.resourceguaranteed", ""}};
    assert_int_equal(yk_core_namespace_changed(world.core, "rm", "one", NULL, more, YK_COUNT(more)), YK_OK);
    assert_int_equal(world_schedule(&world), 1); /* what waited goes on */
    assert_int_equal(yk_core_namespace_changed(world.core, "rm", "none", NULL, more, YK_COUNT(more)), YK_OK);
    assert_int_equal(yk_core_namespace_changed(world.core, "who", "one", NULL, more, YK_COUNT(more)),
                     YK_ERR_NOT_FOUND);
    submit_with(&world, "two", "root.m", NULL, NULL, NULL);
    assert_int_equal(yk_core_namespace_changed(world.core, "rm", "two", NULL, more, YK_COUNT(more)), YK_OK);
    assert_false(world_queue(&world, "root.m")->has_max); /* of the configuration */
    world_check(&world);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions_come_and_go),
        cmocka_unit_test(partitions_change_together),
        cmocka_unit_test(namespaces_set_the_limits_of_dynamic_leaves),
        cmocka_unit_test(raised_namespace_quota_wakes_what_waits),
        cmocka_unit_test(a_namespace_changes_its_limits),
        cmocka_unit_test(gangs_are_checked_when_submitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
