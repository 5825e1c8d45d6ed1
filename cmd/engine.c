/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/engine.h"

#include "base/random.h"

enum { DECISIONS_PER_SLICE = 512 };

static const int64_t slice_ns = 5 * YK_NS_PER_MS; /* what a query may have to wait */

static int64_t end_of_slice(const struct yk_engine *engine)
{
    return engine->clock->is_virtual ? INT64_MAX : yk_clock_mono_ns(engine->clock) + slice_ns;
}

/* The shim tells the core, the core decides, and the shim hears of it in the next round. */
static bool work(void *context)
{
    struct yk_engine *engine = context;
    if (engine->shim == NULL)
        return false;
    bool more = yk_shim_work(engine->shim);
    if (!yk_shim_is_ready(engine->shim) || !yk_shim_leads(engine->shim))
        return more;
    size_t decisions = yk_core_schedule(engine->core, engine->decisions_per_wake, end_of_slice(engine));
    engine->decisions += decisions;
    return more || decisions > 0 || yk_core_has_work(engine->core);
}

static bool is_true(const char *text)
{
    bool truth = false;
    return text != NULL && yk_str_to_bool(yk_str_from(text), &truth) == YK_OK && truth;
}

void yk_engine_init(struct yk_engine *engine, const struct yk_clock *clock,
                    const struct yk_directory *directory, bool no_reservations)
{
    *engine = (struct yk_engine){.clock = clock, .decisions_per_wake = DECISIONS_PER_SLICE};
    yk_actor_init(&engine->actor, clock, YK_ENGINE_INBOX_MAX);
    engine->actor.work = work;
    engine->actor.context = engine;
    const struct yk_core_options options = {.clock = clock,
                                            .timers = &engine->actor.timers,
                                            .directory = directory,
                                            .no_reservations =
                                                no_reservations || is_true(getenv("DISABLE_RESERVATION")),
                                            .seed = yk_random_system_seed()};
    engine->core = yk_core_new(&options);
}

void yk_engine_start(struct yk_engine *engine, const struct yk_shim_options *options)
{
    struct yk_shim_options with = *options;
    with.core = engine->core;
    with.timers = &engine->actor.timers;
    with.clock = engine->clock;
    with.inbox = &engine->actor.inbox;
    engine->shim = yk_shim_new(&with);
    yk_shim_start(engine->shim);
}

void yk_engine_done(struct yk_engine *engine)
{
    yk_shim_free(engine->shim);
    yk_core_free(engine->core);
    yk_actor_done(&engine->actor);
}
