/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/prefetch.h"

#include "pending/active.h"

/* Starts to load `bytes` bytes of `object`, from offset `at` on, into the cache. */
static void fetch(const void *object, size_t at, size_t bytes)
{
    uintptr_t from = (uintptr_t)object + at;
    for (uintptr_t line = from & ~(uintptr_t)(YK_LINE_BYTES - 1); line < from + bytes; line += YK_LINE_BYTES)
        __builtin_prefetch((const void *)line);
}

/* Starts to load the first cache line of a vector: the types that most asks use. */
static void fetch_amounts(const struct yk_resvec *amounts)
{
    fetch(amounts, 0, YK_LINE_BYTES);
}

/* This function and the next ones start to load the fields that a decision reads. */
static void fetch_queue(const struct yk_queue *queue)
{
    fetch(queue, 0, offsetof(struct yk_queue, allocated));
    fetch_amounts(&queue->allocated);
    fetch_amounts(&queue->pending);
    fetch_amounts(&queue->fair_max);
}

static void fetch_app(const struct yk_app *app)
{
    fetch(app, 0, offsetof(struct yk_app, start.in_accepted));
    fetch_amounts(&app->allocated);
    fetch_amounts(&app->pending);
    fetch_amounts(&app->max_used);
}

static void fetch_group(const struct yk_app *app)
{
    const struct yk_group *group = yk_active_first_group(app);
    if (group != NULL)
        fetch(group, 0, sizeof(*group));
    fetch(app->limit.user, 0, offsetof(struct yk_usage, allocated) + YK_LINE_BYTES);
    fetch(app->leaf->path, 0, 1);
    fetch(app->id, 0, 1);
}

static void fetch_ask(const struct yk_app *app)
{
    const struct yk_group *group = yk_active_first_group(app);
    if (group != NULL && group->first != NULL)
        fetch(group->first, 0, sizeof(*group->first));
}

/* The neighbours of the ask in its tree. Their links change when the ask is removed. */
static void fetch_beside_ask(const struct yk_app *app)
{
    const struct yk_group *group = yk_active_first_group(app);
    const struct yk_tree_link *ask = group != NULL && group->first != NULL ? &group->first->in_group : NULL;
    if (ask == NULL)
        return;
    if (ask->parent != NULL)
        fetch(ask->parent, 0, sizeof(*ask));
    if (ask->right != NULL)
        fetch(ask->right, 0, sizeof(*ask));
}

static const struct yk_app *first_app(const struct yk_tree_link *link)
{
    const struct yk_queue *queue = YK_CONTAINER(link, struct yk_queue, in_active);
    return yk_active_first_app(queue);
}

void yk_prefetch_queues(const struct yk_tree *queues, const struct yk_tree_link *first)
{
    static void (*const steps[])(const struct yk_app *app) = {fetch_beside_ask, fetch_ask, fetch_group,
                                                              fetch_app};
    enum { MANY = 256 };
    const struct yk_tree_link *next = queues->count < MANY ? NULL : yk_tree_next(first);
    for (size_t i = 0; i < YK_COUNT(steps) && next != NULL; i++) {
        const struct yk_app *app = first_app(next);
        if (app != NULL)
            steps[i](app);
        next = yk_tree_next(next);
    }
    if (next != NULL)
        fetch_queue(YK_CONTAINER(next, struct yk_queue, in_active));
}
