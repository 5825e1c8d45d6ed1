/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/quota_preemption.h"

#include "base/log.h"
#include "preemption/quota_choice.h"
#include "report/preemption_log.h"
#include "reservation/victims.h"
#include "state/core.h"

#define EVALUATION_NS YK_NS_PER_S
#define LATER_NS      (60 * YK_NS_PER_S) /* the longest pause after limits of victims refused some */

static int64_t now_mono(const struct yk_partition *partition)
{
    return yk_clock_mono_ns(partition->core->clock);
}

/* ---- the delay of one queue ---- */

static bool runs(const struct yk_queue *queue)
{
    return yk_list_linked(&queue->quota.in_due);
}

static void on_evaluation(struct yk_timer *timer)
{
    yk_quota_preemption_evaluate(YK_CONTAINER(timer, struct yk_partition, reservation.quota_timer));
}

static void arm_timer(struct yk_partition *partition)
{
    if (!partition->quota_preemption_enabled || yk_list_empty(&partition->reservation.quota_preemptions) ||
        yk_timer_armed(&partition->reservation.quota_timer))
        return;
    partition->reservation.quota_timer.fire = on_evaluation;
    yk_timer_arm(partition->core->timers, &partition->reservation.quota_timer, EVALUATION_NS);
}

static void start(struct yk_partition *partition, struct yk_queue *queue)
{
    queue->quota.due_mono_ns = yk_i64_add(now_mono(partition), queue->settings.quota_preemption_delay_ns);
    yk_list_append(&partition->reservation.quota_preemptions, &queue->quota.in_due);
    arm_timer(partition);
}

static void stop(struct yk_queue *queue)
{
    if (runs(queue))
        yk_list_remove(&queue->quota.in_due);
}

bool yk_quota_preemption_excess(const struct yk_queue *queue, struct yk_resvec *ret_excess)
{
    yk_resvec_clear(ret_excess);
    yk_resvec_foreach_common(t, queue->has_max ? &queue->max : NULL, &queue->allocated)
    {
        if (yk_resvec_get(&queue->allocated, t) > yk_resvec_get(&queue->max, t))
            yk_resvec_put(ret_excess, t, yk_resvec_get(&queue->allocated, t) - yk_resvec_get(&queue->max, t));
    }
    return !yk_resvec_is_empty(ret_excess);
}

static bool is_above(const struct yk_queue *queue)
{
    YK_RESVEC(excess);
    return yk_quota_preemption_excess(queue, &excess);
}

/* Whether the maximum of some type is lower than before; a type without a maximum was unlimited. */
static bool is_lowered(const struct yk_quota_preemption_before *before, const struct yk_queue *queue)
{
    yk_resvec_foreach(t, &queue->max)
    {
        if (!before->has_max || !yk_resvec_has(&before->max, t) ||
            yk_resvec_get(&before->max, t) > yk_resvec_get(&queue->max, t))
            return true;
    }
    return false;
}

/* ---- changes ---- */

void yk_quota_preemption_before_init(struct yk_quota_preemption_before *before, const struct yk_queue *queue)
{
    before->has_max = queue->has_max;
    before->delay_ns = queue->settings.quota_preemption_delay_ns;
    yk_resvec_init(&before->max);
    yk_resvec_copy(&before->max, &queue->max);
}

void yk_quota_preemption_configured(struct yk_partition *partition, struct yk_queue *queue,
                                    const struct yk_quota_preemption_before *before)
{
    int64_t delay_ns = queue->settings.quota_preemption_delay_ns;
    if (queue->parent == NULL || queue->quota.is_running)
        return; /* the maximum of the root is no limit, and allocations of a running queue end already */
    if (delay_ns <= 0 || !queue->managed || !is_above(queue))
        stop(queue);
    else if (runs(queue))
        queue->quota.due_mono_ns = yk_i64_add(queue->quota.due_mono_ns, delay_ns - before->delay_ns);
    else if (before->delay_ns <= 0 || is_lowered(before, queue))
        start(partition, queue);
}

void yk_quota_preemption_raised(struct yk_partition *partition, struct yk_queue *leaf,
                                const struct yk_queue *above)
{
    for (struct yk_queue *queue = leaf; queue != above && queue->parent != NULL; queue = queue->parent) {
        if (queue->settings.quota_preemption_delay_ns > 0 && queue->managed && !queue->quota.is_running &&
            !runs(queue) && is_above(queue))
            start(partition, queue);
    }
}

void yk_quota_preemption_lowered(struct yk_queue *leaf)
{
    for (struct yk_queue *queue = leaf; queue != NULL; queue = queue->parent) {
        if (runs(queue) && !is_above(queue))
            stop(queue);
    }
}

