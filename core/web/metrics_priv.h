/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metrics of the core: for each row of metrics/metric_rows.h with the origin CORE, NODE or QUEUE, a
 * function yk__metric_<symbol> that writes its lines. The functions are in core/web/metrics_*.c; CMake finds
 * these files.
 *
 * The scheduling thread copies numbers (yk__core_numbers_take(), yk__copy_usages(), yk__count_nodes(),
 * yk__queue_sums_add()). On the I/O thread, the functions of the rows write these copies as text.
 *
 * Thread: I/O thread for yk__metric_<symbol>; any for the others, except where their comments say otherwise.
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

/* Metric names made from queue paths. Two paths may give the same name: the first one keeps it (rest.md
 * 11.6). */
struct yk__metric_names {
    struct yk_strmap taken; /* the names; a value is the name itself */
    struct yk_vec texts;    /* char *, owned: the texts in `taken` */
};

/* What a user or a group uses in a queue and the queues below it. */
struct yk__usage_row {
    char *name, *queue;         /* owned */
    struct yk_resvec used, max; /* base units; `max` is empty if no amounts are limited */
};

/* A copy of the counters of the core. A zeroed one is empty. */
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
    struct yk_vec users, groups; /* struct yk__usage_row, owned: rows of yk__copy_usages(); or empty */
};

/* Copies the counters into `numbers`, which is zeroed, but may have `users` and `groups`: these two stay as
 * they are. The caller ends `numbers` with yk__core_numbers_done(). O(partitions). Scheduling thread. */
void yk__core_numbers_take(struct yk__core_numbers *numbers, const struct yk_core *core);
void yk__core_numbers_done(struct yk__core_numbers *numbers);

/* Adds the names of the users (or the groups, if `groups`) of the partition to job->inner, with ranks: those
 * that use most come first after sorting. True: all were added; the caller sets job->sorting to &job->inner,
 * and its work returns YK_STEP_SORT. False: the slice is over at `until_mono_ns`; call it again in the next
 * one. Scheduling thread. */
bool yk__collect_trackers(struct yk_job *job, const struct yk_partition *partition, bool groups,
                          int64_t until_mono_ns);
/* Appends rows (struct yk__usage_row, owned by `rows`) for the first `most` names that yk__collect_trackers()
 * has collected and yk_job_sort() has sorted; at most ROWS_MAX rows (metrics_users.c). False: the slice is
 * over at `until_mono_ns`; call it again in the next one. End `rows` with yk__usage_rows_done(). Scheduling
 * thread. */
bool yk__copy_usages(struct yk_job *job, const struct yk_partition *partition, bool groups, size_t most,
                     struct yk_vec *rows, int64_t until_mono_ns);
void yk__usage_rows_done(struct yk_vec *rows);

/* The sums over the queues with one path in all partitions. */
struct yk__queue_sums {
    struct yk_str path;
    const char *label;                       /* the label queue="..." */
    const char *text;                        /* the path, escaped for a label */
    bool is_leaf;                            /* one of the queues is a leaf */
    uint64_t by_state[YK_STATE_STOPPED + 1]; /* number of queues; index: enum yk_object_state */
    double share;                            /* the largest share among the queues */
    uint64_t apps[YK_APP_STATE_COUNT];
    struct yk_resvec guaranteed, max, allocated, pending, preempting, headroom;
    uint64_t max_apps, containers_allocated, containers_released, apps_joined;
    int64_t draining_since_wall_ns; /* of the one that began first; 0: none of the queues drains */
    uint64_t pending_asks[YK_PENDING_COUNT];
    uint8_t pending_seen; /* bit i is set if pending_asks[i] was above 0 at some time */
    uint64_t apps_by_reason[YK_REASON_COUNT];
    uint64_t preempted_for[YK_METRIC_PREEMPTION_KINDS], evicted[YK_METRIC_PREEMPTION_KINDS];
    struct yk_queue_waits waits;
    struct yk__metric_names *names; /* borrowed: the names of the whole answer */
};

/* Frees the amounts of `sums`. Do not call it after yk__queue_sums_pack(). */
void yk__queue_sums_done(struct yk__queue_sums *sums);
/* Adds the numbers of the queue to `sums`, which is zeroed before the first queue. O(types + depth).
 * Scheduling thread. */
void yk__queue_sums_add(struct yk__queue_sums *sums, const struct yk_queue *queue);
/* Appends `sums` to `rows` in a form that needs less memory where counts are 0. The amounts are moved to the
 * row: `sums` must not be ended. End `rows` with yk__queue_rows_done(). */
void yk__queue_sums_pack(const struct yk__queue_sums *sums, struct yk_vec *rows);
/* Sets `*ret_sums` to the sums of `row`, an item of the rows of yk__queue_sums_pack(). Its amounts are
 * borrowed from the row: do not change or end them. */
void yk__queue_sums_peek(const void *row, struct yk__queue_sums *ret_sums);
/* Frees the rows and their amounts. */
void yk__queue_rows_done(struct yk_vec *rows);

enum { YK__NODE_RANGES = 10 }; /* [0,10%], (10%,20%], ..., (90%,100%] */

/* Counts of nodes, made in slices, so they may be from different moments. Zero the struct before the first
 * yk__count_nodes(). The types that nodes offer are held until yk__node_counts_done(). */
struct yk__node_counts {
    size_t partition, node;                          /* indexes of what is counted next */
    uint64_t active, draining;                       /* all nodes; of these, those that are not schedulable */
    uint64_t decommissioned, failed;                 /* nodes since the start of the process */
    uint64_t usage[YK_RESTYPE_MAX][YK__NODE_RANGES]; /* nodes by the part of the type in use */
    bool offered[YK_RESTYPE_MAX];                    /* some node offers the type */
};

/* Continues to count the nodes of job->core. False: the slice is over at `until_mono_ns`; call it again
 * in the next one. O(nodes) in all calls together. Scheduling thread. */
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
