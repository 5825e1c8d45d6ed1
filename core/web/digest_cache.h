/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bounded cache of values that expire, by the SHA-256 of what they answer. The oldest entry makes room for
 * a new one.
 * Thread: that of its owner.
 * Source: docs/reference/rest.md 12.4, 12.5.
 */
#ifndef YK_WEB_DIGEST_CACHE_H
#define YK_WEB_DIGEST_CACHE_H

#include "base/list.h"
#include "base/map.h"
#include "base/str.h"

enum { YK_DIGEST_LEN = 32 };

struct yk_digest_cache {
    struct yk_strmap by_digest;
    struct yk_list by_age; /* oldest first */
    size_t max;
    void (*free_value)(void *value);
};

/* Writes the SHA-256 of `text`. False: OpenSSL failed. */
bool yk_digest_make(struct yk_str text, char ret_digest[YK_DIGEST_LEN]);

/* Makes an empty cache of at most `max` values; `free_value` frees one. End it with yk_digest_cache_done(). */
void yk_digest_cache_init(struct yk_digest_cache *cache, size_t max, void (*free_value)(void *value));
void yk_digest_cache_done(struct yk_digest_cache *cache);
/* The value, borrowed until the next put; NULL: not stored, or expired. */
void *yk_digest_cache_get(const struct yk_digest_cache *cache, const char digest[YK_DIGEST_LEN],
                          int64_t now_mono_ns);
/* Stores `value` until `until_mono_ns`, and takes it. Drops the oldest entry if the cache is full. */
void yk_digest_cache_put(struct yk_digest_cache *cache, const char digest[YK_DIGEST_LEN], void *value,
                         int64_t until_mono_ns);

#endif
