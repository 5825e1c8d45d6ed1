/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outstanding requests: reports to the resource manager what waiting asks wait for (callback
 * scheduling_state()).
 *
 * FAILED: the ask lacks a node, which an autoscaler may add; the limits of its queues (apart from the
 * root's), user and group allow it. SKIPPED: another node would not help. A limit of a queue, user or group
 * refuses the ask; or earlier asks that lack nodes have claimed the headroom of a limit; or the ask waits for
 * something else, such as a placeholder (struct yk_refusal). A state is reported if it, or its reason,
 * differs from the last report. Reports begin 0.8 s after something began to wait, so most short waits are
 * not reported.
 *
 * A *walk* over all groups that may lack nodes computes how many of their asks fit together into the headroom
 * of the limits. Groups that began to wait earlier get headroom first. Walks and reports are made in steps of
 * bounded cost, 10 ms apart.
 *
 * Owns:   yk_partition.outstanding.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.9.
 */
#ifndef YK_REPORT_OUTSTANDING_H
#define YK_REPORT_OUTSTANDING_H

#include "state/partition.h"

/* Initialises `partition->outstanding`. Call it once per partition, before any other function of this
 * header. */
void yk_outstanding_init(struct yk_partition *partition);
/* Cancels the timers. Call it when the partition is freed, after its applications and nodes were removed:
 * their removal may arm the timers again. No other function of this header may be called afterwards. */
void yk_outstanding_done(struct yk_partition *partition);

/* Call it after something began to wait: a walk begins 0.8 s later, unless one is to begin earlier. O(1). */
void yk_outstanding_note(struct yk_partition *partition);
/* Call it after the wait of a group with pending asks may have changed: walks visit it while it may lack
 * nodes (YK_WAIT_NODES or YK_WAIT_GANG). To begin a walk, the caller also calls yk_outstanding_note(). If the
 * group waits for a placeholder or its required node, or its stateaware leaf does not start its application
 * yet, this function calls yk_outstanding_note_group(). O(1), or O(depth) if it calls that. */
void yk_outstanding_note_wait(struct yk_group *group);
/* Call it after the group began to wait for a limit, or an ask was added to a group that waits: a later step
 * reports its asks, unless all were reported with this reason already. If nothing refuses them
 * (yk_refusal_of()), only a walk begins (yk_outstanding_note()). The application has a leaf. O(depth). */
void yk_outstanding_note_group(struct yk_group *group);
/* Call it after a maximum of running applications, or a gang, kept the application from starting: later steps
 * report those of its asks that something refuses (yk_refusal_of()). O(1). */
void yk_outstanding_note_app(struct yk_app *app);
/* Call it after `queue`, which is on the path of `leaf`, refused all applications of `leaf` that wait for
 * headroom (`wait.apps`): later steps report their asks, unless `queue` is the same as in the last call for
 * `leaf`. O(1). */
void yk_outstanding_note_leaf(struct yk_partition *partition, struct yk_queue *leaf, struct yk_queue *queue);
/* Call it before the application may leave its place in `wait.apps` of its leaf, so that reports of the leaf
 * do not miss it. No effect if no reports of the leaf are due. O(log applications). */
void yk_outstanding_note_move(struct yk_app *app);
/* Begins a walk and takes a step; takes no step if the timer of the next step is armed. If a walk is under
 * way, does not begin another one, but arms the timer that does. A core that is `manual` has no such timers,
 * so its owner calls this function once for each step, and again after each change that is to be
 * reported. */
void yk_outstanding_report(struct yk_partition *partition);

/* Whether a search for victims for asks of the group has found at least once that no victims would help. The
 * function in which this becomes true calls yk_outstanding_tell_again(). */
bool yk_outstanding_in_vain(const struct yk_group *group);
/* Call it after the reason of the group's wait changed: later steps report the asks again that were reported
 * as FAILED or as SKIPPED, also if a limit refuses them now. O(1). */
void yk_outstanding_reset_reason(struct yk_group *group);
/* Call it before the group loses its last pending ask, but after it left `app->pending_groups`: walks no
 * longer visit the group. If `app->pending_groups` is empty, the application no longer counts as waiting in
 * the metrics. O(1). */
void yk_outstanding_remove_group(struct yk_group *group);
/* Call it after an ask of the application became an allocation, and after a group lost its last ask: the
 * reason of the application in the metrics and the timeline may be that of asks that are gone, so a later
 * step notes it again. No effect if no reason was noted. O(1). */
void yk_outstanding_note_start(struct yk_app *app);
/* Call it before the application leaves its leaf: drops the reports that are due for
 * yk_outstanding_note_app(). O(1). */
void yk_outstanding_remove_app(struct yk_app *app);
/* Call it after the sentence for lacking a node changed: later steps report again those asks of the group
 * that were reported as FAILED. O(1). */
void yk_outstanding_tell_again(struct yk_group *group);

#endif
