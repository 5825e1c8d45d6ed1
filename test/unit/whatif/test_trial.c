/* SPDX-License-Identifier: Apache-2.0 */
/* Single questions and their answers. */
#include "report/config_history.h"
#include "scheduler/core.h"
#include "whatif/manifest.h"
#include "whatif/stage.h"
#include "whatif/trial_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char queues[] = "partitions:\n"
                             "  - name: default\n"
                             "    queues:\n"
                             "      - name: root\n"
                             "        submitacl: '*'\n"
                             "        queues:\n"
                             "          - name: a\n"
                             "            resources: {guaranteed: {vcore: 4}, max: {vcore: 6}}\n"
                             "          - name: b\n"
                             "            resources: {guaranteed: {vcore: 1}}\n";

#define NODE(name, cpu)                                                                                      \
    "{'metadata':{'name':'" name "','labels':{'kubernetes.io/hostname':'" name                               \
    "'}},'status':{'allocatable':{'cpu':'" cpu "','memory':'16Gi','pods':'110'}}}"
#define POD(name, queue, cpu)                                                                                \
    "{'metadata':{'namespace':'default','name':'" name "','labels':{'applicationId':'app-" queue             \
    "','queue':'root." queue "'}},'spec':{'schedulerName':'yunikorn','containers':[{'name':'c','resources':" \
    "{'requests':{'cpu':'" cpu "','memory':'1Gi'}}}]}}"

static int set_up(void **state)
{
    struct stage *stage = yk_new0(struct stage);
    stage_init(stage, queues, 1);
    *state = stage;
    return 0;
}

static int tear_down(void **state)
{
    stage_done(*state);
    free(*state);
    return 0;
}

static void expect_pod(struct stage *stage, const char *question, const char *verdict, const char *node)
{
    json_t *answer = stage_answer(stage, question);
    const json_t *pod = json_array_get(json_object_get(answer, "pods"), 0);
    if (strcmp(stage_text(answer, "verdict"), verdict) != 0 || strcmp(stage_text(pod, "nodeID"), node) != 0)
        fail_msg("want %s on '%s': %s", verdict, node, stage->text);
    assert_true(json_integer_value(json_object_get(json_object_get(answer, "cost"), "forkMicros")) > 0);
    json_decref(answer);
}

static void a_pod_that_fits_starts_now(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "4"));
    stage_pass(stage, YK_NS_PER_S);
    expect_pod(stage, "{'kind':'pod','pod':" POD("p", "a", "2") "}", "starts", "n1");
    /* Nothing of it is left here. */
    assert_string_equal(stage_node_of(stage, "default", "p"), "-");
    stage_put(stage, YK_KIND_POD, POD("p", "a", "2"));
    stage_pass(stage, 0);
    assert_string_equal(stage_node_of(stage, "default", "p"), "n1");
}

static void a_pod_that_does_not_fit_waits_and_says_why(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "4"));
    stage_pass(stage, YK_NS_PER_S);
    expect_pod(stage, "{'kind':'pod','pod':" POD("p", "a", "5") "}", "waits", "");
    assert_non_null(strstr(stage->text, "InsufficientNodeResources"));
}

static void a_gated_pod_waits_for_its_gates(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "4"));
    stage_pass(stage, YK_NS_PER_S);
    expect_pod(
        stage,
        "{'kind':'pod','pod':{'metadata':{'name':'p'},'spec':{'schedulingGates':[{'name':'g/"
        "a'},{'name':'b'}],"
        "'schedulerName':'yunikorn','containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}}}",
        "waits", "");
    assert_non_null(strstr(stage->text, "\"Gated\""));
    assert_non_null(strstr(stage->text, "waits: scheduling gates hold it: g/a, b"));
}

static void a_pod_beyond_its_queue_waits_for_the_queue(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "16"));
    stage_pass(stage, YK_NS_PER_S);
    expect_pod(stage, "{'kind':'pod','pod':" POD("p", "a", "7") "}", "waits", "");
    assert_null(strstr(stage->text, "Insufficient cpu"));
}

