/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The use of queues over a simulated run, for the curves of `yunikorn simulate --report`. There are at most
 * YK_RECORDING_POINTS_MAX points: when there would be more, every second one is dropped and the interval is
 * doubled, so that the points of a run of any length have equal distances.
 *
 * Owns:   the points. Times are ns since the start of the run.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_RECORDING_H
#define YK_CMD_RECORDING_H

#include "cmd/workload.h"

enum { YK_RECORDING_POINTS_MAX = 512 };

struct yk_recorded_queue {
    int64_t used_milli; /* milli-CPU in use */
    uint64_t waiting;   /* number of pods */
};

struct yk_recorded_point {
    int64_t at_ns;
    size_t queue_count; /* number of queues at that time, which are the first ones of workload->queues */
    struct yk_recorded_queue *queues; /* owned; in the order of workload->queues */
};

struct yk_recording {
    struct yk_vec points; /* struct yk_recorded_point, owned; sorted by time */
    int64_t interval_ns;  /* between two points, and between the last one and the next one to be taken */
};

/* Makes a recording without points, with an interval of 100 ms. */
void yk_recording_init(struct yk_recording *recording);
void yk_recording_done(struct yk_recording *recording);
/* Adds a point for the time `at_ns` with the present use of the queues of `workload`. Call it every
 * `interval_ns`, which this call may double: the caller reads it again after each call. */
void yk_recording_take(struct yk_recording *recording, const struct yk_workload *workload, int64_t at_ns);

#endif
