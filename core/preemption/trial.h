/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which allocations may be victims for an ask. Each one that is taken is a step of a dry run, so that
 * questions about the next victim see the result.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 steps 6 and 8.
 */
#ifndef YK_PREEMPTION_TRIAL_H
#define YK_PREEMPTION_TRIAL_H

#include "preemption/dry_run.h"
#include "preemption/need.h"
#include "preemption/victim_limits.h"

/* Zeroed before its first use. To free one: yk_dry_run_done() of `run`, yk_resvec_done() of `lacking`. */
struct yk_trial {
    const struct yk_scope *scope;          /* borrowed */
    const struct yk_resvec *wanted;        /* borrowed: the size of the ask */
    struct yk_victim_limits victim_limits; /* the time, and whether limits refused victims */
    struct yk_dry_run run;                 /* its steps are the victims (YK_DRY_VICTIM), in order of choice */
    struct yk_resvec lacking; /* what the ask lacks without victims, on the node and in its queues */
    bool is_plain; /* the ask lowers the need of its leaf, and no victim raises that of its own leaf */
};

/* Begins a dry run without victims for an ask of size `wanted`. An earlier dry run of `trial` was undone.
 * `scope`, which is set for the ask, and `wanted` are borrowed until the dry run ends; `victim_limits`, whose
 * times and `wait_ns` are set, is copied. The caller then calls yk_trial_set_lacking() or yk_node_choose().
 * It may remove victims and insert them again (preemption/dry_run.h), and undoes all of them at the end. */
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
/* Sets `ret_lack` to what the ask still lacks after the victims have ended: in the guarantee of its leaf, and
 * in the maxima of `queue`, which is on its path, and of the queues above. The maximum of the root never
 * counts: nodes have or lack that capacity (yk_node_suits()). False: the ask lacks nothing, and `ret_lack` is
 * empty. */
bool yk_trial_lacks(const struct yk_trial *trial, const struct yk_queue *queue, struct yk_resvec *ret_lack);

#endif
