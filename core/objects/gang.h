/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs: applications that hold capacity with placeholders before their real asks come. A task group is one
 * kind of ask of a gang. A real ask of a task group replaces one of its placeholders.
 *
 * A task group is made when the first ask names it. A task group that had placeholders is kept, for REST,
 * when its asks are gone. A gang belongs to its application and ends with it.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.1.
 */
#ifndef YK_OBJECTS_GANG_H
#define YK_OBJECTS_GANG_H

#include "base/owner.h"
#include "base/timer.h"
#include "config/config.h"
#include "objects/ask.h"

struct yk_queue;

struct yk_task_group {
    YK_OWNED_BY(objects) struct {
        char *name; /* owned */
        struct yk_gang *gang;
        struct yk_tree
            placeholders; /* struct yk_ask_place: allocated and free to be replaced, oldest first */
        uint32_t users;   /* number of struct yk_group that refer to it */
        struct yk_list in_gang;
    };
    YK_OWNED_BY(partition) struct {          /* partition/gang.c */
        uint64_t count, replaced, timed_out; /* placeholders: all so far, and those that ended so */
        struct yk_resvec placeholder_size;   /* of the first placeholder */
        uint32_t waiting;                    /* pending asks that are no placeholders */
    };
};

struct yk_gang {
    YK_OWNED_BY(objects) struct {
        struct yk_app *app;       /* owns it */
        struct yk_strmap by_name; /* -> struct yk_task_group, owned */
        struct yk_list groups;    /* struct yk_task_group, by in_gang: in the order they came */
        uint32_t replacing;       /* asks that are linked to a placeholder, or that a handover has */
    };
    YK_OWNED_BY(partition) struct {  /* partition/gang.c */
        struct yk_resvec total;      /* size of all its placeholders together; empty: unknown */
        enum yk_si_gang_style style; /* what the application does after the timeout */
        int64_t timeout_ns;          /* <= 0: the default */
        struct yk_timer timer;       /* armed: from the first placeholder on, until the gang has started */
        bool real_came;              /* an ask of a task group has come that is no placeholder */
        bool is_blocked;             /* when a node has capacity: linked in replace_waits */
        bool only_nodes; /* woken for a node with capacity; the nodes of its placeholders were tried before */
        struct yk_list
            in_replaceable; /* of the partition: its asks may replace a placeholder, now or when a node
                                          has capacity */
    };
    /* While it is incomplete (gangs/gang_wait.h). */
    YK_OWNED_BY(gangs) struct {
        struct yk_list in_waiting; /* of the partition: some placeholders have no node, or none exists yet */
        struct yk_tree_link in_order; /* of the look that is under way */
        bool is_candidate;            /* while linked: it may start whole */
        struct yk_handover
            *handover;      /* gives nodes to its missing placeholders when others have ended; or NULL */
        int32_t priority;   /* of the placeholder that came last */
        bool is_held;       /* its placeholders wait until all of them fit (YK_WAIT_GANG) */
        bool never_fits;    /* not even on an empty cluster, in an empty queue */
        bool exceeds_limit; /* while it never fits: because of a limit, so more nodes would not help */
        const char *never_fits_why; /* a static sentence without a subject, while it never fits */
        bool was_overtaken;         /* gave way to a gang that is after it in the order */
        bool gave_way;              /* at least once */
        uint64_t fits_epoch; /* epoch of the partition's capacity when `never_fits` was computed; 0: never */
        int64_t held_until_mono_ns; /* gave way before: held until then */
        int64_t retry_mono_ns;      /* a dry run failed: the next one not before, unless ... */
        uint64_t retry_epoch;       /* ... the partition's capacity is not of this epoch */
        uint64_t last_dry_run;      /* number of the look that made its last dry run; 0: none */
    };
};

/* Makes an empty gang for `app`, which has none yet. The caller stores it in `app->gang`, which owns it. */
struct yk_gang *yk_gang_new(struct yk_app *app);
/* Frees the gang with its task groups. The timer is not armed, and the gang is in no list of the partition.
 * NULL is fine. */
void yk_gang_free(struct yk_gang *gang);
/* The task group of that name, made if new; the gang owns it. `name` is copied. No reference is added. */
struct yk_task_group *yk_gang_group(struct yk_gang *gang, const char *name);
/* Drops one reference (yk_task_group.users). The last one frees the task group, unless it had placeholders,
 * which REST shows. */
void yk_gang_group_put(struct yk_task_group *group);
/* Counts `by` (1 or -1) asks of the gang more that are linked to a placeholder or in a handover. */
void yk_gang_count_replacing(struct yk_gang *gang, int by);
/* Lets the timeout of the gang begin again, with `timers` of the core; no effect if it is not running. */
void yk_gang_restart_timeout(struct yk_gang *gang, struct yk_timers *timers);
/* Appends to `text` the sentence why the gang, for which `never_fits` is set, cannot start. */
void yk_gang_explain_never_fits(const struct yk_gang *gang, struct yk_buf *text);
/* The setting gang.placement of `leaf`. */
enum yk_gang_placement yk_gang_placement_in(const struct yk_queue *leaf);
/* Whether not all placeholders of the gang have nodes, no real ask of it has come, and its queue makes such
 * gangs give way. */
bool yk_gang_is_incomplete(const struct yk_gang *gang);
/* Whether the gang of the group preempts as a whole, so that no ask of it preempts alone
 * (docs/reference/scheduling.md 5.9). */
bool yk_gang_preempts_whole(const struct yk_group *group);
/* The longest time until all placeholders of the gang have nodes; 15 minutes by default. */
static inline int64_t yk_gang_timeout_ns(const struct yk_gang *gang)
{
    return gang->timeout_ns > 0 ? gang->timeout_ns : 15 * 60 * YK_NS_PER_S;
}
/* Number of placeholders that have not ended; real asks wait for them. */
static inline uint64_t yk_task_group_open(const struct yk_task_group *group)
{
    return group->count - group->replaced - group->timed_out;
}

#endif
