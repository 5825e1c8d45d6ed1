/* SPDX-License-Identifier: Apache-2.0 */
#include "report/timeline.h"

#include "report/rm_calls.h"
#include "report/wait_metrics.h"
#include "state/core.h"

enum {
    FIRST_CAPACITY = 4,
    /* With more nodes, reasons whose sentences look at nodes are entered without a sentence. */
    SENTENCES_NODES_MAX = 256,
    /* With more live applications, all reasons are entered without a sentence. */
    SENTENCES_APPS_MAX = 5000,
};

static struct yk_timeline_entry *entry_at(const struct yk_timeline *timeline, uint32_t index)
{
    return &timeline->entries[(timeline->first + index) % timeline->capacity];
}

static void grow(struct yk_timeline *timeline)
{
    uint32_t capacity =
        YK_MIN(YK_MAX(timeline->capacity * 2, (uint32_t)FIRST_CAPACITY), (uint32_t)YK_TIMELINE_MAX);
    struct yk_timeline_entry *entries = yk_new0_array(struct yk_timeline_entry, capacity);
    for (uint32_t i = 0; i < timeline->count; i++)
        entries[i] = *entry_at(timeline, i);
    free(timeline->entries);
    timeline->entries = entries;
    timeline->capacity = capacity;
    timeline->first = 0;
}

/* Appends the entry, whose texts are taken. Drops the oldest one if there are YK_TIMELINE_MAX. */
static void append(struct yk_app *app, struct yk_timeline_entry entry)
{
    if (app->report.timeline == NULL)
        app->report.timeline = yk_new0(struct yk_timeline);
    struct yk_timeline *timeline = app->report.timeline;
    if (timeline->count == YK_TIMELINE_MAX) {
        free(timeline->entries[timeline->first].texts);
        timeline->first = (timeline->first + 1) % timeline->capacity;
        timeline->count--;
        timeline->omitted++;
    } else if (timeline->count == timeline->capacity) {
        grow(timeline);
    }
    timeline->entries[(timeline->first + timeline->count) % timeline->capacity] = entry;
    timeline->count++;
}

static void add_text(struct yk_buf *texts, const char *text)
{
    yk_buf_add(texts, text, strlen(text) + 1);
}

/* `ask`, `node_id` and `message` may be NULL. */
static void add(struct yk_app *app, struct yk_timeline_entry entry, const struct yk_ask *ask,
                const char *node_id, const char *message)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0}, name = {0};
    struct yk_buf texts = {0};
    if (app->partition->removing) /* callbacks of the resource manager may no longer be called */
        return;
    if (ask != NULL)
        yk_rm_call_ask_name(app->partition, ask, &namespace_, &name);
    add_text(&texts, ask != NULL ? ask->key : "");
    add_text(&texts, yk_buf_cstr(&name));
    add_text(&texts, node_id != NULL ? node_id : "");
    add_text(&texts, message != NULL ? message : "");
    entry.texts = yk_buf_take(&texts);
    append(app, entry);
}

static struct yk_timeline_entry now_of(const struct yk_app *app, enum yk_timeline_type type)
{
    return (struct yk_timeline_entry){.wall_ns = yk_core_now(app->partition->core), .type = type};
}

void yk_timeline_waits(const struct yk_ask *ask)
{
    struct yk_app *app = yk_ask_app(ask);
    YK_CLEANUP(yk_buf_done) struct yk_buf sentence = {0};
    struct yk_why why = yk_why_of_ask(ask);
    struct yk_timeline_entry entry = now_of(app, YK_TIMELINE_WAITING);
    if (why.reason == YK_REASON_NONE || why.reason == YK_REASON_NOT_ATTEMPTED)
        return;
    yk_wait_metrics_set_reason(app, why.reason);
    if (app->report.timeline != NULL && app->report.timeline->waiting_for == (int)why.reason)
        return;
    bool is_about_nodes = why.reason >= YK_REASON_NODE_RESOURCES && why.reason != YK_REASON_PREEMPTION;
    bool is_cheap = !is_about_nodes || app->partition->node_count <= SENTENCES_NODES_MAX;
    struct yk_why detailed = is_cheap ? yk_why_in_detail(ask, NULL) : why;
    if (is_cheap && app->partition->apps.count <= SENTENCES_APPS_MAX)
        yk_why_ask_sentence(ask, &detailed, &sentence);
    entry.reason = (int)detailed.reason;
    add(app, entry, ask, NULL, yk_buf_cstr(&sentence));
    if (app->report.timeline != NULL)
        app->report.timeline->waiting_for = (int)why.reason;
}

