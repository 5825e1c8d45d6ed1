/* SPDX-License-Identifier: Apache-2.0 */
#include "partition/wait_events.h"

#include "gangs/gang_wait.h"
#include "partition/gang.h"
#include "reservation/make_reservation.h"
#include "reservation/preempt.h"
#include "reservation/reservation_look.h"
#include "reservation/reservations.h"
#include "reservation/use_reservation.h"

/* Preemption, or a gang that gives way, may help groups that wait for capacity. */
static void group_waits(struct yk_group *group)
{
    if (group->wait == YK_WAIT_NODES || group->wait == YK_WAIT_QUEUE_QUOTA)
        yk_preempt_note(group);
    yk_gang_wait_refused(group);
}

static void group_leaves_nodes(struct yk_group *group)
{
    yk_make_reservation_forget(group);
}

static void group_wakes(struct yk_group *group)
{
    yk_use_reservation_note_group(group);
}

static void shape_parked(struct yk_partition *partition)
{
    yk_reservation_look_for_others(partition);
}

/* An application that paused may reserve nodes again. */
static void backoff_ended(struct yk_partition *partition)
{
    yk_reservation_look_again(partition);
}

static void queue_eased(struct yk_queue *leaf)
{
    yk_use_reservation_note_eased(leaf);
}

static bool node_freed(struct yk_partition *partition, struct yk_node *node)
{
    const struct yk_reservation *first = yk_list_first(&node->reservations, struct yk_reservation, in_node);
    if (first != NULL && first->why != YK_RESERVE_WAITING) {
        yk_reservation_look_at_node(partition, node);
        return false;
    }
    if (!node->schedulable && !node->draining)
        return false;
    yk_gang_wake_node(partition, node);
    if (first == NULL)
        (void)yk_use_reservation_node_freed(partition, node); /* the number of comparisons is for tests */
    return true;
}

const struct yk_wait_listener yk_wait_events = {
    .group_waits = group_waits,
    .group_leaves_nodes = group_leaves_nodes,
    .group_wakes = group_wakes,
    .shape_parked = shape_parked,
    .backoff_ended = backoff_ended,
    .queue_eased = queue_eased,
    .node_freed = node_freed,
};
