/* SPDX-License-Identifier: Apache-2.0 */
#include "web/guard.h"

#include "base/clock.h"
#include "base/log.h"
#include "http/http_server.h"
#include "scheduler/core.h"
#include "web/renderer.h"
#include "web/tenant.h"

#include <strings.h>

#define SCHEDULER_ACL "service.schedulerACL"

/* ---- what came with the request ---- */

/* The token of a header value "Bearer <token>"; empty if the value is something else. */
static struct yk_str bearer(struct yk_str authorization)
{
    static const char scheme[] = "Bearer ";
    size_t len = strlen(scheme);
    if (authorization.len <= len || strncasecmp(authorization.p, scheme, len) != 0)
        return (struct yk_str){0};
    return yk_str_trim((struct yk_str){authorization.p + len, authorization.len - len});
}

bool yk_guard_take(struct yk_job *job, const struct yk_guard_peer *peer)
{
    if (!peer->encrypted && !peer->local) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_printf(&text,
                      "this request needs TLS, or a connection from the scheduler's own host; it came "
                      "unencrypted from %s",
                      peer->address);
        yk_answer_error(&job->answer, 403, yk_buf_cstr(&text));
        return false;
    }
    struct yk_str token = bearer(peer->authorization);
    if (token.len > 0 && token.len <= YK_TOKEN_MAX && yk_digest_make(token, job->digest)) {
        job->token = yk_arena_str(&job->request.arena, token);
        return true;
    }
    if (peer->authorization.p == NULL && peer->caller->user != NULL) {
        yk_caller_init(&job->caller, peer->caller->user, (const char *const *)peer->caller->groups,
                       peer->caller->group_count);
        return true;
    }
    yk_answer_error(&job->answer, 401, "this request needs a bearer token or a client certificate");
    return false;
}

/* ---- who the caller is ---- */

void yk_guard_init(struct yk_guard *guard, struct yk_core *core, const struct yk_clock *clock,
                   const struct yk_auth_backend *backend)
{
    *guard = (struct yk_guard){.core = core, .clock = clock};
    yk_token_cache_init(&guard->tokens);
    yk_access_decisions_init(&guard->decisions);
    if (backend != NULL)
        guard->backend = *backend;
}

void yk_guard_done(struct yk_guard *guard)
{
    yk_token_cache_done(&guard->tokens);
    yk_digest_cache_done(&guard->decisions);
}

static void adopt(struct yk_job *job, const struct yk_caller *caller)
{
    yk_caller_done(&job->caller);
    yk_caller_init(&job->caller, caller->user, (const char *const *)caller->groups, caller->group_count);
}

static void end_question(struct yk_guard *guard, struct yk_job *job)
{
    bool is_unknown = job->reply.came && job->reply.status == 0 && job->reply.caller.user == NULL;
    if (job->review_slot >= 0)
        yk_review_slot_give(&guard->slots, job->review_slot, is_unknown, yk_clock_mono_ns(guard->clock));
    else
        guard->access_questions--;
    job->review_slot = -1;
    job->asks = false;
}

void yk_guard_learn(struct yk_guard *guard, struct yk_job *job)
{
    int64_t now = yk_clock_mono_ns(guard->clock);
    bool is_token = job->review_slot >= 0;
    if (job->reply.status == 0 && is_token)
        yk_token_cache_put(&guard->tokens, job->question, &job->reply.caller, now);
    else if (job->reply.status == 0)
        yk_access_decisions_put(&guard->decisions, job->question, job->reply.allowed, now);
    end_question(guard, job);
}

/* Sets the question of the job. Returns whether another job has asked the same question: `job` then waits for
 * the same reply. */
static bool join(struct yk_job *job, const char question[YK_DIGEST_LEN])
{
    memcpy(job->question, question, YK_DIGEST_LEN);
    job->joins = yk_renderer_asks(job->renderer, question);
    return job->joins;
}

