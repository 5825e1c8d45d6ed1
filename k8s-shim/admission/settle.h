/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Brings one object of the API server into a wanted state: reads it, asks what is to be written, writes it
 * with an optimistic lock, and reads it again until nothing is left to write. Several replicas may do so at
 * the same time; a conflict leads to another round.
 *
 * Owns:   nothing but its state; lives in another object.
 * Thread: the one that the answers of the API server arrive on.
 * Source: docs/reference/admission-server.md, "Several replicas".
 */
#ifndef YK_ADMISSION_SETTLE_H
#define YK_ADMISSION_SETTLE_H

#include "api/server.h"
#include "client/io_timers.h"

enum { YK_SETTLE_ROUNDS_MAX = 10 };

struct yk_settle_options {
    struct yk_api_server *api;
    struct yk_io_timers *timers;
    enum yk_op_kind get, create, update; /* `create` equal to `get`: the object must exist */
    const char *namespace_, *name;       /* borrowed for life; namespace NULL: none */
    /*
     * Compares `current` (JSON; absent: it does not exist) with the wanted state. When `*ret_differs`,
     * `ret_body` is what to write and `why` says what differs.
     */
    enum yk_status (*plan)(void *context, struct yk_str current, bool *ret_differs, struct yk_buf *ret_body,
                           struct yk_err *why, struct yk_err *err);
    /*
     * Called once per start. `writes`: how many were successful. `status`: YK_OK; YK_ERR_NOT_FOUND;
     * YK_ERR_DENIED, refused; YK_ERR_LIMIT, still different after YK_SETTLE_ROUNDS_MAX rounds;
     * YK_ERR_UNAVAILABLE, no answer; or what `plan` said. `err` names the object.
     */
    void (*done)(void *context, enum yk_status status, unsigned writes, const struct yk_err *err);
    void *context;
};

struct yk_settle { /* all private */
    struct yk_settle_options options;
    struct yk_timer again;
    unsigned round, writes;
    bool is_busy, is_stopped;
    struct yk_err why; /* the last thing that kept it from being settled */
};

/* Makes it idle. `options` are copied; what they point to is borrowed for life. */
void yk_settle_init(struct yk_settle *settle, const struct yk_settle_options *options);
/* Starts; `done` is called later, once. Must not be called before the `done` of the last start. */
void yk_settle_start(struct yk_settle *settle);
/* Stops: neither `plan` nor `done` is called any longer. The struct must stay in place until its request was
 * answered or freed by the API server. */
void yk_settle_stop(struct yk_settle *settle);

#endif
