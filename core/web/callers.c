/* SPDX-License-Identifier: Apache-2.0 */
#include "web/callers.h"

static void free_caller(void *value)
{
    yk_caller_done(value);
    free(value);
}

void yk_callers_init(struct yk_callers *callers)
{
    yk_digest_cache_init(&callers->cache, YK_CALLERS_MAX, free_caller);
}

void yk_callers_done(struct yk_callers *callers)
{
    yk_digest_cache_done(&callers->cache);
}

const struct yk_caller *yk_callers_get(const struct yk_callers *callers, const char digest[YK_DIGEST_LEN],
                                       int64_t now_mono_ns)
{
    return yk_digest_cache_get(&callers->cache, digest, now_mono_ns);
}

void yk_callers_put(struct yk_callers *callers, const char digest[YK_DIGEST_LEN],
                    const struct yk_caller *caller, int64_t now_mono_ns)
{
    struct yk_caller *copy = yk_new0(struct yk_caller);
    yk_caller_init(copy, caller->user, (const char *const *)caller->groups, caller->group_count);
    yk_digest_cache_put(&callers->cache, digest, copy,
                        now_mono_ns + (caller->user != NULL ? YK_CALLER_KNOWN_NS : YK_CALLER_NOBODY_NS));
}
