/* SPDX-License-Identifier: Apache-2.0 */
#include "web/pending_order.h"

#include "policies/queue_order.h"

enum {
    AT_ONCE = 512, /* most applications and queues that are collected in one step */
    APPS_PER_LOOK = 64,
    MOVES_PER_LOOK = 16,
};

void yk__pending_order_done(struct yk__pending_order *order)
{
    free(order->numbers);
    *order = (struct yk__pending_order){0};
}

static const struct yk_app *app_at(const struct yk_partition *partition, size_t number)
{
    return number < partition->apps_by_number.count ? partition->apps_by_number.items[number] : NULL;
}

/* ---- the order ---- */

static int compare_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_leaves(const struct yk_queue *a, const struct yk_queue *b)
{
    return a == b ? 0 : strcmp(a->path, b->path);
}

static bool comes_first(const struct yk__pending_order *order, const struct yk_app *a, const struct yk_app *b)
{
    int by = 0;
    /* An application that has ended comes first, so that it is soon out of the way. */
    if (a == NULL || b == NULL)
        return a == NULL && b != NULL;
    if (order->sort == YK__BY_PRIORITY)
        by = compare_i64(b->priority, a->priority);
    if (by == 0 && order->sort != YK__BY_POSITION)
        by = compare_i64(a->submit_wall_ns, b->submit_wall_ns);
    if (by == 0)
        by = compare_leaves(a->leaf, b->leaf);
    return by != 0 ? by < 0 : yk_app_compare(a, b) < 0;
}

/* Moves the number at index `at` down the heap, until the numbers below it come behind it. */
static void sink(struct yk__pending_order *order, const struct yk_partition *partition, size_t at)
{
    uint32_t number = order->numbers[at];
    const struct yk_app *app = app_at(partition, number);
    for (size_t child = 2 * at + 1; child < order->count; child = 2 * at + 1) {
        const struct yk_app *first = app_at(partition, order->numbers[child]);
        if (child + 1 < order->count) {
            const struct yk_app *second = app_at(partition, order->numbers[child + 1]);
            bool is_second = comes_first(order, second, first);
            child += is_second;
            first = is_second ? second : first;
        }
        if (!comes_first(order, first, app))
            break;
        order->numbers[at] = order->numbers[child];
        at = child;
    }
    order->numbers[at] = number;
}

/* ---- the collection ---- */

static void add(struct yk__pending_order *order, const struct yk_app *app)
{
    if (app->pending_groups.count == 0)
        return;
    if (order->count == order->capacity) {
        order->capacity = YK_MAX(order->capacity * 2, (size_t)64);
        order->numbers = yk_realloc_array(order->numbers, order->capacity, sizeof(*order->numbers));
    }
    order->numbers[order->count++] = app->number;
}

/* False: there are too many for one step. */
static bool collect_few(struct yk__pending_order *order, const struct yk_queue *top)
{
    const struct yk_app *app;
    size_t seen = 0;
    for (const struct yk_queue *queue = top; queue != NULL; queue = yk_queue_next(queue, top)) {
        if (++seen > AT_ONCE)
            return false;
        yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf) {
            if (++seen > AT_ONCE)
                return false;
            add(order, app);
        }
    }
    return true;
}

/* If there are many applications, looks at all of the partition, because then the place is not lost when
 * applications end or move. False: the slice is over. */
static bool collect(struct yk__pending_order *order, const struct yk_job *job,
                    const struct yk_partition *partition, const struct yk_queue *top, int64_t until_mono_ns)
{
    if (order->at == 0) {
        if (collect_few(order, top))
            return true;
        order->count = 0;
    }
    while (order->at < partition->apps_by_number.count) {
        const struct yk_app *app = app_at(partition, order->at++);
        if (app != NULL && yk_queue_is_in_branch(app->leaf, top))
            add(order, app);
        if (order->at % APPS_PER_LOOK == 0 && yk_job_must_pause(job, until_mono_ns))
            return false;
    }
    return true;
}

bool yk__pending_order_fill(struct yk__pending_order *order, const struct yk_job *job,
                            const struct yk_partition *partition, const struct yk_queue *top,
                            int64_t until_mono_ns)
{
    if (!order->is_collected) {
        if (!collect(order, job, partition, top, until_mono_ns))
            return false;
        order->is_collected = true;
        order->at = order->count / 2;
    }
    while (order->at > 0) {
        sink(order, partition, --order->at);
        if (order->at % MOVES_PER_LOOK == 0 && yk_job_must_pause(job, until_mono_ns))
            return false;
    }
    return true;
}

/* ---- one after the other ---- */

static const struct yk_app *wanted(const struct yk_app *app, const struct yk_queue *top)
{
    return app != NULL && yk_queue_is_in_branch(app->leaf, top) ? app : NULL;
}

const struct yk_app *yk__pending_order_next(struct yk__pending_order *order,
                                            const struct yk_partition *partition, const struct yk_queue *top)
{
    sink(order, partition, 0); /* the last call has put another number at index 0, or the order has changed */
    const struct yk_app *app = app_at(partition, order->numbers[0]);
    order->numbers[0] = order->numbers[--order->count];
    return wanted(app, top);
}

const struct yk_app *yk__pending_order_any(struct yk__pending_order *order,
                                           const struct yk_partition *partition, const struct yk_queue *top)
{
    return wanted(app_at(partition, order->numbers[--order->count]), top);
}
