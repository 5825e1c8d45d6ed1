/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access control of REST. Changes (except those of a simulated cluster, /sim/v1), recordings, and what-if
 * questions from other hosts are guarded in every mode. The mode (web/access.h) says whether other requests
 * are guarded.
 *
 * A guarded request must be encrypted or come from this host. It must authenticate its user with a bearer
 * token or with a client certificate. The authentication backend (web/auth_backend.h) reviews tokens. The
 * certificate is used only if there is no header Authorization.
 *
 * Thread: scheduling thread, except where a function says otherwise. yk_guard_init() and yk_guard_done():
 * any, while the scheduling thread does not use the guard.
 * Source: docs/reference/rest.md 12.4, 12.5; docs/reference/queues.md, rule A9.
 */
#ifndef YK_WEB_GUARD_H
#define YK_WEB_GUARD_H

#include "web/access.h"
#include "web/auth_backend.h"
#include "web/job.h"
#include "web/review_slots.h"
#include "web/token_cache.h"

struct yk_core;

enum {
    YK_TOKEN_MAX = 32 << 10,      /* bytes of a token; a longer one is refused */
    YK_ACCESS_QUESTIONS_MAX = 64, /* most access reviews under way at a time */
};

/* Where a request comes from, and its credentials. */
struct yk_guard_peer {
    bool encrypted, local;          /* as in struct yk_http_peer */
    const char *address;            /* for messages */
    const struct yk_caller *caller; /* from the client certificate; its user is NULL if there is none */
    struct yk_str authorization;    /* value of the header; `p` NULL: not sent */
};

/* Copies the credentials into the job: the token and its digest, or the caller of the certificate. Does not
 * check the token: yk_guard_admit() does. Call it once, for a routed job whose `guard` is YK_GUARD_READER,
 * YK_GUARD_CALLER or YK_GUARD_SCHEDULER: the caller has replaced YK_GUARD_LOCAL (yk_access_guard()). Does not
 * look at the mode: while that is YK_WEB_ACCESS_UNKNOWN, the caller refuses jobs with YK_GUARD_READER itself.
 * False: the request is refused, and job->answer is the error 401 or 403; the caller logs this with
 * yk_guard_log() and sends it. I/O thread. */
bool yk_guard_take(struct yk_job *job, const struct yk_guard_peer *peer);

struct yk_guard {
    struct yk_core *core;
    const struct yk_clock *clock;
    struct yk_token_cache tokens;     /* results of token reviews */
    struct yk_review_slots slots;     /* token reviews that are under way */
    struct yk_digest_cache decisions; /* results of access reviews (web/access.h) */
    size_t access_questions;          /* number of access reviews under way */
    struct yk_auth_backend backend;   /* zeroed: there is none */
};

/* Initialises a guard with empty caches. `core` and `clock` are borrowed for its life. `backend` is copied;
 * NULL: there is none; requests with tokens are then refused, and so are guarded reads of callers that are
 * not in system:masters. The caller ends the guard with yk_guard_done(). */
void yk_guard_init(struct yk_guard *guard, struct yk_core *core, const struct yk_clock *clock,
                   const struct yk_auth_backend *backend);
void yk_guard_done(struct yk_guard *guard);
/*
 * Decides whether a job may go on. Only the renderer calls it, for jobs of yk_renderer_add(), until
 * job->admitted is set. yk_guard_take() must have returned true for the job. Its `guard` is YK_GUARD_READER,
 * YK_GUARD_CALLER or YK_GUARD_SCHEDULER. The job has `route`, `web`, `renderer`, and a new `ticket` for each
 * call.
 * YK_STEP_AGAIN: the caller is known and fulfils job->guard. job->admitted is set, and job->reply is empty.
 * If the guard is not YK_GUARD_READER, job->backend is set. With YK_GUARD_CALLER, no ACL was checked: if the
 * request is about a queue, the work of the route checks its ACL.
 * YK_STEP_DONE: the request is refused, and job->answer is the error.
 * YK_STEP_WAIT: the backend was asked for this job (job->asks), or was asked the same question for another
 * job (job->joins). The renderer does the rest when the reply has come or was given up (status 503). It sets
 * job->reply, and calls yk_guard_learn() if job->asks. Then it clears job->joins of the jobs that wait for
 * the same job->question, and calls this function again for all these jobs.
 */
enum yk_step yk_guard_admit(struct yk_guard *guard, struct yk_job *job);
/* Ends the question that the job has asked: clears job->asks, and gives back job->review_slot if the question
 * was a token review. If job->reply is a success, caches it, and yk_guard_admit() finds it there. Call it
 * once for a job with `asks`, after job->reply was set to the reply that has come or to a 503. The caller
 * then lets the jobs with `joins` and the same question go on, and calls yk_guard_admit() again for all of
 * them. */
void yk_guard_learn(struct yk_guard *guard, struct yk_job *job);
/*
 * Decides whether the caller of the job may see the queue with that full path. Only yk_tenant_admit()
 * (web/tenant.h) calls it, because the decision is about this queue only: a caller that may see a queue above
 * this one may also see this one, even if the decision is false. job->caller has a user, and job->ticket is
 * new.
 * YK_STEP_AGAIN: `*ret_allowed` is the decision.
 * YK_STEP_WAIT, YK_STEP_DONE: as for yk_guard_admit().
 */
enum yk_step yk_guard_decide_queue(struct yk_guard *guard, struct yk_job *job, const char *queue_path,
                                   bool *ret_allowed);
/* Logs who sent a guarded request and how it was answered. Level debug if the guard is YK_GUARD_READER or the
 * caller is not known; otherwise level info, also for a GET. Call it once, when job->answer is complete
 * (after yk_job_finish(), if the work ran) and job->exchange is still set, for a job whose `guard` is not
 * YK_GUARD_OPEN, also if yk_guard_take() has refused it. I/O thread. */
void yk_guard_log(const struct yk_job *job);

#endif
