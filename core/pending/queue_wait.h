/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applications that wait for headroom of a queue on their path.
 *
 * An application that may start, and does not pause, is in the tree `wait.apps` of its leaf, in the order of
 * the leaf, if it has groups that wait for headroom and no group that can be tried. The leaf is in the list
 * `wait.leaves` of each queue that refused one of its groups. After such a queue has more headroom, the
 * applications in the tree are looked at again in order, one per turn, until nothing more can start:
 * `wait.least`, the smallest amounts for which an ask in the tree waits, does not fit, or what is free is
 * held for earlier groups (pending/limit_hold.h). `wait.next` is the application to be looked at next. So the
 * cost of a release of capacity depends on how many asks can start because of it, not on how many wait,
 * unless small asks wait behind large ones: then each application may be looked at.
 *
 * An application that also has groups that can be tried stays among the active applications. Its groups that
 * wait for headroom are looked at in its turn, if there was a release since the last look.
 *
 * Thread: scheduling thread only.
 * Invariant: while `wait.next` of a leaf is NULL, no group of the applications in its tree fits into headroom
 *            that is not held for earlier groups (docs/design.md, Invariants 5).
 */
#ifndef YK_PENDING_QUEUE_WAIT_H
#define YK_PENDING_QUEUE_WAIT_H

#include "state/partition.h"

/* The first step of yk_park_group(): if no group of the application waits for headroom yet, notes that the
 * application has been looked at since the last release of capacity. Call it before the wait of the group
 * becomes YK_WAIT_QUEUE_QUOTA; then call yk_active_set_wait() and yk_queue_wait_refused(). Other modules call
 * yk_park_group(). */
void yk_queue_wait_begin(struct yk_group *group);
/* A step of yk_park_group(), after the wait of the group became YK_WAIT_QUEUE_QUOTA; also called when another
 * queue refuses the group later: the leaf of the group waits for headroom of `queue`, which is the leaf or
 * above it. Other modules call yk_park_group(). */
void yk_queue_wait_refused(struct yk_group *group, struct yk_queue *queue);
/* Call it after the queues from `queue` up to and including `last` (NULL: the root) have more headroom: the
 * next turns look again at leaves that wait for one of them. `last` is `queue` or above it. Other modules
 * call yk_wake_for_headroom() or yk_wake_queue_for_headroom(). O(leaves that wait there). */
void yk_queue_wait_eased(struct yk_queue *queue, const struct yk_queue *last);
/*
 * Call it in the turn of the application that yk_active_first_app() returned, before its groups are tried:
 * looks again at those of its groups that wait for headroom, if capacity was released since the last look.
 * True: groups or the tree of the leaf may have changed, so the caller tries nothing in this turn
 * (YK_TURN_PARKED), and calls yk_active_first_app() again in the next turn. False: nothing changed, so the
 * caller tries the application.
 */
bool yk_queue_wait_look(struct yk_app *app);
/* Like yk_queue_wait_look(), for an application that is tried out of turn, such as for a group that waits
 * for nodes: does not change `wait.next` of the leaf. True: the groups were looked at. So the order may have
 * changed: the caller tries nothing in this turn, and chooses again in the next one. */
bool yk_queue_wait_look_if_unseen(struct yk_app *app);

/* ---- for the order of the leaf (pending/active.c) ---- */

/* Whether a group of the application waits for headroom and was not looked at since the last release of
 * capacity in any queue of the partition. O(1). */
bool yk_queue_wait_is_unseen(const struct yk_app *app);
/* Call it before the application is added to `wait.apps` of its leaf, and when another group of an
 * application there waits for headroom: lowers `wait.least` of the leaf where the sizes of the application's
 * groups that wait for headroom are smaller. O(groups of the application with pending asks). */
void yk_queue_wait_note_app(const struct yk_app *app);
/* Call it if `app`, which is `wait.next` of its leaf and still in `wait.apps`, was looked at or leaves: the
 * application after it becomes `wait.next`. If `app` is the last one, `wait.next` becomes NULL. */
void yk_queue_wait_pass(const struct yk_app *app);

#endif
