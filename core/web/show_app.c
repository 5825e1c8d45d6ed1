/* SPDX-License-Identifier: Apache-2.0 */
/* Application, ask, allocation, foreign allocation: docs/reference/rest.md, section 4. */
#include "web/show_priv.h"

#include "report/reason.h"
#include "report/refusal.h"
#include "report/rm_calls.h"

static bool has_flag(const struct yk_ask *ask, uint32_t flag)
{
    return (ask->flags & flag) != 0;
}

static void show_priority(struct yk_json *json, const struct yk_ask *ask)
{
    char text[16];
    (void)snprintf(text, sizeof(text), "%d", (int)yk_ask_priority(ask)); /* always fits */
    yk_json_add_text(json, "priority", text);
}

struct logged { /* one kind of failed attempts */
    const char *text;
    const struct yk_wait_log *log;
};
enum { LOGS_MAX = YK_WAIT_COUNT + YK_PREEMPT_NOTES };

/* Keeps the list sorted by time, the latest last. */
static void add_logged(struct logged list[LOGS_MAX], size_t *count, const char *text,
                       const struct yk_wait_log *log)
{
    size_t at = *count;
    if (log->count == 0)
        return;
    for (; at > 0 && list[at - 1].log->last_wall_ns > log->last_wall_ns; at--)
        list[at] = list[at - 1];
    list[at] = (struct logged){text, log};
    (*count)++;
}

static size_t sort_log(const struct yk_group *group, struct logged ret_list[LOGS_MAX])
{
    size_t count = 0;
    for (int wait = YK_WAIT_NONE + 1; wait < YK_WAIT_COUNT; wait++)
        add_logged(ret_list, &count, yk_wait_text((enum yk_wait)wait), &group->waiting.log[wait]);
    for (int note = 0; note < YK_PREEMPT_NOTES; note++)
        add_logged(ret_list, &count, yk_preempt_text((enum yk_preempt_note)note), &group->preempt.log[note]);
    return count;
}

/* Appends why the gang of the group can never start, if it cannot; otherwise the text of the pod's condition,
 * if one was reported. The text of the first ask is valid for the whole group. */
static void add_words(const struct yk_group *group, struct yk_buf *words)
{
    const struct yk_gang *gang = yk_refusal_gang(group);
    if (gang != NULL)
        yk_why_too_large_sentence(gang, words);
    else if (group->first != NULL)
        yk_rm_call_wait_words(group->app->partition, group->first, words);
}

/* The asks of a group are tried together, so they have one log. */
static void show_log(struct yk_json *json, const struct yk_ask *ask)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf words = {0};
    struct logged list[LOGS_MAX];
    size_t count = ask->group != NULL ? sort_log(ask->group, list) : 0;
    if (count == 0)
        return;
    add_words(ask->group, &words);
    yk_json_key(json, "allocationLog");
    yk_json_array_begin(json);
    for (size_t i = 0; i < count; i++) {
        yk_json_object_begin(json);
        bool is_said = list[i].log == &ask->group->waiting.log[YK_WAIT_NODES];
        if (yk_refusal_gang(ask->group) != NULL) /* this reason replaces the results of attempts */
            is_said = i + 1 == count;
        yk_json_add_text(json, "message", is_said && words.len > 0 ? yk_buf_cstr(&words) : list[i].text);
        yk__put_int_if(json, "lastOccurrence", list[i].log->last_wall_ns);
        yk__put_int_if(json, "count", list[i].log->count);
        if (i + 1 == count && yk_ask_is_pending(ask))
            yk__put_text_if(json, "reason", yk_si_reason_token(yk_why_of_ask(ask).reason));
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
}

static void show_tags(struct yk_json *json, const struct yk_ask *ask)
{
    YK_CLEANUP(yk_tags_done) struct yk_tags tags;
    yk_rm_call_ask_tags(yk_ask_app(ask)->partition, ask, &tags);
    yk__put_tags_if(json, "allocationTags", &tags);
}

