/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Brings one object of the API server into a wanted state. A round reads the object, calls `plan` to learn
 * what has to be written, and writes it with an optimistic lock (resourceVersion). Rounds repeat until `plan`
 * finds nothing to write, but at most YK_SETTLE_ROUNDS_MAX times. Several replicas may write the object at
 * the same time; a conflict leads to another round.
 *
 * Owns:   nothing. The struct is a member of another object.
 * Thread: the one on which the answers of the API server arrive.
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
    enum yk_op_kind get, create, update; /* the requests; if `create` equals `get`, the object must exist */
    const char *namespace_, *name;       /* of the object; `namespace_` NULL: it has no namespace */
    /*
     * Compares `current` with the wanted state. `current`: the object in JSON; absent: it does not exist. If
     * they differ, the callback sets `*ret_differs` to true, appends the object to write to `ret_body`, and
     * says in `why` what differs. Before the call, `*ret_differs` is false and `ret_body` is empty. After an
     * error nothing is written, and `done` is called. The bytes of `ret_body` are overwritten before they are
     * freed.
     */
    enum yk_status (*plan)(void *context, struct yk_str current, bool *ret_differs, struct yk_buf *ret_body,
                           struct yk_err *why, struct yk_err *err);
    /*
     * Called once for each yk_settle_start(), unless yk_settle_stop() is called, or the API server is freed,
     * before that. `writes`: the number of successful writes. `status`: YK_OK, the object is as wanted;
     * YK_ERR_NOT_FOUND, it must exist and does not; YK_ERR_DENIED, the API server has refused a request;
     * YK_ERR_LIMIT, YK_SETTLE_ROUNDS_MAX rounds have not succeeded, for example because the API server did
     * not answer; YK_ERR_UNAVAILABLE, a request was cancelled; or the error of `plan`. `err`: the sentence;
     * empty for YK_OK.
     */
    void (*done)(void *context, enum yk_status status, unsigned writes, const struct yk_err *err);
    void *context;
};

struct yk_settle { /* all private */
    struct yk_settle_options options;
    struct yk_timer again;
    unsigned round, writes; /* since the start */
    bool is_busy, is_stopped;
    struct yk_err why; /* why another round follows */
};

/* Initialises an idle `settle`. `options` are copied; what they point to is borrowed for as long as `settle`
 * is used. */
void yk_settle_init(struct yk_settle *settle, const struct yk_settle_options *options);
/* Sends the first request; `done` is called later. The function may be called again from within `done` or
 * later, but not before `done` was called, and not after yk_settle_stop(). */
void yk_settle_start(struct yk_settle *settle);
/* Stops for good: neither `plan` nor `done` is called afterwards. The struct must stay where it is until the
 * API server has answered or freed its request. */
void yk_settle_stop(struct yk_settle *settle);

#endif
