/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The groups of asks and the applications that wait for limits of users and groups of users, in the order in
 * which they would be tried.
 *
 * The entry (struct yk_usage) of a user, or group of users, for a leaf has two ordered trees of applications.
 * `blocked_apps` has the applications with groups of asks that a limit of this user or group of users
 * refused. `gated` has the applications that a limit of the number of applications does not let start.
 * Branches of `blocked_apps` store the smallest amounts that wait in them. After yk_limit_wait_eased() was
 * called, the cycle ends the wait of the first group in order that fits (yk_limit_wait_first(),
 * yk_limit_wait_wake()), then of the next one, until not even the smallest amounts fit. So the end of an
 * allocation costs about O(leaves below the limit in which something waits + log applications).
 *
 * Members: groups with pending asks and YK_WAIT_USER_QUOTA; applications that yk_park_app_for_quota() parked.
 * The functions of pending/active.h and pending/parked.h call the functions below that add, remove and order
 * members. Other modules call the functions of those two headers; there is one exception,
 * yk_limit_wait_end_app().
 *
 * Owns:   yk_app_wait.limits, yk_usage.blocked_apps and yk_usage.gated, yk_partition_pending.eased_usages.
 * Thread: scheduling thread only.
 * Invariant: while no entry is eased, nothing that waits here fits into what is not held for earlier groups
 *            (docs/design.md, Invariants 5).
 */
#ifndef YK_PENDING_LIMIT_WAIT_H
#define YK_PENDING_LIMIT_WAIT_H

#include "state/partition.h"

/* A step of yk_park_group_for_quota(): adds the group, whose `wait` is YK_WAIT_USER_QUOTA, after the limit of
 * `refusing` refused it. `refusing` belongs to the user of the application or to its group of users, in the
 * leaf or a queue above. The group has pending asks and is not a member yet. O(log). */
void yk_limit_wait_add_group(struct yk_group *group, const struct yk_usage *refusing);
/* A step of yk_active_set_wait() and yk_active_remove_ask(): removes the group, which still has pending asks.
 * Does not change `group->wait`. No effect if the group is not a member. O(log). */
void yk_limit_wait_remove_group(struct yk_group *group);
/* Restores the order after the first ask or the priority of the group changed; no effect if it is not a
 * member. */
void yk_limit_wait_update_group(struct yk_group *group);
/* Adds the application, after the limit of `refusing` did not let it start. `refusing`: as for
 * yk_limit_wait_add_group(). The application is not a member yet. A step of yk_park_app_for_quota(), which
 * also clears `start.held`, updates the order and reports the asks. O(log). */
void yk_limit_wait_add_app(struct yk_app *app, struct yk_usage *refusing);
/* Ends the wait of the application for the limit that did not let it start, and updates its place in its
 * leaf (yk_active_update_app()). Its groups stay members: yk_unpark_from_quota() ends their waits, too.
 * yk_accounting_add_allocation() calls it, because a parked application may get an allocation. False, and no
 * effect: the application does not wait to start. O(log). */
bool yk_limit_wait_end_app(struct yk_app *app);
/* A step of yk_active_forget_app(), for an application that leaves its leaf: as yk_limit_wait_end_app(), but
 * its place in the leaf stays as it is. */
void yk_limit_wait_remove_app(struct yk_app *app);
/* Call it after the application has got another place in the order of its leaf: restores the order here. No
 * effect if the application and its groups are not members. */
void yk_limit_wait_update_app(struct yk_app *app);
/* Restores the order after `app_sort` or `priority_sort` of the leaf changed. O(n log n) for the n
 * applications that wait there, for all users and groups. */
void yk_limit_wait_sort_changed(const struct yk_queue *leaf);

/* Call it after a limit on the path of `usage` may let more start, or was removed: marks the uppermost entry
 * of the path with a limit (`usage` itself, if none has one) as eased, if something waits below it.
 * yk_limit_wait_first() looks at it. `usage` NULL: no effect. Other modules call yk_limit_gate_freed() or
 * another function of pending/limit_gate.h, for the user and the group of an application. O(depth). */
void yk_limit_wait_eased(struct yk_partition *partition, struct yk_usage *usage);
/* Whether an entry is marked as eased. O(1). */
bool yk_limit_wait_has_work(const struct yk_partition *partition);

/* A group or application that waited for a limit and may be tried now. Written by: pending. */
struct yk_limit_candidate {
    struct yk_app *app;     /* borrowed; NULL: there is none */
    struct yk_group *group; /* of `app`, borrowed; NULL: the application as a whole, which may start now */
};
/*
 * Sets `*ret_first` to the first application or group in order that a limit refused and that all limits allow
 * now: those of its user, if a limit of the user refused it, else those of its group of users. A group is
 * skipped if what is free is held for an earlier group (pending/limit_hold.h). Limits of the other one, and
 * queues and nodes, may still refuse the candidate. Looks at the first 16 eased entries below which something
 * fits; entries below which nothing fits are no longer eased. False: there is none, no entry is eased, and
 * `ret_first->app` is NULL. The answer is valid until an amount, a limit, a wait or a priority changes.
 *
 * True is not enough to wake the candidate: the caller calls yk_limit_wait_wake() only if the candidate comes
 * before the waiting group that fits on a freed node (yk_freed_search_first_group()), and before what the
 * regular walk would try (yk_active_first_app()). Otherwise the caller drops the answer and asks again in the
 * next turn.
 */
bool yk_limit_wait_first(struct yk_partition *partition, struct yk_limit_candidate *ret_first);
/* Ends the wait of the candidate, which is the valid answer of yk_limit_wait_first() and comes first (see
 * there), so that it is tried in one of the next turns. A group whose shape is parked waits for nodes
 * instead. `candidate->app` is not NULL. The caller tries nothing else in this turn (YK_TURN_PARKED): the
 * order may have changed. */
void yk_limit_wait_wake(const struct yk_limit_candidate *candidate);
/* For checks: whether the trees of the entry are in order and their amounts are right. O(groups and
 * applications that wait there). */
bool yk_limit_wait_valid(const struct yk_usage *entry);
/* Sets `*ret_first` to the first group or application that waits at `entry`, the entry for a leaf, and that
 * all limits of this user or group on the path allow; a group is skipped as in yk_limit_wait_first(). False:
 * there is none, and `ret_first->app` is NULL. Changes nothing. For checks and for yk_limit_wait_first(). */
bool yk_limit_wait_first_at(const struct yk_usage *entry, struct yk_limit_candidate *ret_first);

#endif
