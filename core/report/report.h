/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records events in the ring for REST (events/events.h). Call a function right after what its comment says
 * has happened, unless it says "is about to". Some functions also update timelines and metrics, or hand the
 * event to the resource manager.
 *
 * Limits of users and groups, and quota preemption, record their events themselves (limits/usage.c,
 * reservation/quota_preemption.c).
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
/* The application has entered its present state. `info`: why, or NULL; copied. Also calls
 * yk_wait_metrics_state(). */
void yk_report_app_state(struct yk_app *app, const char *info);
/* The application has joined its queue: an event of the queue. */
void yk_report_app_joined(const struct yk_app *app);
/* The application has left its queue, because it ended or is removed; `queue_path` still has the path. An
 * event of the queue, and one of the application. */
void yk_report_app_left(const struct yk_app *app);
/* The stateaware leaf skips the application, because none of its asks would fit even if all nodes and queues
 * were empty: the event says that the application can never start. It is an event of the first pending ask,
 * and the resource manager gets it too. No effect without a pending ask. */
void yk_report_app_passed_by(const struct yk_app *app);
/* The maximum of running applications of its queue, or of a queue above, began (`held`) or ceased to hold the
 * application back (R38). */
void yk_report_app_held_by_queue(const struct yk_app *app, bool held);
/* The maximum of running applications of its user or group began (`held`) or ceased to hold the application
 * back. */
void yk_report_app_held_by_quota(const struct yk_app *app, bool held);
/* The user `by` has moved the application from the queue `from` to its present one. Texts are copied. The counts
 * of its starts (report/drain.h) are forgotten. */
void yk_report_app_moved(struct yk_app *app, const char *from, const char *by);

/* ---- asks and allocations ---- */

/* The ask is new in its application, without a node. */
void yk_report_ask_added(const struct yk_ask *ask);
/* The ask is about to be removed. */
void yk_report_ask_removed(const struct yk_ask *ask);
/* The pending ask is about to be removed, because its gang has timed out. */
void yk_report_ask_timed_out(const struct yk_ask *ask);
/* The ask has become an allocation: it is counted in `app->allocation_count`, and its `bind_wall_ns` is set.
 * Also updates the timeline and the reason of the application in the metrics and, unless `is_restored`, the
 * metrics of waits and the count of starts of its leaf. `is_restored`: it started before the core learned of
 * it. */
void yk_report_allocated(const struct yk_ask *ask, bool is_restored);
/* The allocation of the ask has ended for the reason `why`. The ask still has its key, size and
 * application. */
void yk_report_ended(const struct yk_ask *ask, enum yk_si_termination why);

/* ---- events for the owner of an ask, which the resource manager also gets (report/rm_events.h) ---- */

/* `real` is larger than the placeholder, which will end without a replacement. */
void yk_report_placeholder_too_small(const struct yk_ask *placeholder, const struct yk_ask *real);
/* The ask was compared with the limits of its user and group. Records an event only if `has_capacity` differs
 * from the last call for the ask (before the first call: true). */
void yk_report_quota_headroom(struct yk_ask *ask, bool has_capacity);
/* Like yk_report_quota_headroom(), for the maxima of the queues on the path of the ask. */
void yk_report_queue_headroom(struct yk_ask *ask, bool has_capacity);
/* No node takes the first ask of the group. At most one event in 15 s per group, together with
 * yk_report_its_node(). */
void yk_report_no_node(struct yk_group *group);
/* The required node of the group does not take its first ask. `why` (copied) continues a sentence after the
 * name of the node: "is not there". At most one event in 15 s per group. */
void yk_report_its_node(struct yk_group *group, const char *why);

/* The gang of the application can never start; `why` is the text of yk_gang_check_fit(), copied. An event of
 * its first pending placeholder; no event without a pending placeholder. */
void yk_report_gang_never_fits(const struct yk_app *app, const char *why);
/* The allocation was chosen as a victim and is about to be asked to end; `why` (copied) is the whole
 * message. */
void yk_report_victim(const struct yk_ask *victim, const char *why);

/* ---- nodes ---- */

/* The ask has reserved the node. Also written to the timeline, like the end of a reservation that was not
 * used. */
void yk_report_reserved(const struct yk_partition *partition, const struct yk_ask *ask,
                        const struct yk_node *node);
/* The reservation of the node for the ask has ended. `was_used`: the ask runs on the node now; else the
 * reservation was dropped. */
void yk_report_unreserved(const struct yk_partition *partition, const struct yk_ask *ask,
                          const struct yk_node *node, bool was_used);
/* The node was added to the partition. The resource manager also gets this event, and that of
 * yk_report_node_removed(). */
void yk_report_node_added(const struct yk_partition *partition, const struct yk_node *node);
/* The node is about to be freed. */
void yk_report_node_removed(const struct yk_partition *partition, const struct yk_node *node);
/* `node->schedulable` was set. */
void yk_report_node_schedulable(const struct yk_partition *partition, const struct yk_node *node);
/* The node's capacity has changed to `node->total`. */
void yk_report_node_capacity(const struct yk_partition *partition, const struct yk_node *node);
/* The allocation `ask`, of an application or foreign, was counted on its node. */
void yk_report_node_allocated(const struct yk_partition *partition, const struct yk_ask *ask);
/* The allocation `ask`, of an application or foreign, is about to be no longer counted on its node. */
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
/* The maximum of the queue was set, and was `before` until then. No event if it is the same. */
void yk_report_queue_max(const struct yk_partition *partition, const struct yk_queue *queue,
                         const struct yk_resvec *before);
/* The guarantee of the queue was set, and was `before` until then. No event if it is the same. */
void yk_report_queue_guaranteed(const struct yk_partition *partition, const struct yk_queue *queue,
                                const struct yk_resvec *before);

#endif
