/* SPDX-License-Identifier: Apache-2.0 */
#include "report/start_estimate.h"

#include "policies/queue_order.h"
#include "report/drain.h"
#include "report/obstacles.h"
#include "report/refusal.h"
#include "state/core.h"

enum {
    APPS_LOOKED_AT = 256,
    ASKS_LOOKED_AT = 256,
    GROUPS_LOOKED_AT = 256,            /* for placeholders */
    ASKS_MINUTES = 5,                  /* the last minutes that are looked at */
    GANGS_MINUTES = YK_STARTS_MINUTES, /* the same for gangs, of which fewer start */
};

static bool is_placeholder(const struct yk_ask *ask)
{
    return (ask->flags & YK_ASK_PLACEHOLDER) != 0;
}

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

/* Adds the number of pending placeholders of the application to `*count`, and that of the groups that were
 * looked at to `*looked_at`. False: there are more groups than are looked at. */
static bool add_placeholders(const struct yk_app *app, int *looked_at, uint64_t *count)
{
    const struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if ((*looked_at)++ == GROUPS_LOOKED_AT)
            return false;
        *count += group->placeholders ? group->asks.count : 0;
    }
    return true;
}

static struct yk_ahead_range between(uint64_t min, uint64_t all, bool is_exact)
{
    return (struct yk_ahead_range){min, is_exact ? min : YK_MAX(min, all)};
}

struct yk_ahead_range yk_start_ahead_of_others(const struct yk_ask *ask)
{
    const struct yk_app *app = yk_ask_app(ask), *other;
    bool is_gang = is_placeholder(ask), is_exact = true;
    uint64_t all = asks_in(app->leaf), own = asks_of(app), count = 0;
    int apps = 0, groups = 0;
    yk_list_foreach (other, &app->leaf->apps, struct yk_app, in_leaf) {
        is_exact = apps++ < APPS_LOOKED_AT;
        if (is_exact && other != app && other->pending_groups.count > 0 && yk_app_compare(other, app) < 0) {
            if (is_gang)
                is_exact = other->gang == NULL || add_placeholders(other, &groups, &count);
            else
                count += asks_of(other);
        }
        if (!is_exact)
            break;
    }
    return between(count, all > own ? all - own : 0, is_exact);
}

struct yk_ahead_range yk_start_ahead_of_own(const struct yk_ask *ask)
{
    const struct yk_app *app = yk_ask_app(ask);
    const struct yk_tree_link *link;
    uint64_t others = YK_MAX(asks_of(app), UINT64_C(1)) - 1, count = 0;
    int looked_at = 0;
    if (is_placeholder(ask)) {
        bool is_exact = add_placeholders(app, &looked_at, &count);
        return between(YK_MAX(count, UINT64_C(1)) - 1, others, is_exact);
    }
    for (link = yk_tree_first(&app->pending_groups); link != NULL && looked_at < ASKS_LOOKED_AT;
         link = yk_tree_next(link), looked_at++) {
        const struct yk_group *group = YK_CONTAINER(link, const struct yk_group, in_pending);
        if (group == ask->group)
            break;
        count += group->asks.count;
    }
    for (link = yk_tree_first(&ask->group->asks);
         link != NULL && link != &ask->in_group && looked_at < ASKS_LOOKED_AT;
         link = yk_tree_next(link), looked_at++)
        count++;
    return between(count, others, looked_at < ASKS_LOOKED_AT);
}

/* Whether the ask cannot start without a change by a user or an administrator, because of the reason itself,
 * other than its size, or of volumes that no node can use. For an ask that is tried next, or whose victims
 * end, what was stored about its volumes may be out of date. */
