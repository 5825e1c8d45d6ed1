/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the allocations that have to end on one node so that an ask fits there.
 *
 * Owns: its arrays, which are used again.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 steps 6 and 7, D16.
 */
#ifndef YK_PREEMPTION_NODE_CHOICE_H
#define YK_PREEMPTION_NODE_CHOICE_H

#include "objects/node.h"
#include "preemption/eligible.h"
#include "preemption/trial.h"

struct yk_candidate {
    struct yk_ask *ask;
    uint32_t rank;
    bool passed; /* not to be considered again in the present search on its node */
};
struct yk_candidates {
    struct yk_candidate *items; /* owned */
    size_t count, capacity;
};
void yk_candidates_done(struct yk_candidates *candidates);
/* Appends a possible victim. `ask` is borrowed until the list is cleared or freed. `rank` as from
 * yk_victim_rank(). O(1) amortised. */
void yk_candidates_add(struct yk_candidates *candidates, struct yk_ask *ask, uint32_t rank);
/* Sorts the list: smallest rank first, then the younger allocation. O(n log n). */
void yk_candidates_sort(struct yk_candidates *candidates);

struct yk_node_chooser {
    struct yk_victim_ranking ranking;
    struct yk_candidates candidates;
    struct yk_vec cookies; /* of asks, for the resource manager */
    struct yk_vec taken;   /* the same, while a rank is asked for */
    struct yk_vec
        in_order; /* struct yk_ask: the victims that the order alone chooses, while others are tried */
};
void yk_node_chooser_done(struct yk_node_chooser *chooser);

/*
 * Whether an ask of `size` that is nominated for the node fits there once all that ends there already has
 * ended and the other nominated asks have started. O(allocations there).
 */
bool yk_node_fits_nominated(const struct yk_node *node, const struct yk_resvec *size);

enum { YK_NODE_NEVER = UINT32_MAX };
/* A lower bound of the number of victims that `ask` needs on the node, without regard to guarantees; 0: it
 * fits without. YK_NODE_NEVER: no number of victims lets it run there. O(allocations there). */
uint32_t yk_node_least_victims(const struct yk_scope *scope, const struct yk_ask *ask,
                               const struct yk_node *node);
/*
 * Takes victims on the node with yk_trial_take() until the ask fits there. None of them could be left out.
 * They are the first in order, or others of no worse rank if these are fewer and have no more of the lacking
 * types, or are as many and have less. False: it is not possible, and none is taken. `*ret_rank`: the
 * YK_VICTIM_ bits of all of them. O(allocations there * depth), and one call of the resource manager about
 * the allocations there.
 */
bool yk_node_choose(struct yk_node_chooser *chooser, struct yk_trial *trial, const struct yk_ask *ask,
                    const struct yk_node *node, uint32_t *ret_rank);
/* Whether the ask fits on the node, and passes its filters there, once the victims that `trial` took there
 * have ended. */
bool yk_node_suits(struct yk_node_chooser *chooser, const struct yk_trial *trial, const struct yk_ask *ask,
                   const struct yk_node *node);

#endif
