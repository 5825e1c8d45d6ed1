/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happens when an application changes its state: counts, timers, retention, telling the resource
 * manager.
 * Source: docs/reference/scheduling.md 2.1 to 2.5.
 */
#ifndef YK_PARTITION_LIFECYCLE_H
#define YK_PARTITION_LIFECYCLE_H

#include "state/partition.h"

/*
 * Fires `event`; false, and nothing changed, when the state refuses it. `info` (may be NULL: the event's
 * name) goes to the resource manager as message. After Completed or Failed the application has left its
 * queue.
 */
bool yk_lifecycle_fire(struct yk_app *app, enum yk_app_event event, const char *info);
/* Fires YK_APP_FAIL because of `failure`, which the resource manager gets with the state. Returns what
 * yk_lifecycle_fire() does. */
bool yk_lifecycle_fail(struct yk_app *app, enum yk_si_failure failure, const char *info);
/* Cancels the timer of its state: the end of the state is decided otherwise. */
void yk_lifecycle_stop_timer(struct yk_app *app);
/* Puts a new application where rejected ones are kept, with the reason. */
void yk_lifecycle_reject(struct yk_partition *partition, struct yk_app *app, const char *reason);
/* An allocation was added to the application: rule "run". */
void yk_lifecycle_allocated(struct yk_app *app, const struct yk_ask *ask);
/* A real allocation is gone: without another, and nothing waiting, the application completes, whatever
 * placeholders it has. */
void yk_lifecycle_real_ended(struct yk_app *app);
/* An ask or allocation is gone: completes the application if nothing is left. */
void yk_lifecycle_complete_if_done(struct yk_app *app);
/* Takes the application out of its leaf (queues no longer count it). */
void yk_lifecycle_leave_queue(struct yk_app *app);
/* Frees expired applications; armed again for the next day. */
void yk_lifecycle_sweep_expired(struct yk_timer *timer);

#endif
