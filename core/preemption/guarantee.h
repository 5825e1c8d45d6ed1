/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guarantees: what of its guarantee a queue has not used yet, and whether it can spare an allocation.
 *
 * Usage is counted as it will be: without what is preempted, with what is promised.
 * Thread: scheduling thread only. Source: docs/reference/scheduling.md, 6.1 steps 5 and 6, D16a.
 */
#ifndef YK_PREEMPTION_GUARANTEE_H
#define YK_PREEMPTION_GUARANTEE_H

#include "preemption/scope.h"

/* What remains of the guarantee on the path of `queue`, negative where it is exceeded. False: nothing is
 * guaranteed. O(depth * types). */
bool yk_guarantee_left(const struct yk_scope *scope, const struct yk_queue *queue,
                       struct yk_resvec *ret_left);
/* By how much `size` would exceed the guarantee on the path of the ask's leaf, of whose usage `apart` is not
 * counted. Types that are not guaranteed are not limited. */
void yk_guarantee_lacks(const struct yk_scope *scope, const struct yk_resvec *size,
                        const struct yk_resvec *apart, struct yk_resvec *ret_lack);
/*
 * Whether the victim's queue uses more than its guarantee of something that is `wanted`, and, like each queue
 * above it until the ask's path, keeps its guarantee of all that the victim has. O(depth * types).
 */
bool yk_guarantee_spares(const struct yk_scope *scope, const struct yk_ask *victim,
                         const struct yk_resvec *wanted);

/* Whether the queue still has what it guarantees, of all types of `size`, when that has ended there, too. */
bool yk_guarantee_keeps(const struct yk_queue *queue, const struct yk_resvec *size);

#endif
