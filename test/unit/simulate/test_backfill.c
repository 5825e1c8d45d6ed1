/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backfill (scheduling.md 4.3): a pod with activeDeadlineSeconds uses a node that is reserved for another pod
 * if it ends before that pod could start there.
 */
#include "cmd/report.h"
#include "simulate/life.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* One node of 8 cores: 6 of them are taken for 100 s, a pod that needs all 8 waits from 2 s on, and a stream
 * of pods needs one core for 9 s each. */
#define HEAD                                                                                                 \
    "nodes: [{name: n, count: 1, allocatable: {cpu: 8, memory: 32Gi, pods: 110}}]\n"                         \
    "queues: |\n  partitions:\n  - name: default\n    queues:\n    - name: root\n      submitacl: '*'\n"     \
    "      queues:\n      - name: a\ntimes: {podStart: 1s}\ntimeline:\n"
#define STEPS(fill_deadline, small_deadline)                                                                 \
    "- {at: 0s, submit: {application: fill, queue: root.a, pods: 1, run: 100s, " fill_deadline               \
    "requests: {cpu: 6}}}\n"                                                                                 \
    "- {at: 2s, submit: {application: big, queue: root.a, pods: 1, run: 10s, requests: {cpu: 8}}}\n"         \
    "- {at: 5s, submit: {application: small, queue: root.a, pods: 30, every: 5s, run: 9s, " small_deadline   \
    "requests: {cpu: 1}}}\n"

struct waits {
    int64_t big_ns, small_ns; /* the longest of each */
};

static int64_t longest(const struct yk_outcome *outcome, const char *application)
{
    const struct yk_application_row *row;
    int64_t longest_ns = 0;
    yk_vec_foreach (row, &outcome->workload.applications) {
        for (size_t i = 0; strcmp(row->name, application) == 0 && i < row->waits.count; i++)
            longest_ns = YK_MAX(longest_ns, row->waits.items[i]);
    }
    return longest_ns;
}

