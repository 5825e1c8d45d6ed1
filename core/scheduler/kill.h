/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Killing an application, as an administrator may.
 *
 * It becomes Failing: what waits is dropped at once and nothing new is taken. Its allocations are counted
 * until the resource manager, which is asked to end each of them, says that they have ended: their nodes are
 * not free before that. With the end of the last one the application is Failed. The caller checks who may do
 * it (web/).
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rule A8.
 */
#ifndef YK_SCHEDULER_KILL_H
#define YK_SCHEDULER_KILL_H

#include "state/partition.h"

/*
 * Kills the application: it becomes Failing, its asks are dropped and its allocations are asked to end. `by` (a
 * user's name) is part of the message to the resource manager. Errors: YK_ERR_STATE, it is ending already;
 * nothing has changed then.
 */
YK_NODISCARD enum yk_status yk_app_kill(struct yk_app *app, const char *by, struct yk_err *err);

#endif
