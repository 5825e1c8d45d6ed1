/* SPDX-License-Identifier: Apache-2.0 */
/* When an ask may preempt (scheduling.md 6.0, 6.1 steps 1 and 2), and that nothing polls. */
#include "lib/preemption_stage.h"
#include "partition/move.h"
#include "report/outstanding.h"

#define A2 "    - {name: a, resources: {guaranteed: {vcore: 2}}}\n"
#define B  "    - {name: b}\n"

static void fill(struct stage *stage, const char *node, const char *letter)
{
    static const char *const digits[] = {"1", "2", "3", "4"};
    for (size_t i = 0; i < YK_COUNT(digits); i++) {
        char key[8];
        (void)snprintf(key, sizeof(key), "%s%s", letter, digits[i]);
        struct pod pod = POD(key, "root.b", 1000, 1024, node);
        stage_pod(stage, &pod);
    }
}

static void start(struct stage *stage, const char *partition, const char *queues)
{
    stage_init(stage, partition, queues);
    world_node(&stage->world, "n1", 4000, 4096);
    fill(stage, "n1", "x");
}

static struct yk_wait_log log_of(struct stage *stage, const char *key, enum yk_preempt_note note)
{
    return stage_ask(stage, key)->group->preempt.log[note];
}

static void not_before_the_delay(void **state)
{
    (void)state;
    static const struct {
        const char *what, *queues;
        int64_t seconds; /* until it may; -1: never */
        struct pod ask;
    } cases[] = {
        {"30 s since it was created", A2 B, 30, POD("ask", "root.a", 1000, 1024, NULL)},
        {"of which some have gone by", A2 B, 12, POD("ask", "root.a", 1000, 1024, NULL, .age_s = 18)},
        {"preemption.delay",
         "    - {name: a, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 5s}}\n" B, 5,
         POD("ask", "root.a", 1000, 1024, NULL)},
        {"inherited",
         "    - {name: p, properties: {preemption.delay: 5s}, queues: [{name: a, resources: {guaranteed: "
         "{vcore: "
         "2}}}]}\n" B,
         5, POD("ask", "root.p.a", 1000, 1024, NULL)},
        {"a pod that never preempts", A2 B, -1, POD("ask", "root.a", 1000, 1024, NULL, .never = true)},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct stage stage;
        start(&stage, "", cases[i].queues);
        stage_pod(&stage, &cases[i].ask);
        stage_wait(&stage, 0);
        if (cases[i].seconds > 0) {
            stage_wait(&stage, cases[i].seconds - 1);
            stage_expect(&stage, cases[i].what, "");
            stage_wait(&stage, 1);
        } else if (cases[i].seconds < 0) {
            stage_wait(&stage, 1000);
        }
        stage_expect(&stage, cases[i].what, cases[i].seconds >= 0 ? "x1" : "");
        stage_wait(&stage, 100);
        stage_expect(&stage, "once is enough", "");
        stage_done(&stage);
    }
}

static void the_partition_may_forbid_it(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "  preemption: {enabled: false}\n", A2 B);
    stage_pod(&stage, &(struct pod)POD("ask", "root.a", 1000, 1024, NULL, .age_s = 40));
    stage_wait(&stage, 1);
    stage_wait(&stage, 100);
    stage_expect(&stage, "forbidden", "");
    stage_reload(&stage, "", A2 B);
    stage_wait(&stage, 0);
    stage_expect(&stage, "allowed by a reload", "x1");
    stage_done(&stage);
}

static void a_reload_may_guarantee_something(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "", "    - {name: a}\n" B);
    stage_pod(&stage, &(struct pod)POD("ask", "root.a", 1000, 1024, NULL, .age_s = 40));
    stage_wait(&stage, 1);
    stage_expect(&stage, "nothing is guaranteed", "");
    stage_reload(&stage, "", A2 B);
    stage_wait(&stage, 0);
    stage_expect(&stage, "now it is", "x1");
    stage_done(&stage);
}

