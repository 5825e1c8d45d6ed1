/* SPDX-License-Identifier: Apache-2.0 */
/* yk_web_render() writes the whole answer before it returns, without other threads and without network. */
#include "web/gzip.h"
#include "web/job.h"
#include "web/route_job.h"
#include "web/web.h"

static void write_rest(struct yk_job *job)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf whole = {.max = YK_ANSWER_BODY_MAX};
    enum yk_step step = YK_STEP_AGAIN;
    while (step != YK_STEP_DONE) {
        step = job->route->rest(job);
        yk_buf_str(&whole, yk_buf_view(&job->answer.body));
        yk_buf_clear(&job->answer.body);
    }
    yk_buf_str(&job->answer.body, yk_buf_view(&whole));
}

static void work_through(struct yk_job *job, const struct yk_web_query *query)
{
    if (job->route->check != NULL)
        job->route->check(job);
    for (;;) {
        if (query->slice != NULL)
            query->slice(query->context, true);
        job->changes = query->changes != NULL ? *query->changes : 0;
        enum yk_step step = job->route->work(job, query->tiny_slices ? 0 : INT64_MAX);
        if (query->slice != NULL)
            query->slice(query->context, false);
        if (step == YK_STEP_REST) {
            write_rest(job);
            return;
        }
        if (step == YK_STEP_DONE || step == YK_STEP_IDLE)
            return;
        if (step == YK_STEP_LATER) { /* there is no timer here that could call the work again */
            yk_answer_error(&job->answer, 503, "this takes time");
            return;
        }
        if (step == YK_STEP_SORT)
            yk_job_sort(job);
        if (query->between != NULL)
            query->between(query->context);
    }
}

static void compress(struct yk_job *job)
{
    if (!job->request.gzip || job->answer.gzipped || job->answer.body.len < YK_GZIP_FROM)
        return;
    YK_CLEANUP(yk_gzip_freep) struct yk_gzip *gzip = yk_gzip_new(&job->answer.body);
    if (gzip == NULL)
        return;
    while (!yk_gzip_run(gzip, YK_GZIP_FROM))
        ;
    yk_gzip_take(gzip, &job->answer.body);
    job->answer.gzipped = true;
}

void yk_web_render(const struct yk_core *core, struct yk_server_stats *stats,
                   const struct yk_web_query *query, struct yk_answer *ret_answer)
{
    static struct yk_server_stats none;
    YK_CLEANUP(yk_job_freep) struct yk_job *job = yk_job_new();
    job->core = core;
    job->clock = &yk_clock_real;
    job->walk.window = query->window_bytes;
    job->stats = stats != NULL ? stats : &none;
    job->stats->routes = yk_routes;
    job->stats->route_count = yk_route_count;
    yk_buf_str(&job->request.body, query->body);
    if (yk_job_route(job, yk_str_from(query->method != NULL ? query->method : "GET"),
                     yk_str_from(query->target), yk_str_from(query->accept),
                     yk_str_from(query->accept_encoding))) {
        if (job->route->guard == YK_GUARD_OPEN)
            work_through(job, query);
        else
            /* There is no connection that could have credentials. */
            yk_answer_error(&job->answer, 401, "this request needs a user");
        yk_job_finish(job);
    }
    compress(job);
    *ret_answer = job->answer;
    ret_answer->allow = NULL;     /* its text is freed with the job */
    yk_answer_init(&job->answer); /* its contents were moved to the result */
}
