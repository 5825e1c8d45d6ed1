/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core: resource managers, their partitions, settings, counters and the results of health checks.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_STATE_CORE_H
#define YK_STATE_CORE_H

#include "base/clock.h"
#include "base/timer.h"
#include "events/events.h"
#include "state/partition.h"

/* ---- health checks (scheduler/health.h) ---- */

enum { YK_HEALTH_CHECKS = 11 };

/* Written by: scheduler. */
struct yk_health_check {
    const char *name, *description;
    bool succeeded;
    char *diagnosis; /* owned */
};

/* Written by: scheduler. */
struct yk_health {
    bool has_run; /* a pass over all checks has ended; false: `healthy` and `checks` are not set yet */
    bool healthy; /* all checks of the last pass succeeded */
    struct yk_health_check checks[YK_HEALTH_CHECKS];
    uint64_t failures[YK_HEALTH_CHECKS]; /* number of passes in which the check failed */
    /* Counters at the last pass. The check of a counter fails only if the counter has grown since then. */
    uint64_t errors_seen, failed_nodes_seen;
    struct yk_health_walk *walk; /* owned: the pass that is under way; NULL: none */
    struct yk_timer step;        /* for the next step of the pass */
};

/* ---- comparison of allocations with the objects of the resource managers (scheduler/cross_check.h) ---- */

enum {
    /* Maximum number of differences of one kind that a pass stores; further ones are only counted. */
    YK_CROSS_CHECK_SUSPECTS = 1024,
    /* Number looked at in one step: nodes and allocations, or slots of the table of objects that a resource
     * manager has (find_unallocated() in si.h). A step looks at all allocations of its last node, so it may
     * look at more. */
    YK_CROSS_CHECK_STEP = 512,
};
#define YK_CROSS_CHECK_GRACE_NS (30 * YK_NS_PER_S)  /* how long a difference may last before it is reported */
#define YK_CROSS_CHECK_PAUSE_NS (10 * YK_NS_PER_MS) /* between two steps */

enum yk_difference {
    YK_DIFFERENCE_NO_OBJECT,     /* an allocation whose object is not on its node */
    YK_DIFFERENCE_NO_ALLOCATION, /* an object that is on a node and has no allocation there */
    YK_DIFFERENCE_COUNT,
};

/* Written by: scheduler. */
struct yk_suspects {
    struct yk_vec items; /* struct yk_suspect, owned; sorted by text after the end of a pass */
    size_t more;         /* number of those that were not stored */
};

/* Written by: scheduler. */
struct yk_cross_check {
    struct yk_core *core;
    struct yk_timer timer;
    bool under_way;
    /* Where the next step of the pass begins: indexes, and the cursor of find_unallocated() (si.h). */
    size_t partition, node, rm;
    uint64_t cursor;
    struct yk_suspects found[YK_DIFFERENCE_COUNT]; /* found by the pass that is under way */
    struct yk_suspects known[YK_DIFFERENCE_COUNT]; /* found by the last pass that ended */
};

/* ---- numbers of applications and allocations of each minute (scheduler/history.h) ---- */

enum { YK_HISTORY_MAX = 1440 }; /* records: one a minute for a day */
#define YK_HISTORY_INTERVAL_NS (60 * YK_NS_PER_S)

/* Written by: scheduler. */
struct yk_history_record {
    int64_t wall_ns;
    uint64_t apps, allocations; /* applications in state Running; all allocations */
};

/* Written by: scheduler. */
struct yk_history {
    struct yk_core *core;
    struct yk_timer timer;
    struct yk_history_record *records; /* owned; a ring of YK_HISTORY_MAX; NULL: none yet */
    size_t first, count;               /* index of the oldest record; number of records */
};

/* ---- the core ---- */

/* Written by: scheduler, except where a field says otherwise. */
struct yk_core {
    const struct yk_clock *clock; /* borrowed, as are the other pointers up to `directory` */
    /* Measures durations and ends slices of scheduling; decisions do not depend on it. */
    const struct yk_clock *stopwatch;
    uint64_t turns, turns_max; /* turns of the cycle so far; it stops when they reach `turns_max` */
    struct yk_timers *timers;
    const struct yk_directory *directory; /* NULL: there is none */
    bool manual; /* no timer begins checks, reports or records of the history (struct yk_core_options) */
    int64_t start_wall_ns;
    struct yk_vec rms;         /* struct yk_rm, owned, in the order of registration */
    struct yk_vec partitions;  /* struct yk_partition, owned, in the order of creation */
    size_t turn;               /* index of the partition that is asked first for decisions */
    struct yk_metrics metrics; /* written by: partition, report, reservation, scheduler */
    struct yk_events events;   /* written by: events, report */
    struct yk_health health;
    struct yk_timer health_timer;
    struct yk_cross_check cross_check;
    struct yk_history history;
    /* From the start of one health check to the start of the next; 0 or less: no timer starts them. */
    int64_t health_interval_ns;
    int64_t metric_users; /* number of users, and of groups, whose usage /metrics shows; 0: none */
    bool metric_pods;     /* whether /metrics/resources shows each ask and allocation */
    /* The core preempts for a guarantee only while at least this percentage of the partition's capacity of
     * some resource type is allocated; 0: no minimum. */
    int64_t preemption_min_load;
    int64_t preemption_interval_ns; /* between two attempts of preemption for a guarantee; 0: no pause */
    /* Age from which an ask may get a reservation of the kind YK_RESERVE_WAITING, unless another ask of its
     * group hands one on to it; INT64_MAX: there are none of this kind. Asks that require a node, and
     * preemption, reserve nodes at any age. */
    int64_t reservation_delay_ns;
};

/* The wall time of the core: nanoseconds since 1970 UTC. */
static inline int64_t yk_core_now(const struct yk_core *core)
{
    return yk_clock_wall_ns(core->clock);
}

#endif
