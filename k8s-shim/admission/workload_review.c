/* SPDX-License-Identifier: Apache-2.0 */
/* Pod templates of workloads: docs/reference/admission.md, "Workloads" (W1 to W5). */
#include "admission/request_priv.h"
#include "admission/user_rights.h"

static const char *const in_template[] = {"spec", "template", NULL};
static const char *const in_job_template[] = {"spec", "jobTemplate", "spec", "template", NULL};

static const struct workload {
    const char *group, *kind;
    const char *const *members; /* keys from the object to its pod template; ends with NULL */
    const char *path;           /* JSON pointer of the template's metadata */
} workloads[] = {
    {"apps", "Deployment", in_template, "/spec/template/metadata"},
    {"apps", "ReplicaSet", in_template, "/spec/template/metadata"},
    {"apps", "StatefulSet", in_template, "/spec/template/metadata"},
    {"apps", "DaemonSet", in_template, "/spec/template/metadata"},
    {"batch", "Job", in_template, "/spec/template/metadata"},
    {"batch", "CronJob", in_job_template, "/spec/jobTemplate/spec/template/metadata"},
};

static const struct workload *workload_of(const struct yk__request *request)
{
    for (size_t i = 0; i < YK_COUNT(workloads); i++) {
        if (yk_str_is(request->kind, workloads[i].kind) && yk_str_is(request->group, workloads[i].group))
            return &workloads[i];
    }
    return NULL;
}

/* Reads the metadata of the pod template. `*ret_template`: NULL if the object has no template. */
static enum yk_status read_template(const struct workload *workload, const json_t *object,
                                    const json_t **ret_template, struct yk__meta *ret, struct yk_err *err)
{
    enum yk_status st = YK_OK;
    for (size_t i = 0; workload->members[i] != NULL && st == YK_OK; i++)
        st = yk__object_at(object, workload->members[i], &object, err);
    if (st == YK_OK)
        st = yk__meta_read(object, workload->path, ret, err);
    if (st == YK_OK)
        *ret_template = object;
    return st;
}

static bool is_unchanged(const struct yk__meta *meta, const struct yk__meta *old)
{
    return old->has_user_info && yk_str_eq(meta->user_info, old->user_info);
}

/* Whether the controller has to add user.info. On UPDATE, a template that had no user.info is left as it is,
 * because a changed template restarts all its pods. */
static bool needs_user_info(const struct yk_reviewer *reviewer, const struct yk__request *request,
                            const struct yk__meta *meta, const struct yk__meta *old)
{
    bool is_create = yk_str_is(request->operation, "CREATE");
    return (is_create || old->has_user_info) && !yk__is_ours(meta) && yk__is_guarded(reviewer, request, meta);
}

void yk__workload(const struct yk_reviewer *reviewer, const struct yk__request *request,
                  struct yk__verdict *verdict)
{
    struct yk_err err = {0};
    struct yk__meta meta, old;
    const json_t *template = NULL, *old_template = NULL;
    const struct workload *workload = workload_of(request);
    if (workload == NULL || reviewer->settings.bypass_auth)
        return;
    /* The Deployment controller compares templates: a patched template would make it create another
     * ReplicaSet. */
    if (yk_str_is(request->kind, "ReplicaSet") && yk__is_system_user(&reviewer->settings, request))
        return;
    enum yk_status st = read_template(workload, request->object, &template, &meta, &err);
    if (st == YK_OK)
        st = read_template(workload, request->old, &old_template, &old, &err);
    if (st != YK_OK) {
        yk__deny(verdict, "%s", err.text);
        return;
    }
    if (!meta.has_user_info) {
        if (template != NULL && needs_user_info(reviewer, request, &meta, &old))
            yk__user_info_add(request, &meta, verdict);
    } else if (!is_unchanged(&meta, &old)) {
        yk__may_set_user_info(&reviewer->settings, request, meta.user_info, verdict);
    }
}
