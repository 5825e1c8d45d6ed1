/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a scenario: cluster, shim and core on one thread and a virtual clock that jumps to the next
 * timer.
 *
 * The same scenario and seed give the same run, decision by decision. Only `real_ns` differs.
 * Thread: the caller's.
 */
#ifndef YK_CMD_SIMULATION_H
#define YK_CMD_SIMULATION_H

#include "cmd/engine.h"
#include "cmd/samples.h"
#include "cmd/steady.h"

struct yk_recording; /* cmd/recording.h */

struct yk_simulation_options {
    uint64_t seed;
    const char *log_level;  /* for loggers the scenario does not set itself */
    FILE *progress;         /* NULL: none */
    FILE *decisions;        /* takes a line for each decision (cmd/decision_log.h); NULL: none */
    int64_t inspection_ns;  /* between two checks of the invariants, on the virtual clock; 0: 5 s */
    yk_record_sink *record; /* gets the recording (record/recorder.h); NULL: nothing is recorded */
    void *record_context;   /* of `record` */
    /* Timers of the simulated cluster run after those of the scheduler that are due at the same time, and not in
     * what-if trials. Set if the simulation is recorded. */
    bool keeps_apart;
    struct yk_recording *recording; /* gets the use of queues over time; NULL: not recorded */
    /* Gets each line of progress, and when it was written, since the start. NULL: not called. */
    void (*said)(void *context, int64_t at_ns, const char *text);
    void *context;
};

struct yk_outcome {
    const struct yk_scenario *scenario; /* borrowed */
    uint64_t seed;
    int64_t end_ns, real_ns; /* how long it took on the virtual clock, and really */
    uint64_t decisions, reloads_refused;
    size_t nodes;
    struct yk_workload workload;
    struct yk_samples samples; /* none unless the scenario wants them */
    struct yk_steady *steady;  /* owned; the same: NULL, and no figures */
    struct yk_steady_figures figures;
    struct yk_cluster_stats cluster;
    struct yk_err broken; /* the first invariant that does not hold; empty: all do */
};

struct yk_simulation;

/* Makes a run whose clock the caller moves with yk_simulation_step(). Nothing has happened yet. `scenario` is
 * borrowed for life, `options` are copied. The caller frees it. */
struct yk_simulation *yk_simulation_new(const struct yk_scenario *scenario,
                                        const struct yk_simulation_options *options);
/* NULL is fine. */
void yk_simulation_free(struct yk_simulation *sim);
YK_DEFINE_FREEP(yk_simulation)
/*
 * Does what is due, a bounded part of it; if nothing is, moves the clock to the next timer, at most to
 * `until_mono_ns`. False: nothing is due before that, and the clock is there.
 */
bool yk_simulation_step(struct yk_simulation *sim, int64_t until_mono_ns);
/* Whether the scenario has ended, or a step of it failed. The run can go on. */
bool yk_simulation_is_over(const struct yk_simulation *sim);
/* Does one step of a timeline now. `step` is borrowed for life. Errors: YK_ERR_INVALID, it names a node that
 * is not there. */
YK_NODISCARD enum yk_status yk_simulation_do(struct yk_simulation *sim, const struct yk_scenario_step *step,
                                             struct yk_err *err);
/* The engine of the run; borrowed for life. */
struct yk_engine *yk_simulation_engine(struct yk_simulation *sim);
/* The clock of the run; borrowed for life. */
struct yk_clock *yk_simulation_clock(struct yk_simulation *sim);
/* The simulated cluster; borrowed for life. */
const struct yk_cluster *yk_simulation_cluster(const struct yk_simulation *sim);
/* The outcome so far; borrowed for life. */
const struct yk_outcome *yk_simulation_outcome(const struct yk_simulation *sim);
/* Time since the start in nanoseconds, on the virtual clock. */
int64_t yk_simulation_elapsed_ns(const struct yk_simulation *sim);
/* Ends the run: after it only yk_simulation_free() may be called. Errors and `*ret`: as
 * yk_simulation_run(). */
YK_NODISCARD enum yk_status yk_simulation_finish(struct yk_simulation *sim, struct yk_outcome **ret,
                                                 struct yk_err *err);

/*
 * Runs it to its end. The caller frees `*ret` with yk_outcome_free(), also when an invariant is broken
 * (`broken`). Errors: YK_ERR_INVALID, the scheduler refuses the scenario's configuration or a step names a
 * node that is not there. Then `*ret` is untouched.
 */
YK_NODISCARD enum yk_status yk_simulation_run(const struct yk_scenario *scenario,
                                              const struct yk_simulation_options *options,
                                              struct yk_outcome **ret, struct yk_err *err);
void yk_outcome_free(struct yk_outcome *outcome);
YK_DEFINE_FREEP(yk_outcome)

#endif
