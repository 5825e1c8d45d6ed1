/* SPDX-License-Identifier: Apache-2.0 */
#include "report/start_estimate.h"

#include "policies/queue_order.h"
#include "report/drain.h"
#include "report/obstacles.h"
#include "state/core.h"

enum {
    APPS_LOOKED_AT = 256,
    ASKS_LOOKED_AT = 256,
    ASKS_MINUTES = 5,                  /* the last minutes that are looked at */
    GANGS_MINUTES = YK_STARTS_MINUTES, /* the same for gangs, of which fewer start */
};

static uint64_t asks_of(const struct yk_app *app)
{
    uint64_t count = 0;
    for (int i = 0; i < YK_PENDING_COUNT; i++)
        count += app->pending_count.asks[i];
    return count;
}

static uint64_t asks_in(const struct yk_queue *leaf)
{
    uint64_t count = 0;
    for (int i = 0; i < YK_PENDING_COUNT; i++)
        count += leaf->pending_asks[i];
    return count;
}

/* The number of asks of other applications of the leaf that come before those of `app`; `gangs`: only of
 * those with gangs. */
static struct yk_ahead_range ahead_of_app(const struct yk_app *app, bool gangs)
{
    struct yk_ahead_range ahead = {0, 0};
    const struct yk_app *other;
    uint64_t all = asks_in(app->leaf), own = asks_of(app);
    int looked_at = 0;
    yk_list_foreach (other, &app->leaf->apps, struct yk_app, in_leaf) {
        if (looked_at++ == APPS_LOOKED_AT) {
            ahead.max = YK_MAX(ahead.min, all > own ? all - own : 0);
            return ahead;
        }
        bool counts = other != app && other->pending_groups.count > 0 && (!gangs || other->gang != NULL);
        if (counts && yk_app_compare(other, app) < 0)
            ahead.min += asks_of(other);
    }
    ahead.max = ahead.min;
    return ahead;
}

/* The number of asks of its own application that come before the ask. */
static struct yk_ahead_range ahead_in_app(const struct yk_ask *ask)
{
    const struct yk_app *app = yk_ask_app(ask);
    struct yk_ahead_range ahead = {0, 0};
    const struct yk_tree_link *link;
    uint64_t own = asks_of(app);
    int looked_at = 0;
    for (link = yk_tree_first(&app->pending_groups); link != NULL && looked_at < ASKS_LOOKED_AT;
         link = yk_tree_next(link), looked_at++) {
        const struct yk_group *group = YK_CONTAINER(link, const struct yk_group, in_pending);
        if (group == ask->group)
            break;
        ahead.min += group->asks.count;
    }
    for (link = yk_tree_first(&ask->group->asks);
         link != NULL && link != &ask->in_group && looked_at < ASKS_LOOKED_AT;
         link = yk_tree_next(link), looked_at++)
        ahead.min++;
    bool is_exact = looked_at < ASKS_LOOKED_AT;
    ahead.max = is_exact ? ahead.min : YK_MAX(ahead.min, own > 0 ? own - 1 : 0);
    return ahead;
}

void yk_start_ahead(const struct yk_ask *ask, struct yk_ahead_range *ret_others,
                    struct yk_ahead_range *ret_own)
{
    const struct yk_app *app = yk_ask_app(ask);
    bool is_gang = (ask->flags & YK_ASK_PLACEHOLDER) != 0;
    *ret_others = ahead_of_app(app, is_gang);
    *ret_own = ahead_in_app(ask);
    if (is_gang)
        ret_own->min = ret_own->max = YK_MAX(asks_of(app), UINT64_C(1)) - 1;
}

/* Whether the reason itself never ends without a change by a user or an administrator. */
static bool is_lasting(const struct yk_ask *ask, enum yk_si_reason reason)
{
    return reason == YK_REASON_REJECTED || reason == YK_REASON_GATED || reason == YK_REASON_QUEUE_STOPPED ||
           reason == YK_REASON_EXCEEDS_MAX || (reason == YK_REASON_VOLUMES && yk_why_lacks_volumes(ask));
}

/* Whether the ask, which waits for `reason`, needs a node that is large enough, so that all nodes are looked
 * at. With the other reasons, a node is known, or the ask was not tried yet. */
static bool depends_on_nodes(const struct yk_ask *ask, enum yk_si_reason reason)
{
    if (reason == YK_REASON_NODE_RESOURCES || reason == YK_REASON_BACKOFF || reason == YK_REASON_PREDICATES)
        return true;
    bool may_lack_nodes = reason != YK_REASON_NONE && reason != YK_REASON_PREEMPTION &&
                          reason != YK_REASON_RESERVED && reason != YK_REASON_NOT_ATTEMPTED;
    return may_lack_nodes && yk_obstacles_may_be_nodes(ask);
}