static bool is_lasting(const struct yk_ask *ask, enum yk_si_reason reason)
{
    if (reason == YK_REASON_PREEMPTION || reason == YK_REASON_NOT_ATTEMPTED)
        return false;
    return reason == YK_REASON_REJECTED || reason == YK_REASON_GATED || reason == YK_REASON_QUEUE_STOPPED ||
           yk_why_lacks_volumes(ask);
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

static bool is_any_node_large(const struct yk_ask *ask, const struct yk_si_start *like,
                              struct yk_node_looks *looks)
{
    if (like != NULL && like->is_by_nodes && like->scheduling_class == class_of(ask))
        return like->ends_by_itself;
    return yk_node_look_is_any_large(looks, ask->group);
}

/* Wall time at which the pause of the application ends; INT64_MIN: it does not pause. */
static int64_t end_of_pause(const struct yk_app *app)
{
    const struct yk_clock *clock = app->partition->core->clock;
    if (!yk_timer_armed(&app->backoff.pause))
        return INT64_MIN;
    return yk_clock_wall_ns(clock) + app->backoff.pause.due_mono_ns - yk_clock_mono_ns(clock);
}

/* The time for which the first ask of the application has waited since `last_wall_ns`. */
static int64_t wait_of_first(const struct yk_app *app, int64_t last_wall_ns, int64_t now_ns)
{
    const struct yk_tree_link *first = yk_tree_first(&app->pending_groups);
    if (first == NULL)
        return 0;
    const struct yk_ask *ask = YK_CONTAINER(first, const struct yk_group, in_pending)->first;
    return YK_MAX(now_ns - YK_MAX(last_wall_ns, ask->create_wall_ns), INT64_C(0));
}

/* Asks of other applications that join older applications, per start of an ask. Both count asks that wait and those
 * that start at once. Both are rates, each over the time since the first that was counted in the same minutes. 0 if
 * there are no starts. */
static double added_per_start(const struct yk_app *app, int64_t now_ns)
{
    const struct yk_leaf_starts *of_leaf = &app->leaf->report.starts;
    struct yk_drain all = yk_drain_of(&of_leaf->added, ASKS_MINUTES, now_ns),
                    own = yk_drain_of(app->report.added, ASKS_MINUTES, now_ns),
                    started = yk_drain_of(&of_leaf->all_asks, ASKS_MINUTES, now_ns);
    if (all.starts <= own.starts || started.starts == 0)
        return 0;
    double rate = (double)(all.starts - own.starts) / (double)all.window_ns;
    return rate * (double)started.window_ns / (double)started.starts;
}

/* Sets the estimate of `ret` from `drain`, as far as starts tell. `added`: the number of asks that come
 * before it meanwhile, per start. */
static void estimate(struct yk_si_start *ret, const struct yk_drain *drain, double added,
                     struct yk_ahead_range ahead, int64_t now_ns)
{
    const double most_ns = 365.0 * 86400 * (double)YK_NS_PER_S;
    ret->starts = (uint32_t)YK_MIN(drain->starts, (uint64_t)UINT32_MAX);
    ret->batches = (uint32_t)YK_MIN(drain->batches, (uint64_t)UINT32_MAX);
    ret->window_ns = drain->window_ns;
    ret->ahead = ahead.min;
    if (!yk_drain_is_enough(drain))
        return;
    struct yk_drain_range range = yk_drain_range(drain, ahead.min + 1, ahead.max + 1);
    double net = 1 - added;
    ret->is_overtaken = net < 0.1;
    double latest_ns = range.latest_ns / YK_MAX(net, 0.1);
    ret->is_known = !ret->is_overtaken && latest_ns < most_ns;
    ret->earliest_wall_ns = now_ns + (int64_t)YK_MIN(range.earliest_ns, most_ns);
    ret->latest_wall_ns = now_ns + (int64_t)YK_MIN(latest_ns, most_ns);
}

/* `own`: enough starts of the application of the ask. */
static void estimate_by_own(const struct yk_ask *ask, struct yk_si_start *ret, struct yk_drain *own,
                            int64_t now_ns)
{
    const struct yk_app *app = yk_ask_app(ask);
    int64_t quiet_ns = wait_of_first(app, own->last_wall_ns, now_ns);
    ret->application = app->id;
    own->longest_ns = YK_MAX(own->longest_ns, quiet_ns);
    estimate(ret, own, 0, yk_start_ahead_of_own(ask), now_ns);
    ret->is_overtaken = yk_drain_has_ended(own, quiet_ns) && yk_start_ahead_of_others(ask).max > 0;
    ret->is_known = ret->is_known && !ret->is_overtaken;
}

static void estimate_by_starts(const struct yk_ask *ask, struct yk_si_start *ret, int64_t now_ns)
{
    const struct yk_app *app = yk_ask_app(ask);
    const struct yk_leaf_starts *of_leaf = &app->leaf->report.starts;
    struct yk_drain own = yk_drain_of(app->report.starts, ASKS_MINUTES, now_ns);
    if (yk_drain_is_enough(&own)) {
        estimate_by_own(ask, ret, &own, now_ns);
        return;
    }
    bool is_gang = is_placeholder(ask);
    struct yk_drain leaf = yk_drain_of(is_gang ? &of_leaf->placeholders : &of_leaf->asks,
                                       is_gang ? GANGS_MINUTES : ASKS_MINUTES, now_ns);
    struct yk_ahead_range others = yk_start_ahead_of_others(ask), in_app = yk_start_ahead_of_own(ask);
    leaf.longest_ns = YK_MAX(leaf.longest_ns, wait_of_first(app, leaf.last_wall_ns, now_ns));
    ret->of_gangs = is_gang;
    estimate(ret, &leaf, is_gang ? 0 : added_per_start(app, now_ns),
             (struct yk_ahead_range){others.min + in_app.min, others.max + in_app.max}, now_ns);
}

/* Whether the gang of the ask can never start, but the ask may start without it after the timeout. */
static bool outlasts_gang(const struct yk_ask *ask)
{
    const struct yk_gang *gang = yk_refusal_gang(ask->group);
    return gang != NULL && yk_gang_ends_by_timeout(gang) && !yk_why_exceeds_max(ask);
}

/* Whether the ask is larger than a maximum, or belongs to a gang that can never start. One of the two is true
 * whenever the reason is YK_REASON_EXCEEDS_MAX, and may be behind another reason. */
static bool never_fits(const struct yk_ask *ask)
{
    return yk_refusal_gang(ask->group) != NULL || yk_why_exceeds_max(ask);
}

struct yk_si_start yk_start_estimate(const struct yk_ask *ask, enum yk_si_reason reason,
                                     const struct yk_si_start *like, struct yk_node_looks *looks)
{
    const struct yk_app *app = yk_ask_app(ask);
    int64_t now_ns = yk_core_now(app->partition->core), pause_ns = end_of_pause(app);
    bool without_gang = outlasts_gang(ask);
    /* Only constraints about other allocations, such as a port of a host, come and go without a change of the
     * ask or of a node. */
    bool is_endless = is_lasting(ask, reason) || (!without_gang && never_fits(ask));
    bool is_by_nodes = !is_endless && depends_on_nodes(ask, reason);
    /* Whether the wait may end without a change by a user or an administrator, such as when allocations end:
     * no obstacle, also behind the first one, may be such that waiting does not help. */
    bool by_itself = !is_endless && (!is_by_nodes || is_any_node_large(ask, like, looks));
    struct yk_si_start start = {
        .waits = true,
        .ends_by_itself = by_itself,
        .is_after_timeout = without_gang,
        .needs_others = by_itself && (reason == YK_REASON_PREDICATES || reason == YK_REASON_VOLUMES),
        .is_by_nodes = is_by_nodes,
        .scheduling_class = class_of(ask),
        .waits_to_start = yk_refusal_waits_to_start(app),
        .is_preempting = reason == YK_REASON_PREEMPTION,
        .queue = app->leaf->path,
    };
    estimate_by_starts(ask, &start, now_ns);
    /* Starts of gangs say nothing about what starts after the timeout of a gang. A stateaware leaf starts the next
     * application after the second ask of the one before it, or five minutes after its first, but how long that first
     * one waits has no bound; and starts of applications that run say nothing about those that have to start. */
    start.is_known =
        start.is_known && by_itself && !start.needs_others && !without_gang && !start.waits_to_start;
    start.earliest_wall_ns = YK_MAX(start.earliest_wall_ns, pause_ns);
    start.latest_wall_ns = YK_MAX(start.latest_wall_ns, pause_ns);
    return start;
}
