/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The headroom of the limits of queues (except the root), users and groups, shared among asks that lack
 * nodes.
 *
 * A walk (report/outstanding.h) visits the groups of these asks one after the other, and each group claims
 * headroom for as many of its asks as fit. The headroom of a limit is read when the walk first needs it;
 * amounts that are allocated or released later count in the next walk only. So a walk may be made in many
 * steps.
 *
 * Owns:   yk_queue_report.unclaimed and yk_usage.unclaimed.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.9.
 */
#ifndef YK_REPORT_UNCLAIMED_H
#define YK_REPORT_UNCLAIMED_H

#include "state/partition.h"

/*
 * Claims headroom for the first pending asks of the group, for as many as fit. Returns their number.
 *
 * `walk`: the number of the walk, at least 1; each walk of the partition has a larger one than the walks
 * before. Sets `*ret_beyond` to the limit that refuses the next ask; YK_REFUSAL_NONE: all asks fit. The
 * application of the group has a leaf, and the caller has chosen its group of users
 * (yk_usage_choose_group()); otherwise the limits of groups do not count. Call it once per group and walk.
 * O(depth * types).
 */
uint32_t yk_unclaimed_claim(const struct yk_group *group, uint64_t walk, struct yk_refusal *ret_beyond);

#endif