static enum yk_step ask_token(struct yk_guard *guard, struct yk_job *job)
{
    const struct yk_auth_backend *backend = &guard->backend;
    struct yk_err err = {.text = "tokens cannot be reviewed here"};
    if (join(job, job->digest))
        return YK_STEP_WAIT;
    job->review_slot = yk_review_slot_take(&guard->slots, job->network, yk_clock_mono_ns(guard->clock));
    if (job->review_slot < 0) {
        job->answer.retry_later = true;
        return yk_job_refuse(job, 503, "too many tokens are being reviewed, try again");
    }
    job->asks = true;
    if (backend->review_token != NULL &&
        backend->review_token(backend->context, job->web, job->ticket, job->token.p, &err) == YK_OK)
        return YK_STEP_WAIT;
    end_question(guard, job);
    return yk_job_refuse(job, 503, err.text);
}

/* YK_STEP_AGAIN: job->caller is set. */
static enum yk_step identify(struct yk_guard *guard, struct yk_job *job)
{
    if (job->caller.user != NULL)
        return YK_STEP_AGAIN;
    if (job->reply.came && job->reply.status != 0)
        return yk_job_refuse(job, job->reply.status, job->reply.text);
    const struct yk_caller *known =
        yk_token_cache_get(&guard->tokens, job->digest, yk_clock_mono_ns(guard->clock));
    if (known == NULL)
        return ask_token(guard, job);
    if (known->user == NULL)
        return yk_job_refuse(job, 401, "the bearer token belongs to no user");
    adopt(job, known);
    return YK_STEP_AGAIN;
}

/* ---- what the caller may do ---- */

/* Whether the ACL in the settings allows the caller. A caller gets no rights because its name is that of the
 * account that this process runs as: users of the backend are not accounts of this host (queues.md A9). */
static bool is_scheduler_admin(const struct yk_guard *guard, const struct yk_caller *caller)
{
    const struct yk_rm *rm = yk_core_first_rm(guard->core);
    const char *text = rm != NULL ? yk_tags_get(&rm->extra_config, SCHEDULER_ACL) : NULL;
    struct yk_acl acl;
    if (text == NULL || yk_acl_parse(yk_str_from(text), &acl, NULL) != YK_OK)
        return false; /* no ACL is set, or it is not valid */
    bool allows = yk_acl_allows(&acl, caller->user, (const char *const *)caller->groups, caller->group_count);
    yk_acl_done(&acl);
    return allows;
}

static enum yk_step require_scheduler_admin(const struct yk_guard *guard, struct yk_job *job)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    if (is_scheduler_admin(guard, &job->caller))
        return YK_STEP_AGAIN;
    yk_buf_printf(&text, "user '%s' is not in the scheduler's ACL (" SCHEDULER_ACL ")", job->caller.user);
    return yk_job_refuse(job, 403, yk_buf_cstr(&text));
}

static const char *verb_of(enum yk_method method)
{
    static const char *const verbs[] = {"get", "head", "post", "options", "put", "delete", ""};
    YK_INDEXED_BY(verbs, YK_METHOD_OTHER);
    return verbs[method];
}

static enum yk_step ask_access(struct yk_guard *guard, struct yk_job *job,
                               const struct yk_web_access_question *question)
{
    const struct yk_auth_backend *backend = &guard->backend;
    struct yk_err err = {.text = "access cannot be reviewed here"};
    if (guard->access_questions >= YK_ACCESS_QUESTIONS_MAX) {
        job->answer.retry_later = true;
        return yk_job_refuse(job, 503, "too many access reviews are under way, try again");
    }
    if (backend->review_access == NULL ||
        backend->review_access(backend->context, job->web, job->ticket, question, &err) != YK_OK)
        return yk_job_refuse(job, 503, err.text);
    job->asks = true;
    guard->access_questions++;
    return YK_STEP_WAIT;
}

/* Answers a question with the decision in the cache. If there is none, asks the backend, or waits for the
 * reply to another job with the same question; refuses the request if the reply was an error. YK_STEP_AGAIN:
 * `*ret_allowed` is the decision. */
static enum yk_step decide(struct yk_guard *guard, struct yk_job *job,
                           const struct yk_web_access_question *question, bool *ret_allowed)
{
    char digest[YK_DIGEST_LEN];
    int64_t now = yk_clock_mono_ns(guard->clock);
    if (!yk_access_digest(question, digest))
        return yk_job_refuse(job, 503, "access cannot be reviewed");
    if (job->reply.came && job->reply.status != 0)
        return yk_job_refuse(job, job->reply.status, job->reply.text);
    int known = yk_access_decisions_get(&guard->decisions, digest, now);
    if (known < 0)
        return join(job, digest) ? YK_STEP_WAIT : ask_access(guard, job, question);
    *ret_allowed = known == 1;
    return YK_STEP_AGAIN;
}

