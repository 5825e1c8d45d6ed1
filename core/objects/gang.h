/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs: applications that hold capacity with placeholders before their real asks come. A task group is one
 * kind of ask of a gang. A real ask of a task group replaces one of its placeholders, if there are any.
 *
 * A task group is made when the first ask names it, and freed when no group of asks refers to it any longer.
 * A task group that has had placeholders stays, because REST shows it.
 *
 * Owns:   a gang owns its task groups. The application owns its gang, which ends with it.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, section 5.
 */
#ifndef YK_OBJECTS_GANG_H
#define YK_OBJECTS_GANG_H

#include "base/owner.h"
#include "base/timer.h"
#include "config/config.h"
#include "objects/ask.h"

struct yk_queue;

/* One kind of ask of a gang. */
struct yk_task_group {
    YK_OWNED_BY(objects) struct {
        char *name; /* owned */
        struct yk_gang *gang;
        /* struct yk_ask_place, by in_task_group: allocated placeholders that may be replaced, oldest
         * first. */
        struct yk_tree placeholders;
        uint32_t users;         /* number of struct yk_group that refer to it */
        struct yk_list in_gang; /* in gang->groups */
    };
    YK_OWNED_BY(partition) struct { /* partition/gang.c */
        /* Numbers of placeholders: all so far; those that were replaced; those that ended otherwise. */
        uint64_t count, replaced, timed_out;
        struct yk_resvec placeholder_size; /* size of its first placeholder, in base units */
        uint32_t waiting;                  /* number of its pending asks that are no placeholders */
    };
};

/* The gang of one application. */
struct yk_gang {
    YK_OWNED_BY(objects) struct {
        struct yk_app *app;       /* owns the gang */
        struct yk_strmap by_name; /* name -> struct yk_task_group, owned */
        struct yk_list groups;    /* struct yk_task_group, by in_gang: in the order in which they came */
        uint32_t replacing;       /* number of its asks that have a placeholder to replace, or a handover */
    };
    YK_OWNED_BY(partition) struct { /* partition/gang.c */
        /* Size of all its placeholders together, in base units; empty: unknown. */
        struct yk_resvec total;
        enum yk_si_gang_style style; /* what the application does after the timeout */
        int64_t timeout_ns;          /* <= 0: the default, see yk_gang_timeout_ns() */
        /* Armed when a placeholder gets a node, until the timer fires, no placeholder has a node any longer,
         * or the application ends. */
        struct yk_timer timer;
        bool real_came;  /* an ask of a task group that is no placeholder has come */
        bool is_blocked; /* its asks wait for a node with capacity: it is in replace_waits */
        bool only_nodes; /* woken for a node with capacity; the nodes of its placeholders were tried before */
        /* In the partition's `replaceable`: its asks may replace placeholders; or, while `is_blocked`, in
         * `replace_waits`. */
        struct yk_list in_replaceable;
    };
    /* Used while it is incomplete (gangs/gang_wait.h). */
    YK_OWNED_BY(gangs) struct {
        /* In the partition's gang_waits.gangs: some placeholders have no node, or have not come yet. */
        struct yk_list in_waiting;
        struct yk_tree_link in_order; /* in gang_waits.look.order of the partition */
        /* While `in_order` is linked: it may start whole, and this look has made no dry run for it. */
        bool is_candidate;
        /* Gives nodes to its missing placeholders when other allocations have ended; NULL: none. */
        struct yk_handover *handover;
        int32_t priority;   /* priority of the placeholder that came last */
        bool is_held;       /* its placeholders wait until all of them fit (YK_WAIT_GANG) */
        bool never_fits;    /* it does not fit even on an empty cluster in an empty queue */
        bool exceeds_limit; /* while `never_fits`: a limit is the reason, so more nodes would not help */
        /* While `never_fits`: a static text that continues the sentence "the gang can never start: it
         * ...". */
        const char *never_fits_why;
        bool was_overtaken;  /* it gave way to a gang that comes after it in the order */
        bool gave_way;       /* it gave way at least once */
        uint64_t fits_epoch; /* capacity_epoch when `never_fits` was computed; 0: it has to be computed */
        int64_t held_until_mono_ns; /* end of the time for which it is held because it gave way */
        int64_t retry_mono_ns;      /* end of the pause after a failed dry run */
        uint64_t retry_epoch;       /* the pause also ends when capacity_epoch is no longer this number */
        uint64_t last_dry_run;      /* number of the look that made its last dry run; 0: none */
    };
};