void yk_quota_preemption_enable(struct yk_partition *partition)
{
    if (!partition->quota_preemption_enabled)
        yk_timer_cancel(partition->core->timers, &partition->reservation.quota_timer);
    else
        arm_timer(partition);
}

/* ---- the evaluation ---- */

static void tell_summary(struct yk_partition *partition, const struct yk_queue *queue,
                         const struct yk_resvec *excess, size_t victims)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    struct yk_events *events = &partition->core->events;
    yk_buf_text(&message, "above the maximum by ");
    yk_resvec_print(excess, &message);
    yk_buf_printf(&message, ": %zu allocations preempted", victims);
    yk_info(yk_log_queue, "quota preemption", KV("partition", partition->name), KV("queue", queue->path),
            KV("excess", yk_buf_cstr(&message)), KV("victims", victims));
    if (!yk_events_on(events))
        return;
    struct yk_event event = {
        .type = YK_EVENT_QUEUE,
        .change = YK_EVENT_SET,
        .detail = YK_EVENT_QUEUE_QUOTA_PREEMPTION,
        .wall_ns = yk_core_now(partition->core),
        .object_id = yk_str_from(queue->path),
        .message = yk_buf_view(&message),
    };
    yk_resvec_copy(&event.resource, &queue->max);
    yk_events_tell(events, &event);
}

/* Asks for the end of allocations in the branch of the queue that use the excess, as far as guarantees, the
 * sizes of allocations and limits of victims allow it. Returns the time until the limits of victims may allow
 * more; 0: they refused no victim. */
static int64_t take_back(struct yk_partition *partition, struct yk_queue *queue,
                         const struct yk_resvec *excess)
{
    struct yk_victim_limits victim_limits = {yk_core_now(partition->core), now_mono(partition),
                                             YK_VICTIM_LIMITS_NONE_REFUSED};
    const struct yk_victim_ranking ranking = {&partition->rm->callbacks, partition->rm->context};
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    struct yk_vec victims = {0};
    yk_quota_choose(queue, &ranking, &victim_limits, &victims);
    yk_buf_printf(&message, "Preempted by Quota change enforcement process in queue '%s'", queue->path);
    tell_summary(partition, queue, excess, victims.count);
    yk_preemption_note(partition, (struct yk_ask *const *)victims.items, victims.count, YK_PREEMPTION_QUOTA,
                       NULL, queue);
    yk_victims_take(partition, (struct yk_ask *const *)victims.items, victims.count, yk_buf_cstr(&message));
    yk_vec_done(&victims);
    bool refused = victim_limits.wait_ns != YK_VICTIM_LIMITS_NONE_REFUSED;
    return refused ? yk_victim_limits_pause_ns(&victim_limits, LATER_NS) : 0;
}

/* Ends allocations of the queue, which counts as running until all queues that are due have been looked
 * at. */
static void run(struct yk_partition *partition, struct yk_queue *queue)
{
    YK_RESVEC(excess);
    queue->quota.is_running = true;
    int64_t again_ns = yk_quota_preemption_excess(queue, &excess) ? take_back(partition, queue, &excess) : 0;
    if (again_ns > 0)
        queue->quota.due_mono_ns = yk_i64_add(now_mono(partition), again_ns);
    else
        stop(queue); /* one run for each change, even if the queue is still above its maximum afterwards */
}

static int parents_first(const void *a, const void *b)
{
    const struct yk_queue *x = a, *y = b;
    int order = (x->depth > y->depth) - (x->depth < y->depth);
    return order != 0 ? order : strcmp(x->path, y->path);
}

static void collect_due(struct yk_partition *partition, struct yk_vec *ret_due)
{
    int64_t now_ns = now_mono(partition);
    struct yk_queue *queue;
    yk_list_foreach (queue, &partition->reservation.quota_preemptions, struct yk_queue, quota.in_due) {
        if (queue->quota.due_mono_ns <= now_ns)
            yk_vec_append(ret_due, queue);
    }
    yk_vec_sort(ret_due, parents_first);
}

static bool is_below_running(const struct yk_queue *queue)
{
    for (const struct yk_queue *up = queue->parent; up != NULL; up = up->parent) {
        if (up->quota.is_running)
            return true;
    }
    return false;
}

void yk_quota_preemption_evaluate(struct yk_partition *partition)
{
    struct yk_vec due = {0};
    struct yk_queue *queue;
    if (partition->quota_preemption_enabled)
        collect_due(partition, &due);
    yk_vec_foreach (queue, &due) {
        if (is_below_running(queue))
            continue; /* it stays due, and the next evaluation looks at it */
        if (is_above(queue))
            run(partition, queue);
        else
            stop(queue);
    }
    yk_vec_foreach (queue, &due)
        queue->quota.is_running = false;
    yk_vec_done(&due);
    arm_timer(partition);
}
