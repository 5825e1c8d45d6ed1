/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What-if questions of REST: the process that runs the web server implements them (k8s-shim/whatif).
 *
 * A question carries a ticket and is answered with yk_web_replied(), later and on the scheduling thread:
 * status 0 and the JSON text of the answer, or the HTTP status and a sentence.
 *
 * Thread: scheduling thread.
 */
#ifndef YK_WEB_WHATIF_BACKEND_H
#define YK_WEB_WHATIF_BACKEND_H

#include "base/str.h"

struct yk_web;

struct yk_whatif_backend {
    void *context;
    /* `body` is borrowed for the call. Errors: YK_ERR_UNAVAILABLE, no question can be put now. */
    enum yk_status (*ask)(void *context, struct yk_web *web, uint64_t ticket, struct yk_str body,
                          struct yk_err *err);
    /* The client of that question has gone: no answer is needed. May be NULL. */
    void (*cancel)(void *context, uint64_t ticket);
};

#endif
