/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/victims.h"

#include "base/log.h"
#include "pending/parked.h"
#include "preemption/victim_limits.h"
#include "report/report.h"
#include "report/rm_calls.h"
#include "state/core.h"

void yk_victims_need(const struct yk_resvec *size, const struct yk_resvec *room, struct yk_resvec *ret_need)
{
    yk_resvec_clear(ret_need);
    yk_resvec_foreach(t, size)
    {
        int64_t asked = yk_resvec_get(size, t), missing = yk_i64_sub(asked, yk_resvec_get(room, t));
        if (asked > 0 && missing > 0)
            yk_resvec_put(ret_need, t, missing);
    }
}

bool yk_victim_helps(const struct yk_ask *victim, const struct yk_resvec *left)
{
    yk_resvec_foreach(t, left)
    {
        if (yk_resvec_get(left, t) > 0 && yk_resvec_get(yk_ask_size(victim), t) > 0)
            return true;
    }
    return false;
}

static bool is_covered(const struct yk_resvec *left)
{
    yk_resvec_foreach(t, left)
    {
        if (yk_resvec_get(left, t) > 0)
            return false;
    }
    return true;
}

void yk_victims_reduce(struct yk_vec *victims, const struct yk_resvec *need)
{
    YK_RESVEC(left);
    size_t kept = 0;
    yk_resvec_copy(&left, need);
    for (size_t i = 0; i < victims->count && !is_covered(&left); i++) {
        if (!yk_victim_helps(victims->items[i], &left))
            continue;
        yk_resvec_sub_existing(&left, yk_ask_size(victims->items[i]));
        victims->items[kept++] = victims->items[i];
    }
    victims->count = is_covered(&left) ? kept : 0;
    for (size_t i = victims->count; i > 0; i--) {
        const struct yk_resvec *size = yk_ask_size(victims->items[i - 1]);
        yk_resvec_add_existing(&left, size);
        if (is_covered(&left))
            yk_vec_remove(victims, i - 1);
        else
            yk_resvec_sub_existing(&left, size);
    }
}

static void mark(struct yk_ask *victim)
{
    victim->flags |= YK_ASK_PREEMPTED;
    if ((victim->flags & YK_ASK_PLACEHOLDER) != 0)
        yk_ask_leave_place(victim); /* no real ask may replace it */
    yk_queue_add_preempting(yk_ask_app(victim)->leaf, yk_ask_size(victim));
}

/* Wakes groups that wait for queues with nominated asks: victims that will end leave more headroom there for
 * other asks (yk_queue_add_nominated()). */
static void wake(const struct yk_ask *victim)
{
    for (struct yk_queue *queue = yk_ask_app(victim)->leaf; queue != NULL; queue = queue->parent) {
        if (queue->has_nominations)
            yk_wake_queue_for_headroom(queue);
    }
}

void yk_victims_take(struct yk_partition *partition, struct yk_ask *const *victims, size_t count,
                     const char *message)
{
    int64_t now_mono_ns = yk_clock_mono_ns(partition->core->clock);
    for (size_t i = 0; i < count; i++) {
        mark(victims[i]);
        yk_victim_limits_count(victims[i], now_mono_ns);
    }
    for (size_t i = 0; i < count; i++)
        wake(victims[i]);
    for (size_t i = 0; i < count; i++)
        yk_report_victim(victims[i], message);
    for (size_t i = 0; i < count; i++) {
        yk_info(yk_log_alloc, "allocation preempted", KV("app", yk_ask_app(victims[i])->id),
                KV("ask", victims[i]->key), KV("node", victims[i]->node->id), KV("why", message));
        yk_rm_call_released(partition, victims[i], YK_SI_PREEMPTED_BY_SCHEDULER, message);
    }
}

struct yk_nomination *yk_victim_ended(struct yk_ask *ask)
{
    if ((ask->flags & YK_ASK_PREEMPTED) == 0)
        return NULL;
    ask->flags &= ~(uint32_t)YK_ASK_PREEMPTED;
    yk_queue_sub_preempting(yk_ask_app(ask)->leaf, yk_ask_size(ask));
    struct yk_nomination *nomination = yk_ask_nomination(ask);
    if (nomination != NULL)
        yk_ask_set_nomination(ask, NULL);
    return nomination;
}

void yk_victim_resized(const struct yk_ask *ask, const struct yk_resvec *delta)
{
    if ((ask->flags & YK_ASK_PREEMPTED) == 0)
        return;
    yk_queue_resize_preempting(yk_ask_app(ask)->leaf, delta);
}
