/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API server of a trial. Writes of the scheduler succeed at the next yk_trial_api_answer(), and change
 * nothing outside the copy of the process. Reads, and writes of whole objects such as Leases
 * (yk_op_has_object()), are answered with YK_OP_CANCELLED.
 *
 * In the copy, the functions of this API server replace those of the real one, so that all pointers to the
 * real API server lead to this one. Watches deliver nothing.
 *
 * Owns:   requests without an answer.
 * Thread: the thread of the copy.
 */
#ifndef YK_WHATIF_TRIAL_API_H
#define YK_WHATIF_TRIAL_API_H

#include "api/server.h"

struct yk_trial_api {
    struct yk_api_server_ops ops; /* first member */
    struct yk_op *first, **last;  /* owned list of requests without an answer, linked by `next` */
    size_t in_flight;             /* number of requests without an answer */
    void *context;                /* the context of `carry_out` */
    /* Applies a write to the trial. Afterwards, the write is answered with YK_OP_OK. */
    void (*carry_out)(void *context, struct yk_op *op);
};

/* Replaces the functions of `server` by those of `api`. `api` must stay where it is until the process ends.
 * yk_trial_api_answer() calls `carry_out` with `context` for each request that it answers with YK_OP_OK; the
 * request is borrowed for that call. Requests that `server` got before are not answered. */
void yk_trial_api_init(struct yk_trial_api *api, struct yk_api_server *server, void *context,
                       void (*carry_out)(void *context, struct yk_op *op));
/* Answers the requests that were submitted before this call: calls their `done`. Requests that are submitted
 * during this call wait for the next one. True: requests were answered. */
bool yk_trial_api_answer(struct yk_trial_api *api);

#endif
