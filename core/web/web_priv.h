/* SPDX-License-Identifier: Apache-2.0 */
/* The server's own: what web.c and pouring.c share. I/O thread, except where it says otherwise. */
#ifndef YK_WEB_WEB_PRIV_H
#define YK_WEB_WEB_PRIV_H

#include "base/list.h"
#include "http/http_server.h"
#include "web/checker.h"
#include "web/renderer.h"
#include "web/shelf_priv.h"
#include "web/web.h"

struct yk_web {
    struct yk_web_options options;
    struct yk_http_server *server;
    struct yk_server_stats stats;
    struct yk_list open; /* struct yk_job, by in_open: every one there is */
    size_t in_flight;
    uint64_t numbers; /* of jobs */
    size_t long_running;
    struct yk_job *waiting, **last_waiting; /* long answers that have no turn yet, by `next` */
    size_t lent;                            /* bytes that sockets have */
    size_t pouring;                         /* answers that leave in pieces */
    struct yk_shelf shelf;
    struct yk_job *paced,
        **last_paced;   /* requests that wait while the thread has others to serve, by `next` */
    size_t paced_count; /* at most YK_WEB_IN_FLIGHT_MAX */
    struct event *pace_timer;
    int64_t paced_until_mono_ns;
    struct yk_guard guard;       /* scheduling thread */
    struct yk_renderer renderer; /* scheduling thread */
    struct yk_checker checker;
    struct yk_tls *tls;        /* owned; NULL: none */
    enum yk_web_access access; /* I/O thread */
    /* Stopping. */
    bool stopping;
    struct event *stop_timer;
    void (*stopped)(void *context);
    void *stopped_context;
};

/* ---- web.c ---- */

/* Logs one line at level debug: who got what, and how long it took. No effect for probes. Call it once per answer, at its
 * end, before the exchange is given away. `bytes`: length of the body as it was sent. */
void yk__web_log_access(const struct yk_job *job, uint64_t bytes);
/* `bytes` of an answer are sent: the next request waits a little while the scheduler is busy. The fixed cost
 * of the answer was added when work on it began. */
void yk__web_note_bytes(struct yk_web *web, size_t bytes);
/* Frees the job, which no longer counts among the open ones. */
void yk__web_end_job(struct yk_job *job);
/* Sends the answer of the job as a whole. Takes the job. */
void yk__web_send(struct yk_job *job);
/* Hands the job to the scheduling thread for the next slice of its work. Takes the job until it comes back. */
void yk__web_post(struct yk_job *job);
/* Like yk__web_post(), once there is a turn for it among the long answers. */
void yk__web_wait_for_turn(struct yk_job *job);
/* Ends the turn of the job among the long answers; the next one that waits gets it. */
void yk__web_end_turn(struct yk_job *job);
/* Answers with 503 and Retry-After. Takes the job. */
void yk__web_refuse_for_now(struct yk_job *job);

/* ---- pouring.c ---- */

/* Sends job->answer.body, a piece of a long answer. `last`: the answer is complete with it. Takes the job. */
void yk__pour(struct yk_job *job, bool last);
/* The client's socket has taken what it was given, or has gone. Takes the job. */
void yk__pour_taken(struct yk_job *job);
/* Sends job->answer, which is complete and replaces the long answer: an error, for example. Takes the job. */
void yk__pour_refused(struct yk_job *job);
/* Answers the job with the answer to an equal request, or has an answer made that others may share. Takes the job,
 * which is counted. */
void yk__share(struct yk_job *job);
/* Takes the job, which ends with its server, out of the answers that others wait for: they get none from
 * it. */
void yk__pour_abandon(struct yk_job *job);

#endif