/* 1.1 is 1100m, not 1101m: such a pod fits exactly. */
static void amounts_may_be_numbers(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "1100m"));
    stage_pass(stage, YK_NS_PER_S);
    static const char question[] =
        "kind: Pod\nmetadata:\n  name: p\n  labels: {queue: root.a, applicationId: app-p}\n"
        "spec:\n  containers:\n  - {name: c, resources: {requests: {cpu: 1.1, memory: 1e6}}}\n";
    expect_pod(stage, question, "starts", "n1");
}

static void a_pod_without_a_queue_is_rejected(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "16"));
    stage_pass(stage, YK_NS_PER_S);
    expect_pod(stage, "{'kind':'pod','pod':" POD("p", "nowhere", "7") "}", "rejected", "");
    assert_non_null(strstr(stage->text, "nowhere"));
    assert_null(strstr(stage->text, "rejected:  ")); /* the message of the pod begins with a blank */
}

static void a_guarantee_preempts(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "4"));
    stage_put(stage, YK_KIND_POD, POD("b1", "b", "2"));
    stage_put(stage, YK_KIND_POD, POD("b2", "b", "2"));
    stage_pass(stage, 60 * YK_NS_PER_S);
    assert_string_equal(stage_node_of(stage, "default", "b2"), "n1");
    json_t *answer = stage_answer(stage, "{'kind':'pod','pod':" POD("p", "a", "2") "}");
    const json_t *pod = json_array_get(json_object_get(answer, "pods"), 0);
    const json_t *victims = json_object_get(pod, "victims");
    assert_string_equal(stage_text(answer, "verdict"), "starts");
    assert_int_equal(json_array_size(victims), 1);
    assert_true(json_integer_value(json_object_get(pod, "afterMillis")) >= 30000);
    char victim[32];
    snprintf(victim, sizeof(victim), "default/%s", stage_text(json_array_get(victims, 0), "podName"));
    json_decref(answer);
    stage_put(stage, YK_KIND_POD, POD("p", "a", "2"));
    stage_pass(stage, 60 * YK_NS_PER_S);
    assert_string_equal(stage_node_of(stage, "default", "p"), "n1");
    assert_int_equal(stage->evicted.count, 1);
    assert_string_equal(stage->evicted.items[0], victim);
}

/* As on the web page. */
static void fractions_of_seconds_are_dropped(void **state)
{
    struct stage *stage = *state;
    const struct yk_whatif_stage of = {.clock = &stage->clock, .shim = stage->shim};
    static const struct {
        int64_t after_ms;
        const char *words;
    } rows[] = {{30617, "on n1, after 30 s\""}, {1999, "on n1, after 1 s\""}, {617, "on n1, after 617 ms\""}};
    for (size_t i = 0; i < YK_COUNT(rows); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf answer = {0};
        char node[] = "n1";
        struct yk_trial_pod pod = {.namespace_ = "default", .name = "p", .node = node, .has_started = true};
        struct yk_whatif_trial trial = {.stage = &of, .question.kind = YK_WHATIF_POD};
        pod.after_ns = rows[i].after_ms * YK_NS_PER_MS;
        yk_vec_append(&trial.pods, &pod);
        yk__trial_answer(&trial, &answer);
        assert_non_null(strstr(yk_buf_cstr(&answer), rows[i].words));
        yk_vec_done(&trial.pods);
    }
}

static void without_a_horizon_there_is_no_reason(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "4"));
    stage_pass(stage, YK_NS_PER_S);
    expect_pod(stage, "{'kind':'pod','horizonSeconds':0,'pod':" POD("p", "a", "2") "}", "starts", "n1");
    expect_pod(stage, "{'kind':'pod','horizonSeconds':0,'pod':" POD("p", "a", "5") "}", "waits", "");
    assert_non_null(strstr(stage->text, "waits: it does not start at once, and horizonSeconds is 0"));
}

