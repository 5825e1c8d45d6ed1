/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings of simulations lose their names: all decisions stay the same, and a word that was put wherever a name may
 * be is not there any longer. With a sanitizer, which makes each simulation ten times as slow, there are fewer seeds.
 */
#include "cmd/random_scenario.h"
#include "cmd/simulation.h"
#include "record/hash_line.h"
#include "record/hash_names.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "record/recording.h"

#if defined(__SANITIZE_THREAD__)
enum { SEEDS = 1, FIRST_SCENARIO = 2, LAST_SCENARIO = 2 }; /* the smallest of the first ten */
#elif defined(__SANITIZE_ADDRESS__)
enum { SEEDS = 2, FIRST_SCENARIO = 2, LAST_SCENARIO = 2 };
#else
enum { SEEDS = 100, FIRST_SCENARIO = 1, LAST_SCENARIO = 3 };
#endif

#define QUEUES(max)                                                                                          \
    "    partitions:\n"                                                                                      \
    "    - name: default\n"                                                                                  \
    "      placementrules:\n"                                                                                \
    "      - {name: secondarygroupname}\n"                                                                   \
    "      - {name: primarygroupname, filter: {type: allow, users: [okapi]}}\n"                              \
    "      - {name: provided, create: true, filter: {type: deny, users: [okapi], groups: ['zebra[0-9]']}}\n" \
    "      queues:\n"                                                                                        \
    "      - name: root\n"                                                                                   \
    "        submitacl: 'zebra zebragroup' # a comment about the zebra\n"                                    \
    "        childtemplate: {maxapplications: 99, properties: {application.sort.policy: fair}}\n"            \
    "        queues:\n"                                                                                      \
    "        - name: zebraqueue\n"                                                                           \
    "          resources: {guaranteed: {vcore: 16, zebra.example/horns: 2}, max: {vcore: " max "}}\n"        \
    "          limits: [{limit: of zebras, users: [zebra], maxapplications: 9}]\n"                           \
    "        - {name: b, resources: {guaranteed: {vcore: 16}}, properties: {preemption.delay: 1s}}\n"

/* Preemption, a reload, a gang, nodes that come and go, answers that are lost, a broken watch. */
static const char zebras[] =
    "nodes: [{name: zebranode, count: 4, allocatable: {cpu: 8, memory: 32Gi, pods: 110},\n"
    "         labels: {zebra.example/zone: zebra-a, topology.kubernetes.io/zone: zebrazone}}]\n"
    "queues: |\n" QUEUES(
        "30") "times: {watch: 5ms, watchJitter: 4ms}\n"
              "timeline:\n"
              "- {at: 1s, submit: {application: zebraapp, user: zebra, pods: 40, queue: root.zebraqueue, "
              "run: 20s, "
              "requests: {cpu: 1}, labels: {zebra.example/team: zebrateam}, "
              "nodeSelector: {zebra.example/zone: zebra-a}}}\n"
              "- {at: 1s, fault: {on: bind, do: loseAnswer, probability: 0.2, count: 5}}\n"
              "- {at: 3s, submit: {application: y, user: zebra, pods: 12, queue: root.b, run: 8s, requests: "
              "{cpu: 2}}}\n"
              "- at: 4s\n"
              "  submit:\n"
              "    {application: zebragang, user: zebra, queue: root.b, pods: 3, run: 5s, requests: {cpu: "
              "1},\n"
              "     annotations: {yunikorn.apache.org/task-group-name: zebras, "
              "yunikorn.apache.org/task-groups:\n"
              "     '[{\"name\": \"zebras\", \"minMember\": 3, \"minResource\": {\"cpu\": \"1\"}}]'}}\n"
              "- {at: 5s, breakWatch: {of: pods, how: relist, gap: 500ms}}\n"
              "- {at: 6s, resizeNodes: {names: [zebranode-2], allocatable: {cpu: 6, memory: 32Gi, pods: "
              "110}}}\n"
              "- {at: 7s, cordon: [zebranode-1]}\n"
              "- at: 8s\n"
              "  reload: |\n" QUEUES("24") "- {at: 9s, removeNodes: [zebranode-3]}\n"
                                           "- {at: 11s, uncordon: [zebranode-1]}\n"
                                           "end: {at: 60s}\n";

static enum yk_status hash(struct yk_str recording, struct yk_buf *out, struct yk_replay_result *ret,
                           struct yk_err *err)
{
    struct yk_str again = recording;
    const struct yk_record_source first = {&recording, next_line}, second = {&again, next_line};
    out->max = 1 << 30;
    return yk_hash_names(&first, &second, append, out, ret, err);
}

static void assert_replays(const char *what, struct yk_str recording, uint64_t decisions)
{
    const struct yk_record_source source = {&recording, next_line};
    struct yk_replay_result result;
    struct yk_err err = {0};
    if (yk_replay_run(&source, &result, &err) != YK_OK)
        fail_msg("%s: %s", what, err.text);
    if (result.difference.text[0] != '\0')
        fail_msg("%s: %s", what, result.difference.text);
    assert_string_equal(result.hash, result.recorded);
    assert_true(result.decisions == decisions);
}

