/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why pods wait: the reason as a sentence, and when it is written again.
 *
 * Pods that wait for the same reason are one kind: they have the same scheduling class and size, or have the
 * same size and are held by the same limit. They share the reason, which is computed again every
 * YK_WORDS_LOOK_NS as long as a pod of the kind waits. The sentence behind the token of the reason
 * (app/reason_words.h) is that of one of them; a message that differs in its sentence only is not written
 * again.
 *
 * The first condition of a pod is written at once. Later ones are delayed: another reason by YK_WORDS_LOOK_NS
 * after the previous one, other numbers by YK_COUNTS_AGAIN_NS and at a rate of YK_COUNTS_PER_S for all pods.
 * Each write makes the pod's next delay four times as long, up to YK_WORDS_PAUSE_MAX_NS or
 * YK_COUNTS_PAUSE_MAX_NS; from the second one on, another reason must have been the same for that long. So
 * reasons that alternate (a reload, a queue that is full every other minute) cost few writes. The delays are
 * short again after YK_WORDS_CALM_NS without a write.
 *
 * The message of a condition ends in an estimate of the start (bind/start_words.h), which Events do not have. The
 * estimate counts as a number of its own: it is looked at YK_ESTIMATE_AGAIN_NS after it was written or looked at, for at
 * most YK_ESTIMATES_LOOKED_AT_PER_S pods in a second, and a condition is written again for it alone if it has left the
 * written range, for at most YK_ESTIMATES_PER_S pods in a second.
 *
 * An Event is written when the reason changes, but not when only a number changes: for each kind, at most
 * YK_KIND_EVENTS_BURST at once, and then one every YK_KIND_EVENTS_NS.
 *
 * Owns:   the kinds, and the struct yk_status_record of each task whose reason was reported
 * (work->status_record).
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 3.9 (S21, S22), docs/reference/predicates.md 1.4.
 */
#ifndef YK_BIND_UNSCHEDULABLE_H
#define YK_BIND_UNSCHEDULABLE_H

#include "app/apps.h"
#include "base/timer.h"
#include "bind/filter_counts.h"

#define YK_WORDS_LOOK_NS       (10 * YK_NS_PER_S)
#define YK_COUNTS_AGAIN_NS     (60 * YK_NS_PER_S)
#define YK_WORDS_PAUSE_MAX_NS  (160 * YK_NS_PER_S)
#define YK_COUNTS_PAUSE_MAX_NS (600 * YK_NS_PER_S)
#define YK_WORDS_CALM_NS       (1200 * YK_NS_PER_S)
#define YK_ESTIMATE_AGAIN_NS   (600 * YK_NS_PER_S)
#define YK_KIND_EVENTS_NS      (3 * YK_NS_PER_S)
#define YK_REFUSED_MAX_NS                                                                                    \
    (600 * YK_NS_PER_S) /* longest time between two attempts to write a refused condition */

enum {
    YK_COUNTS_PER_S = 20,
    YK_ESTIMATES_LOOKED_AT_PER_S = 20,
    YK_ESTIMATES_PER_S = 1,
    YK_KIND_EVENTS_BURST = 10,
    YK_EXPLAINED_PER_SLICE = 8, /* each costs O(nodes) */
};

struct yk_unschedulable {
    struct yk_apps *apps; /* borrowed for life, as the next two */
    struct yk_timers *timers;
    const struct yk_clock *clock;
    struct yk_idmap kinds;
    struct yk_list line;       /* of kinds, in_line: the next one to compute comes first */
    struct yk_timer look;      /* starts the next round */
    int64_t counted_mono_ns;   /* for the rate of YK_COUNTS_PER_S; may be a second in the past */
    struct yk_list estimates;  /* of status records, in_estimates: the next one to look at comes first */
    int64_t looked_at_mono_ns; /* for the rate of YK_ESTIMATES_LOOKED_AT_PER_S; may be 10 s in the past */
    int64_t estimated_mono_ns; /* for the rate of YK_ESTIMATES_PER_S; may be 10 s in the past */
    struct yk_buf condition;   /* the message of the condition that is to be written */
    unsigned explained;        /* since yk_unschedulable_begin_slice() */
    struct yk_filter_counts filters; /* of the pods of all kinds */
};

/* Makes it empty. The pointers are borrowed for life. End it with yk_unschedulable_done(). */
void yk_unschedulable_init(struct yk_unschedulable *unschedulable, struct yk_apps *apps,
                           struct yk_timers *timers, const struct yk_clock *clock);
/* Frees it. No task waits. */
void yk_unschedulable_done(struct yk_unschedulable *unschedulable);

struct yk_reason_text {
    const char *reason, *message;  /* borrowed until the next call, as the next one */
    const char *condition_message; /* the message with the estimate of the start */
    uint64_t shape;                /* of the message without its numbers */
    bool is_skipped;               /* held by a limit: a node would not help */
    bool condition, event;         /* to write now; both count as written afterwards */
};

/* Begins a slice of work. */
void yk_unschedulable_begin_slice(struct yk_unschedulable *unschedulable);
/* Whether another reason can be computed in this slice. */
static inline bool yk_unschedulable_may_explain(const struct yk_unschedulable *unschedulable)
{
    return unschedulable->explained < YK_EXPLAINED_PER_SLICE;
}
/* The reason why the task, which waits, does so, and whether to write it, compared with the condition that
 * was written last (work->condition_hash). O(1), or O(nodes) if it has to be computed; see
 * yk_unschedulable_may_explain(). */
struct yk_reason_text yk_unschedulable_reason(struct yk_unschedulable *unschedulable, struct yk_task *task);
/*
 * Appends why no node fits the task: the reason in its condition or, if it has none of that kind, the present
 * one. Appends nothing if the slice allows no further computation. O(1), or O(nodes) up to
 * YK_EXPLAINED_PER_SLICE times.
 */
void yk_unschedulable_add_reason(struct yk_unschedulable *unschedulable, const struct yk_task *task,
                                 struct yk_buf *words);
/* The reason in the condition of a pod that no node takes; YK_REASON_NONE: it shows none of that kind.
 * O(1). */
enum yk_si_reason yk_unschedulable_node_reason(const struct yk_task *task);
/* Tells that the condition could not be sent: it is due again at once. */
void yk_unschedulable_not_written(struct yk_task *task);
/* Tells that the API server refused the condition for good. Each consecutive refusal makes the next attempt
 * later, up to YK_REFUSED_MAX_NS. */
void yk_unschedulable_refused(const struct yk_unschedulable *unschedulable, struct yk_task *task);
/* Tells that the condition was accepted: the next attempt is not delayed by earlier refusals. */
void yk_unschedulable_accepted(struct yk_task *task);
/* Frees what is kept for the task: it no longer waits, or waits as another kind of pod. */
void yk_unschedulable_forget(struct yk_unschedulable *unschedulable, struct yk_task *task);
/* Computes kinds that are due, and appends tasks with something to report to `news` (in_bind). True: there
 * are more. */
bool yk_unschedulable_look(struct yk_unschedulable *unschedulable, struct yk_list *news);

#endif