static void victims_that_are_not_listed_are_counted(void **state)
{
    struct stage *stage = *state;
    YK_CLEANUP(yk_buf_done) struct yk_buf answer = {0};
    const struct yk_whatif_stage of = {.clock = &stage->clock, .shim = stage->shim};
    struct yk_trial_pod pods[] = {{.namespace_ = "default", .name = "p-0", .has_started = true},
                                  {.namespace_ = "default", .name = "p-1", .has_started = true}};
    struct yk_whatif_trial trial = {.stage = &of, .question.kind = YK_WHATIF_JOB, .more_victims = 7};
    for (size_t i = 0; i < YK_COUNT(pods); i++)
        yk_vec_append(&trial.pods, &pods[i]);
    yk__trial_answer(&trial, &answer);
    assert_non_null(strstr(yk_buf_cstr(&answer), "of 2 pods 2 start now, preempting 7 pods"));
    yk_vec_done(&trial.pods);
}

/* The sentence of one pod counts them, too. If there are several pods, it is not known for which one they
 * are. */
static void a_pod_counts_victims_that_are_not_listed(void **state)
{
    struct stage *stage = *state;
    YK_CLEANUP(yk_buf_done) struct yk_buf answer = {0};
    const struct yk_whatif_stage of = {.clock = &stage->clock, .shim = stage->shim};
    char name[] = "v", node[] = "n1", other_node[] = "n2";
    struct yk_trial_other victim = {.namespace_ = name, .name = name, .application = name, .node = node};
    struct yk_trial_pod pods[] = {
        {.namespace_ = "default", .name = "p-0", .node = node, .has_started = true, .after_ns = 1},
        {.namespace_ = "default", .name = "p-1", .node = other_node, .has_started = true, .after_ns = 1}};
    struct yk_whatif_trial trial = {.stage = &of, .question.kind = YK_WHATIF_JOB, .more_victims = 7};
    yk_vec_append(&trial.victims, &victim);
    yk_vec_append(&trial.pods, &pods[0]);
    yk__trial_answer(&trial, &answer);
    assert_non_null(strstr(yk_buf_cstr(&answer), "\"message\":\"would preempt 8 pods and then start on n1"));
    yk_vec_append(&trial.pods, &pods[1]);
    yk_buf_done(&answer);
    yk__trial_answer(&trial, &answer);
    assert_non_null(
        strstr(yk_buf_cstr(&answer), "\"message\":\"would preempt at least 1 pod and then start on n1"));
    yk_vec_done(&trial.pods);
    yk_vec_done(&trial.victims);
}

static void a_job_starts_in_part(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "16"));
    stage_pass(stage, YK_NS_PER_S);
    json_t *answer = stage_answer(stage, "{'kind':'job','count':5,'pod':" POD("p", "a", "2") "}");
    assert_string_equal(stage_text(answer, "verdict"), "partly");
    assert_int_equal(json_array_size(json_object_get(answer, "pods")), 5);
    assert_non_null(strstr(stage_text(answer, "message"), "of 5 pods 3 start now, 2 wait"));
    json_decref(answer);
}

static void a_gang_gets_its_placeholders(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "16"));
    stage_pass(stage, YK_NS_PER_S);
    json_t *answer = stage_answer(
        stage,
        "{'kind':'gang','taskGroups':[{'name':'g','minMember':3,'minResource':{'cpu':'1'}}],'pod':" POD(
            "p", "a", "1") "}");
    assert_string_equal(stage_text(answer, "verdict"), "starts");
    assert_int_equal(json_array_size(json_object_get(answer, "placeholders")), 3);
    assert_non_null(strstr(stage_text(answer, "message"), "3 of 3 placeholders"));
    json_decref(answer);
}

