/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that are small in every cluster: docs/reference/rest.md, endpoints 1, 7, 8 and 24. */
#include "web/list.h"
#include "web/routes_priv.h"
#include "web/show_priv.h"

static enum yk_step done(struct yk_job *job)
{
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

enum yk_step yk__get_clusters(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition;
    (void)until_mono_ns;
    yk_json_array_begin(&job->json);
    yk_vec_foreach (partition, &job->core->partitions)
        yk__show_cluster(&job->json, job->core, partition);
    yk_json_array_end(&job->json);
    return done(job);
}

enum yk_step yk__get_partitions(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition;
    (void)until_mono_ns;
    yk_json_array_begin(&job->json);
    yk_vec_foreach (partition, &job->core->partitions)
        yk__show_partition(&job->json, partition);
    yk_json_array_end(&job->json);
    return done(job);
}

enum yk_step yk__get_placement_rules(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition = yk_list_partition(job);
    (void)until_mono_ns;
    if (partition == NULL)
        return yk_job_refuse(job, 404, "Partition not found");
    yk__show_rules(&job->json, partition->placement);
    return done(job);
}

enum yk_step yk__get_health(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    if (!job->core->health.has_run)
        return yk_job_refuse(job, 404, "Health check is not available");
    yk__show_health(&job->json, &job->core->health);
    return done(job);
}
