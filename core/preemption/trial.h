/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dry run of preemption for an ask. A victim that is taken is counted in `preempting` of its queues, and
 * its size in `nominated` of the queues of the ask, so that questions about the next victim see the result.
 * All is undone before other code runs.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 steps 6 and 8.
 */
#ifndef YK_PREEMPTION_TRIAL_H
#define YK_PREEMPTION_TRIAL_H

#include "preemption/need.h"
#include "preemption/victim_limits.h"

/* Zeroed before its first use. To free one: yk_vec_done() of `victims`, yk_resvec_done() of both amounts. */
struct yk_trial {
    const struct yk_scope *scope;          /* borrowed */
    const struct yk_resvec *wanted;        /* borrowed: the size of the ask */
    struct yk_victim_limits victim_limits; /* the time, and whether limits refused victims */
    struct yk_vec victims;                 /* struct yk_ask: taken, in order of choice */
    struct yk_resvec booked;               /* the sum of the victims' sizes */
    struct yk_resvec lacking; /* what the ask lacks without victims, on the node and in its queues */
    bool is_plain; /* the ask lowers the need of its leaf, and no victim raises that of its own leaf */
};

/* Begins a dry run without victims for an ask of size `wanted`. An earlier dry run of `trial` was undone.
 * `scope`, which is set for the ask, and `wanted` are borrowed until the dry run ends; `victim_limits`, whose
 * times and `wait_ns` are set, is copied. The caller then calls yk_trial_set_lacking() or yk_node_choose().
 * At the end, it undoes all victims with yk_trial_undo(trial, 0). */
void yk_trial_begin(struct yk_trial *trial, const struct yk_scope *scope, const struct yk_resvec *wanted,
                    const struct yk_victim_limits *victim_limits);
/*
 * Sets `lacking`, the types for which victims are taken: the types that the node lacks (`node_lack`, may be
 * empty), and those that are lacking in the guarantee of the ask's leaf and in the maxima on its path, except
 * the maximum of the root. Only the guarantees of these types are compared. Call it after yk_trial_begin(),
 * before the first victim is taken; yk_node_choose() calls it.
 */
void yk_trial_set_lacking(struct yk_trial *trial, const struct yk_resvec *node_lack);
/*
 * Takes the victim, which is eligible (yk_victim_eligible()), in scope (yk_scope_admits()) and not taken yet,
 * if four conditions hold: the guarantees of its queues allow it (yk_guarantee_spares()), their limits of
 * victims allow it (preemption/victim_limits.h), its amounts of the lacking types fit into what remains of
 * the guarantee of the ask's leaf, and the need of the partition becomes less (preemption/need.h). False: the
 * victim was not taken; only `victim_limits.wait_ns` and `is_plain` may have changed.
 */
bool yk_trial_take(struct yk_trial *trial, struct yk_ask *victim);
/* Removes the victim at `index` (less than `victims.count`). The order of the others stays the same. */
void yk_trial_give_back(struct yk_trial *trial, size_t index);
/* Takes a victim again that yk_trial_give_back() has just removed from `index`, without checks. */
void yk_trial_put_back(struct yk_trial *trial, size_t index, struct yk_ask *victim);
/* Removes the victims from index `count` on, so that the first `count` stay. */
void yk_trial_undo(struct yk_trial *trial, size_t count);
/* Sets `ret_lack` to what the ask still lacks after the victims have ended: in the guarantee of its leaf, and
 * in the maxima of `queue`, which is on its path, and of the queues above. The maximum of the root never
 * counts: nodes have or lack that capacity (yk_node_suits()). False: the ask lacks nothing, and `ret_lack` is
 * empty. */
bool yk_trial_lacks(const struct yk_trial *trial, const struct yk_queue *queue, struct yk_resvec *ret_lack);

#endif
