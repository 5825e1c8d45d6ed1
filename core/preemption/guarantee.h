/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guarantees: how much of its guarantee a queue has not used yet, and whether an allocation may be taken from
 * it.
 *
 * Usage is counted as it will be: without allocations that were asked to end, with nominated asks.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 steps 5 and 6, D16a.
 */
#ifndef YK_PREEMPTION_GUARANTEE_H
#define YK_PREEMPTION_GUARANTEE_H

#include "preemption/scope.h"

/* Sets `ret_left` to what remains of the guarantee on the path of `queue`, per type, negative where it is
 * exceeded. False: nothing is guaranteed, and `ret_left` is empty. O(depth * types). */
bool yk_guarantee_left(const struct yk_scope *scope, const struct yk_queue *queue,
                       struct yk_resvec *ret_left);
/* Sets `ret_lack` to how much `size` would exceed the guarantee on the path of the ask's leaf, per type;
 * empty if it does not. `apart` is subtracted from the usage first. Types that are not guaranteed are not
 * limited. */
void yk_guarantee_lacks(const struct yk_scope *scope, const struct yk_resvec *size,
                        const struct yk_resvec *apart, struct yk_resvec *ret_lack);
/*
 * Whether the victim may be taken from its queues for an ask that lacks the types of `lacking`. Its leaf and
 * each queue above it below the ask's path keep their guarantees (yk_guarantee_keeps()), and at least one
 * lacking type comes from what all of them have above their guarantee of it. The queue whose guarantee the
 * ask claims takes nothing from its own branch. O(depth * types).
 */
bool yk_guarantee_spares(const struct yk_scope *scope, const struct yk_ask *victim,
                         const struct yk_resvec *lacking);

/*
 * Whether `queue` keeps its guarantees when an allocation of `size` ends there, for an ask that lacks the
 * types of `lacking`. A type protects while the queue has its full guarantee of it and would fall below. A
 * type of which it has less already does not protect. Only lacking types count if the queue guarantees one of
 * those in `size`; else its other guarantees count, for then nothing says how much of `lacking` is its own.
 */
bool yk_guarantee_keeps(const struct yk_queue *queue, const struct yk_resvec *size,
                        const struct yk_resvec *lacking);

/* Returns what the queue uses of a type, in base units, once all victims have ended and all nominated asks
 * have started. */
int64_t yk_guarantee_used(const struct yk_queue *queue, int type);
/* The lowest queue from `leaf` upwards that guarantees something; NULL: none does. O(depth). */
struct yk_queue *yk_guarantee_holder(struct yk_queue *leaf);
/* Whether the queue uses less than its guarantee of each type that it guarantees. O(types). */
bool yk_guarantee_is_missed(const struct yk_queue *queue);

#endif
