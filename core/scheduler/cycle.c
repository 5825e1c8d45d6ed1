/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduling cycle: the gates, the choice of a node and the commit for one group, the order in which
 * groups are tried, and one turn.
 *
 * Trees of what is active (pending/active.h) lead from the root queue to the next group. A group that cannot
 * run leaves these trees until an event could help.
 *
 * Source: docs/reference/scheduling.md 3.2 to 3.6.
 */
#include "scheduler/cycle.h"

#include "gangs/gang_wait.h"
#include "gangs/handover.h"
#include "partition/gang.h"
#include "partition/partition.h"
#include "pending/active.h"
#include "pending/backoff.h"
#include "pending/fair_shares.h"
#include "pending/freed_nodes.h"
#include "pending/impossible.h"
#include "pending/limit_gate.h"
#include "pending/limit_hold.h"
#include "pending/limit_wait.h"
#include "pending/parked.h"
#include "pending/queue_wait.h"
#include "pending/settle_limit_holds.h"
#include "report/report.h"
#include "report/wait_metrics.h"
#include "reservation/early_reservation.h"
#include "reservation/freed_search.h"
#include "reservation/make_reservation.h"
#include "reservation/nomination.h"
#include "reservation/preempt.h"
#include "reservation/required_node.h"
#include "reservation/reservation_look.h"
#include "reservation/reserved_capacity.h"
#include "reservation/use_reservation.h"
#include "scheduler/prefetch.h"
#include "state/limit_held.h"
#include "state/node_search.h"
#include "state/turn.h"
#include "state/turn_order.h"

/* ---- gates (3.5): limits of the user and group, then of the queues ---- */

/* YK_TURN_IDLE: no limit refuses the first ask of the group. YK_TURN_PARKED: the group waits for the limit
 * that refused it. YK_TURN_DECIDED: victims end for the ask. */
static enum yk_turn pass_gates(struct yk_partition *partition, struct yk_group *group)
{
    struct yk_queue *refusing;
    /* Limits of user and group come before those of queues (L12). Nothing is preempted for them. */
    if (yk_limit_gate_fit_or_park(group) != YK_WAIT_NONE)
        return YK_TURN_PARKED;
    group->first->flags |= YK_ASK_ATTEMPTED;
    bool has_capacity = yk_nomination_has_headroom(group->first, &refusing);
    yk_report_queue_headroom(group->first, has_capacity);
    if (!has_capacity && yk_preempt_try(partition, group))
        return YK_TURN_DECIDED;
    if (has_capacity)
        refusing = yk_limit_held_queue(group->app, group, &group->shape->size);
    if (refusing == NULL)
        return YK_TURN_IDLE;
    yk_park_group(group, refusing);
    return YK_TURN_PARKED;
}

/* ---- node (3.6) and commit ---- */

static struct yk_node *find_node(struct yk_partition *partition, const struct yk_group *group)
{
    struct yk_node *node = yk_node_for(partition, group->first);
    return node != NULL ? node : yk_reserved_capacity_node_for(partition, group);
}

/* Like find_node(), but first makes reservations for earlier asks that this placement must not overtake. */
static struct yk_node *find_node_after_reserving(struct yk_partition *partition, const struct yk_group *group)
{
    struct yk_node *node = find_node(partition, group);
    while (node != NULL && yk_early_reservation_make(partition, group, node))
        node = find_node(partition, group);
    return node;
}

static enum yk_turn wait_for_node(struct yk_partition *partition, struct yk_group *group)
{
    yk_report_no_node(group);
    if (yk_class_has_a_chance(partition, group->shape->class_) && yk_preempt_try(partition, group))
        return YK_TURN_DECIDED;
    yk_backoff_failed(group);
    yk_park_shape(partition, group);
    return YK_TURN_PARKED;
}

static enum yk_turn attempt(struct yk_partition *partition, struct yk_group *group,
                            struct yk_step_timer *timer)
{
    struct yk_metrics *metrics = &partition->core->metrics;
    enum yk_turn turn = pass_gates(partition, group);
    if (turn != YK_TURN_IDLE)
        return turn;
    if (group->required_node != NULL)
        return yk_required_node_try(partition, group);
    struct yk_node *node = find_node_after_reserving(partition, group);
    yk_step_timer_observe(timer, timer->since_mono_ns, &metrics->algorithm);
    yk_step_timer_lap(timer, &metrics->trynode_evaluation);
    if (node == NULL)
        return wait_for_node(partition, group);
    yk_partition_commit(partition, group->first, node);
    yk_step_timer_lap(timer, &metrics->trynode);
    return YK_TURN_DECIDED;
}

