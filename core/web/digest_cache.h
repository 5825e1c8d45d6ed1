/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bounded cache of values that expire; the key of a value is a SHA-256. When the cache is full, the oldest
 * value is removed for a new one.
 *
 * Thread: any.
 * Source: docs/reference/rest.md 12.4, 12.5.
 */
#ifndef YK_WEB_DIGEST_CACHE_H
#define YK_WEB_DIGEST_CACHE_H

#include "base/list.h"
#include "base/map.h"
#include "base/str.h"

enum { YK_DIGEST_LEN = 32 }; /* bytes of a SHA-256; not text */

struct yk_digest_cache {
    struct yk_strmap by_digest;      /* SHA-256 -> struct entry of digest_cache.c, owned */
    struct yk_list by_age;           /* the same entries, oldest first */
    size_t max;                      /* largest number of values, above 0 */
    void (*free_value)(void *value); /* frees a value */
};

/* Sets `ret_digest` to the SHA-256 of `text`. False: OpenSSL failed. */
bool yk_digest_make(struct yk_str text, char ret_digest[YK_DIGEST_LEN]);

/* Initialises `cache` as empty. `max`: the largest number of values, above 0. `free_value` is called for each
 * value that is removed. The caller ends the cache with yk_digest_cache_done(). */
void yk_digest_cache_init(struct yk_digest_cache *cache, size_t max, void (*free_value)(void *value));
void yk_digest_cache_done(struct yk_digest_cache *cache);
/* The value with the key `digest`, borrowed until the next yk_digest_cache_put(); NULL: there is none, or it
 * has expired. */
void *yk_digest_cache_get(const struct yk_digest_cache *cache, const char digest[YK_DIGEST_LEN],
                          int64_t now_mono_ns);
/* Stores `value`, which is taken and not NULL, under the key `digest` until `until_mono_ns`. If there
 * is a value with that key, it is freed and replaced. If there is none and the cache is full, the oldest
 * value is removed first. */
void yk_digest_cache_put(struct yk_digest_cache *cache, const char digest[YK_DIGEST_LEN], void *value,
                         int64_t until_mono_ns);

#endif
