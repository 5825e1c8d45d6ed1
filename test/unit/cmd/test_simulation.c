/* SPDX-License-Identifier: Apache-2.0 */
/* Shim and core against the cluster in memory: whole runs. */
#include "base/log.h"
#include "cmd/example.h"
#include "cmd/recording.h"
#include "cmd/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define HEAD                                                                                                 \
    "nodes: [{name: m, count: 6, allocatable: {cpu: 8, memory: 32Gi, pods: 110}}]\n"                         \
    "queues: |\n  partitions:\n  - name: default\n    queues:\n    - name: root\n      submitacl: '*'\n"     \
    "      queues:\n      - name: a\n        resources: {max: {vcore: 30}}\n      - name: b\n"
#define WORK                                                                                                 \
    "- {at: 0s, submit: {application: x, applications: 5, pods: 40, queue: root.a, run: 3s, every: 20ms, "   \
    "requests: {cpu: 1, memory: 1Gi}}}\n"                                                                    \
    "- {at: 0s, submit: {application: y, pods: 100, queue: root.b, run: 2s, requests: {cpu: 500m}}}\n"

static struct yk_outcome *run_text(struct yk_str text, uint64_t seed, struct yk_scenario **ret_scenario)
{
    struct yk_err err;
    struct yk_outcome *outcome = NULL;
    if (yk_scenario_parse(text, ret_scenario, &err) != YK_OK)
        fail_msg("%s", err.text);
    const struct yk_simulation_options options = {.seed = seed, .log_level = "fatal"};
    if (yk_simulation_run(*ret_scenario, &options, &outcome, &err) != YK_OK)
        fail_msg("%s", err.text);
    return outcome;
}

