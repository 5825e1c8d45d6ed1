/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/metric_text.h"

#include "base/json_writer.h"

#include <inttypes.h>
#include <stdarg.h>

/* ---- names and labels ---- */

void yk_metric_name(struct yk_buf *out, struct yk_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.p[i];
        bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                    c == ':';
        yk_buf_char(out, fine ? c : '_');
    }
}

void yk_metric_escape(struct yk_buf *out, struct yk_str value)
{
    for (size_t i = 0; i < value.len; i++) {
        if (value.p[i] == '\n') {
            yk_buf_text(out, "\\n");
            continue;
        }
        if (value.p[i] == '"' || value.p[i] == '\\')
            yk_buf_char(out, '\\');
        yk_buf_char(out, value.p[i]);
    }
}

void yk_metric_label(struct yk_buf *out, const char *key, struct yk_str value)
{
    yk_buf_text(out, key);
    yk_buf_text(out, "=\"");
    yk_metric_escape(out, value);
    yk_buf_char(out, '"');
}

/* ---- lines ---- */

void yk_metric_head(const struct yk_metric *metric, const char *name, struct yk_buf *out)
{
    yk_buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, metric->help, name,
                  yk_metric_type_name(metric->type));
}

static void begin(struct yk_metric_lines *lines)
{
    if (!lines->has_head)
        yk_metric_head(lines->metric, lines->metric->name, lines->out);
    lines->has_head = true;
    yk_buf_text(lines->out, lines->metric->name);
}

static void put_labels(struct yk_buf *out, const char *labels)
{
    if (labels[0] != '\0') {
        yk_buf_char(out, '{');
        yk_buf_text(out, labels);
        yk_buf_char(out, '}');
    }
    yk_buf_char(out, ' ');
}

void yk_metric_put(struct yk_metric_lines *lines, const char *labels, uint64_t number)
{
    begin(lines);
    put_labels(lines->out, labels);
    yk_buf_printf(lines->out, "%" PRIu64 "\n", number);
}

void yk_metric_put_shown(struct yk_metric_lines *lines, const char *labels, uint64_t number, bool was_used)
{
    if (number != 0 || was_used)
        yk_metric_put(lines, labels, number);
}

void yk_metric_put_used(struct yk_metric_lines *lines, const char *labels, uint64_t number)
{
    yk_metric_put_shown(lines, labels, number, false);
}

void yk_metric_put_double(struct yk_metric_lines *lines, const char *labels, double number)
{
    begin(lines);
    put_labels(lines->out, labels);
    yk_json_put_double(lines->out, number);
    yk_buf_char(lines->out, '\n');
}

void yk_metric_putf(struct yk_metric_lines *lines, int64_t number, const char *labels, ...)
{
    va_list args;
    begin(lines);
    yk_buf_char(lines->out, '{');
    va_start(args, labels);
    yk_buf_vprintf(lines->out, labels, args);
    va_end(args);
    yk_buf_printf(lines->out, "} %" PRId64 "\n", number);
}

/* ---- histograms ---- */

bool yk_metric_buckets_are_used(const struct yk_metric_buckets *buckets)
{
    for (size_t i = 0; i <= buckets->bound_count; i++) {
        if (buckets->counts[i] > 0)
            return true;
    }
    return false;
}

void yk_metric_put_histogram(struct yk_metric_lines *lines, const char *labels,
                             const struct yk_metric_buckets *buckets)
{
    struct yk_buf *out = lines->out;
    const char *comma = labels[0] != '\0' ? "," : "";
    uint64_t count = 0;
    if (!yk_metric_buckets_are_used(buckets))
        return;
    for (size_t i = 0; i < buckets->bound_count; i++) {
        count += buckets->counts[i];
        begin(lines);
        yk_buf_printf(out, "_bucket{le=\"%g\"%s%s} %" PRIu64 "\n", buckets->bounds[i], comma, labels, count);
    }
    count += buckets->counts[buckets->bound_count];
    begin(lines);
    yk_buf_printf(out, "_bucket{le=\"+Inf\"%s%s} %" PRIu64 "\n", comma, labels, count);
    begin(lines);
    yk_buf_text(out, "_sum");
    put_labels(out, labels);
    yk_json_put_double(out, buckets->sum);
    yk_buf_char(out, '\n');
    begin(lines);
    yk_buf_text(out, "_count");
    put_labels(out, labels);
    yk_buf_printf(out, "%" PRIu64 "\n", count);
}
