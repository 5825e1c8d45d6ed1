/* SPDX-License-Identifier: Apache-2.0 */
#include "client/io_timers.h"

#include <event2/event.h>

static void woken(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    struct yk_io_timers *t = context;
    t->wake_mono_ns = INT64_MAX;
    yk_io_timers_run(t);
}

/* The event may fire too early, for example after a timer was cancelled. That is harmless. */
static void wake_in_time(struct yk_io_timers *t)
{
    int64_t next_ns = yk_timers_next_ns(&t->timers);
    if (t->wake == NULL || next_ns >= t->wake_mono_ns)
        return;
    int64_t delay_us = YK_MAX(yk_i64_sub(next_ns, yk_io_timers_now_ns(t)), 0) / YK_NS_PER_US + 1;
    struct timeval delay = {.tv_sec = delay_us / 1000000, .tv_usec = delay_us % 1000000};
    if (event_add(t->wake, &delay) == 0)
        t->wake_mono_ns = next_ns;
}

enum yk_status yk_io_timers_init(struct yk_io_timers *t, struct event_base *base,
                                 const struct yk_clock *clock, struct yk_err *err)
{
    *t = (struct yk_io_timers){.wake_mono_ns = INT64_MAX};
    yk_timers_init(&t->timers, clock);
    if (!clock->is_virtual && (t->wake = event_new(base, -1, 0, woken, t)) == NULL)
        return yk_fail(err, YK_ERR_IO, "cannot make the client's timer");
    return YK_OK;
}

void yk_io_timers_done(struct yk_io_timers *t)
{
    if (t->wake != NULL)
        event_free(t->wake);
    t->wake = NULL;
    yk_timers_done(&t->timers);
}

void yk_io_timer_arm(struct yk_io_timers *t, struct yk_timer *timer, int64_t delay_ns)
{
    yk_timer_arm(&t->timers, timer, delay_ns);
    wake_in_time(t);
}

void yk_io_timer_cancel(struct yk_io_timers *t, struct yk_timer *timer)
{
    yk_timer_cancel(&t->timers, timer);
}

void yk_io_timers_run(struct yk_io_timers *t)
{
    (void)yk_timers_run(&t->timers);
    wake_in_time(t);
}
