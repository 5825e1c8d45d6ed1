/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of quota preemption: a managed queue that a configuration or a forced increase put above its
 * maximum has quota.preemption.delay to come down by itself. Then it is due, and allocations above the
 * maximum are ended.
 *
 * The clock of a queue runs while it is linked into `quota_preemptions` of struct yk_reserving. Once a second those that
 * are due are looked at, parents before children; below a queue that runs nothing else does. In memory only:
 * a restart starts the clocks again.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, R43 and R44; docs/reference/scheduling.md, 6.3.
 */
#ifndef YK_RESERVATION_QUOTA_PREEMPTION_H
#define YK_RESERVATION_QUOTA_PREEMPTION_H

#include "state/partition.h"

struct yk_quota_preemption_before { /* of a queue, before a reload */
    bool has_max;
    struct yk_resvec max;
    int64_t delay_ns;
};
/* Copies maximum and delay of `queue`. The caller frees them with yk_resvec_done(&before->max). */
void yk_quota_preemption_before_init(struct yk_quota_preemption_before *before, const struct yk_queue *queue);
/* Starts, moves or stops the clock of `queue`, which has its new maximum and delay. `before`: the old
 * ones. */
void yk_quota_preemption_configured(struct yk_partition *partition, struct yk_queue *queue,
                                    const struct yk_quota_preemption_before *before);
/* The usage of the queues from `leaf` up to, but without, `above` (NULL: up to the root) grew without a check
 * of their maxima (R30): starts the clocks of those that are above their maximum. */
void yk_quota_preemption_raised(struct yk_partition *partition, struct yk_queue *leaf,
                                const struct yk_queue *above);
/* The usage on the path of `leaf` became less: stops the clocks of queues that are no longer above their
 * maximum. O(depth) when no clock runs there. */
void yk_quota_preemption_lowered(struct yk_queue *leaf);
/* Starts or stops the evaluation after the partition's flag changed. */
void yk_quota_preemption_enable(struct yk_partition *partition);
/* Runs what is due; the timer does so every second while a clock runs. */
void yk_quota_preemption_evaluate(struct yk_partition *partition);
/* Sets `ret_excess` to what the queue uses above its maximum, per type. False: nothing, and `ret_excess` is
 * empty. */
bool yk_quota_preemption_excess(const struct yk_queue *queue, struct yk_resvec *ret_excess);

#endif
