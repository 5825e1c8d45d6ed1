/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/decision_log.h"

static void pod_moment(void *context, enum yk_pod_moment moment, const struct yk_pod *pod, int64_t age_ns)
{
    struct yk_decision_log *log = context;
    if (moment == YK_POD_BOUND || moment == YK_POD_EVICTED)
        fprintf(log->stream, "%lld %s " YK_STR_FMT "/" YK_STR_FMT " " YK_STR_FMT "\n",
                (long long)(yk_clock_mono_ns(log->clock) - log->start_ns),
                moment == YK_POD_BOUND ? "bound" : "evicted", YK_STR_ARG(pod->object.namespace_),
                YK_STR_ARG(pod->object.name), YK_STR_ARG(pod->node_name));
    log->next->pod_moment(log->next->context, moment, pod, age_ns);
}

void yk_decision_log_init(struct yk_decision_log *log, FILE *stream, const struct yk_clock *clock,
                          const struct yk_cluster_observer *next)
{
    *log = (struct yk_decision_log){
        .stream = stream, .clock = clock, .start_ns = yk_clock_mono_ns(clock), .next = next};
    log->observer = (struct yk_cluster_observer){log, pod_moment};
}
