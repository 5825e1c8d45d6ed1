/* SPDX-License-Identifier: Apache-2.0 */
#include "report/drain.h"

#include "objects/app.h"

#include <math.h>

#define MINUTE_NS (60 * YK_NS_PER_S)
#define WAITED_NS (2 * YK_NS_PER_S) /* an ask that starts earlier has not waited */
#define BATCH_NS  (2 * YK_NS_PER_S) /* starts within this time of the first one of a batch belong to it */

enum { STARTS_MIN = 5, BATCHES_MIN = 3 }; /* with fewer there is no estimate */

/* Makes `minute` the last minute, and clears the counts of the minutes after the last start. If that was too
 * long ago, or the clock was set back, clears all counts. */
static void advance(struct yk_starts *starts, int64_t minute)
{
    int64_t passed = minute - starts->minute;
    if (starts->minute == 0 || passed >= YK_STARTS_MINUTES || passed < 0) {
        *starts = (struct yk_starts){0};
    } else {
        for (int64_t at = starts->minute + 1; at <= minute; at++)
            starts->counts[at % YK_STARTS_MINUTES] = starts->batches[at % YK_STARTS_MINUTES] =
                starts->longest_s[at % YK_STARTS_MINUTES] = 0;
    }
    starts->minute = minute;
}

void yk_drain_count_in(struct yk_starts *starts, int64_t wall_ns)
{
    int64_t minute = wall_ns / MINUTE_NS;
    if (minute < YK_STARTS_MINUTES)
        return;
    if (minute != starts->minute)
        advance(starts, minute);
    if (starts->first_wall_ns == 0)
        starts->first_wall_ns = wall_ns;
    uint32_t *count = &starts->counts[minute % YK_STARTS_MINUTES];
    *count += *count < UINT32_MAX;
    starts->last_wall_ns = wall_ns;
    if (starts->batch_wall_ns != 0 && wall_ns - starts->batch_wall_ns <= BATCH_NS)
        return;
    starts->batch_wall_ns = wall_ns;
    starts->batches[minute % YK_STARTS_MINUTES]++; /* at most one per BATCH_NS */
}

void yk_drain_count_wait_in(struct yk_starts *starts, int64_t create_wall_ns, int64_t wall_ns)
{
    int64_t last_ns = starts->last_wall_ns, waited_ns = wall_ns - YK_MAX(last_ns, create_wall_ns);
    yk_drain_count_in(starts, wall_ns);
    if (last_ns == 0 || starts->last_wall_ns != wall_ns || waited_ns <= 0)
        return;
    int64_t waited_s = YK_MIN((waited_ns - 1) / YK_NS_PER_S + 1, (int64_t)UINT16_MAX);
    uint16_t *longest_s = &starts->longest_s[starts->minute % YK_STARTS_MINUTES];
    *longest_s = YK_MAX(*longest_s, (uint16_t)waited_s);
}

void yk_drain_count(const struct yk_ask *ask, int64_t wall_ns)
{
    struct yk_app *app = ask->group->app;
    bool is_placeholder = (ask->flags & YK_ASK_PLACEHOLDER) != 0;
    if (yk_ask_placeholder_wall_ns(ask) != 0)
        return; /* it had the place of its placeholder, and needed nothing free */
    struct yk_leaf_starts *of_leaf = &app->leaf->report.starts;
    if (!is_placeholder)
        yk_drain_count_in(&of_leaf->all_asks, wall_ns);
    if (wall_ns - ask->create_wall_ns < WAITED_NS)
        return; /* capacity was free already: that says nothing about when capacity comes free */
    if (app->report.starts == NULL)
        app->report.starts = yk_new0(struct yk_starts);
    yk_drain_count_wait_in(app->report.starts, ask->create_wall_ns, wall_ns);
    yk_drain_count_wait_in(is_placeholder ? &of_leaf->placeholders : &of_leaf->asks, ask->create_wall_ns,
                           wall_ns);
}

void yk_drain_count_added(const struct yk_ask *ask, int64_t wall_ns)
{
    struct yk_app *app = ask->group->app;
    bool is_new = wall_ns - ask->create_wall_ns < MINUTE_NS; /* not after a restart, for example */
    if (app->leaf == NULL || !is_new || wall_ns - app->submit_wall_ns < MINUTE_NS ||
        ask->group->task_group != NULL)
        return;
    if (app->report.added == NULL)
        app->report.added = yk_new0(struct yk_starts);
    yk_drain_count_in(app->report.added, wall_ns);
    yk_drain_count_in(&app->leaf->report.starts.added, wall_ns);
}

struct yk_drain yk_drain_of(const struct yk_starts *counted, int minutes, int64_t now_wall_ns)
{
    struct yk_drain drain = {0};
    if (counted == NULL || counted->minute == 0 || now_wall_ns / MINUTE_NS < YK_STARTS_MINUTES)
        return drain; /* so that no minute before the epoch is looked at */
    struct yk_starts starts = *counted;
    if (now_wall_ns / MINUTE_NS != starts.minute)
        advance(&starts, now_wall_ns / MINUTE_NS);
    for (int i = 0; i < minutes; i++) {
        int64_t at = (starts.minute - i) % YK_STARTS_MINUTES;
        drain.starts += starts.counts[at];
        drain.batches += starts.batches[at];
    }
    int64_t begin_ns = YK_MAX(starts.first_wall_ns, (starts.minute - minutes + 1) * MINUTE_NS);
    if (drain.starts == 0)
        return drain;
    drain.window_ns = YK_MAX(now_wall_ns - begin_ns, YK_NS_PER_S);
    drain.last_wall_ns = starts.last_wall_ns;
    for (int i = 0; i < YK_STARTS_MINUTES; i++)
        drain.longest_ns = YK_MAX(drain.longest_ns, starts.longest_s[i] * YK_NS_PER_S);
    return drain;
}

bool yk_drain_is_enough(const struct yk_drain *drain)
{
    return drain->starts >= STARTS_MIN && drain->batches >= BATCHES_MIN;
}

bool yk_drain_has_ended(const struct yk_drain *drain, int64_t quiet_ns)
{
    /* A number of batches is more than two standard deviations, its square root, above 0 if it is above 4. */
    return (double)drain->batches * (double)quiet_ns > 4 * (double)drain->window_ns;
}

struct yk_drain_range yk_drain_range(const struct yk_drain *drain, uint64_t min, uint64_t max)
{
    double rate = (double)drain->starts / (double)drain->window_ns; /* per nanosecond */
    double batch = (double)drain->starts / (double)drain->batches;
    /* Batches are treated as a Poisson process: the standard deviation of a number of batches is its square
     * root. With few batches, the rate may be wrong by a factor, in both directions. */
    double factor = exp(2 / sqrt((double)drain->batches));
    double few = (double)min - 2 * sqrt((double)min * batch);
    double many = (double)max + 2 * sqrt((double)max * batch);
    return (struct yk_drain_range){.earliest_ns = YK_MAX(few, 0.0) / (rate * factor),
                                   .latest_ns = YK_MAX(many * factor / rate, (double)drain->longest_ns)};
}
