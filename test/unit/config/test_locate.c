/* SPDX-License-Identifier: Apache-2.0 */
/* Where a problem is: line and column of the very value, in refusals, in what activation refuses and in
 * warnings; and that a sentence stays one line, whatever names are in it. */
#include "config/configs.h"

#define PLACED(line, column, rest) "line " #line ", column " #column ": " rest

static void refusals(void **state)
{
    (void)state;
    static const struct config_case cases[] = {
        {"V1: a partition without queues", PARTITION("  placementrules: []\n"),
         PLACED(2, 3, "partition 'default' has no list")},
        {"V1: a partition twice", "partitions:\n- {name: a, queues: []}\n- {name: A, queues: []}\n",
         PLACED(3, 3, "partition 'A' is there twice")},
        {"V2: limits that differ",
         "partitions:\n- limits: [{users: [u], maxapplications: 1}]\n  queues:\n  - name: root\n"
         "    limits:\n    - {users: [v], maxapplications: 1}\n",
         PLACED(6, 7, "")},
        {"V3: a name", BELOW_ROOT("    - {parent: true, name: 'a b'}\n"), PLACED(6, 28, "")},
        {"V3: twice", BELOW_ROOT("    - {name: a}\n    - {name: A}\n"), PLACED(7, 14, "")},
        {"A3: an ACL", BELOW_ROOT("    - {name: a, adminacl: a b c}\n"), PLACED(6, 27, "")},
        {"V4: a quantity", BELOW_ROOT("    - {name: a, resources: {max: {memory: 1, vcore: x}}}\n"),
         PLACED(6, 53, "partition 'default': queue 'root.a': max: invalid quantity 'x' for 'vcore'")},
        {"V4: guaranteed above max",
         BELOW_ROOT("    - {name: a, resources: {guaranteed: {vcore: 3}, max: {vcore: 2}}}\n"),
         PLACED(6, 66, "")},
        {"V5: max above",
         ROOT("    queues: [{name: a, resources: {max: {vcore: 1}}, queues: [{name: b, queues:\n"
              "      [{name: c, resources: {max: {memory: 5, vcore: 2}}}]}]}]\n"),
         "queue 'root.a.b.c': max {memory: 5, vcore: 2} is larger than that of queue 'root.a' {vcore: 1}"},
        {"V7: applications",
         ROOT("    maxapplications: 2\n    queues:\n    - {name: a, maxapplications: 3}\n"),
         PLACED(7, 34, "")},
        {"V7: applications that are not set", ROOT("    maxapplications: 2\n    queues:\n    - {name: a}\n"),
         PLACED(7, 7, "")},
        {"L1: a name in a limit",
         BELOW_ROOT("    - {name: a, limits: [{users: [ok, 'a b'], maxapplications: 1}]}\n"),
         PLACED(6, 39, "partition 'default': queue 'root.a': limit user 'a b'")},
        {"L1: a limit without user and group",
         BELOW_ROOT("    - {name: a, limits: [{maxapplications: 1}]}\n"), PLACED(6, 26, "")},
        {"L5: a quantity of a limit",
         BELOW_ROOT("    - {name: a, limits: [{users: [u], maxresources: {vcore: -1}}]}\n"),
         PLACED(6, 61, "")},
        {"L5: applications of a limit",
         BELOW_ROOT("    - {name: a, maxapplications: 1, limits: [{users: [u], maxapplications: 2}]}\n"),
         PLACED(6, 76, "")},
        {"V8: of a limit above",
         ROOT("    limits: [{users: [u], maxapplications: 1}]\n    queues:\n"
              "    - {name: a, limits: [{users: [u], maxapplications: 2}]}\n"),
         PLACED(7, 56,
                "partition 'default': queue 'root.a': limit of user 'u': maxapplications 2 must be 1 to 1")},
        {"P15: a filter type",
         PARTITION("  placementrules: [{name: user, filter: {type: x}}]\n  queues: []\n"),
         PLACED(3, 48, "partition 'default': rule 'user': filter type")},
        {"P16: a pattern",
         PARTITION("  placementrules: [{name: user, filter: {users: ['(']}}]\n  queues: []\n"),
         PLACED(3, 50, "")},
        {"P21: a fixed queue", PARTITION("  placementrules: [{name: fixed, value: nope}]\n  queues: []\n"),
         PLACED(3, 41, "")},
        {"P21: fixed without a value", PARTITION("  placementrules: [{name: fixed}]\n  queues: []\n"),
         PLACED(3, 27, "partition 'default': rule 'fixed': needs a value: the queue")},
        {"P21: a name that is empty",
         PARTITION("  placementrules: [{name: fixed, value: a..b}]\n  queues: [{name: a, parent: true}]\n"),
         "queue 'root.a..b' has a name that is empty"},
        {"1.3: node sort policy", PARTITION("  nodesortpolicy: {type: odd}\n  queues: []\n"),
         PLACED(3, 26, "")},
        {"1.3: node sort policy as a single value", PARTITION("  nodesortpolicy: odd\n  queues: []\n"),
         PLACED(3, 19, "")},
        {"1.3: a negative weight",
         PARTITION("  nodesortpolicy: {resourceweights: {memory: 1, vcore: -1}}\n  queues: []\n"),
         PLACED(3, 56, "")},
        {"1.3: a quoted weight",
         PARTITION("  nodesortpolicy: {resourceweights: {vcore: '1'}}\n  queues: []\n"),
         "must be a finite number, without quotes"},
        {"C15: by an alias the value is where it is written", "x: &bad {vcore: x}\npartitions: []\n",
         "field 'x' is not known"},
        {"C15: an anchor further up",
         BELOW_ROOT("    - {name: a, resources: {max: &m {vcore: 1}}}\n    - name: b\n      resources: {max: "
                    "{vcore: 1}, guaranteed: *m}\n    - {name: c, maxapplications: -1}\n"),
         PLACED(9, 34, "")},
    };
    check_config_cases(cases, YK_COUNT(cases));
}

