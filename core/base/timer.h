/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timers of one thread, on a clock's mono time. Arm and cancel O(log n); nothing is allocated per timer.
 * Equal due times fire in the order they were armed. A timer may arm or cancel any timer while it fires.
 */
#ifndef YK_BASE_TIMER_H
#define YK_BASE_TIMER_H

#include "base/clock.h"
#include "base/heap.h"

struct yk_timer {
    struct yk_heap_entry entry; /* first */
    int64_t due_mono_ns;
    uint64_t sequence;
    void (*fire)(struct yk_timer *timer); /* written by: its holder, before it is armed */
};

struct yk_timers {
    struct yk_heap heap;
    const struct yk_clock *clock; /* borrowed */
    uint64_t sequence;
};

/* Makes it without timers. `clock` is borrowed until yk_timers_done(). */
void yk_timers_init(struct yk_timers *timers, const struct yk_clock *clock);
void yk_timers_done(struct yk_timers *timers);
/* (Re)arms `timer` to fire `delay_ns` from now; 0 and less fire on the next yk_timers_run(). */
void yk_timer_arm(struct yk_timers *timers, struct yk_timer *timer, int64_t delay_ns);
/* Cancels the timer; no effect if it is not armed. */
void yk_timer_cancel(struct yk_timers *timers, struct yk_timer *timer);
/* Whether it waits to fire. */
static inline bool yk_timer_armed(const struct yk_timer *timer)
{
    return timer->entry.place != 0;
}
/* Fires the timers that are due, but not those that are armed again meanwhile. Returns how many fired. */
size_t yk_timers_run(struct yk_timers *timers);
/* Mono time of the next one, or INT64_MAX. */
int64_t yk_timers_next_ns(const struct yk_timers *timers);

#endif
