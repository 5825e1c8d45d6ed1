/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a simulation reached its goals: the general ones, and what its scenario expects.
 *
 * Source: docs/reference/simulate.md, "Goals".
 * Thread: any, after the simulation.
 */
#ifndef YK_CMD_GOALS_H
#define YK_CMD_GOALS_H

#include "cmd/simulation.h"

struct yk_goal_verdict {
    char what[200];      /* the goal, or the expectation in words */
    double value, bound; /* times in seconds, but for the goal of overtaking: in longest run times */
    bool is_maximum;     /* `bound` is; else a minimum */
    bool reached;
    struct yk_str exception; /* why the goal does not apply; empty: it does. Then it counts as reached */
};

struct yk_verdicts {
    struct yk_goal_verdict *items; /* owned */
    size_t count;
    bool reached; /* all of them */
};

/* Compares the outcome, whose scenario has samples, with the goals and the expectations of the scenario. The
 * caller ends `*ret` with yk_verdicts_done(). */
void yk_goals_judge(const struct yk_outcome *outcome, struct yk_verdicts *ret);
void yk_verdicts_done(struct yk_verdicts *verdicts);

#endif
