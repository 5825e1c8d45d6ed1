/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/unschedulable.h"

#include "api/encode.h"
#include "app/reason_words.h"
#include "bind/start_words.h"
#include "predicates/explain.h"

#define FRESH_NS YK_NS_PER_S /* a message or an estimate of this age is not used for the next pod */

enum {
    KINDS_PER_SLICE = 64,
    /* with each 1000 kinds, the time until a message is computed again grows by YK_WORDS_LOOK_NS */
    KINDS_PER_LOOK = 1000,
    ESTIMATES_PER_SLICE = 8,
    ESTIMATES_BURST_S = 10, /* how long unused turns of a rate of estimates are kept */
    PASSED_MAX = 2,
    UNKNOWN_MAX = 4,  /* looks at an unknown start after which they are YK_ESTIMATE_AGAIN_NS apart */
    REWRITES_MAX = 4, /* rewrites after which the delay does not grow further */
};

struct kind {
    /* Fixed for life. */
    uint64_t key;
    yk_si_class class_;   /* not counted, because the tasks of the pods hold references */
    struct yk_size *size; /* counted; NULL if `hold` is not NULL */
    /* counted; the limit that the pods wait for; NULL: they wait for nodes, or because of `hold` */
    struct yk_interned *quota;
    /* counted; a reason that the core reports in addition to that about nodes; NULL: there is none */
    struct yk_interned *note;
    struct yk_interned *hold; /* counted; why the shim does not submit the pods to the core; NULL: it does */
    bool is_gang;             /* the pods are held because their gang is not complete */
    bool never_preempts, no_victims; /* the pods may not preempt others; the core has found no victims */
    struct yk_si_why why;            /* the reason of the core; YK_REASON_NONE if it is about nodes */
    /* May change. */
    struct yk_si_node_reason node_reason; /* of the message; all YK_REASON_NONE if it is not about nodes */
    struct yk_list pods;      /* struct yk_status_record, in_kind; the kind is freed with the last one */
    uint32_t pod_count;       /* length of `pods` */
    uint32_t filters;         /* one bit per filter that refuses nodes (bind/filter_counts.h) */
    struct yk_list in_line;   /* in unschedulable->line */
    int64_t due_mono_ns;      /* when the message is to be computed again */
    int64_t made_mono_ns;     /* when the message was computed last */
    char *message;            /* owned; NULL: not computed yet */
    uint64_t told;            /* yk_task_condition_hash() of reason and message */
    uint64_t shape;           /* hash of reason and message without numbers */
    int64_t shape_mono_ns;    /* since when the shape has been the same */
    int64_t event_mono_ns;    /* the last turn that the rate of Events of this kind has given */
    bool outdated;            /* the condition or the Event of a pod may not have the present message */
    struct yk_si_start start; /* an estimate for one of the pods, without `queue` */
    int64_t start_mono_ns;    /* when `start` was made; valid if start.waits */
};

/* The reports about one waiting task. */
struct yk_status_record {
    struct yk_list in_kind;
    struct yk_task *task;
    struct kind *kind;
    bool is_written; /* this process has sent a condition of the pod, and the request has not failed */
    /* determines the delay: how many conditions were written after the first one, up to REWRITES_MAX */
    uint8_t rewrites;
    int64_t joined_mono_ns;  /* since when the task has been of this kind */
    int64_t written_mono_ns; /* when the condition was written last */
    uint64_t written_shape;  /* shape of the message in the condition */
    uint64_t event_shape;    /* shape of the message in the last Event; 0: no Event was written */
    /* no condition is written before this time, because the last one was refused */
    int64_t not_before_mono_ns;
    /* in unschedulable->estimates once the pod has a condition */
    struct yk_heap_entry in_estimates;
    int64_t estimate_due_mono_ns; /* when the estimate is to be computed again */
    uint64_t estimate_sequence;   /* orders records with the same due time */
    uint8_t passed;               /* how many ranges in the condition have passed, up to PASSED_MAX */
    /* how often the start was unknown when it was looked at, up to UNKNOWN_MAX; UNKNOWN_MAX once it was
     * known */
    uint8_t unknown;
    struct yk_start_range start; /* the estimate in the condition */
    bool is_estimate_outdated;   /* the condition is to be written again, with another range than `start` */
    uint32_t refusals;           /* conditions in a row that the API server has refused */
};

static void look_is_due(struct yk_timer *timer)
{
    (void)timer; /* nothing to do: the thread calls yk_unschedulable_look() after each timer */
}

static bool is_estimate_before(const struct yk_heap_entry *a, const struct yk_heap_entry *b)
{
    const struct yk_status_record *left = YK_CONTAINER(a, const struct yk_status_record, in_estimates),
                                  *right = YK_CONTAINER(b, const struct yk_status_record, in_estimates);
    if (left->estimate_due_mono_ns != right->estimate_due_mono_ns)
        return left->estimate_due_mono_ns < right->estimate_due_mono_ns;
    return left->estimate_sequence < right->estimate_sequence;
}

