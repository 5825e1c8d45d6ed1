/* SPDX-License-Identifier: Apache-2.0 */
#include "partition/gang.h"

#include "base/log.h"
#include "gangs/gang_wait.h"
#include "gangs/handover.h"
#include "partition/accounting.h"
#include "partition/lifecycle.h"
#include "partition/node_accounting.h"
#include "partition/partition.h"
#include "pending/active.h"
#include "report/report.h"
#include "report/rm_calls.h"
#include "report/wait_metrics.h"
#include "reservation/make_reservation.h"
#include "reservation/reservation_look.h"
#include "reservation/reservations.h"
#include "state/core.h"
#include "state/node_search.h"

#define TIMEOUT_MIN_NS YK_NS_PER_MS

static const char timeout_info[] = "ResourceReservationTimeout";
static const char timeout_message[] =
    "ResourceReservationTimeout: the pods of its gang did not all get nodes in time";

static struct yk_task_group *task_group_of(const struct yk_ask *ask)
{
    return ask->group->task_group;
}

static bool is_placeholder(const struct yk_ask *ask)
{
    return (ask->flags & YK_ASK_PLACEHOLDER) != 0;
}

/* ---- real asks that wait for a placeholder ---- */

/* Updates the waits of the real asks of the task group: they wait as long as it has placeholders that have
 * not ended (3.5). */
static void update_waits(const struct yk_task_group *task_group)
{
    bool waits = yk_task_group_open(task_group) > 0;
    struct yk_group *group;
    yk_tree_foreach (group, &task_group->gang->app->pending_groups, struct yk_group, in_pending) {
        if (group->task_group != task_group || group->placeholders ||
            waits == (group->wait == YK_WAIT_PLACEHOLDER))
            continue;
        if (waits) {
            yk_unreserve_group(group);
            yk_make_reservation_forget(group);
        }
        yk_active_set_wait(group, waits ? YK_WAIT_PLACEHOLDER : yk_group_wait_for_nodes(group));
    }
}

/* Marks the gang for yk_gang_turn(). `only_nodes`: only free capacity of nodes is new, so the nodes of its
 * placeholders need not be tried again. */
static void unblock(struct yk_gang *gang, bool only_nodes)
{
    gang->only_nodes = only_nodes && (gang->is_blocked || gang->only_nodes);
    gang->is_blocked = false;
    yk_list_remove(&gang->in_replaceable);
    yk_list_append(&gang->app->partition->replaceable, &gang->in_replaceable);
}

static void note_replaceable(struct yk_task_group *task_group)
{
    struct yk_gang *gang = task_group->gang;
    if (task_group->waiting == 0 || task_group->placeholders.count == 0)
        return;
    unblock(gang, false);
}

void yk_gang_ask_added(struct yk_ask *ask)
{
    struct yk_task_group *task_group = task_group_of(ask);
    if (task_group != NULL && !is_placeholder(ask))
        task_group->gang->real_came = true;
    if (task_group == NULL || !is_placeholder(ask))
        return;
    if (task_group->count++ == 0)
        yk_resvec_copy(&task_group->placeholder_size, yk_ask_size(ask));
    yk_gang_wait_add(task_group->gang, ask);
    if (yk_task_group_open(task_group) == 1)
        update_waits(task_group);
}

void yk_gang_pending(struct yk_ask *ask)
{
    struct yk_task_group *task_group = task_group_of(ask);
    if (task_group != NULL && is_placeholder(ask))
        yk_gang_wait_note(yk_ask_app(ask)->partition);
    if (task_group == NULL || is_placeholder(ask))
        return;
    task_group->waiting++;
    note_replaceable(task_group);
}

void yk_gang_not_pending(struct yk_ask *ask)
{
    struct yk_task_group *task_group = task_group_of(ask);
    if (task_group != NULL && !is_placeholder(ask))
        task_group->waiting--;
}

/* ---- ending placeholders ---- */

/* Asks the resource manager to end the placeholder, which counts as allocated until it has ended. */
static void let_go(struct yk_ask *placeholder, const char *message)
{
    placeholder->flags |= YK_ASK_RELEASED;
    yk_ask_leave_place(placeholder);
    yk_rm_call_released(yk_ask_app(placeholder)->partition, placeholder, YK_SI_TIMEOUT, message);
}

