/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/admission.md, "Reviews": any body gets an answer. */
#include "admission/review.h"
#include "api/user_info.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define HEAD "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":"

static void no_review_is_denied(void **state)
{
    (void)state;
    static const struct {
        const char *what, *body, *reason; /* part of it */
    } cases[] = {
        {"nothing", "", "not JSON"},
        {"no JSON", "hello", "not JSON"},
        {"cut short", HEAD "{\"uid\":\"a\"", "not JSON"},
        {"not UTF-8", HEAD "{\"uid\":\"\xff\"}}", "not JSON"},
        {"a list", "[]", "not an object"},
        {"another kind", "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}", "'Pod' of 'v1'"},
        {"another version", "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1beta1\"}",
         "v1beta1"},
        {"kind is a number", "{\"kind\":1}", "'kind' is not a text"},
        {"no request", HEAD "null}", "there is no request"},
        {"request is a text", HEAD "\"a\"}", "'request' is not an object"},
        {"no uid", HEAD "{}}", "no uid"},
        {"uid is a list", HEAD "{\"uid\":[]}}", "'uid' is not a text"},
    };
    struct yk_reviewer *reviewer = new_reviewer();
    for (size_t i = 0; i < 2 * YK_COUNT(cases); i++) {
        size_t n = i / 2;
        enum yk_review_path path = i % 2 == 0 ? YK_REVIEW_MUTATE : YK_REVIEW_VALIDATE_CONF;
        struct answer answer = review_text(reviewer, path, yk_str_from(cases[n].body));
        if (answer.allowed || strcmp(answer.uid, "yunikorn-invalid-body") != 0 ||
            strstr(answer.reason, cases[n].reason) == NULL)
            fail_msg("%s: allowed %d, uid '%s', '%s'", cases[n].what, answer.allowed, answer.uid,
                     answer.reason);
        answer_done(&answer);
    }
    yk_reviewer_free(reviewer);
}

static void an_odd_request_is_denied_under_its_uid(void **state)
{
    (void)state;
    static const struct {
        const char *what, *request, *reason;
    } cases[] = {
        {"no object", "{\"uid\":\"u\",\"operation\":\"CREATE\"}", "the request has no object"},
        {"object is a text", "{\"uid\":\"u\",\"object\":\"x\"}", "'object' is not an object"},
        {"groups are a text", "{\"uid\":\"u\",\"userInfo\":{\"groups\":\"x\"}}", "'groups' is not a list"},
        {"a group is a number", "{\"uid\":\"u\",\"userInfo\":{\"groups\":[\"a\",1]}}",
         "group 2 is not a text"},
        {"a user is an object", "{\"uid\":\"u\",\"userInfo\":{\"username\":{}}}", "'username' is not a text"},
        {"kind is a text", "{\"uid\":\"u\",\"kind\":\"Pod\"}", "'kind' is not an object"},
        {"namespace is a bool", "{\"uid\":\"u\",\"namespace\":true}", "'namespace' is not a text"},
    };
    struct yk_reviewer *reviewer = new_reviewer();
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
        yk_buf_printf(&body, HEAD "%s}", cases[i].request);
        struct answer answer = review_text(reviewer, YK_REVIEW_MUTATE, yk_buf_view(&body));
        if (answer.allowed || strcmp(answer.uid, "u") != 0 || strstr(answer.reason, cases[i].reason) == NULL)
            fail_msg("%s: allowed %d, uid '%s', '%s'", cases[i].what, answer.allowed, answer.uid,
                     answer.reason);
        answer_done(&answer);
    }
    yk_reviewer_free(reviewer);
}

