/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decisions of a simulation, one line each, so that two runs can be compared: nanoseconds since the
 * start, "bound" or "evicted", namespace and name of the pod, node.
 *
 * Owns:   nothing: stream, clock and the next observer are borrowed.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_DECISION_LOG_H
#define YK_CMD_DECISION_LOG_H

#include "simulate/cluster.h"

struct yk_decision_log {
    FILE *stream; /* borrowed; errors are left in it: ferror() */
    const struct yk_clock *clock;
    int64_t start_ns;                       /* monotonic time of the first line's 0 */
    const struct yk_cluster_observer *next; /* is called after each line */
    struct yk_cluster_observer observer;    /* for the cluster's options; must not move */
};

/* Writes from now on to `stream`, and passes each moment on to `next`. */
void yk_decision_log_init(struct yk_decision_log *log, FILE *stream, const struct yk_clock *clock,
                          const struct yk_cluster_observer *next);

#endif
