/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applications that wait for headroom of a queue on their path.
 *
 * They are in a tree of their own, in the order of their leaf, and the leaf is in a list of each queue that
 * refused. When such a queue has more headroom, the leaf is looked at again: from its first application on,
 * in order, one per turn, and only until not even the least amount that an ask there waits for fits. So a
 * release costs what it can start, not what waits; at most one look per leaf finds nothing, or per
 * application where sizes differ and small ones wait behind large ones.
 *
 * An application that can be tried for something else stays where it is; what it waits for is looked at
 * again at its turn if there was a release in between.
 *
 * Thread: scheduling thread only.
 * Invariant: while a leaf is not looked at, nothing that waits for headroom there fits (docs/design.md,
 * Invariants 5).
 */
#ifndef YK_PENDING_QUEUE_WAIT_H
#define YK_PENDING_QUEUE_WAIT_H

#include "state/partition.h"

/* Call it before the group's wait becomes YK_WAIT_QUEUE_QUOTA; yk_queue_wait_refused() follows after that. */
void yk_queue_wait_begin(struct yk_group *group);
/* Call it after the group's wait became YK_WAIT_QUEUE_QUOTA: its leaf waits for headroom of `queue`. */
void yk_queue_wait_refused(struct yk_group *group, struct yk_queue *queue);
/* The queues from `queue` up to and including `last` (NULL: the root) have more headroom. O(leaves that wait
 * there). */
void yk_queue_wait_eased(struct yk_queue *queue, const struct yk_queue *last);
/*
 * Call it at the application's turn: looks again at its groups that wait for headroom, if that may help.
 * True: it did, so the order may have changed, and the caller looks for the first application again.
 */
bool yk_queue_wait_look(struct yk_app *app);
/* Like yk_queue_wait_look() for an application that is tried for something else: looks again only if
 * something was released since the last look. True if it did. */
bool yk_queue_wait_look_if_unseen(struct yk_app *app);

/* ---- for the order of the leaf (pending/active.c) ---- */

/* Whether a group of the application waits for headroom and was not looked at since the last release. */
bool yk_queue_wait_is_unseen(const struct yk_app *app);
/* Call it when the application joins `wait.apps` of its leaf: lowers `wait.least` of the leaf to its sizes.
 * O(its groups). */
void yk_queue_wait_note_app(const struct yk_app *app);
/* `app` is `wait.next` of its leaf, and was looked at or leaves: the application after it becomes
 * `wait.next`. */
void yk_queue_wait_pass(const struct yk_app *app);

#endif
