/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of a queue on what preemption for guarantees and for quotas may take from it.
 *
 * preemption.min.runtime: an allocation of the leaf that has run for less is no victim. preemption.budget: at
 * most that many victims in a minute from the queue and all below it. Both are off by default. Asks that
 * require a node do not keep to them, as they do not keep to guarantees, but their victims count in the
 * budgets.
 *
 * The minute of a queue begins with its first victim.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.0.
 */
#ifndef YK_PREEMPTION_VICTIM_LIMITS_H
#define YK_PREEMPTION_VICTIM_LIMITS_H

#include "objects/app.h"

struct yk_victim_limits {
    int64_t now_wall_ns, now_mono_ns; /* the present time, set by the caller */
    /* Until the first of those that were refused may be a victim; YK_VICTIM_LIMITS_NONE_REFUSED at first. */
    int64_t wait_ns;
};
#define YK_VICTIM_LIMITS_NONE_REFUSED INT64_MAX

/* Whether the limits of its queues allow the allocation `victim` as a victim now, besides those counted. If
 * not, lowers `wait_ns` to the time until they may. Counts nothing. O(depth). */
bool yk_victim_limits_check(struct yk_victim_limits *victim_limits, const struct yk_ask *victim);
/* Counts a victim in its queues, for the minute that `now_mono_ns` is in. O(depth). */
void yk_victim_limits_count(const struct yk_ask *victim, int64_t now_mono_ns);
/* Takes back one yk_victim_limits_count() within the same dry run. */
void yk_victim_limits_uncount(const struct yk_ask *victim);
/* How long to wait before a new attempt, in nanoseconds: `wait_ns`, but at least one second, and at most
 * `most_ns`. */
int64_t yk_victim_limits_pause_ns(const struct yk_victim_limits *victim_limits, int64_t most_ns);

#endif
