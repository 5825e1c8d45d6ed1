/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports to the event hub: one function per row of the table of events. While events are not tracked, a call
 * costs a load and a branch, and writes no text.
 *
 * The events of limits of users and groups are in limits/usage.h.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, section 8.
 */
#ifndef YK_REPORT_REPORT_H
#define YK_REPORT_REPORT_H

#include "state/partition.h"

/* ---- applications ---- */

/* The application is new in the partition; it has no queue yet. */
void yk_report_app_new(const struct yk_app *app);
/* The application has entered its present state. `info`: why, or NULL; copied. */
void yk_report_app_state(const struct yk_app *app, const char *info);
/* The application has joined its queue: an event of the application, and one of the queue. */
void yk_report_app_joined(const struct yk_app *app);
/* The application is removed from its queue and from the partition. */
void yk_report_app_left(const struct yk_app *app);
/* A stateaware leaf starts others in its place, because it can never start. */
void yk_report_app_passed_by(const struct yk_app *app);
/* The running limit of its queue, or of a queue above, begins (`held`) or ceases to hold the application
 * back (R38). */
void yk_report_app_held_by_queue(const struct yk_app *app, bool held);
/* The running limit of its user or group begins (`held`) or ceases to hold the application back. */
void yk_report_app_held_by_quota(const struct yk_app *app, bool held);
/* The user `by` has moved the application from the queue `from` to its present one. Texts are copied. */
void yk_report_app_moved(const struct yk_app *app, const char *from, const char *by);

/* ---- asks and allocations ---- */

/* The ask is pending in its application. */
void yk_report_ask_added(const struct yk_ask *ask);
/* The resource manager has withdrawn the pending ask. */
void yk_report_ask_removed(const struct yk_ask *ask);
/* The pending ask, a placeholder's, has timed out. */
void yk_report_ask_timed_out(const struct yk_ask *ask);
/* The ask has become an allocation. Also ends its wait in the timeline and in the metrics of waits. */
void yk_report_allocated(const struct yk_ask *ask);
/* The allocation of the ask has ended for the reason `why`. */
void yk_report_ended(const struct yk_ask *ask, enum yk_si_termination why);

/* ---- what the owner of an ask should know ---- */
/* `real` is larger than the placeholder, which ends without a replacement. */
void yk_report_placeholder_too_small(const struct yk_ask *placeholder, const struct yk_ask *real);
/* Whether the limits of the user and group have capacity for the ask. An event each time the answer
 * changes. */
void yk_report_quota_headroom(struct yk_ask *ask, bool has_capacity);
/* Whether the queues above the application have capacity for the ask. An event each time the answer
 * changes. */
void yk_report_queue_headroom(struct yk_ask *ask, bool has_capacity);
/* No node takes the first ask of the group. At most one in 15 s per group. */
void yk_report_no_node(struct yk_group *group);
/* Like yk_report_no_node() for a group that may run on one node only. `why`: what is wrong there, copied. */
void yk_report_its_node(struct yk_group *group, const char *why);

/* The gang of the application can never start; `why` as yk_gang_check_fit() says it. */
void yk_report_gang_never_fits(const struct yk_app *app, const char *why);
/* The allocation is to end for others; `why` says for whom, copied. */
void yk_report_victim(const struct yk_ask *victim, const char *why);

/* ---- nodes ---- */

/* The ask has reserved the node. */
void yk_report_reserved(const struct yk_partition *partition, const struct yk_ask *ask,
                        const struct yk_node *node);
/* The reservation of the node for the ask has ended. `was_used`: the ask runs on the node now; else the
 * reservation was dropped. */
void yk_report_unreserved(const struct yk_partition *partition, const struct yk_ask *ask,
                          const struct yk_node *node, bool was_used);
/* The node has joined the partition. */
void yk_report_node_added(const struct yk_partition *partition, const struct yk_node *node);
/* The node is about to leave the partition. */
void yk_report_node_removed(const struct yk_partition *partition, const struct yk_node *node);
/* `node->schedulable` has changed. */
void yk_report_node_schedulable(const struct yk_partition *partition, const struct yk_node *node);
/* The node's capacity has changed to `node->total`. */
void yk_report_node_capacity(const struct yk_partition *partition, const struct yk_node *node);
/* The node counts the allocation `ask`, ours or foreign, from now on. */
void yk_report_node_allocated(const struct yk_partition *partition, const struct yk_ask *ask);
/* The node no longer counts the allocation `ask`, ours or foreign. */
void yk_report_node_released(const struct yk_partition *partition, const struct yk_ask *ask);

/* ---- queues ---- */

/* The queue has been added to the tree. */
void yk_report_queue_added(const struct yk_partition *partition, const struct yk_queue *queue);
/* The queue is about to be freed. */
void yk_report_queue_removed(const struct yk_partition *partition, const struct yk_queue *queue);
/* The queue drains: it takes no new applications, and is removed when it is empty. */
void yk_report_queue_draining(const struct yk_partition *partition, const struct yk_queue *queue);
/* The queue has become a leaf or a parent: `queue->is_leaf`. */
void yk_report_queue_type(const struct yk_partition *partition, const struct yk_queue *queue);
/* The maximum of the queue was `before`. No event if it is the same. */
void yk_report_queue_max(const struct yk_partition *partition, const struct yk_queue *queue,
                         const struct yk_resvec *before);
/* Like yk_report_queue_max() for the guarantee: it was `before`. No event if it is the same. */
void yk_report_queue_guaranteed(const struct yk_partition *partition, const struct yk_queue *queue,
                                const struct yk_resvec *before);

#endif
