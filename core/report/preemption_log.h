/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log of the last victims of preemption: which allocation had to end, for which ask, and why.
 *
 * Owns:   yk_partition.preemptions, yk_queue.preempted_for and yk_queue.evicted.
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md 12.6.
 */
#ifndef YK_REPORT_PREEMPTION_LOG_H
#define YK_REPORT_PREEMPTION_LOG_H

#include "resources/resvec.h"
#include "state/partition.h"

enum { YK_PREEMPTION_LOG_MAX = 1000 };

enum yk_preemption_kind {
    YK_PREEMPTION_GUARANTEE, /* for an ask of a queue below its guarantee */
    YK_PREEMPTION_QUOTA,     /* because a queue uses more than its maximum */
    YK_PREEMPTION_DAEMON,    /* for an ask that may run on the victim's node only */
    YK_PREEMPTION_GANG,      /* for a gang or an ask that gets its nodes in a handover (gangs/handover.h) */
};
/* "guarantee", "quota", "daemonset", "gang"; static. */
const char *yk_preemption_kind_name(enum yk_preemption_kind kind);

/* The victim or the ask for which it ends. */
struct yk_preemption_side {
    /* Owned. All NULL: no ask. `namespace_` and `object_name` as from yk_rm_call_ask_name(). */
    char *key, *object_name, *namespace_, *application_id, *queue_name, *user;
    struct yk_resvec resource; /* size of the allocation or ask */
};

struct yk_preemption {
    int64_t wall_ns; /* when the victim was asked to end */
    enum yk_preemption_kind kind;
    struct yk_preemption_side victim, preemptor;
    char *node_id; /* owned: of the victim */
    char *message; /* owned: the sentence for users */
};

struct yk_preemption_log {
    uint64_t total; /* entries ever added */
    /* entry n (from 0) is at index n modulo YK_PREEMPTION_LOG_MAX */
    struct yk_preemption entries[YK_PREEMPTION_LOG_MAX];
};

/* Adds an entry for each of the `count` (may be 0) victims; call it before they are asked to end.
 * `preemptor`: the ask for which they end; NULL: none. `queue`: for YK_PREEMPTION_QUOTA the queue above its
 * maximum, else NULL. Also adds to the timelines of the victims' applications, and to the metrics. All
 * arguments are borrowed for the call. The caller then calls yk_victims_take(), which does not add
 * entries. */
void yk_preemption_note(struct yk_partition *partition, struct yk_ask *const *victims, size_t count,
                        enum yk_preemption_kind kind, const struct yk_ask *preemptor, struct yk_queue *queue);
/* The entry that was added `age` entries before the last one (0: the last one), borrowed until the next
 * yk_preemption_note(). NULL: there is none, or it is no longer kept. */
const struct yk_preemption *yk_preemption_at(const struct yk_partition *partition, uint64_t age);
/* The number of entries that are kept, at most YK_PREEMPTION_LOG_MAX. */
uint64_t yk_preemption_kept(const struct yk_partition *partition);
/* NULL is fine. */
void yk_preemption_log_free(struct yk_preemption_log *log);

#endif
