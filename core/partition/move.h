/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving an application to another leaf, with all it has.
 *
 * One step: usage, what is pending and preempted, counts and user usage leave the old path and are on the
 * new one when it returns. No maximum is asked (R30): what is above one afterwards gets nothing more until
 * it is below. The caller checks who may do it (web/).
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rule A8.
 */
#ifndef YK_PARTITION_MOVE_H
#define YK_PARTITION_MOVE_H

#include "state/partition.h"

/*
 * Moves the application to the leaf `target`: another one of the same partition, Active, not below a draining
 * queue, and not the recovery queue. `by` (a user's name) is named in events. Errors: YK_ERR_INVALID,
 * `target` is not such a leaf; YK_ERR_STATE, the application cannot be moved now. Nothing has changed then.
 */
YK_NODISCARD enum yk_status yk_app_move(struct yk_app *app, struct yk_queue *target, const char *by,
                                        struct yk_err *err);

#endif
