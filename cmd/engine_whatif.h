/* SPDX-License-Identifier: Apache-2.0 */
/* What-if questions to an engine, and to REST (web/whatif_backend.h). Thread: scheduling thread. */
#ifndef YK_CMD_ENGINE_WHATIF_H
#define YK_CMD_ENGINE_WHATIF_H

#include "cmd/engine.h"
#include "web/whatif_backend.h"
#include "whatif/whatif.h"

struct yk_engine_whatif {
    struct yk_whatif whatif;
    struct yk_whatif_core core;
    struct yk_engine *engine;      /* borrowed; NULL: the engine has not started */
    void (*detach)(void *context); /* may be NULL */
    void *context;
};

/*
 * Begins to answer questions; before this call (the struct is zeroed) they are refused. `clock` is that of
 * the engine, which has started. `timers` run in real time on this thread, and not in trials. `detach` (may
 * be NULL) is called in the copy of the process: what needs other threads is cut off.
 */
void yk_engine_whatif_start(struct yk_engine_whatif *whatif, struct yk_engine *engine, struct yk_clock *clock,
                            struct yk_timers *timers, void (*detach)(void *context), void *context);
/* Ends what-if questions. Call it before yk_engine_done(). */
void yk_engine_whatif_done(struct yk_engine_whatif *whatif);
/* The functions for the web server; `whatif` is borrowed for as long as that exists. */
struct yk_whatif_backend yk_engine_whatif_backend(struct yk_engine_whatif *whatif);

#endif
