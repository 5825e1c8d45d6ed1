/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guarantees: how much of its guarantee a queue has not used yet, and whether an allocation may be taken from
 * the queue. All amounts are in base units (docs/reference/queues.md).
 *
 * Usage is counted as it will be, except by yk_guarantee_is_missed(): without victims that have not ended yet
 * (`preempting` of the queue), and with nominated asks (`nominated`), which will start when their victims
 * have ended. The caller has set `scope` for the ask (yk_scope_set()), and initialised the vectors that a
 * function sets.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 steps 5 and 6, D16a.
 */
#ifndef YK_PREEMPTION_GUARANTEE_H
#define YK_PREEMPTION_GUARANTEE_H

#include "preemption/scope.h"

/*
 * Sets `ret_left` to what remains of the guarantees on the path of `queue`, per guaranteed type: the smallest
 * remainder of the queue and those above it; negative where a guarantee is exceeded. There are two exceptions
 * if the leaf of the scope has a guarantee. The first queue above this leaf that also has one does not count,
 * and neither do the queues above that queue. If `queue` is this leaf, only the leaf counts for the types
 * that it guarantees. False: nothing is guaranteed, and `ret_left` is empty. O(depth * types).
 */
bool yk_guarantee_left(const struct yk_scope *scope, const struct yk_queue *queue,
                       struct yk_resvec *ret_left);
/* Sets `ret_lack` to the amounts, per type, by which `size` would exceed what remains of the guarantees on
 * the path of the scope's leaf (yk_guarantee_left()); empty: it would not exceed them. `apart` (may be empty)
 * is subtracted from the usage first. Types that are not guaranteed do not count. */
void yk_guarantee_lacks(const struct yk_scope *scope, const struct yk_resvec *size,
                        const struct yk_resvec *apart, struct yk_resvec *ret_lack);
/*
 * Whether the guarantees of the victim's queues allow the victim to be taken for an ask that lacks the types
 * of `lacking`, whose amounts are not read. These queues are the victim's leaf and those above it that are
 * not on the ask's path. True if three conditions hold: each of the queues keeps its guarantees
 * (yk_guarantee_keeps()); for one of the lacking types that the victim has, each of the queues that
 * guarantees the type has its full guarantee even without the victim; and none of the queues is below the
 * queue whose guarantee the ask claims (yk_guarantee_holder()). False if nothing is guaranteed on the ask's
 * path, and if `lacking` is empty. O(depth * types).
 */
bool yk_guarantee_spares(const struct yk_scope *scope, const struct yk_ask *victim,
                         const struct yk_resvec *lacking);

/*
 * Whether `queue` keeps its guarantees when an allocation of `size` ends there, for an ask that lacks the
 * types of `lacking`. False if there is a type of which the queue now has its full guarantee and would then
 * have less. A type of which it has less than its guarantee already does not count. If the queue guarantees a
 * type that is in both `size` and `lacking`, only lacking types count; otherwise all types that it guarantees
 * do.
 */
bool yk_guarantee_keeps(const struct yk_queue *queue, const struct yk_resvec *size,
                        const struct yk_resvec *lacking);

/* What the queue uses of a type (an index, resources/restype.h), in base units, after all victims have ended
 * and all nominated asks have started. */
int64_t yk_guarantee_used(const struct yk_queue *queue, int type);
/* The first queue from `leaf` upwards that guarantees something; NULL: none does. O(depth). */
struct yk_queue *yk_guarantee_holder(struct yk_queue *leaf);
/* Whether the queue uses less than its guarantee of each type that it guarantees. Only allocated amounts are
 * counted, victims that have not ended yet included. The queue guarantees something. O(types). */
bool yk_guarantee_is_missed(const struct yk_queue *queue);

#endif
