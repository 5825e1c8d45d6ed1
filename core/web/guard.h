/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access control of REST: changes are always guarded, reads depend on the mode (web/access.h).
 *
 * A guarded request must be encrypted or come from this host, and authenticate its user: with a bearer token,
 * which is reviewed by the authentication backend (web/auth_backend.h), or with a client certificate. If both
 * are present, the token counts.
 *
 * Thread: each function says it.
 * Source: docs/reference/rest.md 12.4, 12.5; docs/reference/queues.md, rules A8 to A10.
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
    YK_TOKEN_MAX = 32 << 10,      /* bytes; longer tokens are refused without a review */
    YK_ACCESS_QUESTIONS_MAX = 64, /* that are out */
};

/* Properties of the connection; I/O thread. */
struct yk_guard_peer {
    bool encrypted, local;
    const char *address;            /* for messages */
    const struct yk_caller *caller; /* of the certificate; user NULL: none */
    struct yk_str authorization;    /* the header; absent: not sent */
};

/* Takes the credentials of the request into the job. False: it is refused, and the answer is complete. I/O thread. */
bool yk_guard_take(struct yk_job *job, const struct yk_guard_peer *peer);

struct yk_guard {
    struct yk_core *core;
    const struct yk_clock *clock;
    struct yk_token_cache tokens;
    struct yk_review_slots slots;
    struct yk_digest_cache decisions;
    size_t access_questions; /* in flight */
    struct yk_auth_backend backend;
};

/*
 * Makes a guard with empty caches. `core` and `clock` are borrowed for life, `backend` is copied; NULL: no
 * backend can be asked.
 * Thread: scheduling thread only.
 */
void yk_guard_init(struct yk_guard *guard, struct yk_core *core, const struct yk_clock *clock,
                   const struct yk_auth_backend *backend);
void yk_guard_done(struct yk_guard *guard);
/*
 * Decides whether the job may go on. YK_STEP_AGAIN: the caller is known and allowed to do what job->guard
 * requires; for changes, job->master is set. YK_STEP_DONE: refused. YK_STEP_WAIT: the reply will be in
 * job->reply of this job, or of another job that asks the same question. Scheduling thread.
 */
enum yk_step yk_guard_admit(struct yk_guard *guard, struct yk_job *job);
/* The reply to the question of this job is in job->reply: stores it for other requests. */
void yk_guard_learn(struct yk_guard *guard, struct yk_job *job);
/* Whether the caller may see that queue. YK_STEP_AGAIN: `*ret_allowed` is the decision. YK_STEP_WAIT,
 * YK_STEP_DONE: as yk_guard_admit(). */
enum yk_step yk_guard_decide_queue(struct yk_guard *guard, struct yk_job *job, const char *queue_path,
                                   bool *ret_allowed);
/* Writes the audit line of the request: user, verb, path, address, status. I/O thread. */
void yk_guard_log(const struct yk_job *job);

#endif
