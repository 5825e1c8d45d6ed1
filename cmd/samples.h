/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the leaf queues had at regular times of a simulation.
 *
 * Amounts are in base units (thousandths of a core, bytes, counts). `used`, `pending`, the share and what
 * reservations hold are read from the core; `killed` is counted by the workload.
 * Owns:   the samples and the names of the queues.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_SAMPLES_H
#define YK_CMD_SAMPLES_H

#include "cmd/core_view.h"
#include "cmd/workload.h"

struct yk_queue_sample {
    const char *queue; /* full path; borrowed from the samples */
    struct yk_resvec used, pending;
    struct yk_resvec reserved; /* free on nodes that are reserved for asks of the queue */
    double share;              /* fair share in use, as the core compares it (queues.md M20) */
    uint64_t killed;           /* pods that the scheduler has ended since the start */
};

struct yk_simulation_sample {
    int64_t at_ns;                  /* since the start */
    struct yk_queue_sample *queues; /* owned; in the order of the queue tree */
    size_t queue_count;
};

struct yk_samples {
    struct yk_vec items; /* struct yk_simulation_sample, owned */
    struct yk_vec names; /* char, owned */
};

/* Takes one now. Returns it, borrowed. O(queues * names). */
const struct yk_simulation_sample *yk_samples_take(struct yk_samples *samples,
                                                   const struct yk_core_view *view,
                                                   const struct yk_workload *workload, int64_t at_ns);
void yk_samples_done(struct yk_samples *samples);

#endif
