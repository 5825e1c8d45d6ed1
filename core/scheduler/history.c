/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/history.h"

static void on_timer(struct yk_timer *timer)
{
    struct yk_history *history = YK_CONTAINER(timer, struct yk_history, timer);
    yk_history_record(history);
    yk_history_start(history);
    yk_timers_nothing_changed(history->core->timers);
}

void yk_history_init(struct yk_history *history, struct yk_core *core)
{
    *history = (struct yk_history){.core = core};
    history->timer.fire = on_timer;
}

void yk_history_done(struct yk_history *history)
{
    yk_timer_cancel(history->core->timers, &history->timer);
    free(history->records);
    history->records = NULL;
    history->first = history->count = 0;
}

void yk_history_start(struct yk_history *history)
{
    if (!yk_timer_armed(&history->timer))
        yk_timer_arm(history->core->timers, &history->timer, YK_HISTORY_INTERVAL_NS);
}

static struct yk_history_record *next_record(struct yk_history *history)
{
    if (history->records == NULL)
        history->records = yk_new0_array(struct yk_history_record, YK_HISTORY_MAX);
    size_t at = (history->first + history->count) % YK_HISTORY_MAX;
    if (history->count < YK_HISTORY_MAX)
        history->count++;
    else
        history->first = (history->first + 1) % YK_HISTORY_MAX;
    return &history->records[at];
}

void yk_history_record(struct yk_history *history)
{
    const struct yk_partition *partition;
    struct yk_history_record record = {.wall_ns = yk_core_now(history->core)};
    yk_vec_foreach (partition, &history->core->partitions) {
        record.apps += partition->apps_by_state[YK_APP_RUNNING];
        record.allocations += partition->allocation_count;
    }
    *next_record(history) = record;
}

const struct yk_history_record *yk_history_at(const struct yk_history *history, size_t index)
{
    if (!YK_ASSERT(index < history->count))
        return NULL;
    return &history->records[(history->first + index) % YK_HISTORY_MAX];
}
