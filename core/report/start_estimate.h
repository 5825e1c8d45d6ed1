/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a waiting ask may start: an estimate for people from the drain rate of its queue (report/drain.h) and the
 * number of asks that come before it. No decision depends on it.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md 12.2.
 */
#ifndef YK_REPORT_START_ESTIMATE_H
#define YK_REPORT_START_ESTIMATE_H

#include "objects/ask.h"
#include "si.h"

/* How many asks of the leaf come before an ask. Both numbers are equal if it is known exactly. */
struct yk_ahead_range {
    uint64_t min, max;
};

/* Looks at a bounded number of applications of the leaf and asks of the application; `max` is what the leaf has in
 * all if there are more. `ask` is pending. O(1). */
struct yk_ahead_range yk_start_ahead(const struct yk_ask *ask);
/* Whether what others release ends the wait; false: a user or an administrator has to change something. */
bool yk_start_ends_by_itself(enum yk_si_reason reason);
/* The estimate for `ask`, which is pending, waits for `reason` and has `ahead` asks before it. O(1). */
struct yk_si_start yk_start_estimate(const struct yk_ask *ask, enum yk_si_reason reason,
                                     struct yk_ahead_range ahead);

#endif
