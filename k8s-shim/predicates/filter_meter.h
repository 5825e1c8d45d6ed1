/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures how often the filters run, what they answer and how long they take, by plugin of kube-scheduler.
 *
 * A filter takes less time than reading the clock. So the first YK_METERED_ALWAYS questions of each kind are
 * measured, and then one in YK_METER_PERIOD. Such a later question counts YK_METER_PERIOD times, because it
 * also stands for the questions that are not measured. Answers that are read from the table of verdicts
 * (classes.h) are not counted: no filter runs.
 *
 * Thread: scheduling thread; yk_filter_meter_put() any.
 * Source: docs/reference/rest.md, section 10.4.
 */
#ifndef YK_PREDICATES_FILTER_METER_H
#define YK_PREDICATES_FILTER_METER_H

#include "base/clock.h"
#include "metrics/durations.h"
#include "predicates/filter_table.h"

/* YK_METER_PERIOD is a prime, because numbers of nodes are often powers of 2. */
enum { YK_METERED_ALWAYS = 64, YK_METER_PERIOD = 61 };

/* The kinds of questions: about the fixed filters, and about those that depend on other pods and volumes. */
enum yk_metered { YK_METERED_FIXED, YK_METERED_NOW };
enum { YK_METERED_KINDS = YK_METERED_NOW + 1 };

struct yk_filter_meter {
    uint32_t to_skip[YK_METERED_KINDS];  /* questions until the next one is measured */
    uint32_t measured[YK_METERED_KINDS]; /* questions that were measured; counted up to YK_METERED_ALWAYS */
    /* Both arrays are by verdict. The numbers of a plugin with several verdicts are at the verdict that
     * callers give to yk_filter_sample_step(). */
    struct yk_durations times[YK_VERDICT_COUNT];
    _Atomic uint64_t refused[YK_VERDICT_COUNT]; /* relaxed: a reader needs no order between the counters */
};

/* One measured question. */
struct yk_filter_sample {
    struct yk_filter_meter *meter;
    uint32_t weight;                    /* number of questions that the sample stands for */
    uint32_t ran;                       /* bit 1 << verdict: the filter of that verdict has run */
    int64_t since_mono_ns;              /* time of the last step, or of the beginning */
    int64_t spent_ns[YK_VERDICT_COUNT]; /* by verdict */
};

/* Makes a meter whose counts are 0. The buckets of its histograms begin at 100 ns. There is nothing to
 * free. */
void yk_filter_meter_init(struct yk_filter_meter *meter);

/* The part of yk_filter_sample_begin() for a question that is measured. Call only
 * yk_filter_sample_begin(). */
void yk__filter_sample_start(struct yk_filter_sample *sample, struct yk_filter_meter *meter,
                             enum yk_metered kind);
/* A question begins. Returns `sample`, which need not be initialised, or NULL if the question is not
 * measured. The caller gives the result to yk_filter_sample_step() after each filter, and to
 * yk_filter_sample_end(). */
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
/* The filter of `verdict` has run since the beginning or the last step, whatever its answer. `verdict` is
 * that of a filter, so it is not YK_VERDICT_UNKNOWN, _FITS or _INVALID. For a plugin with several verdicts,
 * give always the same one. No effect if `sample` is NULL. */
void yk_filter_sample_step(struct yk_filter_sample *sample, enum yk_verdict verdict);
/* The question has its answer, which is not YK_VERDICT_UNKNOWN: adds the sample to the meter. Call it once
 * per sample. No effect if `sample` is NULL. */
void yk_filter_sample_end(struct yk_filter_sample *sample, enum yk_verdict answer);

/* Appends the metrics yk_metric_predicate_duration and yk_metric_predicate_evaluations to `out`, in the text
 * format of Prometheus. Any thread. */
void yk_filter_meter_put(const struct yk_filter_meter *meter, struct yk_buf *out);

#endif
