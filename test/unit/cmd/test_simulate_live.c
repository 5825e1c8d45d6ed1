/* SPDX-License-Identifier: Apache-2.0 */
/* What /sim/v1 shows and does, on a clock that the test moves. */
#include "cmd/simulate_live.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char scenario_text[] =
    "name: small\n"
    "nodes: [{name: m, count: 2, allocatable: {cpu: 8, memory: 32Gi, pods: 110}}]\n"
    "queues: |\n  partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: "
    "a}]}]}]\n"
    "timeline:\n- {at: 1s, note: it begins, submit: {application: x, pods: 4, queue: root.a, requests: {cpu: "
    "1}}}\n";

struct fixture {
    struct yk_scenario *scenario;
    struct yk_live live;
};

static void begin(struct fixture *f)
{
    struct yk_err err;
    if (yk_scenario_parse(yk_str_from(scenario_text), &f->scenario, &err) != YK_OK)
        fail_msg("%s", err.text);
    yk_live_init(&f->live);
    const struct yk_simulation_options options = {
        .seed = 1, .log_level = "fatal", .said = yk_live_note, .context = &f->live};
    f->live.sim = yk_simulation_new(f->scenario, &options);
    yk_pace_init(&f->live.pace, 20, yk_clock_mono_ns(yk_simulation_engine(f->live.sim)->clock), 0);
}

static void end(struct fixture *f)
{
    struct yk_outcome *outcome = NULL;
    struct yk_err err;
    if (yk_simulation_finish(f->live.sim, &outcome, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_string_equal(outcome->broken.text, "");
    yk_outcome_free(outcome);
    yk_simulation_free(f->live.sim);
    yk_live_done(&f->live);
    yk_scenario_free(f->scenario);
}

static void run_for(struct fixture *f, int64_t ns)
{
    int64_t until_ns = yk_clock_mono_ns(yk_simulation_engine(f->live.sim)->clock) + ns;
    while (yk_simulation_step(f->live.sim, until_ns))
        ;
    assert_int_equal(yk_clock_mono_ns(yk_simulation_engine(f->live.sim)->clock), until_ns);
}

/* The body, to be json_decref()ed. */
static json_t *post(struct fixture *f, const char *what, const char *body, int status)
{
    struct yk_answer answer;
    yk_answer_init(&answer);
    const struct yk_web_simulation *hook = &f->live.hook;
    (strcmp(what, "clock") == 0 ? hook->set_clock : hook->take_steps)(hook->context, yk_str_from(body),
                                                                      &answer);
    if (answer.status != status)
        fail_msg("%s: %d %s", body, answer.status, yk_buf_cstr(&answer.body));
    json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL);
    assert_non_null(json);
    yk_answer_done(&answer);
    return json;
}

static void post_only(struct fixture *f, const char *what, const char *body, int status)
{
    json_decref(post(f, what, body, status));
}

static json_t *look(struct fixture *f)
{
    struct yk_answer answer;
    yk_answer_init(&answer);
    f->live.hook.show_state(f->live.hook.context, &answer);
    json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL);
    assert_non_null(json);
    yk_answer_done(&answer);
    return json;
}

static void expect_pods(struct fixture *f, int waiting, int running)
{
    json_t *state = look(f), *pods = json_object_get(state, "pods");
    assert_int_equal(json_integer_value(json_object_get(pods, "waiting")), waiting);
    assert_int_equal(json_integer_value(json_object_get(pods, "running")), running);
    json_decref(state);
}

static void the_state_is_shown(void **unused)
{
    (void)unused;
    struct fixture f;
    begin(&f);
    run_for(&f, 5 * YK_NS_PER_S);
    json_t *state = look(&f);
    assert_string_equal(json_string_value(json_object_get(state, "scenario")), "small");
    assert_int_equal(json_integer_value(json_object_get(state, "elapsedNs")), 5 * YK_NS_PER_S);
    assert_true(json_is_false(json_object_get(state, "paused")));
    json_t *note = json_array_get(json_object_get(state, "notes"), 0);
    assert_string_equal(json_string_value(json_object_get(note, "text")), "it begins");
    assert_int_equal(json_integer_value(json_object_get(note, "atNs")), YK_NS_PER_S);
    json_decref(state);
    expect_pods(&f, 0, 4);
    end(&f);
}

