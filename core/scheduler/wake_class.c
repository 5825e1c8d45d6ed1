/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/wake_class.h"

#include "gangs/gang_wait.h"
#include "partition/gang.h"
#include "pending/active.h"
#include "pending/freed_nodes.h"
#include "reservation/reservation_look.h"
#include "reservation/reservations.h"
#include "reservation/reserved_capacity.h"

static void wake_bound(struct yk_group *group)
{
    struct yk_reservation *reservation;
    if (group->wait == YK_WAIT_REQUIRED_NODE)
        yk_active_set_wait(group, YK_WAIT_NONE);
    yk_list_foreach (reservation, &group->reservation.list, struct yk_reservation, in_group)
        yk_reservation_look_at(group->app->partition, reservation);
}

static void wake_bound_of(struct yk_shape *shape)
{
    struct yk_group *group;
    yk_list_foreach (group, &shape->groups, struct yk_group, in_shape)
        wake_bound(group);
}

void yk_wake_class(struct yk_partition *partition, yk_si_class number)
{
    const struct yk_class *class_ = yk_shapes_class(&partition->shapes, number);
    struct yk_shape *shape;
    if (class_ == NULL)
        return;
    yk_gang_wait_note(partition);
    yk_list_foreach (shape, &class_->shapes, struct yk_shape, in_class) {
        yk_gang_wake_class(partition, shape);
        yk_freed_nodes_retry(partition, shape);
        yk_reservation_look_for_shape(shape);
        wake_bound_of(shape);
    }
    yk_reserved_capacity_offer(partition);
    yk_reservation_look_again(partition);
}
