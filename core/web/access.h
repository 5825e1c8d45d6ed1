/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may use REST: the mode (service.web.access), and the decisions of the authentication backend about what
 * a user may do.
 *
 * Mode "none": reads are open, as in YuniKorn 1.9. Mode "delegated": each request but probes needs a user,
 * and the authentication backend decides about the path and the method. Decisions are kept for
 * YK_DECISION_NS. Members of system:masters may do everything.
 *
 * Thread: scheduling thread, except yk_access_guard().
 * Source: docs/reference/rest.md 12.5.
 */
#ifndef YK_WEB_ACCESS_H
#define YK_WEB_ACCESS_H

#include "web/auth_backend.h"
#include "web/digest_cache.h"
#include "web/router.h"

#include "http/caller.h"

#define YK_DECISION_NS (10 * INT64_C(1000000000))
enum { YK_DECISIONS_MAX = 8192 };

enum yk_web_access {
    YK_WEB_ACCESS_OPEN,      /* "none" */
    YK_WEB_ACCESS_DELEGATED, /* "delegated" */
    YK_WEB_ACCESS_UNKNOWN,   /* the settings are not read yet: only probes are answered */
};

/* Who may use the route in that mode. Any thread. */
enum yk_guard_kind yk_access_guard(enum yk_web_access access, const struct yk_route *route);
/*
 * The group of callers that the route is for, as docs/reference/rest.md names it: "everybody", "readers",
 * "readers, tenants", "local callers, readers", "administrators of the queue", "administrators of the
 * scheduler". Any thread.
 */
const char *yk_access_group(const struct yk_route *route);
/* Whether the caller is a member of system:masters, who may do everything: no decision is needed. */
bool yk_access_is_master(const struct yk_caller *caller);
/* Computes the key under which the decision about the question is stored. False: it could not be computed;
 * refuse the request. */
bool yk_access_digest(const struct yk_web_access_question *question, char ret_digest[YK_DIGEST_LEN]);

/* Makes an empty cache of answers to "may this caller do that?". End it with yk_digest_cache_done(). */
void yk_access_decisions_init(struct yk_digest_cache *decisions);
/* The decision that is stored under `digest`. -1: none, or it is too old; 0: denied; 1: allowed. */
int yk_access_decisions_get(const struct yk_digest_cache *decisions, const char digest[YK_DIGEST_LEN],
                            int64_t now_mono_ns);
/* Keeps an answer for YK_DECISION_NS from `now_mono_ns` on. `digest` is of caller and question, as for
 * yk_access_decisions_get(). */
void yk_access_decisions_put(struct yk_digest_cache *decisions, const char digest[YK_DIGEST_LEN],
                             bool allowed, int64_t now_mono_ns);

#endif
