/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dry run of preemption. Each candidate is counted in the queues as preempted, and its size as nominated
 * for the leaf of the ask, so that the next question sees the result. Everything is undone before other code
 * runs.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 steps 6 and 8.
 */
#ifndef YK_PREEMPTION_TRIAL_H
#define YK_PREEMPTION_TRIAL_H

#include "preemption/need.h"
#include "preemption/victim_limits.h"

struct yk_trial {
    const struct yk_scope *scope;
    const struct yk_resvec *wanted; /* the ask's size */
    struct yk_victim_limits victim_limits;
    struct yk_vec victims;    /* struct yk_ask: taken, in order of choice */
    struct yk_resvec booked;  /* the sum of their sizes */
    struct yk_resvec lacking; /* what the ask lacks on the node and in its queues without victims */
    bool is_plain;            /* the ask lowers the need of its leaf, and no victim raised that of its own */
};

/* Begins a dry run without victims for an ask of size `wanted`. `scope` and `wanted` are borrowed until it
 * ends; `victim_limits` has the time and is copied. Undo all victims with yk_trial_undo(trial, 0) at the
 * end. */
void yk_trial_begin(struct yk_trial *trial, const struct yk_scope *scope, const struct yk_resvec *wanted,
                    const struct yk_victim_limits *victim_limits);
/*
 * Sets what the ask lacks: on the node `node_lack`, and in its guarantee and the maxima on its path.
 * Guarantees are compared in these types only. Call it before the first victim is taken.
 */
void yk_trial_set_lacking(struct yk_trial *trial, const struct yk_resvec *node_lack);
/*
 * Takes the victim, which is eligible, if its queues keep their guarantees, its queues' limits of victims
 * allow it, the guarantee of the ask's leaf covers it in the lacking types, and the need of the partition
 * becomes less. False: it was not taken, and nothing has changed.
 */
bool yk_trial_take(struct yk_trial *trial, struct yk_ask *victim);
/* Removes the victim at `index`. The order of the others stays. */
void yk_trial_give_back(struct yk_trial *trial, size_t index);
/* Takes a victim again that yk_trial_give_back() removed from `index`. */
void yk_trial_put_back(struct yk_trial *trial, size_t index, struct yk_ask *victim);
/* Removes the victims from index `count` on. */
void yk_trial_undo(struct yk_trial *trial, size_t count);
/* Sets `ret_lack` to what the ask still lacks with these victims, in the guarantee of its leaf and in the
 * maxima from `queue`, on its path, up to the root. False: nothing, and `ret_lack` is empty. */
bool yk_trial_lacks(const struct yk_trial *trial, const struct yk_queue *queue, struct yk_resvec *ret_lack);

#endif
