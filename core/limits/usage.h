/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Usage and limits of users and groups. A user or group has a tree of entries, at most one per queue.
 *
 * An application belongs to the entry of its user for its leaf and, once a group has been chosen for it, to
 * the entry of that group. An entry without applications is freed, unless a limit names its user or group in
 * that queue or below it: up to YK_LIMITS_PINNED_MAX such entries are shown without usage.
 *
 * In this header, "its user" and "its group" of an application are these entries and those above them.
 * Without an entry, nothing is limited or counted. So before a group is chosen (yk_usage_choose_group()),
 * only limits of the user apply.
 *
 * No function here wakes groups and applications that wait for limits: the caller does
 * (pending/limit_gate.h).
 *
 * Owns:      trackers and entries of one partition. Borrows queues (an entry never outlives its queue) and
 *            the queues' limits.
 * Thread:    scheduling thread only.
 * Invariant: usage is the sum over the applications below; an entry's limit is what its queue's list says
 *            (docs/design.md, Invariants 1, 3 and 6).
 * Source:    docs/reference/queues.md, rules L6 to L17.
 */
#ifndef YK_LIMITS_USAGE_H
#define YK_LIMITS_USAGE_H

#include "base/clock.h"
#include "events/events.h"
#include "objects/app.h"

/* What one user or group uses in one queue. Written by: limits, except where a field says otherwise. */
struct yk_usage {
    /* Read by each charge and each check of the headroom. */
    struct yk_usage *parent; /* NULL at the root */
    const struct yk_limit
        *limit;                 /* of the queue for this user or group, borrowed from its list; NULL: none */
    uint32_t running;           /* applications of this branch that count as running (L10) */
    uint32_t apps;              /* applications of this branch, plus calls of yk_usage_hold() for it */
    struct yk_tracker *tracker; /* the user or group */
    struct yk_queue *queue;
    /* Written by: pending. Number of entries of this branch that have items in `blocked_apps` or `gated`. */
    uint32_t waiting_entries;
    _Alignas(YK_LINE_BYTES) struct yk_resvec allocated; /* in this branch, with placeholders */
    struct yk_resvec nominated;                         /* sizes of asks that wait for their victims to end */
    /* Written by: pending. The hold of this limit (pending/limit_hold.h). */
    struct yk_limit_hold hold;
    /* Written by: pending, the next four fields. The first three are only used in an entry for a leaf: what a
     * limit of the entry or of one above it refused (pending/limit_wait.h). */
    struct yk_tree
        blocked_apps;     /* struct yk_limit_place, by branch: applications with groups without headroom */
    struct yk_tree gated; /* struct yk_app, by start.in_gate: refused by a maximum number of applications */
    struct yk_list gated_apps; /* the same applications, by start.in_gated, without order */
    struct yk_list in_eased;   /* in pending.eased_usages of the partition: something may start now */
    /* Written by: report. Owned: what is left of this limit (report/unclaimed.h); NULL: not computed. */
    struct yk_unclaimed *unclaimed;
    bool pinned; /* stays also without applications: a limit of the queue names the user or group */
    struct yk_list members;             /* struct yk_app, by limit.in_user or limit.in_group */
    struct yk_list children;            /* struct yk_usage, by in_parent, by creation */
    struct yk_list in_parent, in_queue; /* in parent->children; in queue->usages */
    struct yk_list in_changed;          /* in `changed` of the usages: the limit has changed */
};

/* One user or group. Written by: limits. */
struct yk_tracker {
    char *name; /* owned */
    bool is_group;
    struct yk_usage *root;    /* the entry for the root queue */
    struct yk_idmap by_queue; /* address of the queue -> struct yk_usage */
    struct yk_list in_list;   /* in user_list or group_list of the usages */
};

/* Written by: limits. */
struct yk_usages {
    struct yk_events *events;             /* borrowed */
    const struct yk_clock *clock;         /* borrowed */
    struct yk_strmap users, groups;       /* name -> struct yk_tracker, owned */
    struct yk_list user_list, group_list; /* struct yk_tracker, by in_list, by creation */
    struct yk_list changed;               /* struct yk_usage, by in_changed */
    /* Sum of depth + 1 over the pinned entries: at most this number of entries exists because of them. */
    uint32_t pinned_levels;
};

