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

/* `etiquette`: the time; copied. */
void yk_trial_begin(struct yk_trial *trial, const struct yk_scope *scope, const struct yk_resvec *wanted,
                    const struct yk_victim_limits *victim_limits);
/*
 * Sets what the ask lacks: on the node `node_lack`, and in its guarantee and the maxima on its path.
 * Guarantees are judged by these types. No victim is taken yet.
 */
void yk_trial_set_lacking(struct yk_trial *trial, const struct yk_resvec *node_lack);
/*
 * Takes the victim if its queues spare it, etiquette allows it, the ask's leaf is guaranteed as much of what
 * is lacking, and the need of the partition becomes less.
 */
bool yk_trial_take(struct yk_trial *trial, struct yk_ask *victim);
/* Gives the victim at `index` back. The order of the others stays. */
void yk_trial_give_back(struct yk_trial *trial, size_t index);
/* Takes again what was given back last, at its place. */
void yk_trial_put_back(struct yk_trial *trial, size_t index, struct yk_ask *victim);
/* Gives back all from `count` on. */
void yk_trial_undo(struct yk_trial *trial, size_t count);
/* What the ask, with these victims, lacks in the guarantee of its leaf and in the maxima from `queue`, on its
 * path, upwards. False: nothing. */
bool yk_trial_lacks(const struct yk_trial *trial, const struct yk_queue *queue, struct yk_resvec *ret_lack);

#endif
