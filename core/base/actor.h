/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main loop of a thread: a mailbox, timers and background work in bounded slices. The actor does not
 * create the thread.
 *
 * One step runs up to 256 pending commands, then due timers, then one slice of work. yk_actor_run() runs
 * steps on the calling thread and sleeps when there is nothing to do. With a virtual clock, the caller calls
 * yk_actor_step() instead, and moves the clock to yk_actor_next_ns().
 *
 * Thread: the owner, which is the thread that runs the steps. Posting to `inbox`, yk_actor_stop() and
 * yk_actor_is_stopping(): any.
 */
#ifndef YK_BASE_ACTOR_H
#define YK_BASE_ACTOR_H

#include "base/mailbox.h"
#include "base/timer.h"

struct yk_actor {
    struct yk_mailbox inbox;
    struct yk_timers timers;
    /* Timers of other users of this thread, such as the REST server. A copy of the process that a what-if
     * question makes does not run them. */
    struct yk_timers outside;
    /* Written by: its holder (the fields from `work` to `context`), before the first step. */
    /* Does a bounded amount of work and returns whether there is more to do at once. NULL: there is no
     * work. */
    bool (*work)(void *context);
    /* For recordings: called at the beginning of each step. May be NULL. */
    void (*step_begins)(void *context);
    /* For recordings: called in place of yk_timers_run() for `timers`. The function has to call
     * yk_timers_run(), and returns how many timers fired. May be NULL. */
    size_t (*run_timers)(void *context);
    void *context; /* the argument of the three functions */
    /* For yk_actor_changes(). Written by: its holder, too, for changes that no command, timer or work makes. */
    uint64_t changes;
    uint64_t changes_seen; /* yk_actor_changes() after the work of the last step */
    bool had_more;         /* the work of the last step returned true */
    pthread_mutex_t wake_lock;
    pthread_cond_t wake;
    bool woken; /* under wake_lock: the next yk_actor_wait() returns at once */
    _Atomic bool stopping;
};

/* Makes an actor without work; the caller then sets `work`, `context` and, for recordings, the other
 * functions. The caller must not change `inbox.wake`, and the actor must not move in memory. `clock` is
 * borrowed until yk_actor_done(). `inbox_max` (2 or more): yk_mailbox_is_full() is true of the inbox when the
 * weights of its commands add up to this number or more. */
void yk_actor_init(struct yk_actor *actor, const struct yk_clock *clock, size_t inbox_max);
/* Drops the commands that were not run, on the calling thread, and frees the memory of the actor. Armed
 * timers do not fire and must not be cancelled afterwards. No thread may use the actor afterwards. */
void yk_actor_done(struct yk_actor *actor);
/* Runs one step on the calling thread, which is the owner: at most 256 commands, all due timers, one slice of
 * work. Returns whether there is more to do at once. */
bool yk_actor_step(struct yk_actor *actor);
/* Sleeps until a command is posted, yk_actor_stop() is called, or the real mono time is `until_ns`
 * (INT64_MAX: without end). Returns at once if one of these happened since the last wait. Call it only after
 * yk_actor_step() has returned false: a command that is posted while others are in the inbox does not end the
 * sleep. Owner thread only; for a caller that has a loop of its own instead of yk_actor_run(). */
void yk_actor_wait(struct yk_actor *actor, int64_t until_ns);
/*
 * A number that grows whenever the thread may have changed its state: with each command, each timer of both
 * sets, and each slice of work that had something to do. Commands and timers that only read are left out if
 * they say so (yk_mailbox_nothing_changed(), yk_timers_nothing_changed()). If two calls return the same
 * number, nothing that a long REST answer shows has changed in between. Owner thread only.
 */
static inline uint64_t yk_actor_changes(const struct yk_actor *actor)
{
    return actor->inbox.changes + actor->timers.changes + actor->outside.changes + actor->changes;
}
/* Whether yk_actor_stop() was called. Any thread. */
static inline bool yk_actor_is_stopping(const struct yk_actor *actor)
{
    return atomic_load_explicit(&actor->stopping, memory_order_acquire);
}
/* Runs steps on the calling thread until yk_actor_stop(). The clock of the actor must show the real time,
 * because yk_actor_run() sleeps until the next timer is due. */
void yk_actor_run(struct yk_actor *actor);
/* Makes yk_actor_run() return after its current step; a later yk_actor_run() returns at once. Commands that
 * this step leaves in the inbox are not run. Any thread. */
void yk_actor_stop(struct yk_actor *actor);
/* Mono time in nanoseconds of the next timer of `timers` or `outside`; INT64_MAX: none is armed. Owner thread
 * only. */
static inline int64_t yk_actor_next_ns(const struct yk_actor *actor)
{
    return YK_MIN(yk_timers_next_ns(&actor->timers), yk_timers_next_ns(&actor->outside));
}

#endif
