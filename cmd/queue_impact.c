/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/queue_impact.h"

#include "base/json_writer.h"
#include "limits/usage.h"
#include "placement/placement.h"
#include "scheduler/core.h"

enum { LISTED_MAX = 1000, QUEUE_PATH_BYTES_MAX = 4096 };

/* A queue before the change. */
struct before {
    char *path; /* owned */
    bool has_max, has_guaranteed, is_draining;
    struct yk_resvec max, guaranteed;
    uint64_t max_apps;
};

struct memory {
    struct yk_strmap queues; /* path -> struct before, owned */
    struct yk_vec order;     /* struct before; parents before children */
};

/* The only partition that the shim uses; NULL: it does not exist yet. */
static const struct yk_partition *partition_of(const struct yk_core *core)
{
    return core->partitions.count > 0 ? core->partitions.items[0] : NULL;
}

#define for_each_queue(queue, partition)                                                                     \
    for (const struct yk_queue *queue = (partition)->root; queue != NULL;                                    \
         queue = yk_queue_next(queue, (partition)->root))

static const char *queue_of(void *context, const char *application_id)
{
    const struct yk_partition *partition = partition_of(context);
    const struct yk_app *app =
        partition != NULL ? yk_strmap_get(&partition->apps, yk_str_from(application_id)) : NULL;
    return app != NULL ? app->queue_path : NULL;
}

static void *remember(void *context)
{
    const struct yk_partition *partition = partition_of(context);
    struct memory *memory = yk_new0(struct memory);
    for_each_queue(queue, partition)
    {
        struct before *before = yk_new0(struct before);
        before->path = yk_strdup(queue->path);
        before->has_max = queue->has_max && queue->parent != NULL;
        before->has_guaranteed = queue->has_guaranteed;
        before->max_apps = queue->max_apps;
        before->is_draining = queue->state == YK_STATE_DRAINING;
        if (before->has_max)
            yk_resvec_copy(&before->max, &queue->max);
        if (before->has_guaranteed)
            yk_resvec_copy(&before->guaranteed, &queue->guaranteed);
        (void)yk_strmap_put(&memory->queues, yk_str_from(before->path), before); /* the path is new */
        yk_vec_append(&memory->order, before);
    }
    return memory;
}

/* ---- lists of at most LISTED_MAX entries ---- */

struct list {
    struct yk_json *json;
    const char *name;
    size_t count;
};

static void list_begin(struct list *list, struct yk_json *json, const char *name)
{
    *list = (struct list){json, name, 0};
    yk_json_key(json, name);
    yk_json_array_begin(json);
}

/* Counts an entry. True: it has to be written; false: LISTED_MAX entries are written already. */
static bool list_next(struct list *list)
{
    return ++list->count <= LISTED_MAX;
}

static void list_end(const struct list *list)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_json_array_end(list->json);
    if (list->count <= LISTED_MAX)
        return;
    yk_buf_printf(&name, "%sOmitted", list->name);
    yk_json_add_int(list->json, yk_buf_cstr(&name), (int64_t)(list->count - LISTED_MAX));
}

static void put_amounts(struct yk_json *json, const char *key, bool has, const struct yk_resvec *amounts)
{
    yk_json_key(json, key);
    if (has)
        yk_resvec_json(amounts, json);
    else
        yk_json_null(json);
}

/* ---- queues ---- */

static bool same_amounts(bool has_a, const struct yk_resvec *a, bool has_b, const struct yk_resvec *b)
{
    return has_a == has_b && (!has_a || yk_resvec_same(a, b));
}

static bool has_changed(const struct before *before, const struct yk_queue *now)
{
    bool has_max = now->has_max && now->parent != NULL;
    return !same_amounts(before->has_max, &before->max, has_max, &now->max) ||
           !same_amounts(before->has_guaranteed, &before->guaranteed, now->has_guaranteed,
                         &now->guaranteed) ||
           before->max_apps != now->max_apps;
}

static void put_change(const struct before *before, const struct yk_queue *now, struct yk_json *json)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "queueName", now->path);
    put_amounts(json, "maxBefore", before->has_max, &before->max);
    put_amounts(json, "max", now->has_max && now->parent != NULL, &now->max);
    put_amounts(json, "guaranteedBefore", before->has_guaranteed, &before->guaranteed);
    put_amounts(json, "guaranteed", now->has_guaranteed, &now->guaranteed);
    yk_json_add_uint(json, "maxApplicationsBefore", before->max_apps);
    yk_json_add_uint(json, "maxApplications", now->max_apps);
    yk_json_object_end(json);
}

static void put_added(const struct yk_partition *partition, const struct memory *memory, struct yk_json *json)
{
    struct list list;
    list_begin(&list, json, "queuesAdded");
    for_each_queue(queue, partition)
    {
        if (yk_strmap_get(&memory->queues, yk_str_from(queue->path)) == NULL && list_next(&list))
            yk_json_text(json, queue->path);
    }
    list_end(&list);
}

