/* SPDX-License-Identifier: Apache-2.0 */
#include "report/start_estimate.h"

#include "policies/queue_order.h"
#include "report/drain.h"
#include "report/obstacles.h"
#include "state/core.h"

enum { APPS_LOOKED_AT = 256, ASKS_LOOKED_AT = 256 };

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

/* The number of asks of other applications of the leaf that come before those of `app`. */
static struct yk_ahead_range ahead_of_app(const struct yk_app *app)
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
        if (other != app && other->pending_groups.count > 0 && yk_app_compare(other, app) < 0)
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

struct yk_ahead_range yk_start_ahead(const struct yk_ask *ask)
{
    struct yk_ahead_range others = ahead_of_app(yk_ask_app(ask)), own = ahead_in_app(ask);
    return (struct yk_ahead_range){others.min + own.min, others.max + own.max};
}

/* Whether the reason itself never ends without a change by a user or an administrator. */
static bool is_lasting(enum yk_si_reason reason)
{
    return reason == YK_REASON_REJECTED || reason == YK_REASON_GATED || reason == YK_REASON_QUEUE_STOPPED ||
           reason == YK_REASON_EXCEEDS_MAX || reason == YK_REASON_VOLUMES;
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

struct yk_si_start yk_start_estimate(const struct yk_ask *ask, enum yk_si_reason reason,
                                     struct yk_ahead_range ahead, const struct yk_si_start *like)
{
    const struct yk_app *app = yk_ask_app(ask);
    int64_t now_ns = yk_core_now(app->partition->core), pause_ns = end_of_pause(app);
    struct yk_drain_estimate first = yk_drain_estimate(app->leaf, ahead.min, now_ns);
    struct yk_drain_estimate last =
        ahead.max == ahead.min ? first : yk_drain_estimate(app->leaf, ahead.max, now_ns);
    /* Only constraints about other allocations, such as a port of a host, come and go without a change of the
     * ask or of a node. */
    bool is_endless = is_lasting(reason) || yk_why_exceeds_max(ask);
    bool is_by_nodes = !is_endless && depends_on_nodes(ask, reason);
    /* Whether the wait may end without a change by a user or an administrator, such as when allocations end:
     * no obstacle, also behind the first one, may be such that waiting does not help. */
    bool by_itself = !is_endless && (!is_by_nodes || is_any_node_large(ask, like));
    bool of_others = by_itself && reason == YK_REASON_PREDICATES;
    return (struct yk_si_start){
        .waits = true,
        .ends_by_itself = by_itself,
        .is_known = first.is_known && last.is_known && by_itself && !of_others,
        .needs_others = of_others,
        .is_by_nodes = is_by_nodes,
        .scheduling_class = class_of(ask),
        .is_preempting = reason == YK_REASON_PREEMPTION,
        .earliest_wall_ns = YK_MAX(first.earliest_wall_ns, pause_ns),
        .latest_wall_ns = YK_MAX(last.latest_wall_ns, pause_ns),
        .queue = app->leaf->path,
        .starts = first.starts,
        .window_ns = first.window_ns,
    };
}
