/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/engine.h"

#include "base/random.h"
#include "base/version.h"

enum { DECISIONS_PER_SLICE = 512 };

static const int64_t slice_ns = 5 * YK_NS_PER_MS; /* the longest time that scheduling delays a query */

/* A simulation has no end of a slice, so that its steps do not depend on the speed of the machine. */
static int64_t end_of_slice(const struct yk_engine *engine)
{
    bool is_simulated = engine->clock->is_virtual && !engine->step_clock.is_virtual;
    return is_simulated ? INT64_MAX : yk_clock_mono_ns(&yk_clock_real) + slice_ns;
}

/* ---- recordings ---- */

static void show_time(struct yk_engine *engine)
{
    int64_t mono_ns = yk_clock_mono_ns(&yk_clock_real), wall_ns = yk_clock_wall_ns(&yk_clock_real);
    engine->step_clock = (struct yk_clock){.is_virtual = true, .wall_ns = wall_ns, .mono_ns = mono_ns};
}

static void step_begins(void *context)
{
    struct yk_engine *engine = context;
    if (engine->step_clock.is_virtual)
        show_time(engine);
    yk_run_recorder_step(engine->recorder);
}

static size_t run_timers(void *context)
{
    struct yk_engine *engine = context;
    yk_run_recorder_hold(engine->recorder);
    size_t fired = yk_timers_run(&engine->actor.timers);
    yk_run_recorder_timers(engine->recorder, fired);
    return fired;
}

static size_t schedule(struct yk_engine *engine)
{
    if (engine->recorder == NULL)
        return yk_core_schedule(engine->core, engine->decisions_per_wake, end_of_slice(engine));
    uint64_t turns = yk_core_turns(engine->core);
    yk_run_recorder_hold(engine->recorder);
    size_t decisions = yk_core_schedule(engine->core, engine->decisions_per_wake, end_of_slice(engine));
    yk_run_recorder_scheduled(engine->recorder, yk_core_turns(engine->core) - turns);
    return decisions;
}

/* The shim handles the decisions of the core in the next step. */
static bool work(void *context)
{
    struct yk_engine *engine = context;
    if (engine->shim == NULL)
        return false;
    if (engine->recorder != NULL)
        yk_run_recorder_work(engine->recorder);
    bool more = yk_shim_work(engine->shim);
    if (!yk_shim_is_ready(engine->shim) || !yk_shim_leads(engine->shim))
        return more;
    size_t decisions = schedule(engine);
    engine->decisions += decisions;
    return more || decisions > 0 || yk_core_has_work(engine->core);
}

void yk_engine_end_record(struct yk_engine *engine)
{
    if (engine->recorder != NULL)
        yk_run_recorder_end(engine->recorder);
}

void yk_engine_cut_record(struct yk_engine *engine, const char *why)
{
    if (engine->recorder != NULL)
        yk_run_recorder_cut(engine->recorder, why);
}

const char *yk_engine_record_why(const struct yk_engine *engine)
{
    return engine->recorder != NULL ? yk_run_recorder_why(engine->recorder) : NULL;
}

struct yk_api_server *yk_engine_api(struct yk_engine *engine)
{
    return engine->recorder != NULL ? yk_run_recorder_api(engine->recorder) : engine->api;
}

void yk_engine_lead(struct yk_engine *engine)
{
    if (engine->recorder != NULL)
        yk_run_recorder_order(engine->recorder, YK_RECORD_LEAD);
    engine->actor.changes++;
    yk_shim_lead(engine->shim);
}

void yk_engine_stop(struct yk_engine *engine)
{
    if (engine->recorder != NULL)
        yk_run_recorder_order(engine->recorder, YK_RECORD_STOP);
    engine->actor.changes++;
    yk_shim_stop(engine->shim);
}

/* ---- life ---- */

static bool is_true(const char *text)
{
    bool truth = false;
    return text != NULL && yk_str_to_bool(yk_str_from(text), &truth) == YK_OK && truth;
}

static void init(struct yk_engine *engine, const struct yk_directory *directory, bool no_reservations)
{
    yk_actor_init(&engine->actor, engine->clock, YK_ENGINE_INBOX_MAX);
    engine->actor.work = work;
    engine->actor.context = engine;
    engine->no_reservations = no_reservations || is_true(getenv("DISABLE_RESERVATION"));
    const struct yk_core_options options = {.clock = engine->clock,
                                            .timers = &engine->actor.timers,
                                            .directory = directory,
                                            .no_reservations = engine->no_reservations,
                                            .seed = yk_random_system_seed(),
                                            .stopwatch = engine->step_clock.is_virtual ? &yk_clock_real
                                                                                       : engine->clock};
    engine->core = yk_core_new(&options);
}

void yk_engine_init(struct yk_engine *engine, const struct yk_clock *clock,
                    const struct yk_directory *directory, bool no_reservations)
{
    *engine = (struct yk_engine){.clock = clock, .decisions_per_wake = DECISIONS_PER_SLICE};
    init(engine, directory, no_reservations);
}

void yk_engine_init_recorded(struct yk_engine *engine, const struct yk_clock *clock,
                             const struct yk_directory *directory, bool no_reservations, yk_record_sink *sink,
                             yk_record_object_sink *object_sink, void *context)
{
    *engine = (struct yk_engine){.clock = clock, .decisions_per_wake = DECISIONS_PER_SLICE};
    if (!clock->is_virtual) {
        show_time(engine);
        engine->clock = &engine->step_clock;
    }
    const struct yk_run_recorder_options options = {.directory = directory,
                                                    .inbox = &engine->actor.inbox,
                                                    .clock = engine->clock,
                                                    .sink = sink,
                                                    .object_sink = object_sink,
                                                    .context = context};
    engine->recorder = yk_run_recorder_new(&options);
    init(engine, yk_run_recorder_directory(engine->recorder), no_reservations);
    engine->actor.step_begins = step_begins;
    engine->actor.run_timers = run_timers;
}

static void begin_record(struct yk_engine *engine, struct yk_shim_options *options)
{
    const struct yk_record_start start = {
        .program = yk_version,
        .namespace_ = options->namespace_,
        .hostname = options->hostname,
        .seed = options->seed,
        .standby = options->standby,
        .no_reservations = engine->no_reservations,
        .reads_aside = options->aside != NULL,
    };
    if (engine->step_clock.is_virtual)
        show_time(engine);
    yk_run_recorder_begin(engine->recorder, options->api, &start);
    options->api = yk_run_recorder_api(engine->recorder);
    options->inbox = yk_run_recorder_inbox(engine->recorder);
}

void yk_engine_start(struct yk_engine *engine, const struct yk_shim_options *options)
{
    struct yk_shim_options with = *options;
    engine->api = options->api;
    with.core = engine->core;
    with.timers = &engine->actor.timers;
    with.clock = engine->clock;
    with.inbox = &engine->actor.inbox;
    with.changes = &engine->actor.changes;
    if (engine->recorder != NULL)
        begin_record(engine, &with);
    engine->shim = yk_shim_new(&with);
    yk_shim_start(engine->shim);
}

void yk_engine_done(struct yk_engine *engine)
{
    yk_shim_free(engine->shim);
    yk_core_free(engine->core);
    yk_run_recorder_free(engine->recorder);
    yk_actor_done(&engine->actor);
}
