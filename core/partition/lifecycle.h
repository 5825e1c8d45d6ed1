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
 * Changes the state of the application as `event` says (objects/app_state.h). In a leaf with the policy
 * stateaware, an Accepted application becomes Starting in place of Running; if its tag
 * YK_SI_TAG_STATEAWARE_DISABLE says so, it then becomes Running at once. True: the state has changed, or
 * the event leads to the present state, which has no effect. False: the present state refuses the event, and
 * nothing has changed.
 *
 * Reports the new state to the resource manager, except Rejected, with the message `info`; NULL: the name of
 * the event. Also records an event, and updates counts, timers and orders.
 *
 * An application that becomes Completed or Failed loses its pending asks, without a report, and leaves its
 * queue (`app->leaf` is NULL). The application stays valid: the partition keeps it for at least 72 hours. The
 * caller has made sure that it has no allocations, and no asks with YK_ASK_REPLACING. An application that
 * becomes Failing keeps its asks and allocations: the caller drops the pending asks, asks the resource
 * manager to end allocations, and then calls yk_lifecycle_complete_if_done(), which makes the application
 * Failed if nothing is left. Otherwise the end of its last allocation does.
 */
bool yk_lifecycle_fire(struct yk_app *app, enum yk_app_event event, const char *info);
/* Like yk_lifecycle_fire() with YK_APP_FAIL, because of `failure`, which the resource manager gets with the
 * new state. `app->life.failure` is set even if the state refuses the event. `info` is copied to
 * `app->life.message`. */
bool yk_lifecycle_fail(struct yk_app *app, enum yk_si_failure failure, const char *info);
/* Cancels the timer of the present state, such as the timer that ends the state Completing, so that only an
 * event ends the state. A Completing application then becomes Completed when its last placeholder has
 * ended. */
void yk_lifecycle_stop_timer(struct yk_app *app);
/* Rejects an application in state New that `apps_by_state` of the partition counts, that has no leaf, and
 * that is not among the live ones (`partition->apps`): moves it to the partition's list of rejected
 * applications, which owns it from now on. An earlier rejected application of the same id is freed. `reason`
 * is copied. The caller tells the resource manager (callback app_rejected()). */
void yk_lifecycle_reject(struct yk_partition *partition, struct yk_app *app, const char *reason);
/* A step of yk_accounting_add_allocation(), after `ask` became an allocation of the application and the
 * amounts and counts include it. Ends the back-off of the application. If `ask` is no placeholder, fires
 * YK_APP_RUN in the states Accepted, Starting and Completing. There is one exception: if `ask` takes the
 * place of a placeholder (YK_ASK_REPLACING is set) and is the only real allocation, the function fires it
 * only in the state Completing. If `ask` is a placeholder of an Accepted application, the application is
 * counted in `allocating_accepted` of its queues from now on, and is no longer held (`start.held`). */
void yk_lifecycle_allocated(struct yk_app *app, const struct yk_ask *ask);
/* Call it after an allocation or an ask that is no placeholder ended and was freed, and then call
 * yk_lifecycle_complete_if_done(). yk_partition_end_allocation() calls both itself. If the application is
 * Running or Starting, and has nothing left or only allocated placeholders, it becomes Completing. No effect
 * if it is being removed. */
void yk_lifecycle_real_ended(struct yk_app *app);
/* Call it after an ask or an allocation of any kind ended. yk_partition_end_allocation() and
 * yk_partition_release() call it; after other functions that end asks, the caller calls it where their
 * comments in partition/partition.h say so. If the application has no asks and allocations left, it becomes
 * Completing, or Failed if it was Failing. No effect if it is New, Resuming, Completing already or being
 * removed. */
void yk_lifecycle_complete_if_done(struct yk_app *app);
/* Removes the application, whose asks and allocations have ended, from its leaf: its user and group no longer
 * count it, and `app->leaf` is NULL. Records an event; an empty dynamic leaf may be removed later. The counts
 * `running_apps` and `apps_by_state` of the queues are not changed: before the call, the caller subtracts the
 * application from `running_apps` if it is Running or Starting, and from `apps_by_state` if it is going to be
 * freed, as yk_partition_remove_app() does. The caller also calls yk_gang_stop() before. The application
 * stays in `partition->apps`: the caller removes it there. No effect without a leaf. */
void yk_lifecycle_leave_queue(struct yk_app *app);
/* The function of the partition's timer `housekeeping.expired_sweep`, which is `timer`: frees all Expired
 * applications, and arms the timer for the next day. A caller that calls it directly, to arm the timer for
 * the first time, passes that timer. */
void yk_lifecycle_sweep_expired(struct yk_timer *timer);

#endif