enum yk_step yk_guard_decide_queue(struct yk_guard *guard, struct yk_job *job, const char *queue_path,
                                   bool *ret_allowed)
{
    const struct yk_web_access_question question = {
        .caller = &job->caller, .verb = "get", .queue = queue_path};
    return decide(guard, job, &question, ret_allowed);
}

/* The path that the caller needs access to: that of the request without its query, in the arena of the
 * request, unless the route names another one. */
static const char *path_of(struct yk_job *job)
{
    if (job->route->access_path != NULL)
        return job->route->access_path;
    return yk_arena_str(&job->request.arena, job->request.target.path).p;
}

static enum yk_step decide_path(struct yk_guard *guard, struct yk_job *job, bool *ret_allowed)
{
    const struct yk_web_access_question question = {
        .caller = &job->caller, .verb = verb_of(job->request.method), .path = path_of(job)};
    *ret_allowed = yk_access_is_master(&job->caller);
    return *ret_allowed ? YK_STEP_AGAIN : decide(guard, job, &question, ret_allowed);
}

/* Decides whether the caller may see everything that the path shows; if not, whether it may see some of the
 * queues there. */
static enum yk_step authorize_reader(struct yk_guard *guard, struct yk_job *job)
{
    bool allowed = false;
    enum yk_step step = job->tenant == NULL ? decide_path(guard, job, &allowed) : YK_STEP_AGAIN;
    if (step == YK_STEP_AGAIN && !allowed)
        step = yk_tenant_admit(guard, job, &allowed);
    if (step != YK_STEP_AGAIN || allowed)
        return step;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text, "user '%s' cannot %s path '%s'%s", job->caller.user, verb_of(job->request.method),
                  path_of(job), job->route->tenant != YK_TENANT_NONE ? ", and none of its queues" : "");
    return yk_job_refuse(job, 403, yk_buf_cstr(&text));
}

static enum yk_step check_leads(const struct yk_guard *guard, struct yk_job *job)
{
    const struct yk_auth_backend *backend = &guard->backend;
    struct yk_err err;
    if (backend->check_leads != NULL && backend->check_leads(backend->context, &err) != YK_OK)
        return yk_job_refuse(job, 503, err.text);
    return YK_STEP_AGAIN;
}

static enum yk_step authorize(struct yk_guard *guard, struct yk_job *job)
{
    switch (job->guard) {
    case YK_GUARD_READER:
        return authorize_reader(guard, job);
    case YK_GUARD_SCHEDULER:
        return require_scheduler_admin(guard, job);
    case YK_GUARD_CALLER: /* if the request is about a queue, `work` checks its ACL */
    case YK_GUARD_LOCAL:
    case YK_GUARD_OPEN:
        break;
    }
    return YK_STEP_AGAIN;
}

enum yk_step yk_guard_admit(struct yk_guard *guard, struct yk_job *job)
{
    enum yk_step step = job->guard != YK_GUARD_READER ? check_leads(guard, job) : YK_STEP_AGAIN;
    if (step == YK_STEP_AGAIN)
        step = identify(guard, job);
    if (step == YK_STEP_AGAIN)
        step = authorize(guard, job);
    if (step != YK_STEP_AGAIN)
        return step;
    yk_job_reply_clear(job); /* `work` of the route may ask the backend, too */
    job->admitted = true;
    if (job->guard != YK_GUARD_READER)
        job->backend = &guard->backend;
    return YK_STEP_AGAIN;
}

void yk_guard_log(const struct yk_job *job)
{
    const char *user = job->caller.user != NULL ? job->caller.user : "";
    const char *from = job->exchange->peer.address;
    const char *verb = verb_of(job->request.method);
    /* At level info, unknown callers and readers would fill the log. */
    if (job->guard == YK_GUARD_READER || job->caller.user == NULL)
        yk_debug(yk_log_rest, "guarded request", KV("user", user), KV("verb", verb),
                 KV("path", job->request.target.path), KV("from", from), KV("status", job->answer.status));
    else
        yk_info(yk_log_rest, "administration", KV("user", user), KV("verb", verb),
                KV("path", job->request.target.path), KV("from", from), KV("status", job->answer.status));
}
