/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Levels of the log that hold for a limited time: at its end all loggers return to the levels of the
 * ConfigMaps.
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md 12.4.
 */
#ifndef YK_WEB_LOG_PERIOD_H
#define YK_WEB_LOG_PERIOD_H

#include "base/timer.h"

struct yk_core;

struct yk_log_period { /* all 0 at first */
    struct yk_timer timer;
    struct yk_timers *timers;   /* borrowed; NULL: none has begun */
    const struct yk_core *core; /* borrowed */
};

/* Begins a period of `ns` nanoseconds; it replaces one that has not ended. `timers` and `core` are borrowed until
 * yk_log_period_done(). */
void yk_log_period_begin(struct yk_log_period *period, struct yk_timers *timers, const struct yk_core *core,
                         int64_t ns);
/* Cancels the timer. The levels stay as they are. */
void yk_log_period_done(struct yk_log_period *period);

#endif