static const char *task_group_of(const struct yk_ask *ask)
{
    return ask->group != NULL && ask->group->task_group != NULL ? ask->group->task_group->name : NULL;
}

void yk__show_request(struct yk_json *json, const struct yk_ask *ask)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "allocationKey", ask->key);
    show_tags(json, ask);
    yk__put_int_if(json, "requestTime", ask->create_wall_ns);
    yk__put_amounts_if(json, "resource", yk_ask_size(ask));
    show_priority(json, ask);
    yk__put_text_if(json, "requiredNodeId", ask->group->required_node);
    yk__put_text_if(json, "applicationId", yk_ask_app(ask)->id);
    yk__put_true(json, "placeholder", has_flag(ask, YK_ASK_PLACEHOLDER));
    yk__put_text_if(json, "taskGroupName", task_group_of(ask));
    show_log(json, ask);
    yk__put_true(json, "triggeredPreemption", has_flag(ask, YK_ASK_PREEMPTION_TRIGGERED));
    yk__put_true(json, "originator", has_flag(ask, YK_ASK_ORIGINATOR));
    yk__put_true(json, "schedulingAttempted", has_flag(ask, YK_ASK_ATTEMPTED));
    yk__put_true(json, "triggeredScaleUp", has_flag(ask, YK_ASK_SCALE_UP));
    yk_json_object_end(json);
}

/* Compat: requestTime is the creation time of the ask, or of the placeholder that the ask has replaced.
 * allocationTime is the creation time of the ask. bindTime is the time of the decision. */
void yk__show_allocation(struct yk_json *json, const struct yk_ask *ask)
{
    int64_t request_ns =
        yk_ask_placeholder_wall_ns(ask) != 0 ? yk_ask_placeholder_wall_ns(ask) : ask->create_wall_ns;
    yk_json_object_begin(json);
    yk_json_add_text(json, "allocationKey", ask->key);
    show_tags(json, ask);
    yk__put_int_if(json, "requestTime", request_ns);
    yk__put_int_if(json, "allocationTime", ask->create_wall_ns);
    yk__put_int_if(json, "allocationDelay", ask->create_wall_ns - request_ns);
    yk__put_int_if(json, "bindTime", yk_ask_bind_wall_ns(ask));
    yk__put_amounts_if(json, "resource", yk_ask_size(ask));
    show_priority(json, ask);
    yk__put_text_if(json, "nodeId", ask->node->id);
    yk__put_text_if(json, "applicationId", yk_ask_app(ask)->id);
    yk__put_true(json, "placeholder", has_flag(ask, YK_ASK_PLACEHOLDER));
    yk__put_true(json, "placeholderUsed", yk_ask_placeholder_wall_ns(ask) != 0);
    yk__put_text_if(json, "taskGroupName", task_group_of(ask));
    yk__put_true(json, "preempted", has_flag(ask, YK_ASK_PREEMPTED));
    yk__put_true(json, "originator", has_flag(ask, YK_ASK_ORIGINATOR));
    yk_json_object_end(json);
}

/* The tag `foreign` is added if the resource manager has not sent it. */
static void show_foreign_tags(struct yk_json *json, const struct yk_ask *ask)
{
    if (yk_tags_get(yk_ask_tags(ask), YK_SI_TAG_FOREIGN) != NULL) {
        yk__put_tags(json, "allocationTags", yk_ask_tags(ask));
        return;
    }
    struct yk_pair *pairs;
    uint32_t count;
    bool written = false;
    yk__tags_sorted(yk_ask_tags(ask), &pairs, &count);
    const char *kind = has_flag(ask, YK_ASK_STATIC) ? "static" : "default";
    yk_json_key(json, "allocationTags");
    yk_json_object_begin(json);
    for (uint32_t i = 0; i <= count; i++) {
        if (!written && (i == count || yk_str_cmp(pairs[i].key, YK_STR(YK_SI_TAG_FOREIGN)) > 0)) {
            yk_json_add_text(json, YK_SI_TAG_FOREIGN, kind);
            written = true;
        }
        if (i == count)
            break;
        yk_json_key_str(json, pairs[i].key);
        yk_json_str(json, pairs[i].value);
    }
    yk_json_object_end(json);
    free(pairs);
}

