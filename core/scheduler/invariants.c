/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks invariants of docs/design.md: recomputes sums from their parts, and compares lists with the objects
 * in them.
 */
#include "scheduler/invariants.h"
#include "gangs/handover.h"
#include "partition/submissions.h"
#include "pending/active.h"
#include "pending/backoff.h"
#include "pending/impossible.h"
#include "pending/limit_wait.h"
#include "pending/stateaware.h"
#include "pending/wait_order.h"
#include "reservation/reservations.h"
#include "state/limit_held.h"
#include "state/partition.h"

static bool broken(struct yk_err *err, const char *what, const char *name)
{
    (void)yk_fail(err, YK_ERR_STATE, "%s of '%s' differs from the sum of its parts", what, name);
    return false;
}

static bool is_replacing(const struct yk_ask *ask)
{
    return (ask->flags & YK_ASK_REPLACING) != 0;
}

static bool is_pending_counted(const struct yk_ask *ask)
{
    return ask->node == NULL && !is_replacing(ask);
}

/* Whether the ask must be in a list: a pending ask in that of its group, an allocated placeholder in the list
 * of placeholders of its task group that may be replaced. */
static bool is_in_order(const struct yk_ask *ask)
{
    bool replaceable =
        (ask->flags & YK_ASK_PLACEHOLDER) != 0 && (ask->flags & (YK_ASK_RELEASED | YK_ASK_PREEMPTED)) == 0;
    return is_pending_counted(ask) || (ask->node != NULL && replaceable && !is_replacing(ask));
}

static bool stands_in_order(const struct yk_ask *ask)
{
    return yk_tree_linked(&ask->in_group) || yk_ask_place(ask) != NULL;
}

static bool check_pair(const struct yk_ask *ask)
{
    if (is_replacing(ask) && yk_ask_handover(ask) != NULL)
        return yk_ask_peer(ask) == NULL && ask->node != NULL;
    if (is_replacing(ask))
        return yk_ask_peer(ask) != NULL && yk_ask_peer(yk_ask_peer(ask)) == ask &&
               yk_ask_peer(ask)->node != NULL && (yk_ask_peer(ask)->flags & YK_ASK_RELEASED) != 0;
    return yk_ask_peer(ask) == NULL || is_replacing(yk_ask_peer(ask));
}

static bool check_group(const struct yk_app *app, const struct yk_ask *ask, struct yk_err *err)
{
    const struct yk_group *group = ask->group;
    if (group->app != app || stands_in_order(ask) != is_in_order(ask))
        return broken(err, "group membership", ask->key);
    if (!check_pair(ask))
        return broken(err, "replacement", ask->key);
    if (group->task_group != NULL && !group->placeholders && group->asks.count > 0 &&
        (yk_task_group_open(group->task_group) > 0) != (group->wait == YK_WAIT_PLACEHOLDER))
        return broken(err, "waiting for placeholders", ask->key);
    if (group->asks.count > 0 && (yk_tree_linked(&group->in_active) != (group->wait == YK_WAIT_NONE)))
        return broken(err, "readiness", ask->key);
    if (group->wait == YK_WAIT_NODES && app->wait.may_wait && !group->shape->parked)
        return broken(err, "parking", ask->key);
    if (yk_tree_linked(&group->waiting.branch.link) !=
        (group->wait == YK_WAIT_NODES && group->asks.count > 0))
        return broken(err, "order of what waits for nodes", ask->key);
    if (group->wait != YK_WAIT_REQUIRED_NODE &&
        (group->wait == YK_WAIT_USER_QUOTA) != (group->limit.place != NULL))
        return broken(err, "waiting list", ask->key);
    /* A group that waits for its required node either is in the list of that node, or its first ask has
     * reserved the node. */
    if (group->wait == YK_WAIT_REQUIRED_NODE && group->asks.count > 0 &&
        yk_list_linked(&group->waiting.in_required) == (yk_ask_reservation(group->first) != NULL))
        return broken(err, "waiting for its node", ask->key);
    return true;
}

/* The limit that the configuration of the queue has for the user or group of the entry (L7, L8). */
static const struct yk_limit *configured(const struct yk_usage *usage)
{
    struct yk_str name = yk_str_from(usage->tracker->name);
    return usage->tracker->is_group ? yk_limit_list_group(usage->queue->limits, name)
                                    : yk_limit_list_user(usage->queue->limits, name);
}

