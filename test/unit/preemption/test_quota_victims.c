/* SPDX-License-Identifier: Apache-2.0 */
/* Quota preemption with victims (scheduling.md 6.3, D18, D19): from the lowered maximum to the last
 * victim. */
#include "lib/preemption_stage.h"

#define ON "  preemption: {quotapreemptionenabled: true}\n"

enum { PODS = 10 };

struct scene {
    const char *what, *before, *after;
    struct pod pods[PODS];
    const char *victims;
};

static void play(const struct scene *scenes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct stage stage;
        const struct scene *scene = &scenes[i];
        stage_init(&stage, ON, scene->before);
        stage.world.protected_letter = 'p';
        world_node(&stage.world, "n1", 64000, 65536);
        for (size_t p = 0; p < PODS && scene->pods[p].key != NULL; p++)
            stage_pod(&stage, &scene->pods[p]);
        stage_reload(&stage, ON, scene->after);
        stage_wait(&stage, 9);
        stage_expect(&stage, "not before the delay", "");
        stage_wait(&stage, 2);
        stage_expect(&stage, scene->what, scene->victims);
        stage_confirm(&stage);
        stage_wait(&stage, 60);
        stage_expect(&stage, "one run for each change", "");
        stage_done(&stage);
    }
}

#define Q(limits) "    - {name: a, resources: {" limits "}, properties: {quota.preemption.delay: 10s}}\n"

static void documented_order(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {"originators last (D19)",
         Q("max: {vcore: 8}"),
         Q("max: {vcore: 1}"),
         {POD("1", "root.a", 1000, 10, "n1", .originator = true), POD("2", "root.a", 1000, 10, "n1")},
         "2"},
        {"then who opted out",
         Q("max: {vcore: 8}"),
         Q("max: {vcore: 2}"),
         {POD("1", "root.a", 1000, 10, "n1", .opted_out = true),
          POD("2", "root.a", 1000, 10, "n1", .originator = true), POD("3", "root.a", 1000, 10, "n1"),
          POD("4", "root.a", 1000, 10, "n1")},
         "3 4"},
        {"who opted out goes before an originator",
         Q("max: {vcore: 8}"),
         Q("max: {vcore: 1}"),
         {POD("1", "root.a", 1000, 10, "n1", .originator = true),
          POD("2", "root.a", 1000, 10, "n1", .opted_out = true)},
         "2"},
        {"what the resource manager protects goes last of all",
         Q("max: {vcore: 8}"),
         Q("max: {vcore: 1}"),
         {POD("p1", "root.a", 1000, 10, "n1"), POD("2", "root.a", 1000, 10, "n1", .originator = true)},
         "2"},
        {"lower priority first",
         Q("max: {vcore: 8}"),
         Q("max: {vcore: 1}"),
         {POD("1", "root.a", 1000, 10, "n1", .priority = 5),
          POD("2", "root.a", 1000, 10, "n1", .age_s = 9999)},
         "2"},
        {"younger by whole hours",
         Q("max: {vcore: 8}"),
         Q("max: {vcore: 1}"),
         {POD("1", "root.a", 1000, 10, "n1", .age_s = 7300),
          POD("2", "root.a", 1000, 10, "n1", .age_s = 3700)},
         "2"},
        {"within the hour: the smaller share",
         Q("max: {vcore: 8}"),
         Q("max: {vcore: 1}"),
         {POD("1", "root.a", 1000, 10, "n1", .age_s = 100), POD("2", "root.a", 600, 10, "n1", .age_s = 3000)},
         "2"},
        {"then the key",
         Q("max: {vcore: 8}"),
         Q("max: {vcore: 1}"),
         {POD("2", "root.a", 1000, 10, "n1", .age_s = 100),
          POD("1", "root.a", 1000, 10, "n1", .age_s = 3000)},
         "1"},
    };
    play(scenes, YK_COUNT(scenes));
}

