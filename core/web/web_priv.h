/* SPDX-License-Identifier: Apache-2.0 */
/* The server, for web.c, pace.c and pouring.c. Thread: I/O thread, except where a field says otherwise. */
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
    struct yk_list open;                    /* struct yk_job, by in_open, owned: all jobs of the server */
    size_t in_flight;                       /* jobs with `counted` */
    uint64_t numbers;                       /* yk_job.number of the last job */
    size_t long_running;                    /* jobs with `has_turn` */
    struct yk_job *waiting, **last_waiting; /* jobs with long answers that have no turn yet, by `next` */
    size_t lent;                            /* bytes of answers that sockets have */
    size_t pouring;                         /* answers that are sent in pieces */
    struct yk_shelf shelf;
    struct yk_job *paced, **last_paced; /* jobs that wait for the end of the pause, by `next` */
    size_t paced_count;                 /* number of `paced`; at most YK_WEB_IN_FLIGHT_MAX */
    struct event *pace_timer;           /* owned: fires at the end of the pause */
    int64_t paced_until_mono_ns;        /* end of the pause */
    struct yk_guard guard;              /* scheduling thread */
    struct yk_renderer renderer;        /* scheduling thread */
    struct yk_checker checker;
    struct yk_tls *tls; /* owned; NULL: none */
    enum yk_web_access access;
    bool stopping;                  /* yk_web_stop() was called */
    struct event *stop_timer;       /* owned: ends the wait for open requests */
    void (*stopped)(void *context); /* `done` of yk_web_stop() */
    void *stopped_context;
};

/* ---- web.c ---- */

/* Logs the request and its answer at level debug: caller, path, status, `bytes` (length of the body as sent)
 * and time. No effect for probes. yk__web_send() calls it. For an answer that is sent in another way, call it
 * once, at the end of the answer, while job->exchange is still set. */
void yk__web_log_access(const struct yk_job *job, uint64_t bytes);
/* Removes the job from the open ones and frees it; corrects the counts of jobs in flight and of lent bytes.
 * Call it when its exchange has ended or was freed, the job is in no other list, has no turn
 * (yk__web_end_turn()), and makes no answer for others (job->makes is NULL). For a stream, the caller lowers
 * stats.streams before. If the server stops and this was the last job, `done` of yk_web_stop() is called.
 * job->web may be NULL. */
void yk__web_end_job(struct yk_job *job);
/* Sends job->answer, or the body of job->served, as a whole: the answer is complete, and nothing of it was
 * sent before. Also counts and logs the answer, and ends the turn of the job. Does not compress the body, and
 * does not call yk_job_finish(). If job->makes is set, call yk__pour_refused() instead. Takes the job, which
 * ends when the socket has taken the body. */
void yk__web_send(struct yk_job *job);
/* Posts the job for the next slice of its work: to the scheduling thread, or to the I/O thread if job->rests.
 * Takes the job until it comes back. If the scheduling thread takes no more work, the client gets a 503, or
 * its stream or its answer in pieces is cut off. A job whose route has `is_long` has a turn; without a turn
 * call yk__web_wait_for_turn(). */
void yk__web_post(struct yk_job *job);
/* As yk__web_post() for a job that has no turn and whose route has `is_long`, but the job waits first until
 * fewer than YK_WEB_LONG_MAX long answers are being written. The job gets the turn (`has_turn`). Takes the
 * job. */
void yk__web_wait_for_turn(struct yk_job *job);
/* Whether a long answer waits for a turn and may have one, apart from the pause (pace.c). */
bool yk__web_has_turn_to_give(const struct yk_web *web);
/* Posts the long answer that has waited longest for its turn, whether there is a pause or not. False: none waits, or
 * YK_WEB_LONG_MAX are being written. */
bool yk__web_give_turn(struct yk_web *web);
/* Begins the work on a request that has a route and may enter. Takes the job. */
void yk__web_begin_work(struct yk_job *job);
/* Ends the turn of the job among the long answers, if it has one; the next job that waits gets a turn. */
void yk__web_end_turn(struct yk_job *job);
/* Gives the answer, of which nothing was sent, the ETag job->etag, unless that is empty; its status becomes 304
 * if the client has the answer already. The body is then not sent. */
void yk__web_validate(struct yk_job *job);
/* Answers with 503 and Retry-After. Nothing of the answer was sent before. Takes the job. */
void yk__web_refuse_for_now(struct yk_job *job);

/* ---- pace.c ---- */

/* Makes the timer; without memory for one, there are no pauses. */
void yk__pace_init(struct yk_web *web);
/* The work on the answer to `job` begins: the pause becomes longer by the fixed cost of an answer, unless it is a
 * probe. There is a pause only while the scheduler is busy. */
void yk__pace_note_answer(struct yk_job *job);
/* `bytes` bytes of an answer are handed to the connection: the pause becomes longer by their cost. Call it for the
 * pieces of answers that are sent in pieces; for others, yk__web_send() calls it. */
void yk__pace_note_bytes(struct yk_web *web, size_t bytes);
/* The same for `bytes` bytes that are compressed. */
void yk__pace_note_compressed(struct yk_web *web, size_t bytes);
/* Nanoseconds until the end of the pause; 0: there is none. */
int64_t yk__pace_left_ns(struct yk_web *web);
/* Whether the job has to wait for the end of the pause. True: the job is taken; it waits, or is refused because too
 * many jobs wait. */
bool yk__pace_takes(struct yk_job *job);
/* At the end of the pause, turns are given (yk__web_give_turn()) and requests begin that wait for it. */
void yk__pace_arm(struct yk_web *web);
/* Does this now, until there is a pause again. */
void yk__pace_end(struct yk_web *web);

/* ---- pouring.c ---- */

/* Adds job->answer.body to the body of a long answer of status 200; sends what is to be sent, or posts the
 * job for its next slice. `last`: the answer is complete with this piece, and the caller has called
 * yk_job_finish(), and yk_guard_log() for a guarded job; otherwise this function calls `shape` of the route.
 * For another status call yk__pour_refused(). Takes the job. */
void yk__pour(struct yk_job *job, bool last);
/* Call it when the socket of the client has taken the piece that it was given last, or the client has gone:
 * continues or ends the answer. Closes the connection if the client is too slow (YK_WEB_POUR_BYTES_PER_S).
 * Only for a job whose answer is sent in pieces (pour->begun). Takes the job. */
void yk__pour_taken(struct yk_job *job);
/* Sends job->answer, which is complete, in place of the long answer: an error, for example. If a part of the
 * long answer was sent already, closes the connection instead. Jobs that wait for this answer
 * (job->makes) write answers of their own. Takes the job. */
void yk__pour_refused(struct yk_job *job);
/* Answers the job, whose route has `is_shared`, with the answer to an equal request, or makes it write an
 * answer that others may share. Takes the job, which has `counted` and no turn. The caller has checked that
 * `is_alone` is not set, and that the guard is YK_GUARD_OPEN or has admitted the job without `tenant`. Call
 * it at most once for a job. */
void yk__share(struct yk_job *job);
/* Call it for a job that ends because its server is freed: if other jobs wait for its answer, they stop
 * waiting, and the caller abandons them, too. No effect otherwise. Frees nothing. */
void yk__pour_abandon(struct yk_job *job);

#endif
