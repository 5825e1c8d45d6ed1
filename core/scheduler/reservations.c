/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/reservations.h"

#include "scheduler/core.h"
#include "scheduler/parking.h"
#include "scheduler/preempt.h"
#include "scheduler/promise.h"

bool yk_reserve(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node,
                enum yk_reserve_why why)
{
    if (!node->schedulable || !yk_list_empty(&node->reservations))
        return false;
    yk_unreserve(partition, ask);
    struct yk_reservation *made = yk_new0(struct yk_reservation);
    made->ask = ask;
    made->node = node;
    made->why = why;
    made->created_mono_ns = yk_clock_mono_ns(partition->core->clock);
    ask->reservation = made;
    yk_list_append(&node->reservations, &made->in_node);
    yk_list_append(&partition->reservations, &made->in_partition);
    yk_node_order_update(&partition->node_order, node);
    return true;
}

void yk_unreserve(struct yk_partition *partition, struct yk_ask *ask)
{
    struct yk_reservation *reservation = yk_move(ask->reservation);
    if (reservation == NULL)
        return;
    struct yk_node *node = reservation->node;
    yk_list_remove(&reservation->in_node);
    yk_list_remove(&reservation->in_partition);
    free(reservation);
    yk_preempt_node_changed(partition, node);
    yk_promise_break(ask);
    if (!node->leaving) {
        yk_node_order_update(&partition->node_order, node);
        yk_wake_for_node(partition, node);
    }
}

bool yk_reservations_may_yield(const struct yk_partition *partition, const struct yk_node *node,
                               const struct yk_ask *preemptor)
{
    const struct yk_reservation *reservation;
    (void)partition;
    yk_list_foreach (reservation, &node->reservations, struct yk_reservation, in_node) {
        if (reservation->ask != preemptor)
            return false;
    }
    return true;
}

void yk_reservations_drop(struct yk_partition *partition, struct yk_node *node)
{
    struct yk_reservation *reservation;
    while ((reservation = yk_list_first(&node->reservations, struct yk_reservation, in_node)) != NULL)
        yk_unreserve(partition, reservation->ask);
}

enum yk_turn yk_reservations_turn(struct yk_partition *partition)
{
    struct yk_reservation *reservation;
    yk_list_foreach (reservation, &partition->reservations, struct yk_reservation, in_partition) {
        struct yk_ask *ask = reservation->ask;
        if (yk_node_has_room(reservation->node, yk_ask_size(ask)) && yk_promise_has_room(ask, NULL) &&
            yk_usage_without_room(ask->app, yk_ask_size(ask)) == NULL) {
            yk_partition_commit(partition, ask, reservation->node);
            return YK_TURN_DECIDED;
        }
    }
    return YK_TURN_IDLE;
}
