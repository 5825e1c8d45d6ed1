/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Victims on any node, best first, for an ask that lacks headroom of a queue. There is a sorted list for each
 * node, and a heap of the lists by their next candidate. A node that changed gets a new list; the others
 * stay, so the cost does not grow with the number of allocations.
 *
 * Owns: the lists and the heap.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 step 8.
 */
#ifndef YK_PREEMPTION_ALL_CANDIDATES_H
#define YK_PREEMPTION_ALL_CANDIDATES_H

#include "base/heap.h"
#include "preemption/node_choice.h"

struct yk_plan_view;
struct yk_node_victims;

struct yk_all_candidates {
    struct yk_node_victims **nodes; /* by node index; NULL: no victims there. Owned */
    uint32_t capacity;
    uint64_t seen;       /* the view's `change` of the last update */
    struct yk_heap heap; /* struct yk_node_victims with candidates left, best candidate first */
    struct yk_vec begun; /* struct yk_node_victims: yk_all_candidates_next() took some of theirs */
};
void yk_all_candidates_done(struct yk_all_candidates *all);
/* Drops all lists, so that the next search may be for another kind of ask. */
void yk_all_candidates_reset(struct yk_all_candidates *all);
/* Begins a search: brings the lists up to date for `ask` and `scope`, and makes the best candidate the next
 * one. Call yk_all_candidates_end() before an allocation ends. O(allocations of the nodes that changed *
 * log), and a look at one number per node. */
void yk_all_candidates_begin(struct yk_all_candidates *all, const struct yk_plan_view *view,
                             const struct yk_scope *scope, const struct yk_ask *ask);
/* The next candidate, borrowed until the next call; NULL: there are no more. Candidates that were asked to
 * end meanwhile are left out. O(log nodes) for each candidate passed. */
const struct yk_candidate *yk_all_candidates_next(struct yk_all_candidates *all);
/* Ends the search: the next one begins with the best candidate again. O(lists touched * log nodes). */
void yk_all_candidates_end(struct yk_all_candidates *all);

#endif
