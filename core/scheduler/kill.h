/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kills an application at the request of an administrator.
 *
 * The application becomes Failing: its pending asks are dropped at once, and new ones are rejected. The
 * resource manager is asked to end each of its allocations. The allocations count until the resource manager
 * reports that they have ended. When the last of them has ended, the application becomes Failed. The caller
 * checks that the user is allowed to kill the application (web/).
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rule A8.
 */
#ifndef YK_SCHEDULER_KILL_H
#define YK_SCHEDULER_KILL_H

#include "state/partition.h"

/*
 * Kills the application. `by`, the name of the user, is in the message to the resource manager and in the
 * log. Pending asks are dropped without the callback released(). An application that is Completing becomes
 * Completed instead; its placeholders, if any, end first. If nothing of the application has to end first, it
 * has ended when the function returns, and `app->leaf` is NULL; `app` stays valid, because ended applications
 * are kept.
 * Errors: YK_ERR_STATE, the application has ended or is Failing; nothing has changed then.
 */
YK_NODISCARD enum yk_status yk_app_kill(struct yk_app *app, const char *by, struct yk_err *err);

#endif
