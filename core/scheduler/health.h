/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Health checks: the state of the scheduler is compared with itself, now and then, and the result is kept. A
 * pass is made in steps, with a pause after each; what changes meanwhile may be missed by it.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md, section 6; docs/reference/scheduling.md 3.10.
 */
#ifndef YK_SCHEDULER_HEALTH_H
#define YK_SCHEDULER_HEALTH_H

#include "state/core.h"

/*
 * Begins a pass of all checks unless one is under way, and takes its first step. A timer takes the others.
 * The result is kept in core->health at its end. The last two checks tell what the last pass of
 * core->cross_check has found.
 */
void yk_health_begin(struct yk_core *core);
/* A step of the pass that is under way: a few hundred nodes and allocations. False: it has ended, or none was
 * under way. */
bool yk_health_step(struct yk_core *core);
/* Makes a whole pass at once; a pass that is under way is dropped. O(nodes + allocations). */
void yk_health_run(struct yk_core *core);
/* Frees the results. Its timers are not armed. */
void yk_health_done(struct yk_health *health);

#endif
