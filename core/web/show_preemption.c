/* SPDX-License-Identifier: Apache-2.0 */
/* Writes why nothing is preempted for a waiting ask, or when that is tried: docs/reference/rest.md 12.6. */
#include "preemption/guarantee.h"
#include "report/reason.h"
#include "reservation/preempt.h"
#include "resources/amount_text.h"
#include "state/core.h"
#include "web/pending_priv.h"

/* The queue whose guarantee the ask may claim; NULL: there is none. */
static const struct yk_queue *holder_of(const struct yk_ask *ask)
{
    struct yk_queue *leaf = yk_ask_app(ask)->leaf;
    return ask->group->required_node == NULL ? yk_guarantee_holder(leaf) : NULL;
}

/* Wall time at which the delay ends. `holder` may be NULL. */
static int64_t end_of_delay(const struct yk_ask *ask, const struct yk_queue *holder)
{
    int64_t since_ns = ask->create_wall_ns;
    if (holder != NULL && yk_guarantee_is_missed(holder))
        since_ns = YK_MAX(since_ns, holder->housekeeping.fell_below_wall_ns);
    return yk_i64_add(since_ns, yk_ask_app(ask)->leaf->settings.preemption_delay_ns);
}

/* "; queue root.prod has 2 of the 8 cores that it is guaranteed". */
static void add_guarantee(struct yk_buf *text, const struct yk_ask *ask, const struct yk_queue *holder)
{
    yk_resvec_foreach(t, yk_ask_size(ask))
    {
        int64_t guaranteed = yk_resvec_get(&holder->guaranteed, t);
        int64_t used = yk_resvec_get(&holder->allocated, t);
        if (used >= guaranteed)
            continue;
        yk_buf_printf(text, "; queue %s uses ", holder->path);
        yk_amount_text_of(text, t, YK_MAX(used, 0), guaranteed);
        yk_buf_text(text, ", which is below its guarantee");
        return;
    }
}

/* Appends what a precondition of preemption is that does not hold. */
static void say_not_yet(struct yk_buf *text, const struct yk_ask *ask, const struct yk_queue *holder)
{
    const struct yk_core *core = yk_ask_app(ask)->partition->core;
    const struct yk_usage *usage =
        yk_usage_without_headroom_in_the_end(yk_ask_app(ask), yk_ask_size(ask), NULL);
    int64_t end_ns = end_of_delay(ask, holder);
    yk_buf_text(text, "not tried: ");
    if (end_ns > yk_core_now(core)) {
        char until[YK_TIME_TEXT_MAX];
        yk_time_format(end_ns, 0, until);
        yk_buf_printf(text, "its delay ends at %s (preemption.delay of queue %s)", until,
                      yk_ask_app(ask)->leaf->path);
    } else if (usage != NULL) {
        yk_buf_printf(text, "the limit of %s %s in queue %s has no capacity for it",
                      usage->tracker->is_group ? "group" : "user", usage->tracker->name, usage->queue->path);
    } else if (!yk_preempt_is_loaded(yk_ask_app(ask)->partition)) {
        yk_buf_printf(text, "less than %lld%% of the cluster is in use (preemption.minClusterLoad)",
                      (long long)core->preemption_min_load);
    } else {
        yk_buf_text(text, "a new attempt is due soon");
    }
}

static const char *text_of(enum yk_preempt_note note)
{
    switch (note) {
    case YK_PREEMPT_NOT_YET:
        return ""; /* say_not_yet() */
    case YK_PREEMPT_GUARANTEES:
        return "with the pod, its queue would use more than its guarantee";
    case YK_PREEMPT_SHORT:
        return "the pods that may be preempted are not enough";
    case YK_PREEMPT_NO_HELP:
        return "no node would have the capacity without the pods that may be preempted";
    case YK_PREEMPT_EXHAUSTED:
        return "no node was found; it is tried again after a pause";
    case YK_PREEMPT_TOO_LATE:
        return "the pods that were chosen ended meanwhile";
    }
    return "";
}

/* The result of the last attempt; -1: there was none. */
static int last_note(const struct yk_group *group)
{
    int last = -1;
    for (int note = 0; note < YK_PREEMPT_NOTES; note++) {
        const struct yk_wait_log *log = &group->preempt.log[note];
        if (log->count > 0 && (last < 0 || log->last_wall_ns >= group->preempt.log[last].last_wall_ns))
            last = note;
    }
    return last;
}

/* Appends what keeps the ask, which may preempt, from it. Returns the state. */
static const char *say_state(struct yk_buf *text, const struct yk_ask *ask)
{
    const struct yk_queue *holder = holder_of(ask);
    int note = last_note(ask->group);
    bool waits = holder != NULL && end_of_delay(ask, holder) > yk_core_now(yk_ask_app(ask)->partition->core);
    bool is_tried = note >= 0 && note != YK_PREEMPT_NOT_YET && !waits;
    if (is_tried)
        yk_buf_text(text, text_of((enum yk_preempt_note)note));
    else if (note >= 0 || waits)
        say_not_yet(text, ask, holder);
    if (holder != NULL && text->len > 0)
        add_guarantee(text, ask, holder);
    return is_tried ? "none" : "possible";
}

void yk__put_preemption(struct yk_json *json, const struct yk_ask *ask)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    const char *state = "none";
    if (yk_why_is_preempting(ask)) {
        state = "inProgress";
        yk_buf_text(&text, "other pods are ending to make room for it");
    } else if ((ask->flags & YK_ASK_PREEMPT_OTHER) == 0) {
        yk_buf_text(&text, "it does not preempt others");
    } else if (!yk_ask_app(ask)->partition->preemption_enabled) {
        yk_buf_text(&text, "preemption is switched off");
    } else {
        state = say_state(&text, ask);
    }
    yk_json_key(json, "preemption");
    yk_json_object_begin(json);
    yk_json_add_text(json, "state", state);
    yk_json_add_text(json, "message", yk_buf_cstr(&text));
    yk_json_object_end(json);
}
