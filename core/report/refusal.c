/* SPDX-License-Identifier: Apache-2.0 */
#include "report/refusal.h"

#include "state/limit_held.h"

static struct yk_refusal by_queue(enum yk_refusal_kind kind, const struct yk_queue *queue)
{
    return (struct yk_refusal){.kind = kind, .depth = queue->depth};
}

static struct yk_refusal by_usage(enum yk_refusal_kind of_user, enum yk_refusal_kind of_group,
                                  const struct yk_usage *usage)
{
    return by_queue(usage->tracker->is_group ? of_group : of_user, usage->queue);
}

struct yk_refusal yk_refusal_by_queue(const struct yk_queue *queue)
{
    return by_queue(YK_REFUSAL_QUEUE, queue);
}

struct yk_refusal yk_refusal_by_usage(const struct yk_usage *usage)
{
    return by_usage(YK_REFUSAL_USER, YK_REFUSAL_GROUP, usage);
}

static struct yk_refusal of_gate(const struct yk_app *app)
{
    struct yk_queue *queue = NULL;
    if (app->state != YK_APP_ACCEPTED)
        return (struct yk_refusal){YK_REFUSAL_NONE, 0};
    if (!yk_queue_may_start_app(app->leaf, app->allocating_accepted, &queue))
        return by_queue(YK_REFUSAL_QUEUE_APPS, queue);
    const struct yk_usage *usage = yk_usage_without_slot(app);
    if (usage != NULL)
        return by_usage(YK_REFUSAL_USER_APPS, YK_REFUSAL_GROUP_APPS, usage);
    return (struct yk_refusal){YK_REFUSAL_NONE, 0};
}

struct yk_refusal yk_refusal_of(const struct yk_group *group)
{
    const struct yk_app *app = group->app;
    const struct yk_usage *usage = NULL;
    const struct yk_gang *gang = yk_refusal_gang(group);
    if (gang != NULL && gang->exceeds_limit)
        return (struct yk_refusal){YK_REFUSAL_GANG, 0};
    if (yk_refusal_gates(app))
        return of_gate(app);
    if (yk_refusal_waits_to_start(app))
        return by_queue(YK_REFUSAL_START, app->leaf);
    if (group->wait == YK_WAIT_PLACEHOLDER)
        return (struct yk_refusal){YK_REFUSAL_PLACEHOLDER, 0};
    if (group->wait == YK_WAIT_REQUIRED_NODE)
        return (struct yk_refusal){YK_REFUSAL_REQUIRED_NODE, 0};
    if (group->wait == YK_WAIT_QUEUE_QUOTA)
        return yk_refusal_by_queue(group->waits_for);
    if (group->wait == YK_WAIT_USER_QUOTA) {
        usage = yk_usage_without_headroom(app, &group->shape->size);
        if (usage == NULL) /* the free amounts are held for an earlier group */
            usage = yk_limit_held_usage(group);
    }
    return usage != NULL ? yk_refusal_by_usage(usage) : (struct yk_refusal){YK_REFUSAL_NONE, 0};
}

/* The queue of that depth on the path of the leaf; the leaf itself if there is none as deep. */
static const struct yk_queue *queue_at(const struct yk_queue *leaf, uint32_t depth)
{
    while (leaf->depth > depth && leaf->parent != NULL)
        leaf = leaf->parent;
    return leaf;
}

static const char *group_name(const struct yk_app *app)
{
    return app->limit.group != NULL ? app->limit.group->tracker->name : "";
}

void yk_refusal_text(const struct yk_group *group, struct yk_refusal refusal, struct yk_buf *text)
{
    static const char apps[] = "maximum of running applications of";
    const struct yk_app *app = group->app;
    const char *queue = queue_at(app->leaf, refusal.depth)->path;
    switch (refusal.kind) {
    case YK_REFUSAL_NONE:
        break;
    case YK_REFUSAL_GANG:
        yk_buf_printf(text, "gang can never start: it %s", group->task_group->gang->never_fits_why);
        break;
    case YK_REFUSAL_START:
        yk_buf_printf(text, "queue '%s' starts one application at a time", app->leaf->path);
        break;
    case YK_REFUSAL_PLACEHOLDER:
        yk_buf_text(text, "placeholder that it replaces has no node yet");
        break;
    case YK_REFUSAL_REQUIRED_NODE:
        yk_buf_printf(text, "node '%s', the only one that it may use, does not take it",
                      group->required_node);
        break;
    case YK_REFUSAL_QUEUE:
        yk_buf_printf(text, "quota of queue '%s' has been exceeded", queue);
        break;
    case YK_REFUSAL_USER:
        yk_buf_printf(text, "limit of user '%s' in queue '%s' has been exceeded", app->user, queue);
        break;
    case YK_REFUSAL_GROUP:
        yk_buf_printf(text, "limit of group '%s' in queue '%s' has been exceeded", group_name(app), queue);
        break;
    case YK_REFUSAL_QUEUE_APPS:
        yk_buf_printf(text, "%s queue '%s' has been reached", apps, queue);
        break;
    case YK_REFUSAL_USER_APPS:
        yk_buf_printf(text, "%s user '%s' in queue '%s' has been reached", apps, app->user, queue);
        break;
    case YK_REFUSAL_GROUP_APPS:
        yk_buf_printf(text, "%s group '%s' in queue '%s' has been reached", apps, group_name(app), queue);
        break;
    }
}
