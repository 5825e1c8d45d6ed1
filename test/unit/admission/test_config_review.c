/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/admission.md, "Configuration". */
#include "admission/review.h"

#include "cache/config_merge.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MAP(name, data)                                                                                      \
    "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" name "\"},\"data\":" data "}"
#define GOOD     "partitions:\\n- name: default\\n  queues:\\n  - name: root\\n    submitacl: '*'\\n"
#define BAD      "partitions:\\n- name: default\\n  queues:\\n  - name: 'a b'\\n"
#define BAD_RULE GOOD "  placementrules:\\n  - name: nonsense\\n"

struct config_case {
    const char *what, *defaults, *configs; /* in force: data, NULL: none */
    const char *namespace_;                /* NULL: yunikorn */
    const char *object;
    const char *denied; /* part of the reason; NULL: allowed */
};

static void run(const struct config_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct yk_reviewer *reviewer = new_reviewer();
        if (cases[i].defaults != NULL)
            put_defaults(reviewer, cases[i].defaults);
        if (cases[i].configs != NULL)
            put_configs(reviewer, cases[i].configs);
        const struct review_case one = {.kind = "ConfigMap",
                                        .namespace_ =
                                            cases[i].namespace_ != NULL ? cases[i].namespace_ : "yunikorn",
                                        .object = cases[i].object};
        struct answer answer = review(reviewer, YK_REVIEW_VALIDATE_CONF, &one);
        if (answer.allowed != (cases[i].denied == NULL) ||
            (cases[i].denied != NULL && strstr(answer.reason, cases[i].denied) == NULL))
            fail_msg("%s: allowed %d, '%s'", cases[i].what, answer.allowed, answer.reason);
        answer_done(&answer);
        yk_reviewer_free(reviewer);
    }
}

static void queues_and_settings_are_checked(void **state)
{
    (void)state;
    static const struct config_case cases[] = {
        {"good queues", NULL, NULL, NULL, MAP("yunikorn-configs", "{\"queues.yaml\":\"" GOOD "\"}"), NULL},
        {"no data", NULL, NULL, NULL, MAP("yunikorn-configs", "null"), NULL},
        {"bad queues", NULL, NULL, NULL, MAP("yunikorn-configs", "{\"queues.yaml\":\"" BAD "\"}"), "a b"},
        {"a bad rule", NULL, NULL, NULL, MAP("yunikorn-configs", "{\"queues.yaml\":\"" BAD_RULE "\"}"),
         "nonsense"},
        {"bad defaults", NULL, NULL, NULL, MAP("yunikorn-defaults", "{\"queues.yaml\":\"" BAD "\"}"), "a b"},
        {"defaults that are overlaid", NULL, "{\"queues.yaml\":\"" GOOD "\"}", NULL,
         MAP("yunikorn-defaults", "{\"queues.yaml\":\"" BAD "\"}"), NULL},
        {"another ConfigMap", NULL, NULL, NULL, MAP("mine", "{\"queues.yaml\":\"" BAD "\"}"), NULL},
        {"another namespace", NULL, NULL, "dev", MAP("yunikorn-configs", "{\"queues.yaml\":\"" BAD "\"}"),
         NULL},
        {"the pending policy group counts", NULL, NULL, NULL,
         MAP("yunikorn-configs", "{\"service.policyGroup\":\"x\",\"queues.yaml\":\"" BAD "\"}"), NULL},
        {"also for what is in force", "{\"x.yaml\":\"" BAD "\"}", NULL, NULL,
         MAP("yunikorn-configs", "{\"service.policyGroup\":\"x\"}"), "a b"},
        {"a setting", NULL, NULL, NULL, MAP("yunikorn-configs", "{\"service.schedulingInterval\":\"fast\"}"),
         "service.schedulingInterval"},
        {"a setting of the other ConfigMap", "{\"kubernetes.qps\":\"many\"}", NULL, NULL,
         MAP("yunikorn-configs", "{}"), "kubernetes.qps"},
        {"an unknown setting", NULL, NULL, NULL, MAP("yunikorn-configs", "{\"no.such\":\"x\"}"), NULL},
        {"settings that other releases had", NULL, NULL, NULL,
         MAP("yunikorn-configs", "{\"admissionController.webHook.schedulerServiceAddress\":\"a:9080\","
                                 "\"service.operatorPlugins\":\"general\"}"),
         NULL},
        {"an expression of ours", NULL, NULL, NULL,
         MAP("yunikorn-configs", "{\"admissionController.filtering.processNamespaces\":\"(\"}"), NULL},
        {"data is a list", NULL, NULL, NULL, MAP("yunikorn-configs", "[]"), "data"},
        {"a packed entry that is broken", NULL, NULL, NULL,
         "{\"metadata\":{\"name\":\"yunikorn-configs\"},\"binaryData\":{\"queues.yaml.gz\":\"AAAA\"}}",
         "binaryData 'queues.yaml.gz' cannot be read"},
        {"a name that is no text", NULL, NULL, NULL, "{\"metadata\":{\"name\":[]}}", "'name' is not a text"},
    };
    run(cases, YK_COUNT(cases));
}

