/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why pods wait: in which words it is said, and when it is said again.
 *
 * Pods that wait for the same reason are one kind: of one scheduling class and size, or held by one quota.
 * They share the words, which are looked at every YK_WORDS_LOOK_NS as long as a pod of the kind waits.
 *
 * The first condition of a pod is written at once. Each later one has to wait: new words YK_WORDS_LOOK_NS
 * after the one before, new numbers YK_COUNTS_AGAIN_NS and at the pace of YK_COUNTS_PER_S for all pods. Each
 * rewrite makes the pod's next wait four times as long, up to YK_WORDS_PAUSE_MAX_NS or
 * YK_COUNTS_PAUSE_MAX_NS, and from the second on new words must have stayed the same for that long. So words
 * that change back and forth (a reload, a queue that is full every other minute) cost few writes. A pod whose
 * condition was not written for YK_WORDS_CALM_NS starts with the short pauses again.
 *
 * An Event is written when the reason changes, not a number, and of one kind at most YK_KIND_EVENTS_BURST at
 * once and one every YK_KIND_EVENTS_NS then.
 *
 * Owns:   the kinds, and struct yk_status_record of each task that was told (errand->telling).
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 3.9 (S21, S22), docs/reference/predicates.md 1.4.
 */
#ifndef YK_BIND_UNSCHEDULABLE_H
#define YK_BIND_UNSCHEDULABLE_H

#include "app/apps.h"
#include "base/timer.h"

#define YK_WORDS_LOOK_NS       (10 * YK_NS_PER_S)
#define YK_COUNTS_AGAIN_NS     (60 * YK_NS_PER_S)
#define YK_WORDS_PAUSE_MAX_NS  (160 * YK_NS_PER_S)
#define YK_COUNTS_PAUSE_MAX_NS (600 * YK_NS_PER_S)
#define YK_WORDS_CALM_NS       (1200 * YK_NS_PER_S)
#define YK_KIND_EVENTS_NS      (3 * YK_NS_PER_S)
#define YK_REFUSED_MAX_NS      (600 * YK_NS_PER_S) /* between two tries of what is refused */

enum {
    YK_COUNTS_PER_S = 20,
    YK_KIND_EVENTS_BURST = 10,
    YK_EXPLAINED_PER_SLICE = 8, /* each costs O(nodes) */
};

struct yk_unschedulable {
    struct yk_apps *apps; /* borrowed for life, as all here */
    struct yk_timers *timers;
    const struct yk_clock *clock;
    struct yk_idmap kinds;
    struct yk_list line;     /* of kinds, in_line: who is looked at next comes first */
    struct yk_timer look;    /* brings the next round */
    int64_t counted_mono_ns; /* the pace of YK_COUNTS_PER_S; may lie a second in the past */
    unsigned explained;      /* since yk_unschedulable_begin_slice() */
};

void yk_unschedulable_init(struct yk_unschedulable *waiting, struct yk_apps *apps, struct yk_timers *timers,
                           const struct yk_clock *clock);
/* No task waits any more. */
void yk_unschedulable_done(struct yk_unschedulable *waiting);

struct yk_reason_text {
    const char *reason, *message; /* borrowed until the next call */
    uint64_t shape;               /* of the message without its numbers */
    bool is_skipped;              /* by a quota: a node would not help */
    bool condition, event;        /* to be written now; both then count as written */
};

/* A slice begins. */
void yk_unschedulable_begin_slice(struct yk_unschedulable *waiting);
/* Whether more words can be made in this slice. */
static inline bool yk_unschedulable_may_explain(const struct yk_unschedulable *waiting)
{
    return waiting->explained < YK_EXPLAINED_PER_SLICE;
}
/* The words for a task that waits, which was told errand->told by a condition. */
struct yk_reason_text yk_unschedulable_reason(struct yk_unschedulable *waiting, struct yk_task *task);
/*
 * Appends why no node takes the task: the words of its condition, or, while it has none of that kind, what
 * they would be now. Nothing if the slice has no explanation left. O(1), or O(nodes) up to
 * YK_EXPLAINED_PER_SLICE times.
 */
void yk_unschedulable_add_reason(struct yk_unschedulable *waiting, const struct yk_task *task,
                                 struct yk_buf *words);
/* The condition was not taken: it may be written again at once. */
void yk_unschedulable_not_written(struct yk_task *task);
/* It was refused for good, or was taken: the more often the former in a row, the later it is tried again. */
void yk_unschedulable_refused(const struct yk_unschedulable *waiting, struct yk_task *task);
void yk_unschedulable_accepted(struct yk_task *task);
/* The task does not wait any more, or is another kind of pod now. */
void yk_unschedulable_forget(struct yk_unschedulable *waiting, struct yk_task *task);
/* Looks at kinds whose turn it is, and appends tasks that have something to be told to `news` (in_bind).
 * True: there are more. */
bool yk_unschedulable_look(struct yk_unschedulable *waiting, struct yk_list *news);

#endif
