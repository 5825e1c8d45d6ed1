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

#include "cmd/samples.h"
#include "cmd/steady.h"

struct yk_simulation_options {
    uint64_t seed;
    const char *log_level; /* for loggers the scenario does not set itself */
    FILE *progress;        /* NULL: none */
    FILE *decisions;       /* takes a line for each decision (cmd/decision_log.h); NULL: none */
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

/*
 * Runs it to its end. `*ret` is filled and to be done, also when an invariant is broken (ret->broken).
 * Errors: YK_ERR_INVALID, the scheduler refuses the scenario's configuration or a step names a node that is
 * not there. Then `*ret` is untouched.
 */
YK_NODISCARD enum yk_status yk_simulation_run(const struct yk_scenario *scenario,
                                              const struct yk_simulation_options *options,
                                              struct yk_outcome **ret, struct yk_err *err);
void yk_outcome_free(struct yk_outcome *outcome);
YK_DEFINE_FREEP(yk_outcome)

#endif
