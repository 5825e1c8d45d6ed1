/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Possible victims on all nodes, best first, for an ask that lacks headroom of a queue. There is a sorted
 * list of candidates for each node, and a heap of these lists, ordered by the next candidate of each list.
 * Only nodes that changed get new lists.
 *
 * Owns:   the lists and the heap.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 step 8.
 */
#ifndef YK_PREEMPTION_ALL_CANDIDATES_H
#define YK_PREEMPTION_ALL_CANDIDATES_H

#include "base/heap.h"
#include "preemption/plan_view.h"

struct yk_node_victims;

/* Zeroed before its first use. Its fields are private. */
struct yk_all_candidates {
    struct yk_node_victims **nodes; /* owned; by node index; NULL: no candidate there */
    uint32_t capacity;              /* of `nodes` */
    struct yk_plan_pass pass;
    struct yk_heap heap; /* struct yk_node_victims with candidates left, best candidate first */
    struct yk_vec begun; /* struct yk_node_victims of which this search has returned candidates */
};
void yk_all_candidates_done(struct yk_all_candidates *all);
/* Frees all lists. Call it before the first update for asks with another leaf, size, priority or fence
 * (yk_scope.fence_depth). Do not call it during a search. */
void yk_all_candidates_reset(struct yk_all_candidates *all);
/* Brings the lists up to date for `ask` and `scope`, which is set for the ask (yk_scope_set()). Do not call
 * it during a search; yk_all_candidates_next() begins one. False: `*work` (yk_plan_pass_next()) was not
 * enough. The next call, with a new view, goes on; do not search before a call has returned true. O(n log n)
 * for the n allocations of nodes that changed, and O(1) for each other node. */
YK_NODISCARD bool yk_all_candidates_update(struct yk_all_candidates *all, const struct yk_plan_view *view,
                                           const struct yk_scope *scope, const struct yk_ask *ask,
                                           uint32_t *work);
/* Whether an update is under way. */
static inline bool yk_all_candidates_is_updating(const struct yk_all_candidates *all)
{
    return yk_plan_pass_is_under_way(&all->pass);
}
/* The next candidate of the search. The first call begins the search. Borrowed until the next call of a
 * function of this header; NULL: there are no more. Until yk_all_candidates_end() is called, no allocation
 * may begin or end. Candidates that have been asked to end for other asks (YK_ASK_PREEMPTED) since the list
 * was made are skipped. The caller checks with yk_victim_eligible() that the candidate is still eligible: by
 * now it may be part of a replacement, or may have been asked to end for another reason. O(log nodes), and
 * for each node with candidates to skip O(its candidates). */
const struct yk_candidate *yk_all_candidates_next(struct yk_all_candidates *all);
/* Ends the search; the next one begins with the best candidate again. Call it after each search, also if
 * yk_all_candidates_next() has returned NULL. O(lists of which candidates were returned * log nodes). */
void yk_all_candidates_end(struct yk_all_candidates *all);

#endif
