/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parking: what cannot run now is not tried again until something happens that could help.
 *
 * A shape that fitted on no node waits for a node; a group whose size found no room in a queue waits for that
 * queue; an application that may not start waits for the queue that runs its maximum. Waking may be in vain,
 * never missing (docs/design.md, Invariants 5). Thread: scheduling thread only.
 */
#ifndef YK_SCHEDULER_PARKING_H
#define YK_SCHEDULER_PARKING_H

#include "scheduler/partition.h"

/* No node fits `shape` now. */
void yk_park_shape(struct yk_partition *partition, struct yk_shape *shape);
/* `queue` has no room for the group's size. */
void yk_park_group(struct yk_group *group, struct yk_queue *queue);
/* `queue` runs its maximum of applications. */
void yk_park_app(struct yk_app *app, struct yk_queue *queue);

/* `node` has more room, or is new, or is schedulable again. O(parked shapes). */
void yk_wake_for_node(struct yk_partition *partition, const struct yk_node *node);
/* The path of `queue` to the root has more room. O(groups waiting there). */
void yk_wake_for_room(struct yk_queue *queue);
/* The path of `queue` runs fewer applications. O(applications waiting there). */
void yk_wake_for_app_slot(struct yk_queue *queue);
/* The same for this queue alone: its limits have changed. */
void yk_wake_queue_for_room(struct yk_queue *queue);
void yk_wake_queue_for_app_slot(struct yk_queue *queue);

#endif
