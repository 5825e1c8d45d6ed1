/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the Prometheus text format 0.0.4. Source: docs/reference/rest.md, section 10. */
#ifndef YK_WEB_PROMETHEUS_PRIV_H
#define YK_WEB_PROMETHEUS_PRIV_H

#include "base/str.h"
#include "metrics/metrics.h"

/* # HELP and # TYPE. */
void yk__family(struct yk_buf *out, const char *name, const char *type, const char *help);
/* `name` with every character that a metric name may not have turned into '_'. */
void yk__metric_name(struct yk_buf *out, struct yk_str name);
/* key="value" with the value escaped. */
void yk__label(struct yk_buf *out, const char *key, struct yk_str value);
/* name{labels} number; `labels` is written as it is, "" for none. */
void yk__sample_uint(struct yk_buf *out, const char *name, const char *labels, uint64_t number);
/* Appends a line "name{labels} number". `labels` is written as it is, "" for none. */
void yk__sample_double(struct yk_buf *out, const char *name, const char *labels, double number);
/* A family whose HELP and TYPE are written with its first sample: without one it is left out. */
struct yk__series {
    struct yk_buf *out;
    const char *name, *type, *help;
    bool begun;
};
/* One sample, unless the number is 0 and `was_used` is false. */
void yk__series_shown(struct yk__series *series, const char *labels, uint64_t number, bool was_used);
/* One sample, unless the number is 0. */
void yk__series_used(struct yk__series *series, const char *labels, uint64_t number);
/* Whether the histogram has at least one sample. O(buckets). */
bool yk__histogram_is_used(const struct yk_histogram *histogram);
/* Buckets, sum and count. */
void yk__samples_of_histogram(struct yk_buf *out, const char *name, const char *labels,
                              const struct yk_histogram *histogram);
/* What the kernel says about this process (10.4). I/O thread: it reads files. */
void yk__process_metrics(struct yk_buf *out);

#endif
