/* SPDX-License-Identifier: Apache-2.0 */
#include "policies/queue_order.h"

#include "policies/policies_priv.h"

static int compare_double(double a, double b)
{
    return (a > b) - (a < b);
}
static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}
static int higher_first(int32_t a, int32_t b)
{
    return (a < b) - (a > b);
}

int yk_queue_compare_ranks(const struct yk_queue *a, const struct yk_queue *b)
{
    int order = a->parent->settings.priority_sort ? higher_first(a->priority, b->priority) : 0;
    return order != 0 ? order : b->is_below_guarantee - a->is_below_guarantee;
}

int yk_queue_compare(const struct yk_queue *a, const struct yk_queue *b)
{
    int order = yk_queue_compare_ranks(a, b);
    if (order == 0)
        order = compare_double(a->share, b->share);
    if (order == 0) /* equal already if the parent sorts by priority */
        order = higher_first(a->priority, b->priority);
    if (order == 0)
        order = compare_u64(a->served, b->served);
    if (order == 0)
        order = compare_double(b->pending_sum, a->pending_sum);
    return order != 0 ? order : strcmp(a->path, b->path);
}

int yk_queue_order(const struct yk_tree_link *x, const struct yk_tree_link *y)
{
    return yk_queue_compare(YK_CONTAINER(x, struct yk_queue, in_active),
                            YK_CONTAINER(y, struct yk_queue, in_active));
}

#define ROW(symbol, name, ...) [YK_APP_SORT_##symbol] = yk__app_order_##name,
static int (*const app_orders[])(const struct yk_app *a,
                                 const struct yk_app *b) = {YK_APP_SORTS(ROW, ROW, ROW)};
#undef ROW

int yk_app_compare(const struct yk_app *a, const struct yk_app *b)
{
    const struct yk_queue_settings *settings = &a->leaf->settings;
    int by_priority = higher_first(a->priority, b->priority);
    int order = settings->priority_sort ? by_priority : 0;
    if (order == 0)
        order = app_orders[settings->app_sort](a, b);
    if (order == 0 && !settings->priority_sort)
        order = by_priority;
    if (order == 0)
        order = yk__app_order_fifo(a, b);
    return order != 0 ? order : strcmp(a->id, b->id);
}

int yk_app_order(const struct yk_tree_link *x, const struct yk_tree_link *y)
{
    return yk_app_compare(YK_CONTAINER(x, struct yk_app, in_active),
                          YK_CONTAINER(y, struct yk_app, in_active));
}
