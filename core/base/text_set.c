/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text_set.h"

#include "base/map.h"

enum { FIRST_SLOTS = 8 };

void yk_text_set_init(struct yk_text_set *set, struct yk_str (*key_of)(const void *item))
{
    *set = (struct yk_text_set){.key_of = key_of};
}

void yk_text_set_init_hashed(struct yk_text_set *set, struct yk_str (*key_of)(const void *item),
                             uint32_t (*hash_of)(const void *item))
{
    *set = (struct yk_text_set){.key_of = key_of, .hash_of = hash_of};
}

void yk_text_set_done(struct yk_text_set *set)
{
    free(set->items);
    yk_text_set_init_hashed(set, set->key_of, set->hash_of);
}

uint32_t yk_text_set_hash(struct yk_str key)
{
    uint32_t hash = (uint32_t)yk_hash(key.p, key.len);
    return hash != 0 ? hash : 1;
}

/* The mark of an item whose text has that hash; never 0. */
static uint32_t mark_of(const struct yk_text_set *set, uint32_t hash)
{
    return set->hash_of != NULL ? hash >> 16 | 1 : hash;
}

/* The mark in the slot `at`; 0: the slot is free. */
static uint32_t mark_at(const struct yk_text_set *set, size_t at)
{
    return set->hash_of != NULL ? ((const uint16_t *)set->marks)[at] : ((const uint32_t *)set->marks)[at];
}

static void set_mark(struct yk_text_set *set, size_t at, uint32_t mark)
{
    if (set->hash_of != NULL)
        ((uint16_t *)set->marks)[at] = (uint16_t)mark;
    else
        ((uint32_t *)set->marks)[at] = mark;
}

/* The hash of the item in the slot `at`, which is not free. */
static uint32_t hash_at(const struct yk_text_set *set, size_t at)
{
    return set->hash_of != NULL ? set->hash_of(set->items[at]) : mark_at(set, at);
}

/* The first free slot at or behind the slot that `hash` stands for. */
static size_t free_slot(const struct yk_text_set *set, uint32_t hash)
{
    size_t at = hash & set->mask;
    while (mark_at(set, at) != 0)
        at = (at + 1) & set->mask;
    return at;
}

/* The slot of the item with the text `key`, or the free slot to which such an item would be added. */
static size_t slot_of(const struct yk_text_set *set, struct yk_str key, uint32_t hash)
{
    size_t at = hash & set->mask;
    for (uint32_t there, mark = mark_of(set, hash); (there = mark_at(set, at)) != 0;
         at = (at + 1) & set->mask) {
        if (there == mark && yk_str_eq(set->key_of(set->items[at]), key))
            break;
    }
    return at;
}

static void place(struct yk_text_set *set, size_t at, void *item, uint32_t hash)
{
    set->items[at] = item;
    set_mark(set, at, mark_of(set, hash));
}

static void grow(struct yk_text_set *set)
{
    struct yk_text_set bigger = *set;
    size_t slots = set->mask == 0 ? FIRST_SLOTS : (set->mask + 1) * 2;
    bigger.mask = slots - 1;
    size_t mark_bytes = set->hash_of != NULL ? sizeof(uint16_t) : sizeof(uint32_t);
    bigger.items = yk_calloc(slots, sizeof(void *) + mark_bytes);
    bigger.marks = bigger.items + slots;
    for (size_t i = 0; set->count > 0 && i <= set->mask; i++) {
        if (mark_at(set, i) == 0)
            continue;
        uint32_t hash = hash_at(set, i);
        place(&bigger, free_slot(&bigger, hash), set->items[i], hash);
    }
    free(set->items);
    *set = bigger;
}

void *yk_text_set_find(const struct yk_text_set *set, struct yk_str key, uint32_t hash)
{
    if (set->count == 0)
        return NULL;
    size_t at = slot_of(set, key, hash);
    return set->items[at];
}

void yk_text_set_add(struct yk_text_set *set, void *item, uint32_t hash)
{
    if (set->mask == 0 || (set->count + 1) * 8 > (set->mask + 1) * 7)
        grow(set);
    place(set, free_slot(set, hash), item, hash);
    set->count++;
}

/* Empties the slot `hole`. Items behind it move towards the slot that their hash stands for, so that no
 * free slot is between them and that slot. */
static void vacate(struct yk_text_set *set, size_t hole)
{
    size_t mask = set->mask;
    for (size_t at = (hole + 1) & mask; mark_at(set, at) != 0; at = (at + 1) & mask) {
        uint32_t hash = hash_at(set, at);
        if (((at - hash) & mask) < ((at - hole) & mask))
            continue;
        place(set, hole, set->items[at], hash);
        hole = at;
    }
    set->items[hole] = NULL;
    set_mark(set, hole, 0);
    set->count--;
}

bool yk_text_set_take(struct yk_text_set *set, const void *item, uint32_t hash)
{
    if (set->count == 0)
        return false;
    size_t at = hash & set->mask;
    while (set->items[at] != NULL && set->items[at] != item)
        at = (at + 1) & set->mask;
    if (set->items[at] == NULL)
        return false;
    vacate(set, at);
    return true;
}

void *yk_text_set_get(const struct yk_text_set *set, struct yk_str key)
{
    return set->count == 0 ? NULL : yk_text_set_find(set, key, yk_text_set_hash(key));
}

void *yk_text_set_remove(struct yk_text_set *set, struct yk_str key)
{
    if (set->count == 0)
        return NULL;
    size_t at = slot_of(set, key, yk_text_set_hash(key));
    if (set->items[at] == NULL)
        return NULL;
    void *item = set->items[at];
    vacate(set, at);
    return item;
}

void yk_text_set_visit(const struct yk_text_set *set, size_t bucket, size_t buckets,
                       void (*visit)(void *context, void *item), void *context)
{
    if (set->count == 0)
        return;
    /* Items lie at their home slot, or behind it in front of the next free one. */
    for (size_t home = bucket; home <= set->mask; home += buckets) {
        for (size_t at = home; mark_at(set, at) != 0; at = (at + 1) & set->mask) {
            if ((hash_at(set, at) & set->mask) == home)
                visit(context, set->items[at]);
        }
    }
}