static void put_changed(const struct yk_partition *partition, const struct memory *memory,
                        struct yk_json *json)
{
    struct list list;
    list_begin(&list, json, "queuesChanged");
    for_each_queue(queue, partition)
    {
        const struct before *before = yk_strmap_get(&memory->queues, yk_str_from(queue->path));
        if (before != NULL && has_changed(before, queue) && list_next(&list))
            put_change(before, queue, json);
    }
    list_end(&list);
}

static void put_removed(const struct yk_partition *partition, const struct memory *memory,
                        struct yk_json *json)
{
    struct list list;
    const struct before *before;
    list_begin(&list, json, "queuesRemoved");
    yk_vec_foreach (before, &memory->order) {
        const struct yk_queue *queue = yk_queue_find(partition->root, yk_str_from(before->path));
        bool is_gone = queue == NULL || queue->state == YK_STATE_DRAINING;
        if (is_gone && !before->is_draining && list_next(&list))
            yk_json_text(json, before->path);
    }
    list_end(&list);
}

static void put_draining(const struct yk_partition *partition, struct yk_json *json)
{
    struct list list;
    list_begin(&list, json, "draining");
    for_each_queue(queue, partition)
    {
        if (!queue->is_leaf || !yk_queue_is_draining(queue) || queue->app_count == 0 || !list_next(&list))
            continue;
        yk_json_object_begin(json);
        yk_json_add_text(json, "queueName", queue->path);
        yk_json_add_uint(json, "applications", queue->app_count);
        yk_json_object_end(json);
    }
    list_end(&list);
}

/* ---- queues, users and groups above a maximum ---- */

static void put_above(const char *kind, const char *name, const struct yk_queue *queue,
                      const struct yk_resvec *max, const struct yk_resvec *used, struct yk_json *json)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "kind", kind);
    yk_json_add_text(json, "name", name);
    yk_json_add_text(json, "queueName", queue->path);
    put_amounts(json, "max", true, max);
    put_amounts(json, "used", true, used);
    yk_json_object_end(json);
}

static void put_users_above(const struct yk_queue *queue, struct list *list)
{
    const struct yk_usage *usage;
    yk_list_foreach (usage, &queue->usages, struct yk_usage, in_queue) {
        bool is_above = usage->limit != NULL && usage->limit->has_resources &&
                        !yk_resvec_fit_undef(&usage->limit->resources, &usage->allocated);
        if (is_above && list_next(list))
            put_above(usage->tracker->is_group ? "group" : "user", usage->tracker->name, queue,
                      &usage->limit->resources, &usage->allocated, list->json);
    }
}

static void put_all_above(const struct yk_partition *partition, struct yk_json *json)
{
    struct list list;
    list_begin(&list, json, "above");
    for_each_queue(queue, partition)
    {
        bool is_above =
            queue->has_max && queue->parent != NULL && !yk_resvec_fit_undef(&queue->max, &queue->allocated);
        if (is_above && list_next(&list))
            put_above("queue", queue->path, queue, &queue->max, &queue->allocated, json);
        put_users_above(queue, &list);
    }
    list_end(&list);
}

/* ---- queues of applications if they were submitted again ---- */

static void put_placement(const struct yk_app *app, const char *path, const char *refusal,
                          struct yk_json *json)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "applicationID", app->id);
    yk_json_add_text(json, "queueName", app->queue_path);
    yk_json_add_text(json, "newQueueName", path);
    yk_json_add_text(json, "message", refusal);
    yk_json_object_end(json);
}

/* Lists the applications that would be placed in another queue than theirs, or be rejected. */
static void put_placements(const struct yk_partition *partition, struct yk_json *json)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = QUEUE_PATH_BYTES_MAX};
    struct list list;
    list_begin(&list, json, "placements");
    for_each_queue(queue, partition)
    {
        const struct yk_app *app;
        yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf) {
            struct yk_err err = {0};
            yk_buf_clear(&path);
            enum yk_status st = yk_placement_place(partition->placement, partition->root, app, &path, &err);
            bool differs = st != YK_OK || !yk_str_is_nocase(yk_buf_view(&path), queue->path);
            if (differs && list_next(&list))
                put_placement(app, st == YK_OK ? yk_buf_cstr(&path) : "", err.text, json);
        }
    }
    list_end(&list);
}

static void add_impact(void *context, const void *before, struct yk_json *json)
{
    const struct yk_partition *partition = partition_of(context);
    const struct memory *memory = before;
    if (partition == NULL || memory == NULL)
        return;
    put_added(partition, memory, json);
    put_removed(partition, memory, json);
    put_changed(partition, memory, json);
    put_draining(partition, json);
    put_all_above(partition, json);
    put_placements(partition, json);
}

struct yk_whatif_core yk_queue_impact(struct yk_core *core)
{
    return (struct yk_whatif_core){core, queue_of, remember, add_impact};
}