/* Makes usages without entries. `events` and `clock` are borrowed until yk_usages_done(). */
void yk_usages_init(struct yk_usages *usages, struct yk_events *events, const struct yk_clock *clock);
/* Frees all entries. Call it when every application has left, while the queues still exist. */
void yk_usages_done(struct yk_usages *usages);

/* ---- applications ---- */

/* Adds the application to the entry of its user for `app->leaf` and to those above it, with what it has
 * allocated (`app->allocated` and `app->allocated_placeholder`). Before the call, the application has no
 * entries, and `app->leaf` is set. Records an event if it has something allocated. No group is chosen.
 * `app->limit.counted` stays: if set, the entries count the application as running. */
void yk_usage_join(struct yk_usages *usages, struct yk_app *app);
/* Removes the application from the entries of its user and its group, with what it has allocated. Frees
 * entries that are no longer needed. Records events. Another group may be chosen when the application joins
 * again. No effect if it has no entries. The application must not wait at these entries
 * (pending/limit_wait.h), its groups of asks must hold no limit there (yk_limit_hold_end_app()), and it must
 * have no nominated amounts there (yk_usage_sub_nominated()). Unless it joins again at once, the caller calls
 * yk_limit_gate_uncount() before, because this function wakes nothing. */
void yk_usage_leave(struct yk_usages *usages, struct yk_app *app);
/* Keeps the entry and those above it, even without applications, until yk_usage_unhold(). For a caller that
 * wakes, after the application has left, the groups and applications that wait there. `usage` may be NULL: no
 * effect. */
void yk_usage_hold(struct yk_usage *usage);
/* Takes back one call of yk_usage_hold() for `usage`, and frees entries that are no longer needed. NULL: no
 * effect. */
void yk_usage_unhold(struct yk_usages *usages, struct yk_usage *usage);
/*
 * Chooses the group that the application, which has joined, counts for (L8), and adds what it has allocated
 * to the entries of the group. The choice may be that the application counts for no group. Records events if
 * there is a group. Call it before the first attempt to start the application, and before limits of its group
 * are checked. yk_usage_charge() and yk_usage_add_nominated() call it themselves. No effect if the choice was
 * made before.
 */
void yk_usage_choose_group(struct yk_usages *usages, struct yk_app *app);
/* The entry of the group that the application counts for. Before a group is chosen: of the entries of the
 * group that would be chosen now, the one nearest to the leaf. NULL: there is none. O(depth * groups). */
const struct yk_usage *yk_usage_group_to_be(const struct yk_usages *usages, const struct yk_app *app);
/*
 * Call it when the application no longer counts for its group (L9): removes it from the entries of the group,
 * if it has any, with what it has allocated. Records events. `forget`: yk_usage_choose_group() may choose
 * another group; else the application has no group until it leaves. The application must not wait at entries
 * of the group (pending/limit_wait.h; yk_unpark_from_quota() ends that), its groups of asks must hold no
 * limit there (pending/limit_hold.h), and it must have no nominated amounts there: the caller calls
 * yk_usage_sub_nominated() before, and yk_usage_add_nominated() after the next choice.
 */
void yk_usage_drop_group(struct yk_usages *usages, struct yk_app *app, bool forget);
/* A step of yk_limit_gate_uncount(), which other modules call: the application no longer counts as running
 * (L10). False: it did not count before. True: other applications may start now; the caller wakes them
 * (yk_limit_wait_eased()), for the user and the group. */
bool yk_usage_uncount(struct yk_app *app);

/* ---- accounting for an application that has joined: O(depth); limits are not checked ---- */

/* A step of yk_accounting_add_allocation(): adds `size`, the size of a new allocation, to the user and the
 * group, which is chosen first (yk_usage_choose_group()). Call it before `size` is added to the allocated
 * amounts of the application: otherwise a group that is chosen here counts `size` twice. The application
 * counts as running from now on. Records events with the time `wall_ns`, that of the decision. */
void yk_usage_charge(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *size,
                     int64_t wall_ns);
/* A step of yk_accounting_sub_allocation(), for an allocation of `size`: subtracts what yk_usage_charge()
 * added. The application still counts as running (yk_usage_uncount()). Records events. The caller calls
 * yk_limit_gate_freed(), which wakes the groups and applications that may start now. */
