/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/naive_need.h"

static double used_in_the_end(const struct yk_queue *queue, int type)
{
    return (double)(yk_resvec_get(&queue->allocated, type) - yk_resvec_get(&queue->preempting, type) +
                    yk_resvec_get(&queue->nominated, type));
}

static void add_need(const struct yk_queue *queue, struct need *need)
{
    double product = 1, sum = 0;
    size_t level = queue->is_leaf ? 0 : NEED_LEVELS - 1 - queue->depth;
    bool any = false;
    yk_resvec_foreach(t, queue->has_guaranteed ? &queue->guaranteed : NULL)
    {
        double served = used_in_the_end(queue, t) / (double)yk_resvec_get(&queue->guaranteed, t);
        double part = 1 - YK_MIN(1.0, YK_MAX(0.0, served));
        product *= part;
        sum += part;
        any = true;
    }
    need->levels[level] += any ? product : 0;
    need->levels[NEED_LEVELS + level] += sum;
}

struct need need_of(const struct yk_queue *root)
{
    struct need need = {0};
    for (const struct yk_queue *queue = root; queue != NULL; queue = yk_queue_next(queue, root))
        add_need(queue, &need);
    return need;
}

int compare_needs(const struct need *a, const struct need *b)
{
    for (size_t i = 0; i < YK_COUNT(a->levels); i++) {
        double difference = a->levels[i] - b->levels[i];
        if (difference > 1e-10 || difference < -1e-10)
            return difference < 0 ? -1 : 1;
    }
    return 0;
}
