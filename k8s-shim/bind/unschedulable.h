/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes why pods wait, as a message for conditions and Events, and decides when the message is written.
 *
 * Pods that wait for the same reason are one *kind*. The pods of a kind have the same scheduling class and
 * size, or wait for the same limit and have the same size, or the shim holds them for the same reason. They
 * share the message. While a pod of the kind waits, the message is computed every YK_WORDS_LOOK_NS; with each
 * 1000 kinds, this interval grows by YK_WORDS_LOOK_NS. The message may end with a sentence about a single pod
 * (app/reason_words.h), the first pod of the kind. If only this sentence has changed, the message is not
 * written again.
 *
 * The first condition of a pod is written at once. Later conditions are delayed:
 * - A condition with another reason is written YK_WORDS_LOOK_NS after the last one, or later.
 * - A condition in which only numbers have changed is written YK_COUNTS_AGAIN_NS after the last one, or
 *   later, and on average for at most YK_COUNTS_PER_S pods per second.
 * - Each condition after the first one makes the next delay of the pod four times as long, up to
 *   YK_WORDS_PAUSE_MAX_NS or YK_COUNTS_PAUSE_MAX_NS.
 * - After the second condition, another reason is written only when it has been the same for the whole delay.
 *   So reasons that alternate, such as those of a queue that is full every other minute, cause few writes.
 * - A condition that is written YK_WORDS_CALM_NS or later after the last one counts as the second one again.
 *
 * The message of a condition may end with an estimate of the start (bind/start_words.h); that of an Event
 * does not. The estimate is computed again after YK_ESTIMATE_AGAIN_NS, or when its range has passed if that
 * is earlier, on average for at most YK_ESTIMATES_LOOKED_AT_PER_S pods per second. If the range in the
 * condition is outdated (yk_start_range_moved()), the condition is written again, on average for at most
 * YK_ESTIMATES_PER_S pods per second. While a start was never known, it is computed again after
 * YK_ESTIMATE_PASSED_NS, and then after twice the time before, up to YK_ESTIMATE_AGAIN_NS: so a condition
 * soon has the first estimate, which is one more write per pod. A range stays for at least
 * YK_ESTIMATE_PASSED_NS; each time that the range of a pod has passed makes this time four times as long, up
 * to YK_ESTIMATE_AGAIN_NS.
 *
 * An Event is written when the reason changes, but not when only numbers change. For each kind, at most
 * YK_KIND_EVENTS_BURST Events are written at once, and then one every YK_KIND_EVENTS_NS.
 *
 * Owns:   the kinds, and the status record of each task whose reason was reported (work->status_record).
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 3.9 (S21, S22), docs/reference/predicates.md 1.4.
 */
#ifndef YK_BIND_UNSCHEDULABLE_H
#define YK_BIND_UNSCHEDULABLE_H

#include "app/apps.h"
#include "base/heap.h"
#include "base/timer.h"
#include "bind/filter_counts.h"

#define YK_WORDS_LOOK_NS       (10 * YK_NS_PER_S)
#define YK_COUNTS_AGAIN_NS     (60 * YK_NS_PER_S)
#define YK_WORDS_PAUSE_MAX_NS  (160 * YK_NS_PER_S)
#define YK_COUNTS_PAUSE_MAX_NS (600 * YK_NS_PER_S)
#define YK_WORDS_CALM_NS       (1200 * YK_NS_PER_S)
#define YK_ESTIMATE_AGAIN_NS   (600 * YK_NS_PER_S)
#define YK_ESTIMATE_PASSED_NS  (60 * YK_NS_PER_S)
#define YK_KIND_EVENTS_NS      (3 * YK_NS_PER_S)
/* The longest delay after a condition that the API server has refused. */
#define YK_REFUSED_MAX_NS (600 * YK_NS_PER_S)

enum {
    YK_COUNTS_PER_S = 20,
    YK_ESTIMATES_LOOKED_AT_PER_S = 20,
    YK_ESTIMATES_PER_S = 1,
    YK_KIND_EVENTS_BURST = 10,
    /* messages about nodes or gangs that are computed in one slice; those about nodes cost O(nodes) */
    YK_EXPLAINED_PER_SLICE = 8,
};

struct yk_unschedulable {
    struct yk_apps *apps;         /* borrowed for life */
    struct yk_timers *timers;     /* borrowed for life */
    const struct yk_clock *clock; /* borrowed for life */
    struct yk_idmap kinds;        /* struct kind by key, owned */
    struct yk_list line;          /* struct kind, in_line, in the order in which the messages are computed */
    struct yk_timer look;         /* wakes the scheduling thread when a message is to be computed */
    int64_t counted_mono_ns;      /* the last turn that the rate YK_COUNTS_PER_S has given */
    /* struct yk_status_record, by in_estimates, in the order in which the estimates are computed */
    struct yk_heap estimates;
    uint64_t estimate_sequence;      /* grows with each entry of `estimates` */
    int64_t looked_at_mono_ns;       /* the last turn that the rate YK_ESTIMATES_LOOKED_AT_PER_S has given */
    int64_t estimated_mono_ns;       /* the last turn that the rate YK_ESTIMATES_PER_S has given */
    struct yk_buf condition;         /* memory for condition_message of struct yk_reason_text */
    unsigned explained;              /* messages about nodes or gangs that were computed in this slice */
    struct yk_filter_counts filters; /* counts the pods of all kinds */
};