/* Checks that limits still refuse the groups and applications that wait for them. Limits that will be looked
 * at before the next decision are left out. */
static bool check_waiting(const struct yk_usage *usage, struct yk_err *err)
{
    struct yk_limit_candidate first;
    bool is_due = false, holds = false;
    if (!yk_limit_wait_valid(usage))
        return broken(err, "order of what waits for limits", usage->tracker->name);
    for (const struct yk_usage *at = usage; at != NULL; at = at->parent) {
        is_due = is_due || yk_list_linked(&at->in_eased);
        holds = holds || at->hold.holder != NULL; /* the hold may have become inactive without an event */
    }
    if (!is_due && !holds && yk_limit_wait_first_at(usage, &first))
        return broken(err, first.group != NULL ? "waiting for quota" : "waiting to start", first.app->id);
    return true;
}

/* Adds the sizes of the application's victims, and of its asks that wait for victims. */
static void add_preemption(const struct yk_app *app, struct yk_resvec *preempting,
                           struct yk_resvec *nominated)
{
    const struct yk_ask *ask;
    yk_text_set_foreach (ask, &app->asks) {
        if ((ask->flags & YK_ASK_PREEMPTED) != 0)
            yk_resvec_add(preempting, yk_ask_size(ask));
        else if (yk_ask_is_nominated(ask))
            yk_resvec_add(nominated, yk_ask_size(ask));
    }
}

/* Checks that the entry is the sum of its applications and of the entries below. */
static bool check_usage(const struct yk_usage *usage, struct yk_err *err)
{
    YK_RESVEC(allocated);
    YK_RESVEC(preempting);
    YK_RESVEC(nominated);
    uint32_t apps = 0, running = 0;
    const struct yk_usage *child;
    yk_list_foreach (child, &usage->children, struct yk_usage, in_parent) {
        yk_resvec_add(&allocated, &child->allocated);
        yk_resvec_add(&nominated, &child->nominated);
        apps += child->apps;
        running += child->running;
    }
    for (const struct yk_list *at = usage->members.next; at != &usage->members; at = at->next) {
        const struct yk_app *app = usage->tracker->is_group ? YK_CONTAINER(at, struct yk_app, limit.in_group)
                                                            : YK_CONTAINER(at, struct yk_app, limit.in_user);
        if (app->leaf != usage->queue ||
            usage != (usage->tracker->is_group ? app->limit.group : app->limit.user))
            return broken(err, "membership", app->id);
        yk_resvec_add(&allocated, &app->allocated);
        yk_resvec_add(&allocated, &app->allocated_placeholder);
        add_preemption(app, &preempting, &nominated);
        apps++;
        running += app->limit.counted;
    }
    if (!yk_resvec_eq(&allocated, &usage->allocated) || apps != usage->apps || running != usage->running)
        return broken(err, "usage", usage->tracker->name);
    if (!yk_resvec_eq(&nominated, &usage->nominated))
        return broken(err, "nominated usage", usage->tracker->name);
    if (apps == 0 && !usage->pinned && yk_list_empty(&usage->children))
        return broken(err, "unused entry", usage->tracker->name);
    if (usage->limit != configured(usage) || yk_tracker_entry(usage->tracker, usage->queue) != usage)
        return broken(err, "limit", usage->tracker->name);
    return check_waiting(usage, err);
}

static bool check_trackers(const struct yk_partition *partition, struct yk_err *err)
{
    const struct yk_list *lists[] = {&partition->usages.user_list, &partition->usages.group_list};
    for (size_t i = 0; i < YK_COUNT(lists); i++) {
        const struct yk_tracker *tracker;
        yk_list_foreach (tracker, lists[i], struct yk_tracker, in_list) {
            for (const struct yk_usage *usage = tracker->root; usage != NULL; usage = yk_usage_next(usage)) {
                if (!check_usage(usage, err))
                    return false;
            }
        }
    }
    return true;
}

static bool check_owner(const struct yk_app *app, struct yk_err *err)
{
    if (app->limit.user == NULL || strcmp(app->limit.user->tracker->name, app->user) != 0)
        return broken(err, "user", app->id);
    if ((app->limit.group != NULL && !app->limit.group_chosen) ||
        (app->allocation_count > 0 && (!app->limit.counted || !app->limit.group_chosen)))
        return broken(err, "group", app->id);
    if (app->asks.count == 0 && (app->limit.counted || app->limit.group != NULL))
        return broken(err, "counting", app->id);
    return true;
}

