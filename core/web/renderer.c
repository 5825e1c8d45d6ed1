/* SPDX-License-Identifier: Apache-2.0 */
#include "web/renderer.h"

#include "base/actor.h"
#include "scheduler/core.h"
#include "si.h"
#include "web/auth_backend.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <time.h>

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

/* ---- questions that wait for a reply ---- */

bool yk_renderer_asks(const struct yk_renderer *renderer, const char question[YK_DIGEST_LEN])
{
    const struct yk_job *job;
    yk_list_foreach (job, &renderer->held, struct yk_job, in_held) {
        if (job->asks && memcmp(job->question, question, YK_DIGEST_LEN) == 0)
            return true;
    }
    return false;
}

/* Continues the jobs that wait for the reply to the same question. They find a successful reply in a cache;
 * without one, the first of them asks again. */
static void let_joined_go(struct yk_renderer *renderer, const struct yk_job *asked)
{
    struct yk_job *job;
    yk_list_foreach (job, &renderer->held, struct yk_job, in_held) {
        if (!job->joins || memcmp(job->question, asked->question, YK_DIGEST_LEN) != 0)
            continue;
        job->joins = false;
        yk_timer_cancel(renderer->timers, &job->patience);
        yk_list_remove(&job->in_held);
        yk_renderer_add(renderer, job);
    }
}

static void let_go(struct yk_renderer *renderer, struct yk_job *job, const struct yk_backend_reply *reply)
{
    yk_timer_cancel(renderer->timers, &job->patience);
    yk_list_remove(&job->in_held);
    yk_job_reply_clear(job);
    job->reply.came = true;
    job->reply.status = reply->status;
    job->reply.text = yk_strdup(reply->text != NULL ? reply->text : "");
    job->reply.allowed = reply->allowed;
    yk_caller_init(&job->reply.caller, reply->user, reply->groups, reply->group_count);
    yk_renderer_add(renderer, job);
    job->joins = false;
    if (!job->asks)
        return;
    yk_guard_learn(renderer->guard, job);
    let_joined_go(renderer, job);
}

static void lower_recheck(struct yk_timer *timer)
{
    struct yk_job *job = YK_CONTAINER(timer, struct yk_job, patience);
    const struct yk_whatif_backend *whatif = &job->renderer->whatif;
    const struct yk_backend_reply late = {
        .status = 503, .text = job->late != NULL ? job->late : "the API server does not answer, try again"};
    if (job->route->is_costly && whatif->cancel != NULL)
        whatif->cancel(whatif->context, job->ticket); /* no effect on other jobs */
    let_go(job->renderer, job, &late);
}

static void go_on_now(struct yk_timer *timer)
{
    struct yk_job *job = YK_CONTAINER(timer, struct yk_job, patience);
    yk_list_remove(&job->in_held);
    yk_renderer_add(job->renderer, job);
}

static void put_off(struct yk_renderer *renderer, struct yk_job *job)
{
    yk_list_append(&renderer->held, &job->in_held);
    job->patience.fire = go_on_now;
    yk_timer_arm(renderer->timers, &job->patience, YK_LATER_NS);
}

static void hold(struct yk_renderer *renderer, struct yk_job *job)
{
    yk_list_append(&renderer->held, &job->in_held);
    job->patience.fire = lower_recheck;
    yk_timer_arm(renderer->timers, &job->patience, YK_PATIENCE_NS);
}

void yk_renderer_replied(struct yk_renderer *renderer, uint64_t ticket, const struct yk_backend_reply *reply)
{
    struct yk_job *job;
    yk_list_foreach (job, &renderer->held, struct yk_job, in_held) {
        if (job->ticket != ticket)
            continue;
        let_go(renderer, job, reply);
        return;
    }
}

void yk_renderer_cancel(struct yk_renderer *renderer, uint64_t number)
{
    const struct yk_whatif_backend *whatif = &renderer->whatif;
    const struct yk_backend_reply gone = {.status = 503, .text = "the client has gone"};
    struct yk_job *job;
    yk_list_foreach (job, &renderer->held, struct yk_job, in_held) {
        if (job->number != number)
            continue;
        if (whatif->cancel != NULL)
            whatif->cancel(whatif->context, job->ticket);
        let_go(renderer, job, &gone);
        return;
    }
}

/* ---- streams that idle ---- */

static void wake_streams(void *context)
{
    struct yk_renderer *renderer = context;
    struct yk_job *job;
    while ((job = yk_list_first(&renderer->idle, struct yk_job, in_held)) != NULL) {
        yk_list_remove(&job->in_held);
        yk_renderer_add(renderer, job);
    }
    yk_timer_cancel(renderer->timers, &renderer->idle_timer);
}