void yk_unschedulable_init(struct yk_unschedulable *unschedulable, struct yk_apps *apps,
                           struct yk_timers *timers, const struct yk_clock *clock)
{
    *unschedulable = (struct yk_unschedulable){.apps = apps, .timers = timers, .clock = clock};
    unschedulable->counted_mono_ns = yk_clock_mono_ns(clock) - YK_NS_PER_S;
    unschedulable->looked_at_mono_ns = unschedulable->estimated_mono_ns = unschedulable->counted_mono_ns;
    unschedulable->condition.max = YK_CONDITION_MESSAGE_BYTES_MAX;
    unschedulable->look.fire = look_is_due;
    yk_list_init(&unschedulable->line);
    unschedulable->estimates.before = is_estimate_before;
}

void yk_unschedulable_done(struct yk_unschedulable *unschedulable)
{
    yk_timer_cancel(unschedulable->timers, &unschedulable->look);
    YK_ASSERT(unschedulable->kinds.count == 0);
    YK_ASSERT(unschedulable->estimates.count == 0);
    yk_heap_done(&unschedulable->estimates);
    yk_idmap_done(&unschedulable->kinds);
    yk_buf_done(&unschedulable->condition);
}

void yk_unschedulable_begin_slice(struct yk_unschedulable *unschedulable)
{
    unschedulable->explained = 0;
}

/* ---- reasons ---- */

/* A part of a message without the number at its beginning. Such parts are "2 Insufficient cpu" and "0/5 nodes
 * are available". */
static struct yk_str without_count(struct yk_str part)
{
    size_t at = 0;
    while (at < part.len && ((part.p[at] >= '0' && part.p[at] <= '9') || part.p[at] == '/'))
        at++;
    bool is_count = at > 0 && at < part.len && part.p[at] == ' ';
    return is_count ? (struct yk_str){part.p + at, part.len - at} : part;
}

/* A hash that is the same for messages that differ only in numbers, even if the numbers change the order of
 * the parts. */
static uint64_t shape_of(struct yk_str reason, struct yk_str message)
{
    uint64_t sum = yk_hash(reason.p, reason.len);
    message = yk_reason_words_lasting(message);
    size_t begin = 0;
    for (size_t at = 0; at <= message.len; at++) {
        bool ends = at == message.len || (at + 1 < message.len && message.p[at + 1] == ' ' &&
                                          strchr(",:.", message.p[at]) != NULL);
        if (!ends)
            continue;
        struct yk_str part = without_count((struct yk_str){message.p + begin, at - begin});
        if (yk_str_ends(part, "."))
            part.len--;
        sum += yk_hash_u64(yk_hash(part.p, part.len));
        begin = at + 2;
    }
    return sum | 1;
}

static const char *reason_of(const struct kind *kind)
{
    return kind->quota != NULL || kind->is_gang ? "SchedulingSkipped" : "Unschedulable";
}

/*
 * Appends the same text about preemption as kube-scheduler (predicates.md 1.4, item 4). The text begins with
 * words about resource claims, which this scheduler does not deallocate.
 */
static void say_preemption(struct yk_unschedulable *unschedulable, const struct kind *kind,
                           struct yk_buf *text)
{
    if (!kind->never_preempts && !kind->no_victims)
        return;
    yk_buf_text(text, " no new claims to deallocate, preemption: ");
    if (kind->never_preempts)
        yk_buf_text(text, "not eligible due to preemptionPolicy=Never.");
    else
        yk_explain_preemption(&unschedulable->apps->classes, kind->class_, kind->size, text);
}

/* ---- reasons of the core ---- */

static struct yk_si_why ask_core(const struct yk_unschedulable *unschedulable, const struct yk_task *task,
                                 struct yk_si_why_text *text)
{
    const struct yk_apps *apps = unschedulable->apps;
    YK_CLEANUP(yk_buf_done) struct yk_buf uid = {0};
    if (task->work->hold != NULL || !task->in_core)
        return (struct yk_si_why){YK_REASON_NONE, 0};
    yk_buf_str(&uid, yk_cache_pod_uid(task->pod));
    return yk_core_why(apps->core, apps->rm_id, task->app->id, yk_buf_cstr(&uid), text);
}

/* The reason of the core, by which pods are sorted into kinds. All reasons that are about nodes give
 * YK_REASON_NONE here: which of them applies is found when the message is computed. */
static struct yk_si_why why_of(const struct yk_unschedulable *unschedulable, const struct yk_task *task)
{
    struct yk_si_why why = ask_core(unschedulable, task, NULL);
    return yk_si_reason_is_of_nodes(why.reason) ? (struct yk_si_why){YK_REASON_NONE, 0} : why;
}

static enum yk_si_reason ask_about(const struct yk_unschedulable *unschedulable, const struct kind *kind,
                                   struct yk_si_why_text *text)
{
    const struct yk_status_record *first = yk_list_first(&kind->pods, struct yk_status_record, in_kind);
    return first != NULL ? ask_core(unschedulable, first->task, text).reason : YK_REASON_NONE;
}

