/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cross-check: compares the allocations of the core with the objects that its resource managers have.
 *
 * A pass looks at all allocations and at all objects of every resource manager, a few hundred per step, with
 * a pause after each step. What changes while a pass is under way may be missed by it. A difference counts
 * once two passes in a row have found it and it is YK_CROSS_CHECK_GRACE_NS old: a decision and its
 * confirmation are some time apart.
 *
 * Owns:      the texts of the differences, at most YK_CROSS_CHECK_SUSPECTS of each kind.
 * Borrows:   the core, for life.
 * Thread:    scheduling thread only. It changes only its own results.
 * Source:    docs/reference/rest.md, section 6.
 */
#ifndef YK_SCHEDULER_CROSS_CHECK_H
#define YK_SCHEDULER_CROSS_CHECK_H

#include "state/core.h"

/* Makes a check that has not run. `core` is borrowed for life. */
void yk_cross_check_init(struct yk_cross_check *check, struct yk_core *core);
void yk_cross_check_done(struct yk_cross_check *check);
/* Begins a pass unless one is under way. Its steps follow by a timer, unless the core is `manual`. O(1). */
void yk_cross_check_begin(struct yk_cross_check *check);
/* Makes one step of the pass that is in progress. False: the pass has ended, or none was in progress. */
bool yk_cross_check_step(struct yk_cross_check *check);
/*
 * Calls `sink` with each difference that is old enough, by text, `max` times at most. Returns how many there
 * are. O(YK_CROSS_CHECK_SUSPECTS).
 */
size_t yk_cross_check_list(const struct yk_cross_check *check, enum yk_difference kind, size_t max,
                           void (*sink)(void *context, const char *text), void *context);

#endif
