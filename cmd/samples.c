/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/samples.h"

static const char *name_of(struct yk_samples *samples, const char *path)
{
    char *name;
    yk_vec_foreach (name, &samples->names) {
        if (strcmp(name, path) == 0)
            return name;
    }
    name = yk_strdup(path);
    yk_vec_append(&samples->names, name);
    return name;
}

static uint64_t killed_in(const struct yk_workload *workload, const char *path)
{
    const struct yk_queue_row *row;
    yk_vec_foreach (row, &workload->queues) {
        if (strcmp(row->name, path) == 0)
            return row->killed;
    }
    return 0;
}

const struct yk_simulation_sample *yk_samples_take(struct yk_samples *samples,
                                                   const struct yk_core_view *view,
                                                   const struct yk_workload *workload, int64_t at_ns)
{
    struct yk_simulation_sample *sample = yk_new0(struct yk_simulation_sample);
    sample->at_ns = at_ns;
    sample->queues = yk_new0_array(struct yk_queue_sample, view->count + 1);
    for (size_t i = 0; i < view->count; i++) {
        const struct yk_queue_view *queue = &view->queues[i];
        if (!queue->is_leaf)
            continue;
        struct yk_queue_sample *row = &sample->queues[sample->queue_count++];
        row->queue = name_of(samples, queue->path);
        yk_resvec_copy(&row->used, &queue->used);
        yk_resvec_copy(&row->pending, &queue->pending);
        yk_resvec_copy(&row->reserved, &queue->reserved);
        row->share = queue->share;
        row->killed = killed_in(workload, queue->path);
    }
    yk_vec_append(&samples->items, sample);
    return sample;
}

void yk_samples_done(struct yk_samples *samples)
{
    struct yk_simulation_sample *sample;
    yk_vec_foreach (sample, &samples->items) {
        for (size_t i = 0; i < sample->queue_count; i++) {
            yk_resvec_done(&sample->queues[i].used);
            yk_resvec_done(&sample->queues[i].pending);
            yk_resvec_done(&sample->queues[i].reserved);
        }
        free(sample->queues);
        free(sample);
    }
    yk_vec_done(&samples->items);
    char *name;
    yk_vec_foreach (name, &samples->names)
        free(name);
    yk_vec_done(&samples->names);
}
