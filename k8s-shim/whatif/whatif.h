/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What-if questions: each is tried in a copy of the process (whatif/copy.h, whatif/trial.h), one at a time,
 * while the scheduler goes on.
 *
 * Asking costs this thread the fork, and afterwards a page copy whenever one of the two processes first
 * writes to a page. After a trial the next one may begin when as much time has passed as the trial took, so
 * that trials take at most half of a processor.
 *
 * Owns:   the copy that is out.
 * Thread: scheduling thread.
 * Source: docs/whatif.md.
 */
#ifndef YK_WHATIF_WHATIF_H
#define YK_WHATIF_WHATIF_H

#include "base/timer.h"
#include "whatif/copy.h"
#include "whatif/trial.h"

struct yk_whatif_result { /* borrowed for the call */
    int status;           /* as in HTTP */
    const char *text;     /* 200: the answer, a JSON object; else a sentence */
    struct yk_copy_cost cost;
};

struct yk_whatif {
    struct yk_whatif_stage stage;
    struct yk_timers *timers; /* borrowed: run by this thread in real time, and not by trials */
    struct yk_timer look;
    struct yk_copy copy;
    struct yk_str body; /* while the copy is made */
    int64_t not_before_mono_ns;
    bool no_pause; /* the next trial may begin at once; for tests */
    /* Of the question that is out. */
    uint64_t ticket;
    void *asker;
    void (*answered)(void *asker, uint64_t ticket, const struct yk_whatif_result *result);
};

/* Makes it idle. `stage` is copied, what it points to is borrowed for life. `timers`: as the field. */
void yk_whatif_init(struct yk_whatif *whatif, const struct yk_whatif_stage *stage, struct yk_timers *timers);
/* Ends the question that is in progress, without an answer. */
void yk_whatif_done(struct yk_whatif *whatif);
/*
 * Puts a question; `answered` is called once, later and from a timer. `body` is borrowed for the call.
 * Errors: YK_ERR_UNAVAILABLE: another one is out, or the pause after it is not over; the scheduler is
 * starting, a standby or ending; the system has no memory.
 */
YK_NODISCARD enum yk_status
yk_whatif_ask(struct yk_whatif *whatif, struct yk_str body, uint64_t ticket, void *asker,
              void (*answered)(void *asker, uint64_t ticket, const struct yk_whatif_result *result),
              struct yk_err *err);
/* The client of that question has gone: its trial is ended, and not answered. */
void yk_whatif_cancel(struct yk_whatif *whatif, uint64_t ticket);
/* Blocks until the question that is out is answered; for tests and tools. */
void yk_whatif_wait(struct yk_whatif *whatif);

#endif
