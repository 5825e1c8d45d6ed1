/* SPDX-License-Identifier: Apache-2.0 */
#include "web/job.h"

#include "base/clock.h"
#include "web/gzip.h"
#include "web/pour_priv.h"
#include "web/shelf_priv.h"
#include "web/tenant.h"

struct yk_job *yk_job_new(void)
{
    struct yk_job *job = yk_new0(struct yk_job);
    yk_answer_init(&job->answer);
    yk_json_init(&job->json, &job->answer.body);
    yk_list_init(&job->in_open);
    yk_list_init(&job->in_held);
    job->review_slot = -1;
    return job;
}

void yk_job_free(struct yk_job *job)
{
    if (job == NULL)
        return;
    if (job->own_free != NULL)
        job->own_free(job->own);
    yk_caller_done(&job->caller);
    yk_job_reply_clear(job);
    yk_gzip_free(job->gzip);
    yk_pour_free(job->pour);
    yk_shared_unref(job->served);
    yk_selection_done(&job->selection);
    yk_names_done(&job->names);
    yk_names_done(&job->inner);
    yk_tenant_free(job->tenant);
    yk_answer_done(&job->answer);
    yk_buf_done(&job->request.body);
    yk_arena_done(&job->request.arena);
    free(job);
}

void yk_job_drop(struct yk_command *command)
{
    struct yk_job *job = YK_CONTAINER(command, struct yk_job, command);
    if (job->web == NULL)
        yk_job_free(job); /* the server was freed */
    else
        atomic_store_explicit(&job->dropped, true, memory_order_release);
}

void yk_job_reply_clear(struct yk_job *job)
{
    free(job->reply.text);
    yk_caller_done(&job->reply.caller);
    job->reply = (struct yk_reply){0};
}

void yk_job_sort(struct yk_job *job)
{
    if (job->sorting != NULL)
        yk_names_sort(job->sorting);
    job->sorting = NULL;
}

void yk_job_finish(struct yk_job *job)
{
    if (job->route != NULL && job->route->finish != NULL)
        job->route->finish(job);
    if (job->route != NULL && job->route->shape != NULL && job->answer.status == 200)
        job->route->shape(job, true);
    if (job->answer.body.failed)
        yk_answer_error(&job->answer, 500, "the answer is larger than this server gives");
}

bool yk_job_must_pause(const struct yk_job *job, int64_t until_mono_ns)
{
    return until_mono_ns != INT64_MAX && yk_clock_mono_ns(job->clock) >= until_mono_ns;
}

enum yk_step yk_job_refuse(struct yk_job *job, int status, const char *text)
{
    yk_answer_error(&job->answer, status, text);
    return YK_STEP_DONE;
}
