/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/victim_limits.h"

#define MINUTE_NS (60 * YK_NS_PER_S)

static bool refuse(struct yk_victim_limits *victim_limits, int64_t wait_ns)
{
    victim_limits->wait_ns = YK_MIN(victim_limits->wait_ns, wait_ns);
    return false;
}

/* If the budget of the queue is used up: the end of the present minute, in monotonic time; else 0. */
static int64_t used_up_until(const struct yk_queue *queue, int64_t now_mono_ns)
{
    uint64_t budget = queue->settings.preemption_budget;
    int64_t end_ns = yk_i64_add(queue->ended.since_mono_ns, MINUTE_NS);
    return budget > 0 && queue->ended.count >= budget && end_ns > now_mono_ns ? end_ns : 0;
}

bool yk_victim_limits_check(struct yk_victim_limits *victim_limits, const struct yk_ask *victim)
{
    const struct yk_queue *leaf = yk_ask_app(victim)->leaf;
    int64_t ran_ns = yk_i64_sub(victim_limits->now_wall_ns, yk_ask_bind_wall_ns(victim));
    if (ran_ns < leaf->settings.preemption_min_runtime_ns)
        return refuse(victim_limits, leaf->settings.preemption_min_runtime_ns - ran_ns);
    for (const struct yk_queue *queue = leaf; queue != NULL; queue = queue->parent) {
        int64_t until_ns = used_up_until(queue, victim_limits->now_mono_ns);
        if (until_ns != 0)
            return refuse(victim_limits, until_ns - victim_limits->now_mono_ns);
    }
    return true;
}

void yk_victim_limits_count(const struct yk_ask *victim, int64_t now_mono_ns)
{
    for (struct yk_queue *queue = yk_ask_app(victim)->leaf; queue != NULL; queue = queue->parent) {
        if (queue->ended.count == 0 || yk_i64_sub(now_mono_ns, queue->ended.since_mono_ns) >= MINUTE_NS) {
            queue->ended.count = 0;
            queue->ended.since_mono_ns = now_mono_ns;
        }
        queue->ended.count++;
    }
}

void yk_victim_limits_uncount(const struct yk_ask *victim)
{
    for (struct yk_queue *queue = yk_ask_app(victim)->leaf; queue != NULL; queue = queue->parent) {
        if (queue->ended.count >
            0) /* 0: the minute in which it was counted is over, and another one has begun */
            queue->ended.count--;
    }
}

int64_t yk_victim_limits_pause_ns(const struct yk_victim_limits *victim_limits, int64_t most_ns)
{
    return YK_MIN(YK_MAX(victim_limits->wait_ns, YK_NS_PER_S), most_ns);
}