static void add_sentence(enum yk_si_reason reason, const struct yk_buf *sentence, struct yk_buf *text)
{
    if (reason == YK_REASON_NONE)
        return;
    if (text->len > 0 && text->p[text->len - 1] != '.')
        yk_buf_char(text, '.');
    yk_reason_words_add(text, reason, yk_buf_view(sentence));
}

/* Appends why the pods are not tried. The core is asked again, so that the words in front of the token and
 * the sentence after it name the same obstacle. `kind->quota`, which the core reported with the pods, may
 * name an obstacle that is gone while another one holds the pods. Returns the reason of the core. */
static enum yk_si_reason say_skipped(struct yk_unschedulable *unschedulable, const struct kind *kind,
                                     struct yk_buf *text)
{
    YK_CLEANUP(yk_si_why_text_done) struct yk_si_why_text why = {0};
    enum yk_si_reason reason = ask_about(unschedulable, kind, &why);
    uint32_t at = 0;
    unschedulable->explained += yk_si_reason_is_of_nodes(reason); /* the core has looked at the nodes */
    const char *refusal =
        reason != YK_REASON_NONE ? yk_buf_cstr(&why.refusal) : yk_interned_text(kind->quota, &at);
    yk_buf_text(text, "pod is skipped from scheduling");
    if (*refusal != '\0')
        yk_buf_printf(text, " because the %s", refusal);
    add_sentence(reason, &why.sentence, text);
    return reason;
}

/* Appends why the gang waits. The reason why its placeholders wait comes before the token of the sentence, so
 * that the message is written again when this reason changes (app/reason_words.h). */
static void say_gang(struct yk_unschedulable *unschedulable, const struct kind *kind, struct yk_buf *text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf sentence = {0};
    const struct yk_apps *apps = unschedulable->apps;
    const struct yk_status_record *first = yk_list_first(&kind->pods, struct yk_status_record, in_kind);
    if (first == NULL || !yk_task_waits_for_gang(first->task))
        return;
    const struct yk_application *app = first->task->app;
    const struct yk_si_gang_wait wait = yk_gang_wait_of(app);
    struct yk_si_why why = yk_core_why_gang(apps->core, apps->rm_id, app->id, &wait, &sentence);
    unschedulable->explained++;
    if (why.reason != YK_REASON_NONE)
        yk_buf_printf(text, " (%s)", yk_si_reason_token(why.reason));
    yk_buf_char(text, '.');
    yk_reason_words_add(text, YK_REASON_GANG, yk_buf_view(&sentence));
}

static void set_filters(struct yk_unschedulable *unschedulable, struct kind *kind, uint32_t filters)
{
    yk_filter_counts_add(&unschedulable->filters, kind->filters, -(int64_t)kind->pod_count);
    yk_filter_counts_add(&unschedulable->filters, filters, kind->pod_count);
    kind->filters = filters;
}

/* Appends why no node takes the pods, and returns the reason of the core. */
static enum yk_si_reason say_nodes(struct yk_unschedulable *unschedulable, struct kind *kind,
                                   struct yk_buf *text)
{
    YK_CLEANUP(yk_si_why_text_done) struct yk_si_why_text why = {0};
    uint32_t filters = 0;
    struct yk_explained explained = yk_explain_nodes(&unschedulable->apps->classes, kind->class_, kind->size,
                                                     yk_filter_take_obstacle, &filters, text);
    kind->node_reason.found = explained.reason != YK_REASON_NONE ? explained.reason : YK_REASON_NOT_ATTEMPTED;
    kind->node_reason.filter = explained.filter;
    kind->node_reason.volumes_come_free = explained.volumes_come_free;
    kind->node_reason.volumes_are_missing = explained.volumes_are_missing;
    set_filters(unschedulable, kind,
                explained.are_nodes_counted ? filters : yk_filter_bit_of_reason(explained.reason));
    if (explained.are_nodes_counted)
        say_preemption(unschedulable, kind, text);
    if (kind->note != NULL) {
        uint32_t at = 0;
        yk_buf_printf(text, " %s.", yk_interned_text(kind->note, &at));
    }
    enum yk_si_reason reason = ask_about(unschedulable, kind, &why);
    add_sentence(reason, &why.sentence, text);
    unschedulable->explained++;
    return reason;
}

static void set_message(struct kind *kind, struct yk_buf *text, int64_t now_ns)
{
    free(kind->message);
    kind->message = yk_buf_take(text);
    struct yk_str reason = yk_str_from(reason_of(kind)), message = yk_str_from(kind->message);
    uint64_t told = yk_task_condition_hash(reason, message);
    kind->outdated |= told != kind->told;
    kind->told = told;
    uint64_t shape = shape_of(reason, message);
    if (shape != kind->shape)
        kind->shape_mono_ns = now_ns;
    kind->shape = shape;
}

