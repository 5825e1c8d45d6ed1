/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a simulated scheduler is fair over time: the figures of docs/reference/simulate.md, "Goals".
 *
 * The measurement observes the pods of the simulated cluster, and has its own counts of what waits and what
 * runs. From the core it reads only the settings of the queues and the free amounts on reserved nodes, but no
 * decisions. It does not count pods whose queue a placement rule chooses. The count of an application begins
 * with its first pod that names a queue, and all its later pods are counted in that queue.
 *
 * Owns:    its counts. Borrows clock and scenario for life, cluster and core until yk_steady_finish().
 * Thread:  scheduling thread only.
 * Units:   times in ns since the start of the simulation, amounts in base units.
 */
#ifndef YK_CMD_STEADY_H
#define YK_CMD_STEADY_H

#include "cmd/core_view.h"
#include "simulate/scenario.h"

struct yk_core;
struct yk_steady;

/* The smallest Jain's index that a sample may have: a goal, and part of the bound of use. */
#define YK_STEADY_JAIN_MIN 0.90

struct yk_steady_figures {
    /* Samples in which demand exceeded supply, and entitlements had been stable for long enough. */
    uint64_t samples;
    /* Jain's index, 0 to 1, of use divided by what the queue is owed. Use is first moved towards what is
     * owed, by up to half of the queue's largest pod. */
    double jain_mean, jain_min;
    double jain_raw_mean, jain_raw_min; /* Jain's index of use divided by the present entitlement */
    double used;                        /* mean of use divided by its bound */
    double reserved;                    /* mean of idle amounts on reserved nodes, divided by the capacity */
    /* Set by the scenario; otherwise the longest run time of its submit steps; otherwise 60 s. */
    int64_t longest_run_ns;
    /* Pods that were first in the order of their leaf when some pod was bound. */
    uint64_t heads;
    int64_t overtaken_worst_ns; /* longest time that one of these pods was overtaken */
    int64_t overtaken_p99_ns;   /* 99th percentile of these times */
    /* Key of the pod that was overtaken longest (a long key is cut); "": no pod was overtaken. */
    char worst[200];
    double largest_share; /* the largest size of a pod divided by the capacity when it was created */
    uint64_t killed;      /* pods that the scheduler ended, without placeholders */
    /* Amount of the killed pods divided by the deficit; 0: no pod was killed; HUGE_VAL: pods were killed
     * without a deficit. */
    double kills_ratio;
};

/* Counts of pods, without placeholders. */
struct yk_steady_application {
    uint64_t pods, bound, ended, killed; /* `ended`: by themselves; `killed`: by the scheduler */
    int64_t wait_max_ns;                 /* after yk_steady_finish(), also of pods that still wait */
    int64_t last_end_ns;                 /* 0: no pod has ended */
};

/* Starts a measurement now. `scenario` and `clock` are borrowed for life. The caller frees the result with
 * yk_steady_free(). */
struct yk_steady *yk_steady_new(const struct yk_scenario *scenario, const struct yk_clock *clock);
/* NULL is allowed. */
void yk_steady_free(struct yk_steady *steady);
YK_DEFINE_FREEP(yk_steady)
/* Sets the cluster and the core that are measured, which are borrowed until yk_steady_finish(). Call it once,
 * before the first pod is created. */
void yk_steady_watch(struct yk_steady *steady, const struct yk_cluster *cluster, const struct yk_core *core);
/* The observer of the measurement. It must be called with all moments of pods, from yk_steady_watch() until
 * yk_steady_finish() and not after that: the caller makes it `next_observer` of the workload, for example.
 * Valid as long as `steady`. */
const struct yk_cluster_observer *yk_steady_observer(const struct yk_steady *steady);
/* Takes a sample of use and entitlements. Call it at regular intervals, after yk_steady_watch(). */
void yk_steady_sample(struct yk_steady *steady);
/* Ends the measurement: takes over the times of pods that still wait, and does not read cluster and core
 * after that. Call it once, while both exist; then stop calling the observer (`next_observer` of the
 * workload). */
void yk_steady_finish(struct yk_steady *steady);
/* Sets `*ret` to the figures of the whole measurement. Call it after yk_steady_finish(). O(1). */
void yk_steady_figures(const struct yk_steady *steady, struct yk_steady_figures *ret);
/* Sets `*ret` to the counts of the pods of the applications with the id `application` or
 * `application`-<number> (empty: of all applications) in the leaf with the path `queue` (empty: in all
 * leaves). All 0 if there are none. `application` must end with a NUL, as texts of a scenario do. May be
 * called before yk_steady_finish(), but then `wait_max_ns` leaves out pods that still wait. */
void yk_steady_count(const struct yk_steady *steady, struct yk_str application, struct yk_str queue,
                     struct yk_steady_application *ret);

#endif
