/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API server of a trial: writes of the scheduler succeed in the next round and change nothing outside the
 * copy of the process. Reads are answered with YK_OP_CANCELLED.
 *
 * In the copy, it replaces the functions of the real API server, so that all pointers to that server lead to
 * this one. Watches deliver nothing.
 *
 * Owns:   requests without an answer.
 * Thread: the one of the copy.
 */
#ifndef YK_WHATIF_TRIAL_API_H
#define YK_WHATIF_TRIAL_API_H

#include "api/server.h"

struct yk_trial_api {
    struct yk_api_server_ops ops; /* first member */
    struct yk_op *first, **last;  /* owned list of requests without an answer, linked by `next` */
    size_t in_flight;             /* number of requests without an answer */
    void *context;                /* of `carry_out` */
    /* Applies a write to the trial. It is answered with YK_OP_OK afterwards. */
    void (*carry_out)(void *context, struct yk_op *op);
};

/* Replaces the functions of `server` by those of `api`, which must stay where it is until the process ends.
 * `carry_out` is called with `context` for each write, in yk_trial_api_answer(); the request is borrowed for
 * that call. Requests that `server` got before are not answered. */
void yk_trial_api_init(struct yk_trial_api *api, struct yk_api_server *server, void *context,
                       void (*carry_out)(void *context, struct yk_op *op));
/* Answers the requests that were submitted before the call: calls their `done`. Requests that the answers
 * lead to wait for the next call. True: there were some. */
bool yk_trial_api_answer(struct yk_trial_api *api);

#endif
