/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often the filters run, what they answer and how long they take, by plugin of kube-scheduler.
 *
 * A filter takes less time than reading the clock. So the first YK_METERED_ALWAYS questions of each kind are measured, and
 * then one in YK_METER_PERIOD; a measured question counts for those not measured before it. Answers that are read from
 * the table of verdicts (classes.h) are not counted: no filter runs.
 *
 * Thread: scheduling thread; yk_filter_meter_put() any.
 * Source: docs/reference/rest.md, section 10.4.
 */
#ifndef YK_PREDICATES_FILTER_METER_H
#define YK_PREDICATES_FILTER_METER_H

#include "base/clock.h"
#include "metrics/durations.h"
#include "predicates/filter_table.h"

enum { YK_METERED_ALWAYS = 64, YK_METER_PERIOD = 61 /* prime: nodes are often numbered in powers of 2 */ };

/* The kinds of questions: about the fixed filters, and about those that depend on other pods and volumes. */
enum yk_metered { YK_METERED_FIXED, YK_METERED_NOW };
enum { YK_METERED_KINDS = YK_METERED_NOW + 1 };

struct yk_filter_meter {
    uint32_t to_skip[YK_METERED_KINDS];  /* questions until the next one is measured */
    uint32_t measured[YK_METERED_KINDS]; /* up to YK_METERED_ALWAYS */
    /* By verdict; of several verdicts of a plugin, the one that yk_filter_sample_step() names. */
    struct yk_durations times[YK_VERDICT_COUNT];
    _Atomic uint64_t refused[YK_VERDICT_COUNT]; /* relaxed: each is right in itself */
};

/* One measured question. */
struct yk_filter_sample {
    struct yk_filter_meter *meter;
    uint32_t weight; /* questions that it counts for */
    uint32_t ran;    /* a bit per verdict */
    int64_t since_mono_ns;
    int64_t spent_ns[YK_VERDICT_COUNT];
};

/* All counts are 0. Buckets begin at 100 ns. */
void yk_filter_meter_init(struct yk_filter_meter *meter);

/* Starts the sample; it belongs to a question that is measured. */
void yk__filter_sample_start(struct yk_filter_sample *sample, struct yk_filter_meter *meter,
                             enum yk_metered kind);
/* A question begins. Returns `sample`, or NULL if the question is not measured. */
static inline struct yk_filter_sample *
yk_filter_sample_begin(struct yk_filter_sample *sample, struct yk_filter_meter *meter, enum yk_metered kind)
{
    if (meter->to_skip[kind] > 0) {
        meter->to_skip[kind]--;
        return NULL;
    }
    yk__filter_sample_start(sample, meter, kind);
    return sample;
}
/* The filter of `verdict` has run since the last step. No effect if `sample` is NULL. */
void yk_filter_sample_step(struct yk_filter_sample *sample, enum yk_verdict verdict);
/* The question has its answer: counts. No effect if `sample` is NULL. */
void yk_filter_sample_end(struct yk_filter_sample *sample, enum yk_verdict answer);

/* Appends yk_metric_predicate_duration and yk_metric_predicate_evaluations. Any thread. */
void yk_filter_meter_put(const struct yk_filter_meter *meter, struct yk_buf *out);

#endif