static void report(struct yk_str text, uint64_t seed, struct yk_buf *json)
{
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run_text(text, seed, &scenario);
    yk_report_json(outcome, false, json);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

static void the_same_seed_gives_the_same_bytes(void **state)
{
    (void)state;
    const struct yk_str example = {yk_example_bytes, yk_example_len};
    YK_CLEANUP(yk_buf_done) struct yk_buf first = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf second = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf other = {0};
    report(example, 1, &first);
    report(example, 1, &second);
    report(example, 2, &other);
    assert_string_equal(yk_buf_cstr(&first), yk_buf_cstr(&second));
    assert_string_not_equal(yk_buf_cstr(&first), yk_buf_cstr(&other));
}

static void the_example_shows_what_it_promises(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run_text((struct yk_str){yk_example_bytes, yk_example_len}, 1, &scenario);
    assert_string_equal(outcome->broken.text, "");
    assert_int_equal(outcome->reloads_refused, 0);
    assert_int_equal(outcome->workload.applications.count, 3);
    assert_int_equal(outcome->workload.waiting, 0);
    assert_int_equal(outcome->cluster.binds, outcome->workload.bound);
    assert_int_equal(outcome->workload.reloads.count, 1);
    /* The reload moves quota: research goes beyond its old maximum of 96 cores, and not beyond the new one of
     * 144. */
    const struct yk_workload_reload *reload = outcome->workload.reloads.items[0];
    int64_t before = yk_resvec_get(&reload->queues[1].before, YK_RESTYPE_VCORE);
    int64_t after = yk_resvec_get(&reload->queues[1].after, YK_RESTYPE_VCORE);
    assert_string_equal(reload->queues[1].queue->name, "root.research");
    assert_in_range(before, 90000, 96000);
    assert_in_range(after, 130000, 144000);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

/* Whatever goes wrong on the way: in the end all pods have run, each was bound once, and the books agree. */
static void trouble_loses_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *what, *steps;
    } cases[] = {
        {"nothing", ""},
        {"409", "- {at: 0s, fault: {on: bind, do: refuse, status: 409, probability: 0.2}}\n- {at: 4s, "
                "clearFaults: true}\n"},
        {"429", "- {at: 0s, fault: {on: bind, do: refuse, status: 429, probability: 0.3, retryAfter: 1s}}\n"},
        {"500", "- {at: 0s, fault: {on: bind, do: refuse, status: 500, probability: 0.3}}\n"},
        {"answers lost", "- {at: 0s, fault: {on: bind, do: loseAnswer, probability: 0.3}}\n"},
        {"no answers", "- {at: 0s, fault: {on: bind, do: noAnswer, probability: 0.1}}\n"},
        {"slow answers", "- {at: 0s, fault: {on: bind, do: slow, probability: 0.3, delay: 2s}}\n"},
        {"watch of pods resumed", "- {at: 1s, breakWatch: {of: pods, how: pause, gap: 4s}}\n"},
        {"watch of pods lost", "- {at: 1s, breakWatch: {of: pods, how: relist, gap: 4s}}\n"},
        {"list of pods cut", "- {at: 1s, breakWatch: {of: pods, how: cutList, gap: 1s}}\n- {at: 3s, "
                             "breakWatch: {of: pods, how: cutList, gap: 1s}}\n"},
        {"watch of nodes lost while one goes",
         "- {at: 1s, breakWatch: {of: nodes, how: relist, gap: 3s}}\n- {at: 1500ms, removeNodes: [m-1, "
         "m-2]}\n"
         "- {at: 2s, addNodes: {name: new, count: 2, allocatable: {cpu: 8, memory: 32Gi, pods: 110}}}\n"},
        {"nodes cordoned and back", "- {at: 1s, cordon: [m-0, m-1, m-2, m-3, m-4, m-5]}\n- {at: 6s, "
                                    "uncordon: [m-0, m-1, m-2, m-3, m-4, m-5]}\n"},
        {"pods deleted while they are being bound", "- {at: 1s, delete: {application: y, pods: 30}}\n- {at: "
                                                    "1001ms, delete: {application: x, pods: 30}}\n"},
        {"all of it",
         "- {at: 0s, fault: {on: bind, do: loseAnswer, probability: 0.1}}\n"
         "- {at: 0s, fault: {on: bind, do: refuse, status: 500, probability: 0.1}}\n"
         "- {at: 0s, fault: {on: bind, do: noAnswer, probability: 0.02}}\n"
         "- {at: 1s, breakWatch: {of: pods, how: cutList, gap: 2s}}\n- {at: 2s, removeNodes: [m-3]}\n"
         "- {at: 2s, breakWatch: {of: nodes, how: pause, gap: 2s}}\n"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
            yk_buf_printf(&text,
                          HEAD "times: {request: 3ms, watch: 2ms, watchJitter: 20ms}\ntimeline:\n" WORK "%s",
                          cases[i].steps);
            struct yk_scenario *scenario = NULL;
            struct yk_outcome *outcome = run_text(yk_buf_view(&text), seed, &scenario);
            if (outcome->broken.text[0] != '\0' || outcome->workload.waiting != 0 ||
                outcome->workload.running != 0 || outcome->end_ns >= scenario->end.at_ns)
                fail_msg("%s, seed %llu: '%s', %llu waiting, %llu running at %lld ns", cases[i].what,
                         (unsigned long long)seed, outcome->broken.text,
                         (unsigned long long)outcome->workload.waiting,
                         (unsigned long long)outcome->workload.running, (long long)outcome->end_ns);
            yk_outcome_free(outcome);
            yk_scenario_free(scenario);
        }
    }
}

