/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface through which the REST server makes recordings (docs/record.md). The process that runs the
 * web server implements it.
 *
 * Thread: scheduling thread.
 */
#ifndef YK_WEB_RECORDING_BACKEND_H
#define YK_WEB_RECORDING_BACKEND_H

#include "base/str.h"

enum yk_recording_state {
    YK_RECORDING_NONE,     /* nothing was recorded since the process started */
    YK_RECORDING_STARTING, /* the process restarts, and records from then on */
    YK_RECORDING_RUNS,     /* it records */
    YK_RECORDING_ENDING,   /* recording has ended; the file is not complete yet */
    YK_RECORDING_ENDED,    /* the file is complete */
};

/* The state of the last recording. Written by: the backend. */
struct yk_recording_view {
    enum yk_recording_state state;
    int64_t begun_wall_ns;     /* when the recording began; 0: there is none */
    uint64_t bytes, bytes_max; /* size of the file, and the size at which the recording ends by itself */
    /* Why the recording ended by itself, or could not begin after the restart (YK_RECORDING_NONE); "":
     * neither. Borrowed until the next call of `look`. */
    const char *ended_because;
};

/* If `look` is NULL, nothing can be recorded; otherwise all functions are set. */
struct yk_recording_backend {
    void *context; /* the first argument of the functions */
    /* Sets `*ret` to the present state. */
    void (*look)(void *context, struct yk_recording_view *ret);
    /* Begins to restart the process, which records after the restart. The function returns before the
     * restart; from then on, `look` shows YK_RECORDING_STARTING. Errors: YK_ERR_EXISTS, the process records
     * or restarts already; YK_ERR_IO, the file cannot be written, or the program cannot be started;
     * YK_ERR_UNAVAILABLE, the process is ending. */
    enum yk_status (*begin)(void *context, struct yk_err *err);
    /* Ends the recording; YK_OK also if it has ended already. The file may not be complete yet
     * (YK_RECORDING_ENDING). Errors: YK_ERR_NOT_FOUND, nothing was recorded. */
    enum yk_status (*end)(void *context, struct yk_err *err);
    /* Opens the file for reading. The caller closes `*ret_fd`. `*ret_bytes`: bytes up to the end of the last
     * whole line. Errors: YK_ERR_NOT_FOUND, there is no file; YK_ERR_IO, it cannot be opened. */
    enum yk_status (*open)(void *context, int *ret_fd, uint64_t *ret_bytes, struct yk_err *err);
};

#endif
