/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of dynamic queues from the tags of a namespace. */
#include "base/random.h"
#include "lib/core_world.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - "      \
    "name: root\n"                                                                                           \
    "    submitacl: '*'\n    queues:\n"

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
        {"a type that no node has, alone", "{\"resources\":{\"example.com/odd\":{\"value\":1}}}", NULL, NULL,
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
    assert_int_equal(yk_restype_count(), types); /* annotations cannot use up the table of types */
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
    assert_true(yk_list_empty(&world_partition(&world)->housekeeping.type_waits));
    world_check(&world);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(namespace_tags),
        cmocka_unit_test(namespace_tags_wait_for_their_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
