/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decisions of a simulation, one per line, so that two runs can be compared. A line has the time in ns
 * since the start, "bound" or "evicted", "<namespace>/<name>" of the pod, and its node.
 *
 * Owns:   nothing: stream, clock and the next observer are borrowed.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_DECISION_LOG_H
#define YK_CMD_DECISION_LOG_H

#include "simulate/cluster.h"

struct yk_decision_log {
    FILE *stream; /* borrowed; after a failed write, ferror() is true */
    const struct yk_clock *clock;
    int64_t start_ns;                       /* monotonic time that lines show as 0 */
    const struct yk_cluster_observer *next; /* borrowed; called with every moment */
    struct yk_cluster_observer observer;    /* the cluster must call it */
};

/* Makes a log to `stream` whose time 0 is now. The caller makes the cluster with `&log->observer` as its
 * observer. `stream`, `clock` and `next` are borrowed as long as the cluster exists; `log` must not move in
 * memory meanwhile. There is nothing to free. */
void yk_decision_log_init(struct yk_decision_log *log, FILE *stream, const struct yk_clock *clock,
                          const struct yk_cluster_observer *next);

#endif
