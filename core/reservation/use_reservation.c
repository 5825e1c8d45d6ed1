/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/use_reservation.h"

#include "pending/active.h"
#include "pending/limit_gate.h"
#include "pending/parked.h"
#include "pending/stateaware.h"
#include "report/report.h"
#include "reservation/nomination.h"
#include "reservation/required_node.h"
#include "reservation/reservation_look.h"
#include "state/core.h"
#include "state/node_search.h"

/* The first reservation of the group, from `at` on, that is `blocked`; NULL: there is none. */
static struct yk_reservation *next_blocked(const struct yk_group *group, struct yk_list *at)
{
    for (; group->reservation.blocked > 0 && at != &group->reservation.list; at = at->next) {
        struct yk_reservation *reservation = YK_CONTAINER(at, struct yk_reservation, in_group);
        if (reservation->blocked)
            return reservation;
    }
    return NULL;
}

void yk_use_reservation_note_group(struct yk_group *group)
{
    struct yk_reservation *next = next_blocked(group, group->reservation.list.next);
    if (next == NULL)
        next = yk_list_first(&group->reservation.list, struct yk_reservation, in_group);
    if (next != NULL)
        yk_reservation_look_at(group->app->partition, next);
}

void yk_use_reservation_note_eased(struct yk_queue *leaf)
{
    struct yk_group *group;
    yk_list_foreach (group, &leaf->reservation.nominated_groups, struct yk_group, reservation.in_nominated) {
        struct yk_reservation *next = next_blocked(group, group->reservation.list.next);
        if (next != NULL && yk_nomination_has_headroom(next->ask, NULL))
            yk_reservation_look_at(group->app->partition, next);
    }
}

/* Marks all reservations of the group that are not `blocked`, and one that is. One is enough: all have the
 * same size and the same limits, and the turn marks the next one when it passes. */
static void look_at_group(struct yk_group *group)
{
    struct yk_reservation *reservation = next_blocked(group, group->reservation.list.next);
    struct yk_partition *partition = group->app->partition;
    if (reservation != NULL)
        yk_reservation_look_at(partition, reservation);
    if (group->reservation.blocked == group->reservation.nominated)
        return;
    yk_list_foreach (reservation, &group->reservation.list, struct yk_reservation, in_group) {
        if (!reservation->blocked)
            yk_reservation_look_at(partition, reservation);
    }
}

static size_t leaf_node_freed(const struct yk_queue *leaf, const struct yk_node *node)
{
    size_t compared = 0;
    struct yk_group *group;
    yk_list_foreach (group, &leaf->reservation.nominated_groups, struct yk_group, reservation.in_nominated) {
        compared++;
        if (yk_node_has_capacity(node, &group->shape->size))
            look_at_group(group);
    }
    return compared;
}

size_t yk_use_reservation_node_freed(struct yk_partition *partition, const struct yk_node *node)
{
    size_t compared = 0;
    const struct yk_queue *leaf;
    yk_list_foreach (leaf, &partition->reservation.nominated_leaves, struct yk_queue,
                     reservation.in_nominated)
        compared += leaf_node_freed(leaf, node);
    return compared;
}

void yk_use_reservation_open_nodes(struct yk_partition *partition)
{
    struct yk_node *node;
    while ((node = yk_list_first(&partition->reservation.unreserved_nodes, struct yk_node, in_unreserved)) !=
           NULL) {
        yk_list_remove(&node->in_unreserved);
        yk_wake_for_node(partition, node);
    }
}

/* ---- one reservation ---- */

/* Drops the reservation, because its application may not start now, or because not only capacity is missing
 * on the node. A group that requires the node is tried again in the regular walk. */
static void give_up(struct yk_partition *partition, struct yk_reservation *reservation)
{
    struct yk_group *group = reservation->ask->group;
    yk_unreserve(partition, reservation->ask);
    if (group->wait == YK_WAIT_REQUIRED_NODE)
        yk_active_set_wait(group, YK_WAIT_NONE);
}

/* Whether queues, user and group have headroom for the ask. If not, its group is parked, and a reservation
 * that is YK_RESERVATION_WAIT_NS old is dropped. */
static bool check_headroom(struct yk_partition *partition, struct yk_reservation *reservation)
{
    struct yk_group *group = reservation->ask->group;
    struct yk_queue *refusing;
    bool fits = yk_limit_gate_fit_or_park(group) == YK_WAIT_NONE;
    if (fits && !yk_nomination_has_headroom(reservation->ask, &refusing)) {
        yk_report_queue_headroom(group->first, false);
        yk_park_group(group, refusing);
        fits = false;
    }
    yk_reservation_set_blocked(reservation, !fits);
    int64_t age_ns = yk_clock_mono_ns(partition->core->clock) - reservation->created_mono_ns;
    if (!fits && age_ns >= YK_RESERVATION_WAIT_NS)
        yk_unreserve(partition, reservation->ask);
    return fits;
}

