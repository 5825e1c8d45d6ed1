/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes lines of the Prometheus text format 0.0.4 to a buffer.
 *
 * All lines of a metric have to follow each other. Make a struct yk_metric_lines with yk_metric_begin(), then
 * call the functions yk_metric_put...(). The first of them that writes a line writes # HELP and # TYPE before
 * it, so a metric without lines does not appear.
 *
 * The argument `labels` is text such as `queue="root",state="ready"`: without braces, its values escaped with
 * yk_metric_escape(); "": no labels.
 *
 * Thread: any, one buffer at a time.
 * Source: docs/reference/rest.md, section 10.
 */
#ifndef YK_METRICS_METRIC_TEXT_H
#define YK_METRICS_METRIC_TEXT_H

#include "base/str.h"
#include "metrics/metric.h"

/* The lines of one metric. */
struct yk_metric_lines {
    struct yk_buf *out; /* borrowed */
    const struct yk_metric *metric;
    bool has_head; /* # HELP and # TYPE were written, or must not be */
};

/* Begins the lines of `metric`. Writes nothing yet; `out` is borrowed for the life of the result. */
static inline struct yk_metric_lines yk_metric_begin(const struct yk_metric *metric, struct yk_buf *out)
{
    return (struct yk_metric_lines){out, metric, false};
}
/* Appends # HELP and # TYPE of a metric whose name has a part in angle brackets. `name`: metric->name, with
 * that part replaced (yk_metric_name()). The caller writes its lines itself, because yk_metric_put() and the
 * like write metric->name. */
void yk_metric_head(const struct yk_metric *metric, const char *name, struct yk_buf *out);
/* Appends one line with `number`. */
void yk_metric_put(struct yk_metric_lines *lines, const char *labels, uint64_t number);
/* Like yk_metric_put(), but appends nothing if the number is 0. */
void yk_metric_put_used(struct yk_metric_lines *lines, const char *labels, uint64_t number);
/* Like yk_metric_put(), but appends nothing if the number is 0 and `was_used` is false. For a number that may
 * return to 0: it is shown from its first use on. */
void yk_metric_put_shown(struct yk_metric_lines *lines, const char *labels, uint64_t number, bool was_used);
/* Like yk_metric_put(), for a number with a fraction. */
void yk_metric_put_double(struct yk_metric_lines *lines, const char *labels, double number);
/* Like yk_metric_put(), for a signed number, with a printf() format as labels, which are not "". Texts among
 * the arguments are escaped by the caller. */
void yk_metric_putf(struct yk_metric_lines *lines, int64_t number, const char *labels, ...) YK_PRINTF(3, 4);

/* What a histogram has counted. All pointers are borrowed. */
struct yk_metric_buckets {
    const double *bounds; /* upper bounds of the buckets, ascending; the bucket for +Inf has none */
    size_t bound_count;   /* number of `bounds` */
    /* `bound_count` + 1 numbers, one per bucket, not cumulative; the last one is for +Inf */
    const uint64_t *counts;
    double sum; /* of all values, in the unit of `bounds` */
};
/* Whether some count is above 0. */
bool yk_metric_buckets_are_used(const struct yk_metric_buckets *buckets);
/* Appends the lines _bucket, _sum and _count of a histogram; nothing if all counts are 0. The metric is of
 * type histogram. */
void yk_metric_put_histogram(struct yk_metric_lines *lines, const char *labels,
                             const struct yk_metric_buckets *buckets);

/* Appends `name` with '_' instead of each character that a metric name cannot have. */
void yk_metric_name(struct yk_buf *out, struct yk_str name);
/* Appends `value`, escaped as the text between the quotes of a label has to be. */
void yk_metric_escape(struct yk_buf *out, struct yk_str value);
/* Appends key="value" with the value escaped. */
void yk_metric_label(struct yk_buf *out, const char *key, struct yk_str value);

#endif
