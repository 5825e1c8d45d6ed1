/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/shared.h"

#include "base/text_set.h"

struct entry {
    struct yk_resvec amounts; /* first; all zero where nothing is present, so that its bytes are its key */
    uint32_t hash, holders;
};

static struct yk_str bytes_of(const void *amounts)
{
    return (struct yk_str){amounts, sizeof(struct yk_resvec)};
}

/* The one table of the scheduling thread. */
static struct yk_text_set shared = {.key_of = bytes_of};

static struct entry *entry_new(const struct yk_resvec *amounts, uint32_t hash)
{
    struct entry *entry = yk_new0(struct entry);
    yk_resvec_copy(&entry->amounts, amounts);
    entry->hash = hash;
    yk_text_set_add(&shared, entry, hash);
    return entry;
}

const struct yk_resvec *yk_shared_get(const struct yk_resvec *amounts)
{
    struct yk_resvec plain;
    memset(&plain, 0, sizeof(plain));
    yk_resvec_copy(&plain, amounts);
    uint32_t hash = yk_text_set_hash(bytes_of(&plain));
    struct entry *entry = yk_text_set_find(&shared, bytes_of(&plain), hash);
    if (entry == NULL)
        entry = entry_new(&plain, hash);
    entry->holders++;
    return &entry->amounts;
}

void yk_shared_put(const struct yk_resvec *amounts)
{
    if (amounts == NULL)
        return;
    struct entry *entry = YK_CONTAINER(amounts, struct entry, amounts);
    if (!YK_ASSERT(entry->holders > 0) || --entry->holders > 0)
        return;
    YK_ASSERT(yk_text_set_take(&shared, entry, entry->hash));
    if (shared.count == 0)
        yk_text_set_done(&shared);
    free(entry);
}

size_t yk_shared_count(void)
{
    return shared.count;
}
