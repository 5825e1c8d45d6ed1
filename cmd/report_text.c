/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report.h"

#include "cmd/goals.h"

/* Formats a duration, rounded to milliseconds: "1.234s", "12ms". */
static const char *duration(int64_t ns, char text[YK_TIME_TEXT_MAX])
{
    yk_duration_format((ns + YK_NS_PER_MS / 2) / YK_NS_PER_MS * YK_NS_PER_MS, text);
    return text;
}

/* A dash if no pod of the application was bound. printf() counts bytes, and the dash has three of them, so
 * spaces fill the column here. */
static const char *wait_of(const struct yk_waits *waits, int64_t ns, char text[YK_TIME_TEXT_MAX])
{
    return waits->count > 0 ? duration(ns, text) : "         –";
}

static double cores(const struct yk_resvec *amounts)
{
    return (double)yk_resvec_get(amounts, YK_RESTYPE_VCORE) / 1000;
}

static double gib(const struct yk_resvec *amounts)
{
    return (double)yk_resvec_get(amounts, YK_RESTYPE_MEMORY) / (double)(1 << 30);
}

/* Sum of all types that are named like nvidia.com/gpu. */
static int64_t gpus(const struct yk_resvec *amounts)
{
    int64_t sum = 0;
    for (int type = 0; type < yk_restype_count(); type++) {
        const char *name = yk_restype_name(type), *end = name != NULL ? strrchr(name, '/') : NULL;
        if (end != NULL && strcmp(end, "/gpu") == 0)
            sum = yk_i64_add(sum, yk_resvec_get(amounts, type));
    }
    return sum;
}

static bool has_gpus(const struct yk_outcome *outcome)
{
    const struct yk_queue_row *row;
    yk_vec_foreach (row, &outcome->workload.queues) {
        if (gpus(&row->highest) > 0)
            return true;
    }
    return false;
}

static void print_applications(const struct yk_outcome *outcome, struct yk_buf *out)
{
    struct yk_application_row *row;
    yk_buf_printf(out, "\n%-22s %-20s %8s %8s %8s %8s %9s %10s %10s %10s\n", "QUEUE", "APPLICATION", "PODS",
                  "BOUND", "ENDED", "WAITING", "PREEMPTED", "WAIT P50", "P99", "MAX");
    yk_vec_foreach (row, &outcome->workload.applications) {
        char name[256], p50[YK_TIME_TEXT_MAX], p99[YK_TIME_TEXT_MAX], max[YK_TIME_TEXT_MAX];
        struct yk_quantiles waits = yk_quantiles_of(&row->waits);
        if (row->applications > 1)
            (void)snprintf(name, sizeof(name), "%s (%llu)", row->name,
                           (unsigned long long)row->applications); /* longer names are cut */
        else
            (void)snprintf(name, sizeof(name), "%s", row->name); /* longer names are cut */
        uint64_t waiting = row->submitted - row->ended - row->refused - row->running - row->removed;
        yk_buf_printf(out, "%-22s %-20s %8llu %8llu %8llu %8llu %9llu %10s %10s %10s\n", row->queue->name,
                      name, (unsigned long long)row->submitted, (unsigned long long)row->bound,
                      (unsigned long long)row->ended, (unsigned long long)waiting,
                      (unsigned long long)row->killed, wait_of(&row->waits, waits.p50_ns, p50),
                      wait_of(&row->waits, waits.p99_ns, p99), wait_of(&row->waits, waits.max_ns, max));
    }
}

static void print_queues(const struct yk_outcome *outcome, struct yk_buf *out)
{
    const struct yk_queue_row *row;
    bool with_gpus = has_gpus(outcome);
    yk_buf_printf(out, "\n%-22s %8s %8s %8s %9s %14s %14s%s\n", "QUEUE", "PODS", "BOUND", "WAITING",
                  "PREEMPTED", "CORES AT MOST", "GIB AT MOST", with_gpus ? "   GPUS AT MOST" : "");
    yk_vec_foreach (row, &outcome->workload.queues) {
        yk_buf_printf(out, "%-22s %8llu %8llu %8llu %9llu %14.1f %14.1f", row->name,
                      (unsigned long long)row->submitted, (unsigned long long)row->bound,
                      (unsigned long long)row->waiting, (unsigned long long)row->killed, cores(&row->highest),
                      gib(&row->highest));
        if (with_gpus)
            yk_buf_printf(out, " %14lld", (long long)gpus(&row->highest));
        yk_buf_char(out, '\n');
    }
}

