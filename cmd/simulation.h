/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a scenario: cluster, shim and core on one thread, with a virtual clock that jumps to the next
 * timer.
 *
 * The same scenario, seed and options give the same run, decision by decision. Only `real_ns` differs.
 *
 * Thread: scheduling thread of the run: one thread at a time, beginning with the one that calls
 * yk_simulation_new().
 */
#ifndef YK_CMD_SIMULATION_H
#define YK_CMD_SIMULATION_H

#include "cmd/engine.h"
#include "cmd/samples.h"
#include "cmd/steady.h"

struct yk_recording; /* cmd/recording.h */

struct yk_simulation_options {
    uint64_t seed; /* of all random numbers of the simulated cluster and the shim */
    /* "debug", "info", ...; used if the scenario does not set log.level; borrowed for life. */
    const char *log_level;
    FILE *progress;         /* gets lines of progress; borrowed for life; NULL: none */
    FILE *decisions;        /* gets a line per decision (cmd/decision_log.h); borrowed for life; NULL: none */
    int64_t inspection_ns;  /* between two checks of the invariants, on the virtual clock; 0: 5 s */
    yk_record_sink *record; /* gets the recording (record/recorder.h); NULL: nothing is recorded */
    void *record_context;   /* passed to `record` */
    /* Timers of cluster and timeline run after timers of the scheduler that are due at the same time, and do
     * not run in what-if trials. `record` has the same effect. */
    bool keeps_apart;
    /* Gets the use of queues over time. The caller has initialised it (yk_recording_init()) and ends it.
     * Borrowed for life; NULL: none. */
    struct yk_recording *recording;
    /* Called with each line of progress, and the time since the start. NULL: not called. */
    void (*said)(void *context, int64_t at_ns, const char *text);
    void *context; /* passed to `said` */
};

struct yk_outcome {
    const struct yk_scenario *scenario; /* borrowed */
    uint64_t seed;
    int64_t end_ns;           /* duration of the run on the virtual clock */
    int64_t real_ns;          /* duration of the run on the real clock */
    uint64_t decisions;       /* allocations that the core has made */
    uint64_t reloads_refused; /* configurations that were invalid */
    size_t nodes;             /* at the end */
    struct yk_workload workload;
    struct yk_samples samples;        /* empty if scenario->sample_ns is 0 */
    struct yk_steady *steady;         /* owned; NULL if scenario->sample_ns is 0 */
    struct yk_steady_figures figures; /* zeroed if scenario->sample_ns is 0 */
    struct yk_cluster_stats cluster;
    struct yk_err broken; /* the first invariant that did not hold; "": all have held */
};

struct yk_simulation;

/* Makes a run at the time 0, before the first step of the timeline. The caller moves its clock with
 * yk_simulation_step(). `scenario` is borrowed for life, and by the outcome; `options` is copied. The caller
 * ends the run with yk_simulation_finish(), and then frees it with yk_simulation_free(). */
struct yk_simulation *yk_simulation_new(const struct yk_scenario *scenario,
                                        const struct yk_simulation_options *options);
/* Frees a run after yk_simulation_finish(). NULL is allowed. */
void yk_simulation_free(struct yk_simulation *sim);
YK_DEFINE_FREEP(yk_simulation)
/*
 * Performs a bounded part of the work that is due. If no work is due, moves the clock to the next timer, but
 * not beyond `until_mono_ns`, a monotonic time of yk_simulation_clock(). True: call it again, unless
 * yk_simulation_is_over(). False: the clock has reached `until_mono_ns`, and no work and no timer is due.
 */
bool yk_simulation_step(struct yk_simulation *sim, int64_t until_mono_ns);
/* Whether a step of the scenario has failed, or the scheduler has given up, such as for an invalid
 * configuration. yk_simulation_finish() fails then, and says why. */
bool yk_simulation_has_failed(const struct yk_simulation *sim);
/* Whether the scenario has ended, one of its steps has failed, or the scheduler has given up, such as for an
 * invalid configuration; in the last two cases yk_simulation_finish() fails. yk_simulation_step() does not
 * check this, and may still be called: the caller ends its loop. */
bool yk_simulation_is_over(const struct yk_simulation *sim);
/* Performs one step of a timeline now, whatever its time is. `step`, whose texts end with a NUL, is borrowed
 * until yk_simulation_finish() if it is a YK_STEP_SUBMIT, otherwise for the call. The limits of a scenario
 * are not checked. Errors: YK_ERR_INVALID, the step names a node that does not exist, or adds a fault that
 * yk_faults_add() refuses; its other parts are done. A step that fails here does not end the run. A reload
 * always succeeds here: the scheduler reads the configuration later, and counts an invalid one in
 * `reloads_refused`. */
YK_NODISCARD enum yk_status yk_simulation_do(struct yk_simulation *sim, const struct yk_scenario_step *step,
                                             struct yk_err *err);
/* The engine of the run; valid until yk_simulation_finish(). */
struct yk_engine *yk_simulation_engine(struct yk_simulation *sim);
/* The virtual clock of the run; valid until yk_simulation_finish(). */
struct yk_clock *yk_simulation_clock(struct yk_simulation *sim);
/* The simulated cluster; valid until yk_simulation_finish(). */
const struct yk_cluster *yk_simulation_cluster(const struct yk_simulation *sim);
/* The outcome so far: `scenario`, `seed`, `workload`, `samples` and `broken`; yk_simulation_finish() sets the
 * other fields. Valid until yk_simulation_finish(). */
const struct yk_outcome *yk_simulation_outcome(const struct yk_simulation *sim);
/* The time since the start on the virtual clock, in ns. */
int64_t yk_simulation_elapsed_ns(const struct yk_simulation *sim);
/* Ends the run, also if it is not over, and computes its figures. Frees engine and cluster. After this
 * function, also if it has failed, only yk_simulation_free() may be called. Errors and `*ret`: as
 * yk_simulation_run(). */
YK_NODISCARD enum yk_status yk_simulation_finish(struct yk_simulation *sim, struct yk_outcome **ret,
                                                 struct yk_err *err);

/*
 * Runs a scenario to its end. The caller frees `*ret` with yk_outcome_free(); it borrows `scenario`. A broken
 * invariant is not an error: see `broken`. Errors: YK_ERR_INVALID, the scheduler refuses the configuration of
 * the scenario, or a step fails as yk_simulation_do() says; `*ret` is then unchanged.
 */
YK_NODISCARD enum yk_status yk_simulation_run(const struct yk_scenario *scenario,
                                              const struct yk_simulation_options *options,
                                              struct yk_outcome **ret, struct yk_err *err);
void yk_outcome_free(struct yk_outcome *outcome);
YK_DEFINE_FREEP(yk_outcome)

#endif
