/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who ends when a queue has more than its maximum: as much as it has too much, never more, in the documented
 * order. What a parent has too much is split among its children by what they have over their guarantees.
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

/* Appends struct yk_ask in order of choice; nothing changes but `etiquette`, which says whether it refused
 * some. O(allocations below * log). */
void yk_quota_choose(struct yk_queue *queue, const struct yk_victim_ranking *ranking,
                     struct yk_victim_limits *victim_limits, struct yk_vec *ret_victims);

#endif