/* queues.md A8: it waits where nothing is guaranteed, until an administrator moves it. */
static void a_move_may_guarantee_something(void **state)
{
    (void)state;
    struct stage stage;
    struct yk_err err = {0};
    start(&stage, "", A2 B "    - {name: c}\n");
    stage_pod(&stage, &(struct pod)POD("ask", "root.c", 1000, 1024, NULL, .age_s = 40));
    stage_wait(&stage, 1);
    stage_expect(&stage, "nothing is guaranteed", "");
    assert_int_equal(
        yk_app_move(world_app(&stage.world, "root.c"), world_queue(&stage.world, "root.a"), "joe", &err),
        YK_OK);
    stage_wait(&stage, 0);
    stage_expect(&stage, "now it is", "x1");
    assert_int_equal(
        yk_app_move(world_app(&stage.world, "root.c"), world_queue(&stage.world, "root.c"), "joe", &err),
        YK_OK);
    world_check(&stage.world);
    assert_true(yk_resvec_is_empty(&world_queue(&stage.world, "root")->nominated));
    stage_done(&stage);
}

/* predicates.md 1.4, item 4: who has heard that it waits hears it again once a search for victims
 * vain. */
static void in_vain_is_told(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "", A2 "    - {name: b, properties: {preemption.policy: disabled}}\n");
    struct world *world = &stage.world;
    size_t before = world->told_failed;
    stage_pod(&stage, &(struct pod)POD("ask", "root.a", 1000, 1024, NULL));
    stage_wait(&stage, 0);
    yk_outstanding_report(world_partition(world));
    assert_int_equal(world->told_failed, before + 1);
    assert_int_equal(world->last_obstacle, YK_SI_NO_CAPACITY);
    stage_wait(&stage, 40);
    assert_int_equal(log_of(&stage, "ask", YK_PREEMPT_NO_HELP).count, 1);
    yk_outstanding_report(world_partition(world));
    assert_int_equal(world->told_failed, before + 2);
    assert_int_equal(world->last_obstacle, YK_SI_NO_VICTIMS);
    assert_non_null(strstr(world->last_reason, "preemption would not help"));
    yk_outstanding_report(world_partition(world));
    assert_int_equal(world->told_failed, before + 2);
    world_check(world);
    stage_done(&stage);
}

/* scheduling.md 3.5: the root's maximum is no limit. A node that has shrunk below what runs there makes
 * no pod end for it elsewhere, and does not keep the ask from what was freed for it. */
static void an_overcommitted_node_costs_no_victims(void **state)
{
    (void)state;
    struct stage stage;
    struct yk_resvec capacity = world_size(1000, 1024);
    stage_init(&stage, "", A2 B);
    world_node(&stage.world, "n1", 4000, 4096);
    world_node(&stage.world, "n2", 4000, 4096);
    fill(&stage, "n1", "x");
    fill(&stage, "n2", "y");
    const struct yk_si_node shrunk = {.node_id = "n2", .action = YK_SI_NODE_UPDATE, .capacity = &capacity};
    assert_int_equal(yk_core_update_node(stage.world.core, "rm", &shrunk), YK_OK);
    stage_pod(&stage, &(struct pod)POD("ask", "root.a", 1000, 1024, NULL, .age_s = 40));
    stage_wait(&stage, 1);
    stage_expect(&stage, "one is enough", "x1");
    stage_confirm(&stage);
    stage_wait(&stage, 1);
    assert_string_equal(stage_where(&stage, "ask"), "n1");
    world_check(&stage.world);
    stage_done(&stage);
}

/* A search that finds none: 15 s of rest, then not before something has changed. */
static void a_failure_rests_and_waits_for_a_change(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "", A2 "    - {name: b, properties: {preemption.policy: disabled}}\n    - {name: c}\n");
    stage_pod(&stage, &(struct pod)POD("ask", "root.a", 1000, 1024, NULL, .age_s = 40));
    stage_wait(&stage, 0);
    assert_int_equal(log_of(&stage, "ask", YK_PREEMPT_NO_HELP).count, 1);
    for (int i = 0; i < 100; i++)
        stage_wait(&stage, 10);
    assert_int_equal(log_of(&stage, "ask", YK_PREEMPT_NO_HELP).count, 1); /* nothing polls */
    assert_int_equal(yk_timers_next_ns(&stage.world.timers) >
                         yk_clock_mono_ns(&stage.world.clock) + 3600 * YK_NS_PER_S,
                     true);
    world_release(&stage.world, "root.b", "x1", YK_SI_STOPPED_BY_RM);
    stage_pod(&stage, &(struct pod)POD("y1", "root.c", 1000, 1024, "n1"));
    stage_wait(&stage, 0);
    stage_expect(&stage, "something changed", "y1");
    stage_done(&stage);
}

