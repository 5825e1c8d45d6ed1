/* SPDX-License-Identifier: Apache-2.0 */
#include "web/digest_cache.h"

#include <openssl/evp.h>

struct entry {
    struct yk_list by_age;
    char digest[YK_DIGEST_LEN];
    void *value;
    int64_t until_mono_ns;
};

static struct yk_str key_of(const char *digest)
{
    return (struct yk_str){digest, YK_DIGEST_LEN};
}

bool yk_digest_make(struct yk_str text, char ret_digest[YK_DIGEST_LEN])
{
    unsigned int len = 0;
    return EVP_Digest(text.p, text.len, (unsigned char *)ret_digest, &len, EVP_sha256(), NULL) == 1 &&
           len == YK_DIGEST_LEN;
}

void yk_digest_cache_init(struct yk_digest_cache *cache, size_t max, void (*free_value)(void *value))
{
    *cache = (struct yk_digest_cache){.max = max, .free_value = free_value};
    yk_list_init(&cache->by_age);
}

static void forget(struct yk_digest_cache *cache, struct entry *entry)
{
    (void)yk_strmap_remove(&cache->by_digest, key_of(entry->digest)); /* the entry was there */
    yk_list_remove(&entry->by_age);
    cache->free_value(entry->value);
    free(entry);
}

void yk_digest_cache_done(struct yk_digest_cache *cache)
{
    struct entry *entry;
    yk_list_foreach (entry, &cache->by_age, struct entry, by_age)
        forget(cache, entry);
    yk_strmap_done(&cache->by_digest);
}

void *yk_digest_cache_get(const struct yk_digest_cache *cache, const char digest[YK_DIGEST_LEN],
                          int64_t now_mono_ns)
{
    const struct entry *entry = yk_strmap_get(&cache->by_digest, key_of(digest));
    return entry != NULL && now_mono_ns < entry->until_mono_ns ? entry->value : NULL;
}

void yk_digest_cache_put(struct yk_digest_cache *cache, const char digest[YK_DIGEST_LEN], void *value,
                         int64_t until_mono_ns)
{
    struct entry *entry = yk_strmap_get(&cache->by_digest, key_of(digest));
    if (entry != NULL)
        forget(cache, entry);
    if (cache->by_digest.count >= cache->max)
        forget(cache, yk_list_first(&cache->by_age, struct entry, by_age));
    entry = yk_new0(struct entry);
    memcpy(entry->digest, digest, YK_DIGEST_LEN);
    entry->value = value;
    entry->until_mono_ns = until_mono_ns;
    (void)yk_strmap_put(&cache->by_digest, key_of(entry->digest), entry); /* the key is new */
    yk_list_append(&cache->by_age, &entry->by_age);
}
