/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of dynamic queues from the tags of a namespace. */
#include "base/random.h"
#include "lib/core_world.h"
#include "state/turn.h"

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

#define CORES(n) "{\"resources\":{\"vcore\":{\"value\":" n "000}}}"

static void set_quota(struct world *world, const char *app, const char *quota)
{
    const struct yk_si_tag tag = {"namespace.resourcequota", quota};
    assert_int_equal(yk_core_namespace_changed(world->core, "rm", app, "default", &tag, 1), YK_OK);
}

static size_t count_max_events(struct world *world)
{
    const struct yk_ring *ring = world->core->events.ring;
    size_t count = 0;
    YK_EVENT(event);
    for (uint64_t at = 0; at < yk_ring_next(ring); at++)
        count += yk_ring_get(ring, at, &event) && event.detail == YK_EVENT_QUEUE_MAX;
    return count;
}

/* Each change of a limit is an event, also when the limit goes and when it comes back. It may also change the
 * order in which asks are tried. */
static void each_change_is_told(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: dyn, parent: true}\n");
    size_t before = count_max_events(&world);
    submit_tagged(&world, "a", "root.dyn.ns", CORES("5"), NULL, NULL);
    assert_int_equal(count_max_events(&world), before + 1);
    submit_tagged(&world, "b", "root.dyn.ns", NULL, CORES("5"), NULL);
    assert_int_equal(count_max_events(&world), before + 2);
    yk_turn_order_seen(world_partition(&world));
    set_quota(&world, "a", CORES("5"));
    assert_int_equal(count_max_events(&world), before + 3);
    assert_true(world_partition(&world)->turn.order_changed);
    world_done(&world);
}

static void submit_with_ask(struct world *world, const char *id, const char *queue, int64_t vcore)
{
    world_submit(world, id, queue, "joe");
    world_ask(world, id, id, vcore, 1);
    world_advance(world, 1);
}

/* What could never start, and was passed by, starts when the namespace gets more. */
static void a_larger_quota_lets_start_what_was_passed_by(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: dyn, parent: true, childtemplate: {properties: "
                            "{application.sort.policy: stateaware}}}\n");
    world_node(&world, "n1", 8000, 8192);
    submit_tagged(&world, "big", "root.dyn.ns", CORES("1"), NULL, NULL);
    world_ask(&world, "big", "big", 2000, 1);
    assert_int_equal(world_schedule(&world), 0);
    set_quota(&world, "big", CORES("4"));
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

#define STRICT "{application.sort.hold: strict, application.sort.hold.delay: 0s}"

/* queues.md 8.5: what can never fit holds nothing. */
static void a_lower_quota_ends_the_hold_of_what_no_longer_fits(void **state)
{
    (void)state;
    static const struct {
        const char *what, *config, *others; /* the queue of the others */
    } cases[] = {
        {"the maximum of the leaf",
         HEAD "    - {name: dyn, parent: true, childtemplate: {properties: " STRICT "}}\n", "root.dyn.ns"},
        {"the maximum of the parent",
         HEAD "    - {name: dyn, parent: true, resources: {max: {vcore: 4}}, properties: " STRICT "}\n",
         "root.dyn.other"},
    };
    static const char *const ids[] = {"r1", "r2", "r3", "r4", "s1", "s2"};
    for (size_t c = 0; c < YK_COUNT(cases); c++) {
        struct world world;
        world_init(&world, cases[c].config);
        world_node(&world, "n1", 8000, 8192);
        for (size_t i = 0; i < 4; i++)
            submit_with_ask(&world, ids[i], cases[c].others, 1000);
        assert_int_equal(world_schedule(&world), 4);
        submit_with_ask(&world, "large", "root.dyn.ns", 4000);
        set_quota(&world, "large", CORES("4"));
        assert_int_equal(world_schedule(&world), 0);
        for (size_t i = 4; i < YK_COUNT(ids); i++)
            submit_with_ask(&world, ids[i], cases[c].others, 1000);
        assert_int_equal(world_schedule(&world), 0);
        for (size_t i = 0; i < 2; i++)
            world_release(&world, ids[i], ids[i], YK_SI_STOPPED_BY_RM);
        assert_int_equal(world_schedule(&world), 0);
        set_quota(&world, "large", CORES("2"));
        (void)world_schedule(&world); /* the parent has room for the others now */
        world_release(&world, ids[2], ids[2], YK_SI_STOPPED_BY_RM);
        (void)world_schedule(&world);
        if (world_app(&world, "s1")->allocation_count == 0)
            fail_msg("%s is still held", cases[c].what);
        assert_int_equal(world_app(&world, "large")->allocation_count, 0);
        world_done(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(namespace_tags),
        cmocka_unit_test(each_change_is_told),
        cmocka_unit_test(namespace_tags_wait_for_their_type),
        cmocka_unit_test(a_larger_quota_lets_start_what_was_passed_by),
        cmocka_unit_test(a_lower_quota_ends_the_hold_of_what_no_longer_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
