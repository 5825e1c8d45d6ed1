/* SPDX-License-Identifier: Apache-2.0 */
#include "web/token_cache.h"

static void free_caller(void *value)
{
    yk_caller_done(value);
    free(value);
}

void yk_token_cache_init(struct yk_token_cache *cache)
{
    yk_digest_cache_init(&cache->digests, YK_TOKEN_CACHE_MAX, free_caller);
}

void yk_token_cache_done(struct yk_token_cache *cache)
{
    yk_digest_cache_done(&cache->digests);
}

const struct yk_caller *yk_token_cache_get(const struct yk_token_cache *cache,
                                           const char digest[YK_DIGEST_LEN], int64_t now_mono_ns)
{
    return yk_digest_cache_get(&cache->digests, digest, now_mono_ns);
}

void yk_token_cache_put(struct yk_token_cache *cache, const char digest[YK_DIGEST_LEN],
                        const struct yk_caller *caller, int64_t now_mono_ns)
{
    struct yk_caller *copy = yk_new0(struct yk_caller);
    yk_caller_init(copy, caller->user, (const char *const *)caller->groups, caller->group_count);
    yk_digest_cache_put(&cache->digests, digest, copy,
                        now_mono_ns + (caller->user != NULL ? YK_CALLER_KNOWN_NS : YK_CALLER_NOBODY_NS));
}
