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
void yk_report_app_new(const struct yk_app *app);
/* The state it has now; `info` may be NULL. */
void yk_report_app_state(const struct yk_app *app, const char *info);
/* Its queue, too. */
void yk_report_app_joined(const struct yk_app *app);
void yk_report_app_left(const struct yk_app *app);
/* Its running limit flips (R38). */
/* A stateaware leaf starts others in its place, because it can never start. */
void yk_report_app_passed_by(const struct yk_app *app);
void yk_report_app_held_by_queue(const struct yk_app *app, bool held);
void yk_report_app_held_by_quota(const struct yk_app *app, bool held);
/* From `from`, where it was until now. */
void yk_report_app_moved(const struct yk_app *app, const char *from, const char *by);

/* ---- asks and allocations ---- */
void yk_report_ask_added(const struct yk_ask *ask);
void yk_report_ask_removed(const struct yk_ask *ask);
void yk_report_ask_timed_out(const struct yk_ask *ask);
void yk_report_allocated(const struct yk_ask *ask);
void yk_report_ended(const struct yk_ask *ask, enum yk_si_termination why);

/* ---- what the owner of an ask should know; each once per flip ---- */
/* `real` does not fit into its place, so it ends. */
void yk_report_placeholder_too_small(const struct yk_ask *placeholder, const struct yk_ask *real);
/* Whether the user's and group's limits, or the queues above the application, have room for the ask. */
void yk_report_quota_headroom(struct yk_ask *ask, bool has_capacity);
void yk_report_queue_headroom(struct yk_ask *ask, bool has_capacity);
/* No node takes the first ask of the group. At most one in 15 s per group. */
void yk_report_no_node(struct yk_group *group);
/* The same for a group that may run on one node only: what is wrong with it. */
void yk_report_its_node(struct yk_group *group, const char *why);

/* The gang of the application can never start; `why` as yk_gang_never_fits() says it. */
void yk_report_gang_never_fits(const struct yk_app *app, const char *why);
/* It is to end for others; `why` says for whom. */
void yk_report_victim(const struct yk_ask *victim, const char *why);

/* ---- nodes ---- */
void yk_report_reserved(const struct yk_partition *partition, const struct yk_ask *ask,
                        const struct yk_node *node);
/* `was_used`: the ask runs on the node now; else the reservation was dropped. */
void yk_report_unreserved(const struct yk_partition *partition, const struct yk_ask *ask,
                          const struct yk_node *node, bool was_used);
void yk_report_node_added(const struct yk_partition *partition, const struct yk_node *node);
void yk_report_node_removed(const struct yk_partition *partition, const struct yk_node *node);
void yk_report_node_schedulable(const struct yk_partition *partition, const struct yk_node *node);
void yk_report_node_capacity(const struct yk_partition *partition, const struct yk_node *node);
/* The node counts an allocation, ours or foreign, or no longer counts it. */
void yk_report_node_allocated(const struct yk_partition *partition, const struct yk_ask *ask);
void yk_report_node_released(const struct yk_partition *partition, const struct yk_ask *ask);

/* ---- queues ---- */
void yk_report_queue_added(const struct yk_partition *partition, const struct yk_queue *queue);
void yk_report_queue_removed(const struct yk_partition *partition, const struct yk_queue *queue);
/* Nothing new comes from now on: it goes when it is empty. */
void yk_report_queue_draining(const struct yk_partition *partition, const struct yk_queue *queue);
void yk_report_queue_type(const struct yk_partition *partition, const struct yk_queue *queue);
/* Nothing if it is what it was. */
void yk_report_queue_max(const struct yk_partition *partition, const struct yk_queue *queue,
                         const struct yk_resvec *before);
void yk_report_queue_guaranteed(const struct yk_partition *partition, const struct yk_queue *queue,
                                const struct yk_resvec *before);

#endif
