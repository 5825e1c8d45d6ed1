/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/reservations.h"
#include "reservation/reservation_look.h"

#include "base/log.h"
#include "pending/active.h"
#include "pending/limit_hold.h"
#include "report/report.h"
#include "reservation/nomination.h"
#include "reservation/preempt.h"
#include "state/core.h"
#include "state/node_search.h"
#include "state/turn.h"
#include "state/turn_order.h"

static int64_t now_mono(const struct yk_partition *partition)
{
    return yk_clock_mono_ns(partition->core->clock);
}

static struct yk_reservation *first_of(const struct yk_node *node)
{
    return yk_list_first(&node->reservations, struct yk_reservation, in_node);
}

int yk_reservation_order(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    const struct yk_reservation *x = YK_CONTAINER(a, struct yk_reservation, in_active);
    const struct yk_reservation *y = YK_CONTAINER(b, struct yk_reservation, in_active);
    if (x->created_mono_ns != y->created_mono_ns)
        return x->created_mono_ns < y->created_mono_ns ? -1 : 1;
    int order = strcmp(yk_ask_app(x->ask)->id, yk_ask_app(y->ask)->id);
    return order != 0 ? order : (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

/* ---- which ask may have the node ---- */

bool yk_ask_is_guaranteed(const struct yk_ask *ask)
{
    YK_RESVEC(guaranteed);
    const struct yk_queue *leaf = yk_ask_app(ask)->leaf;
    return yk_queue_actual_guaranteed(leaf, &guaranteed) &&
           yk_resvec_match_any(&guaranteed, yk_ask_size(ask)) &&
           yk_resvec_fit_sum(&guaranteed, &leaf->allocated, yk_ask_size(ask));
}

/* Whether the reservation gives way to `preemptor`, which claims the guarantee of its queue. */
static bool may_be_cancelled(const struct yk_reservation *reservation, const struct yk_ask *preemptor,
                             int64_t now_ns)
{
    const struct yk_ask *ask = reservation->ask;
    if (ask == preemptor || reservation->why != YK_RESERVE_WAITING)
        return ask == preemptor;
    if (yk_ask_app(ask)->leaf == yk_ask_app(preemptor)->leaf) /* the guarantee is the same for both */
        return yk_turn_compare(preemptor->group, ask->group) < 0;
    if (!yk_ask_is_guaranteed(ask))
        return true;
    return yk_ask_priority(ask) < yk_ask_priority(preemptor) &&
           now_ns - reservation->created_mono_ns > YK_RESERVATION_WAIT_NS;
}

bool yk_reservations_may_yield(const struct yk_partition *partition, const struct yk_node *node,
                               const struct yk_ask *preemptor)
{
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &node->reservations, struct yk_reservation, in_node) {
        if (reservation->why != YK_RESERVE_PREEMPTION &&
            !may_be_cancelled(reservation, preemptor, now_mono(partition)))
            return false;
    }
    return true;
}

static bool is_free_for(const struct yk_partition *partition, const struct yk_node *node,
                        const struct yk_ask *ask, enum yk_reserve_why why)
{
    if (yk_list_empty(&node->reservations))
        return true;
    if (why == YK_RESERVE_PREEMPTION)
        return yk_reservations_may_yield(partition, node, ask);
    return why == YK_RESERVE_REQUIRED && first_of(node)->why == YK_RESERVE_REQUIRED;
}

/* ---- making and dropping ---- */

void yk_reservation_set_blocked(struct yk_reservation *reservation, bool blocked)
{
    struct yk_group *group = reservation->ask->group;
    group->reservation.blocked -= reservation->blocked;
    group->reservation.blocked += blocked;
    reservation->blocked = blocked;
}

static void unlink_reservation(struct yk_partition *partition, struct yk_reservation *reservation)
{
    yk_reservation_set_blocked(reservation, false);
    yk_list_remove(&reservation->in_partition);
    yk_list_remove(&reservation->in_node);
    yk_list_remove(&reservation->in_group);
    yk_list_remove(&reservation->in_waiting);
    partition->reservation.waiting_count -= reservation->why == YK_RESERVE_WAITING;
    if (yk_tree_linked(&reservation->in_active))
        yk_tree_remove(&partition->reservation.active, &reservation->in_active);
    partition->reservation.count--;
    if (reservation->why == YK_RESERVE_PREEMPTION)
        yk_node_end_nomination(reservation->node, yk_ask_size(reservation->ask));
}

static void open_node(struct yk_partition *partition, struct yk_node *node)
{
    if (node->leaving || !yk_list_empty(&node->reservations))
        return;
    yk_node_order_update(&partition->node_order, node);
    yk_reservation_look_for_node(partition);
    if (!yk_list_linked(&node->in_unreserved))
        yk_list_append(&partition->reservation.unreserved_nodes, &node->in_unreserved);
}

static void end_reservation(struct yk_partition *partition, struct yk_ask *ask, bool was_used)
{
    struct yk_reservation *reservation = yk_ask_reservation(ask);
    if (reservation == NULL)
        return;
    struct yk_node *node = reservation->node;
    yk_report_unreserved(partition, ask, node, was_used);
    yk_debug(yk_log_reservation, was_used ? "reservation used" : "reservation dropped",
             KV("app", yk_ask_app(ask)->id), KV("ask", ask->key), KV("node", node->id));
    unlink_reservation(partition, reservation);
    yk_ask_set_reservation(ask, NULL);
    free(reservation);
    if (ask->group->wait == YK_WAIT_NODES)
        yk_limit_hold_waits_for_nodes(ask->group);
    yk_turn_order_changed(partition); /* other asks may now come before all asks with reservations */
    open_node(partition, node);
    yk_preempt_node_changed(partition, node);
    if (was_used)
        yk_nomination_end(ask);
    else
        yk_nomination_break(ask);
}

void yk_unreserve(struct yk_partition *partition, struct yk_ask *ask)
{
    end_reservation(partition, ask, false);
}

void yk_reservation_used(struct yk_partition *partition, struct yk_ask *ask)
{
    end_reservation(partition, ask, true);
}

/* Drops the reservations of the node for waiting asks. Those of nominated asks stay: nominated asks share a
 * node. */
static void drop_waiting(struct yk_partition *partition, struct yk_node *node)
{
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &node->reservations, struct yk_reservation, in_node) {
        if (reservation->why == YK_RESERVE_WAITING)
            yk_unreserve(partition, reservation->ask);
    }
}

