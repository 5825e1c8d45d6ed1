/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET /: the web page for browsers, and for other clients a text that names useful paths
 * (docs/reference/rest.md 1.9). Runs on the I/O thread.
 */
#include "web/routes_priv.h"
#include "web/web_page.h"

static void write_text(struct yk_answer *answer)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_text(&text,
                "yunikorn REST interface. Browsers get a web page here.\n\n"
                "/ws/v1/partitions                             partitions\n"
                "/ws/v1/partition/default/queues               queues: what they have and may have\n"
                "/ws/v1/partition/default/applications/active  applications that are not completed\n"
                "/ws/v1/partition/default/nodes                nodes\n"
                "/ws/v1/scheduler/healthcheck                  checks of the scheduler's own state\n"
                "/metrics                                      for Prometheus\n"
                "/configz                                      settings in effect, and where they come from\n"
                "/statusz                                      version, age, checks\n"
                "/flagz                                        flags of the process\n"
                "/livez                                        probe: the process works\n"
                "/readyz                                       probe: it schedules\n");
    yk_answer_text(answer, 200, yk_buf_cstr(&text));
    answer->vary = "Accept, Accept-Encoding";
}

enum yk_step yk__get_root(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_request *request = &job->request;
    (void)until_mono_ns;
    if (yk_page_wanted(request->accept))
        yk_page_answer(yk_page_find("/"), request->gzip, request->if_none_match, false, &job->answer);
    else
        write_text(&job->answer);
    return YK_STEP_DONE;
}