static void make_words(struct yk_unschedulable *unschedulable, struct kind *kind, int64_t now_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_CONDITION_MESSAGE_BYTES_MAX};
    enum yk_si_reason reason = YK_REASON_NONE;
    kind->made_mono_ns = now_ns;
    if (kind->hold != NULL) {
        uint32_t at = 0;
        yk_buf_text(&text, yk_interned_text(kind->hold, &at));
        if (kind->is_gang)
            say_gang(unschedulable, kind, &text);
    } else if (kind->quota != NULL) {
        reason = say_skipped(unschedulable, kind, &text);
    } else {
        reason = say_nodes(unschedulable, kind, &text);
    }
    /* A node that has just become free is given to the first in order at once. In a busy cluster there is one
     * at many looks, and each would cost the pods that wait on two conditions. */
    if (reason == YK_REASON_NOT_ATTEMPTED && kind->message != NULL)
        return;
    kind->node_reason.told = kind->hold == NULL && kind->quota == NULL && yk_si_reason_is_of_nodes(reason)
                                 ? reason
                                 : YK_REASON_NONE;
    set_message(kind, &text, now_ns);
}

/* ---- kinds ---- */

static bool is_skipped(const struct yk_task *task)
{
    return task->work->wait == YK_SI_STATE_SKIPPED && task->work->quota != NULL;
}

static struct yk_interned *note_of(const struct yk_task *task)
{
    return is_skipped(task) ? NULL : task->work->quota;
}

/* Whether the kind is of tasks that wait for nodes and are like `task`, which may be of another kind. */
static bool is_alike_at_nodes(const struct kind *kind, const struct yk_task *task)
{
    return kind->hold == NULL && kind->quota == NULL && kind->class_ == task->class_ &&
           kind->size == task->pod->size && kind->never_preempts == !task->preempt_other &&
           kind->no_victims == task->work->no_victims && kind->note == note_of(task);
}

/* Of tasks that are skipped, although they lack nodes, too, only those with the same constraints have the
 * same message. */
static yk_si_class class_of_skipped(const struct yk_task *task, struct yk_si_why why)
{
    return why.reason == YK_REASON_NONE ? task->class_ : YK_SI_CLASS_ANY;
}

static bool is_kind_of(const struct kind *kind, const struct yk_task *task, struct yk_si_why why)
{
    if (task->work->hold != NULL || kind->hold != NULL)
        return kind->hold == task->work->hold;
    if (kind->why.reason != why.reason || kind->why.about != why.about)
        return false;
    if (is_skipped(task))
        return kind->quota == task->work->quota && kind->size == task->pod->size &&
               kind->class_ == class_of_skipped(task, why);
    return is_alike_at_nodes(kind, task);
}

static uint64_t key_of_size(const struct yk_task *task, struct yk_si_why why)
{
    return yk_hash_u64((uint64_t)(uintptr_t)task->pod->size) ^ yk_hash_u64(why.about + why.reason);
}

static uint64_t key_at_nodes(const struct yk_task *task, struct yk_si_why why)
{
    return yk_hash_u64((uint64_t)(uintptr_t)note_of(task)) ^ key_of_size(task, why) ^
           yk_hash_u64((uint64_t)task->class_ << 2 | (uint64_t)task->preempt_other << 1 |
                       task->work->no_victims);
}

static uint64_t key_of(const struct yk_task *task, struct yk_si_why why)
{
    if (task->work->hold != NULL)
        return yk_hash_u64((uint64_t)(uintptr_t)task->work->hold);
    if (is_skipped(task))
        return yk_hash_u64((uint64_t)(uintptr_t)task->work->quota) ^ key_of_size(task, why) ^
               yk_hash_u64((uint64_t)class_of_skipped(task, why));
    return key_at_nodes(task, why);
}

static void arm(struct yk_unschedulable *unschedulable, int64_t now_ns)
{
    const struct kind *first = yk_list_first(&unschedulable->line, struct kind, in_line);
    if (first != NULL && !yk_timer_armed(&unschedulable->look))
        yk_timer_arm(unschedulable->timers, &unschedulable->look, first->due_mono_ns - now_ns);
}

static void line_up(struct yk_unschedulable *unschedulable, struct kind *kind, int64_t now_ns)
{
    kind->due_mono_ns =
        now_ns + YK_WORDS_LOOK_NS * (int64_t)(1 + unschedulable->kinds.count / KINDS_PER_LOOK);
    yk_list_append(&unschedulable->line, &kind->in_line);
    arm(unschedulable, now_ns);
}

/* The kind of the task. It is made if it does not exist. If another kind has the same key by chance, the next
 * number is the key. */
