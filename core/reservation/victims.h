/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Victims: allocations that have to end so that other asks may run. They are chosen by general preemption
 * (reservation/preempt.h), for an ask with a required node (reservation/required_node.h), for a queue above
 * its maximum (reservation/quota_preemption.h), and for a gang (gangs/handover.h).
 * yk_victim_eligible() says for all of them which allocations may be victims.
 *
 * A victim counts as allocated until the resource manager reports that it has ended; until then its size is
 * also counted in `preempting` of each queue on its path. It is not chosen again, and is not released as a
 * placeholder or replaced in addition.
 *
 * Thread: scheduling thread only.
 * Invariant: `preempting` of a queue is the sum of the sizes of the victims below it (docs/design.md,
 * Invariants 1).
 * Source: docs/reference/scheduling.md, 6.1 step 10, 6.4.
 */
#ifndef YK_RESERVATION_VICTIMS_H
#define YK_RESERVATION_VICTIMS_H

#include "base/vec.h"
#include "preemption/eligible.h"

struct yk_partition;

/* Sets `ret_need` to the amounts that have to end so that `size` fits where `room` is free: per type `size`
 * minus `room`, without types where that is 0 or less. `room` may be negative, if more is used than there
 * is. */
void yk_victims_need(const struct yk_resvec *size, const struct yk_resvec *room, struct yk_resvec *ret_need);
/* Whether `victim` has some of a type of which `left`, the amounts that still have to end, is positive.
 * O(types). */
bool yk_victim_helps(const struct yk_ask *victim, const struct yk_resvec *left);
/*
 * Shortens `victims` (struct yk_ask), which are in the order of preference, to the first ones that together
 * cover `need`, and then removes those that are not needed, trying the last one first. Empties it if all
 * together do not cover `need`.
 */
void yk_victims_reduce(struct yk_vec *victims, const struct yk_resvec *need);
/*
 * Asks the resource manager to end the `count` (may be 0) allocations, each of which is eligible
 * (yk_victim_eligible()): calls released() for each, after all have been marked as preempted and counted in
 * their queues and in the limits of victims. Wakes groups that get headroom by that, and records an event
 * with `message` for each. The array is borrowed for the call. Before, the caller calls yk_preemption_note()
 * for all of them and, if they end for a nominated ask, yk_nomination_make().
 */
void yk_victims_take(struct yk_partition *partition, struct yk_ask *const *victims, size_t count,
                     const char *message);
/* Call it before an allocation that ends is subtracted from the allocated amounts: if it is a victim, it
 * ceases to be one and is no longer counted in `preempting`. Returns the nomination for which it ends, which
 * the caller passes to yk_nomination_victim_ended() after it has subtracted the allocation; NULL: it ends for
 * no nomination, or is no victim. */
struct yk_nomination *yk_victim_ended(struct yk_ask *ask);
/* Call it after the size of the allocation changed by `delta` (after minus before; may be negative): corrects
 * `preempting` of its queues if it is a victim. No effect otherwise. */
void yk_victim_resized(const struct yk_ask *ask, const struct yk_resvec *delta);

#endif
