/* SPDX-License-Identifier: Apache-2.0 */
#include "report/reason.h"

#include "objects/reservation.h"
#include "report/refusal.h"
#include "report/rm_calls.h"
#include "state/core.h"
#include "state/limit_held.h"

static struct yk_why because(enum yk_si_reason reason)
{
    return (struct yk_why){.reason = reason};
}

static struct yk_why by_queue(enum yk_si_reason reason, const struct yk_queue *queue)
{
    return (struct yk_why){.reason = reason, .queue = queue};
}

static struct yk_why by_usage(enum yk_si_reason of_user, enum yk_si_reason of_group,
                              const struct yk_usage *usage)
{
    return (struct yk_why){
        .reason = usage->tracker->is_group ? of_group : of_user, .queue = usage->queue, .usage = usage};
}

/* ---- applications ---- */

/* The maximum of running applications that kept the application from starting at the last attempt, and still
 * does; YK_REASON_NONE: there is none. */
static struct yk_why of_gate(const struct yk_app *app)
{
    struct yk_queue *queue = NULL;
    if (!yk_refusal_gates(app) || app->state != YK_APP_ACCEPTED)
        return because(YK_REASON_NONE);
    if (!yk_queue_may_start_app(app->leaf, app->allocating_accepted, &queue))
        return by_queue(YK_REASON_QUEUE_MAX_APPS, queue);
    const struct yk_usage *usage = yk_usage_without_slot(app);
    if (usage != NULL)
        return by_usage(YK_REASON_USER_MAX_APPS, YK_REASON_GROUP_MAX_APPS, usage);
    return because(YK_REASON_NONE);
}

struct yk_why yk_why_of_app(const struct yk_app *app)
{
    if (app->state == YK_APP_REJECTED)
        return because(YK_REASON_REJECTED);
    if (app->leaf == NULL)
        return because(YK_REASON_NONE);
    if (app->partition->state == YK_STATE_STOPPED)
        return by_queue(YK_REASON_QUEUE_STOPPED, app->partition->root);
    struct yk_why why = of_gate(app);
    if (why.reason == YK_REASON_NONE && yk_refusal_waits_to_start(app)) {
        why = by_queue(YK_REASON_QUEUE_MAX_APPS, app->leaf);
        why.one_at_a_time = true;
    }
    return why;
}

/* ---- limits of amounts ---- */

static bool queue_refuses(const struct yk_queue *queue, const struct yk_resvec *size)
{
    YK_RESVEC(headroom);
    if (queue->parent == NULL || !queue->has_max)
        return false;
    yk_queue_own_headroom(queue, &headroom);
    return !yk_resvec_fit_undef(&headroom, size);
}

static bool usage_refuses(const struct yk_usage *usage, const struct yk_resvec *size)
{
    YK_RESVEC(headroom);
    if (usage->limit == NULL || !usage->limit->has_resources)
        return false;
    yk_usage_own_headroom(usage, &headroom);
    return !yk_resvec_fit_undef(&headroom, size);
}

static const struct yk_queue *exceeded_queue(const struct yk_queue *queue, const struct yk_resvec *size)
{
    const struct yk_queue *found = NULL;
    for (; queue->parent != NULL; queue = queue->parent) {
        if (queue->has_max && !yk_resvec_fit_undef(&queue->max, size))
            found = queue;
    }
    return found;
}

struct yk_why yk_why_maximum_below(const struct yk_app *app, const struct yk_resvec *size)
{
    const struct yk_queue *queue = exceeded_queue(app->leaf, size);
    const struct yk_usage *usage = NULL;
    if (queue != NULL)
        return by_queue(YK_REASON_EXCEEDS_MAX, queue);
    usage = yk_usage_exceeded(app->limit.user, size);
    if (usage == NULL)
        usage = yk_usage_exceeded(app->limit.group, size);
    return usage == NULL ? because(YK_REASON_NONE)
                         : by_usage(YK_REASON_EXCEEDS_MAX, YK_REASON_EXCEEDS_MAX, usage);
}