/* The number of pending asks of the group without `flag`, which says what was reported about an ask last. */
static uint32_t count_untold(const struct yk_group *group, uint32_t flag)
{
    const struct yk_ask *ask;
    uint32_t count = 0;
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group)
        count += (ask->flags & flag) == 0;
    return count;
}

/* Checks that no group of an application in `wait.apps` fits, unless its leaf is being looked at, and the
 * counts of what was reported. */
static bool check_queue_waits(const struct yk_app *app, struct yk_err *err)
{
    const struct yk_group *group;
    uint32_t waiting = 0;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (group->report.unreported != count_untold(group, YK_ASK_TOLD_FAILED) ||
            group->report.unskipped != count_untold(group, YK_ASK_TOLD_SKIPPED))
            return broken(err, "what asks were told", app->id);
        if (group->wait != YK_WAIT_QUEUE_QUOTA)
            continue;
        waiting++;
        if (app->wait.for_queue && app->leaf->wait.next == NULL && !app->partition->pending.look_at_holds &&
            yk_queue_has_headroom(app->leaf, &group->shape->size, NULL) &&
            yk_limit_held_queue(app, group, &group->shape->size) == NULL)
            return broken(err, "shortage of room", app->id);
    }
    if (waiting != app->wait.queue_groups || (app->wait.for_queue && app->active_groups.count > 0))
        return broken(err, "number of groups without room", app->id);
    return true;
}

/* Checks the handover of an ask or allocation: an ask is in its list, and its gang is that of the handover;
 * an allocation has been asked to end. */
static bool check_handover(const struct yk_ask *ask)
{
    const struct yk_handover *handover = yk_ask_handover(ask);
    if (handover == NULL)
        return true;
    if (!is_replacing(ask))
        return handover->ending > 0 && (ask->flags & YK_ASK_PREEMPTED) != 0;
    return yk_vec_find(&handover->asks, ask) != SIZE_MAX &&
           (handover->gang == NULL || handover->gang == yk_ask_app(ask)->gang);
}

/* Checks that placeholders wait with YK_WAIT_GANG if, and only if, their gang is held. */
static bool check_held_gang(const struct yk_app *app)
{
    const struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        bool is_held = group->placeholders && group->task_group->gang->is_held;
        if (is_held != (group->wait == YK_WAIT_GANG))
            return false;
    }
    return true;
}

static bool check_gang(const struct yk_app *app, struct yk_err *err)
{
    const struct yk_gang *gang = app->gang;
    const struct yk_task_group *task_group;
    const struct yk_ask *ask;
    uint32_t replacing = 0;
    yk_text_set_foreach (ask, &app->asks)
        replacing += is_replacing(ask);
    if (replacing != gang->replacing)
        return broken(err, "number of replacements", app->id);
    if (gang->handover != NULL && (gang->handover->gang != gang || gang->handover->asks.count == 0))
        return broken(err, "handover", app->id);
    if (!check_held_gang(app))
        return broken(err, "waiting for the whole gang", app->id);
    yk_list_foreach (task_group, &gang->groups, struct yk_task_group, in_gang) {
        uint64_t waiting = 0, placeholders = 0, open = 0;
        yk_text_set_foreach (ask, &app->asks) {
            bool is_placeholder = (ask->flags & YK_ASK_PLACEHOLDER) != 0;
            if (ask->group->task_group != task_group)
                continue;
            waiting += is_pending_counted(ask) && !is_placeholder;
            open += is_placeholder;
            placeholders += is_placeholder && ask->node != NULL && is_in_order(ask);
        }
        if (waiting != task_group->waiting || placeholders != task_group->placeholders.count ||
            open != yk_task_group_open(task_group))
            return broken(err, "task group", task_group->name);
        if (waiting > 0 && placeholders > 0 && !yk_list_linked(&gang->in_replaceable))
            return broken(err, "replaceable placeholders", task_group->name);
    }
    return true;
}

/* Checks that an allocation has been asked to end for one reason only, and that only pending asks are
 * nominated. */
static bool check_flags(const struct yk_ask *ask)
{
    const uint32_t ends = YK_ASK_RELEASED | YK_ASK_PREEMPTED;
    if ((ask->flags & ends) == ends || ((ask->flags & YK_ASK_PREEMPTED) != 0 && yk_ask_peer(ask) != NULL))
        return false;
    if ((ask->flags & YK_ASK_PREEMPTED) != 0 && (is_pending_counted(ask) || is_replacing(ask)))
        return false;
    bool triggered = (ask->flags & YK_ASK_PREEMPTION_TRIGGERED) != 0;
    if (yk_ask_nomination(ask) == NULL)
        return !triggered || is_pending_counted(ask);
    return is_pending_counted(ask) ? triggered && yk_ask_reservation(ask) != NULL
                                   : (ask->flags & YK_ASK_PREEMPTED) != 0;
}

