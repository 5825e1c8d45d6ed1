/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/recording.h"

void yk_recording_init(struct yk_recording *recording)
{
    *recording = (struct yk_recording){.interval_ns = 100 * YK_NS_PER_MS};
}

static void point_free(struct yk_recorded_point *point)
{
    free(point->queues);
    free(point);
}

void yk_recording_done(struct yk_recording *recording)
{
    struct yk_recorded_point *point;
    yk_vec_foreach (point, &recording->points)
        point_free(point);
    yk_vec_done(&recording->points);
}

static void drop_every_second(struct yk_recording *recording)
{
    struct yk_vec kept = {0};
    for (size_t i = 0; i < recording->points.count; i++) {
        if (i % 2 == 0)
            yk_vec_append(&kept, recording->points.items[i]);
        else
            point_free(recording->points.items[i]);
    }
    yk_vec_done(&recording->points);
    recording->points = kept;
    recording->interval_ns *= 2;
}

void yk_recording_take(struct yk_recording *recording, const struct yk_workload *workload, int64_t at_ns)
{
    if (recording->points.count >= YK_RECORDING_POINTS_MAX)
        drop_every_second(recording);
    struct yk_recorded_point *point = yk_new0(struct yk_recorded_point);
    point->at_ns = at_ns;
    point->queue_count = workload->queues.count;
    point->queues = yk_new0_array(struct yk_recorded_queue, point->queue_count + 1);
    for (size_t i = 0; i < point->queue_count; i++) {
        const struct yk_queue_row *row = workload->queues.items[i];
        point->queues[i].used_milli = yk_resvec_get(&row->used, YK_RESTYPE_VCORE);
        point->queues[i].waiting = row->waiting;
    }
    yk_vec_append(&recording->points, point);
}