bool yk_reserve(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node,
                enum yk_reserve_why why)
{
    if (!yk_ask_is_pending(ask) || node->leaving || !yk_resvec_fit(node->total, yk_ask_size(ask)) ||
        !is_free_for(partition, node, ask, why))
        return false;
    yk_unreserve(partition, ask);
    if (why == YK_RESERVE_PREEMPTION) {
        drop_waiting(partition, node);
        yk_node_nominate(node, yk_ask_size(ask));
    }
    struct yk_reservation *reservation = yk_new0(struct yk_reservation);
    reservation->ask = ask;
    reservation->node = node;
    reservation->created_mono_ns = now_mono(partition);
    reservation->sequence = ++partition->reservation.sequence;
    reservation->why = why;
    yk_list_append(&partition->reservation.list, &reservation->in_partition);
    yk_list_append(&node->reservations, &reservation->in_node);
    yk_list_append(&ask->group->reservation.list, &reservation->in_group);
    partition->reservation.count++;
    yk_list_init(&reservation->in_waiting);
    partition->reservation.waiting_count += why == YK_RESERVE_WAITING;
    if (why == YK_RESERVE_WAITING)
        yk_list_append(&partition->reservation.waiting, &reservation->in_waiting);
    yk_ask_set_reservation(ask, reservation);
    yk_node_order_update(&partition->node_order, node); /* removes it: a reserved node is not in the order */
    yk_reservation_look_later(partition, reservation);
    yk_report_reserved(partition, ask, node);
    yk_debug(yk_log_reservation, "node reserved", KV("app", yk_ask_app(ask)->id), KV("ask", ask->key),
             KV("node", node->id), KV("why", (int)why));
    if (why != YK_RESERVE_WAITING)
        yk_reservation_look_at(partition, reservation);
    else
        yk_turn_order_changed(partition); /* its group may now be first of all with reservations */
    return true;
}

void yk_unreserve_group(struct yk_group *group)
{
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &group->reservation.list, struct yk_reservation, in_group)
        yk_unreserve(group->app->partition, reservation->ask);
}

/* ---- nodes that change ---- */

/* Drops the reservation. A group that requires the node is tried again, so that its reason for waiting is up
 * to date. */
static void drop(struct yk_partition *partition, struct yk_reservation *reservation)
{
    struct yk_group *group = reservation->ask->group;
    yk_unreserve(partition, reservation->ask);
    if (group->wait == YK_WAIT_REQUIRED_NODE)
        yk_active_set_wait(group, YK_WAIT_NONE);
}

void yk_unreserve_node(struct yk_partition *partition, struct yk_node *node)
{
    struct yk_reservation *reservation;
    yk_list_foreach (reservation, &node->reservations, struct yk_reservation, in_node) {
        if (node->leaving || reservation->why != YK_RESERVE_REQUIRED)
            drop(partition, reservation);
    }
}

bool yk_node_could_serve(const struct yk_partition *partition, const struct yk_node *node,
                         const struct yk_ask *ask)
{
    YK_RESVEC(most);
    const struct yk_ask *other;
    yk_resvec_copy(&most, node->total);
    yk_list_foreach (other, &node->foreign, struct yk_ask, in_node) {
        if ((other->flags & YK_ASK_STATIC) != 0) /* it never ends */
            yk_resvec_sub(&most, yk_ask_size(other));
    }
    yk_list_foreach (other, &node->allocations, struct yk_ask, in_node) {
        if (other->group->required_node != NULL &&
            (other->flags & YK_ASK_RELEASED) == 0) /* made again if it ends */
            yk_resvec_sub(&most, yk_ask_size(other));
    }
    return yk_resvec_fit(&most, yk_ask_size(ask)) && yk_node_may_be_reserved(partition, ask, node);
}

bool yk_reservation_may_serve(const struct yk_partition *partition, const struct yk_reservation *reservation)
{
    const struct yk_ask *ask = reservation->ask;
    return yk_class_has_a_chance(partition, ask->group->shape->class_) &&
           yk_node_could_serve(partition, reservation->node, ask);
}

void yk_reservations_node_changed(struct yk_partition *partition, struct yk_node *node)
{
    struct yk_reservation *reservation;
    yk_list_foreach (reservation, &node->reservations, struct yk_reservation, in_node) {
        bool drained = !node->schedulable && reservation->why != YK_RESERVE_REQUIRED;
        if (drained || !yk_node_could_serve(partition, node, reservation->ask))
            drop(partition, reservation);
    }
}
