/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's main loop without the thread: a mailbox, timers and background work in bounded slices.
 *
 * One step runs pending commands, then due timers, then one slice of work. Production lets yk_actor_run()
 * loop on a thread and sleep when there is nothing to do; tests and `yunikorn simulate` call yk_actor_step()
 * themselves and move a virtual clock to yk_actor_next_ns(). Both take the same path through the same code.
 */
#ifndef YK_BASE_ACTOR_H
#define YK_BASE_ACTOR_H

#include "base/mailbox.h"
#include "base/timer.h"

struct yk_actor {
    struct yk_mailbox inbox;
    struct yk_timers timers;
    /* Of others on this thread than the work, such as the REST server: a copy of the process that only runs
     * the work leaves them alone. */
    struct yk_timers outside;
    /* Written by: its holder, `work` to `context`, before the first step. */
    /* Does a bounded amount of work; true when there is more to do at once. May be NULL. */
    bool (*work)(void *context);
    /* For recordings. A step begins; NULL: not called. Runs `timers` and returns how many fired; NULL: nothing else
     * is to be done. */
    void (*step_begins)(void *context);
    size_t (*run_timers)(void *context);
    void *context;
    pthread_mutex_t wake_lock;
    pthread_cond_t wake;
    bool woken; /* under wake_lock */
    _Atomic bool stopping;
};

/* Makes an actor without work; the caller then sets `work`, `context` and, for recordings, the other
 * functions. `clock` is borrowed until yk_actor_done(). `inbox_max`: the weight from which the inbox counts
 * as full. */
void yk_actor_init(struct yk_actor *actor, const struct yk_clock *clock, size_t inbox_max);
void yk_actor_done(struct yk_actor *actor);
/* Runs one step on the calling thread, which is the owner. True: there is more to do at once. */
bool yk_actor_step(struct yk_actor *actor);
/* Sleeps until something is posted, yk_actor_stop(), or the real mono time `until_ns` (INT64_MAX: no end).
 * For a loop of the caller's own instead of yk_actor_run(). */
void yk_actor_wait(struct yk_actor *actor, int64_t until_ns);
/* Whether yk_actor_stop() was called. Any thread. */
static inline bool yk_actor_is_stopping(const struct yk_actor *actor)
{
    return atomic_load_explicit(&actor->stopping, memory_order_acquire);
}
/* Loops until yk_actor_stop(); real clock only. */
void yk_actor_run(struct yk_actor *actor);
/* Any thread: yk_actor_run() returns after its current step. */
void yk_actor_stop(struct yk_actor *actor);
/* Mono time of the next timer, or INT64_MAX if none is armed. Owner thread only. */
static inline int64_t yk_actor_next_ns(const struct yk_actor *actor)
{
    return YK_MIN(yk_timers_next_ns(&actor->timers), yk_timers_next_ns(&actor->outside));
}

#endif