static void what_no_webhook_asks_for_is_allowed(void **state)
{
    (void)state;
    static const char *const requests[] = {
        "{\"uid\":\"u\",\"operation\":\"DELETE\",\"kind\":{\"group\":\"\",\"kind\":\"Pod\"},\"object\":null}",
        "{\"uid\":\"u\",\"operation\":\"CONNECT\",\"kind\":{\"group\":\"\",\"kind\":\"PodExecOptions\"}}",
        "{\"uid\":\"u\",\"operation\":\"UPDATE\",\"subResource\":\"status\",\"kind\":{\"group\":\"\","
        "\"kind\":"
        "\"Pod\"},\"object\":{}}",
        "{\"uid\":\"u\",\"operation\":\"CREATE\",\"kind\":{\"group\":\"x\",\"kind\":\"Pod\"},\"object\":{}}",
    };
    struct yk_reviewer *reviewer = new_reviewer();
    for (size_t i = 0; i < YK_COUNT(requests); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
        yk_buf_printf(&body, HEAD "%s}", requests[i]);
        struct answer answer = review_text(reviewer, YK_REVIEW_MUTATE, yk_buf_view(&body));
        if (!answer.allowed)
            fail_msg("%s: '%s'", requests[i], answer.reason);
        answer_done(&answer);
    }
    yk_reviewer_free(reviewer);
}

static void hostile_bodies_take_bounded_time(void **state)
{
    (void)state;
    struct yk_reviewer *reviewer = new_reviewer();
    YK_CLEANUP(yk_buf_done) struct yk_buf deep = {0}, large = {0};
    for (int i = 0; i < 100 * 1000; i++)
        yk_buf_text(&deep, "[");
    struct answer answer = review_text(reviewer, YK_REVIEW_MUTATE, yk_buf_view(&deep));
    assert_non_null(strstr(answer.reason, "nested deeper"));
    answer_done(&answer);
    memset(yk_buf_reserve(&large, YK_REVIEW_BODY_MAX + 1), ' ', YK_REVIEW_BODY_MAX + 1);
    large.len = YK_REVIEW_BODY_MAX + 1;
    answer = review_text(reviewer, YK_REVIEW_MUTATE, yk_buf_view(&large));
    assert_non_null(strstr(answer.reason, "at most"));
    answer_done(&answer);
    const char nul[] = HEAD "{\"uid\":\"u\0v\"}}";
    answer = review_text(reviewer, YK_REVIEW_MUTATE, (struct yk_str){nul, sizeof(nul) - 1});
    assert_false(answer.allowed);
    answer_done(&answer);
    yk_reviewer_free(reviewer);
}

/* The text of a pod whose tolerations are `count` times `item`, which API servers send before they check
 * it. */
static void write_tolerations(const char *item, size_t count, struct yk_buf *out)
{
    yk_buf_text(out, "{\"spec\":{\"tolerations\":[");
    for (size_t i = 0; i < count; i++)
        yk_buf_printf(out, "%s%s", i > 0 ? "," : "", item);
    yk_buf_text(out, "]}}");
}

/* Three bytes of "{}," are 250 in a parsed review: a request of 3 MiB must not take the memory of the
 * process. */
static void the_memory_of_a_review_is_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *item;
        size_t count;
        bool allowed;
    } cases[] = {
        {"{}", 1000 * 1000, false},
        {"[]", 1000 * 1000, false},
        {"{\"a\":1}", 375 * 1000, false},
        {"\"\"", 500 * 1000, true}, /* as much as etcd stores */
        {"\"{,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,[[[[[[[[[[[[[[[[[[\"", 40 * 1000, true},
        {"{\"operator\":\"Exists\"}", 65 * 1000, true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_reviewer *reviewer = new_reviewer();
        YK_CLEANUP(yk_buf_done) struct yk_buf pod = {0}, body = {0};
        write_tolerations(cases[i].item, cases[i].count, &pod);
        yk_buf_printf(
            &body,
            HEAD
            "{\"uid\":\"u\",\"operation\":\"CREATE\",\"kind\":{\"group\":\"\",\"version\":\"v1\",\"kind\":"
            "\"Pod\"},\"object\":%s}}",
            yk_buf_cstr(&pod));
        struct answer answer = review_text(reviewer, YK_REVIEW_MUTATE, yk_buf_view(&body));
        if (answer.allowed != cases[i].allowed)
            fail_msg("%zu times %s: '%s'", cases[i].count, cases[i].item, answer.reason);
        assert_string_equal(answer.uid, "u");
        if (!cases[i].allowed)
            assert_string_equal(answer.reason, "AdmissionReview: too many values");
        answer_done(&answer);
        yk_reviewer_free(reviewer);
    }
}

