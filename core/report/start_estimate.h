/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates when a waiting ask may start, from recent starts (report/drain.h) and the number of asks that come
 * before it. Users see the estimate; no decision depends on it.
 *
 * If enough asks of the same application have started lately, only this application counts: so the share that
 * it gets among others, and their new asks, are taken into account. The start is unknown if these starts have
 * ended and others come first. Otherwise the starts of the queue count; then the start is unknown if about as
 * many asks join the older of the other applications of the queue as start.
 * A placeholder is estimated to start with the last one of its gang, and only gangs count for it.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md 12.6.
 */
#ifndef YK_REPORT_START_ESTIMATE_H
#define YK_REPORT_START_ESTIMATE_H

#include "objects/ask.h"
#include "report/node_look.h"
#include "si.h"

/* How many pending asks come before an ask: at least `min`, at most `max`. Both are equal if the
 * number is known. */
struct yk_ahead_range {
    uint64_t min, max;
};

/* How many asks of other applications of its leaf come before the pending ask, whose application has a leaf.
 * Looks at no more than 256 applications; if there are more, `max` counts all others. For a placeholder, only
 * placeholders count, and no more than 256 groups are looked at. O(1). */
struct yk_ahead_range yk_start_ahead_of_others(const struct yk_ask *ask);
/* How many asks of its own application come before the pending ask. Looks at no more than 256 groups and asks;
 * if there are more, `max` counts all others. For a placeholder, all other placeholders come first. O(1). */
struct yk_ahead_range yk_start_ahead_of_own(const struct yk_ask *ask);
/* The estimate for the pending ask, which waits for `reason` and whose application has a leaf. `queue` and
 * `application` of the result are borrowed from leaf and application. `like`: as for yk_core_start() (si.h).
 * `looks`: as in yk_node_look_shared(), may be NULL.
 * Waiting does not help if the ask is larger than a maximum, or if no node that it may use is large enough,
 * whatever `reason` is. O(depth * types); without `like`, O(nodes * types) for an ask that no node takes. */
struct yk_si_start yk_start_estimate(const struct yk_ask *ask, enum yk_si_reason reason,
                                     const struct yk_si_start *like, struct yk_node_looks *looks);

#endif
