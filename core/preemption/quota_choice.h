/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the victims of a queue that is above its maximum: at most the excess, in the documented order. The
 * excess of a parent is split among its children by what they have above their guarantees.
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

/* Appends the victims (struct yk_ask) to `ret_victims` in order of choice. Only `victim_limits` changes: its
 * `wait_ns` says whether a limit refused some. O(allocations below * log). */
void yk_quota_choose(struct yk_queue *queue, const struct yk_victim_ranking *ranking,
                     struct yk_victim_limits *victim_limits, struct yk_vec *ret_victims);

#endif
