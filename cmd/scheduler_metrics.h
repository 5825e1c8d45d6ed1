/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics of the program around the core: the role in the election, numbers of cached objects, lengths of the
 * mailboxes.
 *
 * The scheduling thread stores figures every few seconds; the I/O thread writes the stored figures.
 *
 * Thread: as each function says.
 * Source: docs/reference/rest.md 10.4.
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
    YK_FIGURE_UNSCHEDULABLE, /* the first of YK_FILTERS figures: pods that a node filter keeps waiting */
    YK_FIGURE_COUNT = YK_FIGURE_UNSCHEDULABLE + YK_FILTERS
};

/* Zeroed before the first yk_scheduler_figures_take(). */
struct yk_scheduler_figures {
    /* By enum yk_figure; relaxed, because no number depends on another. */
    _Atomic uint64_t numbers[YK_FIGURE_COUNT];
};

/* Stores the present numbers of `shim` in `figures`. Scheduling thread only. */
void yk_scheduler_figures_take(struct yk_scheduler_figures *figures, const struct yk_shim *shim);

/* What is read at the time of the request, and not stored. */
struct yk_scheduler_state {
    bool leads;                                            /* true without an election */
    size_t scheduling_mailbox, io_mailbox, config_mailbox; /* yk_mailbox_weight() of the three mailboxes */
};
/* Appends the metrics in the Prometheus text format. Any thread. */
void yk_scheduler_metrics_put(const struct yk_scheduler_figures *figures,
                              const struct yk_scheduler_state *state, struct yk_buf *out);

#endif
