/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What-if questions: each question is answered by a trial in a copy of the process (whatif/copy.h,
 * whatif/trial.h). One question is answered at a time, while the scheduler goes on.
 *
 * A question costs this thread the time of fork(), and later the time to copy each page to which this thread
 * writes while the copy runs. After a trial, the next trial may begin when as much time has passed as the
 * trial took, so that trials use at most half of a processor. One question that comes too early waits; others
 * are refused.
 *
 * Owns:   the copy of the question in progress, and the question that waits.
 * Thread: scheduling thread. Another thread may call yk_whatif_init() before the scheduling thread exists,
 *         and yk_whatif_done() after it has ended.
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
    const char *text; /* the answer, a JSON object, if `status` is 200; otherwise a sentence */
    struct yk_copy_cost cost;
};

/* A question that waits for its turn. */
struct yk_whatif_next {
    struct yk_buf body; /* owned */
    uint64_t ticket;
    void *asker;
    /* NULL: no question waits */
    void (*answered)(void *asker, uint64_t ticket, const struct yk_whatif_result *result);
};

/* All members except `no_pause` are private. */
struct yk_whatif {
    struct yk_whatif_stage stage;
    struct yk_timers *timers; /* timers that this thread runs in real time; trials do not run them */
    struct yk_timer look;     /* looks at the copy when it fires */
    struct yk_copy copy;
    struct yk_str body;         /* during yk_whatif_ask() only */
    int64_t not_before_mono_ns; /* real time before which no trial begins */
    bool no_pause;              /* for tests: the next trial may begin at once */
    struct yk_whatif_next next;
    /* About the question in progress. */
    uint64_t ticket;
    void *asker;
    void (*answered)(void *asker, uint64_t ticket, const struct yk_whatif_result *result);
};

/* Makes `whatif` without a question. `stage` is copied. The pointers in `stage`, and `timers`, are borrowed
 * until yk_whatif_done(). `timers` must not be stage->timers. `whatif` must not be moved. */
void yk_whatif_init(struct yk_whatif *whatif, const struct yk_whatif_stage *stage, struct yk_timers *timers);
/* Ends the questions in progress and waiting without an answer: `answered` is not called. Waits until
 * the copy has ended. */
void yk_whatif_done(struct yk_whatif *whatif);
/*
 * Begins to answer the question `body`, which is checked in the copy. If the question has to wait, `body` is
 * copied, and checked before if it is at most 4 KiB. Unless yk_whatif_cancel() or yk_whatif_done() is called
 * before, `answered` is called once with `asker` and `ticket`, from a timer or
 * from yk_whatif_wait(). `asker` is borrowed until then, and may be NULL. If the question is malformed or the
 * trial fails, `answered` is also called, and result->status says so. Errors: YK_ERR_UNAVAILABLE: another
 * question waits already, the scheduler is starting, ending or a standby, or the process cannot be copied;
 * YK_ERR_INVALID, YK_ERR_LIMIT: the question would have to wait, and is malformed. Then `answered` is not
 * called.
 */
YK_NODISCARD enum yk_status
yk_whatif_ask(struct yk_whatif *whatif, struct yk_str body, uint64_t ticket, void *asker,
              void (*answered)(void *asker, uint64_t ticket, const struct yk_whatif_result *result),
              struct yk_err *err);
/* The client of the question with this ticket does not wait any longer: ends the trial, and `answered` is not
 * called. The question stays in progress until a timer finds that the copy has ended. No effect if this
 * question is neither in progress nor waiting. */
void yk_whatif_cancel(struct yk_whatif *whatif, uint64_t ticket);
/* Waits until the question in progress is answered (not the one that waits), and calls `answered` if the
 * question was not cancelled. No effect if there is no question. Only for tests and tools, because it
 * blocks. */
void yk_whatif_wait(struct yk_whatif *whatif);

#endif
