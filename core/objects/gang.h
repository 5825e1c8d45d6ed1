/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs: applications that hold room with placeholders before their pods come, one task group each kind of
 * pod. A real pod of a task group takes the place of one of its placeholders.
 *
 * A group exists as soon as a pod names it; only placeholders make it one that has to be waited for, and that
 * stays when its pods are gone. A gang belongs to its application and ends with it.
 *
 * Thread: scheduling thread only. Source: docs/reference/scheduling.md 5.1.
 */
#ifndef YK_OBJECTS_GANG_H
#define YK_OBJECTS_GANG_H

#include "base/timer.h"
#include "config/config.h"
#include "objects/ask.h"

struct yk_queue;

struct yk_task_group {
    char *name; /* owned */
    struct yk_gang *gang;
    uint64_t count, replaced, timed_out; /* placeholders: all that ever came, and how many ended how */
    struct yk_resvec placeholder_size;   /* of the first one */
    struct yk_tree placeholders; /* struct yk_ask_place: allocated and free to be replaced, oldest first */
    uint32_t waiting;            /* pending asks of real pods */
    uint32_t users;              /* struct yk_group of it */
    struct yk_list in_gang;
};

struct yk_gang {
    struct yk_app *app;            /* owns it */
    struct yk_resvec total;        /* of all placeholders to come; empty: not said */
    enum yk_si_gang_style style;   /* what happens when time is up */
    int64_t timeout_ns;            /* <= 0: the default */
    struct yk_timer timer;         /* armed: from the first placeholder on, until the gang has started */
    struct yk_strmap by_name;      /* -> struct yk_task_group, owned */
    bool real_came;                /* a real ask of a task group, at any time */
    uint32_t replacing;            /* real asks that are linked to a placeholder */
    struct yk_list groups;         /* struct yk_task_group, by in_gang: in the order they came */
    struct yk_list in_replaceable; /* of the partition: asks of it may replace a placeholder, or might once a
                                      node has room */
    bool is_blocked;               /* the latter: in replace_waits */
    bool only_nodes; /* woken because a node has capacity: its placeholders' nodes do not suit */
    /* While it is incomplete (gangs/gang_wait.h). */
    struct yk_list in_waiting;    /* of the partition: some placeholders have no node, or none exists yet */
    struct yk_tree_link in_order; /* of the look that is under way (gangs/gang_wait.h) */
    bool is_candidate;            /* while linked: it may start whole */
    struct yk_handover
        *handover;              /* its missing placeholders have their nodes once others ended; NULL: none */
    int32_t priority;           /* of the placeholder that came last */
    bool is_held;               /* its placeholders wait until all of them fit (YK_WAIT_GANG) */
    bool never_fits;            /* not even on an empty cluster, in an empty queue */
    bool exceeds_limit;         /* while it never fits: a limit, which more nodes would not help */
    const char *never_fits_why; /* a static sentence without a subject, while it never fits */
    bool was_overtaken;         /* gave way to a gang that is after it in the order */
    bool gave_way;              /* at least once */
    uint64_t fits_epoch;        /* of the partition's capacity when `never_fits` was found out; 0: not yet */
    int64_t held_until_mono_ns; /* gave way before: held until then */
    int64_t retry_mono_ns;      /* a dry run failed: the next one not before, unless ... */
    uint64_t retry_epoch;       /* ... the partition's capacity is not of this epoch */
    uint64_t last_dry_run;      /* number of the look that made its last dry run; 0: none */
};

/* The application owns it, and has none yet. */
struct yk_gang *yk_gang_new(struct yk_app *app);
/* The timer is not armed, the partition's lists do not have it. NULL is fine. */
void yk_gang_free(struct yk_gang *gang);
/* The group of that name, made if new. */
struct yk_task_group *yk_gang_group(struct yk_gang *gang, const char *name);
/* Ends one use. After the last use the group is freed, unless it had placeholders: REST shows those. */
void yk_gang_group_put(struct yk_task_group *group);
/* Appends why a gang that never fits cannot start. */
void yk_gang_explain_never_fits(const struct yk_gang *gang, struct yk_buf *text);
/* How `leaf` places gangs. */
enum yk_gang_placement yk_gang_placement_in(const struct yk_queue *leaf);
/* Whether the application is a gang that has not got all its placeholders, of which no real pod ever came, in
 * a queue where such a gang gives way. */
bool yk_gang_is_incomplete(const struct yk_gang *gang);
/* Whether preemption for a single ask of the group is out of place: its gang preempts as a whole
 * (docs/reference/scheduling.md 5.9). */
bool yk_gang_preempts_whole(const struct yk_group *group);
/* How long the gang may take to get all its placeholders: what was said, or 15 minutes. */
static inline int64_t yk_gang_timeout_ns(const struct yk_gang *gang)
{
    return gang->timeout_ns > 0 ? gang->timeout_ns : 15 * 60 * YK_NS_PER_S;
}
/* Placeholders that have not ended: real pods wait for them. */
static inline uint64_t yk_task_group_open(const struct yk_task_group *group)
{
    return group->count - group->replaced - group->timed_out;
}

#endif
