/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connects an engine with what-if questions (whatif/whatif.h) and their path of REST (web/whatif_backend.h).
 *
 * Thread: scheduling thread, except where a function says otherwise.
 */
#ifndef YK_CMD_ENGINE_WHATIF_H
#define YK_CMD_ENGINE_WHATIF_H

#include "cmd/engine.h"
#include "web/whatif_backend.h"
#include "whatif/whatif.h"

/* Zeroed until yk_engine_whatif_start(). Questions are refused until then. */
struct yk_engine_whatif {
    struct yk_whatif whatif;
    struct yk_whatif_core core;
    struct yk_engine *engine;      /* borrowed; NULL until yk_engine_whatif_start() */
    void (*detach)(void *context); /* as given to yk_engine_whatif_start() */
    void *context;                 /* passed to `detach` */
};

/*
 * Begins to answer what-if questions about `engine`, which has started. `clock` is the clock that
 * engine->clock points to; trials change its time, in their copy of the process. `timers` must run in real
 * time on this thread, and not in trials: yk_actor.outside, for example. `detach` is called with `context` in
 * the copy of the process, before the trial: it has to disconnect whatever needs other threads. NULL: nothing
 * needs them. All pointers are borrowed until yk_engine_whatif_done(). `whatif` must not move in memory.
 * Another thread may call this function before the scheduling thread exists.
 */
void yk_engine_whatif_start(struct yk_engine_whatif *whatif, struct yk_engine *engine, struct yk_clock *clock,
                            struct yk_timers *timers, void (*detach)(void *context), void *context);
/* Ends what-if questions, without answers to those that are asked. Call it before yk_engine_done(), and after
 * the web server was freed. Another thread may call this function after the scheduling thread
 * has ended. No effect if yk_engine_whatif_start() was not called. */
void yk_engine_whatif_done(struct yk_engine_whatif *whatif);
/* The functions that the web server calls. `whatif` is borrowed as long as the web server exists. May be
 * called before yk_engine_whatif_start(). Any thread. */
struct yk_whatif_backend yk_engine_whatif_backend(struct yk_engine_whatif *whatif);

#endif
