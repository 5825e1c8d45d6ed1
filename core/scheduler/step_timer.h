/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long the steps of a decision take, for the histograms of docs/reference/rest.md 10.1.
 *
 * A decision takes less time than reading the clock after each of its steps. So of those made in a row only
 * the first and then one in YK_TURNS_PER_SAMPLE are measured; a measured step stands for those not measured
 * before it.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_SCHEDULER_STEP_TIMER_H
#define YK_SCHEDULER_STEP_TIMER_H

#include "state/core.h"

enum { YK_TURNS_PER_SAMPLE = 64 };

struct yk_step_timer {
    const struct yk_clock *clock; /* NULL: this turn is not measured */
    int64_t begin_mono_ns, since_mono_ns;
};

/* Starts to measure the first step of a turn. `turn` counts the turns of a row, from 0: one of
 * YK_TURNS_PER_SAMPLE is measured. */
static inline struct yk_step_timer yk_step_timer_begin(const struct yk_core *core, size_t turn)
{
    if (turn % YK_TURNS_PER_SAMPLE != 0)
        return (struct yk_step_timer){0};
    int64_t now_ns = yk_clock_mono_ns(core->stopwatch);
    return (struct yk_step_timer){core->stopwatch, now_ns, now_ns};
}

/* Observes the time from `since_mono_ns` (a field of `timer`: begin of the turn or of the step) until now in
 * `histogram`, in seconds. If the turn is not measured, counts it there as unmeasured. */
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

/* A step ends here, and the next begins. The duration of the step goes to `histogram`, in seconds. */
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
