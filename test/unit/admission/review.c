/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/review.h"

#include "api/json_reader.h"
#include "lib/apply_patch.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define UID "705ab4f5-6393-11e8-b7cc-42010a800002"

struct yk_reviewer *new_reviewer(void)
{
    struct yk_reviewer *reviewer = NULL;
    const struct yk_reviewer_options options = {.namespace_ = "yunikorn"};
    assert_int_equal(yk_reviewer_new(&options, &reviewer, NULL), YK_OK);
    return reviewer;
}

static struct yk_object *read_object(enum yk_kind kind, const char *text)
{
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    if (yk_object_from_json(kind, yk_str_from(text), &object, &err) != YK_OK)
        fail_msg("%s: %s", text, err.text);
    return object;
}

static void put_map(struct yk_reviewer *reviewer, const char *name, const char *data)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text,
                  "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\",\"namespace\":\"yunikorn\"},"
                  "\"data\":%s}",
                  name, data);
    yk_reviewer_put_config_map(reviewer,
                               yk_config_map_of(read_object(YK_KIND_CONFIG_MAP, yk_buf_cstr(&text))));
}

void put_configs(struct yk_reviewer *reviewer, const char *data)
{
    put_map(reviewer, "yunikorn-configs", data);
}

void put_defaults(struct yk_reviewer *reviewer, const char *data)
{
    put_map(reviewer, "yunikorn-defaults", data);
}

static struct yk_object *annotated(enum yk_kind kind, const char *word, const char *name,
                                   const char *annotations)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text, "{\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\",\"annotations\":%s}}", word, name,
                  annotations);
    return read_object(kind, yk_buf_cstr(&text));
}

void put_namespace(struct yk_reviewer *reviewer, const char *name, const char *annotations)
{
    struct yk_object *object = annotated(YK_KIND_NAMESPACE, "Namespace", name, annotations);
    yk_reviewer_put_namespace(reviewer, (const struct yk_namespace *)(void *)object);
    yk_object_free(object);
}

void put_class(struct yk_reviewer *reviewer, const char *name, const char *annotations)
{
    struct yk_object *object = annotated(YK_KIND_PRIORITY_CLASS, "PriorityClass", name, annotations);
    yk_reviewer_put_priority_class(reviewer, yk_priority_class_of(object));
    yk_object_free(object);
}

static const char *otherwise(const char *text, const char *fallback)
{
    return text != NULL ? text : fallback;
}

static void write_review(const struct review_case *one, struct yk_buf *out)
{
    const char *group = otherwise(one->group, ""), *version = otherwise(one->version, "v1"),
               *kind = otherwise(one->kind, "Pod");
    yk_buf_printf(out,
                  "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{"
                  "\"uid\":\"" UID "\",\"kind\":{\"group\":\"%s\",\"version\":\"%s\",\"kind\":\"%s\"},"
                  "\"resource\":{\"group\":\"%s\",\"version\":\"%s\",\"resource\":\"any\"},"
                  "\"requestKind\":{\"group\":\"%s\",\"version\":\"%s\",\"kind\":\"%s\"},"
                  "\"name\":\"one\",\"namespace\":\"%s\",\"operation\":\"%s\",",
                  group, version, kind, group, version, group, version, kind,
                  otherwise(one->namespace_, "dev"), otherwise(one->operation, "CREATE"));
    yk_buf_printf(out,
                  "\"userInfo\":{\"username\":\"%s\",\"uid\":\"1\",\"groups\":%s,\"extra\":{\"a\":[\"b\"]}},"
                  "\"object\":%s,\"oldObject\":%s,\"dryRun\":%s,\"options\":{\"kind\":\"CreateOptions\","
                  "\"apiVersion\":\"meta.k8s.io/v1\"}}}",
                  otherwise(one->user, "alice"), otherwise(one->groups, "[\"staff\"]"),
                  otherwise(one->object, "null"), otherwise(one->old, "null"),
                  one->dry_run ? "true" : "false");
}

