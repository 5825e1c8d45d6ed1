/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The authentication backend: an interface through which the REST server asks for the user of a token and for
 * what a user is allowed to do, and stores a configuration. The process that runs the web server implements
 * it by requests to the API server.
 *
 * The first three functions get a ticket. If one returns YK_OK, the backend calls yk_web_replied() with this
 * ticket at most once, on the scheduling thread and after the function has returned. The client gets a 503 if
 * no reply has come after YK_PATIENCE_NS (web/renderer.h). A reply to a request that was given up meanwhile
 * is dropped. If a function returns an error, no reply follows, and the client gets `err` with status 503, or
 * with 413 for YK_ERR_LIMIT of write_config().
 *
 * Each function may be NULL: requests that need one of the first three get a 503.
 *
 * Thread: scheduling thread.
 */
#ifndef YK_WEB_AUTH_BACKEND_H
#define YK_WEB_AUTH_BACKEND_H

#include "http/caller.h"

struct yk_web;

/* The question whether a user is allowed to do something. Either `path` or `queue` is set, the other is
 * NULL. */
struct yk_web_access_question {
    const struct yk_caller *caller; /* has a user */
    const char *verb;               /* as Kubernetes names it: "get", "post", ... */
    const char *path;               /* path of a request */
    const char *queue;              /* full path of a queue */
};

struct yk_auth_backend {
    void *context; /* the first argument of each function */
    /* Asks for the user of a token. Errors: YK_ERR_UNAVAILABLE, no request can be sent now. */
    enum yk_status (*review_token)(void *context, struct yk_web *web, uint64_t ticket, const char *token,
                                   struct yk_err *err);
    /* Asks whether a user is allowed to do something. Errors: YK_ERR_UNAVAILABLE, no request can be sent
     * now. */
    enum yk_status (*review_access)(void *context, struct yk_web *web, uint64_t ticket,
                                    const struct yk_web_access_question *question, struct yk_err *err);
    /* Stores `config` as the queue configuration, which takes effect like any other change of the
     * configuration. Errors: YK_ERR_UNAVAILABLE, no request can be sent now; YK_ERR_LIMIT, it is too
     * large. */
    enum yk_status (*write_config)(void *context, struct yk_web *web, uint64_t ticket, struct yk_str config,
                                   struct yk_err *err);
    /* Checks that this process may make changes now. NULL: it always may. Errors: YK_ERR_UNAVAILABLE, it may
     * not, for example because another replica leads. */
    enum yk_status (*check_leads)(void *context, struct yk_err *err);
    /* Called after a request has changed the state of the core directly. Not called after write_config(): the
     * configuration that it stores takes effect later. `what` is a static phrase that names the change. */
    void (*changed)(void *context, const char *what);
};

/* The reply to a request. Written by: the backend; for a reply that was given up, web/renderer.c. */
struct yk_backend_reply {
    int status; /* 0: success; otherwise the HTTP status that the client gets, with `text` */
    /* For the client, also in case of success: a sentence, or the JSON text of a what-if answer. May be
     * NULL. */
    const char *text;
    bool allowed; /* the result of a successful access review */
    /* The result of a successful token review. */
    const char *user; /* NULL: the token belongs to no user */
    const char *const *groups;
    size_t group_count;
};

/*
 * Passes `reply` to the job that waits for the reply with this ticket. Called by the backends, not before the
 * function that got the ticket has returned YK_OK. No effect if no job waits for the ticket. `reply` is
 * borrowed for the call.
 * Thread: scheduling thread only.
 */
void yk_web_replied(struct yk_web *web, uint64_t ticket, const struct yk_backend_reply *reply);

#endif
