/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes why pods wait, as a message for conditions and Events, and decides when the message is written.
 *
 * Pods that wait for the same reason are one *kind*: they have the same scheduling class and size, or the
 * same size and the same limit. They share the message, which is computed again every YK_WORDS_LOOK_NS while
 * a pod of the kind waits. The end of the message, a sentence about a single pod (app/reason_words.h), is
 * that of the first pod of the kind. A message that differs only in this sentence is not written again.
 *
 * The first condition of a pod is written at once. A condition with another reason is written at the earliest
 * YK_WORDS_LOOK_NS after the last one, a condition in which only numbers have changed YK_COUNTS_AGAIN_NS
 * after the last one, and these for at most YK_COUNTS_PER_S pods per second. Each write makes the next delay
 * of the pod four times as long, up to YK_WORDS_PAUSE_MAX_NS or YK_COUNTS_PAUSE_MAX_NS. From the second
 * change on, a reason is written only when it has been the same for that long. So reasons that alternate,
 * such as those of a queue that is full every other minute, cause few writes. After YK_WORDS_CALM_NS without
 * a write, the delays are short again.
 *
 * The message of a condition ends with an estimate of the start (bind/start_words.h), which Events do not
 * have. The estimate is computed again YK_ESTIMATE_AGAIN_NS after the last time, for at most
 * YK_ESTIMATES_LOOKED_AT_PER_S pods per second. If it has left the range in the condition, the condition is
 * written again, for at most YK_ESTIMATES_PER_S pods per second.
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
#include "base/timer.h"
#include "bind/filter_counts.h"

#define YK_WORDS_LOOK_NS       (10 * YK_NS_PER_S)
#define YK_COUNTS_AGAIN_NS     (60 * YK_NS_PER_S)
#define YK_WORDS_PAUSE_MAX_NS  (160 * YK_NS_PER_S)
#define YK_COUNTS_PAUSE_MAX_NS (600 * YK_NS_PER_S)
#define YK_WORDS_CALM_NS       (1200 * YK_NS_PER_S)
#define YK_ESTIMATE_AGAIN_NS   (600 * YK_NS_PER_S)
#define YK_KIND_EVENTS_NS      (3 * YK_NS_PER_S)
/* The longest time between two attempts to write a condition that the API server refuses. */
#define YK_REFUSED_MAX_NS (600 * YK_NS_PER_S)

enum {
    YK_COUNTS_PER_S = 20,
    YK_ESTIMATES_LOOKED_AT_PER_S = 20,
    YK_ESTIMATES_PER_S = 1,
    YK_KIND_EVENTS_BURST = 10,
    YK_EXPLAINED_PER_SLICE = 8, /* messages that are computed in one slice; each costs O(nodes) */
};

struct yk_unschedulable {
    struct yk_apps *apps; /* borrowed for life, as the next two */
    struct yk_timers *timers;
    const struct yk_clock *clock;
    struct yk_idmap kinds;   /* struct kind by key, owned */
    struct yk_list line;     /* struct kind, in_line: the one whose message is computed next comes first */
    struct yk_timer look;    /* wakes the scheduling thread when the first of `line` is due */
    int64_t counted_mono_ns; /* state of the rate YK_COUNTS_PER_S: time of the last turn, at most 1 s ago */
    /* struct yk_status_record, in_estimates: the next one to compute comes first */
    struct yk_list estimates;
    int64_t looked_at_mono_ns;       /* state of the rate YK_ESTIMATES_LOOKED_AT_PER_S, at most 10 s ago */
    int64_t estimated_mono_ns;       /* state of the rate YK_ESTIMATES_PER_S, at most 10 s ago */
    struct yk_buf condition;         /* memory for condition_message of struct yk_reason_text */
    unsigned explained;              /* messages computed since yk_unschedulable_begin_slice() */
    struct yk_filter_counts filters; /* over the pods of all kinds */
};

