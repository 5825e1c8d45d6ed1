/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine: an actor with core and shim, which do a bounded slice of work in each of its steps.
 *
 * It is the same for a real cluster (scheduler.c) and a simulated one (simulation.c). The clock, the API
 * server, and the loop that calls yk_actor_step() differ.
 *
 * Thread: scheduling thread; before that is started, the thread that starts it.
 */
#ifndef YK_CMD_ENGINE_H
#define YK_CMD_ENGINE_H

#include "base/actor.h"
#include "record/recorder.h"
#include "shim/shim.h"
#include "si.h"

struct yk_engine {
    struct yk_actor actor;
    struct yk_core *core;
    struct yk_shim *shim; /* NULL until yk_engine_start() */
    /* The API server in the options of the shim; borrowed; NULL until yk_engine_start(). */
    struct yk_api_server *api;
    const struct yk_clock *clock;     /* the clock of core and shim; borrowed, or `step_clock` */
    uint64_t decisions;               /* number of decisions that the core has made so far */
    size_t decisions_per_wake;        /* the most decisions of one step of the actor */
    bool no_reservations;             /* the core makes no reservations for asks that wait */
    struct yk_run_recorder *recorder; /* owned; NULL: nothing is recorded */
    /* For a recorded engine with a real clock: a virtual clock that shows when the step of the actor began.
     * Other engines do not use it; its `is_virtual` is then false. */
    struct yk_clock step_clock;
};

/* At this weight of commands the inbox of the engine is full, and sources such as watches pause. Each command
 * may hold an object in memory; a longer inbox does not make the engine faster. */
enum { YK_ENGINE_INBOX_MAX = 512 };

/*
 * Makes an engine with a core and without a shim. `clock` and `directory` are borrowed for life; `directory`
 * is NULL if the groups of users are not known. With `no_reservations`, or with DISABLE_RESERVATION=true in
 * the environment, the core makes no reservations for asks that wait. The caller then calls
 * yk_engine_start(), runs the engine with yk_actor_step() or yk_actor_run() for `engine->actor`, and ends it
 * with yk_engine_done(). `engine` must not move in memory.
 */
void yk_engine_init(struct yk_engine *engine, const struct yk_clock *clock,
                    const struct yk_directory *directory, bool no_reservations);
/*
 * Like yk_engine_init(), and records the engine from yk_engine_start() on. `sink` is called with `context`
 * and the lines of the recording (record/recorder.h), on the thread of the engine. If `object_sink` is not
 * NULL, it gets the lines of most events instead. The caller ends the recording with yk_engine_end_record().
 * If `clock` is real, the time of core and shim does not change during a step of the actor, and
 * `engine->clock` is another clock.
 */
void yk_engine_init_recorded(struct yk_engine *engine, const struct yk_clock *clock,
                             const struct yk_directory *directory, bool no_reservations, yk_record_sink *sink,
                             yk_record_object_sink *object_sink, void *context);
/* Writes the last line of the recording and ends it; yk_engine_done() does not. Does not close a file: for a
 * live recording, yk_live_record_look() or yk_live_record_done() (cmd/live_record.h) does that. No effect if
 * nothing is recorded, or the recording has ended. */
void yk_engine_end_record(struct yk_engine *engine);
/* Ends the recording early, with a last line. To be called for each change of the core that a replay cannot
 * repeat, such as one over REST, and when the recording cannot be written. `why` is a clause such as "the
 * file cannot be written", borrowed for the life of the engine. Closes no file, as yk_engine_end_record().
 * No effect if nothing is recorded, or the recording has ended. */
void yk_engine_cut_record(struct yk_engine *engine, const char *why);
/* Why the recording has ended early: `why` of yk_engine_cut_record(), or the reason of the recorder. "" if
 * yk_engine_end_record() has ended it. NULL if it has not ended, or nothing is recorded. Borrowed from the
 * engine. */
const char *yk_engine_record_why(const struct yk_engine *engine);
/* The API server that the shim uses: the one of its options, or the recorder in front of it. Call it after
 * yk_engine_start(). */
struct yk_api_server *yk_engine_api(struct yk_engine *engine);
/* Calls yk_shim_lead(), and records the call: call it in place of that function. After yk_engine_start(). */
void yk_engine_lead(struct yk_engine *engine);
/* Calls yk_shim_stop(), and records the call: call it in place of that function, as long as the recording has
 * not ended. After yk_engine_start(). The caller then lets the engine run until no request is in flight, and
 * calls yk_engine_end_record() before yk_engine_done(). */
void yk_engine_stop(struct yk_engine *engine);
/* Makes the shim and starts it: it begins to list the cluster. The fields `core`, `timers`, `clock` and
 * `inbox` of `options` are ignored: the engine sets them. What `options` points to is borrowed as
 * yk_shim_new() says. Call it once. */
void yk_engine_start(struct yk_engine *engine, const struct yk_shim_options *options);
/* Frees core, shim and recorder; also works if yk_engine_start() was not called. No request may be in flight
 * to or from the API server. The API server must still exist, unless the caller has freed `engine->shim` and
 * set it to NULL before. */
void yk_engine_done(struct yk_engine *engine);

#endif