static void not_again_within_15_seconds(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "", A2 "    - {name: b, properties: {preemption.policy: disabled}}\n    - {name: c}\n");
    stage_pod(&stage, &(struct pod)POD("ask", "root.a", 1000, 1024, NULL, .age_s = 40));
    stage_wait(&stage, 0);
    world_release(&stage.world, "root.b", "x1", YK_SI_STOPPED_BY_RM);
    stage_pod(&stage, &(struct pod)POD("y1", "root.c", 1000, 1024, "n1"));
    stage_wait(&stage, 14);
    stage_expect(&stage, "14 s after", "");
    stage_wait(&stage, 1);
    stage_expect(&stage, "15 s after", "y1");
    stage_done(&stage);
}

/* Equal asks fare the same: one plan for a hundred of them. */
static void equal_asks_share_a_failure(void **state)
{
    (void)state;
    struct stage stage;
    uint32_t attempts = 0;
    start(&stage, "", A2 "    - {name: b, properties: {preemption.policy: disabled}}\n");
    for (int i = 0; i < 100; i++) {
        char key[16], app[16];
        (void)snprintf(key, sizeof(key), "ask%d", i);
        (void)snprintf(app, sizeof(app), "app%d", i % 10);
        stage_pod(&stage, &(struct pod)POD(key, "root.a", 1000, 1024, NULL, .age_s = 40, .app = app));
    }
    stage_wait(&stage, 0);
    for (int i = 0; i < 10; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "ask%d", i);
        attempts += log_of(&stage, key, YK_PREEMPT_NO_HELP).count;
    }
    assert_int_equal(attempts, 1);
    stage_done(&stage);
}

/* Step 1: ten searches without victims for a leaf at a time. */
static void attempts_are_bounded(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "", A2 "    - {name: b, properties: {preemption.policy: disabled}}\n");
    for (int i = 0; i < 25; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "ask%d", i);
        stage_pod(&stage, &(struct pod)POD(key, "root.a", 1000 + i, 1024, NULL, .age_s = 40));
    }
    uint32_t attempts[3] = {0}, exhausted = 0;
    for (int round = 0; round < 3; round++) {
        stage_wait(&stage, round > 0);
        for (int i = 0; i < 25; i++) {
            char key[16];
            (void)snprintf(key, sizeof(key), "ask%d", i);
            attempts[round] += log_of(&stage, key, YK_PREEMPT_NO_HELP).count;
            exhausted += log_of(&stage, key, YK_PREEMPT_EXHAUSTED).count;
        }
    }
    assert_int_equal(attempts[0], 10);
    assert_int_equal(attempts[1], 20);
    assert_int_equal(attempts[2], 25);
    assert_true(exhausted > 0);
    stage_done(&stage);
}

/* preemption.minClusterLoad and preemption.checkInterval. */
static void load_and_interval(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "", "    - {name: a, resources: {guaranteed: {vcore: 6}}}\n" B);
    world_node(&stage.world, "n2", 4000, 4096);
    fill(&stage, "n2", "y");
    world_node(&stage.world, "small", 1000, 8192); /* 8 of 9 cores are in use: 88 % */
    stage.world.core->preemption_min_load = 90;
    stage_pod(&stage, &(struct pod)POD("1", "root.a", 1500, 1024, NULL, .age_s = 40));
    stage_pod(&stage, &(struct pod)POD("2", "root.a", 1400, 1000, NULL, .age_s = 40));
    stage_wait(&stage, 0);
    stage_expect(&stage, "not loaded", "");
    assert_true(log_of(&stage, "1", YK_PREEMPT_NOT_YET).count > 0);
    stage.world.core->preemption_min_load = 88;
    stage.world.core->preemption_interval_ns = 5 * YK_NS_PER_S;
    stage_wait(&stage, 15);
    stage_expect(&stage, "loaded, the first", "x1 x2");
    stage_wait(&stage, 4);
    stage_expect(&stage, "a pause", "");
    stage_wait(&stage, 1);
    stage_expect(&stage, "the second, beside the first on its node", "x3");
    stage_done(&stage);
}