/* The placeholders that the scheduler creates meanwhile for another application are not those of the question. */
static void placeholders_of_other_gangs_do_not_count(void **state)
{
    struct stage *stage = *state;
    YK_CLEANUP(yk_buf_done) struct yk_buf answer = {0};
    const struct yk_whatif_stage of = {.clock = &stage->clock, .shim = stage->shim};
    char id[] = "mine";
    struct yk_application application = {.id = id};
    struct yk_trial_pod pods[] = {
        {.namespace_ = "default", .name = "p", .has_started = true},
        {.namespace_ = "default", .name = "tg-mine", .is_placeholder = true, .has_started = true},
        {.namespace_ = "default", .name = "tg-other", .is_placeholder = true}};
    struct yk_whatif_trial trial = {
        .stage = &of, .question.kind = YK_WHATIF_GANG, .application = &application};
    pods[1].tree = json_pack("{s:{s:{s:s}}}", "metadata", "labels", "yunikorn.apache.org/app-id", "mine");
    pods[2].tree =
        json_pack("{s:{s:{s:s}}}", "metadata", "annotations", "yunikorn.apache.org/app-id", "other");
    for (size_t i = 0; i < YK_COUNT(pods); i++)
        yk_vec_append(&trial.pods, &pods[i]);
    yk__trial_answer(&trial, &answer);
    assert_non_null(strstr(yk_buf_cstr(&answer), "; 1 of 1 placeholders get a node"));
    assert_null(strstr(yk_buf_cstr(&answer), "tg-other"));
    json_decref(pods[1].tree);
    json_decref(pods[2].tree);
    yk_vec_done(&trial.pods);
}

static void a_gang_that_is_not_used_is_named(void **state)
{
    struct stage *stage = *state;
    static const char why[] = "it has 1001 members, and a namespace may have 1000 placeholders "
                              "(service.maxPlaceholdersPerNamespace)";
    stage_put(stage, YK_KIND_NODE, NODE("n1", "16"));
    stage_pass(stage, YK_NS_PER_S);
    json_t *answer = stage_answer(
        stage,
        "{'kind':'gang','taskGroups':[{'name':'g','minMember':1001,'minResource':{'cpu':'1m'}}],'pod':" POD(
            "p", "a", "1") "}");
    assert_string_equal(stage_text(answer, "verdict"), "starts");
    assert_string_equal(stage_text(answer, "gangNotUsed"), why);
    assert_non_null(
        strstr(stage_text(answer, "message"), "on n1; the gang is not used: it has 1001 members"));
    json_decref(answer);
    answer = stage_answer(stage, "{'kind':'pod','pod':" POD("p", "a", "1") "}");
    assert_null(json_object_get(answer, "gangNotUsed"));
    json_decref(answer);
}

static void nodes_come_and_go(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "2"));
    stage_put(stage, YK_KIND_POD, POD("p1", "a", "2"));
    stage_put(stage, YK_KIND_POD, POD("p2", "a", "2"));
    stage_pass(stage, 5 * YK_NS_PER_S);
    static const struct {
        const char *question, *message;
    } cases[] = {
        {"{'kind':'node','action':'add','node':" NODE("n2", "4") "}", "1 waiting pod would start"},
        {"{'kind':'node','action':'resize','node':{'name':'n1','allocatable':{'cpu':'4'}}}",
         "1 waiting pod would start"},
        {"{'kind':'node','action':'remove','node':{'name':'n1'}}",
         "1 pod on the node would end; 0 waiting pods would start, 1 would not"},
        {"{'kind':'node','action':'cordon','node':{'name':'n1'}}", "0 waiting pods would start, 1 would not"},
        {"{'kind':'node','action':'resize','node':{'name':'n1','allocatable':{'cpu':'500m'}}}",
         "the node is overcommitted by 1.5 cores; its pods run on, but 1 does not fit into the new size; 0 "
         "waiting "
         "pods would start, 1 would not"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        json_t *answer = stage_answer(stage, cases[i].question);
        assert_string_equal(stage_text(answer, "verdict"), "accepted");
        if (strcmp(stage_text(answer, "message"), cases[i].message) != 0)
            fail_msg("%s: %s", cases[i].question, stage->text);
        json_decref(answer);
    }
}

