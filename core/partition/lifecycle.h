/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State changes of applications, with all that they entail: counts, timers, how long ended applications are
 * kept, and reports to the resource manager.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 2.1 to 2.5.
 */
#ifndef YK_PARTITION_LIFECYCLE_H
#define YK_PARTITION_LIFECYCLE_H

#include "state/partition.h"

/*
 * Changes the state of the application as `event` says. True: it did, or the event leads to the present
 * state, which has no effect. False: the present state refuses the event, and nothing has changed. `info` is
 * the message to the resource manager; NULL: the name of the event. An application that becomes Completed or
 * Failed loses its pending asks and leaves its queue (`app->leaf` is NULL); it has no allocations then.
 */
bool yk_lifecycle_fire(struct yk_app *app, enum yk_app_event event, const char *info);
/* Like yk_lifecycle_fire() with YK_APP_FAIL, because of `failure`, which the resource manager gets with the
 * new state. */
bool yk_lifecycle_fail(struct yk_app *app, enum yk_si_failure failure, const char *info);
/* Cancels the timer of the present state, such as that which ends Completing, so that only an event ends the
 * state. */
void yk_lifecycle_stop_timer(struct yk_app *app);
/* Rejects an application in state New that has no leaf: moves it to the partition's list of rejected
 * applications, which owns it from now on. `reason` is copied. The caller tells the resource manager. */
void yk_lifecycle_reject(struct yk_partition *partition, struct yk_app *app, const char *reason);
/* Call it after `ask` became an allocation of the application: ends its back-off, and fires YK_APP_RUN if
 * that changes its state. */
void yk_lifecycle_allocated(struct yk_app *app, const struct yk_ask *ask);
/* Call it after an allocation or an ask that is no placeholder ended: if the application runs and has nothing
 * but placeholders left, it becomes Completing. */
void yk_lifecycle_real_ended(struct yk_app *app);
/* Call it after an ask or an allocation of any kind ended: if the application has no other, it becomes
 * Completing, or Failed if it was Failing. */
void yk_lifecycle_complete_if_done(struct yk_app *app);
/* Removes the application from its leaf: the queues, user and group no longer count it, and `app->leaf` is
 * NULL. Its asks and allocations have ended. No effect without a leaf. */
void yk_lifecycle_leave_queue(struct yk_app *app);
/* The function of the partition's timer `housekeeping.expired_sweep`: frees expired applications, and arms
 * the timer for the next day. */
void yk_lifecycle_sweep_expired(struct yk_timer *timer);

#endif
