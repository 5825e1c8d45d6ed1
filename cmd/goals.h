/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a simulation has reached its goals: the general ones, and the expectations of its scenario.
 *
 * Source: docs/reference/simulate.md, "Goals".
 * Thread: any, after the simulation.
 */
#ifndef YK_CMD_GOALS_H
#define YK_CMD_GOALS_H

#include "cmd/simulation.h"

struct yk_goal_verdict {
    char what[200]; /* name of the goal, or the expectation in words */
    /* Unit, depending on `what`: seconds, longest run times (for "overtaken"), cores, pods, status patches,
     * or none for a ratio. `value` is infinite if pods of an "ended" expectation have not ended, or if pods
     * were killed without a deficit. `value` is NaN, and the expectation is not reached, if it is about cores
     * and no sample was taken at its time or later. `bound` is finite. */
    double value, bound;
    bool is_maximum; /* `bound` is a maximum; false: a minimum */
    bool reached;    /* also true if the goal does not apply */
    /* Why the goal does not apply; borrowed from the scenario, or static. Empty: it applies, or this is an
     * expectation. */
    struct yk_str exception;
};

struct yk_verdicts {
    struct yk_goal_verdict *items; /* owned: the goals, then the expectations in the order of the scenario */
    size_t count;
    bool reached; /* all are reached */
};

/* Compares an outcome of yk_simulation_finish() or yk_simulation_run() with the goals and the expectations of
 * its scenario, which must have samples (`sample_ns` is not 0). The caller ends `*ret` with
 * yk_verdicts_done(). */
void yk_goals_judge(const struct yk_outcome *outcome, struct yk_verdicts *ret);
void yk_verdicts_done(struct yk_verdicts *verdicts);

#endif