/* Makes `unschedulable` without kinds. The objects are borrowed for its life. The caller ends it with
 * yk_unschedulable_done(). */
void yk_unschedulable_init(struct yk_unschedulable *unschedulable, struct yk_apps *apps,
                           struct yk_timers *timers, const struct yk_clock *clock);
/* Frees the contents. yk_unschedulable_forget() must have been called for all tasks. */
void yk_unschedulable_done(struct yk_unschedulable *unschedulable);

struct yk_reason_text {
    /* Texts are borrowed until the next call of a function of this header. */
    const char *reason;            /* the reason in the condition: "Unschedulable" or "SchedulingSkipped" */
    const char *message;           /* the message of the Event */
    const char *condition_message; /* the message of the condition: `message` and an estimate of the start */
    /* hash of `reason`, and of `message` without numbers and without the sentence after the token */
    uint64_t shape;
    /* a limit holds the pod, or its gang is not complete: a node would not help */
    bool is_skipped;
    /* whether the caller has to write the condition, and the Event; if so, they count as written */
    bool condition, event;
};

/* Begins a slice of work (YK_EXPLAINED_PER_SLICE). */
void yk_unschedulable_begin_slice(struct yk_unschedulable *unschedulable);
/* Whether another message may be computed in this slice. */
static inline bool yk_unschedulable_may_explain(const struct yk_unschedulable *unschedulable)
{
    return unschedulable->explained < YK_EXPLAINED_PER_SLICE;
}
/* Why the task waits, and whether to write this now. yk_task_waits() must be true for the task. A caller that
 * writes the condition sets work->condition_hash, which identifies the last condition, to
 * yk_task_condition_hash() of `reason` and `message`. When the answer comes, the caller calls
 * yk_unschedulable_accepted(), or yk_unschedulable_not_written() and maybe yk_unschedulable_refused(). Makes
 * the status record, which yk_unschedulable_forget() frees. O(1), or O(nodes) if the message has to be
 * computed. This function does not check yk_unschedulable_may_explain(): a caller with many tasks does. */
struct yk_reason_text yk_unschedulable_reason(struct yk_unschedulable *unschedulable, struct yk_task *task);
/*
 * Appends why no node fits the pod of the task: the message of the kind of the pod. If the pod is of no
 * kind, or if its message is about a limit or a hold, this is the message of the kind of pods that are like
 * it and wait for nodes. Computes nothing: appends nothing if no such message is stored. O(1).
 */
void yk_unschedulable_add_reason(const struct yk_unschedulable *unschedulable, const struct yk_task *task,
                                 struct yk_buf *words);
/* What was stored about nodes with the message that yk_unschedulable_add_reason() appends. All YK_REASON_NONE
 * if it appends nothing. O(1). */
struct yk_si_node_reason yk_unschedulable_node_reason(const struct yk_unschedulable *unschedulable,
                                                      const struct yk_task *task);
/* The condition was not accepted: it is due again at once, or later if yk_unschedulable_refused() is called
 * next. Before, the caller resets work->condition_hash to its value from before the request. task->work is
 * not NULL. No effect without a status record. */
void yk_unschedulable_not_written(struct yk_task *task);
/* The API server has refused the condition, and the request is not repeated: delays the next condition by
 * 10 s. Each further refusal doubles this delay, up to YK_REFUSED_MAX_NS. To be called after
 * yk_unschedulable_not_written(). No effect without a status record. */
void yk_unschedulable_refused(const struct yk_unschedulable *unschedulable, struct yk_task *task);
/* The condition was accepted: the delay after the next refusal is 10 s again. No effect without a status
 * record. */
void yk_unschedulable_accepted(struct yk_task *task);
/* Frees the status record of the task, if there is one. To be called when the task no longer waits, when it
 * waits for another reason, and before it is freed. */
void yk_unschedulable_forget(struct yk_unschedulable *unschedulable, struct yk_task *task);
/* Computes the messages that are due. Appends the tasks that have something to report and whose in_bind is in
 * no list to `news`. The caller then calls yk_unschedulable_reason() for the tasks of `news` that still wait.
 * To be called in each slice, after yk_unschedulable_begin_slice(). A slice must follow each timer, because
 * the timer `look` only wakes the thread. True: more messages are due, and the caller calls again in the next
 * slice. */
bool yk_unschedulable_look(struct yk_unschedulable *unschedulable, struct yk_list *news);

#endif