static void how_much(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {"never more than the excess: the queue may stay above",
         Q("max: {vcore: 8}"),
         Q("max: {vcore: 3}"),
         {POD("1", "root.a", 2000, 10, "n1"), POD("2", "root.a", 2000, 10, "n1")},
         ""},
        {"what is too large is skipped",
         Q("max: {vcore: 8}"),
         Q("max: {vcore: 3}"),
         {POD("1", "root.a", 2000, 10, "n1"), POD("2", "root.a", 1000, 10, "n1", .age_s = 9999),
          POD("3", "root.a", 1000, 10, "n1", .age_s = 9999)},
         "2"},
        {"in each type (D18: one went up)",
         Q("max: {vcore: 8, memory: 1Gi}"),
         Q("max: {vcore: 2, memory: 2Gi}"),
         {POD("1", "root.a", 1000, 500, "n1"), POD("2", "root.a", 1000, 100, "n1"),
          POD("3", "root.a", 1000, 100, "n1")},
         "1"},
        {"a first maximum (D18)",
         Q(""),
         Q("max: {vcore: 1}"),
         {POD("1", "root.a", 1000, 10, "n1"), POD("2", "root.a", 1000, 10, "n1")},
         "1"},
        {"not below the guarantee",
         Q("guaranteed: {vcore: 2}, max: {vcore: 8}"),
         Q("guaranteed: {vcore: 2}, max: {vcore: 2}"),
         {POD("1", "root.a", 1500, 10, "n1"), POD("2", "root.a", 1000, 10, "n1")},
         ""},
        {"a guarantee of which it has less does not stop what is above another",
         Q("guaranteed: {vcore: 1, memory: 1Gi}, max: {vcore: 8}"),
         Q("guaranteed: {vcore: 1, memory: 1Gi}, max: {vcore: 2}"),
         {POD("1", "root.a", 1000, 10, "n1"), POD("2", "root.a", 1000, 10, "n1"),
          POD("3", "root.a", 1000, 10, "n1")},
         "1"},
        {"nor does one of which it has exactly all, while it guarantees what is taken back",
         Q("guaranteed: {vcore: 1, memory: 30Mi}, max: {vcore: 8}"),
         Q("guaranteed: {vcore: 1, memory: 30Mi}, max: {vcore: 2}"),
         {POD("1", "root.a", 1000, 10, "n1"), POD("2", "root.a", 1000, 10, "n1"),
          POD("3", "root.a", 1000, 10, "n1")},
         "1"},
        {"nor below that of another type, if nothing is guaranteed of what is taken back",
         Q("guaranteed: {memory: 20Mi}, max: {vcore: 8}"),
         Q("guaranteed: {memory: 20Mi}, max: {vcore: 1}"),
         {POD("1", "root.a", 1000, 10, "n1"), POD("2", "root.a", 1000, 10, "n1")},
         ""},
        {"one that is bound to its node stays",
         Q("max: {vcore: 8}"),
         Q("max: {vcore: 1}"),
         {POD("1", "root.a", 1000, 10, "n1", .required_node = "n1"),
          POD("2", "root.a", 1000, 10, "n1", .age_s = 9999)},
         "2"},
    };
    play(scenes, YK_COUNT(scenes));
}

#define T(limits, b, c)                                                                                      \
    "    - {name: p, resources: {" limits                                                                    \
    "}, properties: {quota.preemption.delay: 10s}, queues: [{name: b, "                                      \
    "resources: {" b "}}, {name: c, resources: {" c "}}]}\n"

#define G(limits, a)                                                                                         \
    "    - {name: g, resources: {" limits "}, queues: [{name: a, resources: {" a                             \
    "}, properties: {quota.preemption.delay: 10s}}]}\n"

