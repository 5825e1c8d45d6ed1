/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last victims of preemption: which allocation had to end, for whom, and why.
 *
 * Owns: yk_partition.preemptions, yk_queue.preempted_for and yk_queue.evicted.
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md 12.2.
 */
#ifndef YK_REPORT_PREEMPTION_LOG_H
#define YK_REPORT_PREEMPTION_LOG_H

#include "resources/resvec.h"
#include "state/partition.h"

enum { YK_PREEMPTION_LOG_MAX = 1000 };

enum yk_preemption_kind {
    YK_PREEMPTION_GUARANTEE, /* for an ask of a queue below its guarantee */
    YK_PREEMPTION_QUOTA,     /* the maximum of the queue was lowered */
    YK_PREEMPTION_DAEMON,    /* for an ask that may run on that node only */
    YK_PREEMPTION_GANG,      /* an incomplete gang gives way */
};
/* "guarantee", "quota", "daemonset", "gang"; static. */
const char *yk_preemption_kind_name(enum yk_preemption_kind kind);

struct yk_preemption_side { /* owned texts; all NULL: there is no such side */
    char *key, *object_name, *namespace_, *application_id, *queue_name, *user;
    struct yk_resvec resource;
};

struct yk_preemption {
    int64_t wall_ns;
    enum yk_preemption_kind kind;
    struct yk_preemption_side victim, preemptor;
    char *node_id, *message; /* owned */
};

struct yk_preemption_log {
    uint64_t total;                                      /* ever */
    struct yk_preemption entries[YK_PREEMPTION_LOG_MAX]; /* entry n at n modulo the size */
};

/* `victims` are about to be asked to end. `preemptor`: for whom; NULL: for no ask. `queue`: whose maximum was
 * lowered, of YK_PREEMPTION_QUOTA; else NULL. Writes the timelines of the victims, too. */
void yk_preemption_note(struct yk_partition *partition, struct yk_ask *const *victims, size_t count,
                        enum yk_preemption_kind kind, const struct yk_ask *preemptor, struct yk_queue *queue);
/* The entry that came `age` entries before the last one (0: the last one), borrowed until the next
 * yk_preemption_note(). NULL: there is none, or it is no longer kept. */
const struct yk_preemption *yk_preemption_at(const struct yk_partition *partition, uint64_t age);
/* The number of entries that are kept, at most YK_PREEMPTION_LOG_MAX. */
uint64_t yk_preemption_kept(const struct yk_partition *partition);
/* NULL is fine. */
void yk_preemption_log_free(struct yk_preemption_log *log);

#endif