bool yk_why_exceeds_max(const struct yk_ask *ask)
{
    return yk_why_maximum_below(ask->group->app, yk_ask_size(ask)).reason != YK_REASON_NONE;
}

static const struct yk_queue *refusing_queue(const struct yk_queue *queue, const struct yk_resvec *size)
{
    const struct yk_queue *found = NULL;
    for (; queue != NULL; queue = queue->parent) {
        if (queue_refuses(queue, size))
            found = queue;
    }
    return found;
}

/* The limit that has no headroom for `size`; YK_REASON_NONE: there is none. Of several limits, that of a queue
 * comes first, then that of the user, then that of the group of users. */
static struct yk_why of_headroom_for(const struct yk_app *app, const struct yk_resvec *size)
{
    const struct yk_queue *queue = refusing_queue(app->leaf, size);
    if (queue != NULL)
        return by_queue(YK_REASON_QUEUE_QUOTA, queue);
    const struct yk_usage *usage = yk_usage_without_headroom(app, size);
    return usage == NULL ? because(YK_REASON_NONE)
                         : by_usage(YK_REASON_USER_QUOTA, YK_REASON_GROUP_QUOTA, usage);
}

static struct yk_why of_headroom(const struct yk_group *group)
{
    return of_headroom_for(group->app, &group->shape->size);
}

/* The limit that refuses the group; call it only if the last attempt for the group ended at a limit. If all
 * limits have headroom, it is one that an earlier group holds. YK_REASON_NONE: no limit refuses the group any
 * longer. */
static struct yk_why of_quota(const struct yk_group *group)
{
    const struct yk_app *app = group->app;
    const struct yk_resvec *size = &group->shape->size;
    struct yk_why why = of_headroom(group);
    const struct yk_usage *usage = NULL;
    if (why.reason != YK_REASON_NONE)
        return why;
    const struct yk_queue *queue = yk_limit_held_queue(app, group, size);
    if (queue == NULL)
        usage = yk_limit_held_usage(group);
    if (queue != NULL)
        why = by_queue(YK_REASON_QUEUE_QUOTA, queue);
    else if (usage != NULL)
        why = by_usage(YK_REASON_USER_QUOTA, YK_REASON_GROUP_QUOTA, usage);
    why.is_held = true;
    return why;
}

static const struct yk_queue *queue_at(const struct yk_queue *leaf, uint32_t depth)
{
    while (leaf->depth > depth && leaf->parent != NULL)
        leaf = leaf->parent;
    return leaf;
}

static const struct yk_usage *usage_at(const struct yk_usage *usage, uint32_t depth)
{
    while (usage != NULL && usage->queue->depth > depth)
        usage = usage->parent;
    return usage;
}

/* The reason for the asks that lack a node and for which the limit `refusal` has no headroom left, because
 * earlier asks that lack nodes have claimed it (report/unclaimed.h). YK_REASON_NONE: there are no such
 * asks. */
static struct yk_why of_beyond(const struct yk_app *app, struct yk_refusal refusal)
{
    struct yk_why why = because(YK_REASON_NONE);
    const struct yk_usage *usage = refusal.kind == YK_REFUSAL_USER ? app->limit.user : app->limit.group;
    usage = usage_at(usage, refusal.depth);
    if (refusal.kind == YK_REFUSAL_QUEUE)
        why = by_queue(YK_REASON_QUEUE_QUOTA, queue_at(app->leaf, refusal.depth));
    else if ((refusal.kind == YK_REFUSAL_USER || refusal.kind == YK_REFUSAL_GROUP) && usage != NULL)
        why = by_usage(YK_REASON_USER_QUOTA, YK_REASON_GROUP_QUOTA, usage);
    why.is_shared = why.reason != YK_REASON_NONE;
    return why;
}

