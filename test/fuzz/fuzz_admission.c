/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as an AdmissionReview, on the path that the first byte chooses: the answer is an AdmissionReview,
 * a denial has a reason, and a patch applies to the object of the request.
 */
#include "admission/reviewer.h"
#include "base/log.h"
#include "lib/apply_patch.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct yk_reviewer *reviewer;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const struct yk_reviewer_options options = {.namespace_ = "yunikorn"};
    for (size_t i = 0; i < yk_logger_count; i++)
        atomic_store(&yk_loggers[i].level, YK_LOG_FATAL);
    if (yk_reviewer_new(&options, &reviewer, NULL) != YK_OK)
        abort();
    return 0;
}

static void check_patch(struct yk_str body, const char *base64)
{
    json_t *review = json_loadb(body.p, body.len, JSON_ALLOW_NUL, NULL);
    json_t *object = json_object_get(json_object_get(review, "request"), "object");
    json_t *patch = read_patch(base64);
    if (patch == NULL || !apply_patch(object, patch))
        abort();
    json_decref(patch);
    json_decref(review);
}

static void check(struct yk_str body, const json_t *answer)
{
    const json_t *response = json_object_get(answer, "response");
    const json_t *allowed = json_object_get(response, "allowed");
    const char *uid = json_string_value(json_object_get(response, "uid"));
    const char *reason = json_string_value(json_object_get(json_object_get(response, "status"), "message"));
    const char *patch = json_string_value(json_object_get(response, "patch"));
    if (!json_is_boolean(allowed) || uid == NULL || json_string_length(json_object_get(response, "uid")) == 0)
        abort();
    if (json_is_false(allowed) && (reason == NULL || *reason == '\0' || patch != NULL))
        abort();
    if (patch != NULL)
        check_patch(body, patch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    if (size == 0)
        return 0;
    struct yk_str body = {(const char *)data + 1, size - 1};
    yk_reviewer_review(reviewer, data[0] == 'c' ? YK_REVIEW_VALIDATE_CONF : YK_REVIEW_MUTATE, body, &text);
    json_t *answer = json_loadb(yk_buf_cstr(&text), text.len, JSON_ALLOW_NUL, NULL);
    if (answer == NULL)
        abort();
    check(body, answer);
    json_decref(answer);
    return 0;
}
