/* SPDX-License-Identifier: Apache-2.0 */
#include "gangs/gang_order.h"

/* ---- what incomplete gangs hold ---- */

static void count_in(struct yk_queue *queue, uint64_t epoch, const struct yk_app *app, int32_t priority)
{
    if (queue->gangs.epoch != epoch) {
        queue->gangs.epoch = epoch;
        queue->gangs.priority = YK_PRIORITY_NONE;
        queue->gangs.oldest_wall_ns = INT64_MAX;
        yk_resvec_clear(&queue->gangs.held);
    }
    queue->gangs.priority = YK_MAX(queue->gangs.priority, priority);
    queue->gangs.oldest_wall_ns = YK_MIN(queue->gangs.oldest_wall_ns, app->submit_wall_ns);
    yk_resvec_add(&queue->gangs.held, &app->allocated_placeholder);
}

void yk_gang_order_begin(struct yk_partition *partition)
{
    partition->gang_waits.order_epoch++;
}

void yk_gang_order_count(const struct yk_gang *gang)
{
    uint64_t epoch = gang->app->partition->gang_waits.order_epoch;
    int32_t priority = gang->priority;
    for (struct yk_queue *queue = gang->app->leaf; queue != NULL; queue = queue->parent) {
        priority = yk_queue_effective_priority(queue, priority);
        count_in(queue, epoch, gang->app, priority);
    }
}

/* ---- the order ---- */

static struct yk_gang_standing compute_standing(const struct yk_queue *queue, uint64_t epoch)
{
    YK_RESVEC(used);
    YK_RESVEC(wanted);
    const struct yk_resvec *guaranteed = queue->has_guaranteed ? &queue->guaranteed : NULL;
    bool has_gangs = queue->gangs.epoch == epoch;
    struct yk_gang_standing standing = {
        .epoch = epoch, .priority = queue->priority, .oldest_wall_ns = INT64_MAX};
    yk_resvec_copy(&used, &queue->allocated);
    yk_resvec_copy(&wanted, &queue->pending);
    if (has_gangs) {
        yk_resvec_sub(&used, &queue->gangs.held);
        yk_resvec_add(&wanted, &queue->gangs.held);
        standing.priority = YK_MAX(standing.priority, queue->gangs.priority);
        standing.oldest_wall_ns = queue->gangs.oldest_wall_ns;
    }
    standing.is_below_guarantee = yk_resvec_is_below(&used, guaranteed, &wanted);
    standing.share = yk_resvec_fair_share(&used, guaranteed, queue->has_fair_max ? &queue->fair_max : NULL);
    return standing;
}

static struct yk_gang_standing standing_of(struct yk_queue *queue, const struct yk_app *app)
{
    uint64_t epoch = app->partition->gang_waits.order_epoch;
    if (queue->gangs.standing.epoch != epoch)
        queue->gangs.standing = compute_standing(queue, epoch);
    struct yk_gang_standing standing = queue->gangs.standing;
    standing.oldest_wall_ns = YK_MIN(standing.oldest_wall_ns, app->submit_wall_ns);
    return standing;
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

/* The queue on the path of the application that is a child of `above`. */
static struct yk_queue *child_below(const struct yk_app *app, const struct yk_queue *above)
{
    struct yk_queue *queue = app->leaf;
    while (queue->parent != above)
        queue = queue->parent;
    return queue;
}

static int order_queues(const struct yk_app *a, const struct yk_app *b, const struct yk_queue *above)
{
    struct yk_queue *queue_a = child_below(a, above), *queue_b = child_below(b, above);
    struct yk_gang_standing x = standing_of(queue_a, a), y = standing_of(queue_b, b);
    int by_priority = higher_first(x.priority, y.priority);
    if (by_priority != 0 && above->settings.priority_sort)
        return by_priority;
    if (x.is_below_guarantee != y.is_below_guarantee)
        return x.is_below_guarantee ? -1 : 1;
    if (x.share != y.share)
        return x.share < y.share ? -1 : 1;
    if (by_priority != 0)
        return by_priority;
    if (x.oldest_wall_ns != y.oldest_wall_ns)
        return x.oldest_wall_ns < y.oldest_wall_ns ? -1 : 1;
    return strcmp(queue_a->path, queue_b->path);
}

int yk_gang_order(const struct yk_claim *a, const struct yk_claim *b)
{
    const struct yk_queue *above = yk_queue_above_both(a->app->leaf, b->app->leaf);
    if (a->app->leaf == b->app->leaf)
        return order_in_leaf(a, b);
    if (above == a->app->leaf || above == b->app->leaf) /* a leaf that became a parent goes first */
        return above == a->app->leaf ? -1 : 1;
    return order_queues(a->app, b->app, above);
}

static int order_of_links(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return yk_gang_order_gangs(YK_CONTAINER(a, struct yk_gang, in_order),
                               YK_CONTAINER(b, struct yk_gang, in_order));
}

void yk_gang_order_init(struct yk_tree *tree)
{
    *tree = (struct yk_tree){.order = order_of_links};
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
