/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may use REST: what changes something is always guarded, reads depend on the mode (web/access.h).
 *
 * A guarded request must come encrypted or from this host, and say who sends it: with a bearer token, which
 * is reviewed outside (web/outside.h), or with a client certificate. When both are there the token counts.
 * Source: docs/reference/rest.md 12.4, 12.5; docs/reference/queues.md, rules A8 to A10.
 */
#ifndef YK_WEB_GUARD_H
#define YK_WEB_GUARD_H

#include "web/access.h"
#include "web/callers.h"
#include "web/job.h"
#include "web/outside.h"
#include "web/review_slots.h"

struct yk_core;

enum {
    YK_TOKEN_MAX = 32 << 10,      /* bytes; longer ones are refused unseen */
    YK_ACCESS_QUESTIONS_MAX = 64, /* that are out */
};

/* What came with the connection; I/O thread. */
struct yk_guard_peer {
    bool encrypted, local;
    const char *address;            /* for messages */
    const struct yk_caller *caller; /* of the certificate; user NULL: none */
    struct yk_str authorization;    /* the header; absent: not sent */
};

/* Takes what tells who the caller is. False: refused, the answer is complete. I/O thread. */
bool yk_guard_take(struct yk_job *job, const struct yk_guard_peer *peer);

struct yk_guard {
    struct yk_core *core;
    const struct yk_clock *clock;
    struct yk_callers callers;
    struct yk_review_slots slots;
    struct yk_digest_cache decisions;
    size_t access_questions; /* that are out */
    struct yk_web_outside outside;
};

void yk_guard_init(struct yk_guard *guard, struct yk_core *core, const struct yk_clock *clock,
                   const struct yk_web_outside *outside);
void yk_guard_done(struct yk_guard *guard);
/*
 * AGAIN: the caller is known and may do what job->guard asks for; for what changes something job->master may
 * be used. DONE: refused. WAIT: the answer will come as job->word, or to another job that asks the same.
 * Scheduling thread.
 */
enum yk_step yk_guard_admit(struct yk_guard *guard, struct yk_job *job);
/* The answer to the question of this job came as job->word: it is kept for other requests. */
void yk_guard_learn(struct yk_guard *guard, struct yk_job *job);
/* Whether the caller may see that queue. AGAIN: `*ret_allowed` is the decision. WAIT, DONE: as above. */
enum yk_step yk_guard_decide_queue(struct yk_guard *guard, struct yk_job *job, const char *queue_path,
                                   bool *ret_allowed);
/* Who did what, and what came of it. I/O thread. */
void yk_guard_log(const struct yk_job *job);

#endif
