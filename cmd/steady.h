/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a simulated scheduler is fair over time: the figures of docs/reference/simulate.md, "Goals".
 *
 * It observes the pods of the cluster in memory and keeps its own counts of what waits and runs. From the
 * core it takes the settings of the queues and what reservations hold, nothing that the core has decided.
 *
 * Owns:    its counts. Borrows cluster, core, clock and scenario for life.
 * Thread:  scheduling thread only.
 * Units:   times in ns since the start of the simulation, amounts in base units.
 */
#ifndef YK_CMD_STEADY_H
#define YK_CMD_STEADY_H

#include "cmd/core_view.h"
#include "simulate/scenario.h"

struct yk_core;
struct yk_steady;

/* Jain's index of each sample has to be so much: a goal, and part of the bound of use. */
#define YK_STEADY_JAIN_MIN 0.90

struct yk_steady_figures {
    uint64_t samples;           /* in which demand exceeded supply and the shares had had time to settle */
    double jain_mean, jain_min; /* within half a pod of each queue */
    double jain_raw_mean, jain_raw_min; /* of the plain ratios */
    double used;                        /* mean of what is in use over what the shapes allow */
    double reserved;                    /* mean of what is reserved and idle over capacity */
    int64_t longest_run_ns;
    uint64_t heads; /* pods that were first in their order when another was bound */
    int64_t overtaken_worst_ns, overtaken_p99_ns;
    char worst[200];      /* the pod that was overtaken longest; empty: none was */
    double largest_share; /* of a pod in the capacity: 0 to 1 */
    uint64_t killed;
    double kills_ratio; /* amount killed over the deficit; 0: nothing was killed, HUGE_VAL: without deficit */
};

struct yk_steady_application { /* of the pods whose application is `name` or `name-<number>` */
    uint64_t pods, bound, ended, killed;
    int64_t wait_max_ns; /* those that still wait included */
    int64_t last_end_ns;
};

/* Starts measuring now. `scenario` and `clock` are borrowed for life. The caller frees it with
 * yk_steady_free(). */
struct yk_steady *yk_steady_new(const struct yk_scenario *scenario, const struct yk_clock *clock);
/* NULL is fine. */
void yk_steady_free(struct yk_steady *steady);
YK_DEFINE_FREEP(yk_steady)
/* Sets the cluster and the core to be measured, which are borrowed until yk_steady_finish(). Call it before
 * anything happens in the cluster. */
void yk_steady_watch(struct yk_steady *steady, const struct yk_cluster *cluster, const struct yk_core *core);
/* The observer to hand to the simulated cluster. Borrowed from `steady`, for its life. */
const struct yk_cluster_observer *yk_steady_observer(const struct yk_steady *steady);
/* Takes a sample of the shares as they are now. */
void yk_steady_sample(struct yk_steady *steady);
/* Ends the measurement: cluster and core are not read after this. */
void yk_steady_finish(struct yk_steady *steady);
/* Fills `*ret` with what was measured so far. `ret->worst` is a copy, cut to its size. After
 * yk_steady_finish(). O(1). */
void yk_steady_figures(const struct yk_steady *steady, struct yk_steady_figures *ret);
/* Sets `*ret` to the counts of the pods of `application` (empty: of all applications) in `queue` (empty: in
 * all queues). */
void yk_steady_count(const struct yk_steady *steady, struct yk_str application, struct yk_str queue,
                     struct yk_steady_application *ret);

#endif