/* What loading lets through and activation refuses. */
static void activation(void **state)
{
    (void)state;
    static const struct config_case cases[] = {
        {"A3: stray blanks", BELOW_ROOT("    - {name: a, submitacl: 'a  b'}\n"), PLACED(6, 28, "partition")},
        {"V9: a template",
         BELOW_ROOT(
             "    - {name: a, parent: true, childtemplate: {resources: {max: {memory: 1, vcore: y}}}}\n"),
         PLACED(6, 83, "partition 'default': queue 'root.a': childtemplate max: invalid quantity 'y'")},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_config *config = config_of(cases[i].text);
        struct yk_err err = {0};
        assert_int_equal(yk_config_check_activation(config, &err), YK_ERR_INVALID);
        if (strncmp(err.text, cases[i].refusal, strlen(cases[i].refusal)) != 0)
            fail_msg("%s: wanted '%s', got '%s'", cases[i].what, cases[i].refusal, err.text);
        yk_config_forget_places(config);
        assert_int_equal(yk_config_place_of(config, config->partitions[0].root.name).line, 0);
        yk_config_free(config);
    }
}

/* V11, 3.1, A6 */
static void warnings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *sentence; /* NULL: none */
    } cases[] = {
        {BELOW_ROOT("    - {name: a, properties: {priority.offset: x}}\n"), 6, 47,
         "queue 'root.a': property 'priority.offset' is 'x', which is not a whole number of 32 bits: the "
         "default is used, 0"},
        {BELOW_ROOT("    - {name: a, properties: {application.sort.policy: lifo}}\n"), 6, 55,
         "which is not 'fifo', 'fair' or 'stateaware'"},
        {BELOW_ROOT("    - {name: a, properties: {preemption.delay: 0s}}\n"), 6, 48, "a duration above 0"},
        {BELOW_ROOT("    - {name: a, properties: {quota.preemption.delay: soon}}\n"), 6, 54, "'soon'"},
        {BELOW_ROOT("    - {name: a, properties: {application.sort.priority: maybe}}\n"), 6, 57,
         "'enabled' or 'disabled'"},
        {BELOW_ROOT("    - {name: a, parent: true, childtemplate: {properties: {priority.policy: x}}}\n"), 6,
         77, "'default' or 'fence'"},
        {BELOW_ROOT("    - {name: a, properties: {preemption.delay: 10s, my.own: x}}\n"), 6, 61,
         "property 'my.own' is not known and has no effect"},
        {BELOW_ROOT("    - {name: a, submitacl: 'ann,9bob devs,x.y'}\n"), 6, 28,
         "queue 'root.a': submitacl: '9bob' is not a name of a user and is ignored"},
        {BELOW_ROOT("    - {name: a, adminacl: ' x.y'}\n"), 6, 27,
         "queue 'root.a': adminacl: 'x.y' is not a name of a group and is ignored"},
        {BELOW_ROOT("    - {name: a, adminacl: 'ann,bob devs,ops', submitacl: ' * '}\n"), 0, 0, NULL},
        /* A2: among names a wildcard is none; alone in a field it matches every user, even beside a list of
         * groups. */
        {BELOW_ROOT("    - {name: a, submitacl: 'bob,*'}\n"), 6, 28,
         "queue 'root.a': submitacl: '*' is not a name of a user and is ignored"},
        {BELOW_ROOT("    - {name: a, submitacl: 'bob devs,*'}\n"), 6, 28, "'*' is not a name of a group"},
        {BELOW_ROOT("    - {name: a, adminacl: '9x *', submitacl: '* x.y'}\n"), 0, 0, NULL},
        {BELOW_ROOT("    - {name: a, properties: {priority.policy: x}}\n"), 6, 47, "is used, 'default'"},
        {BELOW_ROOT("    - {name: a, properties: {preemption.policy: x}}\n"), 6, 49,
         "is used, 'default', unless preemption.allowed is false"},
        {BELOW_ROOT("    - {name: a, properties: {preemption.allowed: x}}\n"), 6, 50, "is used, true"},
        {BELOW_ROOT("    - {name: a, properties: {quota.preemption.delay: -5s}}\n"), 6, 54,
         "not 0 or a duration above it, such as 30s: the default is used, 0, which is off"},
        {BELOW_ROOT("    - {name: a, properties: {application.unschedasks.backoff: -1}}\n"), 6, 63,
         "is used, 0, which is off"},
        {BELOW_ROOT("    - {name: a, properties: {application.unschedasks.backoff.delay: 0s}}\n"), 6, 69,
         "is used, 30s"},
        {PARTITION("  usergroupresolver: {type: nis}\n  queues: []\n"), 3, 29, "'nis' is not known"},
        {"partitions:\n- {queues: [{name: a}]}\n- {name: gpu, queues: [{name: b}]}\n", 3, 3,
         "have different queues"},
        {PARTITION("  placementrules: [{name: user, filter: {users: [ok, '(']}}]\n  queues: []\n"), 3, 54,
         "filter user '(' is not a name and is skipped"},
        {BELOW_ROOT("    - {name: a, resources: {max: {cpu: 1}}}\n"), 6, 40, "names 'cpu'"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_config *config = config_of(cases[i].text);
        if ((cases[i].sentence == NULL) != (other_warnings(config) == 0))
            fail_msg("%zu: %u warnings", i, config->warning_count);
        if (cases[i].sentence != NULL) {
            const struct yk_config_warning *warning = &config->warnings[0];
            if (strstr(warning->text.p, cases[i].sentence) == NULL || warning->place.line != cases[i].line ||
                warning->place.column != cases[i].column)
                fail_msg("%zu: line %u, column %u: %s", i, warning->place.line, warning->place.column,
                         warning->text.p);
        }
        yk_config_free(config);
    }
}

