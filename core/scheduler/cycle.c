/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduling cycle: from the root queue down to one ask, then to one node.
 *
 * The ready trees lead straight to what may be tried next. What turns out not to run is parked on the way, so
 * the walk never comes back to it and a cycle without a decision ends with empty trees. Source:
 * docs/reference/scheduling.md 3.2 to 3.6.
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
#include "pending/limit_gate.h"
#include "pending/limit_wait.h"
#include "pending/parked.h"
#include "pending/queue_wait.h"
#include "pending/settle_limit_holds.h"
#include "report/report.h"
#include "reservation/freed_search.h"
#include "reservation/make_reservation.h"
#include "reservation/nomination.h"
#include "reservation/preempt.h"
#include "reservation/required_node.h"
#include "reservation/reservation_look.h"
#include "reservation/reserved_capacity.h"
#include "reservation/use_reservation.h"
#include "state/limit_held.h"
#include "state/node_search.h"
#include "state/turn_order.h"

/* `bytes` of `object` from `at` on, on their way into the cache. */
static void fetch(const void *object, size_t at, size_t bytes)
{
    uintptr_t from = (uintptr_t)object + at;
    for (uintptr_t line = from & ~(uintptr_t)(YK_LINE_BYTES - 1); line < from + bytes; line += YK_LINE_BYTES)
        __builtin_prefetch((const void *)line);
}

/* Of a vector, the few types that everything has. */
static void fetch_amounts(const struct yk_resvec *amounts)
{
    fetch(amounts, 0, YK_LINE_BYTES);
}

/* What a decision looks at, by object. */
static void fetch_queue(const struct yk_queue *queue)
{
    fetch(queue, 0, offsetof(struct yk_queue, allocated));
    fetch_amounts(&queue->allocated);
    fetch_amounts(&queue->pending);
    fetch_amounts(&queue->fair_max);
}

static void fetch_app(const struct yk_app *app)
{
    fetch(app, 0, offsetof(struct yk_app, in_accepted));
    fetch_amounts(&app->allocated);
    fetch_amounts(&app->pending);
    fetch_amounts(&app->max_used);
}

static struct yk_group *first_ready_group(const struct yk_app *app)
{
    struct yk_tree_link *first = yk_tree_first(&app->ready_groups);
    return first == NULL ? NULL : YK_CONTAINER(first, struct yk_group, in_ready);
}

static void fetch_group(const struct yk_app *app)
{
    const struct yk_group *group = first_ready_group(app);
    if (group != NULL)
        fetch(group, 0, sizeof(*group));
    fetch(app->usage, 0, offsetof(struct yk_usage, allocated) + YK_LINE_BYTES);
    fetch(app->leaf->path, 0, 1);
    fetch(app->id, 0, 1);
}

static void fetch_ask(const struct yk_app *app)
{
    const struct yk_group *group = first_ready_group(app);
    if (group != NULL && group->first != NULL)
        fetch(group->first, 0, sizeof(*group->first));
}

/* Those around it in its tree, which close up when it leaves. */
static void fetch_beside_ask(const struct yk_app *app)
{
    const struct yk_group *group = first_ready_group(app);
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
    const struct yk_queue *queue = YK_CONTAINER(link, struct yk_queue, in_ready);
    return yk_active_first_app(queue);
}

/*
 * Among thousands of queues that take turns, none is in the cache when its turn comes, and one miss waits for
 * the other. So the next turns are seen coming: the ask of the next one, the group of the one after, then an
 * application, then a queue. Each turn brings what the following one needs to look further.
 */
static void fetch_ahead(const struct yk_tree *queues, const struct yk_tree_link *first)
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
        fetch_queue(YK_CONTAINER(next, struct yk_queue, in_ready));
}

/* The leaf with the next application to try, or NULL. */
static struct yk_queue *next_leaf(const struct yk_partition *partition)
{
    struct yk_queue *queue = partition->root;
    /* What is left from before a queue changed its type goes first (R15): it can only become less. */
    for (;;) {
        struct yk_tree_link *child = yk_tree_first(&queue->ready_children);
        bool apps = yk_active_has_apps(queue);
        if (apps && (child == NULL || !queue->is_leaf))
            return queue;
        if (child == NULL)
            return NULL;
        fetch_ahead(&queue->ready_children, child);
        queue = YK_CONTAINER(child, struct yk_queue, in_ready);
    }
}

