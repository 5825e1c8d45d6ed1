/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds capacity that is freed below a limit, so that small asks do not starve a large one.
 *
 * Where a queue has the property application.sort.hold = strict, the first group in order that a limit of the
 * queue refuses (its maximum, or the limit of a user or group there) becomes the holder of that limit. After
 * application.sort.hold.delay, groups whose turn is later get nothing of the types that the holder lacks,
 * until the holder has started, waits for something else, or is gone. A group that can never fit holds
 * nothing.
 *
 * Owns: struct yk_limit_hold of queues and usages.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md 8.5.
 */
#ifndef YK_PENDING_LIMIT_HOLD_H
#define YK_PENDING_LIMIT_HOLD_H

#include "state/partition.h"

/* Makes the group the holder of the maximum of `queue`, if it may hold it and comes first. Call it when this
 * maximum has refused the group. O(depth). */
void yk_limit_hold_refused_by_queue(struct yk_group *group, struct yk_queue *queue);
/* Like yk_limit_hold_refused_by_queue() for a limit of a user or group. */
void yk_limit_hold_refused_by_usage(struct yk_group *group, struct yk_usage *usage);
/* Whether the group may hold the maximum of `queue`, or the limit of `usage`: holds are configured there, and
 * the group can fit at all. */
bool yk_limit_hold_may_queue(const struct yk_group *group, const struct yk_queue *queue);
/* Like yk_limit_hold_may_queue() for a limit of a user or group. */
bool yk_limit_hold_may_usage(const struct yk_group *group, const struct yk_usage *usage);
/* The group, which may hold the limit, becomes the holder unless the present holder comes first. */
void yk_limit_hold_take(struct yk_limit_hold *hold, struct yk_group *group);
/* The group no longer waits for the limit: what it holds, if anything, is given up. Groups that wait for that
 * are looked at before the next decision. O(1). */
void yk_limit_hold_end(struct yk_group *group);
/* Like yk_limit_hold_end() for all groups of the application, which leaves its leaf. O(its groups that
 * wait). */
void yk_limit_hold_end_app(struct yk_app *app);
/* A reload has changed settings or limits of `queue`: a holder that may not hold there any longer ends, and
 * the holds of the queue are settled before the next decision. O(users and groups in the queue). */
void yk_limit_hold_configured(struct yk_partition *partition, struct yk_queue *queue);

#endif
