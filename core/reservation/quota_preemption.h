/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quota preemption: ends allocations of a managed queue that uses more than its maximum, because a new
 * configuration lowered the maximum, or because usage grew without a check (R30). The delay in the queue's
 * property quota.preemption.delay begins when the queue gets above its maximum. If it is still above when the
 * delay has passed, allocations are ended.
 *
 * The delay of a queue runs while the queue is in the list `quota_preemptions` of struct yk_reserving. Once a
 * second, queues whose delay has passed are looked at, parents before children. Queues below one for which
 * allocations are ended wait for the next second. Delays are in memory only: after a restart they begin
 * again.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, R43 and R44; docs/reference/scheduling.md, 6.3.
 */
#ifndef YK_RESERVATION_QUOTA_PREEMPTION_H
#define YK_RESERVATION_QUOTA_PREEMPTION_H

#include "state/partition.h"

/* The maximum and the delay of a queue before a reload. Written by: reservation. */
struct yk_quota_preemption_before {
    bool has_max;
    struct yk_resvec max;
    int64_t delay_ns; /* 0 or less: no quota preemption */
};
/* Copies the maximum and the delay of `queue` into `before`, which may be uninitialised. The caller frees the
 * copy with yk_resvec_done(&before->max). */
void yk_quota_preemption_before_init(struct yk_quota_preemption_before *before, const struct yk_queue *queue);
/* Call it after `queue` got its new maximum and delay; `before`: the old ones. Stops the delay if the new one
 * is 0 or less, or if the queue is not managed or not above its maximum. Otherwise, a delay that runs becomes
 * longer or shorter by the difference. A delay that does not run starts only if there was none before, or if
 * the maximum of a type was lowered. No effect on the root, and on a queue that is being evaluated. The
 * caller then calls yk_quota_preemption_enable(). */
void yk_quota_preemption_configured(struct yk_partition *partition, struct yk_queue *queue,
                                    const struct yk_quota_preemption_before *before);
/* Call it after the usage of the queues from `leaf` up to, but without, `above` (NULL: the root) grew without
 * a check of their maxima (R30): starts the delays of the managed ones that are above their maximum and have
 * a quota.preemption.delay. Delays that run already go on. */
void yk_quota_preemption_raised(struct yk_partition *partition, struct yk_queue *leaf,
                                const struct yk_queue *above);
/* Call it after the usage on the path of `leaf` became less: stops the delays of queues that are no longer
 * above their maximum. O(depth) when no delay runs there. */
void yk_quota_preemption_lowered(struct yk_queue *leaf);
/* Call it after `partition->quota_preemption_enabled` changed: starts the timer if a delay runs, or stops it.
 * The delays go on while it is stopped. */
void yk_quota_preemption_enable(struct yk_partition *partition);
/* Asks for the end of allocations of the queues whose delay has passed, if quota preemption is enabled. Then
 * the delay of such a queue stops, also if the queue is still above its maximum: it starts again only as
 * yk_quota_preemption_configured() and yk_quota_preemption_raised() say. If limits refused victims, the queue
 * is due again later. */
void yk_quota_preemption_evaluate(struct yk_partition *partition);
/* Sets `ret_excess` to the amounts, per type, by which the queue uses more than its own maximum. False: it
 * does not, or has no maximum, and `ret_excess` is empty. The maximum of the root is the capacity of the
 * nodes and no limit, so the caller leaves out the root. */
bool yk_quota_preemption_excess(const struct yk_queue *queue, struct yk_resvec *ret_excess);

#endif
