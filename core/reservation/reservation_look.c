/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/reservation_look.h"

#include "reservation/reservations.h"
#include "state/core.h"

#define PATIENCE_MIN_NS (60 * YK_NS_PER_S)

static int64_t now_mono(const struct yk_partition *partition)
{
    return yk_clock_mono_ns(partition->core->clock);
}

void yk_reservation_look_in(struct yk_partition *partition, int64_t delay_ns)
{
    struct yk_timer *timer = &partition->reservation.timer;
    int64_t due_ns = yk_i64_add(now_mono(partition), YK_MAX(delay_ns, 0));
    if (!yk_timer_armed(timer) || due_ns < timer->due_mono_ns)
        yk_timer_arm(partition->core->timers, timer, YK_MAX(delay_ns, 0));
}

void yk_reservation_look_for_shape(struct yk_shape *shape)
{
    shape->no_candidate_epoch = 0;
}

void yk_reservation_look_node_leaves(struct yk_node *node)
{
    yk_list_remove(&node->in_unreserved);
    yk_list_remove(&node->in_ended);
}

int64_t yk_reservation_look_patience_ns(const struct yk_partition *partition)
{
    return YK_MAX(PATIENCE_MIN_NS,
                  yk_i64_add(partition->reservation.longest_run_ns, partition->reservation.longest_run_ns));
}

int64_t yk_reservation_look_until_useless_ns(const struct yk_partition *partition)
{
    return YK_MAX(partition->reservation.useless_look_mono_ns - now_mono(partition), 0);
}

void yk_reservation_look_for_others(struct yk_partition *partition)
{
    bool others_wait = partition->shapes.parked_count > 0 || !yk_list_empty(&partition->replace_waits);
    if (partition->reservation.looks_for_useless || partition->reservation.count == 0 || !others_wait ||
        partition->rm->callbacks.class_fits_now == NULL)
        return;
    partition->reservation.looks_for_useless = true;
    yk_reservation_look_in(partition, yk_reservation_look_until_useless_ns(partition));
}

int64_t yk_reservation_look_until_old_ns(const struct yk_partition *partition,
                                         const struct yk_reservation *reservation)
{
    return reservation->created_mono_ns + YK_RESERVATION_WAIT_NS - now_mono(partition);
}

void yk_reservation_look_later(struct yk_partition *partition, const struct yk_reservation *reservation)
{
    yk_reservation_look_in(partition, reservation->why == YK_RESERVE_WAITING
                                          ? yk_reservation_look_patience_ns(partition)
                                          : yk_reservation_look_until_old_ns(partition, reservation));
    yk_reservation_look_for_others(partition);
}

bool yk_reservation_look_follows_order(const struct yk_partition *partition)
{
    return !yk_list_empty(&partition->reservation.overtaken) ||
           !yk_list_empty(&partition->reservation.waiting);
}

void yk_reservation_look_again(struct yk_partition *partition)
{
    if (yk_reservation_look_follows_order(partition))
        partition->reservation.is_due = true;
}

void yk_reservation_look_for_node(struct yk_partition *partition)
{
    partition->reservation.candidates_epoch++;
    yk_reservation_look_again(partition);
}

void yk_reservation_look_at(struct yk_partition *partition, struct yk_reservation *reservation)
{
    if (reservation->why != YK_RESERVE_WAITING && !yk_tree_linked(&reservation->in_active))
        yk_tree_insert(&partition->reservation.active, &reservation->in_active);
}

void yk_reservation_look_at_node(struct yk_partition *partition, const struct yk_node *node)
{
    struct yk_reservation *reservation;
    yk_list_foreach (reservation, &node->reservations, struct yk_reservation, in_node)
        yk_reservation_look_at(partition, reservation);
}
