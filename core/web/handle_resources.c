/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET /metrics/resources: requests and limits of each pod (docs/reference/rest.md 10.5). The resource
 * managers write the lines, in slices. If one of them cannot continue, the request fails, because an
 * incomplete answer would look like that of a smaller cluster.
 */
#include "state/core.h"
#include "web/routes_priv.h"

struct position {
    size_t rm;
    struct yk_si_dump at;
};

static struct position *position_of(struct yk_job *job)
{
    if (job->own == NULL) {
        job->own = yk_new0(struct position);
        job->own_free = free;
        job->answer.content_type = YK_TYPE_METRICS;
    }
    return job->own;
}

enum yk_step yk__get_pod_resources(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_vec *rms = &job->core->rms;
    if (job->own == NULL && !job->core->metric_pods) {
        yk_answer_error(&job->answer, 404, "the setting metrics.pods is off");
        return YK_STEP_DONE;
    }
    struct position *position = position_of(job);
    for (; position->rm < rms->count; position->rm++, position->at = (struct yk_si_dump){0}) {
        const struct yk_rm *rm = rms->items[position->rm];
        while (rm->callbacks.pod_resources != NULL &&
               rm->callbacks.pod_resources(rm->context, &position->at, &job->answer.body)) {
            if (job->answer.body.len >= YK_PIECE_BYTES || yk_job_must_pause(job, until_mono_ns))
                return YK_STEP_AGAIN;
        }
    }
    return YK_STEP_DONE;
}
