/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers are written on the scheduling thread: jobs take turns, with one slice per round of its loop.
 *
 * A timer that is due at once starts the next slice. A command that posts itself again would run again before
 * the scheduler does. A round spends one slice on all jobs together. While there are decisions to make a
 * pause follows each slice, so that answers take a tenth of the thread.
 *
 * Thread: scheduling thread.
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
enum { YK_RENDER_SHARE = 10 }; /* while the scheduler is busy, at most that part of its thread */
#define YK_RENDER_BUSY_NS (100 * YK_NS_PER_MS) /* after a decision it counts as busy */
#define YK_LATER_NS       (100 * YK_NS_PER_MS)
#define YK_IDLE_NS        (1 * YK_NS_PER_S)
#define YK_PATIENCE_NS    (15 * YK_NS_PER_S) /* longest wait for the authentication backend */

struct yk_backend_reply; /* web/auth_backend.h */

struct yk_renderer {
    struct yk_core *core;         /* borrowed */
    const struct yk_clock *clock; /* borrowed: real time */
    struct yk_timers *timers;     /* borrowed: of the scheduling thread */
    struct yk_timer turn;
    int64_t next_mono_ns;              /* not before; of `clock` */
    uint64_t decided;                  /* allocations at the last look */
    bool (*is_writing)(void *context); /* web/web.h; NULL: never */
    void *is_writing_context;
    _Atomic int64_t busy_mono_ns; /* when it was busy last; any thread reads it */
    struct yk_job *first, **last; /* jobs in the order of their turns */
    struct yk_list idle;          /* struct yk_job, by in_held: streams without new events */
    struct yk_timer idle_timer;   /* checks them now and then: their clients may have gone */
    struct yk_list
        held; /* struct yk_job, by in_held: those that wait for a reply of the authentication backend */
    struct yk_guard *guard;                /* borrowed; NULL: guarded requests are refused */
    struct yk_whatif_backend whatif;       /* of functions, NULL: none */
    struct yk_recording_backend recording; /* likewise */
    uint64_t tickets;
    struct yk_log_period log_period;
    _Atomic int64_t *spent_ns; /* borrowed; adds up the processor time of turns; NULL: it is not measured */
    /* Takes a job that is done, or that must be sorted or checked on another thread first. */
    void (*hand_back)(struct yk_job *job, enum yk_step step);
};

/*
 * Makes an idle renderer. The pointers are borrowed for life. `hand_back` is called on the scheduling
 * thread for each job that needs another step, and may free it.
 * Thread: scheduling thread only.
 */
void yk_renderer_init(struct yk_renderer *renderer, struct yk_core *core, const struct yk_clock *clock,
                      struct yk_timers *timers, struct yk_guard *guard,
                      void (*hand_back)(struct yk_job *job, enum yk_step step));
/* The pause after a slice that took `spent_ns`, in nanoseconds. `is_busy`: there are decisions to make. */
int64_t yk_renderer_pause_ns(int64_t spent_ns, bool is_busy);
/* Whether there was something to decide or to bind within the last YK_RENDER_BUSY_NS. Any thread. */
bool yk_renderer_is_busy(const struct yk_renderer *renderer, int64_t now_mono_ns);
/* Drops the jobs and cancels the timers. */
void yk_renderer_done(struct yk_renderer *renderer);
/* Whether a job waits for the reply to that question. */
bool yk_renderer_asks(const struct yk_renderer *renderer, const char question[YK_DIGEST_LEN]);
/* Tells that the client of the job with that number has gone: a what-if question that it waits for is given
 * up. */
void yk_renderer_cancel(struct yk_renderer *renderer, uint64_t number);
/* Passes the reply to the job that waits for that ticket; unknown tickets are ignored. `reply` is borrowed
 * for the call. */
void yk_renderer_replied(struct yk_renderer *renderer, uint64_t ticket, const struct yk_backend_reply *reply);
/* Takes the job, which gets its slices in turn until `hand_back` gets it. */
void yk_renderer_add(struct yk_renderer *renderer, struct yk_job *job);

#endif