static struct kind *kind_for(struct yk_unschedulable *unschedulable, const struct yk_task *task,
                             struct yk_si_why why, int64_t now_ns)
{
    uint64_t key = key_of(task, why);
    struct kind *kind;
    for (; (kind = yk_idmap_get(&unschedulable->kinds, key)) != NULL; key++) {
        if (is_kind_of(kind, task, why))
            return kind;
    }
    kind = yk_new0(struct kind);
    kind->key = key;
    kind->why = why;
    if (task->work->hold != NULL) {
        kind->hold = task->work->hold;
        kind->hold->holders++;
        kind->is_gang = yk_task_waits_for_gang(task);
    } else if (is_skipped(task)) {
        kind->quota = task->work->quota;
        kind->quota->holders++;
        kind->class_ = class_of_skipped(task, why);
        kind->size = yk_size_ref(task->pod->size);
    } else {
        kind->class_ = task->class_;
        kind->size = yk_size_ref(task->pod->size);
        kind->never_preempts = !task->preempt_other;
        kind->no_victims = task->work->no_victims;
        kind->note = note_of(task);
        if (kind->note != NULL)
            kind->note->holders++;
    }
    kind->event_mono_ns = now_ns - YK_KIND_EVENTS_BURST * YK_KIND_EVENTS_NS;
    yk_list_init(&kind->pods);
    yk_list_init(&kind->in_line);
    (void)yk_idmap_put(&unschedulable->kinds, key, kind); /* replaces nothing */
    line_up(unschedulable, kind, now_ns);
    return kind;
}

static void kind_free(struct yk_unschedulable *unschedulable, struct kind *kind)
{
    yk_list_remove(&kind->in_line);
    (void)yk_idmap_remove(&unschedulable->kinds, kind->key); /* the result is `kind` */
    yk_size_put(&unschedulable->apps->cache->sizes, kind->size);
    yk_interned_put(&unschedulable->apps->cache->intern_table, kind->quota);
    yk_interned_put(&unschedulable->apps->cache->intern_table, kind->note);
    yk_interned_put(&unschedulable->apps->cache->intern_table, kind->hold);
    free(kind->message);
    free(kind);
}

static void leave_kind(struct yk_unschedulable *unschedulable, struct yk_status_record *status_record)
{
    yk_list_remove(&status_record->in_kind);
    status_record->kind->pod_count--;
    yk_filter_counts_add(&unschedulable->filters, status_record->kind->filters, -1);
    if (yk_list_empty(&status_record->kind->pods))
        kind_free(unschedulable, status_record->kind);
}

static struct yk_status_record *status_record_of(struct yk_unschedulable *unschedulable, struct yk_task *task,
                                                 int64_t now_ns)
{
    struct yk_status_record *status_record = task->work->status_record;
    struct yk_si_why why = why_of(unschedulable, task);
    if (status_record != NULL && is_kind_of(status_record->kind, task, why))
        return status_record;
    struct kind *kind = kind_for(unschedulable, task, why, now_ns);
    if (status_record == NULL) {
        status_record = task->work->status_record = yk_new0(struct yk_status_record);
        status_record->task = task;
    } else {
        leave_kind(unschedulable, status_record);
    }
    status_record->kind = kind;
    status_record->joined_mono_ns = now_ns;
    yk_list_append(&kind->pods, &status_record->in_kind);
    kind->pod_count++;
    yk_filter_counts_add(&unschedulable->filters, kind->filters, 1);
    return status_record;
}

void yk_unschedulable_forget(struct yk_unschedulable *unschedulable, struct yk_task *task)
{
    struct yk_pending_work *work = task->work;
    if (work == NULL || work->status_record == NULL)
        return;
    leave_kind(unschedulable, work->status_record);
    yk_heap_remove(&unschedulable->estimates, &work->status_record->in_estimates);
    free(work->status_record);
    work->status_record = NULL;
}

/* ---- what is due ---- */

static bool take_turn(int64_t *at_ns, int64_t pace_ns, int64_t burst_ns, int64_t now_ns)
{
    int64_t next_ns = YK_MAX(*at_ns + pace_ns, now_ns - burst_ns);
    if (next_ns > now_ns)
        return false;
    *at_ns = next_ns;
    return true;
}

static bool wants_condition(const struct yk_status_record *status_record)
{
    return status_record->task->work->condition_hash != status_record->kind->told;
}

static bool wants_event(const struct yk_status_record *status_record)
{
    return status_record->event_shape != status_record->kind->shape;
}

/* The shortest time between the last condition of the pod and the next one. It grows with each rewrite. */
static int64_t pause_ns(const struct yk_status_record *status_record, bool numbers_only)
{
    int64_t first_ns = numbers_only ? YK_COUNTS_AGAIN_NS : YK_WORDS_LOOK_NS;
    int64_t max_ns = numbers_only ? YK_COUNTS_PAUSE_MAX_NS : YK_WORDS_PAUSE_MAX_NS;
    return YK_MIN(first_ns << (2 * status_record->rewrites), max_ns);
}

static bool condition_is_due(const struct yk_status_record *status_record, int64_t now_ns)
{
    const struct kind *kind = status_record->kind;
    if (!status_record->is_written)
        return now_ns >= status_record->not_before_mono_ns;
    bool numbers_only = status_record->written_shape == kind->shape;
    int64_t pause = pause_ns(status_record, numbers_only);
    if (now_ns - status_record->written_mono_ns < pause)
        return false;
    int64_t since_ns = YK_MAX(kind->shape_mono_ns, status_record->joined_mono_ns);
    return numbers_only || status_record->rewrites == 0 || now_ns - since_ns >= pause;
}

