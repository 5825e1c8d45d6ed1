/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parking: asks that cannot run now are not tried again until something happens that could help.
 *
 * A shape that fits on no node waits for a node. A group whose asks do not fit into the headroom of a queue
 * waits for that queue. An application that may not start waits for the queue that runs its maximum of
 * applications. A group or an application that a limit of a user or group refused waits at the entry (struct
 * yk_usage) of that user or group. It is harmless to wake a group that does not fit, but an error not to wake
 * a group that fits (docs/design.md, Invariants 5).
 * Thread: scheduling thread only.
 */
#ifndef YK_PENDING_PARKED_H
#define YK_PENDING_PARKED_H

#include "state/partition.h"

/* Call it after a search of all nodes found none for the asks of `tried`, which has no required node: all
 * groups of its shape that could be tried, except those with a required node, wait for nodes (YK_WAIT_NODES).
 * Also makes the report and the reservations look at the waiting groups. Before, the caller calls
 * yk_report_no_node(), then yk_preempt_try() if the class of the shape has a chance
 * (yk_class_has_a_chance()), then yk_backoff_failed(). If yk_preempt_try() returns true, the caller neither
 * counts a failure nor parks. If none of the applications of the waiting groups may be tried now, such as
 * during a pause, the shape is not parked (yk_shape.parked is false); it is parked and tried again when one
 * of them may be tried. */
void yk_park_shape(struct yk_partition *partition, struct yk_group *tried);
/* Call it if `queue`, which is the leaf of the group or above it, has no headroom for an ask of the group, or
 * if its headroom is held for an earlier group (yk_limit_held_queue()): the group waits for the queue
 * (YK_WAIT_QUEUE_QUOTA), and may become the holder of the maximum of the queue (pending/limit_hold.h). Before
 * the call, the group has pending asks, and may wait for any reason. If headroom lacks, the caller calls
 * yk_report_queue_headroom() before, and in the regular walk also yk_preempt_try(), and parks only if that
 * returns false. Reservations of the asks stay. */
void yk_park_group(struct yk_group *group, struct yk_queue *queue);
/*
 * Call it if `queue`, which is the leaf of `app` or above it, runs its maximum of applications: `app`, which
 * is Accepted, is held (`start.held`), and no held application of its leaf is tried before `queue` may run
 * one more. If held applications of the leaf wait for another queue already, `app` waits with them for that
 * other queue instead.
 * A step of yk_limit_gate_run_or_park(), which also reports and logs the refusal.
 */
void yk_park_app(struct yk_app *app, struct yk_queue *queue);

/* Call it if the limit of `usage`, an entry of the user or group of the group's application
 * (yk_usage_without_headroom(), yk_limit_held_usage()), has no headroom for an ask of the group: the group
 * waits for this limit (YK_WAIT_USER_QUOTA), and may become its holder. Before the call, the group has
 * pending asks, and may wait for any reason. A step of yk_limit_gate_fit_or_park(), which also reports the
 * refusal. */
void yk_park_group_for_quota(struct yk_group *group, struct yk_usage *usage);
/* Call it if the limit of `usage`, an entry of the user or group of `app` (yk_usage_without_slot()), does not
 * let one more application run: `app`, which is Accepted, waits for this limit. Before the call, `app` does
 * not wait for a limit to start (`start.gate` is NULL). Afterwards it is no longer held by a queue
 * (`start.held`). A step of yk_limit_gate_run_or_park(), which also reports the refusal. */
void yk_park_app_for_quota(struct yk_app *app, struct yk_usage *usage);

/* Call it when `node` has more free capacity or other constraints, is new, is schedulable again, or has lost
 * its reservations: the next turns try there the groups that wait for nodes (pending/freed_nodes.h), gangs
 * that wait for a node and, if the node has no reservation, asks with victims. If the node has reservations
 * for asks with victims or with a required node, the next turns only look at these asks. No effect on a node
 * that is neither schedulable nor draining and has no such reservation. O(allocations on the node + gangs
 * that wait for a node + nominated asks).
 *
 * Before the call, the caller calls
 * - yk_node_order_update() and yk_preempt_node_changed(), after a change of the node or of its allocations,
 * - yk_reservations_node_changed(), after a change of its capacity, constraints, `schedulable` or `draining`,
 * - yk_required_node_note_candidate(), if the node is new, one of these changed, or less never ends there: this
 *   function does not wake groups that wait for their required node without a reservation. */
void yk_wake_for_node(struct yk_partition *partition, struct yk_node *node);
/* Call it after `queue` and the queues above it have more headroom (less allocated or nominated, or more
 * capacity of the nodes for the root), and after yk_active_update_queue() if allocated amounts changed: the
 * next turns try groups that wait for one of them, if they fit (pending/queue_wait.h). Groups that wait for
 * limits of users and groups of users are not woken: yk_limit_gate_freed() does this. O(leaves that wait
 * there). */
void yk_wake_for_headroom(struct yk_queue *queue);
/* Call it after `queue` and the queues above it run fewer applications (yk_queue_count_running()), or have
 * fewer Accepted ones with allocations (yk_queue_count_allocating()), unless one count takes the place of the
 * other: the next turns try held applications in each leaf that waits for one of these queues.
 * yk_limit_gate_uncount() does this for limits of users and groups of users. O(leaves that wait there). */
void yk_wake_for_app_slot(struct yk_queue *queue);
/* Like yk_wake_for_headroom(), for this queue alone: a hold of it has changed, or allocations in a queue with
 * nominations (`has_nominations`) were asked to end. After a change of its maximum, call
 * yk_wake_queue_for_limits() instead. */
void yk_wake_queue_for_headroom(struct yk_queue *queue);
/* Call it after the maximum or the guarantee of `queue` changed: restores the order of queues and
 * applications (yk_active_limits_changed()). `max_changed`: also wakes what waits for headroom of the queue,
 * and ends holds of groups that can never fit any longer (yk_limit_hold_max_changed()). After all queues have
 * changed, the caller calls yk_turn_order_changed(). If a maximum has changed, it also calls
 * yk_gang_wait_capacity_changed(), yk_stateaware_capacity_changed() and yk_reservation_look_again().
 * For preemption, it calls yk_preempt_leaf_changed(), or yk_preempt_configured() after a reload. For the
 * capacity of the nodes, which is the maximum of the root, call yk_fair_shares_note() instead. O(queues that
 * change * log siblings + applications, users and groups of `queue`). */
void yk_wake_queue_for_limits(struct yk_partition *partition, struct yk_queue *queue, bool max_changed);
/* Like yk_wake_for_app_slot(), for this queue alone: its maximum of applications (`max_apps`) has changed. No
 * effect if the queue cannot run one more application. */
void yk_wake_queue_for_app_slot(struct yk_queue *queue);
/* Ends all waits of the application and of its groups for limits of a user or group: the next turns try them,
 * except groups whose shape is parked, which wait for nodes. The application is in its leaf. Call it before
 * the application loses its entry of the group of users (yk_usage_drop_group()). Before it leaves its leaf,
 * yk_active_forget_app() says what to do instead. O(its groups with pending asks). */
void yk_unpark_from_quota(struct yk_app *app);

#endif
