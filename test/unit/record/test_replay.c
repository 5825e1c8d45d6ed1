/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulations are recorded and replayed: all decisions are the same. A recording in which something was changed
 * shows the first decision that differs, and one that is damaged shows the line.
 */
#include "cmd/random_scenario.h"
#include "cmd/simulation.h"
#include "record/line.h"
#include "record/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "record/recording.h"

/* A sanitizer makes each simulation ten times as slow. */
#if defined(__SANITIZE_THREAD__)
enum { SEEDS = 5, FIRST_SCENARIO = 2, LAST_SCENARIO = 2 }; /* the smallest of the first ten */
#elif defined(__SANITIZE_ADDRESS__)
enum { SEEDS = 30, FIRST_SCENARIO = 1, LAST_SCENARIO = 1 };
#else
enum { SEEDS = 100, FIRST_SCENARIO = 1, LAST_SCENARIO = 3 };
#endif

#define QUEUES(max)                                                                                          \
    "    partitions:\n"                                                                                      \
    "    - name: default\n"                                                                                  \
    "      queues:\n"                                                                                        \
    "      - name: root\n"                                                                                   \
    "        submitacl: '*'\n"                                                                               \
    "        queues:\n"                                                                                      \
    "        - {name: a, resources: {guaranteed: {vcore: 16}, max: {vcore: " max "}}}\n"                     \
    "        - {name: b, resources: {guaranteed: {vcore: 16}}, properties: {preemption.delay: 1s}}\n"

/* Preemption, a reload, a resized, a removed and a cordoned node, answers that are lost, a broken watch. */
static const char small[] =
    "nodes: [{name: m, count: 4, allocatable: {cpu: 8, memory: 32Gi, pods: 110}}]\n"
    "queues: |\n" QUEUES(
        "30") "times: {watch: 5ms, watchJitter: 4ms}\n"
              "timeline:\n"
              "- {at: 1s, submit: {application: x, pods: 40, queue: root.a, run: 20s, requests: {cpu: 1}}}\n"
              "- {at: 1s, fault: {on: bind, do: loseAnswer, probability: 0.2, count: 5}}\n"
              "- {at: 3s, submit: {application: y, pods: 12, queue: root.b, run: 8s, requests: {cpu: 2}}}\n"
              "- {at: 5s, breakWatch: {of: pods, how: relist, gap: 500ms}}\n"
              "- {at: 6s, resizeNodes: {names: [m-2], allocatable: {cpu: 6, memory: 32Gi, pods: 110}}}\n"
              "- {at: 7s, cordon: [m-1]}\n"
              "- at: 8s\n"
              "  reload: |\n" QUEUES("24") "- {at: 9s, removeNodes: [m-3]}\n"
                                           "- {at: 11s, uncordon: [m-1]}\n"
                                           "end: {at: 60s}\n";

static enum yk_status replay(struct yk_str recording, struct yk_replay_result *ret, struct yk_err *err)
{
    const struct yk_record_source source = {&recording, next_line};
    return yk_replay_run(&source, ret, err);
}

static void assert_same(const char *what, struct yk_str recording)
{
    struct yk_replay_result result;
    struct yk_err err = {0};
    if (replay(recording, &result, &err) != YK_OK)
        fail_msg("%s: %s", what, err.text);
    if (result.difference.text[0] != '\0')
        fail_msg("%s: %s", what, result.difference.text);
    assert_string_equal(result.hash, result.recorded);
    assert_string_equal(result.why, "");
    assert_true(result.decisions > 50);
}

static void simulations_are_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf recording = {0};
        char what[32];
        (void)snprintf(what, sizeof(what), "seed %llu", (unsigned long long)seed);
        record(YK_STR(small), seed, &recording);
        assert_same(what, yk_buf_view(&recording));
    }
}

static void random_scenarios_are_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = FIRST_SCENARIO; seed <= LAST_SCENARIO; seed++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0}, recording = {0};
        char what[32];
        (void)snprintf(what, sizeof(what), "random scenario %llu", (unsigned long long)seed);
        yk_random_scenario_write(seed, &text);
        record(yk_buf_view(&text), seed, &recording);
        assert_same(what, yk_buf_view(&recording));
    }
}

/* The text from `from` on of the first line that has `mark`. */
static char *find(struct yk_buf *recording, const char *mark)
{
    char *at = strstr(recording->p, mark);
    if (at == NULL)
        fail_msg("the recording has no %s", mark);
    return at;
}

