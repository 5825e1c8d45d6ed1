/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timers of the client on the I/O thread: a `struct yk_timers` with an event of libevent that fires them.
 *
 * With a virtual clock no event fires the timers: call yk_io_timers_run() after moving the clock.
 *
 * Thread: I/O thread.
 */
#ifndef YK_CLIENT_IO_TIMERS_H
#define YK_CLIENT_IO_TIMERS_H

#include "base/timer.h"

struct event;
struct event_base;

struct yk_io_timers {
    struct yk_timers timers;
    struct event *wake;   /* owned; NULL with a virtual clock */
    int64_t wake_mono_ns; /* monotonic time for which `wake` is set; INT64_MAX: it is not set */
};

/* Initialises `t` without timers. `base` and `clock` are borrowed until yk_io_timers_done(). Errors:
 * YK_ERR_IO, no event could be made. */
YK_NODISCARD enum yk_status yk_io_timers_init(struct yk_io_timers *t, struct event_base *base,
                                              const struct yk_clock *clock, struct yk_err *err);
void yk_io_timers_done(struct yk_io_timers *t);
/* Like yk_timer_arm(): `timer` fires in `delay_ns` nanoseconds. Also sets the event of the loop for this
 * time, which yk_timer_arm() does not do. */
void yk_io_timer_arm(struct yk_io_timers *t, struct yk_timer *timer, int64_t delay_ns);
/* Like yk_timer_cancel(): `timer` does not fire. No effect if it is not armed. */
void yk_io_timer_cancel(struct yk_io_timers *t, struct yk_timer *timer);
/* Fires the timers that are due, and sets the event of the loop for the next one. */
void yk_io_timers_run(struct yk_io_timers *t);
/* The monotonic time of the clock, in nanoseconds. */
static inline int64_t yk_io_timers_now_ns(const struct yk_io_timers *t)
{
    return yk_clock_mono_ns(t->timers.clock);
}

#endif