static struct yk_refusal by_limit(const struct yk_group *group, const struct yk_why *why)
{
    const struct yk_gang *gang = yk_refusal_gang(group);
    if (gang != NULL && gang->exceeds_limit)
        return (struct yk_refusal){YK_REFUSAL_GANG, 0};
    if (why->usage != NULL)
        return yk_refusal_by_usage(why->usage);
    return why->queue != NULL ? yk_refusal_by_queue(why->queue) : (struct yk_refusal){YK_REFUSAL_NONE, 0};
}

static struct yk_refusal by_place(const struct yk_group *group)
{
    struct yk_refusal refusal = yk_refusal_of(group);
    bool is_place = refusal.kind == YK_REFUSAL_PLACEHOLDER || refusal.kind == YK_REFUSAL_REQUIRED_NODE;
    return is_place ? refusal : (struct yk_refusal){YK_REFUSAL_NONE, 0};
}

struct yk_refusal yk_why_refusal(const struct yk_group *group, const struct yk_why *why)
{
    switch (why->reason) {
    case YK_REASON_QUEUE_QUOTA:
    case YK_REASON_USER_QUOTA:
    case YK_REASON_GROUP_QUOTA:
    case YK_REASON_EXCEEDS_MAX:
        return by_limit(group, why);
    case YK_REASON_QUEUE_MAX_APPS:
        return (struct yk_refusal){why->one_at_a_time ? YK_REFUSAL_START : YK_REFUSAL_QUEUE_APPS,
                                   why->queue->depth};
    case YK_REASON_USER_MAX_APPS:
        return (struct yk_refusal){YK_REFUSAL_USER_APPS, why->queue->depth};
    case YK_REASON_GROUP_MAX_APPS:
        return (struct yk_refusal){YK_REFUSAL_GROUP_APPS, why->queue->depth};
    case YK_REASON_NONE:
    case YK_REASON_GATED:
    case YK_REASON_REJECTED:
    case YK_REASON_QUEUE_STOPPED:
    case YK_REASON_PREEMPTION:
        return (struct yk_refusal){YK_REFUSAL_NONE, 0};
    case YK_REASON_GANG:
    case YK_REASON_BACKOFF:
    case YK_REASON_NODE_RESOURCES:
    case YK_REASON_PREDICATES:
    case YK_REASON_VOLUMES:
    case YK_REASON_RESERVED:
    case YK_REASON_NOT_ATTEMPTED:
        break;
    }
    return by_place(group);
}

/* ---- nodes ---- */

/* What the resource manager has stored about nodes. */
static struct yk_si_node_reason stored_for(const struct yk_ask *ask)
{
    const struct yk_rm *rm = yk_ask_app(ask)->partition->rm;
    if (rm->callbacks.node_reason == NULL)
        return (struct yk_si_node_reason){.told = YK_REASON_NONE};
    return rm->callbacks.node_reason(rm->context, ask->cookie);
}

static bool waits_for_nodes(const struct yk_group *group)
{
    return group->wait == YK_WAIT_NODES || group->wait == YK_WAIT_REQUIRED_NODE ||
           yk_list_linked(&group->app->start.in_impossible);
}

/* The reason of an ask for which a node is free. If nothing is stored, but the ask has been tried, filters
 * refuse the node. */
static enum yk_si_reason beside_free_node(const struct yk_ask *ask, struct yk_si_node_reason stored)
{
    if (stored.filter != YK_REASON_NONE)
        return stored.filter;
    bool has_constraints = ask->group->shape->class_ != NULL;
    bool is_refused = stored.found == YK_REASON_NONE && has_constraints && waits_for_nodes(ask->group);
    return is_refused ? YK_REASON_PREDICATES : YK_REASON_NOT_ATTEMPTED;
}

