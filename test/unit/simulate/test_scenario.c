/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define HEAD "nodes: [{name: m, count: 2, allocatable: {cpu: 4, memory: 8Gi, pods: 110}}]\nqueues: x\n"
#define AT0  HEAD "timeline:\n- at: 0s\n  "

static void a_scenario_is_read_whole(void **state)
{
    (void)state;
    static const char text[] =
        "name: two\nseed: 42\n"
        "nodes:\n- {name: m, count: 3, labels: {zone: a}, allocatable: {cpu: 500m, memory: 1Gi}, "
        "taints: [{key: gpu, value: 'yes', effect: NoSchedule}]}\n"
        "queues: |\n  partitions: []\nsettings: {log.level: warn}\n"
        "times: {request: 3ms, watchJitter: 1s}\n"
        "timeline:\n"
        "- at: 1m\n  note: hello\n  submit: {application: a, applications: 4, pods: 10, queue: root.a, user: "
        "sue, namespace: n, "
        "requests: {cpu: 2}, run: 5s, every: 10ms, priority: -3, nodeSelector: {zone: a}, "
        "tolerations: [{key: gpu, operator: Exists}]}\n"
        "- {at: 2m, fault: {on: bind, do: refuse, status: 429, probability: 0.5, retryAfter: 1s}}\n"
        "- {at: 2m, breakWatch: {of: pods, how: cutList, gap: 3s}}\n"
        "- {at: 3m, cordon: [m-0, m-1]}\n"
        "- {at: 4m, note: only words}\n"
        "end: {when: time, at: 5m}\n";
    struct yk_scenario *s = NULL;
    struct yk_err err;
    if (yk_scenario_parse(YK_STR(text), &s, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_int_equal(s->seed, 42);
    assert_int_equal(s->nodes[0].count, 3);
    assert_int_equal(s->nodes[0].taint_count, 1);
    assert_true(yk_str_is(s->queues, "partitions: []\n"));
    assert_int_equal(s->times.request_ns, 3 * YK_NS_PER_MS);
    assert_int_equal(s->times.watch_ns, YK_NS_PER_MS); /* the default */
    assert_int_equal(s->times.watch_jitter_ns, YK_NS_PER_S);
    assert_int_equal(s->step_count, 5);
    const struct yk_scenario_submit *submit = &s->steps[0].with.submit;
    assert_int_equal(s->steps[0].kind, YK_STEP_SUBMIT);
    assert_int_equal(s->steps[0].at_ns, 60 * YK_NS_PER_S);
    assert_int_equal(submit->applications, 4);
    assert_int_equal(submit->every_ns, 10 * YK_NS_PER_MS);
    assert_int_equal(submit->priority, -3);
    assert_true(yk_str_is(submit->tolerations[0].operator_, "Exists"));
    assert_int_equal(s->steps[1].with.fault.http_status, 429);
    assert_int_equal(s->steps[2].with.break_.how, YK_WATCH_FAULT_CUT);
    assert_int_equal(s->steps[3].with.names.count, 2);
    assert_int_equal(s->steps[4].kind, YK_STEP_NONE);
    assert_false(s->end.when_idle);
    assert_int_equal(s->end.at_ns, 300 * YK_NS_PER_S);
    yk_scenario_free(s);
}

static void goals_and_samples_are_read(void **state)
{
    (void)state;
    struct yk_scenario *s = NULL;
    struct yk_err err;
    if (yk_scenario_parse(YK_STR(HEAD
                                 "sample: 30s\nreservations: false\n"
                                 "steady:\n  settle: 2m\n  longestRun: 40s\n"
                                 "  maxima: [{queue: root.a, amounts: {cpu: 10}}]\n"
                                 "  notApplicable: {jainMin: two queues take turns}\n"
                                 "  expect:\n  - {queue: root.a, at: 70s, coresAtLeast: 1500m}\n"
                                 "  - {application: big, waitAtMost: 3m}\n  - {killedAtMost: 0}\n"
                                 "  - {statusPatchesAtMost: 9}\n"
                                 "timeline:\n- {at: 1s, resizeNodes: {names: [m-0], allocatable: {cpu: 2}}}\n"
                                 "- {at: 2s, submit: {application: d, daemonSet: true}}\n---\n# end\n"),
                          &s, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_int_equal(s->sample_ns, 30 * YK_NS_PER_S);
    assert_true(s->no_reservations);
    assert_int_equal(s->steady.settle_ns, 120 * YK_NS_PER_S);
    assert_int_equal(s->steady.longest_run_ns, 40 * YK_NS_PER_S);
    assert_true(yk_str_is(s->steady.exceptions[YK_GOAL_JAIN_MIN], "two queues take turns"));
    assert_true(yk_str_empty(s->steady.exceptions[YK_GOAL_JAIN_MEAN]));
    assert_int_equal(s->steady.maximum_count, 1);
    assert_true(yk_str_is(s->steady.maxima[0].queue, "root.a"));
    assert_int_equal(s->steady.expectation_count, 4);
    assert_int_equal(s->steady.expectations[0].cores_at_least, 1500);
    assert_int_equal(s->steady.expectations[0].killed_at_most, -1);
    assert_int_equal(s->steady.expectations[1].wait_at_most_ns, 180 * YK_NS_PER_S);
    assert_int_equal(s->steady.expectations[2].killed_at_most, 0);
    assert_int_equal(s->steady.expectations[2].status_patches_at_most, -1);
    assert_int_equal(s->steady.expectations[3].status_patches_at_most, 9);
    assert_int_equal(s->steps[0].kind, YK_STEP_RESIZE_NODES);
    assert_int_equal(s->steps[0].with.resize.name_count, 1);
    assert_int_equal(s->steps[0].with.resize.allocatable.count, 1);
    assert_true(s->steps[1].with.submit.daemon_set);
    yk_scenario_free(s);
}

static void mistakes_are_named_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *want;
    } cases[] = {
        {"nothing", "", "the scenario is empty"},
        {"not YAML", "nodes: [", "line 2: did not find"},
        {"a second document", HEAD "timeline: []\n---\nend: {at: 1s}\n", "line 5: a second document"},
        {"what follows is not YAML", HEAD "timeline: []\n---\n[\n", "line 6: did not find"},
        {"a list at the top", "- a", "line 1: a mapping is expected here"},
        {"an unknown key", HEAD "timeline: []\nnode: x\n",
         "line 4: unknown key 'node'; known here: name, seed"},
        {"a key twice", HEAD "queues: y\ntimeline: []\n", "line 3: 'queues' is there twice"},
        {"no timeline", HEAD, "'timeline' is missing"},
        {"no time", HEAD "timeline:\n- submit: {application: a, pods: 1}\n", "line 4: 'at' is missing"},
        {"a bad duration", HEAD "timeline:\n- at: soon\n", "line 4: 'soon' is not a duration"},
        {"a negative duration", HEAD "timeline:\n- at: -1s\n", "line 4: '-1s' is not a duration"},
        {"two things in one step", AT0 "cordon: [m-0]\n  uncordon: [m-1]\n",
         "line 4: a step does one thing; this one names 2"},
        {"no pods", AT0 "submit: {application: a, pods: 0}\n", "0 is not between 1 and"},
        {"a deadline of no time", AT0 "submit: {application: a, pods: 1, deadline: 0s}\n",
         "a deadline is 1 to 2147483647 whole seconds"},
        {"a deadline of half a second", AT0 "submit: {application: a, pods: 1, deadline: 1500ms}\n",
         "a deadline is 1 to"},
        {"no count of pods", AT0 "submit: {application: a}\n", "line 5: 'pods' is missing"},
        {"a DaemonSet with a count", AT0 "submit: {application: a, daemonSet: true, pods: 2}\n",
         "line 5: a daemonSet has one pod per node"},
        {"a resize without names", AT0 "resizeNodes: {allocatable: {cpu: 1}}\n",
         "line 5: 'names' is missing"},
        {"samples too often", HEAD "sample: 1ms\ntimeline: []\n", "line 3: samples are at least 100ms"},
        {"too many samples", HEAD "sample: 1s\nend: {at: 1000h}\ntimeline: []\n", "more than 100000 samples"},
        {"goals without samples", HEAD "steady: {expect: [{killedAtMost: 0}]}\ntimeline: []\n",
         "'steady' needs 'sample'"},
        {"an unknown goal", HEAD "sample: 1s\nsteady: {notApplicable: {jane: x}}\ntimeline: []\n",
         "line 4: 'jane' is not a goal"},
        {"a goal left out without a reason",
         HEAD "sample: 1s\nsteady: {notApplicable: {used: ''}}\ntimeline: []\n", "without a reason"},
        {"nothing expected", HEAD "sample: 1s\nsteady: {expect: [{queue: q}]}\ntimeline: []\n",
         "line 4: an expectation needs a bound"},
        {"cores at no time",
         HEAD "sample: 1s\nsteady: {expect: [{queue: q, coresAtMost: 1}]}\ntimeline: []\n",
         "need 'queue' and 'at'"},
        {"a wait of no application", HEAD "sample: 1s\nsteady: {expect: [{waitAtMost: 1s}]}\ntimeline: []\n",
         "need 'application'"},
        {"not a number", AT0 "submit: {application: a, pods: many}\n", "'many' is not a number"},
        {"a bad quantity", AT0 "submit: {application: a, pods: 1, requests: {cpu: lots}}\n",
         "resource 'cpu'"},
        {"a negative quantity", AT0 "submit: {application: a, pods: 1, requests: {cpu: -1}}\n",
         "'-1' is negative"},
        {"an unknown request", AT0 "fault: {on: watch, do: slow, nth: 1}\n",
         "'watch' is none of bind, patchPodStatus"},
        {"a refusal without status", AT0 "fault: {on: bind, do: refuse, nth: 1}\n", "status from 400 to 599"},
        {"a fault that never comes", AT0 "fault: {on: bind, do: slow}\n", "either 'nth' or 'probability'"},
        {"a probability of 2", AT0 "fault: {on: bind, do: slow, probability: 2}\n", "between 0 and 1"},
        {"an unknown kind", AT0 "breakWatch: {of: jobs, how: pause}\n", "'jobs' is none of pods, nodes"},
        {"too many pods", AT0 "submit: {application: a, applications: 2000, pods: 1000}\n",
         "2000000 pods are more than"},
        {"too many pods of DaemonSets",
         AT0 "submit: {application: a, applications: 600000, daemonSet: true}\n",
         "1200000 pods are more than"},
        {"too many nodes", AT0 "addNodes: {name: x, count: 30000, allocatable: {cpu: 1}}\n",
         "30002 nodes are more than"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_scenario *scenario = NULL;
        struct yk_err err = {0};
        enum yk_status status = yk_scenario_parse(yk_str_from(cases[i].text), &scenario, &err);
        if (status == YK_OK || scenario != NULL || strstr(err.text, cases[i].want) == NULL)
            fail_msg("%s: status %d, '%s'", cases[i].what, status, err.text);
    }
}

static void aliases_do_not_multiply(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_text(&text, HEAD "timeline:\n- {at: 0s, submit: &s {application: a, pods: 1, tolerations: &t [");
    for (int i = 0; i < 100; i++)
        yk_buf_text(&text, "{key: k, operator: Exists},");
    yk_buf_text(&text, "]}}\n");
    for (int i = 0; i < 9000; i++)
        yk_buf_text(&text, "- {at: 0s, submit: *s}\n");
    struct yk_scenario *scenario = NULL;
    struct yk_err err = {0};
    assert_int_equal(yk_scenario_parse(yk_buf_view(&text), &scenario, &err), YK_ERR_LIMIT);
    assert_non_null(strstr(err.text, "values"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scenario_is_read_whole),
        cmocka_unit_test(goals_and_samples_are_read),
        cmocka_unit_test(mistakes_are_named_with_their_line),
        cmocka_unit_test(aliases_do_not_multiply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
