/* SPDX-License-Identifier: Apache-2.0 */
#include "report/unclaimed.h"

#include "report/refusal.h"

/* True: the walk needs this limit for the first time, and the caller has to set `left`. */
static bool is_first_visit(struct yk_unclaimed **unclaimed, uint64_t walk)
{
    if (*unclaimed == NULL)
        *unclaimed = yk_new0(struct yk_unclaimed);
    if ((*unclaimed)->walk == walk)
        return false;
    (*unclaimed)->walk = walk;
    return true;
}

/* What the walk has left of the headroom of the queue; NULL: no limit. */
static struct yk_resvec *left_of_queue(struct yk_queue *queue, uint64_t walk)
{
    if (!queue->has_max || queue->parent == NULL)
        return NULL;
    if (is_first_visit(&queue->report.unclaimed, walk))
        yk_queue_own_headroom(queue, &queue->report.unclaimed->left);
    return &queue->report.unclaimed->left;
}

static struct yk_resvec *left_of_usage(struct yk_usage *usage, uint64_t walk)
{
    if (usage->limit == NULL || !usage->limit->has_resources)
        return NULL;
    if (is_first_visit(&usage->unclaimed, walk))
        yk_usage_own_headroom(usage, &usage->unclaimed->left);
    return &usage->unclaimed->left;
}

/* How many asks of `size`, `most` of them at most, fit into `left` (NULL: no limit). */
static uint32_t count_fitting(const struct yk_resvec *left, const struct yk_resvec *size, uint32_t most)
{
    uint64_t count = most;
    yk_resvec_foreach_common(t, left, size)
    {
        int64_t amount = yk_resvec_get(size, t);
        if (amount > 0)
            count = YK_MIN(count, (uint64_t)(YK_MAX(yk_resvec_get(left, t), 0) / amount));
    }
    return (uint32_t)count;
}

struct answer {
    const struct yk_resvec *size;
    uint32_t asks, fitting;
    struct yk_refusal beyond;
};

/* Lowers the number of fitting asks to what the limit allows. If several limits allow the same number, the
 * refusal is that of the last one. */
static void narrow(struct answer *answer, const struct yk_resvec *left, struct yk_refusal refusal)
{
    uint32_t count = count_fitting(left, answer->size, answer->asks);
    if (count == answer->asks || count > answer->fitting)
        return;
    answer->fitting = count;
    answer->beyond = refusal;
}

static void narrow_by_usages(struct answer *answer, struct yk_usage *usage, uint64_t walk)
{
    for (; usage != NULL; usage = usage->parent)
        narrow(answer, left_of_usage(usage, walk), yk_refusal_by_usage(usage));
}

static void narrow_by_queues(struct answer *answer, struct yk_queue *queue, uint64_t walk)
{
    for (; queue != NULL; queue = queue->parent)
        narrow(answer, left_of_queue(queue, walk), yk_refusal_by_queue(queue));
}

static void take(struct yk_resvec *left, const struct yk_resvec *amount)
{
    if (left != NULL)
        yk_resvec_sub_existing(left, amount);
}

static void take_from_all(const struct yk_app *app, const struct yk_resvec *amount, uint64_t walk)
{
    for (struct yk_queue *queue = app->leaf; queue != NULL; queue = queue->parent)
        take(left_of_queue(queue, walk), amount);
    for (struct yk_usage *usage = app->limit.user; usage != NULL; usage = usage->parent)
        take(left_of_usage(usage, walk), amount);
    for (struct yk_usage *usage = app->limit.group; usage != NULL; usage = usage->parent)
        take(left_of_usage(usage, walk), amount);
}

uint32_t yk_unclaimed_claim(const struct yk_group *group, uint64_t walk, struct yk_refusal *ret_beyond)
{
    const struct yk_app *app = group->app;
    struct answer answer = {.size = &group->shape->size,
                            .asks = (uint32_t)group->asks.count,
                            .fitting = (uint32_t)group->asks.count,
                            .beyond = {YK_REFUSAL_NONE, 0}};
    /* In this order, because the last one of several limits that allow the same number is reported: a queue
     * rather than a user, a user rather than a group. */
    narrow_by_usages(&answer, app->limit.group, walk);
    narrow_by_usages(&answer, app->limit.user, walk);
    narrow_by_queues(&answer, app->leaf, walk);
    if (answer.fitting > 0) {
        YK_RESVEC(amount);
        yk_resvec_copy(&amount, answer.size);
        yk_resvec_mul(&amount, answer.fitting);
        take_from_all(app, &amount, walk);
    }
    *ret_beyond = answer.beyond;
    return answer.fitting;
}
