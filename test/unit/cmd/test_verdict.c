/* SPDX-License-Identifier: Apache-2.0 */
/* What `yunikorn validate` finds in queues, ConfigMaps and rendered charts. */
#include "cmd/verdict.h"

#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MAP(name) "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " name "}\n"
#define QUEUES    "partitions: [{name: default, queues: [{name: root, submitacl: \"*\"}]}]"
/* printf 'partitions: [{name: default, queues: [{name: root, colour: red}]}]' | gzip -n | base64 -w0 */
#define PACKED                                                                                               \
    "H4sIAAAAAAAAAytILCrJLMnMzyu2UoiuzkvMTbVSSElNSyzNKdFRKCxNLU1FkijKzweKJufn5JcWAXmpKbWxtbEAcnmHKEIAAAA="

static const struct {
    const char *what, *text;
    bool valid;
    const char *part; /* of the JSON; NULL: nothing in particular */
} cases[] = {
    {"queues", QUEUES, true, "\"errors\":[],\"warnings\":[]"},
    {"an unknown rule", "partitions: [{queues: [{name: root}], placementrules: [{name: nope}]}]", false,
     "nope"},
    {"two unknown rules",
     "partitions: [{queues: [{name: root}], placementrules: [{name: nope}, {name: neither}]}]", false,
     "neither"},
    {"a pattern is reported once",
     "partitions: [{queues: [{name: root}], placementrules: [{name: user, filter: {users: ['(']}}]}]", false,
     "closing parenthesis\",\"line\":1,\"column\":86}],"},
    {"a ConfigMap", MAP("yunikorn-configs") "data:\n  queues.yaml: |\n    " QUEUES "\n", true,
     "\"entryLine\":5,\"valid\":true"},
    {"a ConfigMap of any name", MAP("mine") "data: {queues.yaml: '" QUEUES "', service.port: '1'}\n", true,
     NULL},
    {"a setting that the scheduler refuses",
     MAP("yunikorn-configs") "data: {queues.yaml: '" QUEUES "', service.schedulingInterval: 1parsec}\n",
     false, "setting 'service.schedulingInterval': '1parsec' is not a duration"},
    {"two of them and one in the queues",
     MAP("yunikorn-configs") "data: {queues.yaml: 'colour: red', service.port: x, kubernetes.qps: y}\n",
     false, "'y' is not"},
    {"settings that only belong together", MAP("a") "data: {service.web.tls.certFile: /x}\n", false,
     "needs service.web.tls.keyFile"},
    {"a setting that only warns", MAP("a") "data: {queues.yaml: '" QUEUES "', event.maxStreams: x}\n", true,
     "\"warnings\":[{\"message\":\"setting 'event.maxStreams': 'x' is not a whole number in range: the "
     "default is"},
    {"an unknown setting", MAP("a") "data: {queues.yaml: '" QUEUES "', servic.typo: x}\n", true,
     "setting 'servic.typo': 'x' has no effect: unknown setting"},
    {"no level of the log", MAP("a") "data: {queues.yaml: '" QUEUES "', log.level: LOUD}\n", true,
     "'LOUD' has no effect: unknown log level"},
    {"settings of the admission controller",
     MAP("a") "data: {queues.yaml: '" QUEUES "', admissionController.webHook.amServiceName: x}\n", true,
     "\"warnings\":[]"},
    {"no queues", MAP("a") "data: {log.level: info}\n", true, "there is no entry 'queues.yaml'"},
    {"no queues do not drain those in force", MAP("a") "data: {log.level: info}\n", true,
     "\"warnings\":[{\"message\":\"there is no entry 'queues.yaml': the built-in queues are used\"}]"},
    {"an empty text", "", true, "\"warnings\":[{\"message\":\"the text is empty: the built-in queues are"},
    {"a blank text", " \n\n", true, "the text is empty: the built-in queues are"},
    {"comments only", "# none\n", true, "\"warnings\":[{\"message\":\"the text has only comments: "},
    {"an empty entry", MAP("a") "data: {queues.yaml: \"\"}\n", true,
     "\"warnings\":[{\"message\":\"the text is empty: the built-in queues are used, and all active queues "
     "drain\"}]"},
    {"packed queues", MAP("a") "binaryData: {queues.yaml.gz: " PACKED "}\n", false, "'colour' is not known"},
    {"packed queues win over plain ones",
     MAP("a") "data: {queues.yaml: '" QUEUES "'}\nbinaryData: {queues.yaml.gz: " PACKED "}\n", false,
     "'colour' is not known"},
    {"not base64", MAP("a") "binaryData: {queues.yaml.gz: '%'}\n", false, "'queues.yaml.gz' is not base64"},
    {"not gzip", MAP("a") "binaryData: {queues.yaml.gz: aGVsbG8=}\n", false,
     "'queues.yaml.gz' cannot be read"},
    {"not packed", MAP("a") "data: {queues.yaml: '" QUEUES "'}\nbinaryData: {queues.yaml: aGVsbG8=}\n", true,
     "'queues.yaml' does not end in .gz"},
    {"a chart: the second ConfigMap wins",
     "---\napiVersion: v1\nkind: Service\nmetadata: {name: x}\n---\n" MAP(
         "yunikorn-defaults") "data: {queues.yaml: 'colour: red', service.port: x}\n---\n" MAP("yunikorn-"
                                                                                               "configs") "da"
                                                                                                          "ta"
                                                                                                          ": "
                                                                                                          "{q"
                                                                                                          "ue"
                                                                                                          "ue"
                                                                                                          "s."
                                                                                                          "ya"
                                                                                                          "ml"
                                                                                                          ": "
                                                                                                          "'" QUEUES
                                                                                                          "',"
                                                                                                          " s"
                                                                                                          "er"
                                                                                                          "vi"
                                                                                                          "ce"
                                                                                                          ".p"
                                                                                                          "or"
                                                                                                          "t:"
                                                                                                          " '"
                                                                                                          "1'"
                                                                                                          "}"
                                                                                                          "\n"
                                                                                                          "--"
                                                                                                          "-"
                                                                                                          "\n" MAP(
                                                                                                              "other") "data: {service.port: y}\n",
     true, "\"warnings\":[]"},
    {"a chart: queues of the first",
     MAP("yunikorn-defaults") "data: {queues.yaml: 'colour: red'}\n---\n" MAP(
         "yunikorn-configs") "data: {log.level: info}\n",
     false, "'colour' is not known"},
    {"another policy group",
     MAP("a") "data: {service.policyGroup: blue, blue.yaml: 'colour: red', queues.yaml: ''}\n", false,
     "colour"},
    {"one name twice", MAP("yunikorn-configs") "---\n" MAP("yunikorn-configs"), false,
     "is there twice (also in line 1)"},
    {"several, none of them ours", MAP("a") "---\n" MAP("b"), false, "2 ConfigMaps, and none is called"},
    {"no ConfigMap at all", "apiVersion: v1\nkind: Service\n", false, "0 ConfigMaps"},
};

