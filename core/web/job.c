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
    yk_job_word_clear(job);
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
        yk_job_free(job); /* the web has gone */
    else
        atomic_store_explicit(&job->dropped, true, memory_order_release);
}

void yk_job_word_clear(struct yk_job *job)
{
    free(job->reply.text);
    yk_caller_done(&job->reply.caller);
    job->reply = (struct yk_reply){0};
}

/* What foreign pages may ask for: nothing that is guarded. */
static const char *cors_of(const struct yk_route *route)
{
    if (!route->is_api || route->guard != YK_GUARD_OPEN)
        return NULL;
    return route->method == YK_METHOD_POST ? "OPTIONS, POST" : "GET, OPTIONS";
}

/* JSON handlers have the headers of 1.3, whatever they answer. */
static void apply_route(struct yk_job *job)
{
    job->route = job->request.match.route;
    job->guard = job->route->guard;
    if (!job->route->is_api)
        return;
    job->answer.content_type = YK_TYPE_JSON;
    job->answer.cors_methods = cors_of(job->route);
}

static bool answer_without_work(struct yk_job *job)
{
    const struct yk_match *match = &job->request.match;
    bool is_post = job->request.method == YK_METHOD_POST;
    switch (match->routing) {
    case YK_ROUTE_FOUND:
        apply_route(job);
        return false;
    case YK_ROUTE_REDIRECT:
        job->answer.no_sniff = job->answer.no_store = false;
        yk_answer_redirect(&job->answer, is_post ? 307 : 301, match->location, job->request.target.query,
                           !is_post);
        return true;
    case YK_ROUTE_OPTIONS:
        job->answer.cors_methods = cors_of(match->route);
        job->answer.allow = match->allow;
        return true;
    case YK_ROUTE_METHOD:
        yk_answer_text(&job->answer, 405, "Method Not Allowed\n");
        job->answer.allow = match->allow;
        return true;
    case YK_ROUTE_UNKNOWN:
        yk_answer_text(&job->answer, 404, "404 page not found\n");
        return true;
    case YK_ROUTE_MALFORMED:
        yk_answer_text(&job->answer, 400, "400 Bad Request\n");
        return true;
    }
    return true;
}

bool yk_job_route(struct yk_job *job, struct yk_str method, struct yk_str target, struct yk_str accept,
                  struct yk_str accept_encoding)
{
    struct yk_request *request = &job->request;
    request->method = yk_method_from(method);
    request->accept = yk_arena_str(&request->arena, accept);
    request->gzip = yk_gzip_accepted(accept_encoding);
    if (!yk_target_parse(yk_arena_str(&request->arena, target), &request->target)) {
        request->match.routing = YK_ROUTE_UNKNOWN;
        yk_answer_text(&job->answer, 404, "404 page not found\n");
        return false;
    }
    yk_route_find(request->method, request->target.path, &request->arena, &request->match);
    return !answer_without_work(job);
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
