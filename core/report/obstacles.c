/* SPDX-License-Identifier: Apache-2.0 */
#include "report/obstacles.h"

#include "report/refusal.h"

struct listing {
    yk_obstacle_sink *sink;
    void *context;
    struct yk_why first;
};

/* Calls the sink, unless the obstacle is the first one, which was listed before. */
static void list(struct listing *listing, struct yk_why why)
{
    const struct yk_why *first = &listing->first;
    bool same_limit = why.queue != NULL && why.queue == first->queue && why.usage == first->usage;
    bool is_number = why.reason == YK_REASON_QUEUE_MAX_APPS || why.reason == YK_REASON_USER_MAX_APPS ||
                     why.reason == YK_REASON_GROUP_MAX_APPS;
    bool first_is_number = first->reason == YK_REASON_QUEUE_MAX_APPS ||
                           first->reason == YK_REASON_USER_MAX_APPS ||
                           first->reason == YK_REASON_GROUP_MAX_APPS;
    if ((same_limit && is_number == first_is_number && why.one_at_a_time == first->one_at_a_time) ||
        (why.queue == NULL && why.reason == first->reason))
        return;
    why.is_listed = true;
    listing->sink(listing->context, &why);
}

static void list_usages(struct listing *listing, const struct yk_usage *usage, enum yk_si_reason reason)
{
    for (; usage != NULL; usage = usage->parent) {
        if (!yk_usage_has_own_slot(usage))
            list(listing, (struct yk_why){.reason = reason, .queue = usage->queue, .usage = usage});
    }
}

/* Whether the stateaware leaf has skipped this application, which cannot start at present, and starts another
 * one. */
static bool will_wait_to_start(const struct yk_app *app)
{
    const struct yk_queue *leaf = app->leaf;
    return yk_list_linked(&app->start.in_impossible) && leaf->settings.app_sort == YK_APP_SORT_STATEAWARE &&
           (leaf->apps_by_state[YK_APP_STARTING] > 0 ||
            (leaf->start.may_start != NULL && leaf->start.may_start != app));
}

static void list_numbers(struct listing *listing, const struct yk_app *app)
{
    const struct yk_queue *queue;
    if (app->state != YK_APP_ACCEPTED)
        return;
    for (queue = app->leaf; queue != NULL && !app->allocating_accepted; queue = queue->parent) {
        if (!yk_queue_has_own_slot(queue))
            list(listing, (struct yk_why){.reason = YK_REASON_QUEUE_MAX_APPS, .queue = queue});
    }
    if (!app->limit.counted) {
        list_usages(listing, app->limit.user, YK_REASON_USER_MAX_APPS);
        list_usages(listing, yk_usage_group_to_be(&app->partition->usages, app), YK_REASON_GROUP_MAX_APPS);
    }
    if (yk_refusal_waits_to_start(app) || will_wait_to_start(app))
        list(listing,
             (struct yk_why){.reason = YK_REASON_QUEUE_MAX_APPS, .queue = app->leaf, .one_at_a_time = true});
}

static void list_limit(void *context, const struct yk_why *why)
{
    list(context, *why);
}

static bool is_about_nodes(enum yk_si_reason reason)
{
    return reason == YK_REASON_NODE_RESOURCES || reason == YK_REASON_PREDICATES ||
           reason == YK_REASON_VOLUMES || reason == YK_REASON_RESERVED;
}

/* With more nodes, the filters of a class that was never tried are not run: that would take too long. */
enum { UNKNOWN_CLASS_NODES_MAX = 5000 };

/* Whether asks of the group wait for placeholders, which they replace, and not for nodes. */
static bool waits_for_placeholders(const struct yk_group *group)
{
    return !group->placeholders && group->task_group != NULL && yk_task_group_open(group->task_group) > 0;
}

bool yk_obstacles_may_be_nodes(const struct yk_ask *ask)
{
    const struct yk_class *class_ = ask->group->shape->class_;
    bool is_tried = class_ == NULL || class_->filled;
    return !waits_for_placeholders(ask->group) &&
           (is_tried || yk_ask_app(ask)->partition->node_count <= UNKNOWN_CLASS_NODES_MAX);
}

static void list_nodes(struct listing *listing, const struct yk_ask *ask, struct yk_node_looks *looks)
{
    struct yk_why why = {.has_look = true};
    if (is_about_nodes(listing->first.reason) || !yk_obstacles_may_be_nodes(ask))
        return;
    yk_node_look_shared(looks, ask->group, &why.look);
    why.reason = yk_why_of_look(ask, &why.look);
    if (why.reason != YK_REASON_NOT_ATTEMPTED)
        list(listing, why);
}

void yk_obstacles_of_ask(const struct yk_ask *ask, const struct yk_why *why, struct yk_node_looks *looks,
                         yk_obstacle_sink *sink, void *context)
{
    const struct yk_app *app = yk_ask_app(ask);
    struct listing listing = {.sink = sink, .context = context, .first = *why};
    struct yk_why first = *why;
    first.is_listed = true;
    sink(context, &first);
    if (first.reason == YK_REASON_PREEMPTION || first.reason == YK_REASON_NOT_ATTEMPTED)
        return; /* nothing has to change: the ask starts soon, or is tried in its turn */
    list_numbers(&listing, app);
    yk_why_each_limit(ask, list_limit, &listing);
    struct yk_why claimed = yk_why_claimed(ask);
    if (claimed.reason != YK_REASON_NONE)
        list(&listing, claimed);
    if (yk_timer_armed(&app->backoff.pause))
        list(&listing, (struct yk_why){.reason = YK_REASON_BACKOFF});
    if (waits_for_placeholders(ask->group))
        list(&listing, (struct yk_why){.reason = YK_REASON_GANG});
    else
        list_nodes(&listing, ask, looks);
}
