/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of users and groups where applications and asks meet them: the two gates of the cycle, the end of an
 * application's turn, a reload. Who is refused waits on the entry that refused (pending/parked.h) and is
 * woken when that entry has room, a free place, or another limit.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules L8 to L13, L18, R36 and R38; docs/reference/scheduling.md 3.4, 3.5.
 */
#ifndef YK_PENDING_LIMIT_GATE_H
#define YK_PENDING_LIMIT_GATE_H

#include "state/partition.h"

/*
 * 3.4: YK_WAIT_NONE if the queues of the application, its user and its group let it run. Otherwise parks it at what
 * refused it, and returns YK_WAIT_APP_LIMIT for a queue, YK_WAIT_USER_QUOTA for the user or the group. Reports an
 * application that is held back, or no longer.
 */
enum yk_wait yk_limit_gate_run_or_park(struct yk_app *app);
/*
 * True if yk_limit_gate_run_or_park() would return YK_WAIT_NONE. Parks and reports nothing, but chooses the group
 * that the application counts for if it has none yet (L9).
 */
bool yk_limit_gate_check_start(struct yk_app *app);
/*
 * 3.5: YK_WAIT_NONE if the user and the group have headroom for the first ask of `group`. Otherwise parks `group` at
 * the entry that refused it, and returns YK_WAIT_USER_QUOTA. Reports a change of the headroom.
 */
enum yk_wait yk_limit_gate_fit_or_park(struct yk_group *group);
/* The application gave something back: wakes who waits for its user's or group's room. */
void yk_limit_gate_freed(struct yk_app *app);
/* L10: nothing of the application runs, so it no longer counts for its user and group. */
void yk_limit_gate_uncount(struct yk_app *app);
/* L9: its last ask or allocation has gone, so its next ones may count for another group. */
void yk_limit_gate_app_done(struct yk_app *app);
/*
 * The application goes to another leaf with all it has; the group is chosen again there. It is in no ready
 * tree and waits for nothing; what waited for its share of the old path is woken. Sets `app->leaf`.
 */
void yk_limit_gate_move(struct yk_app *app, struct yk_queue *target);
/* L18: after yk_limits_set() of all changed queues. O(entries changed + entries of groups). */
void yk_limit_gate_reloaded(struct yk_partition *partition);

#endif