/* What booking on a node touches: of the one after the next, and then what that one leads to. */
static void fetch_nodes(const struct yk_node_order *order)
{
    const struct yk_node *next = yk_node_order_first(order);
    if (next == NULL)
        return;
    fetch(next->id, 0, 1);
    fetch(next->available, 0, YK_LINE_BYTES);
    fetch(next->cookie, 0, YK_LINE_BYTES);
    fetch(next->allocations.prev, 0, sizeof(struct yk_list)); /* the last one gets another one behind it */
    const struct yk_tree_link *link = yk_tree_next(&next->in_order);
    if (link == NULL)
        return;
    const struct yk_node *after = YK_CONTAINER(link, struct yk_node, in_order);
    fetch(after, 0, offsetof(struct yk_node, total) + YK_LINE_BYTES);
}

/* Likely what the next decisions take: its memory is on its way while this one is told. */
static void fetch_next(const struct yk_partition *partition, const struct yk_group *group)
{
    fetch_nodes(&partition->node_order);
    if (group->first != NULL) {
        const struct yk_tree_link *after = yk_tree_next(&group->first->in_group);
        fetch(group->first->key, 0, YK_LINE_BYTES); /* it is here itself since the turn before */
        fetch(group->first->cookie, 0, YK_LINE_BYTES);
        if (after != NULL)
            fetch(after, 0, sizeof(struct yk_ask));
    }
}

/* Gates 3.5 and 3.6 for the first ask of the group; a group that fails waits for what refused it. */
static enum yk_turn try_group(struct yk_partition *partition, struct yk_group *group,
                              struct yk_step_timer *timer)
{
    struct yk_metrics *metrics = &partition->core->metrics;
    struct yk_queue *refusing;
    if (!yk_limit_gate_has_room(group)) /* L12: before the queues, and nothing is preempted for it */
        return YK_TURN_PARKED;
    group->first->flags |= YK_ASK_ATTEMPTED;
    if (!yk_nomination_has_room(group->first, &refusing)) {
        yk_report_queue_room(group->first, false);
        if (yk_preempt_try(partition, group))
            return YK_TURN_DECIDED;
        yk_park_group(group, refusing);
        return YK_TURN_PARKED;
    }
    yk_report_queue_room(group->first, true);
    refusing = yk_limit_held_queue(group->app, group, &group->shape->size);
    if (refusing != NULL) {
        yk_park_group(group, refusing);
        return YK_TURN_PARKED;
    }
    if (group->required_node != NULL)
        return yk_required_node_try(partition, group);
    struct yk_node *node = yk_node_for(partition, group->first);
    if (node == NULL)
        node = yk_reserved_capacity_node_for(partition, group);
    yk_step_timer_lap(timer, &metrics->trynode_evaluation);
    if (node == NULL) {
        yk_report_no_node(group);
        if (yk_class_has_a_chance(partition, group->shape->class_) && yk_preempt_try(partition, group))
            return YK_TURN_DECIDED;
        yk_backoff_failed(group);
        yk_park_shape(partition, group);
        return YK_TURN_PARKED;
    }
    yk_partition_commit(partition, group->first, node);
    fetch_next(partition, group);
    yk_step_timer_lap(timer, &metrics->trynode);
    return YK_TURN_DECIDED;
}

/* 3.2: what goes before regular asks. */
static enum yk_turn before_regular(struct yk_partition *partition)
{
    yk_settle_limit_holds(partition);
    yk_use_reservation_open_nodes(partition);
    enum yk_turn turn = yk_handover_turn(partition);
    if (turn == YK_TURN_IDLE)
        turn = yk_use_reservation_turn(partition);
    return turn != YK_TURN_IDLE ? turn : yk_gang_turn(partition);
}

/* When nothing more can be placed: what was overtaken has nodes reserved, then others are preempted. */
static enum yk_turn after_regular(struct yk_partition *partition)
{
    enum yk_turn turn = yk_gang_wait_turn(partition);
    if (turn == YK_TURN_IDLE)
        turn = yk_make_reservation_turn(partition);
    return turn != YK_TURN_IDLE ? turn : yk_preempt_turn(partition);
}

