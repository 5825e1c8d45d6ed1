/* SPDX-License-Identifier: Apache-2.0 */
#include "web/log_period.h"

#include "base/log.h"
#include "config/settings.h"
#include "scheduler/core.h"
#include "web/put_priv.h"

static void on_end(struct yk_timer *timer)
{
    const struct yk_log_period *period = YK_CONTAINER(timer, struct yk_log_period, timer);
    const struct yk_rm *rm = yk_core_first_rm(period->core);
    struct yk_pair *pairs = NULL;
    uint32_t count = 0;
    if (rm != NULL)
        yk__tags_sorted(&rm->extra_config, &pairs, &count);
    yk_settings_apply_log_levels(pairs, count);
    free(pairs);
    yk_info(yk_log_rest, "levels of the log are those of the ConfigMaps again");
}

void yk_log_period_begin(struct yk_log_period *period, struct yk_timers *timers, const struct yk_core *core,
                         int64_t ns)
{
    yk_log_period_done(period);
    period->timers = timers;
    period->core = core;
    period->timer.fire = on_end;
    yk_timer_arm(timers, &period->timer, ns);
}

void yk_log_period_done(struct yk_log_period *period)
{
    if (period->timers != NULL)
        yk_timer_cancel(period->timers, &period->timer);
}
