/* SPDX-License-Identifier: Apache-2.0 */
/* Queue: docs/reference/rest.md, section 3. */
#include "partition/dynamic_queue_limits.h"
#include "scheduler/core.h"
#include "web/show_priv.h"

static const char *sort_name(const struct yk_queue *queue)
{
    if (!queue->is_leaf)
        return "fair"; /* children are always ordered by fair share */
    return yk_app_sort_name(queue->settings.app_sort);
}

static void show_properties(struct yk_json *json, const struct yk_property_set *properties)
{
    struct yk_arena arena = {0};
    struct yk_pairs list = yk_property_set_list(properties, &arena);
    yk__put_pairs_if(json, "properties", &list);
    yk_arena_done(&arena);
}

static void show_template(struct yk_json *json, const struct yk_queue *queue)
{
    const struct yk_queue_template *template = &queue->child_template;
    if (queue->is_leaf || !template->is_set)
        return;
    yk_json_key(json, "template");
    yk_json_object_begin(json);
    yk__put_uint_if(json, "maxApplications", template->max_apps);
    yk__put_amounts_if(json, "maxResource", template->has_max ? &template->max : NULL);
    yk__put_amounts_if(json, "guaranteedResource", template->has_guaranteed ? &template->guaranteed : NULL);
    show_properties(json, template->properties);
    yk_json_object_end(json);
}

/* Frees `names`. */
static void show_names(struct yk_json *json, const char *key, struct yk_names *names)
{
    yk_names_sort(names);
    yk_json_key(json, key);
    yk_json_array_begin(json);
    for (size_t i = 0; i < names->count; i++)
        yk_json_str(json, names->items[i].text);
    yk_json_array_end(json);
    yk_names_done(names);
}

static void show_child_names(struct yk_json *json, const struct yk_queue *queue)
{
    struct yk_names names = {0};
    const struct yk_queue *child;
    if (queue->children.count == 0)
        return;
    yk_list_foreach (child, &queue->child_list, struct yk_queue, in_children)
        yk_names_add(&names, yk_str_from(child->path), 0, NULL);
    show_names(json, "childNames", &names);
}

/* The first queue from `queue` on with allocating applications in its branch. NULL: there is none in the
 * branch of `top`. Skips branches without such applications. */
static const struct yk_queue *next_allocating(const struct yk_queue *queue, const struct yk_queue *top)
{
    while (queue != NULL && queue->allocating_accepted == 0) {
        /* Skip the queues below: continue with the next sibling of the queue or of one above it. */
        while (queue != top && queue->in_children.next == &queue->parent->child_list)
            queue = queue->parent;
        if (queue == top)
            return NULL;
        queue = YK_CONTAINER(queue->in_children.next, struct yk_queue, in_children);
    }
    return queue;
}

static void show_allocating(struct yk_json *json, const struct yk_queue *top)
{
    struct yk_names names = {0};
    const struct yk_app *app;
    if (top->allocating_accepted == 0)
        return;
    for (const struct yk_queue *queue = next_allocating(top, top); queue != NULL;) {
        yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf) {
            if (app->allocating_accepted)
                yk_names_add(&names, yk_str_from(app->id), 0, NULL);
        }
        queue = next_allocating(yk_queue_next(queue, top), top);
    }
    show_names(json, "allocatingAcceptedApps", &names);
}

struct limit_entry {
    struct yk_str type;
    int64_t amount;
};

struct limit_view {
    struct yk_arena arena;
    struct yk_vec entries; /* struct limit_entry, in the arena */
};

static void add_entry(void *context, const char *type, int64_t amount)
{
    struct limit_view *view = context;
    struct limit_entry *entry = yk_arena_alloc0(&view->arena, sizeof(*entry));
    *entry = (struct limit_entry){yk_arena_str(&view->arena, yk_str_from(type)), amount};
    yk_vec_append(&view->entries, entry);
}

static int by_type(const void *a, const void *b)
{
    return yk_str_cmp(((const struct limit_entry *)a)->type, ((const struct limit_entry *)b)->type);
}

/*
 * The limit of a namespace may name types that no node and no pod has yet. They have no number, so they are
 * read from the text that the leaf has (queues.md R40). `text` NULL: there are no such types.
 */
static void show_limit(struct yk_json *json, const char *key, const struct yk_resvec *limit, const char *text)
{
    struct limit_view view = {.arena = {0}};
    const struct limit_entry *entry;
    if (text == NULL) {
        yk__put_amounts_if(json, key, limit);
        return;
    }
    yk_resvec_foreach(type, limit) add_entry(&view, yk_restype_name(type), yk_resvec_get(limit, type));
    yk_dynamic_queue_limits_each_unknown(text, add_entry, &view);
    yk_vec_sort(&view.entries, by_type);
    if (view.entries.count > 0) {
        yk_json_key(json, key);
        yk_json_object_begin(json);
        yk_vec_foreach (entry, &view.entries)
            yk_json_add_int(json, entry->type.p, entry->amount);
        yk_json_object_end(json);
    }
    yk_vec_done(&view.entries);
    yk_arena_done(&view.arena);
}