static enum yk_turn try_group(struct yk_partition *partition, struct yk_group *group,
                              struct yk_step_timer *timer)
{
    struct yk_metrics *metrics = &partition->core->metrics;
    uint64_t before = metrics->attempts_scheduled;
    enum yk_turn turn = attempt(partition, group, timer);
    bool is_scheduled = metrics->attempts_scheduled > before;
    if (!is_scheduled)
        yk_wait_metrics_attempt_failed(group);
    yk_step_timer_observe(timer, timer->begin_mono_ns,
                          is_scheduled ? &metrics->attempt_scheduled : &metrics->attempt_unschedulable);
    return turn;
}

/* ---- order (3.3, 3.4): what is tried next ---- */

static struct yk_queue *next_leaf(const struct yk_partition *partition)
{
    struct yk_queue *queue = partition->root;
    /* In a queue that changed its type, applications or children of its former type go first (R15): no new
     * ones are added to them. */
    for (;;) {
        struct yk_tree_link *child = yk_tree_first(&queue->active_children);
        bool apps = yk_active_has_apps(queue);
        if (apps && (child == NULL || !queue->is_leaf))
            return queue;
        if (child == NULL)
            return NULL;
        yk_prefetch_queues(&queue->active_children, child);
        queue = YK_CONTAINER(child, struct yk_queue, in_active);
    }
}

/* Whether the group, which waits for nodes and may fit now, comes before the application that `leaf` would
 * try. */
static bool comes_before(const struct yk_group *waiting, const struct yk_queue *leaf)
{
    const struct yk_app *app = yk_active_first_app(leaf);
    const struct yk_group *ready = yk_active_first_group(app);
    if (waiting->app == app && ready != NULL)
        return yk_turn_compare(waiting, ready) < 0;
    return yk_turn_compare_apps(waiting->app, app) < 0;
}

/* Whether the group or application that a limit allows now comes before `waiting` (NULL: none) and before the
 * application that `leaf` (NULL: none) would try. */
static bool limited_comes_first(const struct yk_limit_candidate *limited, const struct yk_group *waiting,
                                const struct yk_queue *leaf)
{
    if (waiting != NULL && limited->group != NULL && yk_turn_compare(limited->group, waiting) > 0)
        return false;
    if (waiting != NULL && limited->group == NULL && yk_turn_compare_apps(limited->app, waiting->app) > 0)
        return false;
    if (leaf == NULL)
        return true;
    return limited->group != NULL ? comes_before(limited->group, leaf)
                                  : yk_turn_compare_apps(limited->app, yk_active_first_app(leaf)) < 0;
}

/* Ends the wait of the first group or application that eased limits of users or groups allow now, if it comes
 * before `waiting` and `leaf`. True: a wait was ended, so another group may be the first in order now. */
static bool wake_limited(struct yk_partition *partition, const struct yk_group *waiting,
                         const struct yk_queue *leaf)
{
    struct yk_limit_candidate first;
    if (!yk_limit_wait_has_work(partition) || !yk_limit_wait_first(partition, &first) ||
        !limited_comes_first(&first, waiting, leaf))
        return false;
    yk_limit_wait_wake(&first);
    return true;
}

/* Tries a group that waits for nodes and fits on a freed node, without making it active first. */
static enum yk_turn try_waiting(struct yk_partition *partition, struct yk_group *group,
                                struct yk_step_timer *timer)
{
    if (yk_queue_wait_look_if_unseen(group->app) || yk_limit_gate_run_or_park(group->app) != YK_WAIT_NONE)
        return YK_TURN_PARKED;
    uint64_t reservations = partition->reservation.sequence;
    enum yk_turn turn = try_group(partition, group, timer);
    bool has_reserved =
        partition->reservation.sequence != reservations; /* perhaps the node that it fits on */
    if (turn == YK_TURN_PARKED && group->wait == YK_WAIT_NODES && !has_reserved)
        yk_freed_nodes_refused(partition);
    return turn;
}

static enum yk_turn try_leaf(struct yk_partition *partition, const struct yk_queue *leaf,
                             struct yk_step_timer *timer)
{
    struct yk_app *app = yk_active_first_app(leaf);
    bool was_held = app->start.held;
    if (yk_queue_wait_look(app) || yk_limit_gate_run_or_park(app) != YK_WAIT_NONE)
        return YK_TURN_PARKED;
    if (was_held && app->wait.groups.count > 0) /* its groups that wait for nodes may come first now */
        return YK_TURN_PARKED;
    struct yk_group *group = yk_active_first_group(app);
    yk_step_timer_lap(timer, &partition->core->metrics.sorting_apps);
    return group == NULL ? YK_TURN_PARKED : try_group(partition, group, timer);
}

