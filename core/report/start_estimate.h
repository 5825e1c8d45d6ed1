/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates when a waiting ask may start, from the starts of its queue (report/drain.h) and the number of
 * asks that come before it. Users see the estimate; no decision depends on it.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md 12.6.
 */
#ifndef YK_REPORT_START_ESTIMATE_H
#define YK_REPORT_START_ESTIMATE_H

#include "objects/ask.h"
#include "si.h"

/* How many pending asks of the leaf come before an ask: at least `min`, at most `max`. Both are equal if the
 * number is known. */
struct yk_ahead_range {
    uint64_t min, max;
};

/* How many asks come before the pending ask, whose application has a leaf. Looks at no more than 256
 * applications of the leaf and 256 groups and asks of the application; if there are more, `max` counts all
 * others. O(1). */
struct yk_ahead_range yk_start_ahead(const struct yk_ask *ask);
/* The estimate for the pending ask, which waits for `reason` and has `ahead` asks before it. `queue` of the
 * result is borrowed from the leaf. `like`: as for yk_core_start() (si.h). Waiting does not help if
 * the ask is larger than a maximum, or if no node that it may use is large enough, whatever `reason` is.
 * O(depth * types); without `like`, O(nodes * types) for an ask that no node takes. */
struct yk_si_start yk_start_estimate(const struct yk_ask *ask, enum yk_si_reason reason,
                                     struct yk_ahead_range ahead, const struct yk_si_start *like);

#endif
