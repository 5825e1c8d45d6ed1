/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits for the limits of users and groups, in the order in which it would be tried.
 *
 * The entry of a user (or group) for a leaf has two ordered trees of applications: those with groups of asks
 * that a limit of this user refused, with the smallest amounts that wait in each branch, and those that a
 * limit on the number of applications does not let start. When a limit has more capacity, the first in order
 * that fits is tried at its turn, then the next, until not even the smallest fits. So the end of an
 * allocation costs what it starts, however much waits: O(leaves below the limit in which something waits +
 * log applications).
 *
 * Members: groups with pending asks and YK_WAIT_USER_QUOTA; applications that yk_park_app_for_quota() put
 * aside.
 *
 * Owns:   yk_app_wait.limits, yk_usage.blocked_apps and yk_usage.gated, yk_partition_pending.eased_usages.
 * Thread: scheduling thread only.
 * Invariant: while no entry is eased, nothing that waits here fits (docs/design.md, Invariants 5).
 */
#ifndef YK_PENDING_LIMIT_WAIT_H
#define YK_PENDING_LIMIT_WAIT_H

#include "state/partition.h"

/* A limit on the path of `refusing` refused the group, whose `wait` is YK_WAIT_USER_QUOTA. O(log). */
void yk_limit_wait_add_group(struct yk_group *group, const struct yk_usage *refusing);
/* The group no longer waits for a limit; calling it without need is harmless. O(log). */
void yk_limit_wait_remove_group(struct yk_group *group);
/* The key of the group among those of its application changed. */
void yk_limit_wait_update_group(struct yk_group *group);
/* A limit on the path of `refusing` does not let the application start. O(log). */
void yk_limit_wait_add_app(struct yk_app *app, struct yk_usage *refusing);
/* The application no longer waits for a limit, or leaves its leaf; calling it without need is harmless.
 * O(log). */
void yk_limit_wait_remove_app(struct yk_app *app);
/* The key of the application among those of its leaf changed. */
void yk_limit_wait_update_app(struct yk_app *app);
/* The sort policy of the leaf changed: restores the order. O(what waits there, for all users and groups). */
void yk_limit_wait_sort_changed(const struct yk_queue *leaf);

/* The limits on the path of `usage` (NULL: no effect) may let more start. O(depth). */
void yk_limit_wait_eased(struct yk_partition *partition, struct yk_usage *usage);
/* Whether there is an entry to be looked at. O(1). */
bool yk_limit_wait_has_work(const struct yk_partition *partition);

struct yk_limit_candidate {
    struct yk_app *app;
    struct yk_group *group; /* NULL: the application as a whole, which may start now */
};
/* Sets `*ret_first` to the first application or group in order that a limit refused and that all limits of
 * its user, or of its group of users, allow now. Looks at eased limits only. False: there is none, and no
 * limit is marked as eased any longer. The answer is valid until something changes. */
bool yk_limit_wait_first(struct yk_partition *partition, struct yk_limit_candidate *ret_first);
/* Ends the wait of the candidate, which is then tried in one of the next turns. */
void yk_limit_wait_wake(const struct yk_limit_candidate *candidate);
/* For checks: whether the trees of the entry are in order and their amounts are right. O(what waits
 * there). */
bool yk_limit_wait_valid(const struct yk_usage *entry);
/* For checks: sets `*ret_first` to the first that waits at this entry and that all limits on its path allow;
 * false: none. Changes nothing. */
bool yk_limit_wait_first_at(const struct yk_usage *entry, struct yk_limit_candidate *ret_first);

#endif
