/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the allocations that have to end on one node so that an ask fits there.
 *
 * Allocations that were asked to end count as free. Placeholders that real asks replace do not: the real asks
 * take their capacity.
 *
 * Owns:   its arrays, which are used again.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 steps 6 and 7, D16.
 */
#ifndef YK_PREEMPTION_NODE_CHOICE_H
#define YK_PREEMPTION_NODE_CHOICE_H

#include "objects/node.h"
#include "preemption/eligible.h"
#include "preemption/trial.h"

/* A possible victim. */
struct yk_candidate {
    struct yk_ask *ask; /* an allocation, borrowed */
    uint32_t rank;      /* yk_victim_rank() */
    bool passed;        /* node_choice.c has considered it in the present search */
};
/* A list of possible victims. Zeroed before its first use. */
struct yk_candidates {
    struct yk_candidate *items; /* owned */
    size_t count, capacity;
};
void yk_candidates_done(struct yk_candidates *candidates);
/* Appends a possible victim. `ask` is borrowed until the list is emptied or freed. `rank`: as from
 * yk_victim_rank(). O(1) amortised. */
void yk_candidates_add(struct yk_candidates *candidates, struct yk_ask *ask, uint32_t rank);
/* Sorts the list: smallest rank first, then by yk_victim_compare_age(). O(n log n). */
void yk_candidates_sort(struct yk_candidates *candidates);

/* Zeroed before its first use. The caller sets `ranking` before it calls yk_node_choose() or yk_node_suits();
 * the other fields are private. */
struct yk_node_chooser {
    struct yk_victim_ranking ranking;
    struct yk_candidates candidates;
    struct yk_vec cookies;  /* of allocations that end, for the resource manager */
    struct yk_vec taken;    /* cookies of victims, for yk_victim_rank_with() */
    struct yk_vec in_order; /* struct yk_ask: the first choice of victims, while fewer ones are tried */
};
void yk_node_chooser_done(struct yk_node_chooser *chooser);

/*
 * Whether an ask of `size` that is nominated for the node (its size is in `node->nominated`) fits there once
 * all allocations that were asked to end there have ended and the other nominated asks have started. Looks
 * only at amounts of the node; the caller checks the maxima of the queues (yk_queue_lacks()). O(allocations
 * there).
 */
bool yk_node_fits_nominated(const struct yk_node *node, const struct yk_resvec *size);

enum { YK_NODE_NEVER = UINT32_MAX };
/* A lower bound of the number of victims that `ask`, for which `scope` is set, needs on the node: only the
 * scope, the fixed constraints and the capacity of the node count; guarantees and reservations do not. 0: the
 * ask fits without new victims. YK_NODE_NEVER: no victims let it run there. The caller has called
 * yk_node_search_prepare() for the ask. O(allocations there). */
uint32_t yk_node_least_victims(const struct yk_scope *scope, const struct yk_ask *ask,
                               const struct yk_node *node);
/*
 * Chooses victims on the node and takes them with yk_trial_take(), so that `ask` fits there and passes its
 * filters once they have ended. No victim is taken that could be left out. Allocations that come first in
 * order (rank, then age) are preferred. Fewer other allocations are chosen instead if their rank is no worse
 * and they have no more of the lacking types. No victims are needed if the ask fits already. Sets `*ret_rank`
 * to the YK_VICTIM_ bits of all victims together.
 *
 * `trial` was begun for the size of `ask` and has no victims; this function calls yk_trial_set_lacking(). The
 * caller undoes the trial. The caller has called yk_node_search_prepare() for the ask, and has checked the
 * reservations of the node. Afterwards the caller checks with yk_trial_lacks() that the queues of the ask
 * lack nothing: this function only looks at the node and the guarantees. False: the node cannot be freed for
 * the ask, no victim is taken, and `*ret_rank` is untouched. Calls the resource manager about the allocations
 * there.
 */
bool yk_node_choose(struct yk_node_chooser *chooser, struct yk_trial *trial, const struct yk_ask *ask,
                    const struct yk_node *node, uint32_t *ret_rank);
/* Whether the ask fits on the node, and passes its filters there, once the victims of `trial` and all other
 * allocations that were asked to end there have ended. Neither the queues nor the reservations of the node
 * are checked. Calls the resource manager. */
bool yk_node_suits(struct yk_node_chooser *chooser, const struct yk_trial *trial, const struct yk_ask *ask,
                   const struct yk_node *node);

#endif
