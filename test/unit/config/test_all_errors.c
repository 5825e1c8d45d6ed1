/* SPDX-License-Identifier: Apache-2.0 */
/* yk_config_load_all(): all errors of a text, each once, and nothing that only follows from another error. */
#include "config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define TOP "partitions:\n- name: default\n"

struct expected {
    uint32_t line;
    const char *part; /* of the sentence */
};

static const struct {
    const char *what, *text;
    struct expected errors[10]; /* ends with a part of NULL */
} cases[] = {
    {"none", TOP "  queues: [{name: root}]\n", {{0, NULL}}},
    {"not YAML", "partitions: [", {{2, "did not find"}}},
    {"no partition", "partitions: []\n", {{0, "has no partition"}}},
    {"unknown keys and two wrong quantities",
     TOP "  colour: red\n  queues:\n  - name: root\n    shape: round\n    queues:\n    - name: a\n"
         "      resources: {max: {vcore: x, memory: y}}\n",
     {{3, "'colour' is not known"},
      {6, "'shape' is not known"},
      {9, "partition 'default': queue 'root.a': max: "},
      {9, "partition 'default': queue 'root.a': max: "}}},
    {"a list that is none hides what follows from it",
     TOP "  queues: x\n- name: other\n  colour: red\n  queues: []\n",
     {{3, "'queues' must be a list"}, {5, "'colour' is not known"}}},
    {"rules and node sort policy",
     TOP
     "  placementrules:\n  - name: 1x\n  - {name: user, filter: {type: maybe}}\n"
     "  - {name: user, filter: {users: ['(']}}\n  - {name: fixed, value: nope}\n"
     "  nodesortpolicy: {type: random, resourceweights: {vcore: -1, memory: -2}}\n  queues: [{name: root}]\n",
     {{4, "placement rule name '1x'"},
      {5, "filter type 'maybe'"},
      {6, "filter user: pattern"},
      {7, "'root.nope' does not exist"},
      {8, "'random' is neither"},
      {8, "'memory' is negative"},
      {8, "'vcore' is negative"}}},
    {"queues, access lists and limits",
     TOP "  queues:\n  - name: root\n    submitacl: a b c\n    queues:\n    - {name: a b}\n    - {name: a}\n"
         "    - {name: A}\n    - name: b\n      maxapplications: 1\n      limits:\n"
         "      - {limit: x, users: ['u u', v, v], maxapplications: 1}\n"
         "      - {limit: y, users: [w], maxresources: {vcore: z}}\n"
         "      - {limit: z, users: [x], maxapplications: 2}\n      queues: [{name: c}]\n",
     {{5, "submitacl 'a b c' has more"},
      {7, "queue name 'a b'"},
      {9, "queue 'root.A': is there twice (also in line 8)"},
      {13, "limit user 'u u' is not a valid name"},
      {13, "limit user 'v' is there twice"},
      {14, "queue 'root.b': limit 'y'"},
      {15, "maxapplications 2 is larger than the queue's own 1"},
      {16, "queue 'root.b.c': maxapplications 0 must be 1 to 1"}}},
    {"resources over the tree, limits over the tree, activation",
     TOP "  queues:\n  - name: root\n    adminacl: ' a b'\n    limits: [{limit: x, users: [u], "
         "maxapplications: 1}]\n"
         "    queues:\n    - name: a\n      resources: {guaranteed: {vcore: 2}, max: {vcore: 1}}\n"
         "      limits: [{limit: y, users: [u], maxapplications: 2}]\n"
         "      childtemplate: {resources: {max: {vcore: q}}}\n"
         "      queues: [{name: b, resources: {max: {vcore: 3}}}]\n",
     {{9, "guaranteed is larger than its max"},
      {12, "queue 'root.a.b': max {vcore: 3} is larger"},
      {10, "limit of user 'u': maxapplications 2 must be 1 to 1"},
      {5, "adminacl ' a b' must have one space"},
      {11, "queue 'root.a': childtemplate max"}}},
};

static void all_are_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_config_errors_done) struct yk_config_errors errors = {0};
        YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
        yk_config_load_all(yk_str_from(cases[i].text), &config, &errors);
        uint32_t want = 0;
        for (; cases[i].errors[want].part != NULL; want++) {
            if (want >= errors.count)
                fail_msg("%s: %u errors, '%s' is not reported", cases[i].what, errors.count,
                         cases[i].errors[want].part);
            const struct yk_config_warning *got = &errors.items[want];
            if (got->place.line != cases[i].errors[want].line ||
                strstr(got->text.p, cases[i].errors[want].part) == NULL)
                fail_msg("%s: wanted '%s' in line %u, got '%s' in line %u", cases[i].what,
                         cases[i].errors[want].part, cases[i].errors[want].line, got->text.p,
                         got->place.line);
        }
        if (errors.count > want)
            fail_msg("%s: one too many: '%s'", cases[i].what, errors.items[want].text.p);
    }
}

/* An invalid queue is not a difference between partitions, least of all between one and itself. */
static void errors_are_no_differences(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "partitions:\n- queues: [{name: root, queues: [{name: 'a b'}]}]\n",
        "partitions:\n- queues: [{name: root, queues: [{name: 'a b'}]}]\n"
        "- {name: gpu, queues: [{name: root, queues: [{name: 'a b'}]}]}\n",
    };
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        YK_CLEANUP(yk_config_errors_done) struct yk_config_errors errors = {0};
        YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
        yk_config_load_all(yk_str_from(texts[i]), &config, &errors);
        assert_int_equal(errors.count, i + 1);
        assert_non_null(config);
        for (uint32_t k = 0; k < config->warning_count; k++)
            if (strstr(config->warnings[k].text.p, "have different queues") != NULL)
                fail_msg("%zu: %s", i, config->warnings[k].text.p);
    }
}

/* The first error is what yk_config_load() says, so that REST and the command agree. */
static void the_first_is_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_config_errors_done) struct yk_config_errors errors = {0};
        YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL, *other = NULL;
        struct yk_err err = {0};
        yk_config_load_all(yk_str_from(cases[i].text), &config, &errors);
        enum yk_status st = yk_config_check(yk_str_from(cases[i].text), &other, &err);
        if (st == YK_OK)
            st = yk_config_check_activation(other, &err);
        assert_int_equal(st == YK_OK, errors.count == 0);
        if (st != YK_OK)
            assert_string_equal(yk_err_sentence(&err), errors.items[0].text.p);
    }
}

static void the_number_is_bounded(void **state)
{
    (void)state;
    YK_CLEANUP(yk_config_errors_done) struct yk_config_errors errors = {0};
    YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 1 << 20};
    yk_buf_text(&text, TOP "  queues:\n");
    for (int i = 0; i < 1000; i++)
        yk_buf_printf(&text, "  - {name: a%d, shape: round}\n", i);
    yk_config_load_all(yk_buf_view(&text), &config, &errors);
    assert_int_equal(errors.count, YK_CONFIG_ERRORS_MAX);
    assert_true(errors.cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_reported),
        cmocka_unit_test(errors_are_no_differences),
        cmocka_unit_test(the_first_is_the_same),
        cmocka_unit_test(the_number_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