enum yk_si_reason yk_why_of_look(const struct yk_ask *ask, const struct yk_node_look *look)
{
    struct yk_si_node_reason stored = stored_for(ask);
    if (stored.found == YK_REASON_VOLUMES || stored.found == YK_REASON_PREDICATES)
        return stored.found;
    if (look->fitting > look->reserved)
        return beside_free_node(ask, stored);
    if (look->fitting > 0)
        return YK_REASON_RESERVED;
    return look->allowed > 0 || look->total == 0 ? YK_REASON_NODE_RESOURCES : YK_REASON_PREDICATES;
}

/* Whether the fixed constraints are known to exclude all nodes. */
static bool has_no_node(const struct yk_group *group)
{
    const struct yk_class *class_ = group->shape->class_;
    if (group->app->partition->node_count == 0 || class_ == NULL || !class_->filled)
        return false;
    return yk_bitset_next(&class_->feasible, 0) == YK_BITSET_END;
}

static enum yk_si_reason reason_of_nodes(const struct yk_group *group, const struct yk_ask *ask)
{
    enum yk_si_reason reason = ask != NULL ? stored_for(ask).told : YK_REASON_NONE;
    if (reason != YK_REASON_NONE)
        return reason;
    return has_no_node(group) ? YK_REASON_PREDICATES : YK_REASON_NODE_RESOURCES;
}

/* ---- asks ---- */

/* The reason of placeholders of a gang that can never start. */
static struct yk_why of_gang(const struct yk_gang *gang)
{
    struct yk_why why = because(YK_REASON_NONE);
    if (gang->exceeds_limit)
        why = yk_why_maximum_below(gang->app, &gang->total);
    /* None: it is too large for the nodes, or the limit has changed since. */
    return why.reason != YK_REASON_NONE ? why : because(YK_REASON_EXCEEDS_MAX);
}

/* Whether limits may refuse the group, although it waits for nodes: because other asks of its shape found no node,
 * the group itself need not have been tried. */
static bool may_be_untried(const struct yk_group *group)
{
    return group->wait == YK_WAIT_NODES || yk_list_linked(&group->app->start.in_impossible);
}

/* The reason of all asks of the group, if it is known without a look at nodes; else YK_REASON_NONE. */
static struct yk_why before_nodes(const struct yk_group *group)
{
    const struct yk_app *app = group->app;
    struct yk_why why = yk_why_of_app(app);
    const struct yk_gang *gang = yk_refusal_gang(group);
    if (why.reason != YK_REASON_NONE)
        return why;
    if (gang != NULL)
        return of_gang(gang);
    bool by_limit = group->wait == YK_WAIT_QUEUE_QUOTA || group->wait == YK_WAIT_USER_QUOTA;
    if (by_limit || may_be_untried(group))
        why = yk_why_maximum_below(app, &group->shape->size);
    if (why.reason == YK_REASON_NONE && by_limit)
        why = of_quota(group);
    return why;
}

/* What the placeholders of the application hold need not become free for its gang. */
static void without_own(const struct yk_app *app, struct yk_resvec *missing)
{
    YK_RESVEC(left);
    yk_resvec_foreach(t, missing)
    {
        int64_t amount = yk_i64_sub(yk_resvec_get(missing, t), yk_resvec_get(&app->allocated_placeholder, t));
        if (amount > 0)
            yk_resvec_put(&left, t, amount);
    }
    yk_resvec_copy(missing, &left);
}

/* What the whole gang needs beside the placeholders that it has. */
static void missing_of_gang(const struct yk_gang *gang, struct yk_resvec *ret_missing)
{
    yk_resvec_copy(ret_missing, &gang->total);
    without_own(gang->app, ret_missing);
}

/* The reason of placeholders that are placed only as a whole gang, with the limit that has no headroom for the
 * gang, if there is one. */
static struct yk_why of_whole_gang(const struct yk_group *group)
{
    YK_RESVEC(missing);
    if (!group->placeholders)
        return because(YK_REASON_GANG);
    missing_of_gang(group->task_group->gang, &missing);
    struct yk_why why = of_headroom_for(group->app, &missing);
    why.reason = YK_REASON_GANG;
    return why;
}