static void verdicts(void **state)
{
    (void)state;
    yk_log_set_stream(NULL);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_verdict_done) struct yk_config_verdict verdict = {.source.name = "x"};
        YK_CLEANUP(yk_buf_done) struct yk_buf json = {.max = 1 << 20};
        struct yk_err err = {0};
        if (yk_effective_config_read(yk_str_from(cases[i].text), &verdict.source.effective, &err) != YK_OK)
            yk_config_errors_add(&verdict.source.errors, &err);
        else
            yk_source_check(&verdict.source);
        yk_verdict_put_json(&verdict, &json);
        if (yk_source_is_valid(&verdict.source) != cases[i].valid ||
            (cases[i].part != NULL && strstr(yk_buf_cstr(&json), cases[i].part) == NULL))
            fail_msg("%s: got %s", cases[i].what, yk_buf_cstr(&json));
    }
}

/* Entries that are too large together: the last one is reported, as the scheduler leaves it out. */
static void entries_that_are_too_large_together(void **state)
{
    (void)state;
    enum { COUNT = YK_CONFIG_UNPACKED_TOTAL_MAX / YK_CONFIG_UNPACKED_MAX + 1 };
    static const char *const keys[COUNT] = {"a.gz", "b.gz", "c.gz", "d.gz", "queues.yaml.gz"};
    YK_CLEANUP(yk_freep) char *text = yk_alloc0(YK_CONFIG_UNPACKED_MAX);
    YK_CLEANUP(yk_buf_done) struct yk_buf packed = {.max = 1 << 20};
    YK_CLEANUP(yk_source_done) struct yk_source source = {.name = "x"};
    struct yk_pair items[COUNT];
    struct yk_config_map map = {.object = {.name = YK_STR("m")}, .binary_data = {items, COUNT}};
    memset(text, '#', YK_CONFIG_UNPACKED_MAX);
    yk_gzip((struct yk_str){text, YK_CONFIG_UNPACKED_MAX}, &packed);
    for (size_t i = 0; i < COUNT; i++)
        items[i] = (struct yk_pair){yk_str_from(keys[i]), yk_buf_view(&packed)};
    yk_log_set_stream(NULL);
    yk_effective_config_merge(NULL, &map, &source.effective);
    assert_int_equal(source.effective.errors.count, 1);
    assert_true(
        yk_str_is(source.effective.errors.items[0].text,
                  "binaryData 'queues.yaml.gz' cannot be read: the entries are too large when unpacked"));
    yk_source_check(&source);
    assert_false(yk_source_is_valid(&source));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts),
                                       cmocka_unit_test(entries_that_are_too_large_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
