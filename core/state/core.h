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
    bool has_run;
    bool healthy;
    struct yk_health_check checks[YK_HEALTH_CHECKS];
    uint64_t failures[YK_HEALTH_CHECKS];     /* passes in which the check failed */
    uint64_t errors_seen, failed_nodes_seen; /* counters at the previous run: only new ones are unhealthy */
    struct yk_health_walk *walk;             /* owned: of the pass that is under way; NULL: none */
    struct yk_timer step;                    /* its next step */
};

/* ---- allocations against the objects of the resource managers (scheduler/cross_check.h) ---- */

enum {
    YK_CROSS_CHECK_SUSPECTS = 1024, /* differences of one kind that are kept; others are counted */
    YK_CROSS_CHECK_STEP = 512,      /* objects or allocations per step, and the rest of a node's */
};
#define YK_CROSS_CHECK_GRACE_NS (30 * YK_NS_PER_S)
#define YK_CROSS_CHECK_PAUSE_NS (10 * YK_NS_PER_MS)

enum yk_difference {
    YK_DIFFERENCE_NO_OBJECT,     /* an allocation whose object is not on its node */
    YK_DIFFERENCE_NO_ALLOCATION, /* an object on a node without an allocation there */
    YK_DIFFERENCE_COUNT,
};

/* Written by: scheduler. */
struct yk_suspects {
    struct yk_vec items; /* struct yk_suspect, owned; by text after the end of a pass */
    size_t more;         /* that had no place */
};

/* Written by: scheduler. */
struct yk_cross_check {
    struct yk_core *core;
    struct yk_timer timer;
    bool under_way;
    /* How far the pass is. */
    size_t partition, node, rm;
    uint64_t cursor;
    struct yk_suspects found[YK_DIFFERENCE_COUNT]; /* by the pass that is under way */
    struct yk_suspects known[YK_DIFFERENCE_COUNT]; /* by the last one that ended */
};

/* ---- what ran, minute by minute (scheduler/history.h) ---- */

enum { YK_HISTORY_MAX = 1440 }; /* records; one a minute: a day */
#define YK_HISTORY_INTERVAL_NS (60 * YK_NS_PER_S)

/* Written by: scheduler. */
struct yk_history_record {
    int64_t wall_ns;
    uint64_t apps, allocations; /* Running ones; all */
};

/* Written by: scheduler. */
struct yk_history {
    struct yk_core *core;
    struct yk_timer timer;
    struct yk_history_record *records; /* owned; a ring of YK_HISTORY_MAX; NULL: none yet */
    size_t first, count;
};

/* ---- the core ---- */

/* Written by: scheduler, except where a field says otherwise. */
struct yk_core {
    const struct yk_clock *clock;
    const struct yk_clock *stopwatch; /* of slices and durations */
    uint64_t turns, turns_max;        /* looks for a decision so far; no more than these */
    struct yk_timers *timers;
    const struct yk_directory *directory; /* borrowed; NULL: none */
    bool manual;
    int64_t start_wall_ns;
    struct yk_vec rms;         /* struct yk_rm, owned, in order of their registration */
    struct yk_vec partitions;  /* struct yk_partition, owned, in order of their making */
    size_t turn;               /* of the partition that is asked first for decisions */
    struct yk_metrics metrics; /* written by: partition, report, reservation, scheduler */
    struct yk_events events;   /* written by: events, report */
    struct yk_health health;
    struct yk_timer health_timer;
    struct yk_cross_check cross_check;
    struct yk_history history;
    int64_t health_interval_ns;
    int64_t metric_users;           /* users, and groups, of which /metrics shows what they use; 0: of none */
    bool metric_pods;               /* whether /metrics/resources shows each ask and allocation */
    int64_t preemption_min_load;    /* per cent of the dominant share in use; 0: none */
    int64_t preemption_interval_ns; /* between two attempts; 0: no pause */
    int64_t reservation_delay_ns;   /* INT64_MAX: nothing is reserved for waiting alone */
};

/* Wall time in nanoseconds. */
static inline int64_t yk_core_now(const struct yk_core *core)
{
    return yk_clock_wall_ns(core->clock);
}

#endif
