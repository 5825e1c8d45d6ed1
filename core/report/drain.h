/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates when an ask may start, from the number of asks that have started in each of the last
 * YK_STARTS_MINUTES minutes. Users see the estimate; no decision depends on it.
 *
 * Owns:   yk_queue_report.starts, yk_app_report.starts and yk_app_report.added.
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md 12.6.
 */
#ifndef YK_REPORT_DRAIN_H
#define YK_REPORT_DRAIN_H

#include "objects/ask.h"
#include "objects/starts.h"

/* Counts the start of the ask, which has a group, at `wall_ns`, which is now: for its application, and for
 * the application's leaf, which it must have. No effect if the ask replaces a placeholder. If it has waited for less
 * than 2 s, it only counts in yk_leaf_starts.all_asks. O(1). */
void yk_drain_count(const struct yk_ask *ask, int64_t wall_ns);
/* Counts the ask, which was added at `wall_ns`, which is now, for its application and its leaf, if it is new
 * and its application is older than a minute and has a leaf: such asks may come before those of other
 * applications that wait already. No effect on asks of task groups: placeholders, the asks that replace them,
 * and those beyond the number of placeholders. O(1). */
void yk_drain_count_added(const struct yk_ask *ask, int64_t wall_ns);
/* Counts a start in `starts`. If `wall_ns` is before the minute of the last counted start, the clock was set
 * back, and the earlier starts are forgotten. O(1). */
void yk_drain_count_in(struct yk_starts *starts, int64_t wall_ns);
/* The same for the start of an ask that was created at `create_wall_ns`. Its wait since the last start counts,
 * too, if there was one: the first start, such as after a restart, does not end a pause between starts. O(1). */
void yk_drain_count_wait_in(struct yk_starts *starts, int64_t create_wall_ns, int64_t wall_ns);

/* What was counted in the last minutes. A value. */
struct yk_drain {
    uint64_t starts, batches;
    int64_t window_ns;    /* the time, until now, in which they happened, at least 1 s; 0: there are none */
    int64_t last_wall_ns; /* time of the last start; meaningless if there are none */
    /* The longest time between two starts for which an ask waited, in the last YK_STARTS_MINUTES minutes. */
    int64_t longest_ns;
};
/* The starts of the present minute and of the `minutes` - 1 before it; `minutes` is 1 to YK_STARTS_MINUTES.
 * `starts` NULL: none. O(minutes). */
struct yk_drain yk_drain_of(const struct yk_starts *starts, int minutes, int64_t now_wall_ns);
/* Whether there were enough starts, and enough batches of them, for an estimate. */
bool yk_drain_is_enough(const struct yk_drain *drain);
/* Whether the starts have ended: there were none in the last `quiet_ns`, although batches were due, by two
 * standard deviations, at the rate of `drain`, for which yk_drain_is_enough() is true. */
bool yk_drain_has_ended(const struct yk_drain *drain, int64_t quiet_ns);

/* A range, in ns from now. A value. */
struct yk_drain_range {
    double earliest_ns, latest_ns;
};
/*
 * When the last of a number of asks starts: `min` to `max` asks, at least 1, that start as fast as in `drain`,
 * for which yk_drain_is_enough() is true. The range allows for two standard deviations, in both directions,
 * of two numbers: the batches that were counted, and those that are still to come. It reaches at least to
 * `longest_ns` from now, because such a pause may come again. O(1).
 */
struct yk_drain_range yk_drain_range(const struct yk_drain *drain, uint64_t min, uint64_t max);

#endif
