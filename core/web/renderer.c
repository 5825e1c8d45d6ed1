/* SPDX-License-Identifier: Apache-2.0 */
#include "web/renderer.h"

static void append(struct yk_renderer *renderer, struct yk_job *job)
{
    job->next = NULL;
    *renderer->last = job;
    renderer->last = &job->next;
}

static struct yk_job *take_first(struct yk_renderer *renderer)
{
    struct yk_job *job = renderer->first;
    renderer->first = job->next;
    if (renderer->first == NULL)
        renderer->last = &renderer->first;
    return job;
}

static void run_turn(struct yk_timer *timer)
{
    struct yk_renderer *renderer = YK_CONTAINER(timer, struct yk_renderer, turn);
    int64_t until_ns = yk_clock_mono_ns(renderer->clock) + YK_RENDER_SLICE_NS;
    do {
        struct yk_job *job = take_first(renderer);
        enum yk_step step = job->route->work(job, until_ns);
        if (step == YK_STEP_AGAIN)
            append(renderer, job);
        else
            renderer->hand_back(job, step == YK_STEP_SORT);
    } while (renderer->first != NULL && yk_clock_mono_ns(renderer->clock) < until_ns);
    if (renderer->first != NULL)
        yk_timer_arm(renderer->timers, timer, 0);
}

void yk_renderer_init(struct yk_renderer *renderer, const struct yk_core *core, const struct yk_clock *clock,
                      struct yk_timers *timers, void (*hand_back)(struct yk_job *job, bool sort))
{
    *renderer = (struct yk_renderer){.core = core, .clock = clock, .timers = timers, .hand_back = hand_back};
    renderer->last = &renderer->first;
    renderer->turn.fire = run_turn;
}

void yk_renderer_done(struct yk_renderer *renderer)
{
    yk_timer_cancel(renderer->timers, &renderer->turn);
    renderer->first = NULL;
    renderer->last = &renderer->first;
}

void yk_renderer_add(struct yk_renderer *renderer, struct yk_job *job)
{
    job->core = renderer->core;
    job->clock = renderer->clock;
    job->place = YK_JOB_RENDERING;
    append(renderer, job);
    if (!yk_timer_armed(&renderer->turn))
        yk_timer_arm(renderer->timers, &renderer->turn, 0);
}