/* Checks which groups can never start, once all have been looked at. */
static bool check_impossible(const struct yk_app *app)
{
    const struct yk_partition *partition = app->partition;
    const struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (group->required_node == NULL && partition->node_count > 0 &&
            group->waiting.is_impossible == yk_impossible_could_start(partition, group))
            return false;
    }
    return true;
}

static bool check_app(const struct yk_app *app, struct yk_err *err)
{
    YK_RESVEC(allocated);
    YK_RESVEC(placeholder);
    YK_RESVEC(pending);
    uint32_t count = 0, handed_over = 0;
    struct yk_ask *ask;
    if (yk_submission_waits(&app->partition->submissions, app->id))
        return broken(err, "submission", app->id);
    yk_text_set_foreach (ask, &app->asks) {
        bool is_placeholder = (ask->flags & YK_ASK_PLACEHOLDER) != 0;
        struct yk_resvec *account =
            is_pending_counted(ask) ? &pending : (is_placeholder ? &placeholder : &allocated);
        if (!is_replacing(ask)) {
            yk_resvec_add(account, yk_ask_size(ask));
            count += !is_pending_counted(ask);
        }
        handed_over += is_replacing(ask) && yk_ask_handover(ask) != NULL;
        if (yk_app_find_ask(app, yk_str_from(ask->key)) != ask)
            return broken(err, "key", ask->key);
        if (!check_handover(ask))
            return broken(err, "handover", ask->key);
        if (!check_flags(ask))
            return broken(err, "preemption", ask->key);
        if (!check_group(app, ask, err))
            return false;
    }
    if (app->state == YK_APP_FAILING && app->pending_groups.count > 0)
        return broken(err, "asks of an application that fails", app->id);
    if (app->gang != NULL && !check_gang(app, err))
        return false;
    if (!yk_resvec_eq(&allocated, &app->allocated) ||
        !yk_resvec_eq(&placeholder, &app->allocated_placeholder))
        return broken(err, "allocated amount", app->id);
    if (!yk_resvec_eq(&pending, &app->pending))
        return broken(err, "pending amount", app->id);
    if (handed_over != app->handed_over)
        return broken(err, "asks that wait for what ends on their nodes", app->id);
    if (count != app->allocation_count)
        return broken(err, "number of allocations", app->id);
    if (app->leaf != NULL && !yk_impossible_has_work(app->partition) && !check_impossible(app))
        return broken(err, "asks that can never start", app->id);
    if (!yk_tree_valid(&app->pending_groups) || !yk_tree_valid(&app->active_groups))
        return broken(err, "order of asks", app->id);
    bool may_be_tried =
        !yk_list_linked(&app->start.in_gated) && !yk_backoff_rests(app) && !yk_stateaware_holds(app);
    bool in_order = may_be_tried && (app->active_groups.count > 0 || app->wait.queue_groups > 0 ||
                                     (app->start.held && app->wait.groups.count > 0));
    if (yk_tree_linked(&app->in_active) != in_order)
        return broken(err, "readiness", app->id);
    return check_queue_waits(app, err);
}

/* Checks that the application that may start in a stateaware leaf is the oldest one that could, if none is
 * Starting (O7). */
static bool check_stateaware(const struct yk_queue *leaf, struct yk_err *err)
{
    const struct yk_app *app, *oldest = NULL;
    bool aware = leaf->settings.app_sort == YK_APP_SORT_STATEAWARE, one_starts = false;
    yk_list_foreach (app, &leaf->apps, struct yk_app, in_leaf) {
        one_starts |= app->state == YK_APP_STARTING;
        bool may_start =
            app->state == YK_APP_ACCEPTED && (app->pending_groups.count > 0 || app->handed_over > 0);
        if (!may_start || yk_list_linked(&app->start.in_impossible))
            continue;
        bool older = oldest == NULL || app->submit_wall_ns < oldest->submit_wall_ns ||
                     (app->submit_wall_ns == oldest->submit_wall_ns && strcmp(app->id, oldest->id) < 0);
        oldest = older ? app : oldest;
    }
    if (leaf->start.may_start != (aware && !one_starts ? oldest : NULL))
        return broken(err, "application that may start", leaf->path);
    if (yk_list_linked(&leaf->start.in_leaves) != (leaf->start.may_start != NULL))
        return broken(err, "leaves to start", leaf->path);
    return true;
}