void yk_timeline_reserved(const struct yk_ask *ask, const struct yk_node *node, bool begins)
{
    struct yk_app *app = yk_ask_app(ask);
    if (app != NULL)
        add(app, now_of(app, begins ? YK_TIMELINE_RESERVED : YK_TIMELINE_UNRESERVED), ask, node->id, NULL);
}

static enum yk_timeline_type type_of_end(enum yk_si_termination why)
{
    return why == YK_SI_PLACEHOLDER_REPLACED ? YK_TIMELINE_REPLACED : YK_TIMELINE_RELEASED;
}

/* YuniKorn 1.9 has one termination for all placeholders that the core ends. */
static const char *timeout_text(const struct yk_ask *ask)
{
    if ((ask->flags & YK_ASK_TOO_SMALL) != 0)
        return "a pod of its task group is larger";
    if (yk_ask_app(ask)->state == YK_APP_COMPLETING)
        return "its application needs it no longer";
    return "its time was up";
}

static const char *end_text(const struct yk_ask *ask, enum yk_si_termination why)
{
    switch (why) {
    case YK_SI_TERMINATION_UNKNOWN:
        return "its node has gone";
    case YK_SI_TIMEOUT:
        return timeout_text(ask);
    case YK_SI_PREEMPTED_BY_SCHEDULER:
        return "it was preempted";
    case YK_SI_PLACEHOLDER_REPLACED:
        return "a pod took its place";
    case YK_SI_SCHEDULING_FAILED_ON_RM:
        return "it could not be bound";
    case YK_SI_KILLED:
        return "its application was ended";
    case YK_SI_STOPPED_BY_RM:
        return "it has ended";
    }
    return "";
}

void yk_timeline_ended(const struct yk_ask *ask, enum yk_si_termination why)
{
    struct yk_app *app = yk_ask_app(ask);
    const char *node_id = ask->node != NULL ? ask->node->id : NULL;
    struct yk_timeline_entry start = {.wall_ns = yk_ask_bind_wall_ns(ask), .type = YK_TIMELINE_ALLOCATED};
    if (start.wall_ns != 0)
        add(app, start, ask, node_id, NULL);
    struct yk_timeline_entry bound = {.wall_ns = yk_ask_bound_wall_ns(ask), .type = YK_TIMELINE_BOUND};
    if (bound.wall_ns != 0)
        add(app, bound, ask, node_id, NULL);
    add(app, now_of(app, type_of_end(why)), ask, node_id, end_text(ask, why));
}

void yk_timeline_preempted(const struct yk_ask *victim, const char *message)
{
    struct yk_app *app = yk_ask_app(victim);
    add(app, now_of(app, YK_TIMELINE_PREEMPTED), victim, victim->node != NULL ? victim->node->id : NULL,
        message);
}

void yk_timeline_moved(const struct yk_app *app, const char *message)
{
    struct yk_app *changed = yk_partition_find_app(app->partition, app->id);
    if (changed != NULL)
        add(changed, now_of(app, YK_TIMELINE_MOVED), NULL, NULL, message);
}

bool yk_timeline_at(const struct yk_app *app, uint32_t index, struct yk_timeline_view *ret_view)
{
    static const char *const names[] = {"Waiting",   "Reserved", "Unreserved", "Allocated", "Bound",
                                        "Preempted", "Replaced", "Released",   "Moved"};
    YK_INDEXED_BY(names, YK_TIMELINE_MOVED);
    if (app->report.timeline == NULL || index >= app->report.timeline->count)
        return false;
    const struct yk_timeline_entry *entry = entry_at(app->report.timeline, index);
    ret_view->wall_ns = entry->wall_ns;
    ret_view->type = names[entry->type];
    ret_view->reason = yk_si_reason_token((enum yk_si_reason)entry->reason);
    ret_view->key = entry->texts;
    ret_view->object_name = ret_view->key + strlen(ret_view->key) + 1;
    ret_view->node_id = ret_view->object_name + strlen(ret_view->object_name) + 1;
    ret_view->message = ret_view->node_id + strlen(ret_view->node_id) + 1;
    return true;
}