/* 2.6: who comes from the settings. */
static void settings_reach_it(void **state)
{
    (void)state;
    struct stage stage;
    static const struct yk_si_tag extra[] = {{"preemption.minClusterLoad", "70"},
                                             {"preemption.checkInterval", "3s"}};
    start(&stage, "", A2 B);
    struct yk_si_register request = {.rm_id = "rm",
                                     .policy_group = "queues",
                                     .config = yk_str_from(stage.queues),
                                     .extra_config = extra,
                                     .extra_count = YK_COUNT(extra)};
    assert_int_equal(yk_core_update_config(stage.world.core, &request, NULL), YK_OK);
    assert_int_equal(stage.world.core->preemption_min_load, 70);
    assert_int_equal(stage.world.core->preemption_interval_ns, 3 * YK_NS_PER_S);
    stage_done(&stage);
}

/* Each of a group in turn; none asks twice for the same. */
static void asks_of_a_group_one_by_one(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "", A2 B);
    world_node(&stage.world, "n2", 4000, 4096);
    fill(&stage, "n2", "y");
    static const char *const keys[] = {"1", "2", "3"};
    for (size_t i = 0; i < YK_COUNT(keys); i++)
        stage_pod(&stage, &(struct pod)POD(keys[i], "root.a", 1000, 1024, NULL, .age_s = 40 - (int64_t)i));
    stage_wait(&stage, 0);
    stage_expect(&stage, "two are guaranteed, on one node", "x1 x2");
    assert_string_equal(stage.world.last_message,
                        "Preempted by ask '2' of application 'root.a' in queue 'root.a'");
    stage_confirm(&stage);
    stage_wait(&stage, 0);
    assert_string_equal(stage_where(&stage, "1"), "n1");
    assert_string_equal(stage_where(&stage, "2"), "n1");
    assert_string_equal(stage_where(&stage, "3"), "");
    assert_true(log_of(&stage, "3", YK_PREEMPT_GUARANTEES).count > 0);
    stage_done(&stage);
}

enum { NODES = 50, PODS = 50 };

/* A queue at its maximum, and nodes that have capacity: a plan looks at all nodes and all pods on them. */
static void start_large(struct stage *stage)
{
    stage_init(stage, "",
               "    - {name: p, resources: {max: {vcore: 2500}}, queues: [{name: a, resources: {guaranteed: "
               "{vcore: 2}}}, {name: b}]}\n");
    for (int i = 0; i < NODES; i++) {
        char id[8], key[16];
        (void)snprintf(id, sizeof(id), "n%02d", i);
        world_node(&stage->world, id, (PODS + 1) * 1000, 4096);
        for (int p = 0; p < PODS; p++) {
            (void)snprintf(key, sizeof(key), "x%02d-%02d", i, p);
            stage_pod(stage, &(struct pod)POD(key, "root.p.b", 1000, 10, id, .age_s = 50));
        }
    }
}

/* Events are handled between the turns of a plan. */
static void a_plan_takes_several_turns(void **state)
{
    (void)state;
    struct stage stage;
    int turns = 0;
    start_large(&stage);
    stage_pod(&stage, &(struct pod)POD("ask", "root.p.a", 1000, 10, NULL, .age_s = 40));
    for (; stage.victims[0] == '\0' && yk_core_has_work(stage.world.core); turns++) {
        (void)yk_core_schedule(stage.world.core, 1, 0); /* the victims tell */
        if (turns == 1) {
            world_release(&stage.world, "root.p.b", "x00-00", YK_SI_STOPPED_BY_RM);
            stage_pod(&stage, &(struct pod)POD("young", "root.p.b", 1000, 10, "n00"));
        }
    }
    stage_expect(&stage, "the youngest, which came during the plan", "young");
    assert_in_range(turns, 3, 10);
    stage_done(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_before_the_delay),
        cmocka_unit_test(the_partition_may_forbid_it),
        cmocka_unit_test(a_reload_may_guarantee_something),
        cmocka_unit_test(a_move_may_guarantee_something),
        cmocka_unit_test(in_vain_is_told),
        cmocka_unit_test(an_overcommitted_node_costs_no_victims),
        cmocka_unit_test(a_failure_rests_and_waits_for_a_change),
        cmocka_unit_test(not_again_within_15_seconds),
        cmocka_unit_test(equal_asks_share_a_failure),
        cmocka_unit_test(attempts_are_bounded),
        cmocka_unit_test(load_and_interval),
        cmocka_unit_test(settings_reach_it),
        cmocka_unit_test(asks_of_a_group_one_by_one),
        cmocka_unit_test(a_plan_takes_several_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