static void steps_are_done_at_once(void **unused)
{
    (void)unused;
    struct fixture f;
    begin(&f);
    run_for(&f, 5 * YK_NS_PER_S);
    post_only(&f, "steps",
              "{\"timeline\":[{\"at\":\"0s\",\"note\":\"more\",\"submit\":{\"application\":\"y\",\"pods\":14,"
              "\"queue\":\"root.a\",\"requests\":{\"cpu\":\"1\"}}}]}",
              200);
    run_for(&f, 5 * YK_NS_PER_S);
    expect_pods(&f, 2, 16);
    post_only(&f, "steps",
              "{\"timeline\":[{\"at\":\"0s\",\"addNodes\":{\"name\":\"extra\",\"count\":1,\"allocatable\":"
              "{\"cpu\":\"8\",\"pods\":\"110\"}}}]}",
              200);
    run_for(&f, 5 * YK_NS_PER_S);
    expect_pods(&f, 0, 18);
    end(&f);
}

/* Draining leaves no pod on the node; the pods come back elsewhere as far as there is capacity. */
static void a_node_is_drained(void **unused)
{
    (void)unused;
    struct fixture f;
    struct yk_resvec used, allocatable;
    yk_resvec_init(&used);
    yk_resvec_init(&allocatable);
    begin(&f);
    post_only(
        &f, "steps",
        "{\"timeline\":[{\"at\":\"0s\",\"submit\":{\"application\":\"y\",\"pods\":6,\"queue\":\"root.a\","
        "\"requests\":{\"cpu\":\"1\"}}}]}",
        200);
    run_for(&f, 5 * YK_NS_PER_S);
    post_only(&f, "steps", "{\"timeline\":[{\"at\":\"0s\",\"drain\":[\"m-0\"]}]}", 200);
    run_for(&f, 5 * YK_NS_PER_S);
    assert_true(yk_cluster_node_usage(yk_simulation_cluster(f.live.sim), "m-0", &used, &allocatable));
    assert_int_equal(yk_resvec_get(&used, YK_RESTYPE_VCORE), 0);
    expect_pods(&f, 2, 8);
    yk_resvec_done(&used);
    yk_resvec_done(&allocatable);
    end(&f);
}

static void the_clock_is_set(void **unused)
{
    (void)unused;
    struct fixture f;
    begin(&f);
    post_only(&f, "clock", "{\"paused\":true,\"speed\":60}", 200);
    assert_true(f.live.pace.paused);
    assert_true(f.live.pace.speed == 60);
    int64_t now_ns = yk_clock_mono_ns(yk_simulation_engine(f.live.sim)->clock);
    post_only(&f, "clock", "{\"forward\":\"1m\"}", 200);
    assert_int_equal(f.live.pace.target_ns - now_ns, 60 * YK_NS_PER_S);
    post_only(&f, "clock", "{\"paused\":false}", 200);
    assert_false(f.live.pace.paused);
    assert_int_equal(f.live.pace.target_ns, now_ns);
    end(&f);
}

static void what_makes_no_sense_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *what, *body;
    } cases[] = {
        {"clock", ""},
        {"clock", "[]"},
        {"clock", "{\"speed\":0}"},
        {"clock", "{\"speed\":1e300}"},
        {"clock", "{\"speed\":\"20\"}"},
        {"clock", "{\"paused\":1}"},
        {"clock", "{\"forward\":\"-1s\"}"},
        {"clock", "{\"forward\":\"25h\"}"},
        {"clock", "{\"forward\":5}"},
        {"clock", "{}"},
        {"clock", "{\"pause\":true}"},
        {"clock", "{\"speed\":1,\"speed\":2}"},
        {"clock", "{\"speed\":7,\"paused\":1}"}, /* nothing of it is done */
        {"steps", ""},
        {"steps", "{}"},
        {"steps", "{\"timeline\":[],\"nodes\":[]}"},
        {"steps", "{\"timeline\":[{\"at\":\"1s\",\"cordon\":[\"m-0\"]}]}"},
        {"steps", "{\"timeline\":[{\"at\":\"0s\",\"cordon\":[\"none\"]}]}"},
        {"steps", "{\"timeline\":[{\"at\":\"0s\",\"colour\":\"red\"}]}"},
        {"steps", "{\"timeline\":[{\"at\":\"0s\",\"submit\":{\"application\":\"z\",\"pods\":100001}}]}"},
        {"steps",
         "{\"timeline\":[{\"at\":\"0s\",\"submit\":{\"application\":\"z\",\"daemonSet\":true,\"queue\":\"a\","
         "\"applications\":50000}},{\"at\":\"0s\",\"addNodes\":{\"name\":\"z\",\"count\":19,"
         "\"allocatable\":{\"cpu\":1}}}]}"},
        {"steps",
         "{\"timeline\":[{\"at\":\"0s\",\"addNodes\":{\"name\":\"z\",\"count\":20000,\"allocatable\":{}}}]}"},
    };
    struct fixture f;
    begin(&f);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        json_t *json = post(&f, cases[i].what, cases[i].body, 400);
        assert_true(strlen(json_string_value(json_object_get(json, "message"))) > 0);
        json_decref(json);
    }
    assert_true(f.live.pace.speed == 20);
    run_for(&f, 5 * YK_NS_PER_S);
    expect_pods(&f, 0, 4);
    end(&f);
}

