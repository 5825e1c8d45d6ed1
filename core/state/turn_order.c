/* SPDX-License-Identifier: Apache-2.0 */
#include "state/turn_order.h"

#include "policies/queue_order.h"

/* Compares the queue `above` with a queue below it; both have applications, because a reload has made a
 * leaf of a parent or a parent of a leaf. A leaf comes after the queues that are left below it, a parent
 * before them (rule R15). */
static int compare_with_ancestor(const struct yk_queue *above)
{
    return above->is_leaf ? 1 : -1;
}

int yk_turn_compare_leaves(const struct yk_queue *a, const struct yk_queue *b)
{
    const struct yk_queue *x = a, *y = b;
    yk_queue_find_siblings(&x, &y);
    if (x == y && a->depth != b->depth)
        return a->depth < b->depth ? compare_with_ancestor(a) : -compare_with_ancestor(b);
    return yk_queue_compare(x, y);
}

int yk_turn_compare_apps(const struct yk_app *a, const struct yk_app *b)
{
    if (a == b)
        return 0;
    return a->leaf == b->leaf ? yk_app_compare(a, b) : yk_turn_compare_leaves(a->leaf, b->leaf);
}

int yk_turn_compare(const struct yk_group *a, const struct yk_group *b)
{
    if (a == b)
        return 0;
    return a->app == b->app ? yk_group_compare(a, b) : yk_turn_compare_apps(a->app, b->app);
}
