/* SPDX-License-Identifier: Apache-2.0 */
/* /ui/mode: whether there is a simulation. /sim/v1/...: the paths of `yunikorn simulate --web`.
 * docs/reference/simulate.md, "On a web page". */
#include "web/routes_priv.h"
#include "web/simulation_hook.h"

/* I/O thread. */
enum yk_step yk__get_page_mode(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    job->answer.content_type = YK_TYPE_JSON;
    yk_json_object_begin(&job->json);
    yk_json_add_bool(&job->json, "simulated", job->simulation != NULL);
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

static enum yk_step answer(struct yk_job *job, bool is_known)
{
    if (!is_known)
        yk_answer_text(&job->answer, 404, "404 page not found\n");
    return YK_STEP_DONE;
}

enum yk_step yk__get_simulation(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_web_simulation *simulation = job->simulation;
    (void)until_mono_ns;
    return answer(job,
                  simulation != NULL && simulation->show(simulation->context,
                                                         yk_job_param(job, YK_PARAM_ACTION), &job->answer));
}

enum yk_step yk__post_simulation(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_web_simulation *simulation = job->simulation;
    (void)until_mono_ns;
    return answer(job, simulation != NULL &&
                           simulation->act(simulation->context, yk_job_param(job, YK_PARAM_ACTION),
                                           yk_buf_view(&job->request.body), &job->answer));
}