static void assert_differs(struct yk_str recording, const char *expected)
{
    struct yk_replay_result result;
    struct yk_err err = {0};
    if (replay(recording, &result, &err) != YK_OK)
        fail_msg("%s", err.text);
    if (strstr(result.difference.text, expected) == NULL)
        fail_msg("'%s' has no '%s'", result.difference.text, expected);
    assert_true(result.difference.line > 1);
}

static void a_changed_decision_is_found(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf recording = {0};
    record(YK_STR(small), 1, &recording);
    char *bind = find(&recording, "{\"do\":\"bind\"");
    char *node = strstr(bind, "\"node\":\"m-") + strlen("\"node\":\"m-");
    char before = *node;
    *node = before == '0' ? '1' : '0';
    assert_differs(yk_buf_view(&recording), "recorded: {\"do\":\"bind\"");
    *node = before;
    assert_same("as it was", yk_buf_view(&recording));
}

static void a_changed_input_is_found(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf recording = {0};
    record(YK_STR(small), 1, &recording);
    *(find(&recording, "\"cpu\":\"8\"") + strlen("\"cpu\":\"")) = '1'; /* of the first node */
    assert_differs(yk_buf_view(&recording), "; now: ");
}

static void a_left_out_decision_is_found(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf recording = {0}, shorter = {.max = 1 << 30};
    record(YK_STR(small), 1, &recording);
    const char *bind = find(&recording, "{\"do\":\"bind\""), *end = strchr(bind, '\n') + 1;
    yk_buf_add(&shorter, recording.p, (size_t)(bind - recording.p));
    yk_buf_text(&shorter, end);
    assert_differs(yk_buf_view(&shorter), "; now: {\"do\":\"bind\"");
}

static void another_hash_is_found(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf recording = {0};
    record(YK_STR(small), 1, &recording);
    char *digit = find(&recording, "\"hash\":\"") + strlen("\"hash\":\"");
    *digit = *digit == '0' ? '1' : '0';
    assert_differs(yk_buf_view(&recording), "the hash of all decisions");
}

static void a_recording_that_was_cut_off_is_replayed_so_far(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf recording = {0};
    struct yk_replay_result result;
    struct yk_err err = {0};
    record(YK_STR(small), 1, &recording);
    for (size_t part = 1; part < 16; part++) {
        const struct yk_str cut = {recording.p, recording.len / 16 * part};
        if (replay(cut, &result, &err) != YK_OK)
            fail_msg("%s", err.text);
        assert_string_equal(result.difference.text, "");
        assert_string_equal(result.recorded, "");
    }
}

#define START                                                                                                \
    "{\"recording\":1,\"wall\":1767225600000000000,\"mono\":5,\"namespace\":\"n\",\"hostname\":\"h\","       \
    "\"seed\":\"1\"}\n"

static void damaged_recordings_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "the file is empty"},
        {"\n", "line 1: not JSON"},
        {"[]\n", "line 1: not a JSON object"},
        {"{\"recording\":2}\n", "line 1: 'recording' is a number from 1 to 1"},
        {"{\"recording\":1,\"mono\":-1}\n", "'mono' is a number from 0"},
        {"{\"recording\":1,\"mono\":1,\"wall\":1,\"seed\":\"x\"}\n", "'seed' is a number, as a text"},
        {"{\"recording\":1,\"mono\":1,\"wall\":1,\"seed\":\"1\"}\n", "'namespace' is a text"},
        {START "{\"step\":4}\n", "line 2: 'step' is a number from 5"},
        {START "{\"step\":6,\"wall\":-1}\n", "'wall' is a number from 0"},
        {START "{\"other\":1}\n", "line 2: a line of no kind that is known"},
        {START "{\"turns\":0}\n", "'turns' is a number from 1"},
        {START "{\"order\":\"go\"}\n", "'order' is not known"},
        {START "{\"answer\":1,\"result\":\"ok\"}\n", "there is no request 1 without an answer"},
        {START "{\"event\":\"gone\",\"kind\":\"pods\"}\n", "'event' is not known"},
        {START "{\"event\":\"upsert\",\"kind\":\"goats\"}\n", "'kind' is not known"},
        {START "{\"event\":\"upsert\",\"kind\":\"pods\"}\n", "does not watch pods here"},
        {START "{\"event\":\"upsert\",\"kind\":\"configmaps\"}\n", "'object' is missing"},
        {START "{\"event\":\"list begins\",\"kind\":\"configmaps\",\"object\":{}}\n",
         "'object' is not expected"},
        {START "{\"event\":\"list ends\",\"kind\":\"configmaps\"}\n", "a list ends that has not begun"},
        {START "{\"event\":\"upsert\",\"kind\":\"configmaps\",\"object\":{\"metadata\":[]}}\n",
         "object: ConfigMap: metadata"},
        {START "{\"event\":\"upsert\",\"kind\":\"configmaps\",\"object\":{},\"read\":1}\n",
         "'read' is 1 or 2, of a pod"},
        {START "{\"groups\":1}\n", "there is no such question"},
        {START "{\"end\":1}\n", "'end' and 'hash' are texts"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_replay_result result;
        struct yk_err err = {0};
        if (replay(yk_str_from(cases[i].text), &result, &err) == YK_OK)
            fail_msg("'%s' is taken", cases[i].text);
        if (strstr(err.text, cases[i].error) == NULL)
            fail_msg("'%s' gives '%s', not '%s'", cases[i].text, err.text, cases[i].error);
    }
}

