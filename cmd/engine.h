/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduling thread's content: core, shim, and the slice of work between two looks at the inbox.
 *
 * The same for the real cluster (scheduler.c) and the one in memory (simulation.c): only the clock, the API
 * server and who moves the actor differ.
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
    struct yk_shim *shim;      /* NULL until yk_engine_start() */
    struct yk_api_server *api; /* borrowed; NULL until yk_engine_start() */
    const struct yk_clock *clock;
    uint64_t decisions;
    size_t decisions_per_wake; /* at most so many between two looks at the inbox */
    bool no_reservations;
    struct yk_run_recorder *recorder; /* owned; NULL: nothing is recorded */
    /* Of a recorded scheduler in real time: shows when the step began. Not virtual: not in use. */
    struct yk_clock step_clock;
};

/* Objects on their way between the threads: each holds its memory, and more than this would not make anything
 * faster. */
enum { YK_ENGINE_INBOX_MAX = 512 };

/*
 * Makes the engine with a core and without a shim. `clock` and `directory` (NULL: the groups of users are not
 * known) are borrowed for life. `no_reservations`: none are made for asks that wait, as with
 * DISABLE_RESERVATION=true in the environment.
 */
void yk_engine_init(struct yk_engine *engine, const struct yk_clock *clock,
                    const struct yk_directory *directory, bool no_reservations);
/*
 * Like yk_engine_init(), for an engine that is recorded from its start on: `sink` gets the lines, also with
 * `context`. With a real clock, that of core and shim stands still during each step.
 */
void yk_engine_init_recorded(struct yk_engine *engine, const struct yk_clock *clock,
                             const struct yk_directory *directory, bool no_reservations, yk_record_sink *sink,
                             void *context);
/* Ends the recording with its last line, if there is one. */
void yk_engine_end_record(struct yk_engine *engine);
/* Ends the recording early; `why` is a part of a sentence, borrowed for the engine's life. No effect if nothing is
 * recorded. */
void yk_engine_cut_record(struct yk_engine *engine, const char *why);
/* Why the recording has ended: the text of yk_engine_cut_record(), or of the recorder if it stopped; "": by
 * yk_engine_end_record(). NULL: it has not, or there is none. Borrowed. */
const char *yk_engine_record_why(const struct yk_engine *engine);
/* The API server as the shim uses it, after yk_engine_start(): that of its options, or the recorder in front
 * of it. */
struct yk_api_server *yk_engine_api(struct yk_engine *engine);
/* Calls yk_shim_lead(), and records that. */
void yk_engine_lead(struct yk_engine *engine);
/* Calls yk_shim_stop(), and records that. */
void yk_engine_stop(struct yk_engine *engine);
/* Makes the shim and lets it list the cluster. `options`: core, timers, clock and inbox are filled in
 * here. */
void yk_engine_start(struct yk_engine *engine, const struct yk_shim_options *options);
/* Frees core, shim and recorder. No request may be in flight to or from the API server. */
void yk_engine_done(struct yk_engine *engine);

#endif