/* The decisions are the same with and without names. */
static void assert_same(const char *what, struct yk_str recording, struct yk_buf *hashed)
{
    struct yk_replay_result result;
    struct yk_err err = {0};
    if (hash(recording, hashed, &result, &err) != YK_OK)
        fail_msg("%s: %s", what, err.text);
    if (result.difference.text[0] != '\0')
        fail_msg("%s: %s", what, result.difference.text);
    assert_true(result.decisions > 50);
    assert_replays(what, recording, result.decisions);
    assert_replays(what, yk_buf_view(hashed), result.decisions);
}

static void simulations_are_the_same_without_names(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf recording = {0}, hashed = {0};
        char what[32];
        (void)snprintf(what, sizeof(what), "seed %llu", (unsigned long long)seed);
        record(YK_STR(zebras), seed, &recording);
        assert_same(what, yk_buf_view(&recording), &hashed);
        assert_non_null(strstr(recording.p, "\"do\":\"create\"")); /* placeholders were made */
        if (strcasestr(hashed.p, "zebra") != NULL)
            fail_msg("%s: %.200s", what, strcasestr(hashed.p, "zebra") - 80);
    }
}

static void random_scenarios_are_the_same_without_names(void **state)
{
    (void)state;
    for (uint64_t seed = FIRST_SCENARIO; seed <= LAST_SCENARIO; seed++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0}, recording = {0}, hashed = {0};
        char what[32];
        (void)snprintf(what, sizeof(what), "random scenario %llu", (unsigned long long)seed);
        yk_random_scenario_write(seed, &text);
        record(yk_buf_view(&text), seed, &recording);
        assert_same(what, yk_buf_view(&recording), &hashed);
    }
}

/* ---- a word everywhere ---- */

#define FIRST                                                                                                \
    "{\"recording\":1,\"program\":\"zebra/"                                                                  \
    "\",\"wall\":1767225600000000000,\"mono\":1,\"namespace\":\"zebra\","                                    \
    "\"hostname\":\"zebra\",\"seed\":\"1\",\"zebra\":\"zebra\",\"directory\":{\"os\":{\"serves\":2,"         \
    "\"reason\":"                                                                                            \
    "\"zebra fell\"}}}\n"

/* Also what the recorder does not write, and what the scheduler does not read. */
static const char everywhere[] = FIRST
    "{\"event\":\"upsert\",\"kind\":\"pods\",\"zebra\":1,\"object\":{\"metadata\":{\"name\":\"zebra\","
    "\"namespace\":\"zebra\",\"uid\":\"zebra\",\"zebra\":1,\"labels\":{\"zebra\":\"zebra\",\"a/"
    "zebra\":\"1\"},"
    "\"annotations\":{\"yunikorn.apache.org/zebra\":\"zebra\",\"yunikorn.apache.org/user.info\":"
    "\"{\\\"user\\\":\\\"zebra\\\",\\\"groups\\\":[\\\"zebra\\\"]}\"},"
    "\"ownerReferences\":[{\"kind\":\"Zebra\",\"name\":\"zebra\",\"uid\":\"zebra\",\"apiVersion\":"
    "\"zebra.io/v1\"}]},"
    "\"spec\":{\"nodeName\":\"zebra\",\"schedulerName\":\"zebra\",\"priorityClassName\":\"zebra\","
    "\"nodeSelector\":{\"zebra\":\"zebra\"},\"tolerations\":[{\"key\":\"zebra\",\"value\":\"zebra\"}],"
    "\"volumes\":[{\"name\":\"zebra\",\"persistentVolumeClaim\":{\"claimName\":\"zebra\"}}],"
    "\"containers\":[{\"name\":\"zebra\",\"image\":\"zebra\",\"command\":[\"zebra\"],"
    "\"env\":[{\"name\":\"zebra\",\"value\":\"zebra\"}],"
    "\"resources\":{\"requests\":{\"zebra.io/horns\":\"1\"}}}]},"
    "\"status\":{\"phase\":\"Zebra\",\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"False\","
    "\"reason\":\"Zebra\",\"message\":\"a Zebra needs 3 zebras\"}]}}}\n"
    "{\"event\":\"upsert\",\"kind\":\"configmaps\",\"object\":{\"metadata\":{\"name\":\"yunikorn-configs\","
    "\"namespace\":\"zebra\"},\"data\":{\"zebra\":\"zebra\",\"queues.yaml\":\"# zebra\\nzebra: [zebra]\"},"
    "\"binaryData\":{\"zebra\":\"emVicmE=\"}}}\n"
    "{\"answer\":1,\"result\":\"zebra!\",\"reason\":\"pods \\\"zebra\\\" not found\"}\n"
    "{\"groups\":1,\"of\":[\"zebra\"],\"failure\":\"zebra does not answer\"}\n"
    "{\"do\":\"bind\",\"number\":1,\"namespace\":\"zebra\",\"name\":\"zebra\",\"uid\":\"zebra\","
    "\"node\":\"zebra\",\"body\":\"zebra\"}\n"
    "{\"end\":\"a zebra\",\"decisions\":1,\"hash\":\"zebra\"}\n";

