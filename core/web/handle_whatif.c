/* SPDX-License-Identifier: Apache-2.0 */
/* What-if questions (docs/whatif.md). */
#include "base/log.h"
#include "http/http_server.h"
#include "web/renderer.h"
#include "web/routes_priv.h"

static enum yk_step show_reply(struct yk_job *job)
{
    job->answer.retry_later = job->reply.status == 503;
    if (job->reply.status != 0)
        return yk_job_refuse(job, job->reply.status, job->reply.text);
    yk_buf_text(&job->answer.body, job->reply.text);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

enum yk_step yk__ask_whatif(struct yk_job *job, struct yk_str question)
{
    const struct yk_whatif_backend *backend = job->renderer != NULL ? &job->renderer->whatif : NULL;
    struct yk_err err = {0};
    if (backend == NULL || backend->ask == NULL)
        return yk_job_refuse(job, 501, "what-if questions cannot be answered here");
    job->late = "the what-if question was not answered in time, try again";
    enum yk_status st = backend->ask(backend->context, job->web, job->ticket, question, &err);
    if (st == YK_OK)
        return YK_STEP_WAIT;
    if (st == YK_ERR_INVALID || st == YK_ERR_LIMIT)
        return yk_job_refuse(job, st == YK_ERR_LIMIT ? 413 : 400, err.text);
    job->answer.retry_later = true;
    return yk_job_refuse(job, 503, err.text);
}

enum yk_step yk__post_whatif(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    return job->reply.came ? show_reply(job) : yk__ask_whatif(job, yk_buf_view(&job->request.body));
}

void yk__finish_whatif(struct yk_job *job)
{
    yk_info(yk_log_rest, "what-if question", KV("user", job->caller.user != NULL ? job->caller.user : ""),
            KV("from", job->exchange != NULL ? job->exchange->peer.address : ""),
            KV("status", job->answer.status));
}
