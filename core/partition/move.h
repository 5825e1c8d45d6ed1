/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves an application to another leaf, with its asks and allocations.
 *
 * Amounts and counts of the application are subtracted from the queues, user and group on the old path and
 * added on the new one. Maxima are not checked (R30). The caller checks that the user is allowed to move it.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rule A8.
 */
#ifndef YK_PARTITION_MOVE_H
#define YK_PARTITION_MOVE_H

#include "state/partition.h"

/*
 * Moves the application to `target`, a queue of the same partition. `by`, the name of the user who does it,
 * is in the log and in events; the resource manager gets no report. Its nominations and its handovers end.
 * Its waits for limits end, and these asks are tried again in the new leaf; but a group for whose asks there
 * is no node waits for nodes. Errors, after which nothing has changed: YK_ERR_INVALID: `target` is no leaf,
 * or is the recovery queue. YK_ERR_STATE: `target` is not Active, or a queue above it drains; the application
 * has ended, is Failing or is in `target` already; or it is a gang, and `target` takes no gangs because of
 * its sort policy.
 */
YK_NODISCARD enum yk_status yk_app_move(struct yk_app *app, struct yk_queue *target, const char *by,
                                        struct yk_err *err);

#endif