static void a_word_that_is_everywhere_goes(void **state)
{
    (void)state;
    struct yk_str rest = YK_STR(everywhere), line;
    size_t lines = 0;
    while (next_line(&rest, &line, NULL) == YK_OK && line.p != NULL) {
        YK_CLEANUP(yk_buf_done) struct yk_buf two = {0}, hashed = {0};
        struct yk_replay_result result;
        struct yk_err err = {0};
        if (lines++ > 0)
            yk_buf_text(&two, FIRST);
        yk_buf_str(&two, line);
        yk_buf_char(&two, '\n');
        (void)hash(yk_buf_view(&two), &hashed, &result,
                   &err); /* most are refused by the replay, once written */
        if (strcasestr(yk_buf_cstr(&hashed), "zebra") != NULL)
            fail_msg("%s", hashed.p);
        if (strstr(yk_buf_cstr(&hashed), "emVicmE") != NULL) /* the word in base64 */
            fail_msg("%s", hashed.p);
        assert_true(hashed.len > 0);
    }
    assert_int_equal(lines, 7);
}

/* ---- what does not work is said ---- */

/* A pseudonym has no nine letters. */
static void a_rule_over_letters_makes_a_difference(void **state)
{
    (void)state;
    static const char text[] =
        "nodes: [{name: m, count: 2, allocatable: {cpu: 8, memory: 32Gi, pods: 110}}]\n"
        "queues: |\n"
        "    partitions:\n"
        "    - name: default\n"
        "      placementrules:\n"
        "      - {name: fixed, value: root.nine, filter: {type: allow, users: ['^[a-z]{9}$']}}\n"
        "      queues:\n"
        "      - {name: root, submitacl: '*', queues: [{name: nine}]}\n"
        "timeline:\n"
        "- {at: 1s, submit: {application: x, pods: 4, user: alexander, queue: root.nine, run: 20s, requests: "
        "{cpu: 1}}}\n"
        "end: {at: 60s}\n";
    YK_CLEANUP(yk_buf_done) struct yk_buf recording = {0}, hashed = {0};
    struct yk_replay_result result;
    struct yk_err err = {0};
    record(YK_STR(text), 1, &recording);
    if (hash(yk_buf_view(&recording), &hashed, &result, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_string_not_equal(result.difference.text, "");
    assert_null(strstr(hashed.p, "alexander"));
    assert_non_null(strstr(hashed.p, "\"end\":\"\"")); /* it is whole nevertheless */
    assert_non_null(strstr(hashed.p, "\"hash\":\"\""));
}

/* As docs/record.md says of all recordings. */
static void the_first_key_says_what_a_line_is(void **state)
{
    (void)state;
    static const char *const lines[] = {"{\"step\":1,\"wall\":2}",
                                        "{\"do\":\"bind\",\"number\":1,\"namespace\":\"root\"}",
                                        "{\"answer\":1,\"result\":\"ok\",\"status\":201}"};
    struct yk_line_hasher hasher;
    struct yk_err err = {0};
    yk_line_hasher_init(&hasher);
    assert_int_equal(yk_line_hasher_seal(&hasher, &err), YK_OK);
    for (size_t i = 0; i < YK_COUNT(lines); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
        json_t *line = json_loads(lines[i], 0, NULL);
        assert_int_equal(yk_line_hasher_write(&hasher, line, &out, &err), YK_OK);
        assert_int_equal(strncmp(yk_buf_cstr(&out), lines[i], strcspn(lines[i], ":")), 0);
        json_decref(line);
    }
    yk_line_hasher_done(&hasher);
}

static void damaged_lines_are_named(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{", "[]", "{\"event\":\"upsert\",\"kind\":\"zebras\",\"object\":{}}",
        "{\"event\":\"upsert\",\"kind\":\"pods\",\"object\":{\"metadata\":[]}}"};
    for (size_t i = 0; i < YK_COUNT(lines); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf recording = {0}, hashed = {0};
        struct yk_replay_result result;
        struct yk_err err = {0};
        yk_buf_printf(&recording, "%s%s\n", FIRST, lines[i]);
        assert_int_not_equal(hash(yk_buf_view(&recording), &hashed, &result, &err), YK_OK);
        assert_non_null(strstr(err.text, "line 2"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulations_are_the_same_without_names),
        cmocka_unit_test(random_scenarios_are_the_same_without_names),
        cmocka_unit_test(a_word_that_is_everywhere_goes),
        cmocka_unit_test(a_rule_over_letters_makes_a_difference),
        cmocka_unit_test(the_first_key_says_what_a_line_is),
        cmocka_unit_test(damaged_lines_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