static void on_idle_timer(struct yk_timer *timer)
{
    struct yk_renderer *renderer = YK_CONTAINER(timer, struct yk_renderer, idle_timer);
    struct yk_job *job;
    while ((job = yk_list_first(&renderer->idle, struct yk_job, in_held)) != NULL) {
        yk_list_remove(&job->in_held);
        renderer->hand_back(job, YK_STEP_DONE);
    }
    yk_timers_nothing_changed(renderer->timers);
}

static void idle(struct yk_renderer *renderer, struct yk_job *job)
{
    yk_list_append(&renderer->idle, &job->in_held);
    yk_events_wait(&renderer->core->events, wake_streams, renderer);
    if (!yk_timer_armed(&renderer->idle_timer))
        yk_timer_arm(renderer->timers, &renderer->idle_timer, YK_IDLE_NS);
}

/* ---- turns ---- */

/* Counts what changes on the scheduling thread; 0: not known. Neither of the two numbers ever falls. */
static uint64_t changes_so_far(const struct yk_renderer *renderer)
{
    if (renderer->actor == NULL)
        return 0;
    return 1 + yk_actor_changes(renderer->actor) + renderer->timers->changes;
}

/* Sets the ETag of a long answer before its first slice: all that the answer shows is read later, and changes
 * meanwhile give other answers another ETag. True: the client has the answer already. */
static bool is_known(const struct yk_renderer *renderer, struct yk_job *job)
{
    const struct yk_target *target = &job->request.target;
    if (renderer->actor == NULL || !job->has_validator || !job->route->is_long || job->tenant != NULL ||
        job->etag[0] != '\0')
        return false;
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_buf_str(&name, target->path);
    yk_buf_char(&name, '?');
    yk_buf_str(&name, target->query);
    (void)snprintf(job->etag, sizeof(job->etag), "W/\"%s-%" PRIx64 "-%" PRIx64 "\"",
                   renderer->core->events.instance, yk_hash(name.p, name.len), job->changes);
    /* "*" is for later: whether there is an answer is not known yet. */
    struct yk_str known = job->request.if_none_match;
    if ((known.len > 0 && memchr(known.p, '*', known.len) != NULL) || !yk_answer_is_known(known, job->etag))
        return false;
    job->answer.status = 304;
    job->answer.content_type = NULL;
    job->answer.etag = job->etag;
    return true;
}

static enum yk_step write_answer(const struct yk_renderer *renderer, struct yk_job *job, int64_t until_ns)
{
    return is_known(renderer, job) ? YK_STEP_DONE : job->route->work(job, until_ns);
}

static enum yk_step work_on(struct yk_renderer *renderer, struct yk_job *job, int64_t until_ns)
{
    job->ticket = ++renderer->tickets;
    job->changes = changes_so_far(renderer);
    if (job->guard == YK_GUARD_OPEN)
        return write_answer(renderer, job, until_ns);
    if (!job->admitted) {
        enum yk_step step = yk_guard_admit(renderer->guard, job);
        if (step != YK_STEP_AGAIN)
            return step;
    }
    /* A caller without `tenant` may see the whole answer, like other readers, so the answer may be shared. */
    bool is_shared = job->route->is_shared && job->tenant == NULL && !job->is_alone && !job->has_been_here;
    job->has_been_here = true;
    return job->route->on_io || is_shared ? YK_STEP_ON_IO : write_answer(renderer, job, until_ns);
}

static bool has_piece(const struct yk_job *job)
{
    return job->route->is_long && job->answer.body.len >= YK_PIECE_BYTES;
}

int64_t yk_renderer_pause_ns(int64_t spent_ns, bool is_busy)
{
    return is_busy ? spent_ns * (YK_RENDER_SHARE - 1) : 0;
}

bool yk_renderer_is_busy(const struct yk_renderer *renderer, int64_t now_mono_ns)
{
    return now_mono_ns - atomic_load_explicit(&renderer->busy_mono_ns, memory_order_relaxed) <
           YK_RENDER_BUSY_NS;
}

static bool look_if_busy(struct yk_renderer *renderer, int64_t now_mono_ns)
{
    uint64_t decided = renderer->core->metrics.containers_allocated;
    bool writes = renderer->is_writing != NULL && renderer->is_writing(renderer->is_writing_context);
    if (writes || decided != renderer->decided || yk_core_has_work(renderer->core))
        atomic_store_explicit(&renderer->busy_mono_ns, now_mono_ns, memory_order_relaxed);
    renderer->decided = decided;
    return yk_renderer_is_busy(renderer, now_mono_ns);
}

