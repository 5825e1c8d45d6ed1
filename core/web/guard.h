/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may change something through REST: reads are open, what changes something is guarded.
 *
 * A guarded request must come encrypted or from this host, and say who sends it: with a bearer token, which
 * is reviewed outside (web/outside.h), or with a client certificate. When both are there the token counts.
 * Source: docs/reference/rest.md 12.4; docs/reference/queues.md, rules A8 to A10.
 */
#ifndef YK_WEB_GUARD_H
#define YK_WEB_GUARD_H

#include "web/callers.h"
#include "web/job.h"
#include "web/outside.h"
#include "web/review_slots.h"

struct yk_core;

enum { YK_TOKEN_MAX = 32 << 10 }; /* bytes; longer ones are refused unseen */

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
    struct yk_web_outside outside;
};

void yk_guard_init(struct yk_guard *guard, struct yk_core *core, const struct yk_clock *clock,
                   const struct yk_web_outside *outside);
void yk_guard_done(struct yk_guard *guard);
/*
 * AGAIN: the caller is known and, where the route asks for it, an administrator of the scheduler; job->master
 * may be used. DONE: refused. WAIT: the answer will come as job->word. Scheduling thread.
 */
enum yk_step yk_guard_admit(struct yk_guard *guard, struct yk_job *job);
/* Who did what, and what came of it. I/O thread. */
void yk_guard_log(const struct yk_job *job);

#endif
