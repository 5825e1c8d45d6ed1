/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recording of a live scheduler: `yunikorn scheduler --record`, and the same begun over REST. A recording begins
 * with the start of the process (docs/record.md); so REST restarts the process in place.
 *
 * Owns:   the thread that writes the file. Borrows the engine.
 * Thread: scheduling thread, except where it says otherwise.
 */
#ifndef YK_CMD_LIVE_RECORD_H
#define YK_CMD_LIVE_RECORD_H

#include "cmd/engine.h"
#include "web/recording_backend.h"

struct yk_record_thread;

struct yk_live_record_options {
    const char *file;   /* what to record to from the start on; NULL: nothing is recorded */
    const char *folder; /* of recordings that begin over REST */
    uint64_t bytes_max; /* of a file */
    bool is_restarted;  /* by yk_live_record_restart(): if the file cannot be written, nothing is recorded */
    /* Ends the process as a signal would, but keeps the Lease; then yk_live_record_restart() is called. False: it ends
     * already. */
    bool (*restart)(void *context);
    void *context;
};

struct yk_live_record {
    struct yk_live_record_options options; /* texts are borrowed */
    struct yk_engine *engine;
    struct yk_record_thread *thread; /* NULL: nothing is recorded */
    int64_t begun_wall_ns;
    bool is_ended, is_restarting;
    const char *failure; /* static: why the file has no last line, or why there is none; NULL: it has one */
    struct yk_buf next;  /* path of the recording after the restart; empty: there is none */
};

/* Reads --record-max-size, such as 256Mi. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_live_record_read_size(const char *text, uint64_t *ret_bytes,
                                                     struct yk_err *err);

/* Opens the file and starts its thread, if something is recorded. Before the engine is made; signals are blocked.
 * Errors: YK_ERR_IO, unless the process is restarted. */
YK_NODISCARD enum yk_status yk_live_record_init(struct yk_live_record *live,
                                                const struct yk_live_record_options *options,
                                                struct yk_engine *engine, struct yk_err *err);
/* Main thread, after the scheduling thread has ended: completes the file. yk_live_record_restart() may follow. */
void yk_live_record_done(struct yk_live_record *live);
/* Looks whether the recording has to end, now and then. */
void yk_live_record_look(struct yk_live_record *live);
/* What REST asks. Borrows `live`. */
struct yk_recording_backend yk_live_record_backend(struct yk_live_record *live);
/* A restart that was asked for is given up, since the process is to end. */
void yk_live_record_cancel_restart(struct yk_live_record *live);
/* Main thread, with all other threads ended: replaces the process by itself, recorded, with `argv` as arguments.
 * Returns only if that fails. `identity`: of the Lease, NULL: there is none. Errors: YK_ERR_IO. */
YK_NODISCARD enum yk_status yk_live_record_restart(struct yk_live_record *live, int argc, char **argv,
                                                   const char *identity, struct yk_err *err);

/* Whether yk_live_record_restart() has started this process; `*ret_identity` is then the identity of its Lease (NULL:
 * there is none), which the caller frees. True once: it is taken out of the environment, so no other thread may run. */
bool yk_live_record_take_restarted(char **ret_identity);

/* Environment of a restarted process: the identity of its Lease, or nothing. */
#define YK_RESTARTED_AS "YUNIKORN_RESTARTED_AS"

#endif
