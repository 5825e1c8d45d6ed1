/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of the `metrics.users` users and groups that use most: docs/reference/rest.md 10.1. */
#include "limits/usage.h"
#include "web/metrics_priv.h"
#include "web/slots.h"

enum {
    ROWS_MAX = 2000, /* most rows; each row is for a user or group in a queue */
    ROWS_PER_LOOK = 16,
};

void yk__usage_rows_done(struct yk_vec *rows)
{
    struct yk__usage_row *row;
    yk_vec_foreach (row, rows) {
        free(row->name);
        free(row->queue);
        yk_resvec_done(&row->used);
        yk_resvec_done(&row->max);
        free(row);
    }
    yk_vec_done(rows);
}

/* The part of the cluster in use, in millionths, for the resource type of which the largest part is in
 * use. */
static int64_t share_of(const struct yk_resvec *used, const struct yk_resvec *total)
{
    double share = 0;
    yk_resvec_foreach(t, used)
    {
        if (yk_resvec_get(total, t) > 0)
            share = YK_MAX(share, (double)yk_resvec_get(used, t) / (double)yk_resvec_get(total, t));
    }
    return (int64_t)(YK_MIN(share, 1e6) * 1e6);
}

/* Adds the name of a user or group, ordered so that those that use most come first. */
static void take_tracker(struct yk_job *job, const void *item)
{
    const struct yk_tracker *tracker = item;
    const struct yk_partition *partition = job->cursor;
    if (tracker->root != NULL)
        yk_names_add(&job->inner, yk_str_from(tracker->name),
                     -share_of(&tracker->root->allocated, &partition->root->max), NULL);
}

bool yk__collect_trackers(struct yk_job *job, const struct yk_partition *partition, bool groups,
                          int64_t until_mono_ns)
{
    job->inner.window = YK_NAMES_WINDOW_BYTES;
    job->cursor = partition;
    bool is_complete = yk__walk_map(job, groups ? &partition->usages.groups : &partition->usages.users,
                                    &job->inner, take_tracker, until_mono_ns);
    job->cursor = NULL;
    return is_complete;
}

static void add_row(struct yk_vec *rows, const struct yk_tracker *tracker, const struct yk_usage *usage)
{
    struct yk__usage_row *row = yk_new0(struct yk__usage_row);
    row->name = yk_strdup(tracker->name);
    row->queue = yk_strdup(usage->queue->path);
    yk_resvec_copy(&row->used, &usage->allocated);
    if (usage->limit != NULL && usage->limit->has_resources)
        yk_resvec_copy(&row->max, &usage->limit->resources);
    yk_vec_append(rows, row);
}

/* The usage to copy next: the first one of the tracker, or the one after the usage of the last row. NULL:
 * there is no next one, or the usage of the last row was removed. */
static const struct yk_usage *next_usage(const struct yk_partition *partition,
                                         const struct yk_tracker *tracker, const struct yk_vec *rows)
{
    const struct yk__usage_row *last = rows->count > 0 ? rows->items[rows->count - 1] : NULL;
    if (last == NULL || strcmp(last->name, tracker->name) != 0)
        return tracker->root;
    const struct yk_queue *queue = yk_queue_find(partition->root, yk_str_from(last->queue));
    struct yk_usage *usage = queue != NULL ? yk_tracker_entry(tracker, queue) : NULL;
    return usage != NULL ? yk_usage_next(usage) : NULL;
}

bool yk__copy_usages(struct yk_job *job, const struct yk_partition *partition, bool groups, size_t most,
                     struct yk_vec *rows, int64_t until_mono_ns)
{
    for (; job->inner_at < YK_MIN(job->inner.count, most); job->inner_at++) {
        const struct yk_tracker *tracker =
            yk_usages_find(&partition->usages, groups, job->inner.items[job->inner_at].text);
        const struct yk_usage *at = tracker != NULL ? next_usage(partition, tracker, rows) : NULL;
        for (; at != NULL && rows->count < ROWS_MAX; at = yk_usage_next(at)) {
            add_row(rows, tracker, at);
            if (rows->count % ROWS_PER_LOOK == 0 && yk_job_must_pause(job, until_mono_ns))
                return false;
        }
    }
    job->inner_at = 0;
    return true;
}

static void put_amounts(struct yk_metric_lines *lines, const char *kind, const struct yk__usage_row *row,
                        const char *state, const struct yk_resvec *amounts)
{
    bool is_group = strcmp(kind, "group") == 0;
    yk_resvec_foreach(t, amounts)
    {
        YK_CLEANUP(yk_buf_done) struct yk_buf name = {0}, queue = {0}, resource = {0};
        yk_metric_label(&name, kind, yk_str_from(row->name));
        yk_metric_label(&queue, "queue", yk_str_from(row->queue));
        yk_metric_label(&resource, "resource", yk_str_from(yk_restype_name(t)));
        if (is_group)
            yk_metric_putf(lines, yk_resvec_get(amounts, t), "%s,%s,%s,state=\"%s\"", yk_buf_cstr(&name),
                           yk_buf_cstr(&queue), yk_buf_cstr(&resource), state);
        else
            yk_metric_putf(lines, yk_resvec_get(amounts, t), "%s,%s,state=\"%s\",%s", yk_buf_cstr(&queue),
                           yk_buf_cstr(&resource), state, yk_buf_cstr(&name));
    }
}

static void put_rows(struct yk_metric_lines *lines, const char *kind, const struct yk_vec *rows)
{
    const struct yk__usage_row *row;
    yk_vec_foreach (row, rows) {
        put_amounts(lines, kind, row, "max", &row->max);
        put_amounts(lines, kind, row, "used", &row->used);
    }
}

void yk__metric_user_resource(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_rows(lines, "user", &core->users);
}

void yk__metric_group_resource(struct yk_metric_lines *lines, const struct yk__core_numbers *core)
{
    put_rows(lines, "group", &core->groups);
}