static bool may_be_let_go(const struct yk_ask *ask)
{
    return is_placeholder(ask) && ask->node != NULL &&
           (ask->flags & (YK_ASK_RELEASED | YK_ASK_PREEMPTED | YK_ASK_REPLACING)) == 0;
}

static void list_those_to_let_go(const struct yk_app *app, struct yk_vec *ret_keys)
{
    struct yk_ask *ask;
    yk_text_set_foreach (ask, &app->asks) {
        if (may_be_let_go(ask))
            yk_vec_append(ret_keys, ask);
    }
    yk_vec_sort(ret_keys, yk_ask_arrival_order);
    for (size_t i = 0; i < ret_keys->count; i++)
        ret_keys->items[i] = yk_strdup(((const struct yk_ask *)ret_keys->items[i])->key);
}

/* The placeholders are remembered by key, so that none is used after it has ended. */
void yk_gang_let_all_go(struct yk_app *app, const char *message)
{
    struct yk_vec keys = {0};
    char *key;
    list_those_to_let_go(app, &keys);
    yk_vec_foreach (key, &keys) {
        struct yk_ask *placeholder = yk_app_find_ask(app, yk_str_from(key));
        if (placeholder != NULL && may_be_let_go(placeholder))
            let_go(placeholder, message);
        free(key);
    }
    yk_vec_done(&keys);
}

/* ---- the timeout ---- */

static void drop_asks(struct yk_app *app)
{
    struct yk_partition *partition = app->partition;
    while (app->pending_groups.count > 0) {
        struct yk_ask *ask =
            YK_CONTAINER(yk_tree_first(&app->pending_groups), struct yk_group, in_pending)->first;
        yk_partition_time_out_ask(partition, ask, timeout_info);
    }
}

/* Changes the state of an application that has no allocated placeholder: no end of a placeholder will change
 * it later. */
static void finish_at_once(struct yk_app *app)
{
    if (app->placeholder_count > 0)
        return;
    if (app->state == YK_APP_RESUMING)
        (void)yk_lifecycle_fire(app, YK_APP_RUN, NULL); /* the state accepts it */
    else
        yk_lifecycle_complete_if_done(app);
}

static void on_timeout(struct yk_timer *timer)
{
    struct yk_gang *gang = YK_CONTAINER(timer, struct yk_gang, timer);
    struct yk_app *app = gang->app;
    if (app->state == YK_APP_ACCEPTED || app->state == YK_APP_NEW) {
        enum yk_app_event event = gang->style == YK_SI_GANG_HARD ? YK_APP_FAIL : YK_APP_RESUME;
        yk_gang_wait_remove(gang);
        yk_handovers_end(app); /* so that their asks are pending, and dropped below */
        yk_info(yk_log_app, "a gang did not come together in time", KV("app", app->id),
                KV("hard", gang->style == YK_SI_GANG_HARD));
        app->life.failure = YK_SI_FAILURE_GANG_TIMEOUT;
        (void)yk_lifecycle_fire(app, event, timeout_info); /* both states accept both events */
        if (event == YK_APP_FAIL)
            app->life.message = yk_strdup(timeout_message); /* NULL before: an application fails once */
        drop_asks(app);
        yk_gang_let_all_go(app, timeout_info);
        finish_at_once(app);
        return;
    }
    yk_gang_let_all_go(app, timeout_info); /* the gang did not need these placeholders */
}

static void start_timer(struct yk_gang *gang, const struct yk_ask *placeholder)
{
    struct yk_app *app = gang->app;
    struct yk_core *core = app->partition->core;
    int64_t timeout_ns = yk_gang_timeout_ns(gang);
    if (yk_timer_armed(&gang->timer))
        return;
    if (app->forced) /* restored: the timeout counts from the creation of the placeholder (2.3) */
        timeout_ns = yk_i64_sub(yk_i64_add(placeholder->create_wall_ns, timeout_ns), yk_core_now(core));
    gang->timer.fire = on_timeout;
    yk_timer_arm(core->timers, &gang->timer, YK_MAX(timeout_ns, TIMEOUT_MIN_NS));
}