void yk_usage_release(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *size);
/* Call it when an allocation of the application has changed its size by `delta`, whose amounts may be
 * negative. Records events. The caller calls yk_limit_gate_freed() if amounts became less. */
void yk_usage_resize(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *delta);

/* Adds `size`, the size of an ask for which victims are being ended, to `nominated` of the user and the
 * group, which is chosen first (yk_usage_choose_group()). Only yk_usage_without_headroom_in_the_end() counts
 * these amounts as used. The caller does the same for the queues (yk_queue_add_nominated()). */
void yk_usage_add_nominated(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *size);
/* Subtracts `size`, which yk_usage_add_nominated() added. Nothing has to be woken for the user and the
 * group. */
void yk_usage_sub_nominated(struct yk_app *app, const struct yk_resvec *size);

/* For a dry run: adds `size` to `allocated` of the user and the group if `sign` is 1, or subtracts it if
 * `sign` is -1. The application does not count as running because of that, and no events are recorded.
 * Chooses no group: the caller has chosen it before the dry run, and the choice stays until its end. The
 * caller calls it again with the opposite sign to undo the step. Only other steps of the same dry run may
 * come in between. */
void yk_usage_try(struct yk_app *app, const struct yk_resvec *size, int sign);

/* ---- questions about an application that has joined: O(depth). They change nothing. A limit of the group of
 * users counts only after yk_usage_choose_group() ---- */

/* The entry of its user, or else of its group, whose limit of resources does not allow `size` more; the
 * one nearest to the root if there are several (L12). Only types of which `size` has more than 0 count, and
 * nominated amounts do not. NULL: all limits allow it, but what is free may be held for earlier groups of
 * asks (yk_limit_held_usage()). Borrowed until the application leaves or its group changes. */
struct yk_usage *yk_usage_without_headroom(const struct yk_app *app, const struct yk_resvec *size);
/* The entry from `usage` (NULL: none) up to the root whose limit of resources is smaller than `size`, whatever
 * is in use; the one nearest to the root if there are several. NULL: there is none. Borrowed like `usage`. */
const struct yk_usage *yk_usage_exceeded(const struct yk_usage *usage, const struct yk_resvec *size);
/* Like yk_usage_without_headroom(), as if all nominated asks had started except one of the size `own` (`own`
 * NULL: no exception). If the result is NULL, these limits allow an ask to start after preemption for it,
 * whichever allocations end. */
struct yk_usage *yk_usage_without_headroom_in_the_end(const struct yk_app *app, const struct yk_resvec *size,
                                                      const struct yk_resvec *own);
/* Whether the limit of this entry alone allows one more running application. */
bool yk_usage_has_own_slot(const struct yk_usage *usage);
/* The entry of its user, or else of its group, that runs its maximum of applications; the one nearest to
 * the leaf if there are several (L13). NULL: there is none, or the application counts as running already. Ask
 * for Accepted applications only: those in other states are not stopped. */
struct yk_usage *yk_usage_without_slot(const struct yk_app *app);
/* Sets `ret_headroom` (initialised) to what the limit of this entry alone still allows, in the types of
 * the limit; negative where the limit is exceeded. usage->limit is not NULL, and limits resources
 * (`has_resources`). */
void yk_usage_own_headroom(const struct yk_usage *usage, struct yk_resvec *ret_headroom);
/* Lowers `room` (initialised; an absent type is unlimited) to what all limits of the user and the group
 * of the application still allow (L11): types of both, with the smaller amount where both have it (M7).
 * False: there is no limit of resources, and `room` is unchanged. */
bool yk_usage_headroom(const struct yk_app *app, struct yk_resvec *room);

/* The tracker of the group (`group`: true; "*" is the name of a group, too) or user of that name, borrowed
 * until its last entry is freed; NULL: it has no entries. */
struct yk_tracker *yk_usages_find(const struct yk_usages *usages, bool group, struct yk_str name);
/* The entry of the tracker for `queue`, borrowed until it is freed; NULL: there is none. O(1). */
struct yk_usage *yk_tracker_entry(const struct yk_tracker *tracker, const struct yk_queue *queue);
/* For a walk over the entries of a tracker, depth first, parents before children: the entry after `usage`;
 * NULL: `usage` is the last. Begin with the root of the tracker. */
struct yk_usage *yk_usage_next(const struct yk_usage *usage);

#endif
