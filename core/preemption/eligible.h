/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which allocations may be preempted at all, and which of two is preempted first when all else is equal.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.
 */
#ifndef YK_PREEMPTION_ELIGIBLE_H
#define YK_PREEMPTION_ELIGIBLE_H

#include "base/vec.h"
#include "objects/ask.h"
#include "si.h"

/*
 * Whether the allocation may be a victim for an ask that lacks `wanted`: it is ours, has a node that it is
 * not bound to, no other ask waits for its end, and it has a resource type of `wanted`. O(types).
 */
bool yk_victim_eligible(const struct yk_ask *victim, const struct yk_resvec *wanted);
/* Negative: `a` is preempted first. The younger one first, then by key; never 0 for different allocations.
 * Every order of victims ends with this comparison. */
int yk_victim_compare_age(const struct yk_ask *a, const struct yk_ask *b);

/* What makes a victim worse than another; worse is larger. */
enum {
    YK_VICTIM_GANG_MEMBER = 1u << 0, /* its gang runs, and may be of no use without it */
    YK_VICTIM_ORIGINATOR = 1u << 1,  /* ends its whole application */
    YK_VICTIM_OPTED_OUT = 1u << 2,   /* asked not to be preempted: a wish */
    YK_VICTIM_PROTECTED = 1u << 3,   /* the resource manager would rather keep it */
};
struct yk_victim_ranking { /* who knows what is protected */
    const struct yk_si_callbacks *callbacks;
    void *rm;
};
/* How much the victim costs: YK_VICTIM_ bits, a victim with a larger number is chosen later. Calls the
 * resource manager to ask whether the allocation is protected. O(1). */
uint32_t yk_victim_rank(const struct yk_victim_ranking *ranking, const struct yk_ask *victim);
/*
 * The rank of the victim if the victims of `taken` (items: struct yk_ask) end, too: two allocations may share
 * a budget that allows one disruption. `rank`: the result of yk_victim_rank(). `scratch`: a zeroed or used
 * vector; its items are replaced, the caller ends it with yk_vec_done(). O(taken).
 */
uint32_t yk_victim_rank_with(const struct yk_victim_ranking *ranking, const struct yk_ask *victim,
                             uint32_t rank, const struct yk_vec *taken, struct yk_vec *scratch);

#endif
