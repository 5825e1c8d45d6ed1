/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of users and groups where applications and asks meet them: the two gates of the cycle, the end of an
 * application's turn, a reload. What is refused waits on the entry that refused (pending/parked.h), and is
 * woken when that entry has headroom, a free place, or another limit.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules L8 to L13, L18, R36 and R38; docs/reference/scheduling.md 3.4, 3.5.
 */
#ifndef YK_PENDING_LIMIT_GATE_H
#define YK_PENDING_LIMIT_GATE_H

#include "state/partition.h"

/*
 * YK_WAIT_NONE if the maxima of running applications of its queues, its user and its group let the application start
 * (scheduling.md 3.4), also if it has started. Otherwise parks it at what refused it, and returns YK_WAIT_APP_LIMIT
 * for a queue, YK_WAIT_USER_QUOTA for the user or the group. Reports an application that is held back, or no longer.
 */
enum yk_wait yk_limit_gate_run_or_park(struct yk_app *app);
/*
 * Whether yk_limit_gate_run_or_park() would return YK_WAIT_NONE, for an application that has a reservation. Parks and
 * reports nothing, but chooses the group that the application counts for if it has none yet (L9).
 */
bool yk_limit_gate_check_start(struct yk_app *app);
/*
 * YK_WAIT_NONE if the limits of user and group have headroom for the first ask of `group` (scheduling.md 3.5).
 * Otherwise parks `group` at the entry that refused it, and returns YK_WAIT_USER_QUOTA. Reports a change of the
 * headroom.
 */
enum yk_wait yk_limit_gate_fit_or_park(struct yk_group *group);
/* Allocated amounts of the application became less: wakes groups and applications that wait for the limits of
 * its user or group. */
void yk_limit_gate_freed(struct yk_app *app);
/* No longer counts the application as running for its user and group, because no allocation of it is left
 * (L10). No effect if it was not counted. */
void yk_limit_gate_uncount(struct yk_app *app);
/* The last ask or allocation of the application ended: ends its waits for limits, and gives up the group that
 * it counts for; its next ask chooses one again (L9). No effect without a leaf. */
void yk_limit_gate_app_done(struct yk_app *app);
/*
 * Moves the usage of the application to the leaf `target`, where its group is chosen again. It is in no order
 * of its leaf and waits for nothing. Wakes what waited for limits of the old path. Sets `app->leaf`.
 */
void yk_limit_gate_move(struct yk_app *app, struct yk_queue *target);
/* Wakes what a changed limit may allow now, and chooses another group for applications whose group has no
 * limit any longer (L18). Call it once after yk_limits_set() of all changed queues. O(entries changed +
 * entries of groups). */
void yk_limit_gate_reloaded(struct yk_partition *partition);

#endif
