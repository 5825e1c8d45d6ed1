/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET /metrics/slis: results of health checks in the form that components of Kubernetes use (Kubernetes
 * documentation, "Kubernetes Component SLI Metrics"). Answered on the I/O thread.
 */
#include "metrics/metric_text.h"
#include "web/job.h"
#include "web/routes_priv.h"
#include "web/server_stats.h"

static const char *const types[YK_WEB_PROBES] = {"healthz", "livez", "readyz"};

static void put(const struct yk_server_stats *stats, struct yk_metric_lines *lines, bool is_total)
{
    for (size_t check = 0; check <= stats->check_count; check++) {
        const char *name = check == 0 ? "ping" : stats->checks[check - 1].name;
        for (int type = 0; type < YK_WEB_PROBES; type++) {
            const struct yk_web_check_results *results = &stats->results[type][check];
            if (results->passed + results->failed == 0)
                continue;
            if (!is_total) {
                yk_metric_putf(lines, results->passed_last, "name=\"%s\",type=\"%s\"", name, types[type]);
                continue;
            }
            if (results->failed > 0)
                yk_metric_putf(lines, (int64_t)results->failed, "name=\"%s\",status=\"error\",type=\"%s\"",
                               name, types[type]);
            if (results->passed > 0)
                yk_metric_putf(lines, (int64_t)results->passed, "name=\"%s\",status=\"success\",type=\"%s\"",
                               name, types[type]);
        }
    }
}

enum yk_step yk__get_slis(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    job->answer.content_type = YK_TYPE_METRICS;
    struct yk_metric_lines last = yk_metric_begin(&yk_metric_healthcheck, &job->answer.body);
    put(job->stats, &last, false);
    struct yk_metric_lines total = yk_metric_begin(&yk_metric_healthchecks, &job->answer.body);
    put(job->stats, &total, true);
    return YK_STEP_DONE;
}
