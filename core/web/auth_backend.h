/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests of REST to the outside: the user of a token, what a user is allowed to do, and storage for a
 * configuration. The process that runs the web server implements them with the API server.
 *
 * A request carries a ticket and is answered with yk_web_replied(), later and on the scheduling thread, at
 * most once. A reply that comes after the request was given up is dropped.
 *
 * Thread: scheduling thread.
 */
#ifndef YK_WEB_AUTH_BACKEND_H
#define YK_WEB_AUTH_BACKEND_H

#include "http/caller.h"

struct yk_web;

/* Whether a user is allowed to do something. Either `path` or `queue` is set. All texts are borrowed for
 * the call. */
struct yk_web_access_question {
    const struct yk_caller *caller;
    const char *verb;
    const char *path;
    const char *queue; /* full path of a queue */
};

struct yk_auth_backend {
    void *context;
    /* Errors: YK_ERR_UNAVAILABLE, no request can be sent now. The texts are borrowed for the call. */
    enum yk_status (*review_token)(void *context, struct yk_web *web, uint64_t ticket, const char *token,
                                   struct yk_err *err);
    /* Errors: YK_ERR_UNAVAILABLE. */
    enum yk_status (*review_access)(void *context, struct yk_web *web, uint64_t ticket,
                                    const struct yk_web_access_question *question, struct yk_err *err);
    /* Stores `config` as the queue configuration. It takes effect like any other change of the
     * configuration. Errors: YK_ERR_UNAVAILABLE, YK_ERR_LIMIT. */
    enum yk_status (*write_config)(void *context, struct yk_web *web, uint64_t ticket, struct yk_str config,
                                   struct yk_err *err);
    /* Whether this process may change anything now. NULL: always. Errors: YK_ERR_UNAVAILABLE. */
    enum yk_status (*check_leads)(void *context, struct yk_err *err);
    /* A request changed the state of the core directly; `what` is a part of a sentence. NULL: not called. */
    void (*changed)(void *context, const char *what);
};

/* Borrowed for the call. Written by: the backend. */
struct yk_backend_reply {
    int status;       /* 0: success; else the HTTP status for the client, with `text` */
    const char *text; /* a sentence for the answer, also in case of success; may be NULL */
    bool allowed;     /* of a successful access review */
    /* Of a successful token review. */
    const char *user; /* NULL: the token belongs to no user */
    const char *const *groups;
    size_t group_count;
};

/*
 * Called by the backend with the reply to the question with this ticket. A ticket that is not waited for is
 * ignored. `reply` is borrowed for the call.
 * Thread: scheduling thread only.
 */
void yk_web_replied(struct yk_web *web, uint64_t ticket, const struct yk_backend_reply *reply);

#endif
