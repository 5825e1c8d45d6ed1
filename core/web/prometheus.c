/* SPDX-License-Identifier: Apache-2.0 */
#include "web/prometheus_priv.h"

#include "base/json_writer.h"

void yk__family(struct yk_buf *out, const char *name, const char *type, const char *help)
{
    yk_buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void yk__metric_name(struct yk_buf *out, struct yk_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.p[i];
        bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                    c == ':';
        yk_buf_char(out, fine ? c : '_');
    }
}

void yk__label(struct yk_buf *out, const char *key, struct yk_str value)
{
    yk_buf_text(out, key);
    yk_buf_text(out, "=\"");
    for (size_t i = 0; i < value.len; i++) {
        if (value.p[i] == '\n') {
            yk_buf_text(out, "\\n");
            continue;
        }
        if (value.p[i] == '"' || value.p[i] == '\\')
            yk_buf_char(out, '\\');
        yk_buf_char(out, value.p[i]);
    }
    yk_buf_char(out, '"');
}

static void begin(struct yk_buf *out, const char *name, const char *labels)
{
    yk_buf_text(out, name);
    if (labels[0] != '\0') {
        yk_buf_char(out, '{');
        yk_buf_text(out, labels);
        yk_buf_char(out, '}');
    }
    yk_buf_char(out, ' ');
}

void yk__sample_uint(struct yk_buf *out, const char *name, const char *labels, uint64_t number)
{
    begin(out, name, labels);
    yk_buf_printf(out, "%llu\n", (unsigned long long)number);
}

void yk__sample_double(struct yk_buf *out, const char *name, const char *labels, double number)
{
    begin(out, name, labels);
    yk_json_put_double(out, number);
    yk_buf_char(out, '\n');
}

void yk__series_shown(struct yk__series *series, const char *labels, uint64_t number, bool was_used)
{
    if (number == 0 && !was_used)
        return;
    if (!series->begun)
        yk__family(series->out, series->name, series->type, series->help);
    series->begun = true;
    yk__sample_uint(series->out, series->name, labels, number);
}

void yk__series_used(struct yk__series *series, const char *labels, uint64_t number)
{
    yk__series_shown(series, labels, number, false);
}

bool yk__histogram_is_used(const struct yk_histogram *histogram)
{
    for (int i = 0; i <= YK_HISTOGRAM_BUCKETS; i++) {
        if (histogram->counts[i] > 0)
            return true;
    }
    return false;
}

void yk__samples_of_histogram(struct yk_buf *out, const char *name, const char *labels,
                              const struct yk_histogram *histogram)
{
    const char *comma = labels[0] != '\0' ? "," : "";
    uint64_t count = 0;
    for (int i = 0; i < YK_HISTOGRAM_BUCKETS; i++) {
        count += histogram->counts[i];
        yk_buf_printf(out, "%s_bucket{le=\"%g\"%s%s} %llu\n", name, yk_histogram_bounds[i], comma, labels,
                      (unsigned long long)count);
    }
    count += histogram->counts[YK_HISTOGRAM_BUCKETS];
    yk_buf_printf(out, "%s_bucket{le=\"+Inf\"%s%s} %llu\n", name, comma, labels, (unsigned long long)count);
    YK_CLEANUP(yk_buf_done) struct yk_buf part = {0};
    yk_buf_printf(&part, "%s_sum", name);
    yk__sample_double(out, yk_buf_cstr(&part), labels, histogram->sum);
    yk_buf_clear(&part);
    yk_buf_printf(&part, "%s_count", name);
    yk__sample_uint(out, yk_buf_cstr(&part), labels, count);
}