/* A name with U+0000 and members that are there twice. */
static void the_last_of_two_members_counts(void **state)
{
    (void)state;
    struct yk_reviewer *reviewer = new_reviewer();
    const struct review_case one = {
        .user = "al\\u0000ice",
        .object = "{\"metadata\":{\"labels\":{\"app\":\"yunikorn\"},\"labels\":{\"applicationId\":\"x\"}},"
                  "\"spec\":{\"a\":\"\\u0000\"},\"spec\":{}}"};
    struct answer answer = review(reviewer, YK_REVIEW_MUTATE, &one);
    assert_true(answer.allowed);
    assert_true(answer.patched);
    answer_done(&answer);
    yk_reviewer_free(reviewer);
}

static bool is_patched(struct yk_reviewer *reviewer, const char *namespace_)
{
    const struct review_case one = {.object = "{\"metadata\":{},\"spec\":{}}", .namespace_ = namespace_};
    struct answer answer = review(reviewer, YK_REVIEW_MUTATE, &one);
    bool patched = answer.patched;
    answer_done(&answer);
    return patched;
}

static void objects_come_and_go(void **state)
{
    (void)state;
    struct yk_reviewer *reviewer = new_reviewer();
    assert_string_equal(yk_reviewer_namespace(reviewer), "yunikorn");
    assert_string_equal(yk_reviewer_service_name(reviewer), "yunikorn-admission-controller-service");
    put_namespace(reviewer, "dev", "{\"yunikorn.apache.org/namespace.enableYuniKorn\":\"false\"}");
    assert_false(is_patched(reviewer, "dev"));
    put_namespace(reviewer, "dev", "{}");
    assert_true(is_patched(reviewer, "dev"));
    put_namespace(reviewer, "dev", "{\"yunikorn.apache.org/namespace.enableYuniKorn\":\"false\"}");
    yk_reviewer_remove_namespace(reviewer, YK_STR("dev"));
    assert_true(is_patched(reviewer, "dev"));

    put_configs(reviewer, "{\"admissionController.filtering.bypassNamespaces\":\"dev\","
                          "\"admissionController.webHook.amServiceName\":\"mine\"}");
    assert_false(is_patched(reviewer, "dev"));
    assert_string_equal(yk_reviewer_service_name(reviewer), "mine");
    put_configs(reviewer,
                "{\"admissionController.filtering.bypassNamespaces\":\"(\"}"); /* the old one stays */
    assert_false(is_patched(reviewer, "dev"));
    yk_reviewer_remove_config_map(reviewer, YK_STR("other"), YK_STR("yunikorn-configs"));
    assert_false(is_patched(reviewer, "dev"));
    yk_reviewer_remove_config_map(reviewer, YK_STR("yunikorn"), YK_STR("yunikorn-configs"));
    yk_reviewer_remove_config_map(reviewer, YK_STR("yunikorn"), YK_STR("yunikorn-configs"));
    assert_true(is_patched(reviewer, "dev"));
    yk_reviewer_free(reviewer);
    yk_reviewer_free(NULL);
}

static bool may_be_preempted(struct yk_reviewer *reviewer)
{
    const struct review_case one = {.object = "{\"metadata\":{},\"spec\":{\"priorityClassName\":\"low\"}}"};
    struct answer answer = review(reviewer, YK_REVIEW_MUTATE, &one);
    const json_t *annotations = json_object_get(json_object_get(answer.object, "metadata"), "annotations");
    const char *value =
        json_string_value(json_object_get(annotations, "yunikorn.apache.org/allow-preemption"));
    assert_non_null(value);
    bool may = strcmp(value, "true") == 0;
    answer_done(&answer);
    return may;
}

