/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET /: what a browser shows that was pointed at the interface, or at the port of Apache YuniKorn's web
 * interface. docs/reference/rest.md 12.3. Runs on the I/O thread.
 */
#include "base/version.h"
#include "web/routes_priv.h"

enum yk_step yk__get_root(struct yk_job *job, int64_t until_mono_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    (void)until_mono_ns;
    yk_buf_printf(&text, "yunikorn %s, REST interface. It has no web interface yet.\n\n", yk_version);
    yk_buf_text(&text, "/ws/v1/partitions                             partitions\n"
                       "/ws/v1/partition/default/queues               queues: what they have and may have\n"
                       "/ws/v1/partition/default/applications/active  applications that are not completed\n"
                       "/ws/v1/partition/default/nodes                nodes\n"
                       "/ws/v1/scheduler/healthcheck                  checks of the scheduler's own state\n"
                       "/metrics                                      for Prometheus\n"
                       "/livez                                        probe: the process works\n"
                       "/readyz                                       probe: it schedules\n");
    yk_answer_text(&job->answer, 200, yk_buf_cstr(&text));
    return YK_STEP_DONE;
}
