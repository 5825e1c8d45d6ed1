/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics of the program around the core: who leads, what is stored, what waits between the threads.
 *
 * The scheduling thread takes figures every few seconds; the I/O thread shows what was taken last.
 * Source: docs/reference/rest.md 12.1.
 */
#ifndef YK_CMD_SCHEDULER_METRICS_H
#define YK_CMD_SCHEDULER_METRICS_H

#include "shim/shim.h"

#include <stdatomic.h>

enum yk_figure {
    YK_FIGURE_NODES,
    YK_FIGURE_PODS,
    YK_FIGURE_OUR_PODS,
    YK_FIGURE_APPLICATIONS,
    YK_FIGURE_CLASSES,
    YK_FIGURE_BINDS_WAITING,
    YK_FIGURE_BINDS_IN_FLIGHT,
    YK_FIGURE_EVENTS_SENT,
    YK_FIGURE_EVENTS_DROPPED,
    YK_FIGURE_CONDITIONS,
    YK_FIGURE_UNSCHEDULABLE, /* the first of YK_FILTERS */
    YK_FIGURE_COUNT = YK_FIGURE_UNSCHEDULABLE + YK_FILTERS
};

struct yk_scheduler_figures {
    _Atomic uint64_t numbers[YK_FIGURE_COUNT]; /* relaxed: each is right in itself */
};

/* Stores the present numbers of the shim. Scheduling thread only. */
void yk_scheduler_figures_take(struct yk_scheduler_figures *figures, const struct yk_shim *shim);

struct yk_scheduler_state {
    bool leads; /* also without an election */
    size_t scheduling_mailbox, io_mailbox, config_mailbox;
};
/* Any thread. Appends the lines in the Prometheus text format. */
void yk_scheduler_metrics_put(const struct yk_scheduler_figures *figures,
                              const struct yk_scheduler_state *state, struct yk_buf *out);

#endif
