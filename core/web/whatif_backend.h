/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface through which the REST server asks what-if questions. The process that runs the web server
 * implements it (k8s-shim/whatif).
 *
 * A question has a ticket. The backend answers it with yk_web_replied() (web/auth_backend.h), later and on
 * the scheduling thread: with status 0 and the JSON text of the answer, or with an HTTP status and a
 * sentence.
 *
 * Thread: scheduling thread.
 */
#ifndef YK_WEB_WHATIF_BACKEND_H
#define YK_WEB_WHATIF_BACKEND_H

#include "base/str.h"

struct yk_web;

struct yk_whatif_backend {
    void *context;
    /* Asks the question in `body`, the body of the request. Errors: YK_ERR_UNAVAILABLE, no question can be
     * asked now. */
    enum yk_status (*ask)(void *context, struct yk_web *web, uint64_t ticket, struct yk_str body,
                          struct yk_err *err);
    /* Called when the client of that question has gone, so that no answer is needed. May be NULL. */
    void (*cancel)(void *context, uint64_t ticket);
};

#endif
