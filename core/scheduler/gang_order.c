/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/gang_order.h"

#include "scheduler/gang_wait.h"

static void held_by(const struct yk_app *app, struct yk_resvec *ret_held)
{
    yk_resvec_clear(ret_held);
    if (app->gang != NULL && yk_gang_is_incomplete(app->gang))
        yk_resvec_copy(ret_held, &app->allocated_placeholder);
}

struct standing { /* of a queue, without what the application holds */
    bool is_below_guarantee;
    double share;
};

static struct standing standing_without(const struct yk_queue *queue, const struct yk_app *app)
{
    YK_RESVEC(used);
    YK_RESVEC(held);
    YK_RESVEC(wanted);
    const struct yk_resvec *guaranteed = queue->has_guaranteed ? &queue->guaranteed : NULL;
    yk_resvec_copy(&used, &queue->allocated);
    yk_resvec_copy(&wanted, &queue->pending);
    held_by(app, &held);
    yk_resvec_sub(&used, &held);
    yk_resvec_add(&wanted, &held);
    return (struct standing){
        .is_below_guarantee = yk_resvec_is_below(&used, guaranteed, &wanted),
        .share = yk_resvec_fair_share(&used, guaranteed, queue->has_fair_max ? &queue->fair_max : NULL),
    };
}

static int order_in_time(const struct yk_app *a, const struct yk_app *b)
{
    if (a->submit_wall_ns != b->submit_wall_ns)
        return a->submit_wall_ns < b->submit_wall_ns ? -1 : 1;
    return strcmp(a->id, b->id);
}

static int higher_first(int32_t a, int32_t b)
{
    return (a < b) - (a > b);
}

static int order_in_leaf(const struct yk_claim *a, const struct yk_claim *b)
{
    int by_priority = higher_first(a->priority, b->priority);
    if (by_priority != 0 && a->app->leaf->settings.priority_sort)
        return by_priority;
    return order_in_time(a->app, b->app);
}

/* The queue on the path of the claim that is a child of `above`, and the priority `above` sees for it. */
static const struct yk_queue *child_below(const struct yk_claim *claim, const struct yk_queue *above,
                                          int32_t *ret_priority)
{
    const struct yk_queue *queue = claim->app->leaf;
    *ret_priority = yk_queue_effective_priority(queue, claim->priority);
    for (; queue->parent != above; queue = queue->parent)
        *ret_priority = yk_queue_effective_priority(queue->parent, *ret_priority);
    return queue;
}

int yk_gang_order(const struct yk_claim *a, const struct yk_claim *b)
{
    const struct yk_queue *above = yk_queue_above_both(a->app->leaf, b->app->leaf);
    int32_t priority_a, priority_b;
    if (above == a->app->leaf)
        return order_in_leaf(a, b);
    const struct yk_queue *queue_a = child_below(a, above, &priority_a),
                          *queue_b = child_below(b, above, &priority_b);
    int by_priority = higher_first(priority_a, priority_b);
    if (by_priority != 0 && above->settings.priority_sort)
        return by_priority;
    struct standing x = standing_without(queue_a, a->app), y = standing_without(queue_b, b->app);
    if (x.is_below_guarantee != y.is_below_guarantee)
        return x.is_below_guarantee ? -1 : 1;
    if (x.share != y.share)
        return x.share < y.share ? -1 : 1;
    return by_priority != 0 ? by_priority : order_in_time(a->app, b->app);
}

struct yk_claim yk_gang_claim(const struct yk_gang *gang)
{
    return (struct yk_claim){gang->app, gang->priority};
}

int yk_gang_order_gangs(const void *x, const void *y)
{
    struct yk_claim a = yk_gang_claim(x), b = yk_gang_claim(y);
    return yk_gang_order(&a, &b);
}
