/* SPDX-License-Identifier: Apache-2.0 */
/* The HTML page of `yunikorn simulate --report`, with curves of the queues and a table of waiting times. */
#include "cmd/recording.h"
#include "cmd/report.h"

enum { WIDTH = 860, HEIGHT = 150 }; /* of a curve, in units of the viewBox */

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<style>\n"
    ":root{color-scheme:light dark;--used:light-dark(#4069d9,#7c9cff);--wait:light-dark(#b25e02,#f0a44b);"
    "--line:light-dark(#dde2e8,#303844);--muted:light-dark(#596372,#9aa5b4)}\n"
    "body{max-width:960px;margin:32px auto;padding:0 16px;font:14px/1.5 system-ui,sans-serif;"
    "font-variant-numeric:tabular-nums}\n"
    "h1{font-size:22px}h2{margin:32px 0 4px;font-size:15px}p,th{color:var(--muted)}\n"
    "table{width:100%;border-collapse:collapse}th{font-weight:500;text-align:left}"
    "td,th{padding:4px 8px;border-bottom:1px solid var(--line)}.n{text-align:right}\n"
    "svg{width:100%;height:auto}.used{fill:none;stroke:var(--used);stroke-width:1.5}"
    ".wait{fill:none;stroke:var(--wait);stroke-width:1.5;stroke-dasharray:3 3}.axis{stroke:var(--line)}"
    "text{fill:var(--muted);font-size:11px}\n"
    "</style>\n";

static void put_text(struct yk_buf *out, struct yk_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '<')
            yk_buf_text(out, "&lt;");
        else if (text.p[i] == '&')
            yk_buf_text(out, "&amp;");
        else if (text.p[i] == '"')
            yk_buf_text(out, "&quot;");
        else
            yk_buf_char(out, text.p[i]);
    }
}

static const char *duration(int64_t ns, char text[YK_TIME_TEXT_MAX])
{
    yk_duration_format((ns + YK_NS_PER_MS / 2) / YK_NS_PER_MS * YK_NS_PER_MS, text);
    return text;
}

struct curve {
    size_t queue;    /* index */
    bool is_waiting; /* the number of waiting pods; false: the cores in use */
};

static double value_of(const struct yk_recorded_point *point, struct curve curve)
{
    if (curve.queue >= point->queue_count)
        return 0;
    const struct yk_recorded_queue *queue = &point->queues[curve.queue];
    return curve.is_waiting ? (double)queue->waiting : (double)queue->used_milli / 1000;
}

static double highest(const struct yk_recording *recording, struct curve curve)
{
    const struct yk_recorded_point *point;
    double most = 0;
    yk_vec_foreach (point, &recording->points) {
        double value = value_of(point, curve);
        most = value > most ? value : most;
    }
    return most;
}

/* Each curve has its own scale, from 0 to its highest value. */
static void draw_curve(const struct yk_recording *recording, struct curve curve, int64_t end_ns,
                       struct yk_buf *out)
{
    const double width = WIDTH, height = HEIGHT;
    const struct yk_recorded_point *point;
    double most = highest(recording, curve);
    yk_buf_printf(out, "<polyline class=\"%s\" points=\"", curve.is_waiting ? "wait" : "used");
    yk_vec_foreach (point, &recording->points) {
        double x = end_ns > 0 ? (double)point->at_ns / (double)end_ns * width : 0;
        double y = most > 0 ? height - value_of(point, curve) / most * height : height;
        yk_buf_printf(out, "%.1f,%.1f ", x, y + 4);
    }
    yk_buf_text(out, "\"/>\n");
}

