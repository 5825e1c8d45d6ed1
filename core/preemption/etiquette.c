/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/etiquette.h"

#define MINUTE_NS (60 * YK_NS_PER_S)

static bool refuse(struct yk_etiquette *etiquette, int64_t wait_ns)
{
    etiquette->wait_ns = YK_MIN(etiquette->wait_ns, wait_ns);
    return false;
}

/* When the minute ends in which the queue's budget is used up; 0: it is not. */
static int64_t used_up_until(const struct yk_queue *queue, int64_t now_mono_ns)
{
    uint64_t budget = queue->settings.preemption_budget;
    int64_t end_ns = yk_i64_add(queue->victims_since_mono_ns, MINUTE_NS);
    return budget > 0 && queue->victims >= budget && end_ns > now_mono_ns ? end_ns : 0;
}

bool yk_etiquette_allows(struct yk_etiquette *etiquette, const struct yk_ask *victim)
{
    const struct yk_queue *leaf = yk_ask_app(victim)->leaf;
    int64_t ran_ns = yk_i64_sub(etiquette->now_wall_ns, yk_ask_bind_wall_ns(victim));
    if (ran_ns < leaf->settings.preemption_min_runtime_ns)
        return refuse(etiquette, leaf->settings.preemption_min_runtime_ns - ran_ns);
    for (const struct yk_queue *queue = leaf; queue != NULL; queue = queue->parent) {
        int64_t until_ns = used_up_until(queue, etiquette->now_mono_ns);
        if (until_ns != 0)
            return refuse(etiquette, until_ns - etiquette->now_mono_ns);
    }
    return true;
}

void yk_etiquette_count(const struct yk_ask *victim, int64_t now_mono_ns)
{
    for (struct yk_queue *queue = yk_ask_app(victim)->leaf; queue != NULL; queue = queue->parent) {
        if (queue->victims == 0 || yk_i64_sub(now_mono_ns, queue->victims_since_mono_ns) >= MINUTE_NS) {
            queue->victims = 0;
            queue->victims_since_mono_ns = now_mono_ns;
        }
        queue->victims++;
    }
}

void yk_etiquette_uncount(const struct yk_ask *victim)
{
    for (struct yk_queue *queue = yk_ask_app(victim)->leaf; queue != NULL; queue = queue->parent)
        queue->victims--;
}

int64_t yk_etiquette_pause_ns(const struct yk_etiquette *etiquette, int64_t most_ns)
{
    return YK_MIN(YK_MAX(etiquette->wait_ns, YK_NS_PER_S), most_ns);
}
