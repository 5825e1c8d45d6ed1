/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/housekeeping.h"

#include "base/log.h"
#include "scheduler/core.h"
#include "scheduler/event_tell.h"

#define CLEANER_NS (10 * YK_NS_PER_S)

static bool is_empty(const struct yk_queue *queue)
{
    return queue->app_count == 0 && yk_list_empty(&queue->child_list);
}

static bool is_removable(const struct yk_queue *queue)
{
    bool unwanted = !queue->managed || queue->state == YK_STATE_DRAINING;
    return queue->parent != NULL && unwanted && is_empty(queue);
}

static void on_cleaner(struct yk_timer *timer)
{
    yk_housekeeping_clean(YK_CONTAINER(timer, struct yk_partition, cleaner));
}

void yk_housekeeping_check_queue(struct yk_partition *partition, struct yk_queue *queue)
{
    if (!is_removable(queue) || yk_list_linked(&queue->in_due))
        return;
    yk_list_append(&partition->due_queues, &queue->in_due);
    partition->cleaner.fire = on_cleaner;
    if (!yk_timer_armed(&partition->cleaner))
        yk_timer_arm(partition->core->timers, &partition->cleaner, CLEANER_NS);
}

void yk_housekeeping_clean(struct yk_partition *partition)
{
    struct yk_queue *queue;
    while ((queue = yk_list_first(&partition->due_queues, struct yk_queue, in_due)) != NULL) {
        yk_list_remove(&queue->in_due);
        if (!is_removable(queue))
            continue;
        struct yk_queue *parent = queue->parent;
        yk_info(yk_log_queue, "queue removed", KV("queue", queue->path), KV("managed", queue->managed));
        yk_tell_queue_removed(partition, queue);
        yk_queue_free(queue);
        if (is_removable(parent) && !yk_list_linked(&parent->in_due))
            yk_list_append(&partition->due_queues, &parent->in_due);
    }
}
