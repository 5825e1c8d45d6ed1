/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where answers are written: jobs of the web take turns on the scheduling thread, one slice per round of its
 * loop.
 *
 * A timer that is due at once brings the next slice, not the inbox: a command that posts itself again would
 * be run again before scheduling had its turn. However many jobs there are, a round spends one slice on all
 * of them. Thread: scheduling thread.
 */
#ifndef YK_WEB_RENDERER_H
#define YK_WEB_RENDERER_H

#include "base/list.h"
#include "base/timer.h"
#include "web/guard.h"
#include "web/job.h"

#define YK_RENDER_SLICE_NS (2 * YK_NS_PER_MS)
#define YK_IDLE_NS         (1 * YK_NS_PER_S)
#define YK_PATIENCE_NS     (15 * YK_NS_PER_S) /* with somebody outside who was asked */

struct yk_web_word; /* web/outside.h */

struct yk_renderer {
    struct yk_core *core;         /* borrowed */
    const struct yk_clock *clock; /* borrowed: real time */
    struct yk_timers *timers;     /* borrowed: of the scheduling thread */
    struct yk_timer turn;
    struct yk_job *first, **last; /* waiting for their turn */
    struct yk_list idle;          /* struct yk_job, by in_held: streams without anything to say */
    struct yk_timer idle_timer;   /* brings them back now and then: their clients may have gone */
    struct yk_list held;          /* struct yk_job, by in_held: somebody outside was asked */
    struct yk_guard *guard;       /* borrowed; NULL: guarded requests are refused */
    uint64_t tickets;
    /* Takes a job that is done, or that must be sorted or checked and brought back. */
    void (*hand_back)(struct yk_job *job, enum yk_step step);
};

void yk_renderer_init(struct yk_renderer *renderer, struct yk_core *core, const struct yk_clock *clock,
                      struct yk_timers *timers, struct yk_guard *guard,
                      void (*hand_back)(struct yk_job *job, enum yk_step step));
/* Forgets its jobs. */
void yk_renderer_done(struct yk_renderer *renderer);
/* Whether a job waits for the answer to that question. */
bool yk_renderer_asks(const struct yk_renderer *renderer, const char question[YK_DIGEST_LEN]);
/* The answer to the question with that ticket; unknown ones are dropped. */
void yk_renderer_told(struct yk_renderer *renderer, uint64_t ticket, const struct yk_web_word *word);
/* Taken. */
void yk_renderer_add(struct yk_renderer *renderer, struct yk_job *job);

#endif
