/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Health checks: compare amounts and lists of the scheduler that must agree. A pass of all checks is made in
 * steps, with a pause after each step; it may miss what changes meanwhile. The result of the last pass is
 * kept in core->health.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md, section 6; docs/reference/scheduling.md 3.10.
 */
#ifndef YK_SCHEDULER_HEALTH_H
#define YK_SCHEDULER_HEALTH_H

#include "state/core.h"

/*
 * Begins a pass of all checks unless one is under way, and takes its first step; a timer takes the others,
 * also in a core that is `manual`. The last two checks take their results from the last pass of
 * core->cross_check, which the caller begins separately (yk_cross_check_begin()).
 */
void yk_health_begin(struct yk_core *core);
/* Takes one step of the pass that is under way: looks at a few hundred nodes and allocations, and adds up the
 * capacities of all nodes of a partition when it comes to that partition. True: call it again. False: the
 * pass has ended, and its result is in core->health; or none was under way. Failed checks are logged at the
 * end. */
bool yk_health_step(struct yk_core *core);
/* Makes a whole pass at once, without a pass of core->cross_check; a pass that is under way is dropped.
 * O(nodes + allocations). */
void yk_health_run(struct yk_core *core);
/* Frees the results, also those of a pass that is under way. The caller has cancelled the timers
 * `health_timer` and `health.step` of the core. */
void yk_health_done(struct yk_health *health);

#endif
