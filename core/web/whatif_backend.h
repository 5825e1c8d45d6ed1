/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface through which the REST server asks what-if questions. The process that runs the web server
 * implements it (k8s-shim/whatif).
 *
 * A question has a ticket. If `ask` returns YK_OK, the backend answers with yk_web_replied()
 * (web/auth_backend.h), after `ask` has returned and on the scheduling thread: with status 0 and the JSON
 * text of the answer, or with an HTTP status and a sentence. If no answer comes within YK_PATIENCE_NS
 * (web/renderer.h), the client gets a 503.
 *
 * Thread: scheduling thread.
 */
#ifndef YK_WEB_WHATIF_BACKEND_H
#define YK_WEB_WHATIF_BACKEND_H

#include "base/str.h"

struct yk_web;

struct yk_whatif_backend {
    void *context; /* the first argument of the functions */
    /* Asks the question in `body`, the body of the request. NULL: questions get a 501. Errors:
     * YK_ERR_UNAVAILABLE, no question can be asked now; YK_ERR_INVALID, YK_ERR_LIMIT, it is malformed, or too
     * large. */
    enum yk_status (*ask)(void *context, struct yk_web *web, uint64_t ticket, struct yk_str body,
                          struct yk_err *err);
    /* Called when no answer is needed: the client of that question has gone, or has got a 503 because the
     * answer is late. No effect if the backend has no question with that ticket: the client may go before its
     * question was asked. May be NULL. */
    void (*cancel)(void *context, uint64_t ticket);
};

#endif
