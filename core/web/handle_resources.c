/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET /metrics/resources: requests and limits of each pod (docs/reference/rest.md 10.5). The resource
 * managers write the lines, in slices: first all of them write the lines of one metric, then those of the
 * next, because the lines of a metric must not be in two places.
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

static void next_manager(struct position *position)
{
    position->rm++;
    position->at = (struct yk_si_dump){.part = position->at.part, .is_open = position->at.is_open};
}

static void next_metric(struct position *position)
{
    *position = (struct position){.at.part = position->at.part + 1};
}

enum yk_step yk__get_pod_resources(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_vec *rms = &job->core->rms;
    if (job->own == NULL && !job->core->metric_pods) {
        yk_answer_error(&job->answer, 404, "the setting metrics.pods is off");
        return YK_STEP_DONE;
    }
    struct position *position = position_of(job);
    for (; position->at.part < YK_SI_POD_METRIC_COUNT; next_metric(position)) {
        for (; position->rm < rms->count; next_manager(position)) {
            const struct yk_rm *rm = rms->items[position->rm];
            while (rm->callbacks.pod_resources != NULL &&
                   rm->callbacks.pod_resources(rm->context, &position->at, &job->answer.body)) {
                if (job->answer.body.len >= YK_PIECE_BYTES || yk_job_must_pause(job, until_mono_ns))
                    return YK_STEP_AGAIN;
            }
        }
    }
    return YK_STEP_DONE;
}
