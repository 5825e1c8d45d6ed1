/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a benchmark says: one JSON line per measurement, and a last one with the goals and whether they were
 * reached. A figure is the best of its repeats: what others do on the machine can only make it worse. A ratio
 * is between measurements that took turns within one run.
 */
#ifndef YK_BENCH_REPORT_H
#define YK_BENCH_REPORT_H

#include "base/clock.h"
#include "die.h"

struct yk_core;

int64_t report_now_ns(void);
/* Of this thread. */
int64_t report_cpu_ns(void);

void report_begin(const char *case_, const char *part);
void report_text(const char *key, const char *text);
void report_count(const char *key, uint64_t value);
/* With as many digits as matter. */
void report_number(const char *key, double value);
void report_numbers(const char *key, const double *values, size_t count);
/* Of `values`, or of what they are of `others`, one by one: each two were measured in turn. */
double report_median(const double *values, const double *others, size_t count);
/*
 * Where the time of the core's turns went: to the queue, to the group of asks, to a node, into the books and
 * the callback; sampled as in scheduler/step_timer.h, and not
 * said of a virtual clock. Turns that parked something show as the difference between
 * turns and decided.
 */
void report_profile(const struct yk_core *core);
void report_end(void);

enum report_goal { REPORT_AT_LEAST, REPORT_AT_MOST };
/* Kept for the last line; `what` is a literal. */
void report_goal(const char *what, double value, enum report_goal kind, double goal);
/* The last line. */
void report_goals(const char *case_);

/* Reads --repeat R and --tiny (sizes for a run that only checks results); dies of anything else. */
struct report_options {
    size_t repeat;
    bool tiny;
};
struct report_options report_options(int argc, char **argv, size_t repeat);

#endif
