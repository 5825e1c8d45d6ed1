/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the outcome of a simulation that has ended (yk_simulation_finish(), yk_simulation_run()) as tables,
 * as an HTML page, or as JSON.
 *
 * Times are those of the virtual clock, so that the same run gives the same bytes. Real times are added only
 * on request. The first three functions and yk_quantiles_of() sort the waiting times in the outcome.
 *
 * Thread: any, one at a time.
 */
#ifndef YK_CMD_REPORT_H
#define YK_CMD_REPORT_H

#include "cmd/simulation.h"

struct yk_recording;

/* Appends the outcome as text with tables. `with_timing` adds real times, which differ from run to run;
 * `with_colour` adds escape sequences of a terminal. */
void yk_report_text(const struct yk_outcome *outcome, bool with_timing, bool with_colour, struct yk_buf *out);
/* Appends a complete HTML page: curves of the queues and a table of the waiting times. The page needs no
 * other files. `recording`: the recording in struct yk_simulation_options that the same run has filled. */
void yk_report_html(const struct yk_outcome *outcome, const struct yk_recording *recording,
                    struct yk_buf *out);
/* Appends the outcome as one JSON object and a line break. `with_timing` adds real times, which differ from
 * run to run. */
void yk_report_json(const struct yk_outcome *outcome, bool with_timing, struct yk_buf *out);

/* ---- figures ---- */

struct yk_quantiles {
    int64_t p50_ns, p99_ns, max_ns; /* all 0 without any values */
};

/* The quantiles of waiting times, which are sorted by the call. Of n values, quantile q is the value of rank
 * ceil(q * n). */
struct yk_quantiles yk_quantiles_of(struct yk_waits *waits);
/* The part of the capacity of the resource type `type` that was in use, as the mean over the run; 0 if no
 * node has the type. It can be above 1 only if nodes became smaller. */
double yk_mean_usage(const struct yk_outcome *outcome, int type);
/* The largest part of the capacity of the resource type `type` that was in use after a binding; 0 if no node
 * has the type. It can be above 1 only if nodes became smaller. */
double yk_highest_usage(const struct yk_outcome *outcome, int type);
/* Decisions of the core per second of real time; 0 if the run took no measurable time. */
double yk_decisions_per_second(const struct yk_outcome *outcome);

#endif
