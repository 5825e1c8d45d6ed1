/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cross-check: compares the allocations of the core with the objects that its resource managers have.
 *
 * A pass looks at all allocations and at all objects of every resource manager, a few hundred per step, with
 * a pause after each step. It may miss objects and allocations that change meanwhile. A difference is
 * reported after two passes in a row have found it and it is YK_CROSS_CHECK_GRACE_NS old, because some time
 * passes between a decision and its confirmation.
 *
 * Owns:      the texts of the differences, at most YK_CROSS_CHECK_SUSPECTS of each kind and pass.
 * Borrows:   the core, for life.
 * Thread:    scheduling thread only. It changes only its own results.
 * Source:    docs/reference/rest.md, section 6.
 */
#ifndef YK_SCHEDULER_CROSS_CHECK_H
#define YK_SCHEDULER_CROSS_CHECK_H

#include "state/core.h"

/* Initialises a check that has not run. `core` is borrowed until yk_cross_check_done(). */
void yk_cross_check_init(struct yk_cross_check *check, struct yk_core *core);
/* Cancels the timer and frees the results. */
void yk_cross_check_done(struct yk_cross_check *check);
/* Begins a pass unless one is under way. A timer takes its steps, unless the core is `manual`: then the
 * caller calls yk_cross_check_step() until it returns false. O(1). */
void yk_cross_check_begin(struct yk_cross_check *check);
/* Takes one step of the pass that is under way. True: call it again. False: the pass has ended, or none was
 * under way. */
bool yk_cross_check_step(struct yk_cross_check *check);
/*
 * Calls `sink`, with `context` (may be NULL), for each difference of that kind that is to be reported, in
 * order of text, at most `max` times. `text` is borrowed for the call. Returns the number of these
 * differences, which may be above `max`. If the number is not 0, it includes the differences of the last pass
 * that were counted but not kept, whose age is not known. O(YK_CROSS_CHECK_SUSPECTS).
 */
size_t yk_cross_check_list(const struct yk_cross_check *check, enum yk_difference kind, size_t max,
                           void (*sink)(void *context, const char *text), void *context);

#endif
