/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/core.h"
#include "web/guard.h"
#include "web/list.h"
#include "web/routes_priv.h"
#include "web/tenant_priv.h"

enum { ENDED_LOOKED_AT = 4096 };

/* The path of the parent queue; empty: there is none. */
static struct yk_str parent_of(struct yk_str path)
{
    while (path.len > 0 && path.p[path.len - 1] != '.')
        path.len--;
    if (path.len > 0)
        path.len--;
    return path;
}

/* ---- one queue ---- */

/* The latest of that id, among the ENDED_LOOKED_AT applications that have ended last and all rejected ones. */
static const struct yk_app *find_ended(const struct yk_partition *partition, struct yk_str id)
{
    const struct yk_app *rejected = yk_strmap_get(&partition->rejected_by_id, id);
    int looked_at = 0;
    if (rejected != NULL && !rejected->life.is_superseded)
        return rejected;
    for (const struct yk_list *link = partition->completed.prev;
         link != &partition->completed && looked_at < ENDED_LOOKED_AT; link = link->prev, looked_at++) {
        const struct yk_app *app = YK_CONTAINER(link, const struct yk_app, life.in_ended);
        if (yk_str_is(id, app->id))
            return app;
    }
    return NULL;
}

static void find_queue_of_app(struct yk_job *job, struct yk_buf *path)
{
    const struct yk_partition *partition = yk_list_partition(job);
    const struct yk_app *app =
        partition != NULL ? yk_strmap_get(&partition->apps, yk_job_param(job, YK_PARAM_APPLICATION)) : NULL;
    if (app == NULL && partition != NULL)
        app = find_ended(partition, yk_job_param(job, YK_PARAM_APPLICATION));
    if (app != NULL && app->queue_path != NULL)
        yk_buf_text(path, app->queue_path);
}

/* Sets tenant->path, which stays empty if the application is not known. False: job->answer is an error. */
static bool begin_branch(struct yk_job *job)
{
    struct yk_tenant *tenant = job->tenant;
    bool has_queue = job->request.match.params[YK_PARAM_QUEUE].p != NULL;
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    if (has_queue && !yk__decode_queue(job, &path))
        return false;
    /* Queues are found in any case, but what is granted names them in lower case. */
    YK_CLEANUP(yk_freep) char *lower = yk_str_lower(yk_buf_view(&path));
    yk_buf_text(&tenant->path, lower);
    if (tenant->path.len == 0 && job->request.match.params[YK_PARAM_APPLICATION].p != NULL)
        find_queue_of_app(job, &tenant->path);
    return true;
}

static enum yk_step decide_branch(struct yk_guard *guard, struct yk_job *job, bool *ret_allowed)
{
    struct yk_tenant *tenant = job->tenant;
    *ret_allowed = false;
    while (tenant->path.len > 0) {
        enum yk_step step = yk_guard_decide_queue(guard, job, yk_buf_cstr(&tenant->path), ret_allowed);
        if (step != YK_STEP_AGAIN || *ret_allowed)
            return step;
        tenant->path.len = parent_of(yk_buf_view(&tenant->path)).len;
        tenant->path.p[tenant->path.len] = '\0';
    }
    return YK_STEP_AGAIN;
}

/* ---- a list ---- */

static bool begin_list(struct yk_job *job)
{
    struct yk_tenant *tenant = job->tenant;
    const struct yk_partition *partition = yk_list_partition(job);
    if (partition == NULL)
        /* There are no paths: the caller is refused, and does not learn that the partition does not exist. */
        return true;
    tenant->paths = yk_new0_array(char *, YK_TENANT_QUEUES_MAX);
    for (const struct yk_queue *queue = partition->root; queue != NULL;
         queue = yk_queue_next(queue, partition->root)) {
        if (tenant->count == YK_TENANT_QUEUES_MAX) {
            yk_answer_error(&job->answer, 403,
                            "the partition has too many queues to ask about each: ask for one queue");
            return false;
        }
        tenant->paths[tenant->count++] = yk_strdup(queue->path);
    }
    return true;
}

static void show(struct yk_tenant *tenant, char *path)
{
    (void)yk_strmap_put(&tenant->shown, yk_str_from(path), path); /* the path was not there */
    for (struct yk_str at = yk_str_from(path); at.len > 0; at = parent_of(at))
        (void)yk_strmap_put(&tenant->leading, at, path); /* only the key matters */
}

static enum yk_step decide_list(struct yk_guard *guard, struct yk_job *job, bool *ret_allowed)
{
    struct yk_tenant *tenant = job->tenant;
    for (; tenant->at < tenant->count; tenant->at++) {
        char *path = tenant->paths[tenant->at];
        bool allowed = yk_strmap_get(&tenant->shown, parent_of(yk_str_from(path))) != NULL;
        enum yk_step step = allowed ? YK_STEP_AGAIN : yk_guard_decide_queue(guard, job, path, &allowed);
        if (step != YK_STEP_AGAIN)
            return step;
        if (allowed)
            show(tenant, path);
    }
    *ret_allowed = tenant->shown.count > 0;
    return YK_STEP_AGAIN;
}

/* ---- both ---- */

enum yk_step yk_tenant_admit(struct yk_guard *guard, struct yk_job *job, bool *ret_allowed)
{
    bool is_list = job->route->tenant == YK_TENANT_LIST;
    *ret_allowed = false;
    if (job->route->tenant == YK_TENANT_NONE)
        return YK_STEP_AGAIN;
    if (job->tenant == NULL) {
        job->tenant = yk_new0(struct yk_tenant);
        if (is_list ? !begin_list(job) : !begin_branch(job))
            return YK_STEP_DONE;
    }
    return is_list ? decide_list(guard, job, ret_allowed) : decide_branch(guard, job, ret_allowed);
}