static void one_line(void **state)
{
    (void)state;
    static const struct config_case cases[] = {
        {"a queue", BELOW_ROOT("    - {name: \"a\\nb\\tc\"}\n"), "queue name 'a\\nb\\tc' below 'root'"},
        {"a user", BELOW_ROOT("    - {name: a, limits: [{users: [\"\\u0007\"], maxapplications: 1}]}\n"),
         "limit user '\\x07'"},
        {"controls and line breaks of Unicode", BELOW_ROOT("    - {name: \"a\\Nb\\Lc\\x9b\"}\n"),
         "queue name 'a\\u0085b\\u2028c\\u009b' below 'root'"},
        {"letters of other scripts stay", BELOW_ROOT("    - {name: \"\u00e9\u20ac\"}\n"),
         "queue name '\u00e9\u20ac' below 'root'"},
        {"a field", "partitions:\n- {\"na\\nme\": x}\n", "field 'na\\nme' is not known"},
    };
    check_config_cases(cases, YK_COUNT(cases));
    struct yk_config *config =
        config_of(BELOW_ROOT("    - {name: a, properties: {priority.offset: \"1\\n2\"}}\n"));
    assert_int_equal(other_warnings(config), 1);
    assert_null(strchr(config->warnings[0].text.p, '\n'));
    assert_non_null(strstr(config->warnings[0].text.p, "'1\\n2'"));
    yk_config_free(config);
}

/* The path of a queue whose name comes by a merge key. */
static void names_by_merge_keys(void **state)
{
    (void)state;
    static const char text[] = "partitions:\n- queues:\n  - name: root\n    queues:\n"
                               "    - &base {name: a, maxapplications: 4}\n"
                               "    - {queues: [{<<: [{name: b}, *base], submitacl: '*'}], name: c}\n"
                               "    - {<<: {<<: {name: d}}, maxapplications: 9}\n"
                               "    - {<<: [{submitacl: x}, {name: e}], maxapplications: 9}\n";
    static const struct {
        uint32_t line, column;
        const char *path;
    } cases[] = {{5, 12, "root.a"}, {6, 45, "root.c.b"}, {7, 30, "root.d"}, {8, 44, "root.e"}};
    YK_CLEANUP(yk_queue_places_freep) struct yk_queue_places *places = yk_queue_places_new(yk_str_from(text));
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
        assert_true(yk_queue_places_find(places, cases[i].line, cases[i].column, &path));
        assert_string_equal(yk_buf_cstr(&path), cases[i].path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals), cmocka_unit_test(activation),          cmocka_unit_test(warnings),
        cmocka_unit_test(one_line), cmocka_unit_test(names_by_merge_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
