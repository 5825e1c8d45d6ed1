/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The outcome of a simulation, as a table for people, as a page, or as JSON.
 *
 * Only the virtual clock shows, so that the same run gives the same bytes; how fast it really was comes on
 * request.
 *
 * Thread: any.
 */
#ifndef YK_CMD_REPORT_H
#define YK_CMD_REPORT_H

#include "cmd/simulation.h"

struct yk_recording;

/* Appends the outcome as a table. `with_timing`: also real times, which differ from run to run.
 * `with_colour`: with escape sequences of a terminal. */
void yk_report_text(const struct yk_outcome *outcome, bool with_timing, bool with_colour, struct yk_buf *out);
/* Appends a complete HTML page: curves of the queues and a table of the waits. */
void yk_report_html(const struct yk_outcome *outcome, const struct yk_recording *recording,
                    struct yk_buf *out);
/* Appends the outcome to `out` as one JSON object. `with_timing`: also real times, which differ from run
 * to run. */
void yk_report_json(const struct yk_outcome *outcome, bool with_timing, struct yk_buf *out);

/* ---- figures that both show ---- */

struct yk_quantiles {
    int64_t p50_ns, p99_ns, max_ns; /* 0 when there are none */
};

/* Sorts the waits. Of n values, quantile q is the one at rank ceil(q * n). */
struct yk_quantiles yk_quantiles_of(struct yk_waits *waits);
/* Mean and highest share in use over the run, 0 to 1; of a type that no node has: 0. */
double yk_mean_usage(const struct yk_outcome *outcome, int type);
/* The largest share of the nodes' capacity of `type` that was in use at one time, from 0 to 1. `type` is a
 * valid resource type. */
double yk_highest_usage(const struct yk_outcome *outcome, int type);
/* Allocations and other decisions of the core per second of real time; 0 if no time was measured. */
double yk_decisions_per_second(const struct yk_outcome *outcome);

#endif