static bool counts_as_running(const struct yk_app *app)
{
    return app->state == YK_APP_RUNNING || app->state == YK_APP_STARTING;
}

/* Checks that leaves wait only for a queue that runs its maximum of applications, and the state of held
 * applications (R36). */
static bool check_held(const struct yk_queue *queue, struct yk_err *err)
{
    const struct yk_queue *leaf;
    yk_list_foreach (leaf, &queue->start.held_leaves, struct yk_queue, start.in_held) {
        if (leaf->start.held_apps.count == 0 || yk_queue_has_own_slot(queue))
            return broken(err, "applications held back", leaf->path);
    }
    const struct yk_app *app;
    yk_tree_foreach (app, &queue->start.held_apps, struct yk_app, in_active) {
        if (!app->start.held || app->state != YK_APP_ACCEPTED || app->allocating_accepted)
            return broken(err, "application held back", app->id);
    }
    return true;
}

static bool check_queue(const struct yk_queue *queue, struct yk_err *err)
{
    if (!check_stateaware(queue, err) || !check_held(queue, err))
        return false;
    YK_RESVEC(allocated);
    YK_RESVEC(pending);
    YK_RESVEC(preempting);
    YK_RESVEC(nominated);
    uint32_t running = 0, apps = 0;
    const struct yk_queue *child;
    yk_list_foreach (child, &queue->child_list, struct yk_queue, in_children) {
        yk_resvec_add(&preempting, &child->preempting);
        yk_resvec_add(&nominated, &child->nominated);
        yk_resvec_add(&allocated, &child->allocated);
        yk_resvec_add(&pending, &child->pending);
        running += child->running_apps;
        if (!yk_wait_order_valid(child))
            return broken(err, "order of what waits for nodes", child->path);
        if (yk_tree_linked(&child->in_active) != yk_active_has_work(child))
            return broken(err, "readiness", child->path);
    }
    const struct yk_app *app;
    yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf) {
        yk_resvec_add(&allocated, &app->allocated);
        yk_resvec_add(&allocated, &app->allocated_placeholder);
        yk_resvec_add(&pending, &app->pending);
        add_preemption(app, &preempting, &nominated);
        running += counts_as_running(app);
        apps++;
        if (app->leaf != queue)
            return broken(err, "applications", queue->path);
    }
    if (!yk_pending_valid(queue))
        return broken(err, "number of pending asks", queue->path);
    if (!yk_resvec_eq(&allocated, &queue->allocated))
        return broken(err, "allocated amount", queue->path);
    if (!yk_resvec_eq(&pending, &queue->pending))
        return broken(err, "pending amount", queue->path);
    if (!yk_resvec_eq(&preempting, &queue->preempting))
        return broken(err, "amount that is preempted", queue->path);
    if (!yk_resvec_eq(&nominated, &queue->nominated) ||
        queue->has_nominations != (!yk_resvec_is_empty(&queue->nominated)))
        return broken(err, "amount that is promised", queue->path);
    if (running != queue->running_apps || apps != queue->app_count)
        return broken(err, "number of applications", queue->path);
    if (!yk_tree_valid(&queue->active_apps) || !yk_tree_valid(&queue->start.held_apps) ||
        !yk_tree_valid(&queue->wait.apps) || !yk_tree_valid(&queue->active_children))
        return broken(err, "order", queue->path);
    return true;
}

static bool check_node(const struct yk_partition *partition, const struct yk_node *node, struct yk_err *err)
{
    YK_RESVEC(allocated);
    YK_RESVEC(occupied);
    YK_RESVEC(free_now);
    const struct yk_ask *ask;
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        yk_resvec_add(&allocated, yk_ask_size(ask));
        if (ask->node != node || yk_app_find_ask(yk_ask_app(ask), yk_str_from(ask->key)) != ask)
            return broken(err, "allocations", node->id);
    }
    yk_list_foreach (ask, &node->foreign, struct yk_ask, in_node) {
        yk_resvec_add(&occupied, yk_ask_size(ask));
        if (yk_text_set_get(&partition->foreign, yk_ask_key(ask)) != ask)
            return broken(err, "foreign allocations", node->id);
    }
    yk_resvec_add(&free_now, node->total);
    yk_resvec_sub(&free_now, &allocated);
    yk_resvec_sub(&free_now, &occupied);
    if (!yk_resvec_eq(&free_now, node->available))
        return broken(err, "available amount", node->id);
    if (yk_tree_linked(&node->in_order) != (node->schedulable && yk_list_empty(&node->reservations)))
        return broken(err, "place in the node order", node->id);
    return true;
}

