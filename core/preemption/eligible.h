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
 * Whether the allocation may be a victim for an ask of size `wanted`. True if the allocation belongs to an
 * application (it is not foreign), is on a node, could run on other nodes (it has no required node), has not
 * been asked to end, is not part of a replacement, and has a resource type of `wanted`. False for pending
 * asks. Priorities, the scope of the ask, guarantees and limits of victims are not checked. O(types).
 */
bool yk_victim_eligible(const struct yk_ask *victim, const struct yk_resvec *wanted);
/* Negative: `a` is preempted before `b`. The allocation that was created later comes first; if both were
 * created at the same time, the one with the smaller key does. Never 0 for different allocations. */
int yk_victim_compare_age(const struct yk_ask *a, const struct yk_ask *b);

/* Reasons to choose an allocation later than others; a larger bit weighs more than all smaller ones. */
enum {
    YK_VICTIM_GANG_MEMBER = 1u << 0, /* its gang runs, and may be of no use without it */
    YK_VICTIM_ORIGINATOR = 1u << 1,  /* it made its application (YK_ASK_ORIGINATOR), which may need it */
    YK_VICTIM_OPTED_OUT = 1u << 2,   /* its ask wishes not to be preempted (no YK_ASK_PREEMPT_SELF) */
    YK_VICTIM_PROTECTED = 1u << 3, /* the resource manager asks to keep it, such as for a disruption budget */
};
/* The resource manager, which says what is protected. Borrowed. */
struct yk_victim_ranking {
    const struct yk_si_callbacks *callbacks;
    void *rm; /* the first argument of the callbacks */
};
/* The rank of an allocation of an application as a victim: its YK_VICTIM_ bits. Preemption for guarantees
 * chooses victims with a smaller rank first; the other kinds of preemption order the bits in their own way.
 * Calls the resource manager to ask whether the allocation is protected. O(1). */
uint32_t yk_victim_rank(const struct yk_victim_ranking *ranking, const struct yk_ask *victim);
/*
 * The rank of the victim if the victims in `taken` (struct yk_ask, without this one) end, too: two
 * allocations may share a disruption budget that allows only one of them to end. `rank` is the result of
 * yk_victim_rank(); the function returns it, perhaps with YK_VICTIM_PROTECTED added. `scratch` is a vector
 * for the function's own use: its items are replaced, and the caller ends the vector with yk_vec_done().
 * O(taken).
 */
uint32_t yk_victim_rank_with(const struct yk_victim_ranking *ranking, const struct yk_ask *victim,
                             uint32_t rank, const struct yk_vec *taken, struct yk_vec *scratch);

#endif
