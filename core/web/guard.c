/* SPDX-License-Identifier: Apache-2.0 */
#include "web/guard.h"

#include "base/clock.h"
#include "base/log.h"
#include "scheduler/core.h"

#include <strings.h>

#define SCHEDULER_ACL "service.schedulerACL"

/* ---- what came with the request ---- */

/* "Bearer <token>"; empty when it is something else. */
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
    if (token.len > 0 && token.len <= YK_TOKEN_MAX && yk_token_digest(token, job->digest)) {
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

/* ---- who it is ---- */

void yk_guard_init(struct yk_guard *guard, struct yk_core *core, const struct yk_clock *clock,
                   const struct yk_web_outside *outside)
{
    *guard = (struct yk_guard){.core = core, .clock = clock};
    yk_callers_init(&guard->callers);
    if (outside != NULL)
        guard->outside = *outside;
}

void yk_guard_done(struct yk_guard *guard)
{
    yk_callers_done(&guard->callers);
}

static void adopt(struct yk_job *job, const struct yk_caller *caller)
{
    yk_caller_done(&job->caller);
    yk_caller_init(&job->caller, caller->user, (const char *const *)caller->groups, caller->group_count);
}

/* The answer to the review that this job waited for. */
static void learn(struct yk_guard *guard, struct yk_job *job)
{
    int64_t now = yk_clock_mono_ns(guard->clock);
    if (job->word.status == 0)
        yk_callers_put(&guard->callers, job->digest, &job->word.caller, now);
}

static void end_review(struct yk_guard *guard, struct yk_job *job)
{
    bool is_nobody = job->word.came && job->word.status == 0 && job->word.caller.user == NULL;
    if (job->review_slot >= 0)
        yk_review_slot_give(&guard->slots, job->review_slot, is_nobody, yk_clock_mono_ns(guard->clock));
    job->review_slot = -1;
}

static enum yk_step ask(struct yk_guard *guard, struct yk_job *job)
{
    const struct yk_web_outside *outside = &guard->outside;
    struct yk_err err = {.text = "nobody can be asked whose token this is"};
    job->review_slot = yk_review_slot_take(&guard->slots, job->network, yk_clock_mono_ns(guard->clock));
    if (job->review_slot < 0) {
        job->answer.retry_later = true;
        return yk_job_refuse(job, 503, "too many administrators are being asked about, try again");
    }
    if (outside->review_token != NULL &&
        outside->review_token(outside->context, job->web, job->ticket, job->token.p, &err) == YK_OK)
        return YK_STEP_WAIT;
    end_review(guard, job);
    return yk_job_refuse(job, 503, err.text);
}

/* AGAIN: job->caller is somebody. */
static enum yk_step identify(struct yk_guard *guard, struct yk_job *job)
{
    if (job->caller.user != NULL)
        return YK_STEP_AGAIN;
    if (job->word.came)
        learn(guard, job);
    const struct yk_caller *known =
        yk_callers_get(&guard->callers, job->digest, yk_clock_mono_ns(guard->clock));
    if (known == NULL)
        return job->word.came ? yk_job_refuse(job, job->word.status, job->word.text) : ask(guard, job);
    if (known->user == NULL)
        return yk_job_refuse(job, 401, "the bearer token is nobody's");
    adopt(job, known);
    return YK_STEP_AGAIN;
}

/* ---- what it may ---- */

/* A9: the ACL of the settings. The name of an account of this host means nothing to whom the API server
 * knows. */
static bool is_scheduler_admin(const struct yk_guard *guard, const struct yk_caller *caller)
{
    const struct yk_rm *rm = yk_core_first_rm(guard->core);
    const char *text = rm != NULL ? yk_tags_get(&rm->extra_config, SCHEDULER_ACL) : NULL;
    struct yk_acl acl;
    if (text == NULL || yk_acl_parse(yk_str_from(text), &acl, NULL) != YK_OK)
        return false; /* the settings were refused */
    bool allows = yk_acl_allows(&acl, caller->user, (const char *const *)caller->groups, caller->group_count);
    yk_acl_done(&acl);
    return allows;
}

enum yk_step yk_guard_admit(struct yk_guard *guard, struct yk_job *job)
{
    const struct yk_web_outside *outside = &guard->outside;
    struct yk_err err;
    end_review(guard, job);
    if (outside->check_leads != NULL && outside->check_leads(outside->context, &err) != YK_OK)
        return yk_job_refuse(job, 503, err.text);
    enum yk_step step = identify(guard, job);
    if (step != YK_STEP_AGAIN)
        return step;
    if (job->route->guard == YK_GUARD_SCHEDULER && !is_scheduler_admin(guard, &job->caller)) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_printf(&text, "user '%s' is not in the scheduler's ACL (" SCHEDULER_ACL ")", job->caller.user);
        return yk_job_refuse(job, 403, yk_buf_cstr(&text));
    }
    yk_job_word_clear(job); /* the work may ask for something itself */
    job->outside = &guard->outside;
    job->master = guard->core;
    return YK_STEP_AGAIN;
}

void yk_guard_log(const struct yk_job *job)
{
    static const char *const methods[] = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", ""};
    YK_INDEXED_BY(methods, YK_METHOD_OTHER);
    const char *method = methods[job->request.method];
    if (job->caller.user == NULL) /* strangers do not fill the log */
        yk_debug(yk_log_rest, "administration refused", KV("method", method),
                 KV("path", job->request.target.path), KV("status", job->answer.status));
    else
        yk_info(yk_log_rest, "administration", KV("user", (const char *)job->caller.user),
                KV("method", method), KV("path", job->request.target.path), KV("status", job->answer.status));
}