/* The time at which the first placeholder of the task group was allocated; INT64_MAX: none is. A placeholder
 * may get its node before an older one, so all are looked at: O(placeholders), once for each gang. */
static int64_t first_of_group_ns(const struct yk_task_group *task_group)
{
    int64_t first_ns = INT64_MAX;
    const struct yk_ask_place *place;
    yk_tree_foreach (place, &task_group->placeholders, struct yk_ask_place, in_task_group)
        first_ns = YK_MIN(first_ns, place->ask->bind_wall_ns);
    return first_ns;
}

static int64_t first_wall_ns(const struct yk_gang *gang)
{
    int64_t first_ns = INT64_MAX;
    const struct yk_task_group *task_group;
    yk_list_foreach (task_group, &gang->groups, struct yk_task_group, in_gang)
        first_ns = YK_MIN(first_ns, first_of_group_ns(task_group));
    return first_ns;
}

void yk_gang_placeholder_allocated(struct yk_ask *placeholder)
{
    struct yk_task_group *task_group = task_group_of(placeholder);
    struct yk_gang *gang = task_group->gang;
    struct yk_app *app = gang->app;
    yk_ask_enter_place(placeholder);
    note_replaceable(task_group);
    start_timer(gang, placeholder); /* also if the application runs, such as after a restart */
    if (app->state != YK_APP_ACCEPTED)
        return;
    if (!yk_resvec_is_empty(&gang->total) && yk_resvec_eq(&app->allocated_placeholder, &gang->total)) {
        yk_wait_metrics_gang_ready(app, first_wall_ns(gang));
        (void)yk_lifecycle_fire(app, YK_APP_RUN, NULL); /* the state accepts it */
    }
    if (app->state != YK_APP_ACCEPTED)
        yk_gang_wait_remove(gang);
}

void yk_gang_change_total(struct yk_gang *gang, const struct yk_resvec *total)
{
    yk_resvec_copy(&gang->total, total);
    yk_gang_wait_members_changed(gang);
    yk_gang_wait_note(gang->app->partition);
}

void yk_gang_placeholder_taken(struct yk_ask *placeholder)
{
    yk_ask_leave_place(placeholder);
}

void yk_gang_placeholder_ends(struct yk_ask *placeholder, bool is_replaced)
{
    struct yk_task_group *task_group = task_group_of(placeholder);
    yk_gang_wait_members_changed(task_group->gang);
    yk_ask_leave_place(placeholder);
    task_group->replaced += is_replaced;
    task_group->timed_out += !is_replaced;
    if (yk_task_group_open(task_group) == 0)
        update_waits(task_group);
}

bool yk_gang_placeholder_ended(struct yk_app *app)
{
    if (app->placeholder_count > 0)
        return false;
    /* A gang that can never start does not get placeholders again. After the timeout its asks start without it,
     * or its application fails. */
    if (!app->gang->never_fits || app->state != YK_APP_ACCEPTED)
        yk_timer_cancel(app->partition->core->timers, &app->gang->timer);
    if (app->life.removing)
        return true;
    if (app->state == YK_APP_RESUMING)
        return yk_lifecycle_fire(app, YK_APP_RUN, NULL);
    /* The timer of the state Completing has fired: it has let the placeholders go. */
    if (app->state == YK_APP_COMPLETING && !yk_timer_armed(&app->life.timer))
        return yk_lifecycle_fire(app, YK_APP_COMPLETE, NULL);
    return false;
}

void yk_gang_stop(struct yk_app *app)
{
    if (app->gang == NULL)
        return;
    yk_timer_cancel(app->partition->core->timers, &app->gang->timer);
    yk_gang_wait_remove(app->gang);
    app->gang->is_blocked = false;
    yk_list_remove(&app->gang->in_replaceable);
}

/* ---- replacement ---- */

