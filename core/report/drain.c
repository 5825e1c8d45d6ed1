/* SPDX-License-Identifier: Apache-2.0 */
#include "report/drain.h"

#include <math.h>

#define MINUTE_NS (60 * YK_NS_PER_S)

enum { STARTS_MIN = 5 }; /* with fewer starts there is no estimate */

/* Makes `minute` the last minute, and clears the counts of the minutes after the last start. If that was too
 * long ago, or the clock was set back, clears all counts. */
static void advance(struct yk_queue_starts *starts, int64_t minute)
{
    int64_t passed = minute - starts->minute;
    if (starts->minute == 0 || passed >= YK_STARTS_MINUTES || passed < 0) {
        memset(starts->counts, 0, sizeof(starts->counts));
        starts->first_wall_ns = 0;
    } else {
        for (int64_t at = starts->minute + 1; at <= minute; at++)
            starts->counts[at % YK_STARTS_MINUTES] = 0;
    }
    starts->minute = minute;
}

void yk_drain_count(struct yk_queue *leaf, int64_t wall_ns)
{
    struct yk_queue_starts *starts = &leaf->report.starts;
    int64_t minute = wall_ns / MINUTE_NS;
    if (minute <= 0)
        return;
    if (minute != starts->minute)
        advance(starts, minute);
    if (starts->first_wall_ns == 0)
        starts->first_wall_ns = wall_ns;
    uint32_t *count = &starts->counts[minute % YK_STARTS_MINUTES];
    *count += *count < UINT32_MAX;
}

struct yk_drain_estimate yk_drain_estimate(const struct yk_queue *leaf, uint64_t ahead, int64_t now_wall_ns)
{
    struct yk_queue_starts starts = leaf->report.starts;
    struct yk_drain_estimate estimate = {0};
    uint64_t count = 0;
    if (starts.minute == 0)
        return estimate;
    if (now_wall_ns / MINUTE_NS != starts.minute)
        advance(&starts, now_wall_ns / MINUTE_NS);
    for (int i = 0; i < YK_STARTS_MINUTES; i++)
        count += starts.counts[i];
    int64_t begin_ns = YK_MAX(starts.first_wall_ns, (starts.minute - YK_STARTS_MINUTES + 1) * MINUTE_NS);
    estimate.starts = (uint32_t)YK_MIN(count, (uint64_t)UINT32_MAX);
    estimate.window_ns = YK_MAX(now_wall_ns - begin_ns, YK_NS_PER_S);
    if (count < STARTS_MIN)
        return estimate;
    double rate = (double)count / (double)estimate.window_ns; /* per nanosecond */
    /* Starts are treated as a Poisson process: the standard deviation of a number of starts is its square
     * root. */
    double doubt = 2 / sqrt((double)count), asks = (double)ahead + 1, spread = 2 * sqrt(asks);
    double earliest_ns = YK_MAX(asks - spread, 0.0) / (rate * (1 + doubt));
    double latest_ns = (asks + spread) / (rate * YK_MAX(1 - doubt, 0.1));
    double most_ns = 365.0 * 86400 * (double)YK_NS_PER_S;
    estimate.is_known = latest_ns < most_ns;
    estimate.earliest_wall_ns = now_wall_ns + (int64_t)YK_MIN(earliest_ns, most_ns);
    estimate.latest_wall_ns = now_wall_ns + (int64_t)YK_MIN(latest_ns, most_ns);
    return estimate;
}