void yk__show_foreign(struct yk_json *json, const struct yk_ask *ask)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "allocationKey", ask->key);
    show_foreign_tags(json, ask);
    yk__put_int_if(json, "allocationTime", ask->create_wall_ns);
    yk__put_amounts_if(json, "resource", yk_ask_size(ask));
    show_priority(json, ask);
    yk__put_text_if(json, "nodeId", ask->node != NULL ? ask->node->id : NULL);
    yk__put_true(json, "preemptable", !has_flag(ask, YK_ASK_STATIC));
    yk_json_object_end(json);
}

static void show_groups(struct yk_json *json, const struct yk_app *app)
{
    if (app->group_count == 0)
        return;
    yk_json_key(json, "groups");
    yk_json_array_begin(json);
    for (size_t i = 0; i < app->group_count; i++)
        yk_json_text(json, app->groups[i]);
    yk_json_array_end(json);
}

static void show_state_log(struct yk_json *json, const struct yk_app *app)
{
    if (app->state_log_count == 0)
        return;
    yk_json_key(json, "stateLog");
    yk_json_array_begin(json);
    for (uint32_t i = 0; i < app->state_log_count; i++) {
        yk_json_object_begin(json);
        yk_json_add_int(json, "time", app->state_log[i].wall_ns);
        yk_json_add_text(json, "applicationState", yk_app_state_name(app->state_log[i].state));
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
}

/* Writes the numbers of placeholders of each task group that has had some. */
static void show_placeholders(struct yk_json *json, const struct yk_gang *gang)
{
    const struct yk_task_group *group;
    bool opened = false;
    yk_list_foreach (group, &gang->groups, struct yk_task_group, in_gang) {
        if (group->count == 0)
            continue;
        if (!opened) {
            yk_json_key(json, "placeholderData");
            yk_json_array_begin(json);
            opened = true;
        }
        yk_json_object_begin(json);
        yk__put_text_if(json, "taskGroupName", group->name);
        yk__put_int_if(json, "count", (int64_t)group->count);
        yk__put_amounts_if(json, "minResource", &group->placeholder_size);
        yk__put_int_if(json, "replaced", (int64_t)group->replaced);
        yk__put_int_if(json, "timedout", (int64_t)group->timed_out);
        yk_json_object_end(json);
    }
    if (opened)
        yk_json_array_end(json);
}

/* The timer of the pause (queues.md O6) has the monotonic clock; the answer has wall time. */
static void show_backoff(struct yk_json *json, const struct yk_app *app)
{
    const struct yk_clock *clock = app->partition->core->clock;
    char text[YK_TIME_TEXT_MAX];
    if (!yk_timer_armed(&app->backoff.pause))
        return;
    yk_time_format(yk_clock_wall_ns(clock) + app->backoff.pause.due_mono_ns - yk_clock_mono_ns(clock), 9,
                   text);
    yk_json_add_text(json, "backoffDeadline", text);
}

static void show_history(struct yk_json *json, const struct yk_app_history *history)
{
    static const char *const keys[] = {"resourceUsage", "preemptedResource", "placeholderResource"};
    YK_INDEXED_BY(keys, YK_HISTORY_KIND_COUNT - 1);
    const struct yk_history_entry *entry;
    int kind = -1; /* entries are sorted by kind */
    yk_json_key(json, "resourceHistory");
    yk_json_object_begin(json);
    yk_vec_foreach (entry, &history->entries) {
        if ((int)entry->kind != kind) {
            if (kind >= 0)
                yk_json_object_end(json);
            kind = (int)entry->kind;
            yk_json_key(json, keys[kind]);
            yk_json_object_begin(json);
        }
        yk__put_amounts_if(json, entry->instance_type, &entry->used);
    }
    if (kind >= 0)
        yk_json_object_end(json);
    yk_json_object_end(json);
}

void yk__put_gang_unused(struct yk_json *json, const struct yk_app *app)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf why = {0};
    yk_rm_call_gang_unused(app, &why);
    yk__put_text_if(json, "gangNotUsed", yk_buf_cstr(&why));
}

