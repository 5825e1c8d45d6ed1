/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Usage and limits of users and groups. Each user, and each group that a limit names, has a tree of entries
 * with one entry per queue.
 *
 * An application belongs to the entry of its user for its leaf and, once a group has been chosen for it, to
 * the entry of that group. An entry has pointers to its parent and its limit, so a charge or a check walks
 * one path without hashing or allocating. An entry is freed with its last application, unless the
 * configuration names its user or group in that queue: such entries are shown without usage.
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
    struct yk_usage *parent;      /* NULL at the root */
    const struct yk_limit *limit; /* of the queue's list; NULL: none */
    uint32_t running;             /* applications below that count (L10) */
    uint32_t apps;                /* applications in this branch */
    struct yk_tracker *tracker;   /* of its user or group */
    struct yk_queue *queue;
    /* Written by: pending. Entries of this branch with something in `blocked_apps` or `gated`. */
    uint32_t waiting_entries;
    _Alignas(YK_LINE_BYTES) struct yk_resvec allocated; /* placeholders included */
    struct yk_resvec nominated;                         /* of asks that wait for victims */
    /* Written by: pending. The hold of this limit (pending/limit_hold.h). */
    struct yk_limit_hold hold;
    /* Written by: pending, these four. Of an entry for a leaf: what limits of its path refused
     * (pending/limit_wait.h). */
    struct yk_tree blocked_apps; /* struct yk_limit_place, by branch: with groups that lack headroom */
    struct yk_tree gated;        /* struct yk_app, by start.in_gate: refused by a number of applications */
    struct yk_list gated_apps;   /* the same, by start.in_gated, without order */
    struct yk_list in_eased;     /* of the partition: some of these may fit now */
    /* Written by: report. Owned: rest of this limit (report/unclaimed.h); NULL: not computed. */
    struct yk_unclaimed *unclaimed;
    bool pinned;             /* the configuration names it here, so it is kept without applications */
    struct yk_list members;  /* struct yk_app, by limit.in_user or limit.in_group */
    struct yk_list children; /* struct yk_usage, by in_parent, by creation */
    struct yk_list in_parent, in_queue;
    struct yk_list in_changed; /* of the usages: its limit has changed */
};

/* Of one user or group. Written by: limits. */
struct yk_tracker {
    char *name; /* owned */
    bool is_group;
    struct yk_usage *root;
    struct yk_idmap by_queue; /* queue -> struct yk_usage */
    struct yk_list in_list;
};

/* Written by: limits. */
struct yk_usages {
    struct yk_events *events;             /* borrowed */
    const struct yk_clock *clock;         /* borrowed */
    struct yk_strmap users, groups;       /* name -> struct yk_tracker, owned */
    struct yk_list user_list, group_list; /* struct yk_tracker, by in_list, by creation */
    struct yk_list changed;               /* struct yk_usage, by in_changed */
    uint32_t pinned_levels;               /* entries that exist for the configuration alone, at most */
};

/* Makes it empty. `events` and `clock` are borrowed until yk_usages_done(). */
void yk_usages_init(struct yk_usages *usages, struct yk_events *events, const struct yk_clock *clock);
/* Frees all entries. Call it when every application has left, while the queues still exist. */
void yk_usages_done(struct yk_usages *usages);

/* ---- applications ---- */

/* Adds the application to the entries of its user for `app->leaf`, with what it has allocated. No group is
 * chosen. */
void yk_usage_join(struct yk_usages *usages, struct yk_app *app);
/* Removes the application from its entries, with what it has allocated. Its group is forgotten. An
 * application without entries is fine. */
void yk_usage_leave(struct yk_usages *usages, struct yk_app *app);
/* Keeps an entry and those above it, even without applications, until yk_usage_unhold(). NULL has no effect.
 * For a caller that wakes what waits there afterwards. */
