/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/waiting_group.h"

#include "objects/reservation.h"
#include "pending/backoff.h"
#include "pending/limit_gate.h"
#include "pending/limit_hold.h"
#include "pending/stateaware.h"
#include "state/node_search.h"
#include "state/turn_order.h"

bool yk_waiting_group_waits(const struct yk_group *group)
{
    return group->wait == YK_WAIT_NODES && group->asks.count > 0;
}

bool yk_waiting_group_is_within_limits(const struct yk_group *group)
{
    struct yk_app *app = group->app;
    const struct yk_resvec *size = &group->shape->size;
    return !yk_backoff_rests(app) && !yk_stateaware_holds(app) && yk_limit_gate_check_start(app) &&
           yk_usage_without_headroom(app, size) == NULL && yk_queue_has_headroom(app->leaf, size, NULL);
}

bool yk_waiting_group_could_hold_limit(const struct yk_group *group)
{
    struct yk_queue *refusing;
    const struct yk_resvec *size = &group->shape->size;
    const struct yk_usage *usage = yk_usage_without_headroom(group->app, size);
    if (usage != NULL)
        return yk_limit_hold_may_usage(group, usage);
    return !yk_queue_has_headroom(group->app->leaf, size, &refusing) &&
           yk_limit_hold_may_queue(group, refusing);
}

bool yk_waiting_group_waits_for_gang(const struct yk_group *group)
{
    if (!group->placeholders)
        return false;
    const struct yk_gang *gang = group->task_group->gang;
    return gang->is_held || (gang->never_fits && yk_gang_is_incomplete(gang));
}

static bool is_in_branch(const struct yk_usage *usage, const struct yk_usage *top)
{
    while (usage != NULL && usage != top)
        usage = usage->parent;
    return usage != NULL;
}

/* Whether the limits of the entry of a user or group, and of those above it, allow an ask of the group beside
 * the asks that count there, have reservations of the kind YK_RESERVE_WAITING, and do not come later. */
static bool allows_beside_reserved(const struct yk_group *group, const struct yk_usage *usage)
{
    const struct yk_resvec *size = &group->shape->size;
    const struct yk_partition *partition = group->app->partition;
    const struct yk_reservation *reservation;
    for (; usage != NULL; usage = usage->parent) {
        YK_RESVEC(headroom);
        if (usage->limit == NULL || !usage->limit->has_resources)
            continue;
        yk_usage_own_headroom(usage, &headroom);
        yk_list_foreach (reservation, &partition->reservation.waiting, struct yk_reservation, in_waiting) {
            const struct yk_app *app = yk_ask_app(reservation->ask);
            bool counts = is_in_branch(app->limit.user, usage) || is_in_branch(app->limit.group, usage);
            if (counts && yk_turn_compare(reservation->ask->group, group) <= 0)
                yk_resvec_sub_existing(&headroom, yk_ask_size(reservation->ask));
        }
        yk_resvec_foreach_common(t, size, &headroom)
        {
            if (yk_resvec_get(size, t) > 0 && yk_resvec_get(size, t) > yk_resvec_get(&headroom, t))
                return false;
        }
    }
    return true;
}

bool yk_waiting_group_may_reserve_one_more(const struct yk_group *group)
{
    const struct yk_app *app = group->app;
    return yk_waiting_group_is_within_limits(group) && allows_beside_reserved(group, app->limit.user) &&
           allows_beside_reserved(group, app->limit.group);
}

bool yk_waiting_group_could_run_on(const struct yk_group *group, const struct yk_node *node)
{
    const struct yk_class *class_ = group->shape->class_;
    return yk_resvec_fit(node->total, &group->shape->size) &&
           (class_ == NULL || (class_->filled && yk_bitset_test(&class_->feasible, node->index)));
}

struct yk_ask *yk_waiting_group_first_unreserved(const struct yk_group *group)
{
    struct yk_ask *ask;
    if (group->reservation.nominated == group->asks.count) /* each nominated ask has a reservation */
        return NULL;
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group) {
        if (yk_ask_reservation(ask) == NULL)
            return ask;
    }
    return NULL;
}

bool yk_waiting_group_may_be_overtaken(const struct yk_group *group, const struct yk_node *node)
{
    return !yk_waiting_group_waits_for_gang(group) && yk_waiting_group_could_run_on(group, node) &&
           yk_waiting_group_first_unreserved(group) != NULL && yk_waiting_group_may_reserve_one_more(group);
}
