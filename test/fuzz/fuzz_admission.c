/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any body as an AdmissionReview: the answer is one that an API server reads, its patch applies to the
 * object, and what it makes of a pod is what was wanted. The first byte chooses the path and the settings.
 */
#include "admission/reviewer.h"

#include "admission/apply_patch.h"
#include "base/log.h"
#include "cache/objects.h"
#include "config/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const settings[][2] = {
    {"none", ""},
    {"admissionController.filtering.generateUniqueAppId", "true"},
    {"admissionController.accessControl.bypassAuth", "true"},
    {"admissionController.filtering.noLabelNamespaces", "."},
};

static struct yk_reviewer *reviewer_new(unsigned choice)
{
    struct yk_reviewer *reviewer = yk_reviewer_new("yunikorn");
    struct yk_config_map *map = make_config_map("yunikorn", "yunikorn-configs", "1");
    add_pair(&map->object, &map->data, settings[choice][0], settings[choice][1]);
    yk_reviewer_observe(reviewer, YK_KIND_CONFIG_MAP, YK_WATCH_UPSERT, &map->object);
    return reviewer;
}

static void require(bool truth)
{
    if (!truth)
        abort();
}

static void check_patch(const json_t *response, struct yk_str body)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf patch = {0};
    struct yk_err err;
    const char *encoded = json_string_value(json_object_get(response, "patch"));
    if (encoded == NULL)
        return;
    require(json_is_true(json_object_get(response, "allowed")));
    require(yk_base64_decode(yk_str_from(encoded), &patch, &err) == YK_OK);
    json_t *review = json_loadb(body.p, body.len, JSON_ALLOW_NUL, NULL);
    json_t *object = json_deep_copy(json_object_get(json_object_get(review, "request"), "object"));
    require(apply_patch(&object, yk_buf_view(&patch)) == NULL);
    json_decref(object);
    json_decref(review);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct yk_reviewer *reviewers[YK_COUNT(settings)];
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    if (size == 0)
        return 0;
    unsigned choice = data[0] % YK_COUNT(settings);
    if (reviewers[choice] == NULL) {
        const struct yk_config_pair quiet = {YK_STR("log.level"), YK_STR("error")};
        yk_settings_apply_log_levels(&quiet, 1);
        reviewers[choice] = reviewer_new(choice);
    }
    struct yk_str body = {(const char *)data + 1, size - 1};
    yk_reviewer_review(reviewers[choice], (data[0] & 0x80) != 0 ? YK_REVIEW_VALIDATE_CONF : YK_REVIEW_MUTATE,
                       body, &out);
    json_t *answer = json_loadb(out.p, out.len, 0, NULL);
    const json_t *response = json_object_get(answer, "response");
    require(json_string_length(json_object_get(response, "uid")) > 0);
    require(json_is_boolean(json_object_get(response, "allowed")));
    check_patch(response, body);
    json_decref(answer);
    return 0;
}