static void link_pair(struct yk_ask *real, struct yk_ask *placeholder, struct yk_node *node)
{
    struct yk_partition *partition = yk_ask_app(real)->partition;
    yk_accounting_sub_pending(real);
    yk_active_update_queue(yk_ask_app(real)->leaf);
    yk_ask_leave_place(placeholder);
    placeholder->flags |= YK_ASK_RELEASED;
    real->flags |= YK_ASK_REPLACING;
    yk_ask_set_peer(real, placeholder);
    yk_ask_set_peer(placeholder, real);
    real->bind_wall_ns = yk_core_now(partition->core);
    yk_gang_count_replacing(yk_ask_app(real)->gang, 1);
    if (node != placeholder->node) /* so that no other ask gets the capacity there */
        yk_node_book(partition, node, real);
    yk_rm_call_released(partition, placeholder, YK_SI_PLACEHOLDER_REPLACED, "replaced by a real pod");
}

static void unlink_pair(struct yk_ask *real, struct yk_ask *placeholder)
{
    yk_ask_set_peer(real, NULL);
    yk_ask_set_peer(placeholder, NULL);
    yk_gang_count_replacing(yk_ask_app(real)->gang, -1);
}

static struct yk_node *other_node(struct yk_partition *partition, const struct yk_ask *real)
{
    return yk_node_for(partition, real);
}

/* Links the ask to the first placeholder on whose node it may run. If there is none, or with `only_nodes` of
 * the gang, links it to the first placeholder, and it starts on a node with free capacity. Ends placeholders
 * that are too small for the ask, as far as it comes to them. Returns false if there is no node for the ask
 * (5.2). */
static bool replace_one(struct yk_partition *partition, struct yk_ask *real)
{
    struct yk_task_group *task_group = task_group_of(real);
    struct yk_ask *first = NULL;
    struct yk_tree_link *link = yk_tree_first(&task_group->placeholders);
    while (link != NULL && !task_group->gang->only_nodes) {
        struct yk_ask *placeholder = yk_ask_of_place(link);
        link = yk_tree_next(link);
        if (!yk_resvec_fit(yk_ask_size(placeholder), yk_ask_size(real))) {
            yk_report_placeholder_too_small(placeholder, real);
            placeholder->flags |= YK_ASK_TOO_SMALL;
            let_go(placeholder, "the real pod is larger than its placeholder");
            continue;
        }
        first = first != NULL ? first : placeholder;
        if (yk_node_may_take_over(partition, real, placeholder)) {
            link_pair(real, placeholder, placeholder->node);
            return true;
        }
    }
    if (task_group->gang->only_nodes) /* placeholders that are too small were ended before */
        first = yk_ask_of_place(yk_tree_first(&task_group->placeholders));
    struct yk_node *node = first != NULL ? other_node(partition, real) : NULL;
    if (node != NULL)
        link_pair(real, first, node);
    return node != NULL;
}

static bool has_placeholders(const struct yk_group *group)
{
    return group->task_group != NULL && !group->placeholders && group->task_group->placeholders.count > 0;
}

/* Tries the first ask of each group in order; the others of a group are equal to it. */
static bool replace_any(struct yk_partition *partition, const struct yk_gang *gang)
{
    struct yk_group *group;
    yk_tree_foreach (group, &gang->app->pending_groups, struct yk_group, in_pending) {
        if (has_placeholders(group) && replace_one(partition, group->first))
            return true; /* the tree has changed, so the loop must end */
    }
    return false;
}

/* Whether the gang has pending real asks and placeholders that they could replace. */
static bool is_blocked(const struct yk_gang *gang)
{
    const struct yk_group *group;
    yk_tree_foreach (group, &gang->app->pending_groups, struct yk_group, in_pending) {
        if (has_placeholders(group))
            return true;
    }
    return false;
}

enum yk_turn yk_gang_turn(struct yk_partition *partition)
{
    struct yk_gang *gang = yk_list_first(&partition->replaceable, struct yk_gang, in_replaceable);
    if (gang == NULL)
        return YK_TURN_IDLE;
    if (replace_any(partition, gang))
        return YK_TURN_DECIDED;
    yk_list_remove(&gang->in_replaceable);
    gang->only_nodes = false;
    if (is_blocked(gang)) { /* the gang waits until a node has capacity */
        gang->is_blocked = true;
        yk_list_append(&partition->replace_waits, &gang->in_replaceable);
        yk_reservation_look_for_others(partition);
    }
    return YK_TURN_PARKED;
}