static void note_written(struct yk_status_record *status_record, int64_t now_ns)
{
    bool is_calm = now_ns - status_record->written_mono_ns >= YK_WORDS_CALM_NS;
    if (status_record->is_written)
        status_record->rewrites = is_calm ? 1 : (uint8_t)YK_MIN(status_record->rewrites + 1, REWRITES_MAX);
    status_record->is_written = true;
    status_record->written_mono_ns = now_ns;
    status_record->written_shape = status_record->kind->shape;
}

/* ---- estimates of the start ---- */

/* An estimate that was made for a pod of the kind less than FRESH_NS ago; NULL: there is none. */
static const struct yk_si_start *fresh_start(const struct kind *kind, int64_t now_ns)
{
    return kind->start.waits && now_ns - kind->start_mono_ns < FRESH_NS ? &kind->start : NULL;
}

/* The estimate for the end of the condition. It is empty if the message has no token of a reason of the core:
 * the text after a token is not compared with the written condition (app/reason_words.h), but without a token
 * the estimate would be compared. */
static struct yk_si_start start_of(const struct yk_unschedulable *unschedulable, const struct yk_task *task,
                                   int64_t now_ns)
{
    const struct yk_apps *apps = unschedulable->apps;
    struct kind *kind = task->work->status_record->kind;
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
    struct yk_str sentence;
    if (yk_reason_words_split(yk_str_from(kind->message), &sentence) == YK_REASON_NONE)
        return (struct yk_si_start){0};
    const struct yk_si_start *like = fresh_start(kind, now_ns);
    if (!yk_task_waits_for_gang(task))
        yk_buf_str(&key, yk_cache_pod_uid(task->pod));
    struct yk_si_start start = yk_core_start(apps->core, apps->rm_id, task->app->id,
                                             yk_task_waits_for_gang(task) ? NULL : yk_buf_cstr(&key), like);
    if (like == NULL) {
        kind->start = start;
        /* both may be removed before `start` is used */
        kind->start.queue = kind->start.application = NULL;
        kind->start_mono_ns = now_ns;
    }
    return start;
}

/* How long the range in the condition stays: until it has passed, but not so short that each pod causes many
 * requests. A start that is unknown is looked at more often while it was never known: that changes once. */
static int64_t rest_of_range(const struct yk_status_record *status_record, int64_t now_wall_ns)
{
    int64_t least_ns = YK_ESTIMATE_PASSED_NS << (2 * status_record->passed);
    int64_t end_ns = (int64_t)status_record->start.to_min * 60 * YK_NS_PER_S;
    if (status_record->start.to_min == 0 && status_record->unknown < UNKNOWN_MAX)
        return YK_ESTIMATE_PASSED_NS << status_record->unknown;
    if (status_record->start.to_min == 0)
        return YK_ESTIMATE_AGAIN_NS;
    return YK_MIN(YK_MAX(end_ns - now_wall_ns, least_ns), YK_ESTIMATE_AGAIN_NS);
}

static void look_again_later(struct yk_unschedulable *unschedulable, struct yk_status_record *status_record,
                             int64_t now_ns)
{
    yk_heap_remove(&unschedulable->estimates, &status_record->in_estimates);
    status_record->estimate_due_mono_ns =
        now_ns + rest_of_range(status_record, yk_clock_wall_ns(unschedulable->clock));
    if (status_record->start.to_min != 0)
        status_record->unknown = UNKNOWN_MAX;
    status_record->estimate_sequence = unschedulable->estimate_sequence++;
    yk_heap_insert(&unschedulable->estimates, &status_record->in_estimates);
}

static bool has_passed(const struct yk_status_record *status_record, int64_t now_wall_ns)
{
    return status_record->start.to_min > 0 &&
           now_wall_ns >= (int64_t)status_record->start.to_min * 60 * YK_NS_PER_S;
}

static const char *with_estimate(struct yk_unschedulable *unschedulable,
                                 struct yk_status_record *status_record, int64_t now_ns)
{
    int64_t now_wall_ns = yk_clock_wall_ns(unschedulable->clock);
    struct yk_si_start start = start_of(unschedulable, status_record->task, now_ns);
    yk_buf_clear(&unschedulable->condition);
    yk_buf_text(&unschedulable->condition, status_record->kind->message);
    yk_start_words_add(&unschedulable->condition, &start, now_wall_ns);
    status_record->start = yk_start_range_of(&start, now_wall_ns);
    look_again_later(unschedulable, status_record, now_ns);
    return yk_buf_cstr(&unschedulable->condition);
}

static bool may_write_estimate(struct yk_unschedulable *unschedulable, int64_t now_ns)
{
    return take_turn(&unschedulable->estimated_mono_ns, YK_NS_PER_S / YK_ESTIMATES_PER_S,
                     ESTIMATES_BURST_S * YK_NS_PER_S, now_ns);
}

