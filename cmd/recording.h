/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The use of queues over a simulated run, for `yunikorn simulate --report`: at most YK_RECORDING_POINTS_MAX
 * points. When they are used up, every second one is dropped and the interval doubles, so a run of any length
 * is covered evenly.
 *
 * Owns: the points. Times are ns since the start of the run.
 * Thread: scheduling thread.
 */
#ifndef YK_CMD_RECORDING_H
#define YK_CMD_RECORDING_H

#include "cmd/workload.h"

enum { YK_RECORDING_POINTS_MAX = 512 };

struct yk_recorded_queue {
    int64_t used_milli; /* cores in use, thousandths */
    uint64_t waiting;   /* pods */
};

struct yk_recorded_point {
    int64_t at_ns;
    size_t queue_count; /* the first queues of the workload: those that came later have none here */
    struct yk_recorded_queue *queues; /* owned */
};

struct yk_recording {
    struct yk_vec points; /* struct yk_recorded_point, owned, by time */
    int64_t interval_ns;  /* until the next point */
};

/* Makes a recording without points. */
void yk_recording_init(struct yk_recording *recording);
void yk_recording_done(struct yk_recording *recording);
/* Adds a point with the present use of the queues of `workload`. With YK_RECORDING_POINTS_MAX points, every
 * second one is dropped first and `interval_ns` doubles. The caller calls it every `interval_ns`. */
void yk_recording_take(struct yk_recording *recording, const struct yk_workload *workload, int64_t at_ns);

#endif