static void write_queue(const struct yk_outcome *outcome, const struct yk_recording *recording, size_t index,
                        struct yk_buf *out)
{
    const struct yk_queue_row *row = outcome->workload.queues.items[index];
    const struct curve used = {index, false}, waiting = {index, true};
    char end[YK_TIME_TEXT_MAX];
    yk_buf_text(out, "<h2>");
    put_text(out, yk_str_from(row->name));
    yk_buf_printf(
        out,
        "</h2>\n<p>solid: cores in use, up to %.1f; dashed: waiting pods, up to %.0f; %llu pods bound, "
        "%llu preempted</p>\n",
        highest(recording, used), highest(recording, waiting), (unsigned long long)row->bound,
        (unsigned long long)row->killed);
    yk_buf_printf(
        out,
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"cores in use and waiting pods over time\">"
        "<line class=\"axis\" x1=\"0\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>"
        "<text x=\"0\" y=\"%d\">0s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
        WIDTH, HEIGHT + 24, WIDTH, HEIGHT + 4, HEIGHT + 4, HEIGHT + 20, WIDTH, HEIGHT + 20,
        duration(outcome->end_ns, end));
    draw_curve(recording, waiting, outcome->end_ns, out);
    draw_curve(recording, used, outcome->end_ns, out);
    yk_buf_text(out, "</svg>\n");
}

/* A dash if no pod of the application was bound. */
static const char *wait_of(const struct yk_waits *waits, int64_t ns, char text[YK_TIME_TEXT_MAX])
{
    return waits->count > 0 ? duration(ns, text) : "–";
}

static void write_waits(const struct yk_outcome *outcome, struct yk_buf *out)
{
    struct yk_application_row *row;
    yk_buf_text(out, "<h2>Waits, from a pod's creation to its binding</h2>\n<table><thead><tr><th>Queue</th>"
                     "<th>Application</th><th class=\"n\">Pods</th><th class=\"n\">Bound</th>"
                     "<th class=\"n\">Preempted</th><th class=\"n\">p50</th><th class=\"n\">p99</th>"
                     "<th class=\"n\">Longest</th></tr></thead><tbody>\n");
    yk_vec_foreach (row, &outcome->workload.applications) {
        char p50[YK_TIME_TEXT_MAX], p99[YK_TIME_TEXT_MAX], max[YK_TIME_TEXT_MAX];
        struct yk_quantiles waits = yk_quantiles_of(&row->waits);
        yk_buf_text(out, "<tr><td>");
        put_text(out, yk_str_from(row->queue->name));
        yk_buf_text(out, "</td><td>");
        put_text(out, yk_str_from(row->name));
        yk_buf_printf(out,
                      "</td><td class=\"n\">%llu</td><td class=\"n\">%llu</td><td class=\"n\">%llu</td>"
                      "<td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n",
                      (unsigned long long)row->submitted, (unsigned long long)row->bound,
                      (unsigned long long)row->killed, wait_of(&row->waits, waits.p50_ns, p50),
                      wait_of(&row->waits, waits.p99_ns, p99), wait_of(&row->waits, waits.max_ns, max));
    }
    yk_buf_text(out, "</tbody></table>\n");
}

void yk_report_html(const struct yk_outcome *outcome, const struct yk_recording *recording,
                    struct yk_buf *out)
{
    char end[YK_TIME_TEXT_MAX];
    yk_buf_text(out, head);
    yk_buf_text(out, "<title>");
    put_text(out, outcome->scenario->name);
    yk_buf_text(out, "</title></head><body>\n<h1>");
    put_text(out, outcome->scenario->name);
    yk_buf_printf(out,
                  "</h1>\n<p>%llu pods in %s on %zu nodes, seed %llu. In use on average %.1f %% of the cores "
                  "and %.1f %% "
                  "of the memory.</p>\n",
                  (unsigned long long)outcome->workload.submitted, duration(outcome->end_ns, end),
                  outcome->nodes, (unsigned long long)outcome->seed,
                  100 * yk_mean_usage(outcome, YK_RESTYPE_VCORE),
                  100 * yk_mean_usage(outcome, YK_RESTYPE_MEMORY));
    for (size_t i = 0; i < outcome->workload.queues.count; i++)
        write_queue(outcome, recording, i, out);
    write_waits(outcome, out);
    yk_buf_text(out, "</body></html>\n");
}