static json_t *patched_object(const char *text, const char *patch_text)
{
    json_t *object = json_loads(otherwise(text, "{}"), JSON_ALLOW_NUL, NULL);
    json_t *patch = read_patch(patch_text);
    assert_non_null(object);
    if (patch == NULL || !apply_patch(object, patch))
        fail_msg("the patch does not apply: %s", json_dumps(patch, 0));
    json_decref(patch);
    return object;
}

struct answer review_text(struct yk_reviewer *reviewer, enum yk_review_path path, struct yk_str body)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct answer answer = {.reason = ""};
    yk_reviewer_review(reviewer, path, body, &text);
    answer.review = json_loadb(yk_buf_cstr(&text), text.len, 0, NULL);
    if (answer.review == NULL)
        fail_msg("not JSON: %s", yk_buf_cstr(&text));
    assert_string_equal(json_string_value(json_object_get(answer.review, "kind")), "AdmissionReview");
    assert_string_equal(json_string_value(json_object_get(answer.review, "apiVersion")),
                        "admission.k8s.io/v1");
    const json_t *response = json_object_get(answer.review, "response");
    assert_true(json_is_boolean(json_object_get(response, "allowed")));
    answer.allowed = json_is_true(json_object_get(response, "allowed"));
    answer.uid = json_string_value(json_object_get(response, "uid"));
    assert_non_null(answer.uid);
    const char *reason = json_string_value(json_object_get(json_object_get(response, "status"), "message"));
    answer.reason = otherwise(reason, "");
    return answer;
}

struct answer review(struct yk_reviewer *reviewer, enum yk_review_path path, const struct review_case *one)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    write_review(one, &body);
    struct answer answer = review_text(reviewer, path, yk_buf_view(&body));
    assert_string_equal(answer.uid, UID);
    const json_t *response = json_object_get(answer.review, "response");
    const char *patch = json_string_value(json_object_get(response, "patch"));
    answer.patched = patch != NULL;
    if (patch != NULL) {
        assert_true(answer.allowed);
        assert_string_equal(json_string_value(json_object_get(response, "patchType")), "JSONPatch");
        answer.object = patched_object(one->object, patch);
    }
    return answer;
}

void answer_done(struct answer *answer)
{
    json_decref(answer->review);
    json_decref(answer->object);
}

void expect(const char *what, const struct answer *answer, const char *denied, const char *object)
{
    if (answer->allowed != (denied == NULL) || strcmp(answer->reason, otherwise(denied, "")) != 0)
        fail_msg("%s: allowed %d, '%s'", what, answer->allowed, answer->reason);
    if (answer->patched != (object != NULL))
        fail_msg("%s: %s", what, answer->patched ? "has a patch" : "has no patch");
    if (object == NULL)
        return;
    json_t *wanted = json_loads(object, 0, NULL);
    if (wanted == NULL)
        fail_msg("%s: the case is not JSON", what);
    if (!json_equal(wanted, answer->object))
        fail_msg("%s: got %s", what, json_dumps(answer->object, JSON_SORT_KEYS));
    json_decref(wanted);
}

void expect_same_again(const char *what, struct yk_reviewer *reviewer, const struct review_case *one,
                       const struct answer *answer)
{
    char *text = json_dumps(answer->object, 0);
    struct review_case again = *one;
    again.object = text;
    struct answer second = review(reviewer, YK_REVIEW_MUTATE, &again);
    if (!second.allowed)
        fail_msg("%s, again: %s", what, second.reason);
    if (second.patched && !json_equal(second.object, answer->object))
        fail_msg("%s, again: got %s", what, json_dumps(second.object, JSON_SORT_KEYS));
    answer_done(&second);
    free(text);
}

void expect_mutation(const char *what, struct yk_reviewer *reviewer, const struct review_case *one,
                     const char *denied, const char *object)
{
    struct answer answer = review(reviewer, YK_REVIEW_MUTATE, one);
    expect(what, &answer, denied, object);
    if (answer.patched)
        expect_same_again(what, reviewer, one, &answer);
    answer_done(&answer);
}
