/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/request.h"

#include "api/pod_keys.h"

#include <jansson.h>

bool yk_is_workload(struct yk_str kind)
{
    static const char *const kinds[] = {"Deployment", "ReplicaSet", "StatefulSet",
                                        "DaemonSet",  "Job",        "CronJob"};
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        if (yk_str_is(kind, kinds[i]))
            return true;
    }
    return false;
}

static bool is_cron_job(const struct yk_admission_request *request)
{
    return yk_str_is(request->kind, "CronJob");
}

static const json_t *template_of(const struct yk_admission_request *request, const json_t *object)
{
    return is_cron_job(request) ? yk_json_at(object, "spec", "jobTemplate", "spec", "template", NULL)
                                : yk_json_at(object, "spec", "template", NULL);
}

static struct yk_str user_info_of(const json_t *template)
{
    return yk_json_entry(yk_json_at(template, "metadata", "annotations", NULL), YK_KEY_USER_INFO);
}

/* Its Deployment has the annotation already. With another one, the Deployment would make ReplicaSets for
 * ever. */
static bool is_made_by_controller(const struct yk_admission_request *request)
{
    return yk_str_is(request->kind, "ReplicaSet") &&
           yk_review_settings_match(request->settings, YK_SYSTEM_USERS, request->user);
}

static bool gets_user(const struct yk_admission_request *request, const json_t *template)
{
    const json_t *labels = yk_json_at(template, "metadata", "labels", NULL);
    if (yk_labels_are_own(labels) || !yk_namespace_is_processed(request))
        return false;
    return !yk_str_empty(yk_json_entry(labels, YK_KEY_APP_ID)) || yk_namespace_gets_labels(request);
}

static void patch_user(const struct yk_admission_request *request, const json_t *template,
                       struct yk_admission_decision *decision)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0}, user = {0};
    yk_buf_text(&path, is_cron_job(request) ? "/spec/jobTemplate/spec/template/metadata"
                                            : "/spec/template/metadata");
    yk_json_patch_need_map(&decision->patch, yk_buf_cstr(&path), yk_json_at(template, "metadata", NULL));
    yk_buf_text(&path, "/annotations");
    yk_json_patch_need_map(&decision->patch, yk_buf_cstr(&path),
                           yk_json_at(template, "metadata", "annotations", NULL));
    yk_submitter_user_info(request, &user);
    yk_json_patch_set_key(&decision->patch, yk_buf_cstr(&path), YK_KEY_USER_INFO, yk_buf_view(&user));
}

static void review_new(const struct yk_admission_request *request, struct yk_admission_decision *decision)
{
    const json_t *template = template_of(request, request->object);
    struct yk_str user_info = user_info_of(template);
    if (is_made_by_controller(request))
        return;
    if (user_info.p != NULL)
        (void)yk_submitter_may_set_user(request, user_info, decision); /* it denies */
    else if (json_is_object(template) && gets_user(request, template))
        patch_user(request, template, decision);
}

/* Controllers are trusted with what a template says, so whoever changes it must be trusted, too. */
static void review_change(const struct yk_admission_request *request, struct yk_admission_decision *decision)
{
    struct yk_str before = user_info_of(template_of(request, request->old_object));
    struct yk_str after = user_info_of(template_of(request, request->object));
    if (after.p != NULL && (before.p == NULL || !yk_str_eq(before, after)))
        (void)yk_submitter_may_set_user(request, after, decision); /* it denies */
}

void yk_review_workload(const struct yk_admission_request *request, struct yk_admission_decision *decision)
{
    if (request->settings->bypass_auth)
        return;
    if (yk_str_is(request->operation, "CREATE"))
        review_new(request, decision);
    else if (yk_str_is(request->operation, "UPDATE"))
        review_change(request, decision);
}