static void print_reload(const struct yk_workload_reload *reload, struct yk_buf *out)
{
    char at[YK_TIME_TEXT_MAX];
    yk_buf_printf(out, "\nreload of the queues at %s:\n", duration(reload->at_ns, at));
    for (size_t i = 0; i < reload->queue_count; i++) {
        const struct yk_reload_queue *queue = &reload->queues[i];
        yk_buf_printf(out, "  %-20s  %llu pods waited; cores in use %.1f, afterwards up to %.1f\n",
                      queue->queue->name, (unsigned long long)queue->waiting, cores(&queue->before),
                      cores(&queue->after));
    }
}

static void print_reloads(const struct yk_workload *workload, struct yk_buf *out)
{
    const struct yk_workload_reload *reload;
    if (workload->reloads_left_out > 0)
        yk_buf_printf(out, "\n%llu earlier reloads of the queues are left out\n",
                      (unsigned long long)workload->reloads_left_out);
    yk_vec_foreach (reload, &workload->reloads)
        print_reload(reload, out);
}

static void print_samples(const struct yk_samples *samples, struct yk_buf *out)
{
    const struct yk_simulation_sample *sample;
    if (samples->items.count > 0)
        yk_buf_printf(out, "\n%-12s %-22s %9s %9s %9s %9s %8s %9s %8s\n", "AT", "QUEUE", "CORES", "GIB",
                      "PENDING", "GIB", "SHARE", "RESERVED", "KILLED");
    yk_vec_foreach (sample, &samples->items) {
        char at[YK_TIME_TEXT_MAX];
        for (size_t i = 0; i < sample->queue_count; i++) {
            const struct yk_queue_sample *queue = &sample->queues[i];
            yk_buf_printf(out, "%-12s %-22s %9.1f %9.1f %9.1f %9.1f %8.3f %9.1f %8llu\n",
                          duration(sample->at_ns, at), queue->queue, cores(&queue->used), gib(&queue->used),
                          cores(&queue->pending), gib(&queue->pending), queue->share, cores(&queue->reserved),
                          (unsigned long long)queue->killed);
        }
    }
}

static void print_goals(const struct yk_outcome *outcome, struct yk_buf *out)
{
    YK_CLEANUP(yk_verdicts_done) struct yk_verdicts verdicts;
    yk_goals_judge(outcome, &verdicts);
    yk_buf_printf(out, "\n%-40s %10s    %10s\n", "GOAL", "VALUE", "BOUND");
    for (size_t i = 0; i < verdicts.count; i++) {
        const struct yk_goal_verdict *verdict = &verdicts.items[i];
        yk_buf_printf(out, "%-40s %10.3f %s %10.3f  %s", verdict->what, verdict->value,
                      verdict->is_maximum ? "<=" : ">=", verdict->bound,
                      verdict->reached ? "reached" : "MISSED");
        if (!yk_str_empty(verdict->exception))
            yk_buf_printf(out, " (does not apply: " YK_STR_FMT ")", YK_STR_ARG(verdict->exception));
        yk_buf_char(out, '\n');
    }
    yk_buf_printf(out, "goals %s, in %llu samples", verdicts.reached ? "reached" : "missed",
                  (unsigned long long)outcome->figures.samples);
    if (outcome->figures.worst[0] != '\0')
        yk_buf_printf(out, "; overtaken longest: %s", outcome->figures.worst);
    yk_buf_char(out, '\n');
}

static void print_usage(const struct yk_outcome *outcome, struct yk_buf *out)
{
    yk_buf_printf(out,
                  "\nnodes: %zu; in use on average %.1f %% of the cores and %.1f %% of the memory, at most "
                  "%.1f %% and %.1f %%\n",
                  outcome->nodes, 100 * yk_mean_usage(outcome, YK_RESTYPE_VCORE),
                  100 * yk_mean_usage(outcome, YK_RESTYPE_MEMORY),
                  100 * yk_highest_usage(outcome, YK_RESTYPE_VCORE),
                  100 * yk_highest_usage(outcome, YK_RESTYPE_MEMORY));
}

