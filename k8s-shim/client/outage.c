/* SPDX-License-Identifier: Apache-2.0 */
#include "client/outage.h"

#include "base/log.h"

static const int64_t log_again_ns = 30 * YK_NS_PER_S;

static int64_t lasted_ns(const struct yk_outage *outage)
{
    return yk_io_timers_now_ns(outage->timers) - outage->since_mono_ns;
}

static void log_outage(struct yk_timer *timer)
{
    struct yk_outage *outage = YK_CONTAINER(timer, struct yk_outage, due);
    outage->is_logged = true;
    yk_warn(yk_log_client, "the API server does not answer", KV("outage_ns", lasted_ns(outage)),
            KV("tries", outage->tries), KV("err", (const char *)outage->err.text));
    yk_io_timer_arm(outage->timers, timer, log_again_ns);
}

void yk_outage_init(struct yk_outage *outage, struct yk_io_timers *timers)
{
    *outage = (struct yk_outage){.timers = timers, .due = {.fire = log_outage}};
}

void yk_outage_done(struct yk_outage *outage)
{
    if (outage->timers != NULL)
        yk_io_timer_cancel(outage->timers, &outage->due);
}

void yk_outage_failed(struct yk_outage *outage, const struct yk_err *err)
{
    if (!outage->is_on) {
        outage->is_on = true;
        outage->is_logged = false;
        outage->since_mono_ns = yk_io_timers_now_ns(outage->timers);
        outage->tries = 0;
        yk_io_timer_arm(outage->timers, &outage->due, log_again_ns);
    }
    outage->tries++;
    outage->err = *err;
}

void yk_outage_answered(struct yk_outage *outage)
{
    if (!outage->is_on)
        return;
    outage->is_on = false;
    yk_io_timer_cancel(outage->timers, &outage->due);
    if (outage->is_logged)
        yk_info(yk_log_client, "the API server answers again", KV("outage_ns", lasted_ns(outage)),
                KV("tries", outage->tries));
    if (outage->on_end != NULL)
        outage->on_end(outage->context);
}