static struct waits waits_of(const char *text)
{
    struct yk_err err;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = NULL;
    const struct yk_simulation_options options = {.seed = 1, .log_level = "fatal"};
    if (yk_scenario_parse(yk_str_from(text), &scenario, &err) != YK_OK ||
        yk_simulation_run(scenario, &options, &outcome, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_string_equal(outcome->broken.text, "");
    assert_int_equal(outcome->workload.waiting, 0);
    assert_int_equal(outcome->workload.ended, 32);
    struct waits waits = {longest(outcome, "big"), longest(outcome, "small")};
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
    return waits;
}

static void small_pods_pass_and_delay_nobody(void **state)
{
    (void)state;
    struct waits without = waits_of(HEAD STEPS("", ""));
    struct waits with = waits_of(HEAD STEPS("deadline: 100s, ", "deadline: 10s, "));
    struct waits only_of_what_runs = waits_of(HEAD STEPS("deadline: 100s, ", ""));
    assert_true(without.small_ns > 40 * YK_NS_PER_S);
    assert_true(only_of_what_runs.small_ns > 40 * YK_NS_PER_S);
    assert_true(with.small_ns < 30 * YK_NS_PER_S); /* those that come shortly before the large one starts */
    assert_true(with.big_ns <= without.big_ns);
    assert_true(with.big_ns < 101 * YK_NS_PER_S);
}

/* ---- a life of pods: deadlines that are changed, and a restart ---- */

static struct life life;

static void put_pod(const char *name, const char *cpu, const char *deadline, const char *node,
                    const char *status)
{
    char text[1000];
    snprintf(
        text, sizeof(text),
        "{'metadata':{'name':'%s','namespace':'a','labels':{'applicationId':'app-%s'}},'spec':{"
        "'schedulerName':'yunikorn'%s%s,'containers':[{'name':'c','resources':{'requests':{'cpu':'%s'}}}]},"
        "'status':{%s}}",
        name, name, deadline, node, cpu, status);
    life_put_text(&life, YK_KIND_POD, text);
}

#define ON_N1   ",'nodeName':'n1'"
#define RUNNING "'phase':'Running'"
#define WAITS   "'phase':'Pending'"

/* A node of 8 cores, 6 of them in use by a pod that was there before the scheduler; it is reserved for
 * `big`. */
static void begin(const char *fill_deadline, const char *fill_status)
{
    const struct yk_cluster_options options = {
        .seed = 1, .request_ns = 5 * YK_NS_PER_MS, .watch_ns = 2 * YK_NS_PER_MS};
    life = (struct life){.reserves = true};
    life_init(&life, &options);
    life_put_text(&life, YK_KIND_NODE,
                  "{'metadata':{'name':'n1'},'status':{'allocatable':{'cpu':'8','pods':'20'}}}");
    put_pod("fill", "6", fill_deadline, ON_N1, fill_status);
    life_begin(&life, 1);
    put_pod("big", "8", "", "", WAITS);
    life_pass(&life, 3 * YK_NS_PER_S);
    for (int i = 0; i < 4; i++) { /* what overtakes it, so that the node is reserved */
        put_pod("early", "1", "", "", WAITS);
        life_pass(&life, 4 * YK_NS_PER_S);
        assert_true(yk_cluster_delete(life.cluster, YK_KIND_POD, "a", "early"));
        life_pass(&life, YK_NS_PER_S);
    }
}

static void end(void)
{
    static const char *const names[] = {"fill", "big", "small"};
    for (size_t i = 0; i < YK_COUNT(names); i++)
        (void)yk_cluster_delete(life.cluster, YK_KIND_POD, "a", names[i]); /* it may have ended */
    life_pass(&life, 10 * YK_NS_PER_S);
    life_end(&life);
}

#define FOR(seconds) ",'activeDeadlineSeconds':" #seconds

/* The time at which the cluster begins is 2023-11-14T22:13:20Z. */
static void a_restart_knows_since_when_a_pod_runs(void **state)
{
    static const struct {
        const char *what, *status, *node; /* of a pod that may run for 300 s */
    } cases[] = {
        {"since a minute", RUNNING ",'startTime':'2023-11-14T22:12:20Z'", "n1"},
        {"almost at its deadline", RUNNING ",'startTime':'2023-11-14T22:04:20Z'", ""},
        {"not known", RUNNING, "n1"},
        {"in the future", RUNNING ",'startTime':'2033-11-14T22:12:20Z'", "n1"},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        begin(FOR(600), cases[i].status);
        put_pod("small", "1", FOR(300), "", WAITS);
        life_pass(&life, 3 * YK_NS_PER_S);
        const struct yk_pod *pod = life_pod(&life, "a", "small");
        if (!yk_str_is(pod->node_name, cases[i].node))
            fail_msg("%s: '" YK_STR_FMT "'", cases[i].what, YK_STR_ARG(pod->node_name));
        end();
    }
}

static void a_deadline_may_be_lowered(void **state)
{
    (void)state;
    begin(FOR(600), RUNNING);
    put_pod("small", "1", FOR(700), "", WAITS);
    life_pass(&life, 3 * YK_NS_PER_S);
    life_pod_is_on(&life, "a", "small", "");
    put_pod("small", "1", FOR(300), "", WAITS); /* of a pod that waits */
    life_pass(&life, 3 * YK_NS_PER_S);
    life_pod_is_on(&life, "a", "small", "n1");
    end();

    begin(FOR(600), RUNNING);
    put_pod("fill", "6", FOR(100), ON_N1, RUNNING); /* of a pod that runs */
    life_pass(&life, YK_NS_PER_S);
    put_pod("small", "1", FOR(300), "", WAITS);
    life_pass(&life, 3 * YK_NS_PER_S);
    life_pod_is_on(&life, "a", "small", "");
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_pods_pass_and_delay_nobody),
        cmocka_unit_test(a_restart_knows_since_when_a_pod_runs),
        cmocka_unit_test(a_deadline_may_be_lowered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