static void print_trouble(const struct yk_outcome *outcome, struct yk_buf *out)
{
    const struct yk_cluster_stats *stats = &outcome->cluster;
    uint64_t resubmitted = 0;
    const struct yk_application_row *row;
    yk_vec_foreach (row, &outcome->workload.applications)
        resubmitted += row->resubmitted;
    const struct yk_workload_refusal *refusal;
    yk_vec_foreach (refusal, &outcome->workload.refusals)
        yk_buf_printf(out, "%llu pod%s refused%s%s: %s\n", (unsigned long long)refusal->pods,
                      refusal->pods == 1 ? "" : "s", refusal->row != NULL ? ", queue " : "",
                      refusal->row != NULL ? refusal->row->queue->name : "", refusal->reason);
    if (stats->faults > 0 || stats->bind_refusals > 0)
        yk_buf_printf(out, "requests that met a fault: %llu; bindings refused by the server: %llu\n",
                      (unsigned long long)stats->faults, (unsigned long long)stats->bind_refusals);
    if (resubmitted > 0)
        yk_buf_printf(out, "pods lost and submitted again: %llu\n", (unsigned long long)resubmitted);
    if (outcome->reloads_refused > 0)
        yk_buf_printf(out, "configurations refused: %llu\n", (unsigned long long)outcome->reloads_refused);
}

static void print_verdict(const struct yk_outcome *outcome, struct yk_buf *out)
{
    uint64_t binds = outcome->cluster.binds, of_workload = outcome->workload.bound;
    if (outcome->broken.text[0] != '\0') {
        yk_buf_printf(out, "BROKEN: %s\n", outcome->broken.text);
        return;
    }
    yk_buf_printf(out, "all %llu bound pods", (unsigned long long)binds);
    if (binds > of_workload) /* the tables do not count them */
        yk_buf_printf(out, " (%llu of them placeholders of gangs)",
                      (unsigned long long)(binds - of_workload));
    yk_buf_text(out, " were bound once, no node beyond what it has\n");
}

/* ---- colours ---- */

static bool starts(struct yk_str line, const char *text)
{
    return yk_str_starts(line, text);
}

/* The escape sequence for a line; NULL: the line has no colour. */
static const char *colour_of(struct yk_str line)
{
    if (starts(line, "QUEUE ") || starts(line, "AT ") || starts(line, "GOAL ") || starts(line, "scenario "))
        return "\x1b[1m"; /* bold */
    if (starts(line, "BROKEN:") || starts(line, "goals missed"))
        return "\x1b[31m"; /* red */
    if (starts(line, "all ") || starts(line, "goals reached"))
        return "\x1b[32m"; /* green */
    if (memmem(line.p, line.len, " pods refused", strlen(" pods refused")) != NULL ||
        starts(line, "pods lost") || starts(line, "configurations"))
        return "\x1b[33m"; /* yellow */
    return NULL;
}

static void paint(struct yk_str plain, struct yk_buf *out)
{
    struct yk_str line;
    while (yk_str_split(&plain, '\n', &line)) {
        const char *colour = colour_of(line);
        if (colour != NULL)
            yk_buf_text(out, colour);
        yk_buf_str(out, line);
        if (colour != NULL)
            yk_buf_text(out, "\x1b[0m");
        if (plain.p != NULL)
            yk_buf_char(out, '\n');
    }
}

static void write_text(const struct yk_outcome *outcome, bool with_timing, struct yk_buf *out)
{
    char end[YK_TIME_TEXT_MAX];
    yk_buf_printf(out, "scenario '" YK_STR_FMT "', seed %llu: %llu pods in %s\n",
                  YK_STR_ARG(outcome->scenario->name), (unsigned long long)outcome->seed,
                  (unsigned long long)outcome->workload.submitted, duration(outcome->end_ns, end));
    print_applications(outcome, out);
    print_queues(outcome, out);
    print_reloads(&outcome->workload, out);
    print_samples(&outcome->samples, out);
    if (outcome->scenario->sample_ns > 0)
        print_goals(outcome, out);
    print_usage(outcome, out);
    print_trouble(outcome, out);
    print_verdict(outcome, out);
    if (with_timing)
        yk_buf_printf(out, "real time: %.3f s, %.0f decisions/s\n",
                      (double)outcome->real_ns / (double)YK_NS_PER_S, yk_decisions_per_second(outcome));
}

void yk_report_text(const struct yk_outcome *outcome, bool with_timing, bool with_colour, struct yk_buf *out)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf plain = {0};
    write_text(outcome, with_timing, with_colour ? &plain : out);
    if (with_colour)
        paint(yk_buf_view(&plain), out);
}
