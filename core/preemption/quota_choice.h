/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the victims of a queue that uses more than its maximum: at most the excess, in the documented
 * order. The excess of a parent is split among its children in proportion to what they use above their
 * guarantees.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.3, D19.
 */
#ifndef YK_PREEMPTION_QUOTA_CHOICE_H
#define YK_PREEMPTION_QUOTA_CHOICE_H

#include "base/vec.h"
#include "objects/app.h"
#include "preemption/eligible.h"
#include "preemption/victim_limits.h"

/* Appends the victims (struct yk_ask, borrowed until they end) to `ret_victims`, in order of choice; nothing
 * if the queue is within its maximum or may lose nothing. Earlier victims that have not ended yet do not
 * count as used. The caller sets the times of `victim_limits`, and `wait_ns` to
 * YK_VICTIM_LIMITS_NONE_REFUSED; afterwards `wait_ns` says whether a limit refused an allocation. Changes
 * nothing else: the caller then calls yk_preemption_note() and yk_victims_take(). `queue` is not the root.
 * For the n asks (pending ones, too) in the branch of `queue`: O(n log n); if the resource manager has
 * is_protected_with(), O(n * victims), and O(n * n) if many of them share disruption budgets. */
void yk_quota_choose(struct yk_queue *queue, const struct yk_victim_ranking *ranking,
                     struct yk_victim_limits *victim_limits, struct yk_vec *ret_victims);

#endif
