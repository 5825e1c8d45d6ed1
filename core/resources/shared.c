/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/shared.h"

#include "base/map.h"

struct entry {
    struct yk_resvec amounts; /* first */
    uint64_t hash;
    uint32_t holders;
    struct entry *same_hash;
};

/* The one table of the scheduling thread. */
static struct {
    struct yk_idmap by_hash; /* -> first struct entry of a chain */
    size_t count;
} shared;

static struct entry *entry_new(const struct yk_resvec *amounts, uint64_t hash)
{
    struct entry *entry = yk_new0(struct entry);
    yk_resvec_copy(&entry->amounts, amounts);
    entry->hash = hash;
    entry->same_hash = yk_idmap_get(&shared.by_hash, hash);
    (void)yk_idmap_put(&shared.by_hash, hash, entry); /* the old first one follows it */
    shared.count++;
    return entry;
}

const struct yk_resvec *yk_shared_get(const struct yk_resvec *amounts)
{
    uint64_t hash = yk_resvec_hash(amounts);
    struct entry *entry = yk_idmap_get(&shared.by_hash, hash);
    while (entry != NULL && !yk_resvec_same(&entry->amounts, amounts))
        entry = entry->same_hash;
    if (entry == NULL)
        entry = entry_new(amounts, hash);
    entry->holders++;
    return &entry->amounts;
}

static void leave_chain(struct entry *entry)
{
    struct entry *first = yk_idmap_get(&shared.by_hash, entry->hash), *before = first;
    if (first != entry) {
        while (before->same_hash != entry)
            before = before->same_hash;
        before->same_hash = entry->same_hash;
    } else if (entry->same_hash != NULL) {
        (void)yk_idmap_put(&shared.by_hash, entry->hash, entry->same_hash); /* instead of it */
    } else {
        (void)yk_idmap_remove(&shared.by_hash, entry->hash); /* was there */
    }
}

void yk_shared_put(const struct yk_resvec *amounts)
{
    if (amounts == NULL)
        return;
    struct entry *entry = YK_CONTAINER(amounts, struct entry, amounts);
    if (!YK_ASSERT(entry->holders > 0) || --entry->holders > 0)
        return;
    leave_chain(entry);
    shared.count--;
    if (shared.count == 0)
        yk_idmap_done(&shared.by_hash);
    free(entry);
}

size_t yk_shared_count(void)
{
    return shared.count;
}
