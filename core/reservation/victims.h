/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Victims: allocations that have to end so that others may run, as chosen by general preemption, a
 * daemon set's ask, a queue above its lowered quota.
 *
 * A victim stays on all books until the resource manager says that it has ended; until then its size is
 * counted in `preempting` of each queue on its path. It is never asked for twice, and never also released or
 * replaced.
 *
 * Who may be one at all: yk_victim_eligible() of preemption/eligible.h, for all three alike.
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

/* What has to end so that `size` fits where `room` is free: per type `size` minus `room`, without types
 * where that is 0 or less. `room` is negative where more is used than there is. */
void yk_victims_need(const struct yk_resvec *size, const struct yk_resvec *room, struct yk_resvec *ret_need);
/* Whether the end of `victim` reduces what is left to be freed. O(types). */
bool yk_victim_helps(const struct yk_ask *victim, const struct yk_resvec *left);
/*
 * Keeps of `victims` (struct yk_ask), which are in the order in which they should go, the first ones that
 * cover `need` together, without any that could be left out; of these the last ones stay. None, if all of
 * them do not cover it.
 */
void yk_victims_reduce(struct yk_vec *victims, const struct yk_resvec *need);
/*
 * All of them are to end: first all are marked, then owners and the resource manager get a report
 * `message`. Each is eligible.
 */
void yk_victims_take(struct yk_partition *partition, struct yk_ask *const *victims, size_t count,
                     const char *message);
/* The allocation, a victim or not, is about to leave the books. For whom it ends, or NULL: to be told with
 * yk_nomination_victim_ended() when it has left. */
struct yk_nomination *yk_victim_ended(struct yk_ask *ask);
/* The size of the ask, if it is a victim that has not ended yet, has changed by `delta` (after minus
 * before). */
void yk_victim_resized(const struct yk_ask *ask, const struct yk_resvec *delta);

#endif
