/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET metrics: docs/reference/rest.md, section 10. The rows of metrics/metric_rows.h say which metrics there
 * are; a function of core/web/metrics_*.c writes the lines of each. Nodes are counted in slices. Then queues are
 * visited in slices; each adds its lines to the buffer of each metric, since the text format wants the lines of a metric together. Queues
 * of the same path in several partitions are summed.
 */
#include "web/list.h"
#include "web/metrics_priv.h"
#include "web/process_metrics.h"
#include "web/routes_priv.h"
#include "web/server_stats.h"

/* ---- the rows that the scheduling thread writes ---- */

#define ROW(origin, symbol, type, name, labels, series, help) origin(symbol)
#define SERVER(symbol)
#define PROCESS(symbol)
#define CLIENT(symbol)
#define SHIM(symbol)
#define PROGRAM(symbol)

static const struct core_row {
    const struct yk_metric *metric;
    void (*put)(struct yk_metric_lines *lines, const struct yk_core *core);
} core_rows[] = {
#define CORE(symbol) {&yk_metric_##symbol, yk__metric_##symbol},
#define NODE(symbol)
#define QUEUE(symbol)
#include "metrics/metric_rows.h"
#undef CORE
#undef NODE
#undef QUEUE
};

static const struct node_row {
    const struct yk_metric *metric;
    void (*put)(struct yk_metric_lines *lines, const struct yk__node_counts *counts);
} node_rows[] = {
#define CORE(symbol)
#define NODE(symbol) {&yk_metric_##symbol, yk__metric_##symbol},
#define QUEUE(symbol)
#include "metrics/metric_rows.h"
#undef CORE
#undef NODE
#undef QUEUE
};

static const struct queue_row {
    const struct yk_metric *metric;
    void (*put)(struct yk_metric_lines *lines, const struct yk__queue_sums *sums);
} queue_rows[] = {
#define CORE(symbol)
#define NODE(symbol)
#define QUEUE(symbol) {&yk_metric_##symbol, yk__metric_##symbol},
#include "metrics/metric_rows.h"
#undef CORE
#undef NODE
#undef QUEUE
};
#undef ROW

enum { QUEUE_ROWS = YK_COUNT(queue_rows) };

/* ---- queues ---- */

struct families {
    struct yk_buf lines[QUEUE_ROWS]; /* without # HELP and # TYPE */
    struct yk__metric_names names;
    struct yk__node_counts nodes;
};

static void free_families(void *own)
{
    struct families *families = own;
    char *text;
    for (size_t i = 0; i < QUEUE_ROWS; i++)
        yk_buf_done(&families->lines[i]);
    yk_strmap_done(&families->names.taken);
    yk_vec_foreach (text, &families->names.texts)
        free(text);
    yk_vec_done(&families->names.texts);
    free(families);
}

static struct families *families_new(struct yk_job *job)
{
    struct families *families = yk_new0(struct families);
    for (size_t i = 0; i < QUEUE_ROWS; i++)
        families->lines[i].max = YK_ANSWER_BODY_MAX;
    job->own = families;
    job->own_free = free_families;
    return families;
}

static void put_queue(struct families *families, const struct yk__queue_sums *sums)
{
    for (size_t i = 0; i < QUEUE_ROWS; i++) {
        struct yk_metric_lines lines = {&families->lines[i], queue_rows[i].metric, true};
        queue_rows[i].put(&lines, sums);
    }
}

/* False: no partition has a queue of that path now. */
static bool add_queues(const struct yk_core *core, struct yk_str path, struct yk__queue_sums *sums)
{
    const struct yk_partition *partition;
    bool found = false;
    yk_vec_foreach (partition, &core->partitions) {
        const struct yk_queue *queue = yk_queue_find(partition->root, path);
        if (queue != NULL)
            yk__queue_sums_add(sums, queue);
        found = found || queue != NULL;
    }
    return found;
}

static enum yk_step show_queue(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns)
{
    struct families *families = job->own;
    YK_CLEANUP(yk_buf_done) struct yk_buf label = {0}, text = {0};
    (void)until_mono_ns;
    if (job->at > 0 && yk_str_eq(entry->text, job->names.items[job->at - 1].text))
        return YK_STEP_DONE; /* the same path in another partition */
    yk_metric_label(&label, "queue", entry->text);
    yk_metric_escape(&text, entry->text);
    YK_CLEANUP(yk__queue_sums_done)
    struct yk__queue_sums sums = {.path = entry->text,
                                  .label = yk_buf_cstr(&label),
                                  .text = yk_buf_cstr(&text),
                                  .names = &families->names};
    if (!add_queues(job->core, entry->text, &sums))
        return YK_STEP_DONE;            /* gone since */
    if (yk_str_is(entry->text, "root")) /* rejected ones are in no queue (11.5) */
        sums.apps[YK_APP_REJECTED] += job->core->metrics.apps_rejected;
    put_queue(families, &sums);
    return YK_STEP_DONE;
}

/* First the nodes, in slices, then the names of the queues. */
static enum yk_list_open collect(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition;
    struct families *families = job->own != NULL ? job->own : families_new(job);
    if (!yk__count_nodes(&families->nodes, job, until_mono_ns))
        return YK_LIST_MORE;
    yk_vec_foreach (partition, &job->core->partitions) {
        for (const struct yk_queue *q = partition->root; q != NULL; q = yk_queue_next(q, partition->root))
            yk_names_add(&job->names, yk_str_from(q->path), 0, NULL);
    }
    return YK_LIST_READY;
}

/* ---- the whole ---- */

static void begin(struct yk_job *job)
{
    const struct families *families = job->own;
    job->answer.content_type = YK_TYPE_METRICS;
    for (size_t i = 0; i < YK_COUNT(core_rows); i++) {
        struct yk_metric_lines lines = yk_metric_begin(core_rows[i].metric, &job->answer.body);
        core_rows[i].put(&lines, job->core);
    }
    for (size_t i = 0; i < YK_COUNT(node_rows); i++) {
        struct yk_metric_lines lines = yk_metric_begin(node_rows[i].metric, &job->answer.body);
        node_rows[i].put(&lines, &families->nodes);
    }
}

static bool has_own_names(const struct yk_metric *metric)
{
    return strchr(metric->name, '<') != NULL;
}

static void end(struct yk_job *job)
{
    struct families *families = job->own;
    struct yk_buf *out = &job->answer.body;
    for (size_t i = 0; i < QUEUE_ROWS; i++) {
        const struct yk_metric *metric = queue_rows[i].metric;
        if (families->lines[i].len > 0 && !has_own_names(metric))
            yk_metric_head(metric, metric->name, out);
        yk_buf_str(out, yk_buf_view(&families->lines[i]));
        out->failed = out->failed || families->lines[i].failed;
    }
}

static const struct yk_list_kind queues = {
    .open = collect, .item = show_queue, .begin = begin, .end = end, .as_paths = true};

enum yk_step yk__get_metrics(struct yk_job *job, int64_t until_mono_ns)
{
    return yk_list_work(job, &queues, until_mono_ns);
}

void yk__finish_metrics(struct yk_job *job)
{
    if (job->answer.status != 200)
        return;
    yk__process_metrics(&job->answer.body);
    if (job->stats == NULL)
        return;
    yk_server_stats_render(job->stats, &job->answer.body);
    if (job->stats->put_more_metrics != NULL)
        job->stats->put_more_metrics(job->stats->more_metrics_context, &job->answer.body);
}