/* With a virtual clock there is no pause, because the clock would not advance during it. */
static void arm_turn(struct yk_renderer *renderer)
{
    int64_t pause_ns = renderer->next_mono_ns - yk_clock_mono_ns(renderer->clock);
    bool is_virtual = renderer->timers->clock->is_virtual;
    if (!yk_timer_armed(&renderer->turn))
        yk_timer_arm(renderer->timers, &renderer->turn, is_virtual ? 0 : YK_MAX(pause_ns, INT64_C(0)));
}

static int64_t cpu_ns(void)
{
    struct timespec time;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0)
        return 0;
    return time.tv_sec * YK_NS_PER_S + time.tv_nsec;
}

static void run_turn(struct yk_timer *timer)
{
    struct yk_renderer *renderer = YK_CONTAINER(timer, struct yk_renderer, turn);
    int64_t start_ns = yk_clock_mono_ns(renderer->clock), until_ns = start_ns + YK_RENDER_SLICE_NS;
    int64_t start_cpu_ns = cpu_ns();
    bool only_reads = true;
    do {
        struct yk_job *job = take_first(renderer);
        only_reads = only_reads && job->route->method == YK_METHOD_GET;
        enum yk_step step = work_on(renderer, job, until_ns);
        if (job->route->method != YK_METHOD_GET)
            renderer->timers->changes++; /* at once, for a later job of this turn */
        if (step == YK_STEP_AGAIN && has_piece(job))
            renderer->hand_back(job, YK_STEP_PIECE);
        else if (step == YK_STEP_AGAIN)
            append(renderer, job);
        else if (step == YK_STEP_WAIT)
            hold(renderer, job);
        else if (step == YK_STEP_LATER)
            put_off(renderer, job);
        else if (step == YK_STEP_IDLE)
            idle(renderer, job);
        else
            renderer->hand_back(job, step);
    } while (renderer->first != NULL && yk_clock_mono_ns(renderer->clock) < until_ns);
    int64_t now_ns = yk_clock_mono_ns(renderer->clock);
    if (renderer->spent_ns != NULL)
        atomic_fetch_add_explicit(renderer->spent_ns, cpu_ns() - start_cpu_ns, memory_order_relaxed);
    renderer->next_mono_ns = now_ns + yk_renderer_pause_ns(now_ns - start_ns, look_if_busy(renderer, now_ns));
    if (renderer->first != NULL)
        arm_turn(renderer);
    if (only_reads)
        yk_timers_nothing_changed(renderer->timers);
}

void yk_renderer_init(struct yk_renderer *renderer, struct yk_core *core, const struct yk_clock *clock,
                      struct yk_timers *timers, struct yk_guard *guard,
                      void (*hand_back)(struct yk_job *job, enum yk_step step))
{
    *renderer = (struct yk_renderer){.core = core, .clock = clock, .timers = timers, .hand_back = hand_back};
    renderer->guard = guard;
    atomic_store_explicit(&renderer->busy_mono_ns, INT64_MIN / 2, memory_order_relaxed);
    renderer->last = &renderer->first;
    yk_list_init(&renderer->held);
    yk_list_init(&renderer->idle);
    renderer->idle_timer.fire = on_idle_timer;
    renderer->turn.fire = run_turn;
}

void yk_renderer_done(struct yk_renderer *renderer)
{
    struct yk_job *job;
    yk_timer_cancel(renderer->timers, &renderer->turn);
    yk_timer_cancel(renderer->timers, &renderer->idle_timer);
    yk_log_period_done(&renderer->log_period);
    yk_events_wait(&renderer->core->events, NULL, NULL);
    yk_list_foreach (job, &renderer->idle, struct yk_job, in_held)
        yk_list_remove(&job->in_held);
    yk_list_foreach (job, &renderer->held, struct yk_job, in_held) {
        yk_timer_cancel(renderer->timers, &job->patience);
        yk_list_remove(&job->in_held);
    }
    renderer->first = NULL;
    renderer->last = &renderer->first;
}

void yk_renderer_add(struct yk_renderer *renderer, struct yk_job *job)
{
    job->core = renderer->core;
    job->clock = renderer->clock;
    job->renderer = renderer;
    job->place = YK_JOB_RENDERING;
    append(renderer, job);
    arm_turn(renderer);
}
