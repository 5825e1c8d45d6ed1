/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of users and groups in the cycle and in a reload. The cycle has two gates: may the application
 * start, and does the ask fit below the limits? An application or group of asks that a limit of a user or
 * group refuses is parked at the entry (struct yk_usage) of that user or group for its leaf
 * (pending/limit_wait.h). The first gate also checks how many applications the queues may run, and parks an
 * application at the queue that refused it. After a user or group got more headroom, fewer running
 * applications or another limit, the caller calls one of the other functions below, so that the cycle tries
 * again what fits.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules L8 to L13, L18, R36 and R38; docs/reference/scheduling.md 3.4, 3.5.
 */
#ifndef YK_PENDING_LIMIT_GATE_H
#define YK_PENDING_LIMIT_GATE_H

#include "state/partition.h"

/*
 * The first gate: may the application start or go on (scheduling.md 3.4)? Call it in the turn of the
 * application, before the second gate, after yk_queue_wait_look() (yk_queue_wait_look_if_unseen(), for a
 * group that waits for nodes) returned false. The application has a leaf, and is not parked for its user or
 * group (`start.gate` is NULL). The function does not check whether the application pauses
 * (yk_backoff_rests()), or whether its stateaware leaf keeps it from starting (yk_stateaware_holds()): the
 * caller passes no such application.
 *
 * Returns YK_WAIT_NONE if the application has started before (it is not Accepted), or if its queues, its user
 * and its group all count it as running or may run one more. Then it is no longer held (`start.held`).
 * Otherwise parks the application and returns YK_WAIT_APP_LIMIT (a queue refuses) or YK_WAIT_USER_QUOTA (the
 * user or the group refuses); the caller tries none of its groups in this turn. Chooses the group that the
 * application counts for if it has none yet (L9). Logs and reports when the application begins to be held
 * back, and when that ends (R38). Does not change `wait` of its groups.
 */
enum yk_wait yk_limit_gate_run_or_park(struct yk_app *app);
/*
 * Whether yk_limit_gate_run_or_park() would return YK_WAIT_NONE. Parks and reports nothing, but chooses the
 * group that the application counts for if it has none yet (L9). The application has a leaf; `start.gate` may
 * be set. The function is for asks that are tried out of turn, such as those with a reservation. True is not
 * enough to try an ask: the caller also checks yk_stateaware_holds(), yk_backoff_rests() if a pause of the
 * application matters, and the limits for the ask itself (yk_limit_gate_fit_or_park() or
 * yk_usage_without_headroom(), then the queues). In the regular order, the cycle does not reach applications
 * that pause or that a stateaware leaf keeps waiting.
 */
bool yk_limit_gate_check_start(struct yk_app *app);
/*
 * The second gate: do the limits of the user and of the group of users have headroom for an ask of `group`
 * (scheduling.md 3.5) that is not held for an earlier group (pending/limit_hold.h)? If they do, returns
 * YK_WAIT_NONE and leaves the wait of `group` as it is. Otherwise parks `group` (yk_park_group_for_quota()),
 * and returns YK_WAIT_USER_QUOTA. `group` has pending asks, and one of the functions of the first gate has
 * chosen the group of users. Reports an event if the answer for the first ask, without holds, differs from
 * the last report. The limits of queues are not checked: after YK_WAIT_NONE, the caller checks
 * yk_nomination_has_headroom() and, in the regular walk, yk_limit_held_queue(). A caller that tries an ask
 * after YK_WAIT_NONE sets YK_ASK_ATTEMPTED of this ask.
 */
enum yk_wait yk_limit_gate_fit_or_park(struct yk_group *group);
/* Call it after the allocated amounts of the user and the group of the application became less
 * (yk_usage_release(), yk_usage_resize()), and after yk_active_update_queue() and yk_active_update_app(),
 * while the application is still in its leaf: groups and applications that wait for limits of its user or
 * group are tried again in the next turns, if they fit. What waits for queues is woken by
 * yk_wake_for_headroom(). */
void yk_limit_gate_freed(struct yk_app *app);
/* No longer counts the application as running for its user and group (L10); applications that wait for a free
 * place are tried in the next turns. Call it when no allocation and no ask of the application is left, when a
 * Completing or Failing application has no allocation left, or before it leaves its leaf. No effect if it was
 * not counted. The count `running_apps` of the queues is another one (yk_queue_count_running()). */
void yk_limit_gate_uncount(struct yk_app *app);
/* Call it after the last ask or allocation of the application ended and was freed: calls
 * yk_limit_gate_uncount(), ends the waits of the application for limits, and gives up the group that it
 * counts for; the first gate, or its next allocation, chooses one again (L9). The application stays in its
 * leaf, and its state does not change. No effect on an application without a leaf. */
void yk_limit_gate_app_done(struct yk_app *app);
/*
 * A step of yk_app_move(), which other modules call: moves the usage of the application to the leaf `target`,
 * and sets `app->leaf`. If a group was chosen for the application before, this function chooses one again for
 * `target`. Limits of the new path are not checked. Call it after yk_active_forget_app(), and after the waits
 * of its groups for limits, its nominations and its handovers have ended. Groups and applications that wait
 * for limits on the old path are tried again in the next turns, if they fit. Amounts, counts and lists of the
 * queues do not change: the caller removes the application there before, and adds it to `target` afterwards
 * (yk_active_join_app() last).
 */
void yk_limit_gate_move(struct yk_app *app, struct yk_queue *target);
/* Ends a reload: groups and applications that wait for a changed limit are tried again in the next turns, if
 * they fit, and applications whose group no longer has a limit count for another group, if there is one
 * (L18). Call it once, after yk_limits_set() of all changed queues. O(entries whose limit changed + entries
 * of groups). */
void yk_limit_gate_reloaded(struct yk_partition *partition);

#endif
