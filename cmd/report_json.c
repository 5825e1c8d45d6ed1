/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report.h"

#include "base/json_writer.h"
#include "cmd/goals.h"

#include <math.h>

/* Puts amounts in base units: milli-CPU, bytes, counts. */
static void put_amounts(struct yk_json *json, const char *key, const struct yk_resvec *amounts)
{
    yk_json_key(json, key);
    yk_resvec_json(amounts, json);
}

static void put_application(struct yk_json *json, struct yk_application_row *row)
{
    struct yk_quantiles waits = yk_quantiles_of(&row->waits);
    yk_json_object_begin(json);
    yk_json_add_text(json, "application", row->name);
    yk_json_add_text(json, "queue", row->queue->name);
    yk_json_add_uint(json, "applications", row->applications);
    yk_json_add_uint(json, "submitted", row->submitted);
    yk_json_add_uint(json, "bound", row->bound);
    yk_json_add_uint(json, "running", row->running);
    yk_json_add_uint(json, "ended", row->ended);
    yk_json_add_uint(json, "refused", row->refused);
    yk_json_add_uint(json, "removed", row->removed);
    yk_json_add_uint(json, "resubmitted", row->resubmitted);
    yk_json_add_int(json, "lastEndNs", row->last_end_ns);
    yk_json_key(json, "waitNs");
    yk_json_object_begin(json);
    yk_json_add_int(json, "p50", waits.p50_ns);
    yk_json_add_int(json, "p99", waits.p99_ns);
    yk_json_add_int(json, "max", waits.max_ns);
    yk_json_object_end(json);
    yk_json_object_end(json);
}

static void put_queue(struct yk_json *json, const struct yk_queue_row *row)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "queue", row->name);
    yk_json_add_uint(json, "submitted", row->submitted);
    yk_json_add_uint(json, "bound", row->bound);
    yk_json_add_uint(json, "waiting", row->waiting);
    put_amounts(json, "highest", &row->highest);
    yk_json_object_end(json);
}

static void put_reload(struct yk_json *json, const struct yk_workload_reload *reload)
{
    yk_json_object_begin(json);
    yk_json_add_int(json, "atNs", reload->at_ns);
    yk_json_key(json, "queues");
    yk_json_array_begin(json);
    for (size_t i = 0; i < reload->queue_count; i++) {
        const struct yk_reload_queue *queue = &reload->queues[i];
        yk_json_object_begin(json);
        yk_json_add_text(json, "queue", queue->queue->name);
        yk_json_add_uint(json, "waiting", queue->waiting);
        put_amounts(json, "before", &queue->before);
        put_amounts(json, "highestAfter", &queue->after);
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
    yk_json_object_end(json);
}

static void put_refusals(struct yk_json *json, const struct yk_workload *workload)
{
    const struct yk_workload_refusal *refusal;
    yk_json_key(json, "refusals");
    yk_json_array_begin(json);
    yk_vec_foreach (refusal, &workload->refusals) {
        yk_json_object_begin(json);
        if (refusal->row != NULL) {
            yk_json_add_text(json, "application", refusal->row->name);
            yk_json_add_text(json, "queue", refusal->row->queue->name);
        }
        yk_json_add_text(json, "reason", refusal->reason);
        yk_json_add_uint(json, "pods", refusal->pods);
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
}

static void put_rows(struct yk_json *json, const struct yk_workload *workload)
{
    struct yk_application_row *application;
    const struct yk_queue_row *queue;
    const struct yk_workload_reload *reload;
    yk_json_key(json, "applications");
    yk_json_array_begin(json);
    yk_vec_foreach (application, &workload->applications)
        put_application(json, application);
    yk_json_array_end(json);
    yk_json_key(json, "queues");
    yk_json_array_begin(json);
    yk_vec_foreach (queue, &workload->queues)
        put_queue(json, queue);
    yk_json_array_end(json);
    yk_json_key(json, "reloads");
    yk_json_array_begin(json);
    yk_vec_foreach (reload, &workload->reloads)
        put_reload(json, reload);
    yk_json_array_end(json);
    yk_json_add_uint(json, "reloadsLeftOut", workload->reloads_left_out);
}

static void put_usage(struct yk_json *json, const struct yk_outcome *outcome)
{
    yk_json_key(json, "nodes");
    yk_json_object_begin(json);
    yk_json_add_uint(json, "count", outcome->nodes);
    yk_json_add_double(json, "meanCores", yk_mean_usage(outcome, YK_RESTYPE_VCORE));
    yk_json_add_double(json, "meanMemory", yk_mean_usage(outcome, YK_RESTYPE_MEMORY));
    yk_json_add_double(json, "highestCores", yk_highest_usage(outcome, YK_RESTYPE_VCORE));
    yk_json_add_double(json, "highestMemory", yk_highest_usage(outcome, YK_RESTYPE_MEMORY));
    yk_json_object_end(json);
}

static void put_server(struct yk_json *json, const struct yk_cluster_stats *stats)
{
    yk_json_key(json, "server");
    yk_json_object_begin(json);
    yk_json_add_uint(json, "binds", stats->binds);
    yk_json_add_uint(json, "bindRefusals", stats->bind_refusals);
    yk_json_add_uint(json, "deletes", stats->deletes);
    yk_json_add_uint(json, "statusPatches", stats->status_patches);
    yk_json_add_uint(json, "events", stats->events);
    yk_json_add_uint(json, "faults", stats->faults);
    yk_json_add_uint(json, "watchEvents", stats->watch_events);
    yk_json_add_uint(json, "lists", stats->relists);
    yk_json_add_uint(json, "doubleBinds", stats->double_binds);
    yk_json_add_uint(json, "overcommits", stats->overcommits);
    yk_json_object_end(json);
}

static void put_timing(struct yk_json *json, const struct yk_outcome *outcome)
{
    yk_json_key(json, "real");
    yk_json_object_begin(json);
    yk_json_add_int(json, "ns", outcome->real_ns);
    yk_json_add_double(json, "decisionsPerSecond", yk_decisions_per_second(outcome));
    yk_json_object_end(json);
}

static void put_queue_sample(struct yk_json *json, const struct yk_queue_sample *queue)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "queue", queue->queue);
    put_amounts(json, "used", &queue->used);
    put_amounts(json, "pending", &queue->pending);
    yk_json_add_double(json, "share", queue->share);
    put_amounts(json, "reserved", &queue->reserved);
    yk_json_add_uint(json, "killed", queue->killed);
    yk_json_object_end(json);
}