/* Checks that the node has one reservation for a waiting ask, or only reservations of one other kind. */
static bool check_reserved_node(const struct yk_node *node)
{
    const struct yk_reservation *reservation;
    uint32_t counts[YK_RESERVE_PREEMPTION + 1] = {0}, kinds = 0;
    YK_RESVEC(nominated);
    yk_list_foreach (reservation, &node->reservations, struct yk_reservation, in_node) {
        kinds += counts[reservation->why]++ == 0;
        if (reservation->why == YK_RESERVE_PREEMPTION)
            yk_resvec_add(&nominated, yk_ask_size(reservation->ask));
    }
    yk_resvec_prune(&nominated);
    bool has_any = !yk_resvec_is_empty(&nominated);
    return kinds <= 1 && counts[YK_RESERVE_WAITING] <= 1 && has_any == (node->nominated != NULL) &&
           (!has_any || yk_resvec_eq(&nominated, node->nominated));
}

/* Checks that each reservation is that of its ask, that it has the kind YK_RESERVE_PREEMPTION if the ask is
 * nominated and only then, and that its node is large enough and open for the ask. */
static bool check_reservations(const struct yk_partition *partition, struct yk_err *err)
{
    const struct yk_reservation *reservation;
    uint32_t count = 0;
    yk_list_foreach (reservation, &partition->reservation.list, struct yk_reservation, in_partition) {
        const struct yk_ask *ask = reservation->ask;
        const struct yk_node *node = reservation->node;
        bool required = reservation->why == YK_RESERVE_REQUIRED;
        if (yk_ask_reservation(ask) != reservation || !yk_ask_is_pending(ask) ||
            (ask->group->required_node != NULL) != required ||
            yk_ask_is_nominated(ask) != (reservation->why == YK_RESERVE_PREEMPTION))
            return broken(err, "reservation", ask->key);
        if ((!node->schedulable && !required) || !yk_resvec_fit(node->total, yk_ask_size(ask)) ||
            !check_reserved_node(node))
            return broken(err, "reserved node", node->id);
        count++;
    }
    if (count != partition->reservation.count || !yk_tree_valid(&partition->reservation.active))
        return broken(err, "number of reservations", partition->name);
    return true;
}

/* The number of asks that are counted on the node only, because they wait for a placeholder or for victims to
 * end. */
static uint32_t replacing_on(const struct yk_node *node)
{
    uint32_t count = 0;
    const struct yk_ask *ask;
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node)
        count += is_replacing(ask);
    return count;
}

bool yk_partition_check(const struct yk_partition *partition, struct yk_err *err)
{
    YK_RESVEC(total);
    uint64_t allocations = 0;
    for (size_t i = 0; i < partition->nodes.count; i++) {
        const struct yk_node *node = partition->nodes.items[i];
        if (node == NULL)
            continue;
        if (node->index != i || !check_node(partition, node, err))
            return false;
        yk_resvec_add(&total, node->total);
        allocations += node->allocation_count - replacing_on(node);
    }
    if (!yk_tree_valid(&partition->node_order.tree))
        return broken(err, "node order", partition->name);
    if (!yk_resvec_eq(&total, &partition->root->max))
        return broken(err, "capacity", partition->name);
    if (allocations != partition->allocation_count)
        return broken(err, "number of allocations", partition->name);
    const struct yk_app *app;
    yk_strmap_foreach (app, &partition->apps) {
        if (!check_app(app, err) || !check_owner(app, err))
            return false;
        if (partition->apps_by_number.items[app->number] != app)
            return broken(err, "number", app->id);
    }
    if (partition->apps_by_number.count - partition->free_app_numbers.ones != partition->apps.count)
        return broken(err, "free numbers of applications", partition->name);
    if (!check_trackers(partition, err) || !check_reservations(partition, err))
        return false;
    for (const struct yk_queue *queue = partition->root; queue != NULL;
         queue = yk_queue_next(queue, partition->root)) {
        if (!check_queue(queue, err))
            return false;
    }
    return true;
}
