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

/* The simulation of the process; NULL: there is none, and the answer is 404. */
static const struct yk_web_simulation *simulation_of(struct yk_job *job)
{
    if (job->simulation == NULL)
        yk_answer_text(&job->answer, 404, "404 page not found\n");
    return job->simulation;
}

enum yk_step yk__get_simulation_state(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_web_simulation *simulation = simulation_of(job);
    (void)until_mono_ns;
    if (simulation != NULL)
        simulation->show_state(simulation->context, &job->answer);
    return YK_STEP_DONE;
}

enum yk_step yk__post_simulation_clock(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_web_simulation *simulation = simulation_of(job);
    (void)until_mono_ns;
    if (simulation != NULL)
        simulation->set_clock(simulation->context, yk_buf_view(&job->request.body), &job->answer);
    return YK_STEP_DONE;
}

enum yk_step yk__post_simulation_steps(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_web_simulation *simulation = simulation_of(job);
    (void)until_mono_ns;
    if (simulation != NULL)
        simulation->take_steps(simulation->context, yk_buf_view(&job->request.body), &job->answer);
    return YK_STEP_DONE;
}
