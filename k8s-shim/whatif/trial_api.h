/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API server of a trial: requests of the scheduler succeed in the next round, and change nothing outside.
 *
 * It takes the place of a real API server in a copy of the process: the functions of that server are replaced
 * in place, so that all who hold a pointer to it use this one. Watches deliver nothing.
 *
 * Owns:   requests without an answer.
 * Thread: the one of the copy.
 */
#ifndef YK_WHATIF_TRIAL_API_H
#define YK_WHATIF_TRIAL_API_H

#include "api/server.h"

struct yk_trial_api {
    struct yk_api_server_ops ops; /* first */
    struct yk_op *first, **last;  /* by `next` */
    size_t in_flight;
    void *context;
    /* What the request does in the cluster. It is answered with success afterwards. */
    void (*carry_out)(void *context, struct yk_op *op);
};

/* Replaces the functions of `server` by those of `api`, which must stay in place until the process ends.
 * `carry_out` is called with `context` for each request. */
void yk_trial_api_init(struct yk_trial_api *api, struct yk_api_server *server, void *context,
                       void (*carry_out)(void *context, struct yk_op *op));
/* Answers the requests that were submitted before the call. True: there were some. */
bool yk_trial_api_answer(struct yk_trial_api *api);

#endif
