/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The headroom that asks share which lack nodes: of limits of queues, users and groups, the root's size
 * apart.
 *
 * A walk over these asks claims their parts one after the other. A limit's headroom is read when the walk
 * first comes to it; what is allocated or released below the limit later counts in the next walk. So a walk
 * may be spread over many steps, and its answers are those of one moment per limit.
 *
 * Owns:   yk_queue_report.unclaimed and yk_usage.unclaimed.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.9.
 */
#ifndef YK_REPORT_UNCLAIMED_H
#define YK_REPORT_UNCLAIMED_H

#include "state/partition.h"

/*
 * Claims headroom for the first asks of the group, as many as it takes. Returns how many these are.
 *
 * `walk`: a number that no earlier walk of the partition had, from 1.
 * `*ret_beyond`: the limit that refuses the next ask; YK_REFUSAL_NONE: all asks fit.
 * O(depth * types).
 */
uint32_t yk_unclaimed_claim(const struct yk_group *group, uint64_t walk, struct yk_refusal *ret_beyond);

#endif