static void parents_split(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {"in proportion to what is over the guarantees",
         T("max: {vcore: 8}", "guaranteed: {vcore: 1}", ""),
         T("max: {vcore: 3}", "guaranteed: {vcore: 1}", ""),
         {POD("b1", "root.p.b", 1000, 10, "n1"), POD("b2", "root.p.b", 1000, 10, "n1"),
          POD("c1", "root.p.c", 1000, 10, "n1"), POD("c2", "root.p.c", 1000, 10, "n1"),
          POD("c3", "root.p.c", 1000, 10, "n1")},
         "c1"}, /* of 2, half a core from b: none fits; one and a half from c */
        {"an unused guarantee is nothing to give (D19)",
         T("max: {vcore: 8}", "guaranteed: {vcore: 4}", ""),
         T("max: {vcore: 4}", "guaranteed: {vcore: 4}", ""),
         {POD("b1", "root.p.b", 1000, 10, "n1"), POD("c1", "root.p.c", 1000, 10, "n1"),
          POD("c2", "root.p.c", 1000, 10, "n1"), POD("c3", "root.p.c", 1000, 10, "n1"),
          POD("c4", "root.p.c", 1000, 10, "n1")},
         "c1"},
        {"what a child has without any guarantee of the type counts (D19)",
         T("max: {vcore: 8}", "guaranteed: {memory: 1Mi}", "guaranteed: {vcore: 2}"),
         T("max: {vcore: 3}", "guaranteed: {memory: 1Mi}", "guaranteed: {vcore: 2}"),
         {POD("b1", "root.p.b", 1000, 10, "n1"), POD("b2", "root.p.b", 1000, 10, "n1"),
          POD("c1", "root.p.c", 1000, 10, "n1"), POD("c2", "root.p.c", 1000, 10, "n1")},
         "b1"},
        {"a parent that has no more than its own guarantee gives nothing",
         G("guaranteed: {vcore: 2}", "max: {vcore: 8}"),
         G("guaranteed: {vcore: 2}", "max: {vcore: 1}"),
         {POD("1", "root.g.a", 1000, 10, "n1"), POD("2", "root.g.a", 1000, 10, "n1")},
         ""},
        {"a parent that has less than its guarantee already protects no pod",
         G("guaranteed: {vcore: 9}", "max: {vcore: 8}"),
         G("guaranteed: {vcore: 9}", "max: {vcore: 1}"),
         {POD("1", "root.g.a", 1000, 10, "n1"), POD("2", "root.g.a", 1000, 10, "n1")},
         "1"},
        {"nor a parent that has less than its guarantee of another type",
         G("guaranteed: {vcore: 1, memory: 1Gi}", "max: {vcore: 8}"),
         G("guaranteed: {vcore: 1, memory: 1Gi}", "max: {vcore: 1}"),
         {POD("1", "root.g.a", 1000, 10, "n1"), POD("2", "root.g.a", 1000, 10, "n1")},
         "1"},
    };
    play(scenes, YK_COUNT(scenes));
}

/* R15: a queue that changed its type gives back what is left in it from its former type, too. */
static void a_queue_that_changed_its_type(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {"a leaf became a parent",
         Q("max: {vcore: 8}"),
         "    - {name: a, resources: {max: {vcore: 1}}, properties: {quota.preemption.delay: 10s}, "
         "queues: [{name: b}]}\n",
         {POD("1", "root.a", 1000, 10, "n1"), POD("2", "root.a", 1000, 10, "n1")},
         "1"},
        {"a parent became a leaf",
         T("max: {vcore: 8}", "", ""),
         "    - {name: p, resources: {max: {vcore: 1}}, properties: {quota.preemption.delay: 10s}}\n",
         {POD("b1", "root.p.b", 1000, 10, "n1"), POD("b2", "root.p.b", 1000, 10, "n1")},
         "b1"},
    };
    play(scenes, YK_COUNT(scenes));
}

