/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happens when an application changes its state: counts, timers, retention, reports to the resource manager.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 2.1 to 2.5.
 */
#ifndef YK_PARTITION_LIFECYCLE_H
#define YK_PARTITION_LIFECYCLE_H

#include "state/partition.h"

/*
 * Changes the state of the application by `event`. False: the state refuses the event, and nothing has
 * changed. Firing an event that leads to the present state returns true and has no effect. `info` (may be
 * NULL: the event's name) goes to the resource manager as message. After Completed or Failed the application
 * has left its queue.
 */
bool yk_lifecycle_fire(struct yk_app *app, enum yk_app_event event, const char *info);
/* Fires YK_APP_FAIL because of `failure`, which the resource manager gets with the state. Returns what
 * yk_lifecycle_fire() does. */
bool yk_lifecycle_fail(struct yk_app *app, enum yk_si_failure failure, const char *info);
/* Cancels the timer of its state, so that only an event ends the state. */
void yk_lifecycle_stop_timer(struct yk_app *app);
/* Rejects an application in state New: moves it to the partition's list of rejected applications, which owns
 * it. `reason` is copied. */
void yk_lifecycle_reject(struct yk_partition *partition, struct yk_app *app, const char *reason);
/* `ask` has become an allocation of the application. Fires YK_APP_RUN where the state follows from that. */
void yk_lifecycle_allocated(struct yk_app *app, const struct yk_ask *ask);
/* A real allocation has ended. If it was the last one and only placeholders are left, the application
 * becomes Completing. */
void yk_lifecycle_real_ended(struct yk_app *app);
/* An ask or allocation has ended. If the application has no other, it becomes Completing, or Failed if it
 * was Failing. */
void yk_lifecycle_complete_if_done(struct yk_app *app);
/* Takes the application out of its leaf: the queues and the limits no longer count it, and `app->leaf` is
 * NULL. No effect without a leaf. */
void yk_lifecycle_leave_queue(struct yk_app *app);
/* The function of the partition's timer `housekeeping.expired_sweep`: frees expired applications, and arms
 * the timer for the next day. */
void yk_lifecycle_sweep_expired(struct yk_timer *timer);

#endif