/* A 404 frees the capacity for other pods, but a pod that exists all the same is bound in the end. */
static void a_pod_that_is_not_found_is_not_forgotten(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run_text(
        YK_STR(HEAD
               "timeline:\n- {at: 0s, fault: {on: bind, do: refuse, status: 404, nth: 5, count: 7}}\n" WORK
               "end: {at: 2m}\n"),
        1, &scenario);
    assert_string_equal(outcome->broken.text, "");
    assert_int_equal(outcome->workload.waiting, 0);
    assert_int_equal(outcome->workload.ended, 300);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

static void a_bad_reload_changes_nothing(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome =
        run_text(YK_STR(HEAD "timeline:\n" WORK "- {at: 1s, reload: 'partitions: 7'}\n"), 1, &scenario);
    assert_int_equal(outcome->reloads_refused, 1);
    assert_string_equal(outcome->broken.text, "");
    assert_int_equal(outcome->workload.ended, 300);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

/* The run ends with the step that failed first, also if a step that is posted later fails. */
static void the_first_step_that_fails_is_told(void **state)
{
    (void)state;
    YK_CLEANUP(yk_scenario_freep) struct yk_scenario *scenario = NULL;
    YK_CLEANUP(yk_scenario_freep) struct yk_scenario *posted = NULL;
    const struct yk_simulation_options options = {.seed = 1, .log_level = "fatal"};
    struct yk_outcome *outcome = NULL;
    struct yk_err err = {0};
    assert_int_equal(yk_scenario_parse(YK_STR(HEAD "timeline:\n- {at: 1s, cordon: [first]}\nend: {at: 9s}\n"),
                                       &scenario, &err),
                     YK_OK);
    assert_int_equal(
        yk_scenario_parse_steps(YK_STR("timeline:\n- {at: 0s, cordon: [second]}\n"), &posted, &err), YK_OK);
    YK_CLEANUP(yk_simulation_freep) struct yk_simulation *sim = yk_simulation_new(scenario, &options);
    while (!yk_simulation_is_over(sim))
        (void)yk_simulation_step(sim, INT64_MAX); /* the run ends */
    assert_int_equal(yk_simulation_do(sim, &posted->steps[0], &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "second"));
    assert_int_equal(yk_simulation_finish(sim, &outcome, &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "first"));
}

/* After a step that fails the clock still reaches the time that a caller asks for, also if another step is due. */
static void the_clock_goes_on_after_a_failure(void **state)
{
    (void)state;
    YK_CLEANUP(yk_scenario_freep) struct yk_scenario *scenario = NULL;
    const struct yk_simulation_options options = {.seed = 1, .log_level = "fatal"};
    struct yk_outcome *outcome = NULL;
    struct yk_err err = {0};
    int steps = 0;
    assert_int_equal(yk_scenario_parse(YK_STR(HEAD "timeline:\n- {at: 1s, cordon: [first]}\n"
                                                   "- {at: 1s, cordon: [second]}\nend: {at: 9s}\n"),
                                       &scenario, &err),
                     YK_OK);
    YK_CLEANUP(yk_simulation_freep) struct yk_simulation *sim = yk_simulation_new(scenario, &options);
    assert_false(yk_simulation_has_failed(sim));
    while (yk_simulation_step(sim, 2 * YK_NS_PER_S) && steps < 100000)
        steps++;
    assert_int_not_equal(steps, 100000);
    assert_true(yk_simulation_has_failed(sim));
    assert_int_equal(yk_simulation_finish(sim, &outcome, &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "first"));
}

/* Pods that no rule has a queue for did not run: they are counted apart, with what they were told. */
static void the_refused_are_told(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0}, json = {0};
    struct yk_outcome *outcome =
        run_text(YK_STR(HEAD "timeline:\n" WORK "- {at: 1s, submit: {application: z, applications: 2, pods: "
                             "7, queue: root.misspelt, run: 3s}}\n"),
                 1, &scenario);
    assert_string_equal(outcome->broken.text, "");
    assert_int_equal(outcome->workload.ended, 300);
    assert_int_equal(outcome->workload.refused, 14);
    assert_int_equal(outcome->workload.waiting, 0);
    assert_int_equal(outcome->workload.refusals.count, 1);
    yk_report_text(outcome, false, false, &text);
    yk_report_json(outcome, false, &json);
    assert_non_null(strstr(yk_buf_cstr(&text), "\n14 pods refused, queue root.misspelt: "));
    assert_non_null(strstr(
        yk_buf_cstr(&text),
        " z: application rejected: no placement rule matched, queue 'root.misspelt' does not exist\n"));
    assert_non_null(strstr(yk_buf_cstr(&json), "\"ended\":0,\"refused\":14,"));
    assert_non_null(strstr(yk_buf_cstr(&json), "\"pods\":14}"));
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

static void reports_show_queues_preemptions_and_colours(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = NULL;
    struct yk_err err;
    YK_CLEANUP(yk_recording_done) struct yk_recording recording;
    YK_CLEANUP(yk_buf_done) struct yk_buf plain = {0}, coloured = {0}, page = {0};
    yk_recording_init(&recording);
    const struct yk_simulation_options options = {.seed = 1, .log_level = "fatal", .recording = &recording};
    if (yk_scenario_parse(
            YK_STR("name: <b>\nnodes: [{name: m, count: 1, allocatable: {cpu: 8, pods: 110, "
                   "nvidia.com/gpu: 4}}]\nqueues: |\n  partitions: [{name: default, queues: [{name: "
                   "root, submitacl: '*', queues: [{name: a}]}]}]\ntimeline:\n- {at: 0s, submit: "
                   "{application: x&y, pods: 9, queue: root.a, run: 10m, requests: {cpu: 1, "
                   "nvidia.com/gpu: 1}}}\n"),
            &scenario, &err) != YK_OK ||
        yk_simulation_run(scenario, &options, &outcome, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_in_range(recording.points.count, YK_RECORDING_POINTS_MAX / 2, YK_RECORDING_POINTS_MAX);
    const struct yk_recorded_point *point = recording.points.items[recording.points.count / 4];
    assert_int_equal(point->queue_count, 1);
    assert_int_equal(point->queues[0].used_milli, 4000);
    assert_int_equal(point->queues[0].waiting, 5);
    yk_report_text(outcome, false, false, &plain);
    yk_report_text(outcome, false, true, &coloured);
    yk_report_html(outcome, &recording, &page);
    assert_non_null(strstr(yk_buf_cstr(&plain), " PREEMPTED  CORES AT MOST    GIB AT MOST   GPUS AT MOST\n"));
    assert_non_null(strstr(yk_buf_cstr(&plain), "            4.0            0.0              4\n"));
    assert_null(strchr(yk_buf_cstr(&plain), '\x1b'));
    assert_non_null(strstr(yk_buf_cstr(&coloured), "\x1b[32mall 9 bound pods"));
    assert_non_null(strstr(yk_buf_cstr(&page), "<title>&lt;b></title>"));
    assert_non_null(strstr(yk_buf_cstr(&page), "<td>x&amp;y</td>"));
    assert_null(strstr(yk_buf_cstr(&page), "http"));
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

/* Samples add a key and lines; without them the result has neither. */
static void samples_are_taken_when_wanted(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0}, json = {0};
    struct yk_outcome *outcome = run_text(YK_STR(HEAD "sample: 1s\ntimeline:\n" WORK), 1, &scenario);
    assert_in_range(outcome->samples.items.count, 5, 60);
    const struct yk_simulation_sample *sample = outcome->samples.items.items[0];
    assert_int_equal(sample->at_ns, YK_NS_PER_S);
    assert_int_equal(sample->queue_count, 2);
    assert_string_equal(sample->queues[0].queue, "root.a");
    assert_in_range(yk_resvec_get(&sample->queues[0].used, YK_RESTYPE_VCORE), 1000, 30000);
    assert_int_equal(sample->queues[0].killed, 0);
    yk_report_text(outcome, false, false, &text);
    yk_report_json(outcome, false, &json);
    assert_non_null(strstr(yk_buf_cstr(&text), "\n1s           root.a "));
    assert_non_null(
        strstr(yk_buf_cstr(&json), ",\"samples\":[{\"atNs\":1000000000,\"queues\":[{\"queue\":\"root.a\","));
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
    yk_buf_clear(&json);
    outcome = run_text(YK_STR(HEAD "timeline:\n" WORK), 1, &scenario);
    yk_report_json(outcome, false, &json);
    assert_null(strstr(yk_buf_cstr(&json), "samples"));
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

/* A node that was made smaller takes nothing beyond what it has now, and the pods on it stay. */
static void a_node_is_resized(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run_text(
        YK_STR(
            HEAD
            "timeline:\n- {at: 0s, submit: {application: x, pods: 48, queue: root.b, requests: {cpu: 1}}}\n"
            "- {at: 10s, resizeNodes: {names: [m-0, m-1], allocatable: {cpu: 4, memory: 1Gi, pods: 9}}}\n"
            "- {at: 20s, delete: {application: x, pods: 40}}\n"
            "- {at: 30s, submit: {application: y, pods: 99, queue: root.b, requests: {cpu: 1}}}\n"
            "end: {when: time, at: 1m}\n"),
        1, &scenario);
    assert_string_equal(outcome->broken.text, "");
    assert_int_equal(outcome->workload.running, 6 * 8 - 2 * 4);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

/* One pod for each node; it tolerates that a node is cordoned. */
static void a_daemon_set_has_a_pod_on_each_node(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run_text(
        YK_STR(HEAD "timeline:\n- {at: 1s, cordon: [m-2]}\n"
                    "- {at: 2s, submit: {application: d, daemonSet: true, queue: root.b, tolerations: [{key: "
                    "node.kubernetes.io/unschedulable, operator: Exists}], requests: {cpu: 1}}}\n"
                    "- {at: 9s, removeNodes: [m-3]}\nend: {when: time, at: 30s}\n"),
        1, &scenario);
    assert_string_equal(outcome->broken.text, "");
    assert_int_equal(outcome->workload.submitted, 6);
    assert_int_equal(outcome->workload.running, 5);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

/* A later step adds its own pods to an application, and a lost one comes back as its step made it. */
static void later_steps_count_in_all_keys(void **state)
{
    (void)state;
    static const char text[] = HEAD
        "timeline:\n"
        "- {at: 0s, submit: {application: x, pods: 2, queue: root.a, run: 60s, requests: {cpu: 1}}}\n"
        "- {at: 1s, submit: {application: x, pods: 3, queue: root.a, run: 3s, every: 1s, requests: {cpu: 4}, "
        "labels: {colour: red}, nodeSelector: {}}}\n"
        "- {at: 30s, submit: {application: x, pods: 1, queue: root.a, run: 100s, requests: {cpu: 3}}}\n"
        "- {at: 40s, removeNodes: [m-0, m-1, m-2, m-3, m-4]}\n"
        "- {at: 41s, addNodes: {name: n, count: 2, allocatable: {cpu: 8, memory: 32Gi, pods: 110}}}\n"
        "end: {when: idle}\n";
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run_text(YK_STR(text), 1, &scenario);
    assert_string_equal(outcome->broken.text, "");
    const struct yk_application_row *row = outcome->workload.applications.items[0];
    assert_int_equal(outcome->workload.applications.count, 1);
    assert_int_equal(row->submitted, 6 + row->resubmitted);
    assert_true(row->resubmitted > 0);
    assert_int_equal(row->ended, 6);
    /* 1 + 1 + 4 + 4: pods of the second step overlap for a moment; at the end 1 + 1 + 3. */
    assert_in_range(yk_resvec_get(&row->queue->highest, YK_RESTYPE_VCORE), 10000, 14000);
    assert_in_range(row->last_end_ns, 140 * YK_NS_PER_S, 160 * YK_NS_PER_S);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

static void what_cannot_start_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"nodes: []\nqueues: 'partitions: 7'\ntimeline: []\n", "partitions"},
        {HEAD "timeline:\n- {at: 1s, cordon: [m-77]}\n", "there is no node 'm-77'"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_scenario *scenario = NULL;
        struct yk_outcome *outcome = NULL;
        struct yk_err err = {0};
        assert_int_equal(yk_scenario_parse(yk_str_from(cases[i].text), &scenario, &err), YK_OK);
        const struct yk_simulation_options options = {.seed = 1, .log_level = "fatal"};
        assert_int_equal(yk_simulation_run(scenario, &options, &outcome, &err), YK_ERR_INVALID);
        assert_null(outcome);
        if (strstr(err.text, cases[i].want) == NULL)
            fail_msg("got '%s'", err.text);
        yk_scenario_free(scenario);
    }
}

static void quantiles_are_ranks(void **state)
{
    (void)state;
    int64_t hundred[100];
    for (int i = 0; i < 100; i++)
        hundred[i] = 100 - i;
    struct yk_waits waits = {hundred, 100, 100};
    struct yk_quantiles q = yk_quantiles_of(&waits);
    assert_int_equal(q.p50_ns, 50);
    assert_int_equal(q.p99_ns, 99);
    assert_int_equal(q.max_ns, 100);
    waits.count = 1;
    q = yk_quantiles_of(&waits);
    assert_int_equal(q.p50_ns, 1);
    assert_int_equal(q.p99_ns, 1);
    waits.count = 0;
    assert_int_equal(yk_quantiles_of(&waits).max_ns, 0);
}

/* examples/gangs.yaml: two gangs one after the other, and one that gives up after half a minute. */
static void gangs_come_together_or_give_up(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_err err;
    if (yk_file_read("examples/gangs.yaml", &text, &err) != YK_OK)
        fail_msg("%s", err.text);
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run_text(yk_buf_view(&text), 1, &scenario);
    assert_string_equal(outcome->broken.text, "");
    struct yk_application_row *train = outcome->workload.applications.items[0];
    struct yk_application_row *half = outcome->workload.applications.items[1];
    assert_int_equal(train->ended, 24);
    assert_int_equal(half->ended, 4);
    assert_int_equal(outcome->cluster.deletes, 24 + 5); /* each placeholder, and nothing else */
    assert_int_equal(outcome->cluster.creates,
                     28 + 24 + 5 + 4 + 1 + 1); /* and pods, nodes, ConfigMap, namespace */
    struct yk_quantiles waits = yk_quantiles_of(&half->waits);
    assert_in_range(waits.p50_ns, 30 * YK_NS_PER_S, 33 * YK_NS_PER_S);
    yk_buf_clear(&text);
    yk_report_text(outcome, false, false, &text);
    assert_non_null(strstr(yk_buf_cstr(&text),
                           "all 56 bound pods (28 of them placeholders of gangs) were bound once, no node"));
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

/* A delete step takes two placeholders, the youngest pods of the gang. Pods that are removed later are replaced
 * nevertheless. */
static void deleted_placeholders_are_not_pods_of_the_workload(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run_text(
        YK_STR(
            HEAD
            "timeline:\n"
            "- {at: 0s, submit: {application: busy, pods: 1, queue: root.b, run: 20s, requests: {cpu: 8}}}\n"
            "- at: 1s\n  submit:\n    {application: g, pods: 6, queue: root.b, run: 1h, requests: {cpu: 8},\n"
            "     annotations: {yunikorn.apache.org/task-group-name: t,\n"
            "       yunikorn.apache.org/schedulingPolicyParameters: placeholderTimeoutInSeconds=10,\n"
            "       yunikorn.apache.org/task-groups: '[{\"name\":\"t\",\"minMember\":6,"
            "\"minResource\":{\"cpu\":8}}]'}}\n"
            "- {at: 5s, delete: {application: g, pods: 2}}\n"
            "- {at: 60s, drain: [m-0]}\n"
            "end: {when: time, at: 2m}\n"),
        1, &scenario);
    const struct yk_application_row *gang = outcome->workload.applications.items[1];
    assert_string_equal(outcome->broken.text, "");
    assert_int_equal(gang->removed, 1);
    assert_int_equal(gang->resubmitted, 1);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

/* A node goes while placeholders hold the others. They do not count, so nothing is left at the end. */
static void placeholders_are_no_use_of_nodes(void **state)
{
    (void)state;
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = run_text(
        YK_STR(
            HEAD
            "timeline:\n"
            "- {at: 0s, submit: {application: busy, pods: 2, queue: root.b, run: 20s, requests: {cpu: 8}}}\n"
            "- at: 1s\n  submit:\n    {application: g, pods: 5, queue: root.b, run: 5s, requests: {cpu: 8},\n"
            "     annotations: {yunikorn.apache.org/task-group-name: t,\n"
            "       yunikorn.apache.org/schedulingPolicyParameters: gangSchedulingStyle=Soft,\n"
            "       yunikorn.apache.org/task-groups: '[{\"name\":\"t\",\"minMember\":5,"
            "\"minResource\":{\"cpu\":8}}]'}}\n"
            "- {at: 5s, removeNodes: [m-0]}\n"
            "end: {when: time, at: 2m}\n"),
        1, &scenario);
    assert_string_equal(outcome->broken.text, "");
    assert_int_equal(outcome->workload.running, 0);
    assert_int_equal(yk_resvec_get(&outcome->workload.usage.used, YK_RESTYPE_VCORE), 0);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

/* ---- an idle scheduler ---- */

static void run_to(struct yk_simulation *sim, int64_t at_ns)
{
    while (yk_simulation_step(sim, at_ns))
        ;
}

/* Health checks, records of the history and the like fire their timers. They do not count as changes: otherwise
 * large answers of REST would have another ETag each time (docs/reference/rest.md 1.8). */
static void an_idle_scheduler_changes_nothing(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "timeline:\n- {at: 0s, submit: {application: x, pods: 3, queue: root.a, requests: {cpu: 1}}}\n"
             "end: {when: time, at: 2h}\n";
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = NULL;
    struct yk_err err;
    if (yk_scenario_parse(yk_str_from(text), &scenario, &err) != YK_OK)
        fail_msg("%s", err.text);
    const struct yk_simulation_options options = {.seed = 1, .log_level = "fatal", .keeps_apart = true};
    struct yk_simulation *sim = yk_simulation_new(scenario, &options);
    const struct yk_actor *actor = &yk_simulation_engine(sim)->actor;
    int64_t start_ns = yk_clock_mono_ns(yk_simulation_clock(sim));
    run_to(sim, start_ns + 10 * YK_NS_PER_S);
    uint64_t before = yk_actor_changes(actor);
    assert_true(before > 0);
    run_to(sim, start_ns + 30 * 60 * YK_NS_PER_S);
    uint64_t after = yk_actor_changes(actor);
    if (after != before)
        fail_msg("%llu changes in 30 idle minutes", (unsigned long long)(after - before));
    if (yk_simulation_finish(sim, &outcome, &err) != YK_OK)
        fail_msg("%s", err.text);
    yk_simulation_free(sim);
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idle_scheduler_changes_nothing),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
        cmocka_unit_test(the_example_shows_what_it_promises),
        cmocka_unit_test(trouble_loses_nothing),
        cmocka_unit_test(a_pod_that_is_not_found_is_not_forgotten),
        cmocka_unit_test(a_bad_reload_changes_nothing),
        cmocka_unit_test(the_first_step_that_fails_is_told),
        cmocka_unit_test(the_clock_goes_on_after_a_failure),
        cmocka_unit_test(the_refused_are_told),
        cmocka_unit_test(reports_show_queues_preemptions_and_colours),
        cmocka_unit_test(samples_are_taken_when_wanted),
        cmocka_unit_test(a_node_is_resized),
        cmocka_unit_test(a_daemon_set_has_a_pod_on_each_node),
        cmocka_unit_test(what_cannot_start_says_why),
        cmocka_unit_test(later_steps_count_in_all_keys),
        cmocka_unit_test(quantiles_are_ranks),
        cmocka_unit_test(gangs_come_together_or_give_up),
        cmocka_unit_test(placeholders_are_no_use_of_nodes),
        cmocka_unit_test(deleted_placeholders_are_not_pods_of_the_workload),
    };
    yk_log_set_stream(NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
