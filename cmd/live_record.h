/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recording of a live scheduler. It begins with `yunikorn scheduler --record`, or on a request over REST.
 * A recording must begin with the start of the process (docs/record.md), so a request over REST restarts the
 * process in place, by execv().
 *
 * Owns:   the thread that writes the file. Borrows the engine.
 * Thread: scheduling thread, except where a function says otherwise.
 */
#ifndef YK_CMD_LIVE_RECORD_H
#define YK_CMD_LIVE_RECORD_H

#include "cmd/engine.h"
#include "web/recording_backend.h"

struct yk_record_thread;

struct yk_live_record_options {
    const char *file;   /* the recording to write from the start on; NULL: nothing is recorded */
    const char *folder; /* where recordings that are requested over REST are written */
    uint64_t bytes_max; /* the length of a file at which its recording ends */
    /* yk_live_record_restart() has started this process. If the file cannot be written then, nothing is
     * recorded, but the scheduler starts. */
    bool is_restarted;
    /* Called when a recording is requested over REST. Begins to end the process as a signal would, but keeps
     * the Lease; at the end, yk_live_record_restart() has to be called. False: the process is ending
     * already. */
    bool (*restart)(void *context);
    void *context; /* passed to `restart` */
};

/* Written by: live_record.c. */
struct yk_live_record {
    struct yk_live_record_options options; /* a copy; its texts are borrowed */
    struct yk_engine *engine;
    struct yk_record_thread *thread; /* NULL: nothing is recorded */
    int64_t begun_wall_ns;           /* when the recording began; 0: nothing is recorded */
    bool is_ended, is_restarting;
    /* Why the recording had to end early because of its file, or why the file could not be opened; static.
     * NULL: neither. */
    const char *failure;
    struct yk_buf next; /* path of the recording after the restart; valid if `is_restarting` */
};

/* Reads the text of --record-max-size, such as "256Mi", in bytes. Errors: YK_ERR_INVALID, it is not a
 * quantity, or is less than 1Mi; `err` names the flag. */
YK_NODISCARD enum yk_status yk_live_record_read_size(const char *text, uint64_t *ret_bytes,
                                                     struct yk_err *err);

/* Initialises `live`. If options->file is not NULL, opens the file and starts the thread that writes it. If
 * `live->thread` is NULL afterwards, the caller makes `engine` with yk_engine_init(). Otherwise the caller
 * uses yk_engine_init_recorded(), with the sinks yk_record_thread_put() and yk_record_thread_put_object(),
 * and `live->thread` as their context. Without the second sink, the scheduling thread would write the JSON of
 * all objects. Call this function on the main thread before the engine is made, with signals blocked.
 * `engine` and the texts of `options` are borrowed for life. `err` must not be NULL with
 * options->is_restarted. Errors: YK_ERR_IO, the file cannot be written, or the thread cannot be started. With
 * options->is_restarted this is not an error, and `live->thread` is NULL. */
YK_NODISCARD enum yk_status yk_live_record_init(struct yk_live_record *live,
                                                const struct yk_live_record_options *options,
                                                struct yk_engine *engine, struct yk_err *err);
/* Completes and closes the file. Does not end the recording: call yk_engine_end_record() before. Main thread,
 * after the scheduling thread has ended. Only yk_live_record_restart() and yk_live_record_cancel_restart()
 * may be called after that. */
void yk_live_record_done(struct yk_live_record *live);
/* Ends the recording if it has to end because of its file (yk_record_thread_failure()), and closes the file
 * if the recording has ended (yk_engine_record_why()). Otherwise passes the collected lines to the thread.
 * Call it every few seconds. No effect if nothing is recorded, or after the end. */
void yk_live_record_look(struct yk_live_record *live);
/* The functions that the web server calls. `live` is borrowed as long as the web server exists. */
struct yk_recording_backend yk_live_record_backend(struct yk_live_record *live);
/* A restart that was requested is cancelled, because the process has to end: clears `is_restarting`. The
 * caller has its own flag, which tells it not to call yk_live_record_restart(). Ends nothing itself. Also
 * frees the path of the next recording, so call it at the end of the process. Scheduling thread, or main
 * thread after the scheduling thread has ended. */
void yk_live_record_cancel_restart(struct yk_live_record *live);
/* Replaces the process by a new one of the same program, with the arguments `argv` and a --record flag for
 * the requested recording. `argv` has `argc` texts, and argv[0] is the name of the subcommand, as in
 * yk_cmd_scheduler(). Call it after yk_live_record_done(), and only if a restart was requested and not
 * cancelled. `identity` is the identity in the Lease that the new process takes over; NULL: no leader is
 * elected. Main thread, after all other threads have ended. Returns only on failure; files may be closed
 * then, so the caller ends the process. Errors: YK_ERR_IO. */
YK_NODISCARD enum yk_status yk_live_record_restart(struct yk_live_record *live, int argc, char **argv,
                                                   const char *identity, struct yk_err *err);

/* Whether yk_live_record_restart() has started this process. If so, `*ret_identity` is the identity in the
 * Lease that this process takes over; NULL: no leader is elected. The caller frees it. Removes the variable
 * from the environment, so only the first call returns true. Main thread, before other threads start. */
bool yk_live_record_take_restarted(char **ret_identity);

/* Environment variable of a restarted process: the identity in its Lease, or "" without an election. */
#define YK_RESTARTED_AS "YUNIKORN_RESTARTED_AS"

#endif
