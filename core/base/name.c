/* SPDX-License-Identifier: Apache-2.0 */
#include "base/name.h"

#include "base/map.h"

struct entry {
    uint32_t id;
    uint32_t holders;
    uint32_t len;
    char text[];
};

/* The one table of the scheduling thread. */
static struct {
    struct yk_strmap by_text;
    struct entry **by_id; /* by_id[0] is not used */
    uint32_t count;       /* the highest id that was ever used */
    uint32_t capacity;
    uint32_t *free_ids;
    uint32_t free_count;
} names;

yk_name yk_name_find(struct yk_str text)
{
    const struct entry *entry = yk_strmap_get(&names.by_text, text);
    return (yk_name){entry == NULL ? 0 : entry->id};
}

static uint32_t next_id(void)
{
    if (names.free_count > 0)
        return names.free_ids[--names.free_count];
    if (names.count + 1 >= names.capacity) {
        names.capacity = names.capacity > 0 ? names.capacity * 2 : 256;
        names.by_id = yk_realloc_array(names.by_id, names.capacity, sizeof(*names.by_id));
        names.free_ids = yk_realloc_array(names.free_ids, names.capacity, sizeof(*names.free_ids));
    }
    return ++names.count;
}

yk_name yk_name_get(struct yk_str text)
{
    struct entry *entry = yk_strmap_get(&names.by_text, text);
    if (entry == NULL) {
        entry = yk_alloc0(yk_size_add(sizeof(*entry), yk_size_add(text.len, 1)));
        if (text.len > 0)
            memcpy(entry->text, text.p, text.len);
        entry->len = (uint32_t)text.len;
        entry->id = next_id();
        names.by_id[entry->id] = entry;
        (void)yk_strmap_put(&names.by_text, (struct yk_str){entry->text, text.len},
                            entry); /* returns NULL: the text is new */
    }
    entry->holders++;
    return (yk_name){entry->id};
}

yk_name yk_name_ref(yk_name name)
{
    if (name.id != 0)
        names.by_id[name.id]->holders++;
    return name;
}

void yk_name_put(yk_name name)
{
    if (name.id == 0)
        return;
    struct entry *entry = names.by_id[name.id];
    if (!YK_ASSERT(entry != NULL && entry->holders > 0) || --entry->holders > 0)
        return;
    (void)yk_strmap_remove(&names.by_text, (struct yk_str){entry->text, entry->len}); /* returns `entry` */
    names.by_id[name.id] = NULL;
    names.free_ids[names.free_count++] = name.id;
    free(entry);
}

const char *yk_name_text(yk_name name)
{
    return name.id == 0 ? "" : names.by_id[name.id]->text;
}

size_t yk_name_count(void)
{
    return names.by_text.count;
}
