/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Victims: allocations that have to end so that others may run, whoever chose them: general preemption, a
 * daemon set's ask, a queue above its lowered quota.
 *
 * A victim stays on all books until the resource manager says that it has ended; until then its size is
 * counted in `preempting` of each queue on its path. It is never asked for twice, and never also released or
 * replaced.
 *
 * Thread: scheduling thread only.
 * Invariant: preempting of a queue is the sum of its victims (docs/design.md, Invariants 1).
 * Source: docs/reference/scheduling.md, 6.1 step 10, 6.4.
 */
#ifndef YK_SCHEDULER_VICTIMS_H
#define YK_SCHEDULER_VICTIMS_H

#include "objects/ask.h"

struct yk_partition;

/*
 * Whether the allocation may be a victim for somebody who lacks `wanted`: ours, standing on a node, with
 * nobody waiting for its end yet, not bound to its node, and with a resource type of `wanted`. O(1).
 */
bool yk_victim_eligible(const struct yk_ask *victim, const struct yk_resvec *wanted);
/* The younger one first, then the key: how the order of every choice ends. */
int yk_victim_compare_age(const struct yk_ask *a, const struct yk_ask *b);
/*
 * All of them are to end: first all are marked, then their owners and the resource manager are told
 * `message`. Each is eligible.
 */
void yk_victims_take(struct yk_partition *partition, struct yk_ask *const *victims, size_t count,
                     const char *message);
/* The allocation, a victim or not, is about to leave the books; or its size has changed by `delta`. */
void yk_victim_ended(struct yk_ask *ask);
void yk_victim_resized(const struct yk_ask *ask, const struct yk_resvec *delta);

#endif
