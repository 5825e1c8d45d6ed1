/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metrics of the core: one function for each row of metrics/metric_rows.h with the origin CORE, NODE or
 * QUEUE, `yk__metric_<symbol>`. A file core/web/metrics_*.c has some of them; CMake finds it.
 *
 * The scheduling thread copies numbers (yk__core_numbers_take(), yk__count_nodes(), yk__queue_sums_add()); the
 * functions of the rows make text of these copies, on the I/O thread.
 * Source: docs/reference/rest.md, sections 10 and 12.1.
 */
#ifndef YK_WEB_METRICS_PRIV_H
#define YK_WEB_METRICS_PRIV_H

#include "base/map.h"
#include "metrics/metric_text.h"
#include "metrics/wait_histogram.h"
#include "objects/queue.h"
#include "report/preemption_log.h"
#include "state/core.h"
#include "web/job.h"

/* Names with a path in them that are in use: the first path that maps to a name keeps it (rest.md 11.6). */
struct yk__metric_names {
    struct yk_strmap taken;
    struct yk_vec texts; /* char *, owned */
};

/* What a user or a group has in a queue and below it. */
struct yk__usage_row {
    char *name, *queue;         /* owned */
    struct yk_resvec used, max; /* max: empty without a limit */
};

/* A copy of the counters of the core. Starts as all 0. */
struct yk__core_numbers {
    struct yk_metrics metrics;
    uint64_t apps_by_state[YK_APP_STATE_COUNT]; /* over all partitions */
    struct {
        uint64_t created, stored, not_stored, collected;
    } events;
    struct {
        bool has_run;
        uint64_t failures[YK_HEALTH_CHECKS];
    } health;
    struct yk_vec configs;       /* char *, owned: the labels of each configuration in force */
    struct yk_vec users, groups; /* struct yk__usage_row, owned; empty unless they are wanted */
};

/* Copies the counters into `numbers`, which is zeroed. The caller ends it with yk__core_numbers_done(). O(partitions).
 * Scheduling thread. */
void yk__core_numbers_take(struct yk__core_numbers *numbers, const struct yk_core *core);
void yk__core_numbers_done(struct yk__core_numbers *numbers);

/* Collects the users (`groups`: the groups) of the partition in job->inner, those who use most first. False: the slice
 * is over; call it again in the next one. Scheduling thread. */
bool yk__collect_trackers(struct yk_job *job, const struct yk_partition *partition, bool groups,
                          int64_t until_mono_ns);
/* Appends a row (struct yk__usage_row, owned by `rows`) for each of the first `most` names that yk__collect_trackers()
 * has collected and yk_job_sort() has sorted. Scheduling thread. */
void yk__copy_usages(struct yk_job *job, const struct yk_partition *partition, bool groups, size_t most,
                     struct yk_vec *rows);
void yk__usage_rows_done(struct yk_vec *rows);

/* What all partitions have under one path. */
struct yk__queue_sums {
    struct yk_str path;
    const char *label; /* queue="..." */
    const char *text;  /* the path as it stands in a label */
    bool is_leaf;      /* in one of them */
    uint64_t by_state[YK_STATE_STOPPED + 1];
    double share; /* the largest one */
    uint64_t apps[YK_APP_STATE_COUNT];
    struct yk_resvec guaranteed, max, allocated, pending, preempting, headroom;
    uint64_t max_apps, containers_allocated, containers_released, apps_joined;
    int64_t draining_since_wall_ns; /* 0: none of them drains */
    uint64_t pending_asks[YK_PENDING_COUNT];
    uint8_t pending_seen; /* a bit for each of them that was ever above 0 */
    uint64_t apps_by_reason[YK_REASON_COUNT];
    uint64_t preempted_for[YK_METRIC_PREEMPTION_KINDS], evicted[YK_METRIC_PREEMPTION_KINDS];
    struct yk_queue_waits waits;
    struct yk__metric_names *names; /* of the whole answer */
};

/* Frees the amounts of `sums`. Not after yk__queue_sums_pack(). */
void yk__queue_sums_done(struct yk__queue_sums *sums);
/* Adds what the queue has to `sums`, which is all 0 before the first one. O(types + depth). Scheduling
 * thread. */
void yk__queue_sums_add(struct yk__queue_sums *sums, const struct yk_queue *queue);
/* Appends `sums` to `rows` in a form that takes less memory where counts are 0. The amounts belong to the row then.
 * End `rows` with yk__queue_rows_done(). */
void yk__queue_sums_pack(const struct yk__queue_sums *sums, struct yk_vec *rows);
/* Sets `*ret_sums` to the sums of `row`, an item of the rows of yk__queue_sums_pack(). They share the amounts
 * of the row: read only, and do not end them. */
void yk__queue_sums_peek(const void *row, struct yk__queue_sums *ret_sums);
/* Frees the rows and their amounts. */
void yk__queue_rows_done(struct yk_vec *rows);

enum { YK__NODE_RANGES = 10 };

/* What the nodes have in use. Counted in slices, so it may mix moments. Starts as all 0; the types that nodes
 * offer are held until yk__node_counts_done(). */
struct yk__node_counts {
    size_t partition, node;                          /* where the count is */
    uint64_t active, draining;                       /* counted nodes */
    uint64_t decommissioned, failed;                 /* since the start */
    uint64_t usage[YK_RESTYPE_MAX][YK__NODE_RANGES]; /* nodes per tenth in use */
    bool offered[YK_RESTYPE_MAX];                    /* some node has some of it */
};

/* Continues to count the nodes of job->core. False: `until_mono_ns` came before the last node; call it again
 * in the next slice. O(nodes) in all calls together. Scheduling thread. */
bool yk__count_nodes(struct yk__node_counts *counts, const struct yk_job *job, int64_t until_mono_ns);
void yk__node_counts_done(struct yk__node_counts *counts);

#define CORE(symbol)                                                                                         \
    void yk__metric_##symbol(struct yk_metric_lines *lines, const struct yk__core_numbers *core);
#define NODE(symbol)                                                                                         \
    void yk__metric_##symbol(struct yk_metric_lines *lines, const struct yk__node_counts *counts);
#define QUEUE(symbol)                                                                                        \
    void yk__metric_##symbol(struct yk_metric_lines *lines, const struct yk__queue_sums *sums);
#define SERVER(symbol)
#define PROCESS(symbol)
#define CLIENT(symbol)
#define SHIM(symbol)
#define PROGRAM(symbol)
#define ROW(origin, symbol, type, name, labels, series, help) origin(symbol)
#include "metrics/metric_rows.h"
#undef ROW
#undef CORE
#undef NODE
#undef QUEUE
#undef SERVER
#undef PROCESS
#undef CLIENT
#undef SHIM
#undef PROGRAM

#endif