static struct yk_why at_nodes(const struct yk_group *group, const struct yk_ask *ask)
{
    if (group->wait == YK_WAIT_GANG)
        return of_whole_gang(group);
    if (group->wait == YK_WAIT_PLACEHOLDER)
        return because(YK_REASON_GANG);
    struct yk_why why = may_be_untried(group) ? of_headroom(group) : because(YK_REASON_NONE);
    if (why.reason != YK_REASON_NONE)
        return why;
    if (yk_timer_armed(&group->app->backoff.pause))
        return because(YK_REASON_BACKOFF);
    if (waits_for_nodes(group))
        return because(reason_of_nodes(group, ask));
    return because(YK_REASON_NOT_ATTEMPTED);
}

struct yk_why yk_why_claimed(const struct yk_ask *ask)
{
    const struct yk_group *group = ask->group;
    bool may_lack_nodes = group->wait == YK_WAIT_NODES || group->wait == YK_WAIT_GANG;
    if (!may_lack_nodes || (ask->flags & YK_ASK_TOLD_SKIPPED) == 0)
        return because(YK_REASON_NONE);
    struct yk_why why = of_beyond(group->app, group->report.beyond_by);
    const struct yk_resvec *size = yk_ask_size(ask);
    bool is_refused = why.usage != NULL ? usage_refuses(why.usage, size)
                                        : why.queue != NULL && queue_refuses(why.queue, size);
    return is_refused ? because(YK_REASON_NONE) : why;
}

bool yk_why_is_preempting(const struct yk_ask *ask)
{
    const struct yk_reservation *reservation = yk_ask_reservation(ask);
    if (yk_ask_is_nominated(ask))
        return true;
    /* An ask that requires its node is not nominated. The flag stays when the victims have ended. */
    return reservation != NULL && reservation->why == YK_RESERVE_REQUIRED &&
           (ask->flags & YK_ASK_PREEMPTION_TRIGGERED) != 0 && yk_node_has_victims(reservation->node);
}

struct yk_why yk_why_of_group(const struct yk_group *group)
{
    struct yk_why why = before_nodes(group);
    return why.reason != YK_REASON_NONE ? why : at_nodes(group, group->first);
}

struct yk_why yk_why_of_ask(const struct yk_ask *ask)
{
    struct yk_why why = before_nodes(ask->group);
    if (why.reason != YK_REASON_NONE)
        return why;
    /* A limit that leaves no room for the ask beside earlier ones (yk_why_claimed()) is not the reason: none
     * of these asks starts, whatever the limit is, as long as no node takes them. */
    return yk_why_is_preempting(ask) ? because(YK_REASON_PREEMPTION) : at_nodes(ask->group, ask);
}

bool yk_why_needs_look(const struct yk_ask *ask)
{
    return yk_si_reason_is_of_nodes(yk_why_of_ask(ask).reason) && waits_for_nodes(ask->group);
}

struct yk_why yk_why_in_detail(const struct yk_ask *ask, struct yk_node_looks *looks)
{
    struct yk_why why = yk_why_of_ask(ask);
    if (!yk_why_needs_look(ask))
        return why;
    why.has_look = true;
    yk_node_look_shared(looks, ask->group, &why.look);
    why.reason = yk_why_of_look(ask, &why.look);
    return why;
}

bool yk_why_lacks_volumes(const struct yk_ask *ask)
{
    struct yk_si_node_reason stored = stored_for(ask);
    return stored.found == YK_REASON_VOLUMES && !stored.volumes_come_free;
}

bool yk_why_misses_volumes(const struct yk_ask *ask)
{
    struct yk_si_node_reason stored = stored_for(ask);
    return stored.found == YK_REASON_VOLUMES && stored.volumes_are_missing;
}

/* ---- amounts ---- */

void yk_why_amounts_done(struct yk_why_amounts *amounts)
{
    yk_resvec_done(&amounts->max);
    yk_resvec_done(&amounts->used);
    yk_resvec_done(&amounts->requested);
    yk_resvec_done(&amounts->missing);
}

