/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures how long the steps of a turn take, for the histograms of docs/reference/rest.md 10.1.
 *
 * To read the clock after each step of each turn would cost too much. So only the turns 0,
 * YK_TURNS_PER_SAMPLE, 2 * YK_TURNS_PER_SAMPLE, ... of a slice of scheduling are measured. The steps of other
 * turns are counted in `unmeasured` of the histogram, and get the duration of the next measured one.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_SCHEDULER_STEP_TIMER_H
#define YK_SCHEDULER_STEP_TIMER_H

#include "state/core.h"

enum { YK_TURNS_PER_SAMPLE = 64 };

/* A value; zeroed: the turn is not measured. */
struct yk_step_timer {
    const struct yk_clock *clock; /* borrowed; NULL: the turn is not measured */
    int64_t begin_mono_ns;        /* begin of the turn */
    int64_t since_mono_ns;        /* begin of the present step */
};

/* Begins the first step of a turn. `turn`: how many turns the same slice made before this one. */
static inline struct yk_step_timer yk_step_timer_begin(const struct yk_core *core, size_t turn)
{
    if (turn % YK_TURNS_PER_SAMPLE != 0)
        return (struct yk_step_timer){0};
    int64_t now_ns = yk_clock_mono_ns(core->stopwatch);
    return (struct yk_step_timer){core->stopwatch, now_ns, now_ns};
}

/* Adds to `histogram` the time from `since_mono_ns` until now, in seconds. `since_mono_ns` is
 * `timer->begin_mono_ns` or `timer->since_mono_ns`. If the turn is not measured, adds one to
 * `unmeasured` of `histogram`. Does not end the step. */
static inline void yk_step_timer_observe(const struct yk_step_timer *timer, int64_t since_mono_ns,
                                         struct yk_step_histogram *histogram)
{
    if (timer->clock == NULL) {
        histogram->unmeasured++;
        return;
    }
    int64_t now_ns = yk_clock_mono_ns(timer->clock);
    yk_step_histogram_observe(histogram, (double)(now_ns - since_mono_ns) / (double)YK_NS_PER_S);
}

/* Ends a step and begins the next one. Adds the duration of the step to `histogram`, in seconds; if the
 * turn is not measured, adds one to its `unmeasured`. */
static inline void yk_step_timer_lap(struct yk_step_timer *timer, struct yk_histogram *histogram)
{
    if (timer->clock == NULL) {
        histogram->unmeasured++;
        return;
    }
    int64_t now_ns = yk_clock_mono_ns(timer->clock);
    yk_histogram_observe(histogram, (double)(now_ns - timer->since_mono_ns) / (double)YK_NS_PER_S);
    timer->since_mono_ns = now_ns;
}

#endif