/* Older pods come first. Those that do not fit stay where they are. */
static void a_node_becomes_smaller(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "5"));
    stage_put(stage, YK_KIND_POD, POD("p3", "b", "2"));
    stage_pass(stage, 5 * YK_NS_PER_S);
    stage_put(stage, YK_KIND_POD, POD("p2", "b", "2"));
    stage_pass(stage, 5 * YK_NS_PER_S);
    stage_put(stage, YK_KIND_POD, POD("p1", "b", "1"));
    stage_pass(stage, 5 * YK_NS_PER_S);
    json_t *answer = stage_answer(
        stage, "{'kind':'node','action':'resize','node':{'name':'n1','allocatable':{'cpu':'3'}}}");
    const json_t *impact = json_object_get(answer, "impact"), *unfit = json_object_get(impact, "notFitting");
    assert_string_equal(
        stage_text(answer, "message"),
        "the node is overcommitted by 2 cores; its pods run on, but 1 does not fit into the new "
        "size; 0 waiting pods would start");
    assert_int_equal(json_array_size(unfit), 1); /* p3 and, behind p2, p1 fit */
    assert_string_equal(stage_text(json_array_get(unfit, 0), "podName"), "p2");
    assert_string_equal(stage_text(json_array_get(unfit, 0), "nodeID"), "n1");
    const json_t *above = json_object_get(impact, "overcommitted");
    assert_int_equal(json_integer_value(json_object_get(above, "vcore")), 2000);
    assert_int_equal(json_object_size(above), 1);
    assert_int_equal(json_array_size(json_object_get(impact, "ended")), 0);
    assert_int_equal(json_array_size(json_object_get(impact, "preempted")), 0);
    json_decref(answer);
    answer = stage_answer(stage,
                          "{'kind':'node','action':'resize','node':{'name':'n1','allocatable':{'cpu':'5'}}}");
    assert_string_equal(stage_text(answer, "message"), "0 waiting pods would start");
    json_decref(answer);
}

static void other_queues_are_tried(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NODE, NODE("n1", "16"));
    stage_put(stage, YK_KIND_POD, POD("p1", "a", "5"));
    stage_put(stage, YK_KIND_POD, POD("p2", "a", "5"));
    stage_pass(stage, 5 * YK_NS_PER_S);
    json_t *answer = stage_answer(
        stage,
        "{'kind':'queues','queues':'partitions: [{name: default, queues: [{name: root, submitacl: \\u0027*"
        "\\u0027, queues: [{name: a, resources: {max: {vcore: 12}}}]}]}]'}");
    assert_string_equal(stage_text(answer, "verdict"), "accepted");
    assert_non_null(strstr(stage_text(answer, "message"), "1 waiting pod would start"));
    json_decref(answer);
    answer = stage_answer(stage, "{'kind':'queues','queues':'partitions: [{name: default, queues: 7}]'}");
    assert_string_equal(stage_text(answer, "verdict"), "rejected");
    json_decref(answer);
    assert_int_equal(yk_config_history_total(yk_core_first_rm(stage->core)), 1); /* that of the start only */
}

static void note_ticket(void *asker, uint64_t ticket, const struct yk_whatif_result *result)
{
    uint64_t *seen = asker;
    assert_int_equal(result->status, 200);
    *seen = *seen * 10 + ticket;
}

static enum yk_status ask_with(struct stage *stage, uint64_t ticket, uint64_t *seen, struct yk_err *err)
{
    return yk_whatif_ask(&stage->whatif, YK_STR("{\"kind\":\"queues\",\"queues\":\"\"}"), ticket, seen,
                         note_ticket, err);
}

/* One question waits while another is being answered; a third one is refused, unless the one that waits is
 * cancelled. */
