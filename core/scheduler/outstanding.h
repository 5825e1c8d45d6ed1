/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outstanding requests: what waiting asks wait for, reported to the resource manager.
 *
 * FAILED: it was tried, fits its queues (the cluster's size apart), its user and group, and lacks a node; an
 * autoscaler can add one. Asks that are reported so share the headroom, first come first served. SKIPPED: a
 * limit of a queue, user or group refuses it, or leaves no room for it beside those that come before it; no
 * node would help. Each is reported when it is not what was reported last, a second after the wait began, so
 * that what waits for a moment is not reported at all. A step reports SKIPPED for a bounded number of asks,
 * the others follow in further steps. Nothing runs while nothing waits.
 * Source: docs/reference/scheduling.md 3.9.
 */
#ifndef YK_SCHEDULER_OUTSTANDING_H
#define YK_SCHEDULER_OUTSTANDING_H

#include "scheduler/partition.h"

/* Something waits for nodes: looks within a second. O(1). */
void yk_outstanding_note(struct yk_partition *partition);
/* The group waits, or another ask joined it while it does. O(depth). */
void yk_outstanding_note_group(struct yk_group *group);
/* A number of running applications keeps it from starting. O(1). */
void yk_outstanding_note_app(struct yk_app *app);
/* None of the short applications of `leaf` fits into `queue`. O(1). */
void yk_outstanding_note_leaf(struct yk_partition *partition, struct yk_queue *leaf, struct yk_queue *queue);
/* Reports what is outstanding now, SKIPPED as far as one step goes. O(groups that lack a node or room in the
 * cluster). */
void yk_outstanding_report(struct yk_partition *partition);

/* Whether preemption looked for victims for its asks and found none. */
bool yk_outstanding_in_vain(const struct yk_group *group);
/* The reason has changed: asks that were reported as waiting are reported again. O(asks of the group). */
void yk_outstanding_tell_again(struct yk_group *group);

#endif