static void put_samples(struct yk_json *json, const struct yk_samples *samples)
{
    const struct yk_simulation_sample *sample;
    yk_json_key(json, "samples");
    yk_json_array_begin(json);
    yk_vec_foreach (sample, &samples->items) {
        yk_json_object_begin(json);
        yk_json_add_int(json, "atNs", sample->at_ns);
        yk_json_key(json, "queues");
        yk_json_array_begin(json);
        for (size_t i = 0; i < sample->queue_count; i++)
            put_queue_sample(json, &sample->queues[i]);
        yk_json_array_end(json);
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
}

/* Infinite and undefined values become null. */
static void put_number(struct yk_json *json, const char *key, double value)
{
    yk_json_key(json, key);
    if (isfinite(value))
        yk_json_double(json, value);
    else
        yk_json_null(json);
}

static void put_verdict(struct yk_json *json, const struct yk_goal_verdict *verdict)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "what", verdict->what);
    put_number(json, "value", verdict->value);
    put_number(json, verdict->is_maximum ? "atMost" : "atLeast", verdict->bound);
    yk_json_add_bool(json, "reached", verdict->reached);
    if (!yk_str_empty(verdict->exception)) {
        yk_json_key(json, "notApplicable");
        yk_json_str(json, verdict->exception);
    }
    yk_json_object_end(json);
}

static void put_figures(struct yk_json *json, const struct yk_steady_figures *figures)
{
    yk_json_add_uint(json, "samples", figures->samples);
    yk_json_add_double(json, "jainMean", figures->jain_mean);
    yk_json_add_double(json, "jainMin", figures->jain_min);
    yk_json_add_double(json, "jainRawMean", figures->jain_raw_mean);
    yk_json_add_double(json, "jainRawMin", figures->jain_raw_min);
    yk_json_add_double(json, "used", figures->used);
    yk_json_add_double(json, "reserved", figures->reserved);
    yk_json_add_int(json, "longestRunNs", figures->longest_run_ns);
    yk_json_add_uint(json, "firstInOrder", figures->heads);
    yk_json_key(json, "overtakenNs");
    yk_json_object_begin(json);
    yk_json_add_int(json, "p99", figures->overtaken_p99_ns);
    yk_json_add_int(json, "max", figures->overtaken_worst_ns);
    yk_json_add_text(json, "pod", figures->worst);
    yk_json_object_end(json);
    yk_json_add_uint(json, "killed", figures->killed);
    put_number(json, "killsRatio", figures->kills_ratio);
}

static void put_steady(struct yk_json *json, const struct yk_outcome *outcome)
{
    YK_CLEANUP(yk_verdicts_done) struct yk_verdicts verdicts;
    yk_goals_judge(outcome, &verdicts);
    yk_json_key(json, "steady");
    yk_json_object_begin(json);
    put_figures(json, &outcome->figures);
    yk_json_key(json, "goals");
    yk_json_array_begin(json);
    for (size_t i = 0; i < verdicts.count; i++)
        put_verdict(json, &verdicts.items[i]);
    yk_json_array_end(json);
    yk_json_add_bool(json, "reached", verdicts.reached);
    yk_json_object_end(json);
}

void yk_report_json(const struct yk_outcome *outcome, bool with_timing, struct yk_buf *out)
{
    struct yk_json *json = yk_new0(struct yk_json);
    yk_json_init(json, out);
    yk_json_object_begin(json);
    yk_json_key(json, "scenario");
    yk_json_str(json, outcome->scenario->name);
    yk_json_add_uint(json, "seed", outcome->seed);
    yk_json_add_int(json, "endNs", outcome->end_ns);
    yk_json_add_uint(json, "decisions", outcome->decisions);
    yk_json_add_uint(json, "reloadsRefused", outcome->reloads_refused);
    put_rows(json, &outcome->workload);
    put_refusals(json, &outcome->workload);
    put_usage(json, outcome);
    put_server(json, &outcome->cluster);
    yk_json_key(json, "broken");
    if (outcome->broken.text[0] != '\0')
        yk_json_text(json, outcome->broken.text);
    else
        yk_json_null(json);
    if (outcome->scenario->sample_ns > 0)
        put_samples(json, &outcome->samples);
    if (outcome->scenario->sample_ns > 0)
        put_steady(json, outcome);
    if (with_timing)
        put_timing(json, outcome);
    yk_json_object_end(json);
    yk_buf_char(out, '\n');
    free(json);
}
