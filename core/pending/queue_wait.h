/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applications that wait for headroom of a queue on their path.
 *
 * They stay in the order of their leaf, in a tree of their own, and the leaf waits with the queues that
 * refused. When one of them has more room the leaf is looked at again: from its first application on, in
 * order, one per turn, and only until not even the least amount that an ask there waits for fits. So a
 * release costs what it can start, not what waits; at most one look per leaf finds nothing, or per
 * application where sizes differ and small ones wait behind large ones.
 *
 * An application that can be tried for something else stays where it is; what it waits for is looked at
 * again at its turn if there was a release in between.
 *
 * Thread: scheduling thread only.
 * Invariant: while a leaf is not looked at, nothing that waits for room there fits (docs/design.md 5).
 */
#ifndef YK_PENDING_QUEUE_WAIT_H
#define YK_PENDING_QUEUE_WAIT_H

#include "state/partition.h"

/* Before and after the group begins to wait: it was tried now, and `queue` has refused it. */
void yk_queue_wait_begin(struct yk_group *group);
/* `queue` refused the group: it waits there. */
void yk_queue_wait_refused(struct yk_group *group, struct yk_queue *queue);
/* From `queue` up to, and with, `last` (NULL: the root) there is more room. O(leaves that wait there). */
void yk_queue_wait_eased(struct yk_queue *queue, const struct yk_queue *last);
/*
 * At the application's turn: looks again at what waits for room, if that may help. True if it did: who comes
 * first is another question now.
 */
bool yk_queue_wait_look(struct yk_app *app);
/* Like yk_queue_wait_look() for an application that is tried for something else: looks again only if
 * something was released since the last look. True if it did. */
bool yk_queue_wait_look_if_unseen(struct yk_app *app);

/* ---- for the order of the leaf (pending/active.c) ---- */

/* Something of the application waits for room and was not looked at since the last release. */
bool yk_queue_wait_is_unseen(const struct yk_app *app);
/* It comes among the leaf's queue_wait_apps. O(its groups). */
void yk_queue_wait_note_app(const struct yk_app *app);
/* `app` is its leaf's waiting_next, and was looked at or leaves: the application behind it becomes
 * waiting_next. */
void yk_queue_wait_pass(const struct yk_app *app);

#endif