/* The node that takes the ask now: its reserved node, else, unless it requires that one, another node; NULL:
 * none. */
static struct yk_node *node_for(struct yk_partition *partition, const struct yk_reservation *reservation)
{
    const struct yk_shape *shape = reservation->ask->group->shape;
    if (yk_node_takes(partition, reservation->ask, reservation->node))
        return reservation->node;
    if (reservation->why == YK_RESERVE_REQUIRED ||
        (shape->parked && yk_list_empty(&partition->pending.freed_nodes)))
        return NULL;
    return yk_node_for(partition, reservation->ask);
}

/* Whether the ask, which its node does not take, waits for nothing but capacity, so that it keeps the
 * reservation. */
static bool waits_for_capacity(const struct yk_partition *partition, const struct yk_reservation *reservation)
{
    switch (reservation->why) {
    case YK_RESERVE_REQUIRED:
        return yk_required_node_waits_for_capacity(partition, reservation->ask, reservation->node);
    case YK_RESERVE_WAITING:    /* never marked */
    case YK_RESERVE_PREEMPTION: /* yk_nomination_not_kept() decides */
        break;
    }
    return true;
}

/* Whether other asks wait for nodes, and constraints of this ask may have come to exclude its node. Those of
 * nominated asks are left out: yk_nomination_not_kept() decides. */
static bool is_in_the_way(const struct yk_partition *partition, const struct yk_reservation *reservation)
{
    const struct yk_shape *shape = reservation->ask->group->shape;
    return shape->class_ != NULL && reservation->why != YK_RESERVE_PREEMPTION &&
           (partition->shapes.parked_count > shape->parked || !yk_list_empty(&partition->replace_waits));
}

static bool is_in_vain(const struct yk_partition *partition, const struct yk_reservation *reservation)
{
    if (reservation->why == YK_RESERVE_REQUIRED)
        return !yk_required_node_waits_for_capacity(partition, reservation->ask, reservation->node);
    return !yk_reservation_may_serve(partition, reservation);
}

bool yk_use_reservation_drop_vain(struct yk_partition *partition)
{
    bool some_left = false;
    struct yk_reservation *reservation;
    yk_list_foreach (reservation, &partition->reservation.list, struct yk_reservation, in_partition) {
        if (!is_in_the_way(partition, reservation))
            continue;
        if (is_in_vain(partition, reservation))
            give_up(partition, reservation);
        else
            some_left = true;
    }
    return some_left;
}

enum yk_turn yk_use_reservation_turn(struct yk_partition *partition)
{
    struct yk_tree_link *link = yk_tree_first(&partition->reservation.active);
    if (link == NULL)
        return YK_TURN_IDLE;
    struct yk_reservation *reservation = YK_CONTAINER(link, struct yk_reservation, in_active);
    struct yk_ask *ask = reservation->ask;
    struct yk_group *group = ask->group;
    yk_tree_remove(&partition->reservation.active, link);
    if (!yk_limit_gate_check_start(group->app) || yk_stateaware_holds(group->app)) {
        give_up(partition, reservation);
        return YK_TURN_PARKED;
    }
    if (!check_headroom(partition, reservation)) {
        yk_nomination_not_kept(ask, false);
        return YK_TURN_PARKED;
    }
    struct yk_node *node = node_for(partition, reservation);
    if (node == NULL) {
        bool keeps_it = waits_for_capacity(partition, reservation);
        /* The limits have headroom now, but no node takes this ask. The next ask may have another node. */
        struct yk_reservation *next = next_blocked(group, reservation->in_group.next);
        if (next != NULL)
            yk_reservation_look_at(partition, next);
        if (!keeps_it)
            give_up(partition, reservation);
        else if (reservation->why == YK_RESERVE_REQUIRED)
            yk_required_node_preempt(partition, reservation);
        else
            yk_nomination_not_kept(ask, true);
        return YK_TURN_PARKED;
    }
    ask->flags |= YK_ASK_ATTEMPTED;
    partition->steps->commit(partition, ask, node); /* ends the reservation, too */
    if (group->asks.count > 0)
        yk_use_reservation_note_group(group);
    return YK_TURN_DECIDED;
}
