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

const struct yk_sample *yk_samples_take(struct yk_samples *samples, const struct yk_core_view *view,
                                        const struct yk_workload *workload, int64_t at_ns)
{
    struct yk_sample *sample = yk_new0(struct yk_sample);
    sample->at_ns = at_ns;
    sample->queues = yk_new0_array(struct yk_queue_sample, view->count + 1);
    for (size_t i = 0; i < view->count; i++) {
        const struct yk_queue_view *queue = &view->queues[i];
        if (queue->is_leaf)
            sample->queues[sample->queue_count++] =
                (struct yk_queue_sample){.queue = name_of(samples, queue->path),
                                         .used = queue->used,
                                         .pending = queue->pending,
                                         .reserved = queue->reserved,
                                         .share = queue->share,
                                         .killed = killed_in(workload, queue->path)};
    }
    yk_vec_append(&samples->items, sample);
    return sample;
}

void yk_samples_done(struct yk_samples *samples)
{
    struct yk_sample *sample;
    yk_vec_foreach (sample, &samples->items) {
        free(sample->queues);
        free(sample);
    }
    yk_vec_done(&samples->items);
    char *name;
    yk_vec_foreach (name, &samples->names)
        free(name);
    yk_vec_done(&samples->names);
}
