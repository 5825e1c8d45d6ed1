/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API server of a replay: events of watches come from the recording, and requests wait for their recorded
 * answers.
 *
 * Owns:   requests without an answer.
 * Thread: the thread of the replay.
 */
#ifndef YK_RECORD_REPLAY_API_H
#define YK_RECORD_REPLAY_API_H

#include "api/server.h"
#include "base/map.h"

struct json_t;

struct yk_replay_watch {
    yk_watch_sink *sink; /* NULL: the kind is not watched */
    void *context;
    bool is_listing; /* a list has begun and has not ended */
};

struct yk_replay_api {
    struct yk_api_server api; /* first member */
    struct yk_replay_watch watches[YK_KIND_COUNT];
    struct yk_idmap open; /* number -> struct yk_op, owned: requests without an answer */
    uint64_t sent;        /* number of the last request */
    bool is_closing;      /* yk_replay_api_close() was called: `submitted` is no longer called */
    /* The scheduler has made a decision; the number of the decision is `sent`. The function may answer the
     * request with yk_replay_api_answer(). */
    void (*submitted)(void *context, const struct yk_op *op);
    void *context;
};

/* Makes an API server without watches. `*api` must not be moved, because the shim uses its member `api`.
 * `submitted` is called with `context` for each decision (record/decision.h). The caller ends the API server
 * with yk_replay_api_close(), then yk_replay_api_done(). */
void yk_replay_api_init(struct yk_replay_api *api, void (*submitted)(void *context, const struct yk_op *op),
                        void *context);
/* Answers all requests that have no answer, and those that are submitted meanwhile, with YK_OP_CANCELLED.
 * Call it after yk_shim_stop(), and before the shim is freed. */
void yk_replay_api_close(struct yk_replay_api *api);
/* Frees the contents. Call it after the shim was freed. */
void yk_replay_api_done(struct yk_replay_api *api);
/* Delivers the event in `line` to its watch. Errors: YK_ERR_INVALID: the line is malformed, or the kind is
 * not watched; the errors of yk_object_from_tree(). After an error, nothing was delivered. */
YK_NODISCARD enum yk_status yk_replay_api_deliver(struct yk_replay_api *api, const struct json_t *line,
                                                  struct yk_err *err);
/* Answers the request that `line` names with the recorded answer. Errors: YK_ERR_INVALID: the line is
 * malformed, or `line` names no request that waits for an answer; no request was answered. */
YK_NODISCARD enum yk_status yk_replay_api_answer(struct yk_replay_api *api, const struct json_t *line,
                                                 struct yk_err *err);

#endif