/* ---- one turn (3.2) ---- */

/* How many looks at shapes and groups one turn takes to see which can ever start. Enough for 64 groups of as
 * many shapes that are all looked at again after their shapes. */
enum { LOOKS_MAX = 3 * 64 };

static void look_at_groups(struct yk_partition *partition)
{
    struct yk_group *changed;
    for (int i = 0; i < LOOKS_MAX && yk_impossible_look(partition, &changed); i++) {
        if (changed != NULL)
            yk_active_lends_changed(changed);
    }
}

static enum yk_turn before_regular(struct yk_partition *partition)
{
    int64_t left_ns = yk_limit_hold_look(partition);
    if (left_ns > 0)
        yk_reservation_look_in(partition, left_ns);
    yk_make_reservation_for_holders(partition);
    yk_settle_limit_holds(partition);
    yk_use_reservation_open_nodes(partition);
    enum yk_turn turn = yk_handover_turn(partition);
    if (turn == YK_TURN_IDLE)
        turn = yk_use_reservation_turn(partition);
    return turn != YK_TURN_IDLE ? turn : yk_gang_turn(partition);
}

/* What is done when nothing more can be placed: a look at waiting gangs, reservations for overtaken groups,
 * preemption. */
static enum yk_turn after_regular(struct yk_partition *partition)
{
    enum yk_turn turn = yk_gang_wait_turn(partition);
    if (turn == YK_TURN_IDLE)
        turn = yk_make_reservation_turn(partition);
    return turn != YK_TURN_IDLE ? turn : yk_preempt_turn(partition);
}

/* The regular walk: tries the first in order among active groups, groups that wait for nodes and may fit now,
 * and what waits for limits that were eased. */
static enum yk_turn regular(struct yk_partition *partition, struct yk_step_timer *timer)
{
    struct yk_group *waiting = yk_freed_search_first_group(partition);
    const struct yk_queue *leaf = next_leaf(partition);
    if (wake_limited(partition, waiting, leaf))
        return YK_TURN_PARKED;
    if (leaf == NULL && waiting == NULL)
        return after_regular(partition);
    yk_step_timer_lap(timer, &partition->core->metrics.sorting_queues);
    if (waiting != NULL && (leaf == NULL || comes_before(waiting, leaf)))
        return try_waiting(partition, waiting, timer);
    return try_leaf(partition, leaf, timer);
}

/* After a change of the order, offers reserved capacity again: an ask may now come before the holder of a
 * reservation. */
static void offer_reserved(struct yk_partition *partition)
{
    if (!partition->turn.order_changed)
        return;
    yk_turn_order_seen(partition);
    yk_limit_hold_order_changed(partition);
    yk_make_reservation_move(partition);
    yk_reserved_capacity_offer(partition);
    yk_reservation_look_again(partition);
}

enum yk_turn yk_partition_turn(struct yk_partition *partition, struct yk_step_timer *timer)
{
    if (partition->state == YK_STATE_STOPPED)
        return YK_TURN_IDLE;
    if (yk_fair_shares_step(partition))
        return YK_TURN_PARKED;
    look_at_groups(partition);
    if (yk_impossible_is_due(partition))
        return YK_TURN_PARKED;
    offer_reserved(partition);
    if (yk_gang_wait_is_updating(partition))
        return yk_gang_wait_turn(partition);
    enum yk_turn turn = before_regular(partition);
    if (turn == YK_TURN_IDLE)
        turn = regular(partition, timer);
    return turn == YK_TURN_IDLE && yk_impossible_has_work(partition) ? YK_TURN_PARKED : turn;
}

bool yk_partition_has_work(const struct yk_partition *partition)
{
    return partition->state != YK_STATE_STOPPED &&
           (yk_active_has_work(partition->root) || yk_impossible_has_work(partition) ||
            !yk_list_empty(&partition->replaceable) || yk_preempt_has_work(partition) ||
            yk_gang_wait_has_work(partition) || !yk_list_empty(&partition->reservation.unreserved_nodes) ||
            yk_freed_nodes_has_work(partition) || yk_limit_hold_look_is_due(partition) ||
            !yk_list_empty(&partition->pending.holders_on_nodes) ||
            !yk_list_empty(&partition->pending.ended_holds) || yk_limit_wait_has_work(partition) ||
            yk_make_reservation_has_work(partition) ||
            (partition->turn.order_changed && yk_reservation_look_follows_order(partition)) ||
            partition->reservation.active.count > 0);
}