static void a_second_question_waits(void **state)
{
    struct stage *stage = *state;
    struct yk_err err = {0};
    uint64_t seen = 0;
    assert_int_equal(ask_with(stage, 1, &seen, &err), YK_OK);
    assert_int_equal(ask_with(stage, 2, &seen, &err), YK_OK);
    assert_int_equal(ask_with(stage, 3, &seen, &err), YK_ERR_UNAVAILABLE);
    yk_whatif_cancel(&stage->whatif, 2);
    assert_int_equal(ask_with(stage, 4, &seen, &err), YK_OK);
    yk_whatif_wait(&stage->whatif);
    assert_int_equal(seen, 1);
    (void)yk_timers_run(&stage->outside); /* begins the next trial */
    yk_whatif_wait(&stage->whatif);
    assert_int_equal(seen, 14);
}

/* A malformed question is refused at once while another one is answered. */
static void a_malformed_question_does_not_wait(void **state)
{
    struct stage *stage = *state;
    struct yk_err err = {0};
    uint64_t seen = 0;
    assert_int_equal(ask_with(stage, 1, &seen, &err), YK_OK);
    assert_int_equal(
        yk_whatif_ask(&stage->whatif, YK_STR("{\"kind\":\"pods\"}"), 2, &seen, note_ticket, &err),
        YK_ERR_INVALID);
    assert_int_equal(yk_whatif_ask(&stage->whatif,
                                   YK_STR("{\"kind\":\"pod\",\"pod\":{\"metadata\":{\"name\":\"A b\"}}}"), 2,
                                   &seen, note_ticket, &err),
                     YK_ERR_INVALID);
    assert_int_equal(ask_with(stage, 3, &seen, &err), YK_OK); /* no other question waits */
    assert_int_equal(yk_whatif_ask(&stage->whatif, YK_STR("{}"), 4, &seen, note_ticket, &err),
                     YK_ERR_UNAVAILABLE); /* it is not read, however often it comes */
    yk_whatif_wait(&stage->whatif);
    (void)yk_timers_run(&stage->outside); /* begins the next trial */
    yk_whatif_wait(&stage->whatif);
    assert_int_equal(seen, 13);
}

/* After a trial, a question waits as long as the trial took. */
static void a_question_in_the_pause_waits(void **state)
{
    struct stage *stage = *state;
    struct yk_err err = {0};
    uint64_t seen = 0;
    stage->whatif.no_pause = false;
    stage->whatif.not_before_mono_ns = yk_clock_mono_ns(&yk_clock_real) + 60 * YK_NS_PER_S;
    assert_int_equal(ask_with(stage, 1, &seen, &err), YK_OK);
    assert_int_equal(ask_with(stage, 2, &seen, &err), YK_ERR_UNAVAILABLE);
    assert_int_equal(stage->whatif.copy.pid, 0);
    stage->whatif.not_before_mono_ns = 0;
    yk_clock_advance(&stage->clock, 60 * YK_NS_PER_S);
    (void)yk_timers_run(&stage->outside);
    yk_whatif_wait(&stage->whatif);
    assert_int_equal(seen, 1);
}

static void bad_questions_are_refused(void **state)
{
    struct stage *stage = *state;
    stage_put(stage, YK_KIND_NAMESPACE, "{'metadata':{'name':'team'}}");
    stage_pass(stage, 0);
    static const struct {
        const char *question;
        int status;
    } cases[] = {
        {"", 400},
        {"[1]", 400},
        {"{}", 400},
        {"{'kind':'pod'}", 400},
        {"{'kind':'pods','pod':{}}", 400},
        {"{'kind':'pod','pod':{},'surprise':1}", 400},
        {"{'kind':'job','count':1000000000,'pod':{}}", 400},
        {"{'kind':'job','count':-1,'pod':{}}", 400},
        {"{'kind':'pod','horizonSeconds':99999,'pod':{}}", 400},
        {"{'kind':'pod','pod':{'metadata':7}}", 400},
        {"{'kind':'pod','pod':{'spec':{'nodeName':'n1'}}}", 400},
        {"{'kind':'pod','pod':{'spec':{'containers':[{}],'priorityClassName':'none'}}}", 404},
        {"{'kind':'pod','pod':{'spec':{'containers':[{}],'priorityClassName':'system-none'}}}", 404},
        {"{'kind':'pod','pod':{'spec':{'containers':[{'resources':{'requests':{'cpu':'x'}}}]}}}", 400},
        {"{'kind':'pod','pod':{'metadata':{'name':'../x'}}}", 400},
        {"{'kind':'pod','pod':{'metadata':{'namespace':'nosuchns'},'spec':{'containers':[{}]}}}", 404},
        {"{'kind':'pod','pod':{'metadata':{'namespace':'team'},'spec':{'containers':[{}]}}}", 200},
        {"{'kind':'gang','pod':{}}", 400},
        {"{'kind':'node','action':'remove','node':{'name':'none'}}", 404},
        {"{'kind':'node','action':'add','node':{'name':'x'}}", 400},
        {"{'kind':'node','action':'explode','node':{'name':'x'}}", 400},
        {"{'kind':'queues','queues':7}", 400},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        if (stage_ask(stage, cases[i].question) != cases[i].status)
            fail_msg("%s: %d %s", cases[i].question, stage->status, stage->text);
    }
}