void yk_usage_hold(struct yk_usage *usage);
/* Takes back what yk_usage_hold() did; an entry without applications is freed. */
void yk_usage_unhold(struct yk_usages *usages, struct yk_usage *usage);
/*
 * Chooses the group that the application counts for (L8), at its first attempt or its first usage, and adds
 * what it has allocated there. No effect if it was chosen before.
 */
void yk_usage_choose_group(struct yk_usages *usages, struct yk_app *app);
/* The group's entry of the application, or, before a group is chosen, the entry that is there for the group
 * that would be chosen now, in the leaf or above it; NULL: none. Changes nothing. O(depth * groups). */
const struct yk_usage *yk_usage_group_to_be(const struct yk_usages *usages, const struct yk_app *app);
/*
 * The application no longer counts for its group (L9). `forget`: another group may be chosen; else it has
 * none until its end. The application must not wait at entries of the group.
 */
void yk_usage_drop_group(struct yk_usages *usages, struct yk_app *app, bool forget);
/* The application, which has no allocations and no asks left, no longer counts as running (L10). False: it
 * did not count. */
bool yk_usage_uncount(struct yk_app *app);

/* ---- accounting: O(depth); limits are not checked ---- */

/* Adds `size`, by a decision at `wall_ns`. The application counts as running from now on. */
void yk_usage_charge(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *size,
                     int64_t wall_ns);
/* Subtracts `size`, which yk_usage_charge() added: an allocation of the application ended. */
void yk_usage_release(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *size);
/* An allocation of it changed its size by `delta`, which may be negative. */
void yk_usage_resize(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *delta);

/* Adds the size of an ask of the application, for which victims end, to the nominated amounts. Chooses the
 * group, as yk_usage_charge() does. */
void yk_usage_add_nominated(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *size);
/* Takes back what yk_usage_add_nominated() added. */
void yk_usage_sub_nominated(struct yk_app *app, const struct yk_resvec *size);

/* For a dry run: adds `sign` (1 or -1) times `size` to what the user and group of the application have,
 * without counts and events. The caller reverts it with the opposite sign. */
void yk_usage_try(struct yk_app *app, const struct yk_resvec *size, int sign);

/* ---- questions: O(depth) ---- */

/* The entry of its user or group without headroom for `size` that is nearest to the root (L12), or NULL. */
struct yk_usage *yk_usage_without_headroom(const struct yk_app *app, const struct yk_resvec *size);
/* Like yk_usage_without_headroom() after all nominated asks have started, except one of size `own` (NULL:
 * no exception): whether an ask could start after preemption for it. */
struct yk_usage *yk_usage_without_headroom_in_the_end(const struct yk_app *app, const struct yk_resvec *size,
                                                      const struct yk_resvec *own);
/* Whether the limit of this entry alone allows one more running application. */
bool yk_usage_has_own_slot(const struct yk_usage *usage);
/* An entry of its user or group that runs its maximum of applications (L13); NULL: none. */
struct yk_usage *yk_usage_without_slot(const struct yk_app *app);
/* Sets `ret_headroom` (initialised) to the headroom of the limit of this entry alone, in the types of the limit;
 * negative where it is exceeded. The entry has a limit of resources. */
void yk_usage_own_headroom(const struct yk_usage *usage, struct yk_resvec *ret_headroom);
/* Lowers `room` (initialised; empty: no limit yet) to the headroom of the user and the group of the
 * application (L11): union of types, the smaller amount where both have it (M7). False: neither is limited,
 * and `room` is unchanged. */
bool yk_usage_headroom(const struct yk_app *app, struct yk_resvec *room);

/* The tracker of the group (`group`: true) or user of that name, or NULL. Borrowed until its last entry is
 * freed. */
struct yk_tracker *yk_usages_find(const struct yk_usages *usages, bool group, struct yk_str name);
/* The tracker's entry for `queue`, or NULL. */
struct yk_usage *yk_tracker_entry(const struct yk_tracker *tracker, const struct yk_queue *queue);
/* The next entry of the tracker, depth first, parents before children; start with its root. NULL at the
 * end. */
struct yk_usage *yk_usage_next(const struct yk_usage *usage);

#endif