/* Makes it empty. The objects are borrowed for its life. End it with yk_unschedulable_done(). */
void yk_unschedulable_init(struct yk_unschedulable *unschedulable, struct yk_apps *apps,
                           struct yk_timers *timers, const struct yk_clock *clock);
/* Frees it. yk_unschedulable_forget() must have been called for all tasks. */
void yk_unschedulable_done(struct yk_unschedulable *unschedulable);

struct yk_reason_text {
    /* Texts are borrowed until the next call of a function of this header. */
    const char *reason;            /* of the condition: "Unschedulable" or "SchedulingSkipped" */
    const char *message;           /* of the Event */
    const char *condition_message; /* `message` with the estimate of the start */
    uint64_t shape;                /* hash of `message` without its numbers */
    /* a limit holds the pod, or its gang is not complete: a node would not help */
    bool is_skipped;
    bool condition, event; /* the caller has to write the condition, the Event; they count as written */
};

/* Begins a slice of work, in which YK_EXPLAINED_PER_SLICE messages can be computed. */
void yk_unschedulable_begin_slice(struct yk_unschedulable *unschedulable);
/* Whether another message may be computed in this slice. */
static inline bool yk_unschedulable_may_explain(const struct yk_unschedulable *unschedulable)
{
    return unschedulable->explained < YK_EXPLAINED_PER_SLICE;
}
/* Why the task, for which yk_task_waits() is true, waits, and whether to write that now. The condition that
 * was written last is known by work->condition_hash: if the caller writes a condition, it sets the hash to
 * yk_task_condition_hash() of `reason` and `message`. When the answer comes, it calls
 * yk_unschedulable_accepted(), or yk_unschedulable_not_written() and maybe yk_unschedulable_refused().
 * Makes the status record, which yk_unschedulable_forget() frees. O(1), or O(nodes) if the message has to
 * be computed: the caller checks yk_unschedulable_may_explain() before. */
struct yk_reason_text yk_unschedulable_reason(struct yk_unschedulable *unschedulable, struct yk_task *task);
/*
 * Appends why no node fits the pod of the task: the message in its condition or, if that is about something
 * else, a new one. Appends nothing if no further message may be computed in this slice. O(1), or O(nodes) for
 * a new message.
 */
void yk_unschedulable_add_reason(struct yk_unschedulable *unschedulable, const struct yk_task *task,
                                 struct yk_buf *words);
/* The reason in the condition of the task, as far as it is about nodes. YK_REASON_NONE: it is about
 * something else, or none was computed. O(1). */
enum yk_si_reason yk_unschedulable_node_reason(const struct yk_task *task);
/* To be called if the condition was not accepted: it is due again at once, unless
 * yk_unschedulable_refused() is called, too. The caller has set work->condition_hash to its value before
 * the request. task->work is not NULL; no effect if it has no status record. */
void yk_unschedulable_not_written(struct yk_task *task);
/* To be called after yk_unschedulable_not_written() if the API server has refused the condition for good:
 * the next attempt is delayed by 10 s, twice as long after each further refusal, up to YK_REFUSED_MAX_NS.
 * No effect without a status record. */
void yk_unschedulable_refused(const struct yk_unschedulable *unschedulable, struct yk_task *task);
/* To be called if the condition was accepted: earlier refusals no longer count. No effect without a status
 * record. */
void yk_unschedulable_accepted(struct yk_task *task);
/* Frees the status record of the task, if it has one. To be called when the task does not wait any longer,
 * or waits as another kind of pod, and before the task is freed. */
void yk_unschedulable_forget(struct yk_unschedulable *unschedulable, struct yk_task *task);
/* Computes the messages of kinds that are due, and appends the tasks that have something to report to
 * `news` (in_bind), if they are in no other list. The caller then calls yk_unschedulable_reason() for those
 * that still wait. To be called after yk_unschedulable_begin_slice(), in each slice and after each timer,
 * because the timer `look` only wakes the thread. True: more kinds are due, and the caller calls again in
 * the next slice. */
bool yk_unschedulable_look(struct yk_unschedulable *unschedulable, struct yk_list *news);

#endif
