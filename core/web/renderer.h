/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes answers on the scheduling thread. Jobs take turns: each round of the thread has one slice of
 * YK_RENDER_SLICE_NS for all jobs together. While the scheduler is busy, a pause follows each slice, so that
 * answers take at most about a tenth of the thread.
 *
 * A timer starts each slice. A command that posts itself would not do, because it would run again before the
 * scheduler does.
 *
 * Borrows: jobs, from yk_renderer_add() until `hand_back` gets them.
 *
 * Thread: scheduling thread, except where a function says otherwise. yk_renderer_init() and
 * yk_renderer_done(): any, while the scheduling thread does not use the renderer.
 */
#ifndef YK_WEB_RENDERER_H
#define YK_WEB_RENDERER_H

#include "base/list.h"
#include "base/timer.h"
#include "web/guard.h"
#include "web/job.h"
#include "web/log_period.h"
#include "web/recording_backend.h"
#include "web/whatif_backend.h"

#define YK_RENDER_SLICE_NS (YK_NS_PER_MS / 4)
/* while the scheduler is busy, answers take at most about 1 / YK_RENDER_SHARE of its thread */
enum { YK_RENDER_SHARE = 20 };
#define YK_RENDER_BUSY_NS (500 * YK_NS_PER_MS) /* how long the scheduler counts as busy after a decision */
#define YK_LATER_NS       (100 * YK_NS_PER_MS) /* pause of a job after YK_STEP_LATER */
#define YK_IDLE_NS        (1 * YK_NS_PER_S)    /* how often idle streams are checked */
#define YK_PATIENCE_NS    (15 * YK_NS_PER_S)   /* longest wait for a reply of a backend */

struct yk_actor;         /* base/actor.h */
struct yk_backend_reply; /* web/auth_backend.h */

struct yk_renderer {
    struct yk_core *core;              /* borrowed */
    const struct yk_clock *clock;      /* borrowed: real time */
    struct yk_timers *timers;          /* borrowed: of the scheduling thread */
    struct yk_timer turn;              /* starts the next slice */
    int64_t next_mono_ns;              /* earliest time of the next slice, by `clock` */
    uint64_t decided;                  /* containers_allocated of the core after the last slice */
    bool (*is_writing)(void *context); /* as in struct yk_web_options; NULL: never */
    void *is_writing_context;
    _Atomic int64_t busy_mono_ns; /* when a slice last found the scheduler busy; any thread reads it */
    struct yk_job *first, **last; /* jobs in the order of their turns, by `next` */
    struct yk_list idle;          /* struct yk_job, by in_held: streams without new events */
    struct yk_timer idle_timer;   /* hands back idle streams every YK_IDLE_NS: their clients may have gone */
    struct yk_list held;          /* struct yk_job, by in_held: jobs that wait for a reply, or pause */
    struct yk_guard *guard;       /* borrowed; NULL: no guarded job may be added */
    struct yk_whatif_backend whatif;       /* zeroed: there is none */
    struct yk_recording_backend recording; /* zeroed: there is none */
    uint64_t tickets;                      /* the last ticket given */
    struct yk_log_period log_period;
    const struct yk_actor *actor; /* borrowed: of the scheduling thread; NULL: long answers have no version */
    _Atomic int64_t *spent_ns; /* borrowed; the processor time of slices is added to it; NULL: not measured */
    /* Gives a job back to the server. `step`: what the server has to do with it (yk_renderer_init()). */
    void (*hand_back)(struct yk_job *job, enum yk_step step);
};

/*
 * Initialises a renderer without jobs. The pointers are borrowed for its life. `guard` NULL: only jobs with
 * YK_GUARD_OPEN may be added. The caller may then set `is_writing`, `whatif`, `recording`, `actor` and
 * `spent_ns`, and ends the renderer with yk_renderer_done().
 * `hand_back` is called on the scheduling thread with a job that the renderer no longer uses; the server may
 * free it. `step` says what the server has to do, on the I/O thread:
 * YK_STEP_DONE: the answer is complete, call yk_job_finish() and send it. For a stream: send the piece in
 * answer.body, then add the job again, unless job->ends is set. If the piece is empty, there was no new
 * event: check whether the client has gone.
 * YK_STEP_PIECE: send the bytes of answer.body (yk__pour()), then add the job again.
 * YK_STEP_SORT, YK_STEP_CHECK: call yk_job_sort(), or `check` of the route, then add the job again.
 * YK_STEP_ON_IO, YK_STEP_REST: see enum yk_step.
 */
void yk_renderer_init(struct yk_renderer *renderer, struct yk_core *core, const struct yk_clock *clock,
                      struct yk_timers *timers, struct yk_guard *guard,
                      void (*hand_back)(struct yk_job *job, enum yk_step step));
/* The pause in nanoseconds after a slice that took `spent_ns`; 0 if the scheduler is not busy (`is_busy`
 * false). Does not wait. Any thread. */
int64_t yk_renderer_pause_ns(int64_t spent_ns, bool is_busy);
/* Whether the scheduler had something to decide or to bind within the last YK_RENDER_BUSY_NS before
 * `now_mono_ns`. The renderer looks only at the end of a slice, so the result is false if no slice has ended
 * in this time. Any thread. */
bool yk_renderer_is_busy(const struct yk_renderer *renderer, int64_t now_mono_ns);
/* Cancels the timers, and removes the jobs without freeing them: the server frees them. Call it while core
 * and timers still exist. */
void yk_renderer_done(struct yk_renderer *renderer);
/* Whether a job has asked the authentication backend the question with that digest (yk_job.question), and
 * waits for the reply. Finds reviews of tokens and of access, but not the questions of routes, such as
 * what-if questions. A route must not set `asks` or `joins` of its job, because the guard stores the reply to
 * a job with `asks`. */
bool yk_renderer_asks(const struct yk_renderer *renderer, const char question[YK_DIGEST_LEN]);
/* Gives up what the job with that number (yk_job.number) waits for, because its client has gone: the answer
 * to its what-if question, or a review of its caller. Tells the what-if backend (`cancel`). The job continues
 * with a reply of status 503. No effect if no job with that number waits. Only for jobs whose route has
 * `is_costly`. */
void yk_renderer_cancel(struct yk_renderer *renderer, uint64_t number);
/* Copies the reply to the job that waits for that ticket. This job, and the jobs that wait for the same
 * question, continue in a later slice. No effect if no job waits for the ticket. Backends call
 * yk_web_replied() (web/auth_backend.h) instead. */
void yk_renderer_replied(struct yk_renderer *renderer, uint64_t ticket, const struct yk_backend_reply *reply);
/* Adds the job, whose route is set, and sets its `core`, `clock`, `renderer` and `place`. The job is borrowed
 * until `hand_back` gets it. Later slices call the work of the route; for a guarded job, the guard has to
 * allow it first. An open job (YK_GUARD_OPEN) with `on_io` must not be added: the server runs its work. The
 * I/O thread adds a job with yk__web_post() instead (web/web_priv.h), or yk__web_wait_for_turn() if the
 * answer is long and the job has no turn. */
void yk_renderer_add(struct yk_renderer *renderer, struct yk_job *job);

#endif
