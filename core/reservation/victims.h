/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Victims: allocations that have to end so that others may run, as chosen by general preemption, an
 * ask that requires its node, a queue above its lowered quota.
 *
 * A victim is counted as allocated until the resource manager says that it has ended; until then its size is
 * counted in `preempting` of each queue on its path. The resource manager is asked once to end it. It is
 * never also released or replaced.
 *
 * yk_victim_eligible() of preemption/eligible.h says which allocations may be victims, for all three alike.
 *
 * Thread: scheduling thread only.
 * Invariant: preempting of a queue is the sum of its victims (docs/design.md, Invariants 1).
 * Source: docs/reference/scheduling.md, 6.1 step 10, 6.4.
 */
#ifndef YK_RESERVATION_VICTIMS_H
#define YK_RESERVATION_VICTIMS_H

#include "base/vec.h"
#include "preemption/eligible.h"

struct yk_partition;

/* Sets `ret_need` to what has to end so that `size` fits where `room` is free: per type `size` minus `room`,
 * without types where that is 0 or less. `room` is negative where more is used than there is. */
void yk_victims_need(const struct yk_resvec *size, const struct yk_resvec *room, struct yk_resvec *ret_need);
/* Whether the end of `victim` reduces what is left to be freed. O(types). */
bool yk_victim_helps(const struct yk_ask *victim, const struct yk_resvec *left);
/*
 * Shortens `victims` (struct yk_ask), which are in the order in which they should end, to the first ones that
 * together cover `need`, and then removes those that are not needed, looking at the last one first. Empties
 * it if all together do not cover `need`.
 */
void yk_victims_reduce(struct yk_vec *victims, const struct yk_resvec *need);
/*
 * Asks the resource manager to end the `count` allocations, each of which is eligible (yk_victim_eligible()).
 * First all are marked as preempted and counted in their queues, then `message` is reported. The array is
 * borrowed for the call.
 */
void yk_victims_take(struct yk_partition *partition, struct yk_ask *const *victims, size_t count,
                     const char *message);
/* Call it before an allocation, a victim or not, stops counting. No longer counts it as preempted. Returns
 * the nomination for which it ends, or NULL; the caller passes that to yk_nomination_victim_ended() after the
 * allocation has stopped counting. */
struct yk_nomination *yk_victim_ended(struct yk_ask *ask);
/* The size of the ask changed by `delta` (after minus before): corrects `preempting` of its queues if it is a
 * victim. No effect otherwise. */
void yk_victim_resized(const struct yk_ask *ask, const struct yk_resvec *delta);

#endif
