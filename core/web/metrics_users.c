/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of the `metrics.users` users and groups that use most: docs/reference/rest.md 10.1. */
#include "limits/usage.h"
#include "web/metrics_priv.h"
#include "web/slots.h"

enum { ROWS_MAX = 2000 }; /* rows, each of a user or group in a queue */

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

/* The part of the cluster in use, in millionths, for the resource type of which it is largest. */
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

void yk__copy_usages(struct yk_job *job, const struct yk_partition *partition, bool groups, size_t most,
                     struct yk_vec *rows)
{
    for (size_t i = 0; i < YK_MIN(job->inner.count, most); i++) {
        const struct yk_tracker *tracker =
            yk_usages_find(&partition->usages, groups, job->inner.items[i].text);
        for (struct yk_usage *at = tracker != NULL ? tracker->root : NULL;
             at != NULL && rows->count < ROWS_MAX; at = yk_usage_next(at))
            add_row(rows, tracker, at);
    }
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
