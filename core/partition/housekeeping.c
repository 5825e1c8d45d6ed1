/* SPDX-License-Identifier: Apache-2.0 */
#include "partition/housekeeping.h"

#include "base/log.h"
#include "pending/fair_shares.h"
#include "report/report.h"
#include "state/core.h"

#define CLEANER_NS       (10 * YK_NS_PER_S)
#define DRAINING_TOLD_NS (10 * 60 * YK_NS_PER_S)

enum { DRAINING_TOLD_MAX = 20 }; /* queues that are reported at a time; the number of the others is logged */

static bool is_empty(const struct yk_queue *queue)
{
    return queue->app_count == 0 && yk_list_empty(&queue->child_list);
}

static bool is_removable(const struct yk_queue *queue)
{
    bool unwanted = !queue->managed || queue->state == YK_STATE_DRAINING;
    return queue->parent != NULL && unwanted && is_empty(queue);
}

/* Removes the queues in the list that are still removable, and their parents if these become removable. */
static void housekeeping_clean(struct yk_partition *partition)
{
    struct yk_queue *queue;
    while ((queue = yk_list_first(&partition->housekeeping.due_queues, struct yk_queue,
                                  housekeeping.in_due)) != NULL) {
        yk_list_remove(&queue->housekeeping.in_due);
        if (!is_removable(queue))
            continue;
        struct yk_queue *parent = queue->parent;
        yk_info(yk_log_queue, "queue removed", KV("queue", queue->path), KV("managed", queue->managed));
        if (queue->managed)
            yk_config_change_note(&partition->rm->last_change, YK_CHANGE_REMOVED, queue->path);
        yk_report_queue_removed(partition, queue);
        yk_fair_shares_forget(partition, queue);
        yk_queue_free(queue);
        if (is_removable(parent) && !yk_list_linked(&parent->housekeeping.in_due))
            yk_list_append(&partition->housekeeping.due_queues, &parent->housekeeping.in_due);
    }
}

static void on_cleaner(struct yk_timer *timer)
{
    housekeeping_clean(YK_CONTAINER(timer, struct yk_partition, housekeeping.cleaner));
}

void yk_housekeeping_check_queue(struct yk_partition *partition, struct yk_queue *queue)
{
    if (!is_removable(queue) || yk_list_linked(&queue->housekeeping.in_due))
        return;
    yk_list_append(&partition->housekeeping.due_queues, &queue->housekeeping.in_due);
    partition->housekeeping.cleaner.fire = on_cleaner;
    if (!yk_timer_armed(&partition->housekeeping.cleaner))
        yk_timer_arm(partition->core->timers, &partition->housekeeping.cleaner, CLEANER_NS);
}

/* ---- queues that drain for long (R21) ---- */

static size_t apps_below(const struct yk_queue *top)
{
    size_t count = 0;
    for (const struct yk_queue *queue = top; queue != NULL; queue = yk_queue_next(queue, top))
        count += queue->app_count;
    return count;
}

static void tell_draining(const struct yk_partition *partition, const struct yk_queue *queue)
{
    const struct yk_rm *rm = partition->rm;
    struct yk_si_draining draining = {
        .queue = queue->path,
        .partition = partition->name,
        .since_wall_ns = queue->state_wall_ns,
        .applications = apps_below(queue),
    };
    yk_warn(yk_log_queue, "queue still drains", KV("partition", partition->name), KV("queue", queue->path),
            KV("apps", draining.applications),
            KV("since_s", (yk_core_now(partition->core) - draining.since_wall_ns) / YK_NS_PER_S));
    if (rm->callbacks.queue_draining != NULL)
        rm->callbacks.queue_draining(rm->context, &draining);
}

static void arm_watch(struct yk_partition *partition);

/* Reports the queues that are due, and moves them to the end of the list. A queue below another draining
 * queue is not reported: the report of the upper one includes it. */
static void on_watch(struct yk_timer *timer)
{
    struct yk_partition *partition = YK_CONTAINER(timer, struct yk_partition, housekeeping.draining_watch);
    int64_t now_ns = yk_clock_mono_ns(partition->core->clock);
    size_t told = 0, more = 0;
    struct yk_queue *queue;
    while ((queue = yk_list_first(&partition->housekeeping.draining, struct yk_queue,
                                  housekeeping.in_draining)) != NULL &&
           now_ns - queue->housekeeping.draining_told_mono_ns >= DRAINING_TOLD_NS) {
        queue->housekeeping.draining_told_mono_ns = now_ns;
        yk_list_remove(&queue->housekeeping.in_draining);
        yk_list_append(&partition->housekeeping.draining, &queue->housekeeping.in_draining);
        if (yk_queue_is_draining(queue->parent))
            continue;
        if (told++ < DRAINING_TOLD_MAX)
            tell_draining(partition, queue);
        else
            more++;
    }
    if (more > 0)
        yk_warn(yk_log_queue, "more queues still drain", KV("partition", partition->name),
                KV("queues", more));
    arm_watch(partition);
}

static void arm_watch(struct yk_partition *partition)
{
    const struct yk_queue *first =
        yk_list_first(&partition->housekeeping.draining, struct yk_queue, housekeeping.in_draining);
    if (first == NULL || yk_timer_armed(&partition->housekeeping.draining_watch))
        return;
    int64_t due_ns = yk_i64_add(first->housekeeping.draining_told_mono_ns, DRAINING_TOLD_NS);
    partition->housekeeping.draining_watch.fire = on_watch;
    yk_timer_arm(partition->core->timers, &partition->housekeeping.draining_watch,
                 due_ns - yk_clock_mono_ns(partition->core->clock));
}

void yk_housekeeping_watch_draining(struct yk_partition *partition, struct yk_queue *queue)
{
    yk_report_queue_draining(partition, queue);
    queue->housekeeping.draining_told_mono_ns = yk_clock_mono_ns(partition->core->clock);
    yk_list_remove(&queue->housekeeping.in_draining);
    yk_list_append(&partition->housekeeping.draining, &queue->housekeeping.in_draining);
    arm_watch(partition);
}
