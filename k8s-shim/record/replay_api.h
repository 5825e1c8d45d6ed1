/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API server of a replay: events of watches come from the recording, and requests wait for their recorded
 * answers.
 *
 * Owns:   requests without an answer.
 * Thread: that of the replay.
 */
#ifndef YK_RECORD_REPLAY_API_H
#define YK_RECORD_REPLAY_API_H

#include "api/server.h"
#include "base/map.h"

struct json_t;

struct yk_replay_watch {
    yk_watch_sink *sink; /* NULL: the kind is not watched */
    void *context;
    bool is_listing; /* a list has begun and not ended */
};

struct yk_replay_api {
    struct yk_api_server api; /* first member */
    struct yk_replay_watch watches[YK_KIND_COUNT];
    struct yk_idmap open; /* number -> struct yk_op, owned: requests without an answer */
    uint64_t sent;        /* number of the last request */
    bool is_closing;      /* yk_replay_api_close() was called: `submitted` is not called */
    /* The scheduler has made a decision; its number is `sent`. The callback may answer it with
     * yk_replay_api_answer(). */
    void (*submitted)(void *context, const struct yk_op *op);
    void *context;
};

/* Makes an API server without watches; the shim gets its member `api`, so it must not be moved. `submitted`
 * is called with `context` for each decision (record/decision.h). The caller ends it with
 * yk_replay_api_close(), then yk_replay_api_done(). */
void yk_replay_api_init(struct yk_replay_api *api, void (*submitted)(void *context, const struct yk_op *op),
                        void *context);
/* Answers all open requests, and those that the answers lead to, with YK_OP_CANCELLED. Call it after
 * yk_shim_stop(), and before the shim is freed. */
void yk_replay_api_close(struct yk_replay_api *api);
/* Frees the contents. Call it after the shim was freed. */
void yk_replay_api_done(struct yk_replay_api *api);
/* Delivers the event in `line` to its watch. Errors: the line is malformed, or the kind is not watched
 * (YK_ERR_INVALID, YK_ERR_LIMIT); nothing is delivered. */
YK_NODISCARD enum yk_status yk_replay_api_deliver(struct yk_replay_api *api, const struct json_t *line,
                                                  struct yk_err *err);
/* Answers the request that `line` names with the recorded answer. Errors: YK_ERR_INVALID, the line is
 * malformed, or there is no such request without an answer; nothing is answered. */
YK_NODISCARD enum yk_status yk_replay_api_answer(struct yk_replay_api *api, const struct json_t *line,
                                                 struct yk_err *err);

#endif
