/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outstanding requests: what waiting asks wait for, reported to the resource manager.
 *
 * FAILED: it was tried, fits its queues (the cluster's size apart), its user and group, and lacks a node; an
 * autoscaler can add one. Asks that are reported so share the headroom, first come first served. SKIPPED: a
 * limit of a queue, user or group refuses it, or leaves no room for it beside those that come before it; no
 * node would help. Each is reported when it is not what was reported last, 0.8 s after the wait began, so
 * that what waits for a moment is not reported at all.
 *
 * The part of each group in the headroom is computed by a walk over all groups that may lack nodes. The walk
 * and the reports are made in steps of bounded cost, 10 ms apart. Between two steps anything may change:
 * groups that come are visited by the same walk, groups that leave are not, and a group that was visited
 * keeps its part until the next walk. Nothing runs while nothing waits.
 *
 * Owns:   yk_partition.outstanding.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.9.
 */
#ifndef YK_REPORT_OUTSTANDING_H
#define YK_REPORT_OUTSTANDING_H

#include "state/partition.h"

/* Makes the lists and timers of a new partition. Once, before anything else here is called for it. */
void yk_outstanding_init(struct yk_partition *partition);
/* Cancels the timers of a partition that is freed. */
void yk_outstanding_done(struct yk_partition *partition);

/* Something waits for nodes: a walk begins within a second. O(1). */
void yk_outstanding_note(struct yk_partition *partition);
/* The group has pending asks, and what it waits for may have changed: walks visit it while it may lack nodes.
 * O(1). */
void yk_outstanding_note_wait(struct yk_group *group);
/* The group waits, or another ask joined it while it does. O(depth). */
void yk_outstanding_note_group(struct yk_group *group);
/* A maximum of running applications keeps the application from starting: its asks are to be reported.
 * O(1). */
void yk_outstanding_note_app(struct yk_app *app);
/* None of the applications of `leaf` that wait for headroom (`wait.apps`) fits into `queue`. O(1). */
void yk_outstanding_note_leaf(struct yk_partition *partition, struct yk_queue *leaf, struct yk_queue *queue);
/* Call it before the application may leave its place among those of its leaf that wait for headroom
 * (`wait.apps`). O(log). */
void yk_outstanding_note_move(struct yk_app *app);
/* Begins a walk, unless one is under way, and takes a step. Otherwise timers do that; with a core that runs
 * no timers each call takes one step. */
void yk_outstanding_report(struct yk_partition *partition);

/* Whether preemption looked for victims for its asks and found none. */
bool yk_outstanding_in_vain(const struct yk_group *group);
/* The reason has changed: asks of the group that were reported as lacking a node, or as refused by a limit, are reported
 * again. O(1). */
void yk_outstanding_reset_reason(struct yk_group *group);
/* The group has no pending asks: walks no longer visit it. O(1). */
void yk_outstanding_remove_group(struct yk_group *group);
/* Nothing of the application waits: its limit is no longer to be reported. O(1). */
void yk_outstanding_remove_app(struct yk_app *app);
/* The reason has changed: asks of the group that were reported as lacking a node are reported again. O(1). */
void yk_outstanding_tell_again(struct yk_group *group);

#endif