/* Whether the group, which waits for nodes and may fit now, comes before what `leaf` would try. */
static bool comes_before(const struct yk_group *waiting, const struct yk_queue *leaf)
{
    const struct yk_app *app = yk_active_first_app(leaf);
    const struct yk_group *ready = first_ready_group(app);
    if (waiting->app == app && ready != NULL)
        return yk_turn_compare(waiting, ready) < 0;
    return yk_turn_compare_apps(waiting->app, app) < 0;
}

/* Whether what a limit allows now comes before `waiting` (NULL: none) and what `leaf` (NULL: none) would try.
 */
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

/* Limits of users or groups have been eased: lets the first that they allow be tried at its turn. True: what
 * is first in order may be another one now. */
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

/* A group that waits for nodes is tried where it stands: one of the nodes that were freed takes it. */
static enum yk_turn try_waiting(struct yk_partition *partition, struct yk_group *group,
                                struct yk_step_timer *timer)
{
    if (yk_queue_wait_look_if_unseen(group->app) || !yk_limit_gate_may_run(group->app))
        return YK_TURN_PARKED;
    enum yk_turn turn = try_group(partition, group, timer);
    if (turn == YK_TURN_PARKED && group->wait == YK_WAIT_NODES)
        yk_freed_nodes_refused(partition);
    return turn;
}

static enum yk_turn try_leaf(struct yk_partition *partition, const struct yk_queue *leaf,
                             struct yk_step_timer *timer)
{
    struct yk_app *app = yk_active_first_app(leaf);
    bool was_held = app->held;
    if (yk_queue_wait_look(app) || !yk_limit_gate_may_run(app))
        return YK_TURN_PARKED;
    if (was_held && app->waiting_groups.count > 0) /* these were not looked at so far, and may come first */
        return YK_TURN_PARKED;
    struct yk_group *group = first_ready_group(app);
    yk_step_timer_lap(timer, &partition->core->metrics.sorting_apps);
    return group == NULL ? YK_TURN_PARKED : try_group(partition, group, timer);
}

enum yk_turn yk_partition_turn(struct yk_partition *partition, struct yk_step_timer *timer)
{
    struct yk_metrics *metrics = &partition->core->metrics;
    if (partition->state == YK_STATE_STOPPED)
        return YK_TURN_IDLE;
    if (yk_fair_shares_step(partition))
        return YK_TURN_PARKED;
    if (partition->order_changed) { /* what comes before a reservation now may use its node */
        partition->order_changed = false;
        yk_make_reservation_move(partition);
        yk_reserved_capacity_offer(partition);
        yk_reservation_look_again(partition);
    }
    if (yk_gang_wait_is_updating(partition))
        return yk_gang_wait_turn(partition);
    enum yk_turn turn = before_regular(partition);
    if (turn != YK_TURN_IDLE)
        return turn;
    struct yk_group *waiting = yk_freed_search_first_group(partition);
    const struct yk_queue *leaf = next_leaf(partition);
    if (wake_limited(partition, waiting, leaf))
        return YK_TURN_PARKED;
    if (leaf == NULL && waiting == NULL)
        return after_regular(partition);
    yk_step_timer_lap(timer, &metrics->sorting_queues);
    if (waiting != NULL && (leaf == NULL || comes_before(waiting, leaf)))
        return try_waiting(partition, waiting, timer);
    return try_leaf(partition, leaf, timer);
}

bool yk_partition_has_work(const struct yk_partition *partition)
{
    return partition->state != YK_STATE_STOPPED &&
           (yk_active_has_work(partition->root) || !yk_list_empty(&partition->replaceable) ||
            yk_preempt_has_work(partition) || yk_gang_wait_has_work(partition) ||
            !yk_list_empty(&partition->unreserved_nodes) || yk_freed_nodes_has_work(partition) ||
            !yk_list_empty(&partition->ended_holds) || yk_limit_wait_has_work(partition) ||
            yk_make_reservation_has_work(partition) ||
            (partition->order_changed && yk_reservation_look_follows_order(partition)) ||
            partition->reserved_ready.count > 0);
}
