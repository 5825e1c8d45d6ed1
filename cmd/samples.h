/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of the use of the leaf queues, taken at regular times of a simulation.
 *
 * Amounts are in base units (milli-CPU, bytes, counts). `killed` comes from the workload, the other figures
 * of a queue come from the core.
 *
 * Owns:   the samples and the names of the queues.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_SAMPLES_H
#define YK_CMD_SAMPLES_H

#include "cmd/core_view.h"
#include "cmd/workload.h"

struct yk_queue_sample {
    const char *queue; /* full path; borrowed from the samples */
    /* `used`: amounts of allocations, placeholders included; `pending`: amounts that waiting asks request */
    struct yk_resvec used, pending;
    struct yk_resvec reserved; /* free amounts on nodes that are reserved for asks of the queue */
    double share;              /* the number by which the core compares queues (queues.md M20) */
    uint64_t killed;           /* pods that the scheduler has ended since the start */
};

struct yk_simulation_sample {
    int64_t at_ns;                  /* since the start */
    struct yk_queue_sample *queues; /* owned; in the order of the queue tree */
    size_t queue_count;
};

/* A zeroed one is empty. */
struct yk_samples {
    struct yk_vec items; /* struct yk_simulation_sample, owned; the oldest first */
    struct yk_vec names; /* char, owned: paths of queues, which the samples share */
};

/* Adds a sample of the leaf queues in `view`, for the time `at_ns` since the start. The result is borrowed
 * from `samples` until yk_samples_done(). O(queues * names). */
const struct yk_simulation_sample *yk_samples_take(struct yk_samples *samples,
                                                   const struct yk_core_view *view,
                                                   const struct yk_workload *workload, int64_t at_ns);
void yk_samples_done(struct yk_samples *samples);

#endif