/* Makes an empty gang for `app`, which has none yet. The caller stores it in `app->gang`, which owns it, and
 * sets `total`, `style` and `timeout_ns` if the application has announced them. */
struct yk_gang *yk_gang_new(struct yk_app *app);
/* Frees the gang with its task groups, which have no placeholders and no waiting asks. The timer is not
 * armed, the gang is in no list of the partition and not in its gang_waits.look.order, and it has no
 * handover. NULL is fine. */
void yk_gang_free(struct yk_gang *gang);
/* A step of yk_app_task_group(), which other modules call: finds or makes the task group of that name; the
 * gang owns it. `name` is copied. No reference is added. */
struct yk_task_group *yk_gang_group(struct yk_gang *gang, const char *name);
/* A step of yk_group_put(), which other modules call: drops one reference (yk_task_group.users). The last one
 * removes the task group from its gang and frees it, unless it has had placeholders: REST shows such a task
 * group. */
void yk_gang_group_put(struct yk_task_group *group);
/* Adds `by` (1 or -1) to gang->replacing. Call it when an ask of the application got a placeholder to replace
 * or a handover (1), or lost it (-1): that is, with each change of YK_ASK_REPLACING except those of a dry
 * run. */
void yk_gang_count_replacing(struct yk_gang *gang, int by);
/* Restarts the timer of the gang for the whole timeout; no effect if it is not armed. `timers`: those of the
 * core. */
void yk_gang_restart_timeout(struct yk_gang *gang, struct yk_timers *timers);
/* Whether the timeout of the gang is running, and asks that still wait for the gang then are scheduled
 * without it. */
bool yk_gang_ends_by_timeout(const struct yk_gang *gang);
/* Whether the timeout of the gang is running, and the application still waits for the gang: if it is not
 * complete at the end of the timeout, the application fails (YK_SI_GANG_HARD), or its asks are scheduled without
 * the gang. */
bool yk_gang_may_time_out(const struct yk_gang *gang);
/* The value of gang.placement for `leaf`. A dynamic queue with the default, "gradual", uses the value of the
 * queue above it. */
enum yk_gang_placement yk_gang_placement_in(const struct yk_queue *leaf);
/* Whether the gang still waits for nodes for its placeholders, so that it may have to give way. This is so if
 * its application is New or Accepted and in a leaf, it has announced its total, none of its real asks has
 * come, its application has no real allocation, and gang.placement of the leaf is not YK_GANG_KEEP. A caller
 * that does not walk the list gang_waits.gangs of the partition also checks that the gang is in it
 * (`in_waiting`). */
bool yk_gang_is_incomplete(const struct yk_gang *gang);
/* Whether the group has placeholders of an incomplete gang. Such a gang preempts as a whole, so no ask of it
 * may preempt alone (docs/reference/scheduling.md 5.9). */
bool yk_gang_preempts_whole(const struct yk_group *group);
/* How long the gang waits for nodes for all its placeholders, in nanoseconds; 15 minutes by default. */
static inline int64_t yk_gang_timeout_ns(const struct yk_gang *gang)
{
    return gang->timeout_ns > 0 ? gang->timeout_ns : 15 * 60 * YK_NS_PER_S;
}
/* Number of placeholders of the task group that have not ended. While it is above 0, real asks wait for
 * them. */
static inline uint64_t yk_task_group_open(const struct yk_task_group *group)
{
    return group->count - group->replaced - group->timed_out;
}

#endif
