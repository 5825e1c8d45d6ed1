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
    char what[200]; /* name of the goal, or the expectation in words; longer texts are cut */
    /* Unit, depending on `what`: seconds, cores, pods or status patches; for "overtaken", multiples of the
     * longest run time (yk_steady_figures.longest_run_ns); the other goals are ratios without a unit. `value`
     * is infinite if pods of an "ended" expectation have not ended, or, for "kills", if pods were killed
     * without a deficit. `value` is NaN, and the expectation is not reached, if the expectation is about
     * cores and no sample was taken at its time or later. `bound` is finite. */
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

/* Compares an outcome of yk_simulation_finish() or yk_simulation_run() with the goals, and with the
 * expectations of its scenario. `sample_ns` of the scenario must not be 0. The caller ends `*ret` with
 * yk_verdicts_done(). */
void yk_goals_judge(const struct yk_outcome *outcome, struct yk_verdicts *ret);
void yk_verdicts_done(struct yk_verdicts *verdicts);

#endif
