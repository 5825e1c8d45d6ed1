/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The users of tokens, cached for a short time, so that a script with a hundred requests causes one token
 * review.
 *
 * A token is identified by its SHA-256 only. A user is cached for a minute (a revoked token may work that
 * long), a token without a user for ten seconds.
 *
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md 12.4.
 */
#ifndef YK_WEB_TOKEN_CACHE_H
#define YK_WEB_TOKEN_CACHE_H

#include "http/caller.h"
#include "web/digest_cache.h"

enum { YK_TOKEN_CACHE_MAX = 512 };
#define YK_CALLER_KNOWN_NS  (60 * INT64_C(1000000000))
#define YK_CALLER_NOBODY_NS (10 * INT64_C(1000000000))

struct yk_token_cache {
    struct yk_digest_cache digests; /* of struct yk_caller */
};

/* Makes an empty cache. End it with yk_token_cache_done(). */
void yk_token_cache_init(struct yk_token_cache *cache);
void yk_token_cache_done(struct yk_token_cache *cache);
/* The caller with that token, borrowed until the next put; its user is NULL for a token without a user. NULL:
 * not cached, or expired. */
const struct yk_caller *yk_token_cache_get(const struct yk_token_cache *cache,
                                           const char digest[YK_DIGEST_LEN], int64_t now_mono_ns);
/* Stores a copy of `caller` for the time that its kind is cached. */
void yk_token_cache_put(struct yk_token_cache *cache, const char digest[YK_DIGEST_LEN],
                        const struct yk_caller *caller, int64_t now_mono_ns);

#endif
