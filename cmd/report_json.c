/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report.h"

#include "base/json_writer.h"

static void put_uint(struct yk_json *json, const char *key, uint64_t number)
{
    yk_json_key(json, key);
    yk_json_uint(json, number);
}

static void put_int(struct yk_json *json, const char *key, int64_t number)
{
    yk_json_key(json, key);
    yk_json_int(json, number);
}

static void put_double(struct yk_json *json, const char *key, double number)
{
    yk_json_key(json, key);
    yk_json_double(json, number);
}

static void put_text(struct yk_json *json, const char *key, const char *text)
{
    yk_json_key(json, key);
    yk_json_text(json, text);
}

/* Cores in thousandths, memory in bytes. */
static void put_amounts(struct yk_json *json, const char *key, const struct yk_resvec *amounts)
{
    int types[YK_RESTYPE_MAX];
    int count = yk_restype_sorted(types);
    yk_json_key(json, key);
    yk_json_object_begin(json);
    for (int i = 0; i < count; i++) {
        if (yk_resvec_has(amounts, types[i]))
            put_int(json, yk_restype_name(types[i]), amounts->v[types[i]]);
    }
    yk_json_object_end(json);
}

static void put_application(struct yk_json *json, struct yk_application_row *row)
{
    struct yk_quantiles waits = yk_quantiles_of(&row->waits);
    yk_json_object_begin(json);
    put_text(json, "application", row->name);
    put_text(json, "queue", row->queue->name);
    put_uint(json, "applications", row->applications);
    put_uint(json, "submitted", row->submitted);
    put_uint(json, "bound", row->bound);
    put_uint(json, "running", row->running);
    put_uint(json, "ended", row->ended);
    put_uint(json, "removed", row->removed);
    put_uint(json, "resubmitted", row->resubmitted);
    put_int(json, "lastEndNs", row->last_end_ns);
    yk_json_key(json, "waitNs");
    yk_json_object_begin(json);
    put_int(json, "p50", waits.p50_ns);
    put_int(json, "p99", waits.p99_ns);
    put_int(json, "max", waits.max_ns);
    yk_json_object_end(json);
    yk_json_object_end(json);
}

static void put_queue(struct yk_json *json, const struct yk_queue_row *row)
{
    yk_json_object_begin(json);
    put_text(json, "queue", row->name);
    put_uint(json, "submitted", row->submitted);
    put_uint(json, "bound", row->bound);
    put_uint(json, "waiting", row->waiting);
    put_amounts(json, "highest", &row->highest);
    yk_json_object_end(json);
}

static void put_reload(struct yk_json *json, const struct yk_reload *reload)
{
    yk_json_object_begin(json);
    put_int(json, "atNs", reload->at_ns);
    yk_json_key(json, "queues");
    yk_json_array_begin(json);
    for (size_t i = 0; i < reload->queue_count; i++) {
        const struct yk_reload_queue *queue = &reload->queues[i];
        yk_json_object_begin(json);
        put_text(json, "queue", queue->queue->name);
        put_uint(json, "waiting", queue->waiting);
        put_amounts(json, "before", &queue->before);
        put_amounts(json, "highestAfter", &queue->after);
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
    yk_json_object_end(json);
}

static void put_rows(struct yk_json *json, const struct yk_workload *workload)
{
    struct yk_application_row *application;
    const struct yk_queue_row *queue;
    const struct yk_reload *reload;
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
}

static void put_usage(struct yk_json *json, const struct yk_outcome *outcome)
{
    yk_json_key(json, "nodes");
    yk_json_object_begin(json);
    put_uint(json, "count", outcome->nodes);
    put_double(json, "meanCores", yk_mean_usage(outcome, YK_RESTYPE_VCORE));
    put_double(json, "meanMemory", yk_mean_usage(outcome, YK_RESTYPE_MEMORY));
    put_double(json, "highestCores", yk_highest_usage(outcome, YK_RESTYPE_VCORE));
    put_double(json, "highestMemory", yk_highest_usage(outcome, YK_RESTYPE_MEMORY));
    yk_json_object_end(json);
}

static void put_server(struct yk_json *json, const struct yk_cluster_stats *stats)
{
    yk_json_key(json, "server");
    yk_json_object_begin(json);
    put_uint(json, "binds", stats->binds);
    put_uint(json, "bindRefusals", stats->bind_refusals);
    put_uint(json, "deletes", stats->deletes);
    put_uint(json, "statusPatches", stats->status_patches);
    put_uint(json, "events", stats->events);
    put_uint(json, "faults", stats->faults);
    put_uint(json, "watchEvents", stats->watch_events);
    put_uint(json, "lists", stats->relists);
    put_uint(json, "doubleBinds", stats->double_binds);
    put_uint(json, "overcommits", stats->overcommits);
    yk_json_object_end(json);
}

static void put_timing(struct yk_json *json, const struct yk_outcome *outcome)
{
    yk_json_key(json, "real");
    yk_json_object_begin(json);
    put_int(json, "ns", outcome->real_ns);
    put_double(json, "decisionsPerSecond", yk_decisions_per_second(outcome));
    yk_json_object_end(json);
}

void yk_report_json(const struct yk_outcome *outcome, bool with_timing, struct yk_buf *out)
{
    struct yk_json *json = yk_new0(struct yk_json);
    yk_json_init(json, out);
    yk_json_object_begin(json);
    yk_json_key(json, "scenario");
    yk_json_str(json, outcome->scenario->name);
    put_uint(json, "seed", outcome->seed);
    put_int(json, "endNs", outcome->end_ns);
    put_uint(json, "decisions", outcome->decisions);
    put_uint(json, "reloadsRefused", outcome->reloads_refused);
    put_rows(json, &outcome->workload);
    put_usage(json, outcome);
    put_server(json, &outcome->cluster);
    yk_json_key(json, "broken");
    if (outcome->broken.text[0] != '\0')
        yk_json_text(json, outcome->broken.text);
    else
        yk_json_null(json);
    if (with_timing)
        put_timing(json, outcome);
    yk_json_object_end(json);
    yk_buf_char(out, '\n');
    free(json);
}