/* The applications of the former leaf and the new child give back in proportion to what they use. */
static void applications_and_children_split(void **state)
{
    static const char parent[] = "    - {name: a, resources: {max: {vcore: %d}}, properties: "
                                 "{quota.preemption.delay: 10s}, queues: [{name: b}]}\n";
    (void)state;
    struct stage stage;
    char queues[256];
    stage_init(&stage, ON, Q("max: {vcore: 8}"));
    world_node(&stage.world, "n1", 64000, 65536);
    stage_pod(&stage, &(struct pod)POD("1", "root.a", 1000, 10, "n1"));
    stage_pod(&stage, &(struct pod)POD("2", "root.a", 1000, 10, "n1"));
    stage_pod(&stage, &(struct pod)POD("3", "root.a", 1000, 10, "n1"));
    stage_pod(&stage, &(struct pod)POD("4", "root.a", 1000, 10, "n1"));
    (void)snprintf(queues, sizeof(queues), parent, 8);
    stage_reload(&stage, ON, queues);
    stage_pod(&stage, &(struct pod)POD("b1", "root.a.b", 1000, 10, "n1"));
    stage_pod(&stage, &(struct pod)POD("b2", "root.a.b", 1000, 10, "n1"));
    (void)snprintf(queues, sizeof(queues), parent, 3);
    stage_reload(&stage, ON, queues);
    stage_wait(&stage, 11);
    stage_expect(&stage, "two of the former leaf, one of the child", "1 2 b1");
    stage_done(&stage);
}

/* Pods p.. share a budget of one disruption: the second one goes after all others. */
static void a_budget_counts_within_a_run(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, ON, Q("max: {vcore: 8}"));
    stage.world.budget_letter = 'p';
    stage.world.budget_allowed = 1;
    world_node(&stage.world, "n1", 64000, 65536);
    stage_pod(&stage, &(struct pod)POD("p1", "root.a", 1000, 10, "n1"));
    stage_pod(&stage, &(struct pod)POD("p2", "root.a", 1000, 10, "n1"));
    stage_pod(&stage, &(struct pod)POD("x1", "root.a", 1000, 10, "n1", .originator = true));
    stage_reload(&stage, ON, Q("max: {vcore: 1}"));
    stage_wait(&stage, 11);
    stage_expect(&stage, "one of the budget", "p1 x1");
    stage_done(&stage);
}

static void it_is_told(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, ON, Q("max: {vcore: 8}"));
    world_node(&stage.world, "n1", 64000, 65536);
    stage_pod(&stage, &(struct pod)POD("1", "root.a", 1000, 10, "n1"));
    stage_pod(&stage, &(struct pod)POD("2", "root.a", 1000, 10, "n1"));
    stage_reload(&stage, ON, Q("max: {vcore: 1}"));
    stage_wait(&stage, 11);
    stage_expect(&stage, "one", "1");
    assert_string_equal(stage.world.last_message,
                        "Preempted by Quota change enforcement process in queue 'root.a'");
    assert_int_equal(world_events(&stage.world, YK_EVENT_QUEUE_QUOTA_PREEMPTION), 1);
    assert_int_equal(yk_resvec_get(&world_queue(&stage.world, "root.a")->preempting, YK_RESTYPE_VCORE), 1000);
    assert_false(world_queue(&stage.world, "root.a")->quota.is_running);
    /* What ends already is not taken twice. */
    stage_reload(&stage, ON, Q("max: {vcore: 1, memory: 1Gi}"));
    stage_wait(&stage, 30);
    stage_expect(&stage, "none", "");
    stage_confirm(&stage);
    assert_true(yk_resvec_is_empty(&world_queue(&stage.world, "root.a")->preempting));
    stage_done(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documented_order),
        cmocka_unit_test(how_much),
        cmocka_unit_test(parents_split),
        cmocka_unit_test(a_queue_that_changed_its_type),
        cmocka_unit_test(applications_and_children_split),
        cmocka_unit_test(a_budget_counts_within_a_run),
        cmocka_unit_test(it_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
