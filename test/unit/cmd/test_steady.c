/* SPDX-License-Identifier: Apache-2.0 */
/* Samples, steady figures and goals of whole runs (docs/reference/simulate.md, "Goals"). */
#include "cmd/goals.h"
#include "cmd/random_scenario.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define NODES "nodes: [{name: n, count: 2, allocatable: {cpu: 4, memory: 32Gi, pods: 110}}]\n"
#define QUEUES                                                                                               \
    "queues: |\n  partitions:\n  - name: default\n    queues:\n    - name: root\n      submitacl: '*'\n"     \
    "      queues:\n      - name: a\n      - name: b\n"

static struct yk_outcome *run(const char *text, struct yk_scenario **ret_scenario)
{
    struct yk_err err;
    struct yk_outcome *outcome = NULL;
    if (yk_scenario_parse(yk_str_from(text), ret_scenario, &err) != YK_OK)
        fail_msg("%s", err.text);
    const struct yk_simulation_options options = {.seed = 1, .log_level = "fatal"};
    if (yk_simulation_run(*ret_scenario, &options, &outcome, &err) != YK_OK)
        fail_msg("%s", err.text);
    return outcome;
}

/* Two queues that share eight cores: what is in use is what they are entitled to. */
static void a_fair_run_reaches_its_goals(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome =
        run("sample: 5s\n" NODES QUEUES "reservations: false\nsteady: {expect: [{application: x, "
            "boundAtLeast: 20}, {killedAtMost: 0}]}\ntimeline:\n"
            "- {at: 0s, submit: {application: x, pods: 200, every: 1s, run: 10s, queue: root.a, requests: "
            "{cpu: 1}}}\n"
            "- {at: 0s, submit: {application: y, pods: 200, every: 1s, run: 10s, queue: root.b, requests: "
            "{cpu: 1}}}\n"
            "end: {when: time, at: 3m}\n",
            &scenario);
    YK_CLEANUP(yk_verdicts_done) struct yk_verdicts verdicts;
    yk_goals_judge(outcome, &verdicts);
    assert_int_equal(verdicts.count, YK_GOAL_COUNT + 2);
    for (size_t i = 0; i < verdicts.count; i++) {
        if (!verdicts.items[i].reached || !yk_str_empty(verdicts.items[i].exception))
            fail_msg("%s is %f", verdicts.items[i].what, verdicts.items[i].value);
    }
    assert_true(verdicts.reached);
    assert_in_range(outcome->figures.samples, 20, 34);
    assert_true(outcome->figures.jain_mean > 0.999);
    assert_int_equal(outcome->figures.longest_run_ns, 10 * YK_NS_PER_S);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

static const struct yk_goal_verdict *verdict_of(const struct yk_verdicts *verdicts, const char *what)
{
    for (size_t i = 0; i < verdicts->count; i++) {
        if (strcmp(verdicts->items[i].what, what) == 0)
            return &verdicts->items[i];
    }
    fail_msg("there is no '%s'", what);
    return NULL;
}

/* Expectations are judged one by one, in words that name them; goals may be declared not to apply. */
static void missed_expectations_are_named(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run(
        "sample: 5s\n" NODES QUEUES "steady:\n  notApplicable: {used: the pods never end}\n  expect:\n"
        "  - {queue: root.a, at: 20s, coresAtLeast: 2, coresAtMost: 1500m}\n"
        "  - {application: late, waitAtMost: 10s}\n  - {application: x, endedAtMost: 1m}\n"
        "  - {queue: root.b, boundAtMost: 3}\n  - {queue: root, at: 20s, coresAtLeast: 8}\n"
        "  - {queue: root, at: 10m, coresAtLeast: 0}\ntimeline:\n"
        "- {at: 0s, submit: {application: x, pods: 2, queue: root.a, requests: {cpu: 1}}}\n"
        "- {at: 0s, submit: {application: y, applications: 6, pods: 1, queue: root.b, requests: {cpu: 1}}}\n"
        "- {at: 30s, submit: {application: late, pods: 1, queue: root.b, requests: {cpu: 1}}}\n"
        "end: {when: time, at: 2m}\n",
        &scenario);
    YK_CLEANUP(yk_verdicts_done) struct yk_verdicts verdicts;
    yk_goals_judge(outcome, &verdicts);
    assert_false(verdicts.reached);
    assert_true(verdict_of(&verdicts, "used")->reached);
    assert_true(yk_str_is(verdict_of(&verdicts, "used")->exception, "the pods never end"));
    const struct yk_goal_verdict *cores = verdict_of(&verdicts, "root.a cores at 20s");
    assert_true(cores[0].reached && cores[0].value >= 2 && cores[0].value <= 2);
    assert_true(cores[1].is_maximum && !cores[1].reached);
    assert_false(verdict_of(&verdicts, "late wait")->reached);
    assert_true(fabs(verdict_of(&verdicts, "late wait")->value - 90) < 1);
    assert_false(verdict_of(&verdicts, "x ended")->reached);
    assert_false(verdict_of(&verdicts, "root.b bound")->reached);
    assert_true(verdict_of(&verdicts, "root cores at 20s")->reached);
    assert_false(verdict_of(&verdicts, "root cores at 10m0s")->reached); /* no such sample */
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

/* A queue is owed four cores that others use: four pods are killed for it, which is the deficit. */
static void kills_are_measured_against_the_deficit(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run(
        "sample: 5s\n" NODES
        "queues: |\n  partitions:\n  - name: default\n    queues:\n    - name: root\n      submitacl: '*'\n"
        "      queues:\n      - name: a\n        properties: {preemption.delay: 5s}\n        resources: "
        "{guaranteed: {vcore: 4}}\n"
        "      - name: b\ntimeline:\n"
        "- {at: 0s, submit: {application: y, pods: 8, queue: root.b, requests: {cpu: 1}}}\n"
        "- {at: 10s, submit: {application: x, pods: 6, queue: root.a, requests: {cpu: 1}}}\n"
        "end: {when: time, at: 2m}\n",
        &scenario);
    assert_int_equal(outcome->figures.killed, 4);
    assert_true(fabs(outcome->figures.kills_ratio - 1) < 0.01);
    assert_int_equal(outcome->workload.queues.count, 2);
    const struct yk_queue_row *b = outcome->workload.queues.items[0];
    assert_string_equal(b->name, "root.b");
    assert_int_equal(b->killed, 4);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

#define STREAM                                                                                               \
    "sample: 5s\nreservations: false\nnodes: [{name: n, count: 1, allocatable: {cpu: 4, memory: 32Gi, "      \
    "pods: 110}}]\n" QUEUES "timeline:\n- {at: 0s, submit: {application: x, pods: 100, every: 2s, run: "     \
    "10s, queue: root.a, requests: "                                                                         \
    "{cpu: 1}}}\n- {at: 30s, submit: {application: big, pods: 1, queue: root.b, "

/* Without reservations a pod as large as the node never runs beside a stream. */
static void the_first_in_order_is_overtaken(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        int64_t least_s, most_s;
    } cases[] = {
        {"it could use the node", STREAM "requests: {cpu: 4}}}\nend: {when: time, at: 130s}\n", 90, 100},
        {"it is larger than the node", STREAM "requests: {cpu: 5}}}\nend: {when: time, at: 130s}\n", 0, 0},
        {"it may not run there",
         STREAM "nodeSelector: {zone: z}, requests: {cpu: 4}}}\nend: {when: time, at: 130s}\n", 0, 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_scenario *scenario = NULL;
        struct yk_outcome *outcome = run(cases[i].text, &scenario);
        int64_t overtaken_s = outcome->figures.overtaken_worst_ns / YK_NS_PER_S;
        if (overtaken_s < cases[i].least_s || overtaken_s > cases[i].most_s)
            fail_msg("%s: overtaken for %lld s", cases[i].what, (long long)overtaken_s);
        if (cases[i].most_s > 0)
            assert_string_equal(outcome->figures.worst, "default/big-1");
        yk_outcome_free(outcome);
        yk_scenario_free(scenario);
    }
}

/* The figures of a run in which queue `a` fills 32 cores with pods that start and end together each minute, and
 * `b` asks for what `b_submit` says 5 s after they started the fourth time. `limits`: of queue b. */
static struct yk_steady_figures figures_beside_a_full_queue(const char *limits, const char *b_submit)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text,
                  "sample: 5s\nnodes: [{name: n, count: 4, allocatable: {cpu: 8, memory: 64Gi, pods: 110}}]\n"
                  "%s%sreservations: false\ntimeline:\n"
                  "- {at: 0s, submit: {application: x, pods: 400, run: 60s, queue: root.a, requests: "
                  "{cpu: 1}}}\n"
                  "- {at: 185s, submit: {application: y, queue: root.b, requests: {cpu: 1}, %s}}\n"
                  "end: {when: time, at: 8m}\n",
                  QUEUES, limits, b_submit);
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run(yk_buf_cstr(&text), &scenario);
    struct yk_steady_figures figures = outcome->figures;
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
    return figures;
}

/* No scheduler can hand over a share before pods end, so waiting for that is not unfair. */
static void a_share_is_owed_once_pods_have_ended(void **state)
{
    (void)state;
    struct yk_steady_figures figures = figures_beside_a_full_queue("", "pods: 1, run: 60s");
    assert_true(figures.samples > 20);
    assert_true(figures.jain_raw_min < 0.6); /* b waited */
    assert_true(figures.jain_min > 0.99);
}

/* A share that is withheld for longer is, also if it is small. */
static void a_withheld_share_is_unfair(void **state)
{
    (void)state;
    struct yk_steady_figures figures = figures_beside_a_full_queue(
        "        limits: [{limit: \"\", users: ['*'], maxresources: {vcore: 500m}}]\n", "pods: 1, run: 60s");
    assert_true(figures.samples > 20);
    assert_true(figures.jain_min < 0.91);
}

/* Five cores are guaranteed to pods of two, which leaves eleven to pods of eight: twelve of 16 can be used. */
static void use_is_measured_in_whole_pods(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run(
        "sample: 5s\nnodes: [{name: n, count: 1, allocatable: {cpu: 16, memory: 64Gi, pods: 110}}]\n"
        "queues: |\n  partitions:\n  - name: default\n    queues:\n    - name: root\n      submitacl: '*'\n"
        "      queues:\n"
        "      - name: a\n        resources: {guaranteed: {vcore: 5}, max: {vcore: 5}}\n"
        "      - name: b\n        resources: {guaranteed: {vcore: 8}}\n"
        "timeline:\n"
        "- {at: 0s, submit: {application: x, pods: 200, run: 10s, queue: root.a, requests: {cpu: 2}}}\n"
        "- {at: 0s, submit: {application: y, pods: 200, run: 10s, queue: root.b, requests: {cpu: 8}}}\n"
        "end: {when: time, at: 3m}\n",
        &scenario);
    assert_in_range(outcome->figures.samples, 20, 40);
    assert_true(outcome->figures.used > 0.99 && outcome->figures.used < 1.01);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

/* The same text for the same seed, another one for another; each can be run. */
static void random_scenarios_can_be_run(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf before = {0};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        YK_CLEANUP(yk_buf_done) struct yk_buf again = {0};
        yk_random_scenario_write(seed, &text);
        yk_random_scenario_write(seed, &again);
        assert_string_equal(yk_buf_cstr(&text), yk_buf_cstr(&again));
        if (before.len > 0)
            assert_string_not_equal(yk_buf_cstr(&text), yk_buf_cstr(&before));
        yk_buf_clear(&before);
        yk_buf_str(&before, yk_buf_view(&text));
        YK_CLEANUP(yk_scenario_freep) struct yk_scenario *scenario = NULL;
        struct yk_err err;
        if (yk_scenario_parse(yk_buf_view(&text), &scenario, &err) != YK_OK)
            fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
        scenario->end.at_ns = 20 * YK_NS_PER_S;
        struct yk_outcome *outcome = NULL;
        const struct yk_simulation_options options = {.seed = seed, .log_level = "fatal"};
        if (yk_simulation_run(scenario, &options, &outcome, &err) != YK_OK)
            fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
        assert_string_equal(outcome->broken.text, "");
        yk_outcome_free(outcome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fair_run_reaches_its_goals),
        cmocka_unit_test(missed_expectations_are_named),
        cmocka_unit_test(kills_are_measured_against_the_deficit),
        cmocka_unit_test(the_first_in_order_is_overtaken),
        cmocka_unit_test(a_share_is_owed_once_pods_have_ended),
        cmocka_unit_test(a_withheld_share_is_unfair),
        cmocka_unit_test(use_is_measured_in_whole_pods),
        cmocka_unit_test(random_scenarios_can_be_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
