/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/shared.h"

#include "base/map.h"

struct entry {
    struct yk_resvec amounts;
    uint64_t hash;
    struct entry *next_same_hash;
    uint32_t holders;
};

/* The one table of the scheduling thread: hash -> struct entry. */
static struct yk_idmap shared;
static size_t entries;

static struct entry *entry_new(const struct yk_resvec *amounts, uint64_t hash)
{
    struct entry *entry = yk_new0(struct entry);
    yk_resvec_copy(&entry->amounts, amounts);
    entry->hash = hash;
    entry->next_same_hash = yk_idmap_put(&shared, hash, entry);
    entries++;
    return entry;
}

const struct yk_resvec *yk_shared_get(const struct yk_resvec *amounts)
{
    uint64_t hash = yk_resvec_hash(amounts);
    struct entry *entry = yk_idmap_get(&shared, hash);
    while (entry != NULL && !yk_resvec_same(&entry->amounts, amounts))
        entry = entry->next_same_hash;
    if (entry == NULL)
        entry = entry_new(amounts, hash);
    entry->holders++;
    return &entry->amounts;
}

static void unlink_entry(struct entry *entry)
{
    struct entry *first = yk_idmap_get(&shared, entry->hash);
    if (first != entry) {
        while (first->next_same_hash != entry)
            first = first->next_same_hash;
        first->next_same_hash = entry->next_same_hash;
    } else if (entry->next_same_hash != NULL) {
        (void)yk_idmap_put(&shared, entry->hash, entry->next_same_hash); /* returns `entry` */
    } else {
        (void)yk_idmap_remove(&shared, entry->hash); /* returns `entry` */
    }
}

void yk_shared_put(const struct yk_resvec *amounts)
{
    if (amounts == NULL)
        return;
    struct entry *entry = YK_CONTAINER(amounts, struct entry, amounts);
    if (!YK_ASSERT(entry->holders > 0) || --entry->holders > 0)
        return;
    unlink_entry(entry);
    if (--entries == 0)
        yk_idmap_done(&shared);
    yk_resvec_done(&entry->amounts);
    free(entry);
}

size_t yk_shared_count(void)
{
    return entries;
}
