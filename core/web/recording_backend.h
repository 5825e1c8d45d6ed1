/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings over REST: the process that runs the web server implements them (docs/record.md).
 *
 * Thread: scheduling thread.
 */
#ifndef YK_WEB_RECORDING_BACKEND_H
#define YK_WEB_RECORDING_BACKEND_H

#include "base/str.h"

enum yk_recording_state {
    YK_RECORDING_NONE,     /* nothing was recorded since the process started */
    YK_RECORDING_STARTING, /* the process starts again, and records then */
    YK_RECORDING_RUNS,
    YK_RECORDING_ENDING, /* it has ended; the file is not complete yet */
    YK_RECORDING_ENDED,
};

/* Written by: the backend. */
struct yk_recording_view {
    enum yk_recording_state state;
    int64_t begun_wall_ns;     /* 0: none has begun */
    uint64_t bytes, bytes_max; /* of the file */
    const char *ended_because; /* "": it was ended as asked, or has not ended. Borrowed until the next call */
};

struct yk_recording_backend {
    void *context;
    void (*look)(void *context, struct yk_recording_view *ret);
    /* Restarts the process, which records then. Errors: YK_ERR_EXISTS, it records already; YK_ERR_IO, the file cannot
     * be written. */
    enum yk_status (*begin)(void *context, struct yk_err *err);
    /* Ends the recording. Errors: YK_ERR_NOT_FOUND, nothing is recorded. */
    enum yk_status (*end)(void *context, struct yk_err *err);
    /* A descriptor that reads the file, which the caller closes, and how many bytes of it are whole lines. Errors:
     * YK_ERR_NOT_FOUND, there is none; YK_ERR_IO. */
    enum yk_status (*open)(void *context, int *ret_fd, uint64_t *ret_bytes, struct yk_err *err);
};

#endif
