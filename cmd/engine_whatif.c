/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/engine_whatif.h"

#include "cmd/queue_impact.h"
#include "web/auth_backend.h"

static bool work(void *context)
{
    const struct yk_engine_whatif *whatif = context;
    return whatif->engine->actor.work(whatif->engine->actor.context);
}

static void detach(void *context)
{
    const struct yk_engine_whatif *whatif = context;
    if (whatif->engine->recorder != NULL)
        yk_run_recorder_mute(whatif->engine->recorder);
    if (whatif->detach != NULL)
        whatif->detach(whatif->context);
}

void yk_engine_whatif_start(struct yk_engine_whatif *whatif, struct yk_engine *engine, struct yk_clock *clock,
                            struct yk_timers *timers, void (*detach_others)(void *context), void *context)
{
    *whatif = (struct yk_engine_whatif){
        .core = yk_queue_impact(engine->core), .engine = engine, .detach = detach_others, .context = context};
    const struct yk_whatif_stage stage = {
        .clock = clock,
        .timers = &engine->actor.timers,
        .api = yk_engine_api(engine),
        .shim = engine->shim,
        .context = whatif,
        .work = work,
        .detach = detach,
        .core = &whatif->core,
    };
    yk_whatif_init(&whatif->whatif, &stage, timers);
}

void yk_engine_whatif_done(struct yk_engine_whatif *whatif)
{
    if (whatif->engine != NULL)
        yk_whatif_done(&whatif->whatif);
}

static void answered(void *asker, uint64_t ticket, const struct yk_whatif_result *result)
{
    const struct yk_backend_reply reply = {.status = result->status == 200 ? 0 : result->status,
                                           .text = result->text};
    yk_web_replied(asker, ticket, &reply);
}

static enum yk_status ask(void *context, struct yk_web *web, uint64_t ticket, struct yk_str body,
                          struct yk_err *err)
{
    struct yk_engine_whatif *whatif = context;
    if (whatif->engine == NULL)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "the scheduler is starting");
    return yk_whatif_ask(&whatif->whatif, body, ticket, web, answered, err);
}

static void cancel(void *context, uint64_t ticket)
{
    yk_whatif_cancel(&((struct yk_engine_whatif *)context)->whatif, ticket);
}

struct yk_whatif_backend yk_engine_whatif_backend(struct yk_engine_whatif *whatif)
{
    return (struct yk_whatif_backend){whatif, ask, cancel};
}
