/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache of the users of tokens, so that not every request of a script causes a token review.
 *
 * A token is identified by its SHA-256; the token itself is not stored. A user is cached for a minute, so a
 * revoked token may work for that time. If a token has no user, this result is cached for ten seconds.
 *
 * Thread: any, one at a time; the guard uses it on the scheduling thread.
 * Source: docs/reference/rest.md 12.4.
 */
#ifndef YK_WEB_TOKEN_CACHE_H
#define YK_WEB_TOKEN_CACHE_H

#include "http/caller.h"
#include "web/digest_cache.h"

enum { YK_TOKEN_CACHE_MAX = 512 };                     /* tokens */
#define YK_CALLER_KNOWN_NS  (60 * INT64_C(1000000000)) /* how long a user is cached */
#define YK_CALLER_NOBODY_NS (10 * INT64_C(1000000000)) /* how long the result "no user" is cached */

struct yk_token_cache {
    struct yk_digest_cache digests; /* SHA-256 of the token -> struct yk_caller, owned */
};

/* Initialises `cache` as empty. The caller ends it with yk_token_cache_done(). */
void yk_token_cache_init(struct yk_token_cache *cache);
void yk_token_cache_done(struct yk_token_cache *cache);
/* The caller with the token whose SHA-256 is `digest`, borrowed until the next yk_token_cache_put(); its user
 * is NULL if the token belongs to no user. NULL: the token is not cached, or its entry has expired. */
const struct yk_caller *yk_token_cache_get(const struct yk_token_cache *cache,
                                           const char digest[YK_DIGEST_LEN], int64_t now_mono_ns);
/* Caches a copy of `caller`, whose user may be NULL, for the token whose SHA-256 is `digest`: for
 * YK_CALLER_KNOWN_NS, or YK_CALLER_NOBODY_NS if the user is NULL. */
void yk_token_cache_put(struct yk_token_cache *cache, const char digest[YK_DIGEST_LEN],
                        const struct yk_caller *caller, int64_t now_mono_ns);

#endif