static void priority_classes_come_and_go(void **state)
{
    (void)state;
    struct yk_reviewer *reviewer = new_reviewer();
    assert_true(may_be_preempted(reviewer));
    put_class(reviewer, "low", "{\"yunikorn.apache.org/allow-preemption\":\"false\"}");
    assert_false(may_be_preempted(reviewer));
    put_class(reviewer, "low", "{}");
    assert_true(may_be_preempted(reviewer));
    put_class(reviewer, "low", "{\"yunikorn.apache.org/allow-preemption\":\"false\"}");
    yk_reviewer_remove_priority_class(reviewer, YK_STR("low"));
    assert_true(may_be_preempted(reviewer));
    yk_reviewer_free(reviewer);
}

/* The scheduler reads at most 1024: with more the pod would be of an unknown user. */
static void the_groups_of_a_user_are_bounded(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf groups = {0};
    struct yk_reviewer *reviewer = new_reviewer();
    for (int i = 0; i < 2000; i++)
        yk_buf_printf(&groups, "%s\"g%d\"", i > 0 ? "," : "[", i);
    yk_buf_char(&groups, ']');
    const struct review_case one = {.object = "{\"metadata\":{},\"spec\":{}}",
                                    .groups = yk_buf_cstr(&groups)};
    struct answer answer = review(reviewer, YK_REVIEW_MUTATE, &one);
    const json_t *annotations = json_object_get(json_object_get(answer.object, "metadata"), "annotations");
    const char *text = json_string_value(json_object_get(annotations, "yunikorn.apache.org/user.info"));
    YK_CLEANUP(yk_user_info_done) struct yk_user_info info = {0};
    assert_int_equal(yk_user_info_parse(yk_str_from(text), &info, NULL), YK_OK);
    assert_int_equal(info.group_count, YK_USER_INFO_GROUPS_MAX);
    answer_done(&answer);

    YK_CLEANUP(yk_buf_done) struct yk_buf large = {0}; /* one group, larger than an annotation */
    yk_buf_text(&large, "[\"");
    memset(yk_buf_reserve(&large, YK_USER_INFO_BYTES_MAX), 'g', YK_USER_INFO_BYTES_MAX);
    large.len += YK_USER_INFO_BYTES_MAX;
    yk_buf_text(&large, "\"]");
    const struct review_case other = {.object = one.object, .groups = yk_buf_cstr(&large)};
    answer = review(reviewer, YK_REVIEW_MUTATE, &other);
    expect("a large group", &answer, "name and groups of the user take more than 262144 bytes", NULL);
    answer_done(&answer);
    yk_reviewer_free(reviewer);
}

static void without_hot_refresh_nothing_changes_after_the_start(void **state)
{
    (void)state;
    struct yk_reviewer *reviewer = new_reviewer();
    put_defaults(reviewer, "{\"service.enableConfigHotRefresh\":\"false\"}");
    put_configs(reviewer, "{\"admissionController.filtering.bypassNamespaces\":\"dev\"}");
    assert_false(is_patched(reviewer, "dev"));
    put_configs(reviewer, "{}");
    assert_false(is_patched(reviewer, "dev"));
    yk_reviewer_free(reviewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_review_is_denied),
        cmocka_unit_test(an_odd_request_is_denied_under_its_uid),
        cmocka_unit_test(what_no_webhook_asks_for_is_allowed),
        cmocka_unit_test(hostile_bodies_take_bounded_time),
        cmocka_unit_test(the_memory_of_a_review_is_bounded),
        cmocka_unit_test(the_last_of_two_members_counts),
        cmocka_unit_test(objects_come_and_go),
        cmocka_unit_test(priority_classes_come_and_go),
        cmocka_unit_test(the_groups_of_a_user_are_bounded),
        cmocka_unit_test(without_hot_refresh_nothing_changes_after_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