static yk_si_class class_of(const struct yk_ask *ask)
{
    const struct yk_class *class_ = ask->group->shape->class_;
    return class_ != NULL ? class_->number : YK_SI_CLASS_ANY;
}

static bool is_any_node_large(const struct yk_ask *ask, const struct yk_si_start *like)
{
    if (like != NULL && like->is_by_nodes && like->scheduling_class == class_of(ask))
        return like->ends_by_itself;
    return yk_node_look_is_any_large(ask->group, yk_ask_size(ask));
}

/* Wall time at which the pause of the application ends; INT64_MIN: it does not pause. */
static int64_t end_of_pause(const struct yk_app *app)
{
    const struct yk_clock *clock = app->partition->core->clock;
    if (!yk_timer_armed(&app->backoff.pause))
        return INT64_MIN;
    return yk_clock_wall_ns(clock) + app->backoff.pause.due_mono_ns - yk_clock_mono_ns(clock);
}

/* Sets the estimate from `drain` of `ret`, as far as starts tell. `added`: the number of asks that joined older
 * applications meanwhile. */
static void estimate(struct yk_si_start *ret, const struct yk_drain *drain, uint64_t added,
                     struct yk_ahead_range ahead, int64_t now_ns)
{
    const double most_ns = 365.0 * 86400 * (double)YK_NS_PER_S;
    ret->starts = (uint32_t)YK_MIN(drain->starts, (uint64_t)UINT32_MAX);
    ret->window_ns = drain->window_ns;
    ret->ahead = ahead.min;
    if (!yk_drain_is_enough(drain))
        return;
    struct yk_drain_range range = yk_drain_range(drain, ahead.min + 1, ahead.max + 1);
    double net = 1 - (double)added / (double)drain->starts;
    ret->is_overtaken = net < 0.1;
    double latest_ns = range.latest_ns / YK_MAX(net, 0.1);
    ret->is_known = !ret->is_overtaken && latest_ns < most_ns;
    ret->earliest_wall_ns = now_ns + (int64_t)YK_MIN(range.earliest_ns, most_ns);
    ret->latest_wall_ns = now_ns + (int64_t)YK_MIN(latest_ns, most_ns);
}

static void estimate_by_starts(const struct yk_ask *ask, struct yk_si_start *ret, int64_t now_ns)
{
    const struct yk_app *app = yk_ask_app(ask);
    const struct yk_leaf_starts *of_leaf = &app->leaf->report.starts;
    struct yk_drain own = yk_drain_of(app->report.starts, ASKS_MINUTES, now_ns);
    struct yk_ahead_range others, in_app;
    yk_start_ahead(ask, &others, &in_app);
    if (yk_drain_is_enough(&own)) {
        ret->application = app->id;
        estimate(ret, &own, 0, in_app, now_ns);
        return;
    }
    bool is_gang = (ask->flags & YK_ASK_PLACEHOLDER) != 0;
    int minutes = is_gang ? GANGS_MINUTES : ASKS_MINUTES;
    struct yk_drain leaf = yk_drain_of(is_gang ? &of_leaf->placeholders : &of_leaf->asks, minutes, now_ns);
    struct yk_drain added = yk_drain_of(&of_leaf->added, minutes, now_ns);
    ret->of_gangs = is_gang;
    estimate(ret, &leaf, is_gang ? 0 : added.starts,
             (struct yk_ahead_range){others.min + in_app.min, others.max + in_app.max}, now_ns);
}

struct yk_si_start yk_start_estimate(const struct yk_ask *ask, enum yk_si_reason reason,
                                     const struct yk_si_start *like)
{
    const struct yk_app *app = yk_ask_app(ask);
    int64_t now_ns = yk_core_now(app->partition->core), pause_ns = end_of_pause(app);
    /* Only constraints about other allocations, such as a port of a host, come and go without a change of the
     * ask or of a node. */
    bool is_endless = is_lasting(ask, reason) || yk_why_exceeds_max(ask);
    bool is_by_nodes = !is_endless && depends_on_nodes(ask, reason);
    /* Whether the wait may end without a change by a user or an administrator, such as when allocations end:
     * no obstacle, also behind the first one, may be such that waiting does not help. */
    bool by_itself = !is_endless && (!is_by_nodes || is_any_node_large(ask, like));
    struct yk_si_start start = {
        .waits = true,
        .ends_by_itself = by_itself,
        .needs_others = by_itself && reason == YK_REASON_PREDICATES,
        .is_by_nodes = is_by_nodes,
        .scheduling_class = class_of(ask),
        .is_preempting = reason == YK_REASON_PREEMPTION,
        .queue = app->leaf->path,
    };
    estimate_by_starts(ask, &start, now_ns);
    start.is_known = start.is_known && by_itself && !start.needs_others;
    start.earliest_wall_ns = YK_MAX(start.earliest_wall_ns, pause_ns);
    start.latest_wall_ns = YK_MAX(start.latest_wall_ns, pause_ns);
    return start;
}
