/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of a queue on what preemption for guarantees and for quotas may take from it.
 *
 * The property preemption.min.runtime of a leaf: an allocation that has run for less is no victim. The
 * property preemption.budget of a queue: at most that many victims per minute from its branch. Both are off
 * by default. Asks with a required node ignore both limits, as they ignore guarantees, but their victims
 * count in the budgets.
 *
 * The minute of a queue begins with a victim; the first victim after its end begins another one.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.0.
 */
#ifndef YK_PREEMPTION_VICTIM_LIMITS_H
#define YK_PREEMPTION_VICTIM_LIMITS_H

#include "objects/app.h"

/* What the checks of one attempt to preempt have in common. Written by: the caller, and
 * yk_victim_limits_check(). */
struct yk_victim_limits {
    int64_t now_wall_ns, now_mono_ns; /* the present time, set by the caller */
    /* Time until the first of the refused allocations may be a victim. The caller sets it to
     * YK_VICTIM_LIMITS_NONE_REFUSED. If it still has this value afterwards, no limit refused a victim. */
    int64_t wait_ns;
};
#define YK_VICTIM_LIMITS_NONE_REFUSED INT64_MAX

/* Whether the limits of the victim's queues allow the end of `victim`, an allocation of an application, now,
 * in addition to the victims that are counted. If not, lowers `wait_ns` to the time until the limit that
 * refused the victim may allow its end. Counts nothing: the caller calls yk_victim_limits_count() before it
 * checks the next victim. O(depth). */
bool yk_victim_limits_check(struct yk_victim_limits *victim_limits, const struct yk_ask *victim);
/* Counts a victim in the budgets of its leaf and of the queues above, at the time `now_mono_ns`.
 * yk_victims_take() calls it for victims that are really asked to end. Before that, a dry run takes its own
 * calls back. O(depth). */
void yk_victim_limits_count(const struct yk_ask *victim, int64_t now_mono_ns);
/* Takes back one call of yk_victim_limits_count() at the same `now_mono_ns`, for a victim of a dry run.
 * O(depth). */
void yk_victim_limits_uncount(const struct yk_ask *victim);
/* The time to wait before a new attempt, in nanoseconds: `wait_ns`, but at least one second, and at most
 * `most_ns`, also if that is less than a second. The caller has checked that a limit refused a victim:
 * `wait_ns` is not YK_VICTIM_LIMITS_NONE_REFUSED. */
int64_t yk_victim_limits_pause_ns(const struct yk_victim_limits *victim_limits, int64_t most_ns);

#endif