/* What the recorder writes is not too long for the replay. */
static void the_longest_line_is_read(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_replay_result result;
    struct yk_err err = {0};
    yk_buf_text(&text, START "{\"other\":\"");
    size_t head = strlen("{\"other\":\""), tail = strlen("\"}"), len = YK_RECORD_LINE_MAX - head - tail;
    memset(yk_buf_reserve(&text, len), 'x', len);
    text.len += len;
    yk_buf_text(&text, "\"}\n");
    assert_int_not_equal(replay(yk_buf_view(&text), &result, &err), YK_OK);
    assert_non_null(strstr(err.text, "line 2: a line of no kind that is known"));
}

/* Appends the line, and `more` behind the first `mark` in it. */
static void put_line(struct yk_buf *out, struct yk_str line, const char *mark, const char *more)
{
    const char *at = memmem(line.p, line.len, mark, strlen(mark));
    size_t head = at != NULL ? (size_t)(at - line.p) + strlen(mark) : line.len;
    yk_buf_str(out, (struct yk_str){line.p, head});
    yk_buf_text(out, at != NULL ? more : "");
    yk_buf_str(out, (struct yk_str){line.p + head, line.len - head});
    yk_buf_char(out, '\n');
}

/* Makes the scheduler ask for the groups of the user of the first pod, and puts `answer` behind that. */
static void make_it_ask(struct yk_str recording, const char *answer, struct yk_buf *out)
{
    struct yk_str line;
    bool has_come = false;
    while (next_line(&recording, &line, NULL) == YK_OK && line.p != NULL) {
        bool is_pod = yk_str_starts(line, "{\"event\":\"upsert\",\"kind\":\"pods\"");
        if (yk_str_starts(line, "{\"recording\""))
            put_line(out, line, "\"readsAside\":false", ",\"directory\":{\"ldap\":{\"serves\":1}}");
        else if (is_pod)
            put_line(out, line, "\"metadata\":{",
                     "\"annotations\":{\"yunikorn.apache.org/user.info\":\"{\\\"user\\\":\\\"joe\\\"}\"},");
        else
            put_line(out, line, "- name: default\\n", "  usergroupresolver: {type: ldap}\\n");
        if (has_come)
            break;
        has_come = is_pod;
    }
    yk_buf_text(out, answer);
}

static void answers_about_users_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *answer, *error; /* NULL: none */
    } cases[] = {
        {"{\"groups\":1,\"of\":[\"team\"]}\n", NULL},
        {"{\"groups\":2,\"of\":[\"team\"]}\n", "there is no such question"},
        {"{\"groups\":1,\"of\":[7]}\n", "'of' is a list of the names of groups"},
    };
    YK_CLEANUP(yk_buf_done) struct yk_buf recording = {0};
    record(YK_STR(small), 1, &recording);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 1 << 20};
        struct yk_replay_result result;
        struct yk_err err = {0};
        make_it_ask(yk_buf_view(&recording), cases[i].answer, &text);
        enum yk_status st = replay(yk_buf_view(&text), &result, &err);
        if ((st != YK_OK) != (cases[i].error != NULL) ||
            (st != YK_OK && strstr(err.text, cases[i].error) == NULL))
            fail_msg("%s gives '%s'", cases[i].answer, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulations_are_the_same),
        cmocka_unit_test(random_scenarios_are_the_same),
        cmocka_unit_test(a_changed_decision_is_found),
        cmocka_unit_test(a_changed_input_is_found),
        cmocka_unit_test(a_left_out_decision_is_found),
        cmocka_unit_test(another_hash_is_found),
        cmocka_unit_test(a_recording_that_was_cut_off_is_replayed_so_far),
        cmocka_unit_test(damaged_recordings_are_refused),
        cmocka_unit_test(the_longest_line_is_read),
        cmocka_unit_test(answers_about_users_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