static void show_amounts(struct yk_json *json, const struct yk_queue *queue)
{
    YK_RESVEC(headroom);
    bool limited = yk_queue_headroom(queue, true, &headroom);
    bool of_namespace = !queue->managed; /* the configuration may have named the queue meanwhile */
    yk__put_amounts_if(json, "pendingResource", &queue->pending);
    show_limit(json, "maxResource", queue->has_max ? &queue->max : NULL,
               of_namespace ? queue->type_wait.namespace_max : NULL);
    show_limit(json, "guaranteedResource", queue->has_guaranteed ? &queue->guaranteed : NULL,
               of_namespace ? queue->type_wait.namespace_guaranteed : NULL);
    yk__put_amounts_if(json, "allocatedResource", &queue->allocated);
    yk__put_amounts_if(json, "preemptingResource", &queue->preempting);
    yk__put_amounts_if(json, "headroom", limited ? &headroom : NULL);
}

static void show_quota_preemption(struct yk_json *json, const struct yk_partition *partition,
                                  const struct yk_queue *queue)
{
    const struct yk_clock *clock = partition->core->clock;
    yk_json_add_bool(json, "isQuotaPreemptionRunning", queue->quota.is_running);
    if (yk_list_linked(&queue->quota.in_due))
        yk_json_add_int(json, "quotaPreemptionStartTime",
                        queue->quota.due_mono_ns - yk_clock_mono_ns(clock) + yk_clock_wall_ns(clock));
}

static void show_settings(struct yk_json *json, const struct yk_queue_settings *settings)
{
    char text[YK_TIME_TEXT_MAX];
    yk_json_add_bool(json, "prioritySorting", settings->priority_sort);
    yk_json_add_bool(json, "preemptionEnabled", settings->preemption_policy != YK_PREEMPTION_DISABLED);
    yk_json_add_bool(json, "isPreemptionFence", settings->preemption_policy == YK_PREEMPTION_FENCE);
    yk_duration_format(settings->preemption_delay_ns, text);
    yk_json_add_text(json, "preemptionDelay", text);
    yk_duration_format(settings->quota_preemption_delay_ns, text);
    yk_json_add_text(json, "quotaPreemptionDelay", text);
    yk_json_add_bool(json, "isPriorityFence", settings->priority_policy == YK_PRIORITY_FENCE);
    yk__put_int_if(json, "priorityOffset", settings->priority_offset);
    yk__put_uint_if(json, "unschedAskBackoff", settings->unschedulable_asks_backoff);
    yk_duration_format(settings->backoff_delay_ns, text);
    yk_json_add_text(json, "askBackoffDelay", text);
}

void yk__show_queue_above(struct yk_json *json, const struct yk_partition *partition,
                          const struct yk_queue *queue)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "queuename", queue->path);
    yk_json_add_text(json, "status", yk_object_state_name(queue->state));
    yk_json_add_text(json, "partition", partition->name);
    yk_json_add_bool(json, "isLeaf", queue->is_leaf);
    yk_json_add_bool(json, "isManaged", queue->managed);
    yk__put_text_if(json, "parent", queue->parent != NULL ? queue->parent->path : NULL);
}

static void show_open(struct yk_json *json, const struct yk_partition *partition,
                      const struct yk_queue *queue, bool summary)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "queuename", queue->path);
    yk_json_add_text(json, "status", yk_object_state_name(queue->state));
    if (queue->state == YK_STATE_DRAINING)
        yk_json_add_int(json, "drainingSince", queue->state_wall_ns);
    yk_json_add_text(json, "partition", partition->name);
    show_amounts(json, queue);
    yk_json_add_bool(json, "isLeaf", queue->is_leaf);
    yk_json_add_bool(json, "isManaged", queue->managed);
    if (!summary)
        show_properties(json, queue->properties);
    yk__put_text_if(json, "parent", queue->parent != NULL ? queue->parent->path : NULL);
    if (!summary)
        show_template(json, queue);
    show_child_names(json, queue);
    yk__put_percent_if(json, "absUsedCapacity", queue->has_max ? &queue->max : NULL, &queue->allocated);
    yk__put_uint_if(json, "maxRunningApps", queue->max_apps);
    yk__put_uint_if(json, "runningApps", queue->running_apps);
    yk_json_add_int(json, "currentPriority", queue->priority);
    show_allocating(json, queue);
    yk_json_add_text(json, "sortingPolicy", sort_name(queue));
    show_settings(json, &queue->settings);
    show_quota_preemption(json, partition, queue);
}

void yk__show_queue_open(struct yk_json *json, const struct yk_partition *partition,
                         const struct yk_queue *queue)
{
    show_open(json, partition, queue, false);
}

void yk__show_queue_summary_open(struct yk_json *json, const struct yk_partition *partition,
                                 const struct yk_queue *queue)
{
    show_open(json, partition, queue, true);
}
