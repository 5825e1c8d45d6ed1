/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timers of one thread, on the mono time of a clock. Arm and cancel O(log n); nothing is allocated per timer.
 * Timers that are due at the same time fire in the order in which they were armed.
 *
 * Thread: any; a struct yk_timers and its timers belong to one thread.
 */
#ifndef YK_BASE_TIMER_H
#define YK_BASE_TIMER_H

#include "base/clock.h"
#include "base/heap.h"

/* A timer, which is usually a field of the object that it is for. A zeroed timer with `fire` set is not
 * armed. */
struct yk_timer {
    struct yk_heap_entry entry; /* must be the first field */
    int64_t due_mono_ns;
    uint64_t sequence; /* orders timers that are due at the same time */
    /* Called once when the timer is due; the timer is no longer armed then. The function may arm or cancel
     * any timer, this one too, and may free the object that holds the timer. Written by: its holder, before
     * the timer is armed. */
    void (*fire)(struct yk_timer *timer);
};

struct yk_timers {
    struct yk_heap heap;          /* of the armed timers, by `due_mono_ns` and `sequence` */
    const struct yk_clock *clock; /* borrowed */
    uint64_t sequence;            /* of the timer that was armed last */
    /* Timers that fired, without those that called yk_timers_nothing_changed(). A timer may add to it. */
    uint64_t changes;
    bool nothing_changed; /* the timer that fires now has called yk_timers_nothing_changed() */
};

/* Makes a set without armed timers. `clock` is borrowed until yk_timers_done(). */
void yk_timers_init(struct yk_timers *timers, const struct yk_clock *clock);
/* Frees the memory of the set. Timers that are armed do not fire; they must not be armed or cancelled
 * afterwards. */
void yk_timers_done(struct yk_timers *timers);
/* Arms `timer`, whose `fire` is set, to fire once, `delay_ns` nanoseconds from now. If it is armed in
 * `timers` already, only the new time counts. It must not be armed in another set. If `delay_ns` is 0 or
 * less, it fires in the next yk_timers_run(). `timer` is borrowed, and must not move in memory, until it
 * fires or is cancelled. */
void yk_timer_arm(struct yk_timers *timers, struct yk_timer *timer, int64_t delay_ns);
/* Cancels the timer, which is armed in `timers` or not armed; no effect if it is not armed. */
void yk_timer_cancel(struct yk_timers *timers, struct yk_timer *timer);
/* Whether the timer is armed and has not fired yet. */
static inline bool yk_timer_armed(const struct yk_timer *timer)
{
    return timer->entry.place != 0;
}
/* Fires the timers that are due. A timer that is armed during this call fires in a later call. Returns
 * how many fired. */
size_t yk_timers_run(struct yk_timers *timers);
/* To be called by the function of a timer of the set while it fires: the timer is not counted in
 * timers->changes, because it changes nothing that a REST answer shows (yk_actor_changes()). */
static inline void yk_timers_nothing_changed(struct yk_timers *timers)
{
    timers->nothing_changed = true;
}
/* The mono time in nanoseconds at which the next timer is due; INT64_MAX: none is armed. */
int64_t yk_timers_next_ns(const struct yk_timers *timers);

#endif
