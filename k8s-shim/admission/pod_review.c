/* SPDX-License-Identifier: Apache-2.0 */
/* Reviews of pods: docs/reference/admission.md, "Pods" (P1 to P6) and "Users" (U1 to U5). */
#include "admission/namespaces.h"
#include "admission/request_priv.h"
#include "admission/user_rights.h"
#include "api/application_id.h"
#include "api/pod_keys.h"

#define SCHEDULER_NAME "yunikorn"
#define META_PATH      "/metadata"

static bool is_processed(const struct yk_reviewer *reviewer, const struct yk__request *request)
{
    return yk_namespace_is_processed(&reviewer->namespaces, &reviewer->settings, request->namespace_);
}

static bool is_labelled(const struct yk_reviewer *reviewer, const struct yk__request *request)
{
    return yk_namespace_is_labelled(&reviewer->namespaces, &reviewer->settings, request->namespace_);
}

bool yk__is_guarded(const struct yk_reviewer *reviewer, const struct yk__request *request,
                    const struct yk__meta *meta)
{
    return is_processed(reviewer, request) &&
           (yk__meta_has_app_label(meta) || is_labelled(reviewer, request));
}

bool yk__is_ours(const struct yk__meta *meta)
{
    return yk_str_is(meta->app, "yunikorn");
}

/* Labels the pod with the ID of the application that it is put into. An ID that was cut after a "-" is not a
 * valid label, so it is left out: the scheduler generates the same ID. */
static void label_generated_id(const struct yk_reviewer *reviewer, const struct yk__request *request,
                               struct yk__meta *meta, struct yk_patch *patch)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf id = {0};
    if (reviewer->settings.generate_unique_app_id)
        yk_application_id_unique(request->namespace_, YK_STR(YK_UNIQUE_ID_WORD), &id);
    else
        yk_application_id_of_namespace(request->namespace_, &id);
    if (yk_str_ends(yk_buf_view(&id), "-"))
        return;
    yk__meta_label(meta, patch, YK_KEY_APP_ID, yk_buf_view(&id));
    yk__meta_label(meta, patch, YK_KEY_OLD_APP_ID, yk_buf_view(&id));
}

static void copy_label(struct yk__meta *meta, struct yk_patch *patch, struct yk_str from, struct yk_str to,
                       const char *key)
{
    if (!yk_str_empty(from) && !yk_str_eq(from, to))
        yk__meta_label(meta, patch, key, from);
}

static void label(const struct yk_reviewer *reviewer, const struct yk__request *request,
                  struct yk__meta *meta, struct yk_patch *patch)
{
    if (!yk__meta_has_app_label(meta) && yk_str_empty(meta->annotated_app_id))
        label_generated_id(reviewer, request, meta, patch);
    copy_label(meta, patch, meta->app_id, meta->old_app_id, YK_KEY_OLD_APP_ID);
    copy_label(meta, patch, meta->queue, meta->old_queue, YK_KEY_OLD_QUEUE);
}

static void annotate_preemption(const struct yk_reviewer *reviewer, struct yk_str class_,
                                struct yk__meta *meta, struct yk_patch *patch)
{
    if (yk_str_is(meta->preemption, "true") || yk_str_is(meta->preemption, "false"))
        return;
    bool forbidden = !yk_str_empty(class_) && yk_marks_get(&reviewer->classes, class_) != 0;
    yk__meta_annotate(meta, patch, YK_KEY_PREEMPTION, forbidden ? YK_STR("false") : YK_STR("true"));
}

static void patch_pod(const struct yk_reviewer *reviewer, const struct yk__request *request,
                      struct yk_str class_, struct yk__meta *meta, struct yk__verdict *verdict)
{
    struct yk_patch *patch = &verdict->patch;
    if (!meta->has_user_info && !reviewer->settings.bypass_auth)
        yk__user_info_add(request, meta, verdict);
    if (!verdict->allowed)
        return;
    yk_patch_add_text(patch, "/spec/schedulerName", YK_STR(SCHEDULER_NAME));
    if (!is_labelled(reviewer, request))
        return;
    label(reviewer, request, meta, patch);
    annotate_preemption(reviewer, class_, meta, patch);
}

void yk__pod_create(const struct yk_reviewer *reviewer, const struct yk__request *request,
                    struct yk__verdict *verdict)
{
    struct yk_err err = {0};
    struct yk__meta meta;
    struct yk_str class_ = {0};
    const json_t *spec = NULL;
    enum yk_status st = yk__meta_read(request->object, META_PATH, &meta, &err);
    if (st == YK_OK)
        st = yk__object_at(request->object, "spec", &spec, &err);
    if (st == YK_OK)
        st = yk__text_at(spec, "priorityClassName", &class_, &err);
    if (st == YK_OK && spec == NULL)
        st = yk_fail(&err, YK_ERR_INVALID, "the pod has no spec");
    if (st != YK_OK) {
        yk__deny(verdict, "%s", err.text);
        return;
    }
    bool is_checked = meta.has_user_info && !reviewer->settings.bypass_auth;
    if (is_checked && !yk__may_set_user_info(&reviewer->settings, request, meta.user_info, verdict))
        return;
    if (!yk__is_ours(&meta) && is_processed(reviewer, request))
        patch_pod(reviewer, request, class_, &meta, verdict);
}

/* Compat: YuniKorn 1.9 compares the values, so an absent annotation equals an empty one. */
static bool same_user_info(const struct yk__meta *old, const struct yk__meta *new)
{
    return yk_str_eq(old->user_info, new->user_info);
}

void yk__pod_update(const struct yk_reviewer *reviewer, const struct yk__request *request,
                    struct yk__verdict *verdict)
{
    struct yk_err err = {0};
    struct yk__meta meta, old;
    enum yk_status st = yk__meta_read(request->object, META_PATH, &meta, &err);
    if (st == YK_OK)
        st = yk__meta_read(request->old, META_PATH, &old, &err);
    if (st != YK_OK) {
        yk__deny(verdict, "%s", err.text);
        return;
    }
    if (reviewer->settings.bypass_auth || same_user_info(&old, &meta))
        return;
    if (!yk__is_ours(&meta) && yk__is_guarded(reviewer, request, &meta)) {
        yk__deny(verdict, "user info annotation change is not allowed");
        return;
    }
    /* Without this check, an update could set what a creation may not set. */
    if (meta.has_user_info)
        yk__may_set_user_info(&reviewer->settings, request, meta.user_info, verdict);
}