static bool may_look_at_estimate(struct yk_unschedulable *unschedulable, int64_t now_ns)
{
    return take_turn(&unschedulable->looked_at_mono_ns, YK_NS_PER_S / YK_ESTIMATES_LOOKED_AT_PER_S,
                     ESTIMATES_BURST_S * YK_NS_PER_S, now_ns);
}

/* Computes estimates that are due, and appends the tasks whose conditions have to be written again. */
static void look_at_estimates(struct yk_unschedulable *unschedulable, struct yk_list *news, int64_t now_ns)
{
    for (int i = 0; i < ESTIMATES_PER_SLICE; i++) {
        struct yk_heap_entry *first = yk_heap_first(&unschedulable->estimates);
        struct yk_status_record *status_record =
            first != NULL ? YK_CONTAINER(first, struct yk_status_record, in_estimates) : NULL;
        if (status_record == NULL || status_record->estimate_due_mono_ns > now_ns ||
            !may_look_at_estimate(unschedulable, now_ns))
            return;
        struct yk_si_start start = start_of(unschedulable, status_record->task, now_ns);
        bool moved = start.waits && yk_start_range_moved(status_record->start, &start,
                                                         yk_clock_wall_ns(unschedulable->clock));
        if (moved && !may_write_estimate(unschedulable, now_ns))
            return;
        bool passes = moved && has_passed(status_record, yk_clock_wall_ns(unschedulable->clock));
        if (passes && status_record->passed < PASSED_MAX)
            status_record->passed++;
        if (status_record->unknown < UNKNOWN_MAX)
            status_record->unknown++;
        look_again_later(unschedulable, status_record, now_ns);
        status_record->is_estimate_outdated = moved;
        if (moved && !yk_list_linked(&status_record->task->in_bind))
            yk_list_append(news, &status_record->task->in_bind);
    }
}

static bool take_condition(struct yk_unschedulable *unschedulable, struct yk_status_record *status_record,
                           int64_t now_ns)
{
    if (!wants_condition(status_record)) {
        bool outdated = status_record->is_estimate_outdated;
        status_record->is_estimate_outdated = false;
        return outdated && now_ns >= status_record->not_before_mono_ns;
    }
    if (!condition_is_due(status_record, now_ns))
        return false;
    bool numbers_only =
        status_record->is_written && status_record->written_shape == status_record->kind->shape;
    if (numbers_only &&
        !take_turn(&unschedulable->counted_mono_ns, YK_NS_PER_S / YK_COUNTS_PER_S, YK_NS_PER_S, now_ns))
        return false;
    status_record->is_estimate_outdated = false;
    note_written(status_record, now_ns);
    return true;
}

static bool take_event(struct yk_status_record *status_record, int64_t now_ns)
{
    if (!wants_event(status_record) || !take_turn(&status_record->kind->event_mono_ns, YK_KIND_EVENTS_NS,
                                                  (YK_KIND_EVENTS_BURST - 1) * YK_KIND_EVENTS_NS, now_ns))
        return false;
    status_record->event_shape = status_record->kind->shape;
    return true;
}

struct yk_reason_text yk_unschedulable_reason(struct yk_unschedulable *unschedulable, struct yk_task *task)
{
    int64_t now_ns = yk_clock_mono_ns(unschedulable->clock);
    struct yk_status_record *status_record = status_record_of(unschedulable, task, now_ns);
    struct kind *kind = status_record->kind;
    if (kind->message == NULL || now_ns - kind->made_mono_ns >= FRESH_NS)
        make_words(unschedulable, kind, now_ns);
    if (!status_record->is_written && status_record->event_shape == 0 && !wants_condition(status_record))
        status_record->event_shape = kind->shape; /* the pod had both before the record was made */
    struct yk_reason_text words = {.reason = reason_of(kind),
                                   .message = kind->message,
                                   .shape = kind->shape,
                                   .is_skipped = kind->quota != NULL || kind->is_gang,
                                   .condition = take_condition(unschedulable, status_record, now_ns),
                                   .event = take_event(status_record, now_ns)};
    words.condition_message = words.message;
    if (words.condition)
        words.condition_message = with_estimate(unschedulable, status_record, now_ns);
    else if (status_record->in_estimates.place == 0)
        look_again_later(unschedulable, status_record, now_ns); /* the pod had the condition before */
    kind->outdated |= (!words.condition && wants_condition(status_record)) || wants_event(status_record);
    return words;
}

/* The kind that has words about nodes for the task: its own, or that of tasks that wait for nodes and are
 * like it. NULL: there is none. */
static const struct kind *kind_at_nodes(const struct yk_unschedulable *unschedulable,
                                        const struct yk_task *task)
{
    const struct yk_si_why none = {YK_REASON_NONE, 0};
    if (task->work == NULL)
        return NULL;
    const struct yk_status_record *status_record = task->work->status_record;
    const struct kind *kind = status_record != NULL ? status_record->kind : NULL;
    if (kind != NULL && kind->quota == NULL && kind->hold == NULL)
        return kind;
    for (uint64_t key = key_at_nodes(task, none); (kind = yk_idmap_get(&unschedulable->kinds, key)) != NULL;
         key++) {
        if (kind->why.reason == YK_REASON_NONE && is_alike_at_nodes(kind, task))
            return kind;
    }
    return NULL;
}

