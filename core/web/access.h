/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may use REST: the mode (service.web.access), and the decisions of the authentication backend about what
 * a user may do.
 *
 * In mode "none", reads are open, as in YuniKorn 1.9. In mode "delegated", a read whose route has neither
 * `is_probe` nor `is_public` needs a user, and the authentication backend decides about the path and the
 * method. Decisions are cached for YK_DECISION_NS. Members of the group system:masters may use every path
 * with YK_GUARD_READER.
 *
 * Thread: scheduling thread, except where a function says otherwise.
 * Source: docs/reference/rest.md 12.5.
 */
#ifndef YK_WEB_ACCESS_H
#define YK_WEB_ACCESS_H

#include "web/auth_backend.h"
#include "web/digest_cache.h"
#include "web/router.h"

#include "http/caller.h"

#define YK_DECISION_NS (10 * INT64_C(1000000000)) /* how long a decision is cached */
enum { YK_DECISIONS_MAX = 8192 };                 /* most cached decisions */

enum yk_web_access {
    YK_WEB_ACCESS_OPEN,      /* "none" */
    YK_WEB_ACCESS_DELEGATED, /* "delegated" */
    /* The settings are not read yet: reads get a 503, except on routes with `is_probe` or `is_public`. */
    YK_WEB_ACCESS_UNKNOWN,
};

/*
 * What the route requires of the client in the mode `access`. Any thread.
 * YK_GUARD_LOCAL: only in mode "none". The caller of this function replaces it by YK_GUARD_OPEN if the client
 * is on this host, otherwise by YK_GUARD_CALLER.
 * YK_GUARD_READER: if `access` is YK_WEB_ACCESS_UNKNOWN, the caller of this function answers with 503.
 * In all other cases, unless the guard is YK_GUARD_OPEN now, the caller of this function calls
 * yk_guard_take() (web/guard.h).
 */
enum yk_guard_kind yk_access_guard(enum yk_web_access access, const struct yk_route *route);
/*
 * Who may use the route, in the words of docs/reference/rest.md: "everybody", "readers", "readers, tenants",
 * "local callers, readers", "administrators of the queue" or "administrators of the scheduler"; static. Any
 * thread.
 */
const char *yk_access_group(const struct yk_route *route);
/* Whether the caller is in the group system:masters, whose members may use every path with YK_GUARD_READER.
 * If not, the caller of this function asks the backend. Changes need an ACL, also for this group. */
bool yk_access_is_master(const struct yk_caller *caller);
/* Sets `ret_digest` to the cache key of the decision on the question: a digest of caller, verb and path or
 * queue. question->caller has a user. False: OpenSSL failed, and the request has to be refused. Any
 * thread. */
bool yk_access_digest(const struct yk_web_access_question *question, char ret_digest[YK_DIGEST_LEN]);

/* Initialises `decisions` as an empty cache of decisions. The caller ends it with yk_digest_cache_done(). Any
 * thread. */
void yk_access_decisions_init(struct yk_digest_cache *decisions);
/* The cached decision with the key `digest` (yk_access_digest()). -1: there is no decision, or it has
 * expired, and the caller asks the backend; 0: denied; 1: allowed. */
int yk_access_decisions_get(const struct yk_digest_cache *decisions, const char digest[YK_DIGEST_LEN],
                            int64_t now_mono_ns);
/* Caches a decision under the key `digest` (yk_access_digest()) for YK_DECISION_NS from `now_mono_ns` on.
 * Only for a decision that the backend has made (status 0 of its reply), not for a failed question. */
void yk_access_decisions_put(struct yk_digest_cache *decisions, const char digest[YK_DIGEST_LEN],
                             bool allowed, int64_t now_mono_ns);

#endif
