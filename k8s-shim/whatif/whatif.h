/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What-if questions: each is answered by a trial in a copy of the process (whatif/copy.h, whatif/trial.h),
 * one at a time, while the scheduler goes on.
 *
 * A question costs this thread the fork, and then the copy of each page to which one of the two processes
 * writes. After a trial, the next one may begin when as much time has passed as the trial took, so that
 * trials use at most half of a processor.
 *
 * Owns:   the copy of the question in progress.
 * Thread: scheduling thread.
 * Source: docs/whatif.md.
 */
#ifndef YK_WHATIF_WHATIF_H
#define YK_WHATIF_WHATIF_H

#include "base/timer.h"
#include "whatif/copy.h"
#include "whatif/trial.h"

/* Borrowed for the call of `answered`. */
struct yk_whatif_result {
    int status;       /* HTTP status */
    const char *text; /* status 200: the answer, a JSON object; else a sentence */
    struct yk_copy_cost cost;
};

/* Private, but for `no_pause`. */
struct yk_whatif {
    struct yk_whatif_stage stage;
    struct yk_timers *timers; /* run by this thread in real time, and not by trials */
    struct yk_timer look;     /* of the next look at the copy */
    struct yk_copy copy;
    struct yk_str body;         /* during yk_whatif_ask() only */
    int64_t not_before_mono_ns; /* real time of the next trial */
    bool no_pause;              /* for tests: the next trial may begin at once */
    /* Of the question in progress. */
    uint64_t ticket;
    void *asker;
    void (*answered)(void *asker, uint64_t ticket, const struct yk_whatif_result *result);
};

/* Makes `whatif` without a question. `stage` is copied; its pointers, and `timers`, are borrowed until
 * yk_whatif_done(). `timers` must be others than those of `stage`. `whatif` must not be moved. */
void yk_whatif_init(struct yk_whatif *whatif, const struct yk_whatif_stage *stage, struct yk_timers *timers);
/* Ends the question in progress, if any, without an answer: `answered` is not called. Waits for the end of
 * its copy. */
void yk_whatif_done(struct yk_whatif *whatif);
/*
 * Begins to answer the question `body`, which is checked later, in the copy. `answered` is called once, with
 * `asker` (borrowed until then; may be NULL) and `ticket`, from one of `timers` or from yk_whatif_wait(),
 * unless the question is cancelled. It is also called for a question that is malformed, and if the trial
 * fails: result->status says so. Errors: YK_ERR_UNAVAILABLE, another question is in progress, the pause after
 * it is not over, the scheduler is starting, ending or a standby, or the system has too little memory;
 * `answered` is not called.
 */
YK_NODISCARD enum yk_status
yk_whatif_ask(struct yk_whatif *whatif, struct yk_str body, uint64_t ticket, void *asker,
              void (*answered)(void *asker, uint64_t ticket, const struct yk_whatif_result *result),
              struct yk_err *err);
/* Ends the trial of the question with that ticket, whose client does not wait any longer; `answered` is not
 * called. The question stays in progress until a timer finds that its copy has ended. No effect if another
 * question, or none, is in progress. */
void yk_whatif_cancel(struct yk_whatif *whatif, uint64_t ticket);
/* Waits until the question in progress is answered, and calls `answered`, unless the question was cancelled.
 * No effect if there is none. For tests and tools: it blocks. */
void yk_whatif_wait(struct yk_whatif *whatif);

#endif
