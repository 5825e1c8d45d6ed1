/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core: resource managers, their partitions, the active configuration. Implements si.h and is read by
 * web/. Thread: scheduling thread only.
 */
#ifndef YK_SCHEDULER_CORE_H
#define YK_SCHEDULER_CORE_H

#include "base/clock.h"
#include "base/timer.h"
#include "events/events.h"
#include "scheduler/config_change.h"
#include "scheduler/cross_check.h"
#include "scheduler/health.h"
#include "scheduler/partition.h"

struct yk_core {
    const struct yk_clock *clock;
    struct yk_timers *timers;
    const struct yk_directory *directory; /* borrowed; NULL: none */
    bool manual;
    int64_t start_wall_ns;
    struct yk_vec rms;        /* struct yk_rm, owned, in order of their registration */
    struct yk_vec partitions; /* struct yk_partition, owned, in order of their making */
    size_t turn;              /* of the partition that is asked first for decisions */
    struct yk_metrics metrics;
    struct yk_events events;
    struct yk_health health;
    struct yk_timer health_timer;
    struct yk_cross_check cross_check;
    int64_t health_interval_ns;
    int64_t preemption_min_load;    /* per cent of the dominant share in use; 0: none */
    int64_t preemption_interval_ns; /* between two attempts; 0: no pause */
    int64_t reservation_delay_ns;   /* INT64_MAX: nothing is reserved for waiting alone */
};

static inline int64_t yk_core_now(const struct yk_core *core)
{
    return yk_clock_wall_ns(core->clock);
}
/* By full name ("[rm]default"), or by bare name ("default"): then the one of the resource manager that
 * registered first. Or NULL. */
struct yk_partition *yk_core_find_partition(const struct yk_core *core, struct yk_str name);
struct yk_rm *yk_core_find_rm(const struct yk_core *core, const char *rm_id);
/* The one that registered first: its settings are those of the process. NULL: none has. */
struct yk_rm *yk_core_first_rm(const struct yk_core *core);

#endif