static bool is_of_amounts(const struct yk_why *why)
{
    return why->queue != NULL &&
           (why->reason == YK_REASON_QUEUE_QUOTA || why->reason == YK_REASON_USER_QUOTA ||
            why->reason == YK_REASON_GROUP_QUOTA || why->reason == YK_REASON_EXCEEDS_MAX ||
            why->reason == YK_REASON_GANG);
}

bool yk_why_amounts(const struct yk_why *why, const struct yk_resvec *size,
                    struct yk_why_amounts *ret_amounts)
{
    YK_RESVEC(headroom);
    const struct yk_usage *usage = why->usage;
    if (!is_of_amounts(why) || (usage == NULL && !why->queue->has_max))
        return false;
    if (usage != NULL) {
        if (usage->limit == NULL || !usage->limit->has_resources)
            return false;
        yk_usage_own_headroom(usage, &headroom);
        yk_resvec_copy(&ret_amounts->max, &usage->limit->resources);
    } else {
        yk_queue_own_headroom(why->queue, &headroom);
        yk_resvec_copy(&ret_amounts->max, &why->queue->max);
    }
    yk_resvec_copy(&ret_amounts->requested, size);
    yk_resvec_keep_types(&ret_amounts->max, size);
    yk_resvec_foreach(t, &ret_amounts->max)
    {
        int64_t left = yk_resvec_get(&headroom, t), wanted = yk_resvec_get(size, t);
        yk_resvec_put(&ret_amounts->used, t, yk_i64_sub(yk_resvec_get(&ret_amounts->max, t), left));
        if (why->is_shared || why->is_held) /* the ask cannot use the free amounts */
            left = YK_MIN(left, (int64_t)0);
        if (wanted > YK_MAX(left, 0))
            yk_resvec_put(&ret_amounts->missing, t, yk_i64_sub(wanted, left));
    }
    return true;
}

bool yk_why_amounts_of_ask(const struct yk_ask *ask, const struct yk_why *why,
                           struct yk_why_amounts *ret_amounts)
{
    const struct yk_gang *gang = why->reason == YK_REASON_EXCEEDS_MAX ? yk_refusal_gang(ask->group) : NULL;
    if (why->reason == YK_REASON_GANG && ask->group->placeholders) {
        YK_RESVEC(missing);
        missing_of_gang(ask->group->task_group->gang, &missing);
        return yk_why_amounts(why, &missing, ret_amounts);
    }
    if (gang == NULL || !gang->exceeds_limit)
        return yk_why_amounts(why, yk_ask_size(ask), ret_amounts);
    if (!yk_why_amounts(why, &gang->total, ret_amounts))
        return false;
    without_own(gang->app, &ret_amounts->missing);
    return true;
}

static void each_usage(const struct yk_usage *usage, const struct yk_resvec *size,
                       void (*visit)(void *context, const struct yk_why *why), void *context)
{
    for (; usage != NULL; usage = usage->parent) {
        struct yk_why why = by_usage(YK_REASON_USER_QUOTA, YK_REASON_GROUP_QUOTA, usage);
        if (usage_refuses(usage, size))
            visit(context, &why);
    }
}

void yk_why_each_limit(const struct yk_ask *ask, void (*visit)(void *context, const struct yk_why *why),
                       void *context)
{
    const struct yk_app *app = ask->group->app;
    const struct yk_resvec *size = yk_ask_size(ask);
    for (const struct yk_queue *queue = app->leaf; queue != NULL; queue = queue->parent) {
        struct yk_why why = by_queue(YK_REASON_QUEUE_QUOTA, queue);
        if (queue_refuses(queue, size))
            visit(context, &why);
    }
    each_usage(app->limit.user, size, visit, context);
    each_usage(yk_usage_group_to_be(&app->partition->usages, app), size, visit, context);
}