/* As an API server and its admission controller do: the lowest of several default classes, and the user who
 * asks instead of the one in a copied manifest. */
static void what_a_pod_gets_when_it_is_created(void **state)
{
    struct stage *stage = *state;
    static const char text[] = "{\"kind\":\"pod\",\"user\":\"bob\",\"pod\":{\"metadata\":{\"annotations\":{"
                               "\"yunikorn.apache.org/user.info\":\"{\\\"user\\\":\\\"ann\\\"}\"}}}}";
    struct yk_whatif_question question;
    struct yk_err err = {0};
    json_t *pod = NULL;
    for (int i = 0; i < 8; i++) {
        char class_[128];
        snprintf(class_, sizeof(class_), "{'metadata':{'name':'c%d'},'value':%d,'globalDefault':true}", i,
                 100 + (i + 4) % 8);
        stage_put(stage, YK_KIND_PRIORITY_CLASS, class_);
    }
    stage_pass(stage, 0);
    assert_int_equal(yk_whatif_question_parse(yk_str_from(text), &question, &err), YK_OK);
    if (yk_manifest_pod(yk_shim_apps(stage->shim)->cache, &question, 0, 0, &pod, &err) != YK_OK)
        fail_msg("%s", err.text);
    const json_t *spec = json_object_get(pod, "spec");
    const json_t *annotations = json_object_get(json_object_get(pod, "metadata"), "annotations");
    assert_string_equal(stage_text(spec, "priorityClassName"), "c4");
    assert_int_equal(json_integer_value(json_object_get(spec, "priority")), 100);
    assert_string_equal(stage_text(annotations, "yunikorn.apache.org/user.info"),
                        "{\"user\":\"bob\",\"groups\":[]}");
    json_decref(pod);
    yk_whatif_question_done(&question);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_pod_that_fits_starts_now),
        TEST(a_pod_that_does_not_fit_waits_and_says_why),
        TEST(a_gated_pod_waits_for_its_gates),
        TEST(a_pod_beyond_its_queue_waits_for_the_queue),
        TEST(amounts_may_be_numbers),
        TEST(a_pod_without_a_queue_is_rejected),
        TEST(a_guarantee_preempts),
        TEST(fractions_of_seconds_are_dropped),
        TEST(without_a_horizon_there_is_no_reason),
        TEST(victims_that_are_not_listed_are_counted),
        TEST(a_pod_counts_victims_that_are_not_listed),
        TEST(a_job_starts_in_part),
        TEST(a_gang_gets_its_placeholders),
        TEST(placeholders_of_other_gangs_do_not_count),
        TEST(a_gang_that_is_not_used_is_named),
        TEST(nodes_come_and_go),
        TEST(a_node_becomes_smaller),
        TEST(other_queues_are_tried),
        TEST(a_second_question_waits),
        TEST(a_malformed_question_does_not_wait),
        TEST(a_question_in_the_pause_waits),
        TEST(bad_questions_are_refused),
        TEST(what_a_pod_gets_when_it_is_created),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