static void notes_are_bounded(void **unused)
{
    (void)unused;
    struct fixture f;
    char text[32];
    begin(&f);
    for (int i = 0; i < 3 * YK_LIVE_NOTES_MAX; i++) {
        (void)snprintf(text, sizeof(text), "note %d", i); /* fits */
        yk_live_note(&f.live, i, text);
    }
    json_t *state = look(&f), *notes = json_object_get(state, "notes");
    assert_int_equal(json_array_size(notes), YK_LIVE_NOTES_MAX);
    json_t *last = json_array_get(notes, YK_LIVE_NOTES_MAX - 1);
    assert_int_equal(json_integer_value(json_object_get(last, "atNs")), 3 * YK_LIVE_NOTES_MAX - 1);
    json_decref(state);
    end(&f);
}

/* Only steps that submit pods are stored: changing the rest again and again takes no memory. */
static void other_steps_are_not_stored(void **unused)
{
    (void)unused;
    static const char reload[] =
        "{\"timeline\":[{\"at\":\"0s\",\"reload\":\"partitions: [{name: default, queues: [{name: root, "
        "submitacl: '*', queues: [{name: a}]}]}]\"}]}";
    static const char submit[] = "{\"timeline\":[{\"at\":\"0s\",\"submit\":{\"application\":\"y\",\"pods\":1,"
                                 "\"queue\":\"root.a\",\"requests\":{\"cpu\":\"1\"}}}]}";
    struct fixture f;
    begin(&f);
    const struct yk_workload *work = &yk_simulation_outcome(f.live.sim)->workload;
    run_for(&f, 5 * YK_NS_PER_S);
    for (int i = 0; i < YK_WORKLOAD_RELOADS_MAX + 7; i++) {
        post_only(&f, "steps", reload, 200);
        run_for(&f, YK_NS_PER_S);
    }
    post_only(&f, "steps", "{\"timeline\":[{\"at\":\"0s\",\"cordon\":[\"none\"]}]}", 400);
    assert_int_equal(f.live.steps.count, 0);
    assert_int_equal(f.live.steps_bytes, 0);
    assert_int_equal(work->reloads.count, YK_WORKLOAD_RELOADS_MAX);
    assert_int_equal(work->reloads_left_out, 7);
    const struct yk_workload_reload *first = work->reloads.items[0];
    assert_int_equal(first->at_ns, (5 + 7) * YK_NS_PER_S);
    post_only(&f, "steps", submit, 200);
    run_for(&f, YK_NS_PER_S);
    assert_int_equal(f.live.steps.count, 1);
    assert_true(f.live.steps_bytes > 0);
    expect_pods(&f, 0, 5);
    end(&f);
}

/* While the clock stands still, changes wait in memory, so their number is limited. */
static void posts_of_one_second_are_bounded(void **unused)
{
    (void)unused;
    static const char cordon[] = "{\"timeline\":[{\"at\":\"0s\",\"cordon\":[\"m-0\"]}]}";
    struct fixture f;
    begin(&f);
    run_for(&f, 5 * YK_NS_PER_S);
    post_only(&f, "steps", cordon, 200);
    assert_int_equal(f.live.second_posts, 1);
    f.live.second_posts = YK_LIVE_POSTS_MAX;
    post_only(&f, "steps", cordon, 400);
    run_for(&f, YK_NS_PER_S);
    post_only(&f, "steps", cordon, 200);
    f.live.second_bytes = YK_LIVE_BYTES_MAX;
    post_only(&f, "steps", cordon, 400);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_state_is_shown),         cmocka_unit_test(steps_are_done_at_once),
        cmocka_unit_test(a_node_is_drained),          cmocka_unit_test(the_clock_is_set),
        cmocka_unit_test(notes_are_bounded),          cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(other_steps_are_not_stored), cmocka_unit_test(posts_of_one_second_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
