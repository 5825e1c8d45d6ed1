/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET metrics: docs/reference/rest.md, section 10. The rows of metrics/metric_rows.h say which metrics there
 * are; for each row of the core, of nodes and of queues, a function of core/web/metrics_*.c writes the lines.
 *
 * The scheduling thread copies numbers in slices: of nodes, of each queue, of users and groups, and finally
 * the counters of the core. Numbers of queues with the same path in several partitions are added. The I/O
 * thread writes the copies as text, metric by metric, because the text format requires that the lines of a
 * metric are together.
 */
#include "web/list.h"
#include "web/metrics_priv.h"
#include "web/process_metrics.h"
#include "web/routes_priv.h"
#include "web/server_stats.h"

/* ---- the rows ---- */

#define ROW(origin, symbol, type, name, labels, series, help) origin(symbol)
#define SERVER(symbol)
#define PROCESS(symbol)
#define CLIENT(symbol)
#define SHIM(symbol)
#define PROGRAM(symbol)

static const struct core_row {
    const struct yk_metric *metric;
    void (*put)(struct yk_metric_lines *lines, const struct yk__core_numbers *core);
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

/* ---- the copies: scheduling thread ---- */

enum {
    QUEUES_PER_LOOK = 16,
    /* A walk over the queues begins again when its place is gone. After more restarts than this, it is done
     * in one slice. */
    RESTARTS_MAX = 4,
};

struct scrape {
    struct yk__node_counts nodes;
    struct yk__core_numbers core;
    /* Rows of yk__queue_sums_pack(), owned; each is the `object` of an entry of job->names. */
    struct yk_vec queues;
    /* Place of the walk over the queues. */
    size_t partition;
    struct yk_buf last; /* path of the queue visited last; empty: no queue of the partition was visited yet */
    int restarts;
    /* Usage of users, then of groups, in the first partition. */
    int usages; /* number of these two that are complete */
    bool has_names;
    /* Place in the writing of the text; I/O thread. */
    bool is_begun;
    size_t metric, queue;
    struct yk_metric_lines lines; /* lines of the present metric */
    struct yk__metric_names names;
};

static void free_scrape(void *own)
{
    struct scrape *scrape = own;
    char *text;
    yk__node_counts_done(&scrape->nodes);
    yk__core_numbers_done(&scrape->core);
    yk__queue_rows_done(&scrape->queues);
    yk_buf_done(&scrape->last);
    yk_strmap_done(&scrape->names.taken);
    yk_vec_foreach (text, &scrape->names.texts)
        free(text);
    yk_vec_done(&scrape->names.texts);
    free(scrape);
}

static struct scrape *scrape_of(struct yk_job *job)
{
    if (job->own == NULL) {
        job->own = yk_new0(struct scrape);
        job->own_free = free_scrape;
        job->names.as_paths = true;
    }
    return job->own;
}

/* Copies the numbers of the queue and of the queues with its path in later partitions. Earlier partitions
 * have no queue with this path. */
static void copy_queue(struct yk_job *job, const struct scrape *scrape, const struct yk_queue *queue)
{
    const struct yk_vec *partitions = &job->core->partitions;
    struct yk_vec *rows = &((struct scrape *)job->own)->queues;
    struct yk__queue_sums sums = {0};
    yk__queue_sums_add(&sums, queue);
    for (size_t i = scrape->partition + 1; i < partitions->count; i++) {
        const struct yk_partition *partition = partitions->items[i];
        const struct yk_queue *other = yk_queue_find(partition->root, yk_str_from(queue->path));
        if (other != NULL)
            yk__queue_sums_add(&sums, other);
    }
    if (queue->parent == NULL) /* rejected applications are in no queue; the root counts them (11.5) */
        sums.apps[YK_APP_REJECTED] += job->core->metrics.apps_rejected;
    yk__queue_sums_pack(&sums, rows);
    yk_names_add(&job->names, yk_str_from(queue->path), 0, rows->items[rows->count - 1]);
}

static bool was_copied(const struct yk_job *job, const struct scrape *scrape, const struct yk_queue *queue)
{
    for (size_t i = 0; i < scrape->partition; i++) {
        const struct yk_partition *partition = job->core->partitions.items[i];
        if (yk_queue_find(partition->root, yk_str_from(queue->path)) != NULL)
            return true;
    }
    return false;
}

static void walk_again(struct yk_job *job, struct scrape *scrape)
{
    yk__queue_rows_done(&scrape->queues);
    yk_names_clear(&job->names);
    yk_buf_clear(&scrape->last);
    scrape->partition = 0;
    scrape->restarts++;
}

/* Fetches a queue into the cache, because most of the time of a copy is spent waiting for memory. */
static void prefetch(const struct yk_queue *queue)
{
    enum { CACHE_LINE = 64 };
    for (size_t at = 0; queue != NULL && at < sizeof(*queue); at += CACHE_LINE)
        __builtin_prefetch((const char *)queue + at);
}

/* False: the slice is over. */
static bool copy_partition(struct yk_job *job, struct scrape *scrape, const struct yk_partition *partition,
                           int64_t until_mono_ns)
{
    const struct yk_queue *queue = partition->root;
    if (scrape->last.len > 0)
        queue = yk_queue_next(yk_queue_find(partition->root, yk_buf_view(&scrape->last)), partition->root);
    for (size_t seen = 1; queue != NULL; seen++) {
        const struct yk_queue *next = yk_queue_next(queue, partition->root);
        prefetch(next);
        if (!was_copied(job, scrape, queue))
            copy_queue(job, scrape, queue);
        if (seen % QUEUES_PER_LOOK == 0 && scrape->restarts <= RESTARTS_MAX &&
            yk_job_must_pause(job, until_mono_ns)) {
            yk_buf_clear(&scrape->last);
            yk_buf_text(&scrape->last, queue->path);
            return false;
        }
        queue = next;
    }
    return true;
}

static bool has_lost_its_place(const struct yk_job *job, const struct scrape *scrape)
{
    const struct yk_vec *partitions = &job->core->partitions;
    if (scrape->last.len == 0)
        return false;
    if (scrape->partition >= partitions->count)
        return true;
    const struct yk_partition *partition = partitions->items[scrape->partition];
    return yk_queue_find(partition->root, yk_buf_view(&scrape->last)) == NULL;
}

static bool copy_queues(struct yk_job *job, struct scrape *scrape, int64_t until_mono_ns)
{
    const struct yk_vec *partitions = &job->core->partitions;
    if (has_lost_its_place(job, scrape))
        walk_again(job, scrape);
    for (; scrape->partition < partitions->count; scrape->partition++) {
        if (!copy_partition(job, scrape, partitions->items[scrape->partition], until_mono_ns))
            return false;
        yk_buf_clear(&scrape->last);
    }
    return true;
}

static enum yk_step copy_usages(struct yk_job *job, struct scrape *scrape, int64_t until_mono_ns)
{
    const struct yk_vec *partitions = &job->core->partitions;
    size_t most = (size_t)job->core->metric_users;
    for (; scrape->usages < 2 && most > 0 && partitions->count > 0; scrape->usages++) {
        bool groups = scrape->usages > 0;
        if (!scrape->has_names) {
            if (!yk__collect_trackers(job, partitions->items[0], groups, until_mono_ns))
                return YK_STEP_AGAIN;
            scrape->has_names = true;
            job->sorting = &job->inner;
            return YK_STEP_SORT;
        }
        struct yk_vec *rows = groups ? &scrape->core.groups : &scrape->core.users;
        if (!yk__copy_usages(job, partitions->items[0], groups, most, rows, until_mono_ns))
            return YK_STEP_AGAIN;
        scrape->has_names = false;
    }
    return YK_STEP_DONE;
}

enum yk_step yk__get_metrics(struct yk_job *job, int64_t until_mono_ns)
{
    struct scrape *scrape = scrape_of(job);
    if (!yk__count_nodes(&scrape->nodes, job, until_mono_ns) || !copy_queues(job, scrape, until_mono_ns))
        return YK_STEP_AGAIN;
    enum yk_step step = copy_usages(job, scrape, until_mono_ns);
    if (step != YK_STEP_DONE)
        return step;
    yk__core_numbers_take(&scrape->core, job->core);
    return YK_STEP_REST;
}

/* ---- the text: I/O thread ---- */

/* Removes duplicates: a queue that was removed and added again between two slices may have been copied
 * twice. */
static void leave_out_copies(struct yk_names *names)
{
    size_t kept = YK_MIN(names->count, (size_t)1);
    for (size_t i = 1; i < names->count; i++) {
        if (!yk_str_eq(names->items[i].text, names->items[kept - 1].text))
            names->items[kept++] = names->items[i];
    }
    names->count = kept;
}

static void begin(struct yk_job *job, struct scrape *scrape)
{
    scrape->is_begun = true;
    job->answer.content_type = YK_TYPE_METRICS;
    yk_names_sort(&job->names);
    leave_out_copies(&job->names);
    for (size_t i = 0; i < YK_COUNT(core_rows); i++) {
        struct yk_metric_lines lines = yk_metric_begin(core_rows[i].metric, &job->answer.body);
        core_rows[i].put(&lines, &scrape->core);
    }
    for (size_t i = 0; i < YK_COUNT(node_rows); i++) {
        struct yk_metric_lines lines = yk_metric_begin(node_rows[i].metric, &job->answer.body);
        node_rows[i].put(&lines, &scrape->nodes);
    }
}

static void put_queue(struct scrape *scrape, const struct queue_row *row, const struct yk_name_entry *entry)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf label = {0}, text = {0};
    struct yk__queue_sums sums;
    yk__queue_sums_peek(entry->object, &sums);
    yk_metric_label(&label, "queue", entry->text);
    yk_metric_escape(&text, entry->text);
    sums.path = entry->text;
    sums.label = yk_buf_cstr(&label);
    sums.text = yk_buf_cstr(&text);
    sums.names = &scrape->names;
    row->put(&scrape->lines, &sums);
}

enum yk_step yk__write_metrics(struct yk_job *job)
{
    struct scrape *scrape = job->own;
    if (!scrape->is_begun)
        begin(job, scrape);
    for (; scrape->metric < QUEUE_ROWS; scrape->metric++, scrape->queue = 0) {
        const struct queue_row *row = &queue_rows[scrape->metric];
        if (scrape->queue == 0)
            scrape->lines = yk_metric_begin(row->metric, &job->answer.body);
        while (scrape->queue < job->names.count) {
            if (job->answer.body.len >= YK_PIECE_BYTES)
                return YK_STEP_AGAIN;
            put_queue(scrape, row, &job->names.items[scrape->queue++]);
        }
    }
    return YK_STEP_DONE;
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