void yk_unschedulable_add_reason(const struct yk_unschedulable *unschedulable, const struct yk_task *task,
                                 struct yk_buf *words)
{
    const struct kind *kind = kind_at_nodes(unschedulable, task);
    if (kind != NULL && kind->message != NULL)
        yk_buf_text(words, kind->message);
}

struct yk_si_node_reason yk_unschedulable_node_reason(const struct yk_unschedulable *unschedulable,
                                                      const struct yk_task *task)
{
    const struct kind *kind = kind_at_nodes(unschedulable, task);
    return kind != NULL ? kind->node_reason : (struct yk_si_node_reason){.told = YK_REASON_NONE};
}

void yk_unschedulable_not_written(struct yk_task *task)
{
    struct yk_status_record *status_record = task->work->status_record;
    if (status_record == NULL)
        return;
    status_record->is_written = false;
    /* `outdated` may be false, because the condition counted as written while the request was in flight */
    status_record->kind->outdated = true;
}

void yk_unschedulable_refused(const struct yk_unschedulable *unschedulable, struct yk_task *task)
{
    struct yk_status_record *status_record = task->work != NULL ? task->work->status_record : NULL;
    if (status_record == NULL)
        return;
    int64_t rest_ns = YK_WORDS_LOOK_NS << YK_MIN(status_record->refusals, 10);
    status_record->not_before_mono_ns =
        yk_clock_mono_ns(unschedulable->clock) + YK_MIN(rest_ns, YK_REFUSED_MAX_NS);
    status_record->refusals++;
}

void yk_unschedulable_accepted(struct yk_task *task)
{
    if (task->work != NULL && task->work->status_record != NULL)
        task->work->status_record->refusals = 0;
}

/* ---- periodic checks ---- */

static int64_t events_left(const struct kind *kind, int64_t now_ns)
{
    return YK_MIN((now_ns - kind->event_mono_ns) / YK_KIND_EVENTS_NS, (int64_t)YK_KIND_EVENTS_BURST);
}

/* Appends the tasks of the kind that have something to report now. Sets `outdated` if any pod has something
 * to report, now or later. */
static void collect(struct kind *kind, struct yk_list *news, int64_t now_ns)
{
    int64_t events = events_left(kind, now_ns);
    struct yk_status_record *status_record;
    kind->outdated = false;
    yk_list_foreach (status_record, &kind->pods, struct yk_status_record, in_kind) {
        struct yk_list *link = &status_record->task->in_bind;
        bool condition = wants_condition(status_record), event = wants_event(status_record);
        kind->outdated |= condition || event;
        bool due = (condition && condition_is_due(status_record, now_ns)) || (event && events-- > 0);
        if (due && !yk_list_linked(link))
            yk_list_append(news, link);
    }
}

/* Whether the core now has another reason for the first pod. If so, all pods of the kind are reported again,
 * which sorts them into other kinds. */
static bool has_another_reason(const struct yk_unschedulable *unschedulable, const struct kind *kind)
{
    const struct yk_status_record *first = yk_list_first(&kind->pods, struct yk_status_record, in_kind);
    return first != NULL && kind->hold == NULL &&
           !is_kind_of(kind, first->task, why_of(unschedulable, first->task));
}

static void queue_all(const struct kind *kind, struct yk_list *news)
{
    const struct yk_status_record *status_record;
    yk_list_foreach (status_record, &kind->pods, struct yk_status_record, in_kind) {
        if (!yk_list_linked(&status_record->task->in_bind))
            yk_list_append(news, &status_record->task->in_bind);
    }
}

bool yk_unschedulable_look(struct yk_unschedulable *unschedulable, struct yk_list *news)
{
    int64_t now_ns = yk_clock_mono_ns(unschedulable->clock);
    for (int i = 0; i < KINDS_PER_SLICE; i++) {
        struct kind *kind = yk_list_first(&unschedulable->line, struct kind, in_line);
        if (kind == NULL || kind->due_mono_ns > now_ns)
            break;
        if (!yk_unschedulable_may_explain(unschedulable))
            return true;
        if (has_another_reason(unschedulable, kind)) {
            queue_all(kind, news);
        } else {
            make_words(unschedulable, kind, now_ns);
            if (kind->outdated)
                collect(kind, news, now_ns);
        }
        yk_list_remove(&kind->in_line);
        line_up(unschedulable, kind, now_ns);
    }
    look_at_estimates(unschedulable, news, now_ns);
    arm(unschedulable, now_ns);
    const struct kind *first = yk_list_first(&unschedulable->line, struct kind, in_line);
    return first != NULL && first->due_mono_ns <= now_ns;
}