/* Whether a real ask of the same task group may run on the node of the placeholder. */
static bool may_be_replaced(const struct yk_partition *partition, const struct yk_ask *placeholder)
{
    const struct yk_task_group *task_group = task_group_of(placeholder);
    const struct yk_group *group;
    yk_tree_foreach (group, &task_group->gang->app->pending_groups, struct yk_group, in_pending) {
        if (group->task_group == task_group && has_placeholders(group) &&
            yk_node_may_take_over(partition, group->first, placeholder))
            return true;
    }
    return false;
}

/* Whether a real ask of the gang fits into the free capacity of the node. */
static bool may_move_to(const struct yk_partition *partition, const struct yk_gang *gang,
                        const struct yk_node *node)
{
    const struct yk_group *group;
    if (!node->schedulable || !yk_list_empty(&node->reservations))
        return false;
    yk_tree_foreach (group, &gang->app->pending_groups, struct yk_group, in_pending) {
        if (has_placeholders(group) && yk_node_has_capacity(node, &group->shape->size) &&
            yk_class_fits_there(partition, group->shape->class_, node))
            return true;
    }
    return false;
}

void yk_gang_wake_node(struct yk_partition *partition, const struct yk_node *node)
{
    const struct yk_ask *ask;
    struct yk_gang *gang;
    yk_gang_wait_note(partition);
    if (yk_list_empty(&partition->replace_waits))
        return;
    yk_list_foreach (gang, &partition->replace_waits, struct yk_gang, in_replaceable) {
        if (may_move_to(partition, gang, node))
            unblock(gang, true);
    }
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        if (yk_ask_place(ask) != NULL && task_group_of(ask)->gang->is_blocked &&
            may_be_replaced(partition, ask))
            unblock(task_group_of(ask)->gang, false);
    }
}

void yk_gang_wake_class(struct yk_partition *partition, const struct yk_shape *shape)
{
    const struct yk_group *group;
    if (yk_list_empty(&partition->replace_waits))
        return;
    yk_list_foreach (group, &shape->groups, struct yk_group, in_shape) {
        if (group->asks.count > 0 && has_placeholders(group) && group->task_group->gang->is_blocked)
            unblock(group->task_group->gang, false);
    }
}

/* Whether the real ask may start in place of the placeholder: its application is not ending, and its node is
 * not being removed. */
static bool has_place(const struct yk_ask *real, const struct yk_ask *placeholder)
{
    return !yk_ask_app(real)->life.removing && yk_ask_app(real)->state != YK_APP_FAILING &&
           (real->node != NULL || !placeholder->node->leaving);
}

static void wait_again(struct yk_ask *real)
{
    if (real->node != NULL)
        yk_node_unbook(yk_ask_app(real)->partition, real);
    real->flags &= ~(uint32_t)YK_ASK_REPLACING;
    yk_accounting_add_pending(real);
}

void yk_gang_lose_node(struct yk_ask *real)
{
    if (yk_ask_handover(real) != NULL) {
        yk_handover_break(yk_ask_handover(real));
        return;
    }
    unlink_pair(real, yk_ask_peer(real));
    wait_again(real);
}

struct yk_ask *yk_gang_take_over(struct yk_ask *placeholder)
{
    struct yk_ask *real = yk_ask_peer(placeholder);
    struct yk_partition *partition = yk_ask_app(real)->partition;
    unlink_pair(real, placeholder);
    if (!has_place(real, placeholder)) {
        wait_again(real);
        return NULL;
    }
    yk_ask_set_placeholder_wall_ns(real, placeholder->create_wall_ns); /* reports read it */
    yk_accounting_add_allocation(partition, real, real->node != NULL ? NULL : placeholder->node, false);
    real->flags &= ~(uint32_t)YK_ASK_REPLACING;
    return real;
}

void yk_gang_give_up(struct yk_ask *real)
{
    if (yk_ask_handover(real) != NULL) {
        yk_handover_drop(real);
        return;
    }
    unlink_pair(real, yk_ask_peer(real));
    if (real->node != NULL)
        yk_node_unbook(yk_ask_app(real)->partition, real);
    real->flags &= ~(uint32_t)YK_ASK_REPLACING;
}