static void show_open(struct yk_json *json, const struct yk_app *app, bool summary)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "applicationID", app->id);
    yk__put_amounts_if(json, "usedResource", &app->allocated);
    yk__put_amounts_if(json, "placeholderResource", &app->allocated_placeholder);
    yk__put_amounts_if(json, "maxUsedResource", &app->max_used);
    yk__put_amounts_if(json, "pendingResource", &app->pending);
    yk_json_add_text(json, "partition", app->partition->name);
    yk_json_add_text(json, "queueName", app->queue_path);
    yk__put_int_if(json, "submissionTime", app->submit_wall_ns);
    yk__put_int_if(json, "finishedTime", app->life.finish_wall_ns);
    yk_json_add_text(json, "applicationState", yk_app_state_name(app->state));
    yk__put_text_if(json, "user", app->user);
    show_groups(json, app);
    if (app->gang != NULL)
        show_placeholders(json, app->gang);
    yk__put_gang_unused(json, app);
    yk__put_text_if(json, app->state == YK_APP_REJECTED ? "rejectedMessage" : "failedMessage",
                    app->life.message);
    if (app->state == YK_APP_REJECTED)
        yk_json_add_text(json, "remedy", yk_why_remedy_of_rejected(app));
    if (!summary)
        show_state_log(json, app);
    yk__show_app_reservations(json, app);
    yk__put_int_if(json, "maxRequestPriority", app->priority);
    yk__put_int_if(json, "startTime",
                   app->life.start_wall_ns / YK_NS_PER_MS); /* Compat: in milliseconds, unlike finishedTime */
    show_backoff(json, app);
    show_history(json, &app->life.history);
}

void yk__show_app_open(struct yk_json *json, const struct yk_app *app)
{
    show_open(json, app, false);
}

void yk__show_app_summary(struct yk_json *json, const struct yk_app *app)
{
    show_open(json, app, true);
    yk_json_object_end(json);
}

bool yk__is_request(const struct yk_ask *ask)
{
    /* ask->node of an ask that replaces a placeholder is NULL if it is the node of the placeholder. */
    return yk_ask_is_pending(ask) || (ask->flags & YK_ASK_REPLACING) != 0;
}

static void show_asks(struct yk_json *json, const struct yk_names *names, const char *key, bool pending)
{
    bool opened = false;
    for (size_t i = 0; i < names->count; i++) {
        const struct yk_ask *ask = names->items[i].object;
        if (yk__is_request(ask) != pending)
            continue;
        if (!opened) {
            yk_json_key(json, key);
            yk_json_array_begin(json);
            opened = true;
        }
        if (pending)
            yk__show_request(json, ask);
        else
            yk__show_allocation(json, ask);
    }
    if (opened)
        yk_json_array_end(json);
}

void yk__show_app(struct yk_json *json, const struct yk_app *app)
{
    struct yk_names names = {0};
    const struct yk_ask *ask;
    yk__show_app_open(json, app);
    yk_text_set_foreach (ask, &app->asks)
        yk_names_add(&names, yk_str_from(ask->key), 0, ask);
    yk_names_sort(&names);
    show_asks(json, &names, "requests", true);
    show_asks(json, &names, "allocations", false);
    yk_names_done(&names);
    yk_json_object_end(json);
}
