/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parking: what cannot run now is not tried again until something happens that could help.
 *
 * A shape that fitted on no node waits for a node; a group whose size found no room in a queue waits for that
 * queue; an application that may not start waits for the queue that runs its maximum. A group or an
 * application that a limit of a user or group refused waits in the same way, on the entry of that user or
 * group. A wake-up without need is harmless, a missing one is an error (docs/design.md, Invariants 5).
 * Thread: scheduling thread only.
 */
#ifndef YK_PENDING_PARKED_H
#define YK_PENDING_PARKED_H

#include "state/partition.h"

/* The search found no node for the asks of `tried`: all groups of its shape wait for nodes. */
void yk_park_shape(struct yk_partition *partition, struct yk_group *tried);
/* `queue` has no headroom for the size of the group's asks: the group waits for it. */
void yk_park_group(struct yk_group *group, struct yk_queue *queue);
/*
 * `queue` runs its maximum of applications: `app` is held, and no held application of its leaf is tried
 * before `queue` may run one more.
 */
void yk_park_app(struct yk_app *app, struct yk_queue *queue);

/* Like yk_park_group() for the limit of a user or group. */
void yk_park_group_for_quota(struct yk_group *group, struct yk_usage *usage);
/* Like yk_park_app() for an application that a limit of its user or group keeps from starting. */
void yk_park_app_for_quota(struct yk_app *app, struct yk_usage *usage);

/* Call it when `node` has more capacity, is new or is schedulable again. Groups that wait for nodes are tried on it in
 * the next turns (pending/freed_nodes.h). O(asks for which others were preempted). */
void yk_wake_for_node(struct yk_partition *partition, struct yk_node *node);
/* `queue` and the queues above it have more headroom. O(leaves that wait there), see pending/queue_wait.h. */
void yk_wake_for_headroom(struct yk_queue *queue);
/* `queue` and the queues above it run fewer applications. O(leaves waiting there): of each the first is
 * tried. */
void yk_wake_for_app_slot(struct yk_queue *queue);
/* Like yk_wake_for_headroom() for this queue alone: its limits have changed. */
void yk_wake_queue_for_headroom(struct yk_queue *queue);
/* Like yk_wake_for_app_slot() for applications that wait until the queue lets one more start. */
void yk_wake_queue_for_app_slot(struct yk_queue *queue);
/* The application and its asks no longer wait for a user or group. O(groups of asks). */
void yk_unpark_from_quota(struct yk_app *app);

#endif
