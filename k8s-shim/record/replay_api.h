/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API server of a replay: what is watched comes from the recording, and requests wait for their recorded
 * answers.
 *
 * Owns:   requests without an answer.
 * Thread: the caller's.
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
    struct yk_api_server api; /* first */
    struct yk_replay_watch watches[YK_KIND_COUNT];
    struct yk_idmap open; /* number -> struct yk_op, owned */
    uint64_t sent;        /* requests so far */
    bool is_closing;      /* requests are answered as cancelled */
    /* A request was made; its number is `api->sent`. It may be answered at once. */
    void (*submitted)(void *context, const struct yk_op *op);
    void *context;
};

/* Makes an API server without watches. `submitted` is called with `context` for each decision
 * (record/decision.h). */
void yk_replay_api_init(struct yk_replay_api *api, void (*submitted)(void *context, const struct yk_op *op),
                        void *context);
/* Answers all open requests, and those that are sent meanwhile, with YK_OP_CANCELLED. */
void yk_replay_api_close(struct yk_replay_api *api);
/* Frees it, after yk_replay_api_close() and the end of the shim. */
void yk_replay_api_done(struct yk_replay_api *api);
/* Delivers a line with an event. Errors: YK_ERR_INVALID and YK_ERR_LIMIT, the line is wrong; nothing is
 * delivered. */
YK_NODISCARD enum yk_status yk_replay_api_deliver(struct yk_replay_api *api, const struct json_t *line,
                                                  struct yk_err *err);
/* Answers a request as the line says. Errors: YK_ERR_INVALID, the line is wrong, or there is no such request;
 * nothing is answered. */
YK_NODISCARD enum yk_status yk_replay_api_answer(struct yk_replay_api *api, const struct json_t *line,
                                                 struct yk_err *err);

#endif
