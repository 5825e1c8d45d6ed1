/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of the Prometheus text format 0.0.4.
 *
 * The lines of one metric follow each other: struct yk_metric_lines writes # HELP and # TYPE in front of the
 * first one, so a metric without a line is left out. Labels are written as they are given, without braces.
 *
 * Thread: that of the buffer.
 * Source: docs/reference/rest.md, section 10.
 */
#ifndef YK_METRICS_METRIC_TEXT_H
#define YK_METRICS_METRIC_TEXT_H

#include "base/str.h"
#include "metrics/metric.h"

struct yk_metric_lines {
    struct yk_buf *out; /* borrowed */
    const struct yk_metric *metric;
    bool has_head; /* # HELP and # TYPE are written, or are not to be */
};

/* Begins the lines of `metric`. Writes nothing yet; `out` is borrowed. */
static inline struct yk_metric_lines yk_metric_begin(const struct yk_metric *metric, struct yk_buf *out)
{
    return (struct yk_metric_lines){out, metric, false};
}
/* Appends # HELP and # TYPE. `name`: that of the metric, or what a name with a part in angle brackets
 * became. */
void yk_metric_head(const struct yk_metric *metric, const char *name, struct yk_buf *out);
/* Appends one line. `labels`: "" for none. */
void yk_metric_put(struct yk_metric_lines *lines, const char *labels, uint64_t number);
/* Like yk_metric_put(), but appends nothing if the number is 0. */
void yk_metric_put_used(struct yk_metric_lines *lines, const char *labels, uint64_t number);
/* Like yk_metric_put(), but appends nothing if the number is 0 and `was_used` is false. */
void yk_metric_put_shown(struct yk_metric_lines *lines, const char *labels, uint64_t number, bool was_used);
/* Appends one line with a number that has a fraction. */
void yk_metric_put_double(struct yk_metric_lines *lines, const char *labels, double number);
/* Appends one line whose labels are a format; texts in it are escaped already. */
void yk_metric_putf(struct yk_metric_lines *lines, int64_t number, const char *labels, ...) YK_PRINTF(3, 4);

/* What a histogram has counted. `counts`: `bound_count` + 1 numbers, per bucket and not cumulated; the last
 * one is above the last bound. */
struct yk_metric_buckets {
    const double *bounds;
    size_t bound_count;
    const uint64_t *counts;
    double sum;
};
/* Whether anything was counted. */
bool yk_metric_buckets_are_used(const struct yk_metric_buckets *buckets);
/* Appends buckets, sum and count; nothing if nothing was counted. `labels`: "" for none. */
void yk_metric_put_histogram(struct yk_metric_lines *lines, const char *labels,
                             const struct yk_metric_buckets *buckets);

/* Appends `name` with every character that a metric name cannot have turned into '_'. */
void yk_metric_name(struct yk_buf *out, struct yk_str name);
/* Appends `value` escaped, as it stands between the quotes of a label. */
void yk_metric_escape(struct yk_buf *out, struct yk_str value);
/* Appends key="value" with the value escaped. */
void yk_metric_label(struct yk_buf *out, const char *key, struct yk_str value);

#endif
