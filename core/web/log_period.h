/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log levels that were set over REST for a limited time: at its end, all loggers return to the levels of the
 * ConfigMaps.
 *
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md 12.4.
 */
#ifndef YK_WEB_LOG_PERIOD_H
#define YK_WEB_LOG_PERIOD_H

#include "base/timer.h"

struct yk_core;

/* A zeroed one is ready for use. */
struct yk_log_period {
    struct yk_timer timer;
    struct yk_timers *timers;   /* borrowed; NULL: no period has begun */
    const struct yk_core *core; /* borrowed */
};

/* Begins a period of `ns` nanoseconds. At its end, all loggers get the levels of the ConfigMaps, not those
 * from before the period. If a period runs, it is replaced: only the end of the new one counts. The caller
 * sets the levels itself, before or after. To set a level without a limit, the caller calls
 * yk_log_period_done() instead, because the end of a running period would end this level. `timers` and `core`
 * are borrowed until the last yk_log_period_done(). */
void yk_log_period_begin(struct yk_log_period *period, struct yk_timers *timers, const struct yk_core *core,
                         int64_t ns);
/* Cancels the period, if one runs: no effect on a zeroed one. The levels stay as they are. */
void yk_log_period_done(struct yk_log_period *period);

#endif