static bool warns(const struct answer *answer, const char *part)
{
    const json_t *warnings = json_object_get(json_object_get(answer->review, "response"), "warnings");
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        if (strstr(json_string_value(json_array_get(warnings, i)), part) != NULL)
            return true;
    }
    return false;
}

static void what_has_no_effect_is_a_warning(void **state)
{
    (void)state;
    struct yk_reviewer *reviewer = new_reviewer();
    const struct review_case one = {
        .kind = "ConfigMap",
        .namespace_ = "yunikorn",
        .object = MAP("yunikorn-configs", "{\"admissionController.filtering.processNamespaces\":\"a,(\","
                                          "\"no.such\":\"x\"}")};
    struct answer answer = review(reviewer, YK_REVIEW_VALIDATE_CONF, &one);
    assert_true(answer.allowed);
    assert_true(warns(&answer, "admissionController.filtering.processNamespaces: 'a,('"));
    assert_true(warns(&answer, "no.such"));
    answer_done(&answer);
    yk_reviewer_free(reviewer);
}

/* 1,000 bytes of gzip make a MiB: what is unpacked is bounded, too. */
static void a_bomb_is_denied(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf zeros = {0}, packed = {0}, object = {0};
    YK_CLEANUP(yk_freep) char *text = NULL;
    struct yk_reviewer *reviewer = new_reviewer();
    memset(yk_buf_reserve(&zeros, 4 << 20), ' ', 4 << 20);
    zeros.len = (4 << 20) - 1;
    yk_gzip(yk_buf_view(&zeros), &packed);
    text = yk_alloc0(packed.len * 2 + 8);
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t out = 0;
    for (size_t i = 0; i + 2 < packed.len + 2; i += 3) {
        uint32_t bits = 0;
        for (size_t j = 0; j < 3; j++)
            bits = bits << 8 | (i + j < packed.len ? (uint8_t)packed.p[i + j] : 0);
        for (int shift = 18; shift >= 0; shift -= 6)
            text[out++] = digits[bits >> shift & 63];
    }
    for (size_t i = packed.len; i % 3 != 0; i++)
        text[--out] = '\0';
    while (out % 4 != 0)
        text[out++] = '=';
    yk_buf_text(&object, "{\"metadata\":{\"name\":\"yunikorn-configs\"},\"binaryData\":{");
    for (int i = 0; i < 8; i++)
        yk_buf_printf(&object, "%s\"a%d.gz\":\"%s\"", i > 0 ? "," : "", i, text);
    yk_buf_text(&object, "}}");
    const struct review_case one = {
        .kind = "ConfigMap", .namespace_ = "yunikorn", .object = yk_buf_cstr(&object)};
    struct answer answer = review(reviewer, YK_REVIEW_VALIDATE_CONF, &one);
    assert_false(answer.allowed);
    assert_non_null(strstr(answer.reason, "cannot be read: more than"));
    answer_done(&answer);
    yk_reviewer_free(reviewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(queues_and_settings_are_checked),
                                       cmocka_unit_test(what_has_no_effect_is_a_warning),
                                       cmocka_unit_test(a_bomb_is_denied)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
